//! The parts of states that one thread met last, with their numbers.

/// Direct-mapped: a part that is met displaces the one that was at its place.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    entries: Vec<Entry>,
    /// The bytes of all parts, also of those that were displaced.
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Zero in an entry that was never used.
    key: u64,
    number: u32,
    start: u32,
    end: u32,
}

const ENTRIES: usize = 1 << 13;
/// With more bytes than this, all is forgotten.
const MOST_BYTES: usize = 1 << 20;

impl Recent {
    /// The number of the part with these bytes.
    pub fn number(&self, hash: u64, bytes: &[u8]) -> Option<u32> {
        let entry = self.entries.get(place(hash))?;
        (entry.key == hash | 1 && self.part(entry) == bytes).then_some(entry.number)
    }

    /// The bytes of the part with this number, which is also its hash.
    pub fn bytes(&self, number: u32) -> Option<&[u8]> {
        let hash = spread(number);
        let entry = self.entries.get(place(hash))?;
        (entry.key == hash | 1 && entry.number == number).then(|| self.part(entry))
    }

    fn part(&self, entry: &Entry) -> &[u8] {
        &self.bytes[entry.start as usize..entry.end as usize]
    }

    /// To be found by its bytes.
    pub fn insert(&mut self, hash: u64, number: u32, bytes: &[u8]) {
        if self.entries.is_empty() || self.bytes.len() > MOST_BYTES {
            self.bytes.clear();
            self.entries.clear();
            self.entries.resize(ENTRIES, Entry::default());
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        let end = self.bytes.len() as u32;
        self.entries[place(hash)] = Entry { key: hash | 1, number, start, end };
    }

    /// To be found by its number.
    pub fn insert_number(&mut self, number: u32, bytes: &[u8]) {
        self.insert(spread(number), number, bytes);
    }
}

fn spread(number: u32) -> u64 {
    u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn place(hash: u64) -> usize {
    (hash >> 40) as usize % ENTRIES
}
