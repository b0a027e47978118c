//! What somebody who moves has to do with the bytes of a state.

use crate::ByteRange;

/// Somebody who moves on its own, such as a process. See [`crate::Explorer::actors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The bytes that say where it is.
    pub place: ByteRange,
}

/// What is known of an actor at one place, about all states that are alike. See [`crate::Explorer::outlook`].
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// The bytes that decide which of its options are open: in states that agree in these, it takes the same ones, in the same order.
    pub choice: Vec<bool>,
    /// What each option has to do with a state in which it is open; `None`: it cannot be said.
    pub options: Vec<Option<Sight>>,
}

/// What comes of an option that is open is decided by the bytes that are seen. In two states that agree in these, there are the same
/// moves: bytes that are not seen, and written, get the same values, wherever [`crate::Successors::changes`] says that there is
/// a change, and all other bytes stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    pub seen: Vec<bool>,
    /// Bytes that may be written.
    pub written: Vec<bool>,
    /// Changes may be said of bytes beside those that are written: all that are written are seen then.
    pub is_coarse: bool,
}

impl Sight {
    /// Nothing is seen of states with so many bytes, and nothing written.
    pub fn nothing(len: usize) -> Self {
        Sight { seen: vec![false; len], written: vec![false; len], is_coarse: false }
    }

    /// Sees and writes what the other one does.
    pub fn add(&mut self, other: &Sight) {
        let both = [(&mut self.seen, &other.seen), (&mut self.written, &other.written)];
        for (mine, theirs) in both {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine |= theirs);
        }
        if self.is_coarse || other.is_coarse {
            // What only one of them writes may lie beside what the other one does.
            self.coarsen();
        }
    }

    /// Changes may be said of bytes beside those that are written.
    pub fn coarsen(&mut self) {
        self.is_coarse = true;
        self.seen.iter_mut().zip(&self.written).for_each(|(seen, written)| *seen |= written);
    }
}

impl Outlook {
    /// All options as one, which is always open; `None` where it cannot be said.
    pub fn as_one(&self) -> Option<Sight> {
        let len = self.choice.len();
        let mut all = Sight { seen: self.choice.clone(), ..Sight::nothing(len) };
        for option in &self.options {
            all.add(option.as_ref()?);
        }
        Some(all)
    }
}
