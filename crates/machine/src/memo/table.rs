//! A map from pairs of numbers to numbers: twelve bytes an entry, at most three quarters full.

#[derive(Debug)]
pub struct Table {
    /// A pair, and one more than what it leads to; 0 there in a slot that is free. Their count is a power of 2.
    slots: Vec<[u32; 3]>,
    len: usize,
}

impl Default for Table {
    fn default() -> Self {
        Table { slots: vec![[0; 3]; 1 << 6], len: 0 }
    }
}

impl Table {
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<[u32; 3]>()
    }

    #[inline]
    fn slot(&self, a: u32, b: u32) -> usize {
        // The upper bits of a product depend on all bits of its factors.
        let key = u64::from(a) << 32 | u64::from(b);
        let hash = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        hash as usize & (self.slots.len() - 1)
    }

    #[inline]
    pub fn get(&self, a: u32, b: u32) -> Option<u32> {
        let mut slot = self.slot(a, b);
        loop {
            match self.slots[slot] {
                [_, _, 0] => return None,
                [x, y, to] if x == a && y == b => return Some(to - 1),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Adds a pair that is not there. (The greatest number is not kept: there is no such thing.)
    pub fn insert(&mut self, a: u32, b: u32, to: u32) {
        let Some(to) = to.checked_add(1) else { return };
        if 4 * self.len >= 3 * self.slots.len() {
            let twice = vec![[0; 3]; 2 * self.slots.len()];
            for [a, b, to] in std::mem::replace(&mut self.slots, twice) {
                if to != 0 {
                    self.put(a, b, to);
                }
            }
        }
        self.put(a, b, to);
        self.len += 1;
    }

    fn put(&mut self, a: u32, b: u32, to: u32) {
        let mut slot = self.slot(a, b);
        while self.slots[slot][2] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = [a, b, to];
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use std::collections::HashMap;

    #[test]
    fn what_was_inserted_is_found() {
        let (mut table, mut naive, mut random) = (Table::default(), HashMap::new(), 1u32);
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        for _ in 0..20_000 {
            let (a, b, to) = (next(100), next(300), next(1000));
            assert_eq!(table.get(a, b), naive.get(&(a, b)).copied());
            naive.entry((a, b)).or_insert_with(|| {
                table.insert(a, b, to);
                to
            });
        }
        table.insert(1000, 0, u32::MAX);
        assert_eq!(table.get(1000, 0), None);
    }
}
