"""A naive LF kernel: the judge of the real one.

It knows nothing of code, records or queues. A program is a tree of tuples (see `programs.py`, which also writes it as LF
text); a state is a dictionary of variables and, for each process, the tuple of the statements that it still has to
execute. Slow, and simple enough to be believed.
"""

RANGES = {"INT8": (-128, 127), "INTEGER": (-(2**31), 2**31 - 1), "BOOLEAN": (0, 1)}


class Fault(Exception):
    def __init__(self, kind):
        self.kind = kind


class TooBig(Exception):
    """There are more states, or longer actions, than anybody wants to wait for."""


class ActionEnd(Exception):
    def __init__(self, why, offers=()):
        self.why, self.offers = why, tuple(offers)


class Process:
    """`status`: ready, plain (in a send or receive), select, or wait (for its children)."""

    __slots__ = ("status", "rest", "frames", "offers", "parent", "children")

    def __init__(self, rest, frames, parent):
        self.status, self.rest, self.frames = "ready", rest, frames
        self.offers, self.parent, self.children = (), parent, 0

    def copy(self):
        other = Process(self.rest, self.frames, self.parent)
        other.status, other.offers, other.children = self.status, self.offers, self.children
        return other

    def key(self):
        return (self.status, self.rest, self.frames, self.offers, self.parent, self.children)


class State:
    """Variables are found by where they are (`globals`, or process and depth of the call) and their name."""

    __slots__ = ("variables", "processes", "channels", "printed")

    def __init__(self):
        self.variables, self.processes, self.channels, self.printed = {}, {}, 0, ""

    def copy(self):
        other = State()
        other.variables = dict(self.variables)
        other.processes = {number: process.copy() for number, process in self.processes.items()}
        other.channels, other.printed = self.channels, self.printed
        return other

    def key(self):
        processes = tuple((number, self.processes[number].key()) for number in sorted(self.processes))
        return (frozenset(self.variables.items()), processes, self.channels, self.printed)


class Kernel:
    def __init__(self, program, fine=False, record=True):
        self.program, self.fine, self.record = program, fine, record

    def initial(self):
        state = State()
        self.declare(state, "globals", self.program.globals)
        state.processes[0] = Process(tuple(self.program.main), (("main", None),), None)
        return state

    def declare(self, state, where, variables):
        for name, kind in variables:
            if isinstance(kind, tuple):
                for index in range(kind[1]):
                    state.variables[(where, name, index)] = 0
            else:
                state.variables[(where, name)] = 0

    # Variables and expressions

    def frames(self, number):
        return self.own_frames if number == self.me else self.state.processes[number].frames

    def frame_of(self, owner):
        """The innermost activation of a process, from where the current one was declared outwards."""
        at = (self.me, len(self.own_frames) - 1)
        while True:
            number, depth = at
            process, outside = self.frames(number)[depth]
            if process == owner:
                return at
            at = outside

    def place(self, designator):
        name = designator[1]
        owner = self.program.owner[name]
        place = ("globals" if owner is None else self.frame_of(owner), name)
        if self.program.mode.get(name) == "VAR":
            place = self.state.variables[place]
        if designator[0] == "element":
            index = self.value(designator[2])
            if not 0 <= index < self.program.type[name][1]:
                raise Fault("index")
            place = (*place, index)
        return place

    def type_of(self, designator):
        kind = self.program.type[designator[1]]
        return kind[2] if designator[0] == "element" else kind

    def fits(self, kind, value):
        low, high = RANGES.get(kind, (value, value))
        if not low <= value <= high:
            raise Fault("range")
        return value

    def store(self, place, kind, value):
        self.state.variables[place] = self.fits(kind, value)

    def value(self, expression):
        op = expression[0]
        if op == "constant":
            return expression[1]
        if op in ("variable", "element"):
            return self.state.variables[self.place(expression)]
        if op == "~":
            return 1 - self.value(expression[1])
        left = self.value(expression[1])
        if op == "&":
            return self.value(expression[2]) if left else 0
        if op == "OR":
            return 1 if left else self.value(expression[2])
        right = self.value(expression[2])
        if op in ("DIV", "MOD") and right == 0:
            raise Fault("division")
        return int(OPERATORS[op](left, right))

    # Steps

    def successors(self, state):
        """All ways to go on: `(state, None)` or `(None, kind of fault)`."""
        found = []
        for number in sorted(state.processes):
            status = state.processes[number].status
            if status != "ready" and not (status == "select" and self.has_partner(state, number)):
                continue
            self.script = []
            while True:
                self.asked = 0
                try:
                    after = state.copy()
                    if self.act(after, number):
                        found.append((after, None))
                except Fault as fault:
                    found.append((None, fault.kind))
                if not self.advance():
                    break
        return found

    def choose(self, ways):
        if ways <= 1:
            return 0
        if self.asked == len(self.script):
            self.script.append((0, ways))
        self.asked += 1
        return self.script[self.asked - 1][0]

    def advance(self):
        """The next way to answer the questions of an action."""
        del self.script[self.asked :]
        while self.script:
            choice, ways = self.script.pop()
            if choice + 1 < ways:
                self.script.append((choice + 1, ways))
                return True
        return False

    def act(self, state, number):
        """One action; false if nothing has happened."""
        self.state, self.me = state, number
        process = state.processes[number]
        if process.status == "select":
            return self.meet(number)
        self.own_frames, self.rest, self.is_first = process.frames, process.rest, True
        try:
            for _ in range(5000):
                self.step()
            raise TooBig
        except ActionEnd as end:
            process.frames, process.rest = self.own_frames, self.rest
            if end.why == "end":
                self.finish(number)
            elif end.why != "reschedule":
                process.status, process.offers = end.why, end.offers
                self.meet(number)
        return True

    def step(self):
        """One statement. Those that begin with @ are what is left of one that has begun."""
        if not self.rest:
            raise ActionEnd("end")
        statement, rest = self.rest[0], self.rest[1:]
        is_first, self.is_first = self.is_first, False
        handler = getattr(self, "do_" + statement[0].lstrip("@").lower() + ("_on" if statement[0][0] == "@" else ""))
        self.was_first, self.is_simple = is_first, False
        self.rest = rest
        handler(statement, rest)
        if self.is_simple and self.fine:
            raise ActionEnd("reschedule")

    def do_assign(self, statement, _):
        place = self.place(statement[1])
        self.store(place, self.type_of(statement[1]), self.value(statement[2]))
        self.is_simple = True

    def add(self, statement, sign):
        place = self.place(statement[1])
        sum_ = self.state.variables[place] + sign * self.value(statement[2])
        self.store(place, self.type_of(statement[1]), sum_)
        self.is_simple = True

    def do_inc(self, statement, _):
        self.add(statement, 1)

    def do_dec(self, statement, _):
        self.add(statement, -1)

    def do_assert(self, statement, _):
        if not self.value(statement[1]):
            raise Fault("assertion")
        self.is_simple = True

    def do_print(self, statement, _):
        value = self.value(statement[1])
        if self.record:
            self.state.printed += "%4d" % value
        self.is_simple = True

    def do_if(self, statement, rest):
        for condition, body in statement[1]:
            if self.value(condition):
                self.rest = body + rest
                return
        self.rest = statement[2] + rest

    def do_while(self, statement, rest):
        if self.value(statement[1]):
            self.rest = statement[2] + (statement,) + rest

    def do_repeat(self, statement, rest):
        self.rest = statement[1] + (("@repeat", statement),) + rest
        self.is_first = self.was_first

    def do_repeat_on(self, statement, rest):
        if not self.value(statement[1][2]):
            self.rest = (statement[1],) + rest

    def do_for(self, statement, rest):
        _, variable, first, last, _, _ = statement
        limit = self.value(last)
        self.store(self.place(variable), self.type_of(variable), self.value(first))
        self.rest = (("@for", statement, limit),) + rest

    def do_for_on(self, statement, rest):
        _, (_, variable, _, _, by, body), limit = statement
        value = self.value(variable)
        if value <= limit if by > 0 else value >= limit:
            self.rest = body + (("@next", variable, by), statement) + rest

    def do_next_on(self, statement, _):
        place = self.place(statement[1])
        self.store(place, self.type_of(statement[1]), self.state.variables[place] + statement[2])

    def do_loop(self, statement, rest):
        self.rest = statement[1] + (("@loop", statement),) + rest
        self.is_first = self.was_first

    def do_loop_on(self, statement, rest):
        self.do_loop(statement[1], rest)

    def do_exit(self, _, rest):
        while rest[0][0] != "@loop":
            rest = rest[1:]
        self.rest, self.is_first = rest[1:], self.was_first

    def do_return(self, _, rest):
        while rest and rest[0][0] != "@call":
            rest = rest[1:]
        self.rest, self.is_first = rest, self.was_first

    def do_case(self, statement, rest):
        value = self.value(statement[1])
        for labels, body in statement[2]:
            if any(low <= value <= high for low, high in labels):
                self.rest = body + rest
                return
        if statement[3] is None:
            raise Fault("case")
        self.rest = statement[3] + rest

    def do_choice(self, statement, rest):
        if not self.was_first:
            self.rest = (statement,) + rest
            raise ActionEnd("reschedule")
        self.rest = statement[1][self.choose(len(statement[1]))] + rest

    def do_reschedule(self, *_):
        raise ActionEnd("reschedule")

    def do_new(self, statement, _):
        self.state.channels += 1
        self.state.variables[self.place(statement[1])] = self.state.channels
        self.is_simple = True

    # Processes

    def do_call(self, statement, rest):
        _, name, arguments = statement
        self.activate(name, arguments, (self.me, len(self.own_frames)))
        self.own_frames += ((name, self.outside_of(name)),)
        self.rest = self.program.processes[name]["body"] + (("@call",),) + rest

    def do_call_on(self, *_):
        self.forget((self.me, len(self.own_frames) - 1))
        self.own_frames = self.own_frames[:-1]
        self.is_simple = True

    def do_create(self, statement, rest):
        processes = self.state.processes
        for name, arguments in statement[1]:
            number = next(number for number in range(len(processes) + 1) if number not in processes)
            self.activate(name, arguments, (number, 0))
            frames = ((name, self.outside_of(name)),)
            processes[number] = Process(self.program.processes[name]["body"], frames, self.me)
            processes[self.me].children += 1
        raise ActionEnd("reschedule" if rest else "end")

    def outside_of(self, name):
        parent = self.program.processes[name]["parent"]
        return None if parent is None else self.frame_of(parent)

    def activate(self, name, arguments, where):
        process = self.program.processes[name]
        values = []
        for (mode, parameter, kind), argument in zip(process["params"], arguments):
            value = self.place(argument) if mode == "VAR" else self.fits(kind, self.value(argument))
            values.append(((where, parameter), value))
        self.declare(self.state, where, process["locals"])
        self.state.variables.update(values)

    def forget(self, where):
        for place in [place for place in self.state.variables if place[0] == where]:
            del self.state.variables[place]

    def finish(self, number):
        """A process at its end waits for those that it has created; the module body does not."""
        process = self.state.processes[number]
        if process.children and process.frames[0][0] != "main":
            process.status = "wait"
            return
        del self.state.processes[number]
        self.forget((number, 0))
        for other in self.state.processes.values():
            if other.parent == number:
                other.parent = None
        if process.parent is not None:
            parent = self.state.processes[process.parent]
            parent.children -= 1
            if not parent.children and parent.status == "wait":
                self.finish(process.parent)

    # Communication. An offer: channel, message, is it sent, values or targets, guard, what comes then.

    def do_send(self, statement, rest):
        raise ActionEnd("plain", [self.offer(statement, None, rest)])

    def do_receive(self, statement, rest):
        picks = any(target[0] == "constant" for target in statement[3])
        raise ActionEnd("select" if picks else "plain", [self.offer(statement, None, rest)])

    def do_select(self, statement, rest):
        raise ActionEnd("select", [self.offer(how, guard, body + rest) for how, guard, body in statement[1]])

    def offer(self, communication, guard, then):
        kind, port, message, arguments = communication
        channel = self.value(port)
        if channel == 0:
            raise Fault("port")
        types = self.program.fields[(self.type_of(port), message)]
        if kind == "send":
            data = tuple(self.fits(type_, self.value(value)) for value, type_ in zip(arguments, types))
        else:
            data = tuple(
                target if target[0] == "constant" else ("place", self.place(target), self.type_of(target))
                for target in arguments
            )
        return (channel, message, kind == "send", data, guard, then)

    @staticmethod
    def are_opposite(one, other):
        return one[:2] == other[:2] and one[2] != other[2]

    def has_partner(self, state, number):
        own = state.processes[number].offers
        return any(
            process.status == "plain" and any(self.are_opposite(offer, process.offers[0]) for offer in own)
            for other, process in state.processes.items()
            if other != number
        )

    def meet(self, number):
        """Any partner of any clause; two selects never meet. False if there is none."""
        me = self.state.processes[number]
        possible = []
        for own in me.offers:
            for other, process in sorted(self.state.processes.items()):
                meets = process.status == "plain" or (process.status == "select" and me.status != "select")
                if other == number or not meets:
                    continue
                for theirs in process.offers:
                    if self.are_opposite(own, theirs) and self.is_allowed(((number, own), (other, theirs))):
                        possible.append((own, other, theirs))
        if not possible:
            return False
        own, other, theirs = possible[self.choose(len(possible))]
        self.transfer(own, theirs)
        for process, offer in ((me, own), (self.state.processes[other], theirs)):
            process.status, process.offers, process.rest = "ready", (), offer[5]
        return True

    def transfer(self, own, theirs):
        sent, received = (own, theirs) if own[2] else (theirs, own)
        for value, target in zip(sent[3], received[3]):
            if target[0] == "place":
                self.store(target[1], target[2], value)

    def is_allowed(self, both):
        (_, own), (_, theirs) = both
        sent, received = (own, theirs) if own[2] else (theirs, own)
        if any(target[0] == "constant" and target[1] != value for value, target in zip(sent[3], received[3])):
            return False
        before = dict(self.state.variables)
        here = self.me, getattr(self, "own_frames", None)
        try:
            self.transfer(own, theirs)
        except Fault:
            self.state.variables = before
            return True  # It goes wrong when it is carried out.
        try:
            for number, offer in both:
                self.me, self.own_frames = number, self.state.processes[number].frames
                if offer[4] is not None and not self.value(offer[4]):
                    return False
            return True
        finally:
            self.state.variables = before
            self.me, self.own_frames = here


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "DIV": lambda a, b: a // b,
    "MOD": lambda a, b: a % b,
    "=": lambda a, b: a == b,
    "#": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def explore(program, fine=False, record=True, limit=6000):
    """Every state: a list of `(state, numbers of successors, kinds of faults)`."""
    kernel = Kernel(program, fine, record)
    states, numbers, found = [kernel.initial()], {}, []
    numbers[states[0].key()] = 0
    for state in states:
        successors, faults = [], set()
        for after, fault in kernel.successors(state):
            if fault:
                faults.add(fault)
                continue
            number = numbers.setdefault(after.key(), len(states))
            if number == len(states):
                states.append(after)
                if len(states) > limit:
                    raise TooBig
            successors.append(number)
        if not successors and not faults and state.processes:
            faults.add("deadlock")
        found.append((state, successors, faults))
    return found
