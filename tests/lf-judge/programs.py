"""Random LF programs: as trees for the judge, and as text."""

import random


def constant(value):
    return ("constant", value)


def boolean(value):
    return ("constant", int(value), "BOOLEAN")


def variable(name):
    return ("variable", name)


# Text


def expression(tree):
    op = tree[0]
    if op == "constant":
        if len(tree) == 3:
            return "TRUE" if tree[1] else "FALSE"
        return str(tree[1])
    if op == "variable":
        return tree[1]
    if op == "element":
        return f"{tree[1]}[{expression(tree[2])}]"
    if op == "~":
        return f"~({expression(tree[1])})"
    return f"({expression(tree[1])} {op} {expression(tree[2])})"


def listed(arguments):
    return f"({', '.join(map(expression, arguments))})" if arguments else ""


def communication(tree):
    kind, port, message, arguments = tree
    return expression(port) + ("!" if kind == "send" else "?") + message + listed(arguments)


def kind_text(kind):
    return f"ARRAY {kind[1]} OF {kind_text(kind[2])}" if isinstance(kind, tuple) else kind


def declared(name, kind):
    element = kind[2] if isinstance(kind, tuple) else kind
    return f"{'PORT' if element in ('T', 'U') else 'VAR'} {name}: {kind_text(kind)};"


def block(statements, indent):
    lines = []
    for statement in statements:
        text = lines_of(statement)
        text[-1] += ";"
        lines += ["  " * indent + line for line in text]
    return lines


def lines_of(tree):
    """A statement. A `;` behind the last one of a block does no harm."""
    op = tree[0]
    body = lambda statements: block(statements, 1)
    if op == "assign":
        return [f"{expression(tree[1])} := {expression(tree[2])}"]
    if op in ("inc", "dec"):
        return [f"{op.upper()}{listed(tree[1:])}"]
    if op == "assert":
        return [f"ASSERT({expression(tree[1])})"]
    if op == "print":
        return [f"Out.Int({expression(tree[1])}, 4)"]
    if op in ("exit", "return", "reschedule"):
        return [op.upper()]
    if op in ("send", "receive"):
        return [communication(tree)]
    if op == "new":
        return [f"NEW({expression(tree[1])})"]
    if op == "call":
        return [tree[1] + listed(tree[2])]
    if op == "create":
        return ["CREATE " + ", ".join(name + listed(arguments) for name, arguments in tree[1])]
    if op == "while":
        return [f"WHILE {expression(tree[1])} DO", *body(tree[2]), "END"]
    if op == "repeat":
        return ["REPEAT", *body(tree[1]), f"UNTIL {expression(tree[2])}"]
    if op == "loop":
        return ["LOOP", *body(tree[1]), "END"]
    if op == "for":
        _, counter, first, last, by, inner = tree
        head = f"FOR {expression(counter)} := {expression(first)} TO {expression(last)} BY {by} DO"
        return [head, *body(inner), "END"]
    if op == "if":
        lines = []
        for condition, inner in tree[1]:
            lines += [f"{'ELSIF' if lines else 'IF'} {expression(condition)} THEN", *body(inner)]
        return [*lines, "ELSE", *body(tree[2]), "END"]
    if op == "case":
        lines = [f"CASE {expression(tree[1])} OF"]
        for number, (labels, inner) in enumerate(tree[2]):
            label = ", ".join(f"{low} .. {high}" for low, high in labels)
            lines += [f"{'| ' if number else '  '}{label}:", *body(inner)]
        return [*lines, *(["ELSE", *body(tree[3])] if tree[3] is not None else []), "END"]
    if op == "choice":
        lines = []
        for inner in tree[1]:
            lines += ["OR" if lines else "CHOICE", *body(inner)]
        return [*lines, "END"]
    lines = ["SELECT"]
    for how, guard, inner in tree[1]:
        condition = "" if guard is None else f" & {expression(guard)}"
        lines += [f"WHEN {communication(how)}{condition} THEN", *body(inner)]
    return [*lines, "END"]


def module(program, name, extra=()):
    """`extra`: lines in front of the body."""
    lines = [f"MODULE {name};", "IMPORT Out;", "TYPE T = [m(INTEGER), s, h(INT8, BOOLEAN)]; U = [p(T)];"]
    lines += [declared(*each) for each in program.globals]

    def process(own):
        parts = program.processes[own]
        formals = [
            f"{'VAR ' if mode == 'VAR' else ''}{name}: {kind_text(kind)}" for mode, name, kind in parts["params"]
        ]
        lines.append(f"PROCESS {own}({'; '.join(formals)});")
        lines.extend(declared(*each) for each in parts["locals"])
        for inner in parts["children"]:
            process(inner)
        lines.extend(["BEGIN", *block(parts["body"], 1), f"END {own};"])

    for own, parts in program.processes.items():
        if parts["parent"] is None:
            process(own)
    return "\n".join([*lines, *extra, "BEGIN", *block(program.main, 1), f"END {name}."]) + "\n"


# Programs

FIELDS = {("T", "m"): ["INTEGER"], ("T", "s"): [], ("T", "h"): ["INT8", "BOOLEAN"], ("U", "p"): ["T"]}


class Program:
    """Names are unique: `owner`, `type` and `mode` (VAR or VAL, of parameters) are those of a name anywhere."""

    def __init__(self):
        self.globals = [
            ("g0", "INTEGER"),
            ("g1", "INTEGER"),
            ("b0", "BOOLEAN"),
            ("ga", ("array", 3, "INTEGER")),
            ("g8", "INT8"),
            ("c0", "T"),
            ("c1", "T"),
            ("ca", ("array", 2, "T")),
            ("u0", "U"),
        ]
        self.owner = {name: None for name, _ in self.globals}
        self.type = dict(self.globals)
        self.mode = {}
        self.processes = {}
        self.fields = FIELDS
        self.main = []
        self.has_server = False  # A process that never ends.


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.program = Program()
        self.count = 0
        self.is_risky = self.chance(0.2)  # Expressions may go wrong.
        self.is_paired = self.chance(0.75)  # Some processes mostly send, others mostly receive.
        self.prints = self.chance(0.6)
        self.passes_ports = self.chance(0.3)
        self.scope = [name for name, _ in self.program.globals]
        self.called, self.created = [], []
        self.own, self.kind, self.budget = None, "main", 6
        for _ in range(self.random.randint(0, 2)):
            self.process("called", None)
        for _ in range(self.random.randint(1, 3)):
            self.process("created", None)
        self.program.main = self.body_of_module()
        self.program.main = frozen(self.program.main)
        for process in self.program.processes.values():
            process["body"] = frozen(process["body"])

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, choices):
        return self.random.choice(choices)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def body_of_module(self):
        ports = [
            variable("c0"),
            variable("c1"),
            variable("u0"),
            ("element", "ca", constant(0)),
            ("element", "ca", constant(1)),
        ]
        body = [("new", port) for port in ports if self.chance(0.99)]
        names = [self.pick(self.created) for _ in range(self.random.randint(1, 3))]
        names = (names + [name for name in self.created if name not in names])[:4]
        creations = [(name, self.arguments(name, True)) for name in names]
        body += [("create", creations)] if self.chance(0.5) else [("create", [each]) for each in creations]
        return body + (self.block(1) if self.chance(0.4) else [])

    def declare(self, name, kind, mode=None):
        self.program.owner[name], self.program.type[name] = self.own, kind
        if mode:
            self.program.mode[name] = mode
        self.scope.append(name)

    def local(self, letter, kind):
        name = self.fresh(letter)
        self.program.processes[self.own]["locals"].append((name, kind))
        self.declare(name, kind)

    def process(self, kind, parent):
        """A process that is always called, or one that is always created."""
        before = (self.scope, self.own, self.kind, self.budget, self.called, self.created)
        self.scope, self.called, self.created = list(self.scope), list(self.called), list(self.created)
        name = self.fresh("Q" if kind == "called" else "P")
        self.own, self.kind = name, kind
        parts = {"params": [], "locals": [], "parent": parent, "children": [], "body": [], "depth": None}
        self.program.processes[name] = parts
        for _ in range(self.random.randint(0, 2)):
            kind_of = self.pick(["INTEGER", "INTEGER", "INT8", "T"])
            mode = "VAL" if kind_of == "T" or self.chance(0.6) else "VAR"
            parameter = self.fresh("a")
            parts["params"].append((mode, parameter, kind_of))
            self.declare(parameter, kind_of, mode)
        for _ in range(self.random.randint(1, 2)):
            self.local("x", self.pick(["INTEGER", "INTEGER", "BOOLEAN", "INT8"]))
        if self.chance(0.2):
            self.local("l", "T")
        if self.chance(0.2):
            self.local("y", ("array", 2, "INTEGER"))
        if kind == "called" and self.chance(0.3):
            parts["depth"] = self.fresh("n")
            parts["params"].append(("VAL", parts["depth"], "INTEGER"))
            self.declare(parts["depth"], "INTEGER", "VAL")
            self.scope.remove(parts["depth"])
        if parent is None and self.chance(0.35):
            parts["children"].append(self.process(self.pick(["called", kind]), name))
        self.budget = self.random.randint(3, 6) if kind == "created" else self.random.randint(1, 3)
        body = self.block(0)
        if parts["depth"]:
            body.insert(self.pick([0, len(body)]), self.recursion(name, parts["depth"]))
        if kind == "created" and parent is None and self.chance(0.25):
            body = body[:1] + [self.server()]
        parts["body"] = body
        self.scope, self.own, self.kind, self.budget, self.called, self.created = before
        (self.called if kind == "called" else self.created).append(name)
        return name

    def recursion(self, name, depth):
        less = ("-", variable(depth), constant(1))
        again = ("call", name, self.arguments(name, False, less))
        return ("if", [((">", variable(depth), constant(0)), [again])], [])

    def server(self):
        """It never ends, so nothing in it may grow without end."""
        self.program.has_server = True
        self.budget, prints, self.prints = 3, self.prints, False
        body = [each for each in self.block(1) if each[0] not in ("inc", "dec", "create", "new")]
        self.prints = prints
        body.append(("reschedule",))
        return ("loop", body) if self.chance(0.5) else ("while", boolean(True), body)

    # Expressions

    def named(self, *kinds):
        return [name for name in self.scope if self.program.type[name] in kinds]

    def integer_variable(self):
        arrays = [name for name in self.scope if self.program.type[name][0] == "array" and name != "ca"]
        if self.chance(0.2):
            name = self.pick(arrays)
            index = constant(self.random.randrange(self.program.type[name][1]))
            return ("element", name, self.integer(1) if self.is_risky and self.chance(0.3) else index)
        return variable(self.pick(self.named("INTEGER", "INT8")))

    def integer(self, depth=0):
        chance = self.random.random()
        if depth > 1 or chance < 0.35:
            return constant(self.random.randint(0, 3))
        if chance < 0.7:
            return self.integer_variable()
        ops = ["DIV", "MOD", "*"] if self.is_risky and chance > 0.95 else ["+", "-"]
        return (self.pick(ops), self.integer(depth + 1), self.integer(depth + 1))

    def condition(self, depth=0):
        chance = self.random.random()
        if chance < 0.15:
            return variable(self.pick(self.named("BOOLEAN")))
        if chance < 0.8 or depth > 1:
            return (self.pick(["=", "#", "<", "<=", ">", ">="]), self.integer(1), self.integer(1))
        if chance < 0.87:
            return ("~", self.condition(depth + 1))
        return (self.pick(["&", "OR"]), self.condition(depth + 1), self.condition(depth + 1))

    def modulo(self, value, size):
        return ("MOD", value, constant(size))

    def port(self):
        if self.chance(0.12):
            index = constant(self.random.randrange(2)) if self.chance(0.7) else self.modulo(self.integer(1), 2)
            return ("element", "ca", index)
        return variable(self.pick([*self.named("T"), "c0", "c0"]))

    def arguments(self, name, creates, depth=None):
        return [self.argument(name, parameter, creates, depth) for parameter in self.program.processes[name]["params"]]

    def argument(self, process, parameter, creates, depth):
        mode, name, kind = parameter
        if name == self.program.processes[process]["depth"]:
            return depth or constant(self.random.randint(0, 2))
        if kind == "T":
            return self.port()
        if mode == "VAR":
            names = [other for other in self.named(kind) if not creates or self.may_be_lent(other)]
            return variable(self.pick(names))
        return self.integer() if kind != "INT8" or self.is_risky else self.modulo(self.integer(), 50)

    def may_be_lent(self, name):
        """To a concurrent process: what the compiler can see, and what lives as long."""
        owner = self.program.owner[name]
        return owner is None or (self.kind == "created" and owner == self.own and self.program.mode.get(name) != "VAR")

    # Statements

    def block(self, depth):
        statements = self.statement(depth)
        for _ in range(self.random.randint(0, 2 if depth else 3)):
            if self.budget > 0:
                statements += self.statement(depth)
        return statements

    def maybe_block(self, depth, probability):
        return self.block(depth) if depth < 3 and self.chance(probability) else []

    def communication(self):
        if self.passes_ports and self.chance(0.25):
            if self.chance(0.5):
                return ("send", variable("u0"), "p", [self.port()])
            ports = [name for name in self.named("T") if name != "c0"]
            return ("receive", variable("u0"), "p", [variable(self.pick(ports))])
        kind, message, port = self.pick(["send", "receive"]), self.pick("mmmsh"), self.port()
        if self.is_paired:
            usual = ["send", "receive"][int(self.own[1:]) % 2 if self.own else 0]
            kind = usual if self.chance(0.85) else kind
            message = "m" if self.chance(0.8) else message
            port = variable("c0") if self.chance(0.8) else port
        if message == "s":
            return (kind, port, message, [])
        if kind == "send":
            small = self.integer() if message == "m" or self.is_risky else constant(self.random.randint(0, 2))
            return (kind, port, message, [small] if message == "m" else [small, self.condition(1)])
        number = constant(self.random.randint(0, 2)) if self.chance(0.1) else self.integer_variable()
        truth = boolean(self.chance(0.5)) if self.chance(0.1) else variable(self.pick(self.named("BOOLEAN")))
        return (kind, port, message, [number] if message == "m" else [number, truth])

    def statement(self, depth):
        self.budget -= 1
        chance = self.random.random()
        if chance < 0.27:
            return [self.simple(chance / 0.27)]
        if chance < 0.34:
            sure = ("OR", same := self.condition(), ("~", same))
            return (
                [("reschedule",)] if self.chance(0.4) else [("assert", self.condition() if self.chance(0.2) else sure)]
            )
        if chance < 0.58:
            return [self.communication()]
        if chance < 0.70:
            clauses = []
            for _ in range(self.random.randint(1, 3)):
                guard = self.condition() if self.chance(0.45) else None
                clauses.append((self.communication(), guard, self.maybe_block(depth + 1, 0.4)))
            return [("select", clauses)]
        if chance < 0.75:
            arms = [(self.condition(), self.maybe_block(depth + 1, 1)) for _ in range(self.random.randint(1, 2))]
            return [("if", arms, self.maybe_block(depth + 1, 0.5))]
        if chance < 0.81:
            return [("choice", [self.maybe_block(depth + 1, 0.8) for _ in range(self.random.randint(1, 3))])]
        if chance < 0.90 and depth < 2:
            return self.repetition(depth + 1)
        if chance < 0.93:
            arms = [([(0, 1)], self.maybe_block(depth + 1, 1)), ([(2, 2)], [])]
            otherwise = None if self.is_risky and self.chance(0.3) else self.maybe_block(depth + 1, 0.5)
            return [("case", self.modulo(self.integer(), 4), arms, otherwise)]
        return [self.about_processes(depth)]

    def simple(self, chance):
        if chance < 0.5:
            value = self.integer()
            kept = value if self.is_risky and self.chance(0.5) else self.modulo(value, 5)
            return ("assign", self.integer_variable(), kept)
        if chance < 0.65:
            return ("assign", variable(self.pick(self.named("BOOLEAN"))), self.condition())
        if chance < 0.75:
            return (
                self.pick(["inc", "dec"]),
                self.integer_variable(),
                self.integer() if self.chance(0.3) else constant(1),
            )
        return ("print", self.integer()) if self.prints else ("reschedule",)

    def repetition(self, depth):
        """Each has a counter of its own, so each ends."""
        name = self.fresh("k")
        self.program.owner[name], self.program.type[name] = self.own, "INTEGER"
        where = self.program.processes[self.own]["locals"] if self.own else self.program.globals
        where.append((name, "INTEGER"))
        counter, rounds, body = variable(name), constant(self.random.randint(1, 2)), self.block(depth)
        begin, count = ("assign", counter, constant(0)), ("inc", counter, constant(1))
        kind = self.pick(["while", "repeat", "for", "loop"])
        if kind == "while":
            return [begin, ("while", ("<", counter, rounds), [*body, count])]
        if kind == "repeat":
            return [begin, ("repeat", [*body, count], (">=", counter, rounds))]
        if kind == "for":
            by = self.pick([1, 1, 2, -1])
            last = rounds if self.chance(0.6) else self.modulo(self.integer(), 3)
            return [("for", counter, *((constant(0), last) if by > 0 else (rounds, constant(0))), by, body)]
        leave = [("exit",)]
        early = [("if", [(self.condition(), leave)], [])] if self.chance(0.3) else []
        return [begin, ("loop", [("if", [((">", counter, rounds), leave)], []), count, *body, *early])]

    def about_processes(self, depth):
        visible = [name for name in self.called if self.is_visible(name)]
        if visible and self.chance(0.7):
            name = self.pick(visible)
            return ("call", name, self.arguments(name, False))
        parents = [None, self.own] if self.kind == "created" else [None]
        visible = [name for name in self.created if self.program.processes[name]["parent"] in parents]
        if visible and self.own and depth < 2 and self.chance(0.4):
            name = self.pick(visible)
            return ("create", [(name, self.arguments(name, True))])
        if self.own and self.chance(0.2):
            return ("if", [(self.condition(), [("return",)])], [])
        return ("assign", variable("g1"), self.modulo(self.integer(), 3))

    def is_visible(self, name):
        parent, around = self.program.processes[name]["parent"], [None]
        inner = self.own
        while inner:
            around.append(inner)
            inner = self.program.processes[inner]["parent"]
        return parent in around


def frozen(tree):
    return tuple(map(frozen, tree)) if isinstance(tree, (list, tuple)) else tree
