//! The judge: is there a run of a graph that satisfies a formula, and is fair?
//!
//! The tableau of Clarke, Grumberg and Hamaguchi, on all of the graph. A *promise* is a formula `X f` that may hold
//! or not: `X f` for each `X f` in the formula, and `X (a U b)` for each `a U b`. A node is a state of the graph and
//! a set of promises: those that hold there. Given these, the truth of every subformula is known. A step
//! leads to nodes where exactly what was promised holds. A run keeps its promises if no `a U b` is put off for ever.

use crate::formula::Ltl;
use crate::graph::Graph;
use auspex_search::Fairness;

struct Tableau<'g> {
    graph: &'g Graph,
    /// The `f` of each promise `X f`.
    promises: Vec<Ltl>,
    /// How each of them, and `root`, is computed: see `Term`.
    root: Term,
    promised: Vec<Term>,
    /// The untils among the promises, each with its right side.
    untils: Vec<(Term, Term)>,
}

/// A formula in which promises are numbers.
#[derive(Clone)]
enum Term {
    True,
    Atom(usize),
    Not(Box<Term>),
    And(Box<Term>, Box<Term>),
    Promise(usize),
    /// `b`, or `a` and the promise that it goes on.
    Until(Box<Term>, Box<Term>, usize),
}

impl Term {
    fn holds(&self, letter: u64, promises: usize) -> bool {
        match self {
            Term::True => true,
            Term::Atom(atom) => letter >> atom & 1 == 1,
            Term::Not(a) => !a.holds(letter, promises),
            Term::And(a, b) => a.holds(letter, promises) && b.holds(letter, promises),
            Term::Promise(number) => promises >> number & 1 == 1,
            Term::Until(a, b, number) => {
                b.holds(letter, promises)
                    || a.holds(letter, promises) && promises >> number & 1 == 1
            }
        }
    }
}

/// The promises of a formula, each once.
fn collect(formula: &Ltl, promises: &mut Vec<Ltl>) {
    let promised = match formula {
        Ltl::True | Ltl::Atom(_) => return,
        Ltl::Not(a) => return collect(a, promises),
        Ltl::And(a, b) => {
            collect(a, promises);
            return collect(b, promises);
        }
        Ltl::Next(a) => {
            collect(a, promises);
            (**a).clone()
        }
        Ltl::Until(a, b) => {
            collect(a, promises);
            collect(b, promises);
            formula.clone()
        }
        other => unreachable!("{other:?} is not of the core"),
    };
    if !promises.contains(&promised) {
        promises.push(promised);
    }
}

fn term(formula: &Ltl, promises: &[Ltl]) -> Term {
    let number = |promised: &Ltl| promises.iter().position(|known| known == promised).unwrap();
    let inner = |formula: &Ltl| Box::new(term(formula, promises));
    match formula {
        Ltl::True => Term::True,
        Ltl::Atom(atom) => Term::Atom(*atom),
        Ltl::Not(a) => Term::Not(inner(a)),
        Ltl::And(a, b) => Term::And(inner(a), inner(b)),
        Ltl::Next(a) => Term::Promise(number(a)),
        Ltl::Until(a, b) => Term::Until(inner(a), inner(b), number(formula)),
        other => unreachable!("{other:?} is not of the core"),
    }
}

/// Does some infinite run of the graph satisfy the formula and is as fair as asked? `None` if the tableau would be too
/// large.
pub fn has_run(graph: &Graph, formula: &Ltl, most_promises: usize) -> Option<[bool; 3]> {
    let formula = formula.core();
    let mut promises = Vec::new();
    collect(&formula, &mut promises);
    if promises.len() > most_promises {
        return None;
    }
    let untils = promises.iter().filter_map(|promised| match promised {
        Ltl::Until(_, b) => Some((term(promised, &promises), term(b, &promises))),
        _ => None,
    });
    let tableau = Tableau {
        graph,
        untils: untils.collect(),
        root: term(&formula, &promises),
        promised: promises.iter().map(|promised| term(promised, &promises)).collect(),
        promises,
    };
    let nodes = tableau.nodes();
    let fair = |fairness| nodes.components().into_iter().any(|part| nodes.is_fair(part, fairness));
    Some([fair(Fairness::None), fair(Fairness::Weak), fair(Fairness::Strong)])
}

impl Tableau<'_> {
    fn sets(&self) -> usize {
        1 << self.promises.len()
    }

    /// The nodes that can be reached, with their edges.
    fn nodes(&self) -> Nodes<'_> {
        let (sets, states) = (self.sets(), self.graph.letters.len());
        let letter = |state: usize| self.graph.letters[state];
        // What has to be promised before a node.
        let required = |state: usize, set: usize| {
            let kept = |(number, promised): (usize, &Term)| {
                usize::from(promised.holds(letter(state), set)) << number
            };
            self.promised.iter().enumerate().map(kept).sum::<usize>()
        };
        let mut fitting = vec![vec![Vec::new(); sets]; states];
        for (state, of_state) in fitting.iter_mut().enumerate() {
            (0..sets).for_each(|set| of_state[required(state, set)].push(set));
        }
        let mut nodes = Nodes {
            tableau: self,
            numbers: vec![None; states * sets],
            list: Vec::new(),
            edges: Vec::new(),
        };
        for set in (0..sets).filter(|set| self.root.holds(letter(0), *set)) {
            nodes.number(0, set);
        }
        while let Some((state, set)) = nodes.list.get(nodes.edges.len()).copied() {
            let mut edges = Vec::new();
            for edge in &self.graph.edges[state] {
                for next in &fitting[edge.to][set] {
                    edges.push((nodes.number(edge.to, *next), edge.movers));
                }
            }
            nodes.edges.push(edges);
        }
        nodes
    }
}

struct Nodes<'t> {
    tableau: &'t Tableau<'t>,
    numbers: Vec<Option<usize>>,
    /// State and promises of each node.
    list: Vec<(usize, usize)>,
    /// To which node, and who moves.
    edges: Vec<Vec<(usize, u64)>>,
}

impl Nodes<'_> {
    fn number(&mut self, state: usize, set: usize) -> usize {
        let number = &mut self.numbers[state * self.tableau.sets() + set];
        *number.get_or_insert_with(|| {
            self.list.push((state, set));
            self.list.len() - 1
        })
    }

    fn components(&self) -> Vec<Vec<usize>> {
        self.components_of(&(0..self.list.len()).collect::<Vec<_>>())
    }

    /// Strongly connected components among some nodes, after Kosaraju: the order in which a search finishes the nodes,
    /// then backwards.
    fn components_of(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut inside = vec![false; self.list.len()];
        nodes.iter().for_each(|node| inside[*node] = true);
        let mut backwards = vec![Vec::new(); self.list.len()];
        for node in nodes {
            for (to, _) in self.edges[*node].iter().filter(|(to, _)| inside[*to]) {
                backwards[*to].push(*node);
            }
        }
        let mut finished = Vec::new();
        let mut seen: Vec<bool> = inside.iter().map(|inside| !inside).collect();
        for root in nodes {
            if std::mem::replace(&mut seen[*root], true) {
                continue;
            }
            let mut path = vec![(*root, 0)];
            while let Some((node, next)) = path.last_mut() {
                match self.edges[*node].get(*next) {
                    Some((to, _)) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[*to], true) {
                            path.push((*to, 0));
                        }
                    }
                    None => {
                        finished.push(*node);
                        path.pop();
                    }
                }
            }
        }
        let mut parts = Vec::new();
        let mut taken = vec![false; self.list.len()];
        for root in finished.into_iter().rev() {
            if taken[root] {
                continue;
            }
            taken[root] = true;
            let mut part = vec![root];
            let mut next = 0;
            while let Some(node) = part.get(next).copied() {
                next += 1;
                for before in &backwards[node] {
                    if !std::mem::replace(&mut taken[*before], true) {
                        part.push(*before);
                    }
                }
            }
            parts.push(part);
        }
        parts
    }

    /// Can a run stay in this component for ever, keep its promises and be fair?
    fn is_fair(&self, part: Vec<usize>, fairness: Fairness) -> bool {
        let mut inside = vec![false; self.list.len()];
        part.iter().for_each(|node| inside[*node] = true);
        let inner =
            || part.iter().flat_map(|node| &self.edges[*node]).filter(|(to, _)| inside[*to]);
        if inner().next().is_none() || !self.keeps_promises(&part) {
            return false;
        }
        let moved = inner().fold(0, |all, (_, movers)| all | movers);
        let enabled = |node: usize| self.tableau.graph.enabled[self.list[node].0];
        match fairness {
            Fairness::None => true,
            // A run that goes round everywhere: a process is owed a step if it can move all the time.
            Fairness::Weak => {
                part.iter().fold(u64::MAX, |all, node| all & enabled(*node)) & !moved == 0
            }
            // A process that can move somewhere here, but never does: a run that is fair to it keeps away from there.
            Fairness::Strong => {
                let starved = part.iter().fold(0, |any, node| any | enabled(*node)) & !moved;
                if starved == 0 {
                    return true;
                }
                let rest: Vec<usize> =
                    part.iter().copied().filter(|node| enabled(*node) & starved == 0).collect();
                self.components_of(&rest).into_iter().any(|part| self.is_fair(part, fairness))
            }
        }
    }

    /// For each `a U b`: somewhere in the component it does not hold, or `b` does.
    fn keeps_promises(&self, part: &[usize]) -> bool {
        self.tableau.untils.iter().all(|(until, right)| {
            part.iter().any(|node| {
                let (state, set) = self.list[*node];
                let letter = self.tableau.graph.letters[state];
                !until.holds(letter, set) || right.holds(letter, set)
            })
        })
    }
}
