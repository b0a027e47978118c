//! What statements do to the things that processes share, as sets of bits.

/// A set of numbers below 256: the channels of a state, or the shared variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set([u64; 4]);

impl Set {
    pub const ALL: Set = Set([u64::MAX; 4]);

    pub fn insert(&mut self, number: usize) {
        self.0[number / 64 % 4] |= 1 << (number % 64);
    }

    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64 % 4] >> (number % 64) & 1 != 0
    }

    pub fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }

    /// `self` without `other`.
    pub fn without(&self, other: &Set) -> Set {
        Set(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// Is there a number that both have?
    #[inline]
    pub fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }

    pub fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|word| *word != 0)?;
        Some(at * 64 + self.0[at].trailing_zeros() as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut rest = *self;
        std::iter::from_fn(move || {
            let first = rest.first()?;
            rest.0[first / 64] &= rest.0[first / 64] - 1;
            Some(first)
        })
    }
}

/// Creates a process.
pub const RUN: u8 = 1;
/// Is the end of a process.
pub const END: u8 = 2;
/// Asks how many processes there are.
pub const COUNT: u8 = 4;
/// Uses some channel, where channels come and go with processes.
pub const USES: u8 = 8;
/// Creates a process that has channels of its own.
pub const MAKES: u8 = 16;
/// Is the end of a process that has channels of its own.
pub const DROPS: u8 = 32;

/// Operations on what is shared; or those of others that matter to somebody (his *threats*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    pub reads: Set,
    pub writes: Set,
    /// Channels that a message is put into, at the end.
    pub sends: Set,
    /// Channels that a message is taken out of.
    pub takes: Set,
    /// Channels whose contents matter in another way: their length, say.
    pub looks: Set,
    pub marks: u8,
}

impl Footprint {
    pub fn add(&mut self, other: &Footprint) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
        self.sends.add(&other.sends);
        self.takes.add(&other.takes);
        self.looks.add(&other.looks);
        self.marks |= other.marks;
    }

    /// Do both have something in common?
    pub fn meets(&self, other: &Footprint) -> bool {
        self.marks & other.marks != 0
            || self.writes.meets(&other.writes)
            || self.reads.meets(&other.reads)
            || self.sends.meets(&other.sends)
            || self.takes.meets(&other.takes)
            || self.looks.meets(&other.looks)
    }

    pub fn is_empty(&self) -> bool {
        *self == Footprint::default()
    }

    /// What others must not do if these operations are to have the same effect before and after it,
    /// and to remain possible. `room`: the channels that hold all that is sent here without anybody
    /// taking from them. `enough`: those that hold all that is taken here already.
    pub fn threats(&self, room: &Set, enough: &Set) -> Footprint {
        let mut threats = Footprint { marks: threatening(self.marks), ..Footprint::default() };
        threats.writes.add(&self.reads);
        threats.writes.add(&self.writes);
        threats.reads.add(&self.writes);
        for set in [&self.sends, &self.looks, &self.takes.without(enough)] {
            threats.sends.add(set);
        }
        for set in [&self.takes, &self.looks, &self.sends.without(room)] {
            threats.takes.add(set);
        }
        threats.looks.add(&self.sends);
        threats.looks.add(&self.takes);
        threats
    }
}

/// What others must not do to processes and their channels.
pub fn threatening(marks: u8) -> u8 {
    // The end of one process does not compete with that of another: the youngest goes first.
    let pairs = [
        (RUN, RUN | END | COUNT),
        (END, RUN | COUNT),
        (COUNT, RUN | END),
        (USES, MAKES | DROPS),
        (MAKES, USES),
        (DROPS, USES),
    ];
    let matter = pairs.iter().filter(|(mark, _)| marks & mark != 0);
    matter.fold(0, |all, (_, threats)| all | threats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let mut set = Set::default();
        [0, 63, 64, 200, 255].into_iter().for_each(|number| set.insert(number));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 200, 255]);
        assert!(set.contains(200) && !set.contains(201));
        let mut other = Set::default();
        other.insert(200);
        assert!(set.meets(&other) && !set.without(&other).meets(&other));
        assert_eq!(Set::ALL.iter().count(), 256);
    }
}
