"""What can be said about the infinite paths of a small graph, by the definitions."""

from kernel import OPERATORS


def value(expression, variables):
    """Of an expression over the variables of the module."""
    op = expression[0]
    if op == "constant":
        return expression[1]
    if op == "variable":
        return variables[("globals", expression[1])]
    if op == "element":
        return variables[("globals", expression[1], expression[2][1])]
    values = [value(each, variables) for each in expression[1:]]
    if op == "~":
        return 1 - values[0]
    if op in ("&", "OR"):
        return min(values) if op == "&" else max(values)
    return int(OPERATORS[op](*values))


def reachable(start, successors):
    seen, todo = set(start), list(start)
    while todo:
        for after in successors(todo.pop()):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return seen


def has_cycle(nodes, successors, through):
    """Is there a cycle within `nodes` through a node that is wanted?"""
    inside = lambda node: [after for after in successors(node) if after in nodes]
    return any(node in reachable(inside(node), inside) for node in nodes if through(node))


def for_ever(count, edges, condition):
    """The states from which some path stays where the condition holds."""
    kept = {number for number in range(count) if condition(number)}
    while True:
        stays = {number for number in kept if any(after in kept for after in edges[number])}
        if stays == kept:
            return kept
        kept = stays


def accepts(edges, steps, accepting, holds):
    """Does an automaton that reads every state accept a path from the first one?"""

    def successors(pair):
        state, number = pair
        return [
            (target, after)
            for source, condition, target in steps
            if source == state and holds(condition, number)
            for after in edges[number]
        ]

    nodes = reachable([(0, 0)], successors)
    return has_cycle(nodes, successors, lambda pair: pair[0] == accepting)


def formula(edges, p, q, holds, random):
    """A formula, and whether some path violates it."""
    from programs import expression

    count = len(edges)
    everywhere = set(range(count))
    p_fails = {number for number in everywhere if not holds(p, number)}
    no_q = for_ever(count, edges, lambda number: not holds(q, number))
    after = lambda number: edges[number]
    p_text, q_text = f"({expression(p)})", f"({expression(q)})"
    return random.choice(
        [
            (f"[] {p_text}", bool(p_fails)),
            (f"<> {p_text}", 0 in for_ever(count, edges, lambda number: number in p_fails)),
            (f"[] <> {p_text}", has_cycle(p_fails, after, lambda _: True)),
            (f"<> [] {p_text}", has_cycle(everywhere, after, lambda number: number in p_fails)),
            (f"[] ({p_text} -> <> {q_text})", bool(no_q - p_fails)),
        ]
    )
