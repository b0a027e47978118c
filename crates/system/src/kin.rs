//! Which parts of a successor are parts of the state that it follows.

/// A part that is none of those of the state before.
pub const NO_KIN: u32 = u32::MAX;

/// For each of several successors a list of indices, which may be empty.
#[derive(Debug, Default)]
pub(crate) struct Kin {
    all: Vec<u32>,
    /// Where the list of each successor ends; nothing is known of those after the last.
    ends: Vec<usize>,
}

impl Kin {
    pub fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    /// The list of successor number `index`, which is greater than those before.
    pub fn add(&mut self, index: usize, list: &[u32]) {
        self.ends.resize(index, self.all.len());
        self.all.extend_from_slice(list);
        self.ends.push(self.all.len());
    }

    pub fn of(&self, index: usize) -> &[u32] {
        let Some(end) = self.ends.get(index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..*end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_not_known() {
        let mut kin = Kin::default();
        kin.add(1, &[0, NO_KIN]);
        kin.add(2, &[1]);
        kin.add(4, &[2]);
        let lists = [&[][..], &[0, NO_KIN], &[1], &[], &[2], &[]];
        lists.iter().enumerate().for_each(|(index, list)| assert_eq!(kin.of(index), *list));
    }
}
