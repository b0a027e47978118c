//! Random graphs with accepting states and processes, and the definitions of what is looked for
//! in them, taken literally.
#![allow(dead_code)]

pub struct Plain {
    /// For each node its steps: where to (`None`: into a fault), and who moves.
    pub steps: Vec<Vec<(Option<usize>, u64)>>,
    pub accepting: Vec<bool>,
    pub initial: Vec<usize>,
}

impl Plain {
    /// Small enough for [`Plain::answers`].
    pub fn random(rng: &mut fastrand::Rng) -> Self {
        let nodes = rng.usize(2..=12);
        Self::with_nodes(rng, nodes)
    }

    pub fn with_nodes(rng: &mut fastrand::Rng, nodes: usize) -> Self {
        let processes = rng.usize(1..=4);
        // From mostly chains to nearly complete.
        let most = [1, 2, 2, 3, 3, 6][rng.usize(..6)];
        let fault_every = [0, 8][rng.usize(..2)];
        let busy = rng.u8(1..=4);
        let step = |rng: &mut fastrand::Rng| {
            let fault = fault_every > 0 && rng.u32(..fault_every) == 0;
            let target = (!fault).then(|| rng.usize(..nodes));
            let mut movers = 1 << rng.usize(..processes);
            if rng.u8(..8) < busy {
                movers |= 1 << rng.usize(..processes);
            }
            (target, movers)
        };
        let steps =
            (0..nodes).map(|_| (0..rng.usize(0..=most)).map(|_| step(rng)).collect()).collect();
        let rare = rng.u32(1..=6);
        let accepting = (0..nodes).map(|_| rng.u32(..=rare) == 0).collect();
        let initial = (0..rng.usize(1..=2)).map(|_| rng.usize(..nodes)).collect();
        Plain { steps, accepting, initial }
    }

    pub fn enabled(&self, node: usize) -> u64 {
        self.steps[node].iter().fold(0, |all, (_, movers)| all | movers)
    }

    /// The nodes of `within` (a set of bits) that can be reached from those of `from`.
    fn reach(&self, from: u32, within: u32, forwards: bool) -> u32 {
        let mut seen = from & within;
        loop {
            let mut next = seen;
            for (node, steps) in self.steps.iter().enumerate() {
                for target in steps.iter().filter_map(|(target, _)| *target) {
                    let (a, b) = if forwards { (node, target) } else { (target, node) };
                    if seen >> a & 1 == 1 {
                        next |= within & 1 << b;
                    }
                }
            }
            if next == seen {
                return seen;
            }
            seen = next;
        }
    }

    /// Is there an infinite run that is accepting, and fair: 0 not asked, 1 weakly, 2 strongly? The
    /// nodes that a run meets infinitely often are strongly connected; for each such set, the
    /// run that takes all steps within it is as fair as any.
    pub fn answers(&self) -> [bool; 3] {
        let initial = self.initial.iter().fold(0, |all, node| all | 1 << node);
        let reachable = self.reach(initial, u32::MAX, true);
        let mut answers = [false; 3];
        for set in 1..1u32 << self.steps.len() {
            if set & !reachable != 0 || answers[2] {
                continue;
            }
            let nodes: Vec<usize> = (0..self.steps.len()).filter(|n| set >> n & 1 == 1).collect();
            if !nodes.iter().any(|node| self.accepting[*node]) {
                continue;
            }
            let within = |target: &Option<usize>| target.is_some_and(|t| set >> t & 1 == 1);
            let inner: Vec<u64> = nodes
                .iter()
                .flat_map(|node| &self.steps[*node])
                .filter(|(target, _)| within(target))
                .map(|(_, movers)| *movers)
                .collect();
            let one = set & set.wrapping_neg();
            let connected = self.reach(one, set, true) == set && self.reach(one, set, false) == set;
            if inner.is_empty() || !connected {
                continue;
            }
            let fair_to = |process: u64, strong: bool| {
                let enabled = |node: &usize| self.enabled(*node) & process != 0;
                let must_move = match strong {
                    true => nodes.iter().any(enabled),
                    false => nodes.iter().all(enabled),
                };
                !must_move || inner.iter().any(|movers| movers & process != 0)
            };
            answers[0] = true;
            answers[1] |= (0..4).all(|process| fair_to(1 << process, false));
            answers[2] |= (0..4).all(|process| fair_to(1 << process, true));
        }
        answers
    }

    /// The fewest steps, one at least, from each node to each; `None`: there is no way.
    fn distances(&self) -> Vec<Vec<Option<usize>>> {
        let from = |start: usize| {
            let mut distance = vec![None; self.steps.len()];
            let mut level = vec![start];
            for steps in 1.. {
                let targets = level.iter().flat_map(|node| &self.steps[*node]);
                let mut next: Vec<usize> = targets.filter_map(|(target, _)| *target).collect();
                next.retain(|node| distance[*node].is_none());
                next.sort_unstable();
                next.dedup();
                if next.is_empty() {
                    break;
                }
                next.iter().for_each(|node| distance[*node] = Some(steps));
                level = next;
            }
            distance
        };
        (0..self.steps.len()).map(from).collect()
    }

    /// The length of a shortest accepting lasso: a way to the cycle, and round it through an
    /// accepting node. Graphs of any size.
    pub fn shortest(&self) -> Option<usize> {
        let distances = self.distances();
        let nodes = 0..self.steps.len();
        let from_start = |node: usize| match self.initial.contains(&node) {
            true => Some(0),
            false => self.initial.iter().filter_map(|start| distances[*start][node]).min(),
        };
        let round = |node: usize, through: usize| match node == through {
            true => distances[node][node],
            false => Some(distances[node][through]? + distances[through][node]?),
        };
        let accepting = || nodes.clone().filter(|node| self.accepting[*node]);
        let lasso = |node: usize| {
            let cycle = accepting().filter_map(|through| round(node, through)).min()?;
            Some(from_start(node)? + cycle)
        };
        nodes.clone().filter_map(lasso).min()
    }

    /// The same graph with fewer or more accepting nodes, so that a cycle has only such or none.
    pub fn weakened(mut self) -> Self {
        let distances = self.distances();
        for (node, ways) in distances.iter().enumerate() {
            let same = |other: &usize| ways[*other].is_some() && distances[*other][node].is_some();
            if let Some(first) = (0..node).find(same) {
                self.accepting[node] = self.accepting[first];
            }
        }
        self
    }
}
