//! A stack in chunks: it grows without a copy of itself, and its oldest part is given away as it is.

use std::collections::VecDeque;

/// Things in a chunk. It is small enough to be moved at once.
const CHUNK: usize = 4096;

pub(crate) struct Stack<T> {
    /// Below the top; none is empty.
    below: VecDeque<Vec<T>>,
    top: Vec<T>,
    /// An empty chunk: for the next push that needs one.
    spare: Vec<T>,
    len: usize,
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Stack { below: VecDeque::new(), top: Vec::new(), spare: Vec::new(), len: 0 }
    }
}

impl<T> Stack<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn push(&mut self, item: T) {
        if self.top.len() >= CHUNK {
            let full = std::mem::replace(&mut self.top, std::mem::take(&mut self.spare));
            self.below.push_back(full);
        }
        self.top.push(item);
        self.len += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.top.is_empty() {
            let next = self.below.pop_back()?;
            self.spare = std::mem::replace(&mut self.top, next);
        }
        self.len -= 1;
        self.top.pop()
    }

    /// Makes sure that the next pushes, up to a chunk, will find memory; whether there is some.
    #[inline]
    pub fn reserve(&mut self) -> bool {
        self.top.len() < self.top.capacity() || self.find_room()
    }

    #[cold]
    fn find_room(&mut self) -> bool {
        let len = self.top.len();
        match len < CHUNK {
            true => self.top.try_reserve_exact((2 * len).clamp(64, CHUNK) - len).is_ok(),
            false => {
                self.spare.try_reserve_exact(CHUNK).is_ok() && self.below.try_reserve(1).is_ok()
            }
        }
    }

    /// Takes the oldest chunk out, unless it is the only one.
    pub fn oldest(&mut self) -> Option<Vec<T>> {
        let oldest = self.below.pop_front()?;
        self.len -= oldest.len();
        Some(oldest)
    }

    /// Gives away the oldest: a chunk, or half of the only one.
    pub fn split(&mut self) -> Self {
        let top = self.oldest().unwrap_or_else(|| {
            let half = self.top.len() / 2;
            self.len -= half;
            self.top.drain(..half).collect()
        });
        Stack { len: top.len(), top, ..Stack::default() }
    }
}

impl<T> FromIterator<T> for Stack<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut stack = Stack::default();
        items.into_iter().for_each(|item| stack.push(item));
        stack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_stack_however_it_is_divided() {
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut stack, mut model) = (Stack::default(), VecDeque::new());
        for n in 0..300_000 {
            // Grows for a while, then shrinks to nothing.
            let grows = n % 100_000 < 40_000;
            match rng.u8(..20) {
                0 => assert!(stack.reserve()),
                1 if n % 50 == 0 => {
                    let mut older = stack.split();
                    let mut given: Vec<u32> = model.drain(..older.len()).collect();
                    assert!(model.len() == stack.len() && (older.len() > 0 || model.len() < 2));
                    while let Some(item) = older.pop() {
                        assert_eq!(Some(item), given.pop());
                    }
                    assert!(given.is_empty() && older.len() == 0);
                }
                12.. if grows => {
                    stack.push(n);
                    model.push_back(n);
                }
                _ => assert_eq!(stack.pop(), model.pop_back()),
            }
            assert_eq!(stack.len(), model.len());
        }
    }
}
