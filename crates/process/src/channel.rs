//! Messages in the bytes of a state.

use crate::ir::ChannelType;
use crate::work::ChannelAt;
use std::cmp::Ordering;

/// A channel, to be read.
#[derive(Clone, Copy)]
pub struct Queue<'a> {
    pub id: i32,
    pub ty: &'a ChannelType,
    pub at: usize,
    bytes: &'a [u8],
}

impl<'a> Queue<'a> {
    pub fn new(id: i32, at: ChannelAt, ty: &'a ChannelType, bytes: &'a [u8]) -> Self {
        Queue { id, ty, at: at.offset as usize, bytes }
    }

    pub fn len(&self) -> usize {
        if self.ty.is_rendezvous() { 0 } else { length(self.bytes, self.ty, self.at) }
    }

    /// A rendezvous channel is never full: it is for the receivers to say whether one can send.
    pub fn is_full(&self) -> bool {
        !self.ty.is_rendezvous() && self.len() == self.ty.capacity as usize
    }

    pub fn field(&self, slot: usize, field: usize) -> i32 {
        let offset: usize = self.ty.fields[..field].iter().map(|f| f.size()).sum();
        self.ty.fields[field].load(self.bytes, slot_at(self.ty, self.at, slot) + offset)
    }

    /// Where a sorted send puts a message: before the first one that is greater.
    pub fn sorted_position(&self, message: &[i32]) -> usize {
        (0..self.len()).find(|slot| self.compare(*slot, message).is_gt()).unwrap_or(self.len())
    }

    fn compare(&self, slot: usize, message: &[i32]) -> Ordering {
        (0..message.len()).map(|i| self.field(slot, i)).cmp(message.iter().copied())
    }
}

#[inline]
fn length(bytes: &[u8], ty: &ChannelType, at: usize) -> usize {
    let low = usize::from(bytes[at]);
    if ty.length_bytes() == 1 { low } else { low | usize::from(bytes[at + 1]) << 8 }
}

fn set_length(bytes: &mut [u8], ty: &ChannelType, at: usize, length: usize) {
    bytes[at] = length as u8;
    if ty.length_bytes() == 2 {
        bytes[at + 1] = (length >> 8) as u8;
    }
}

/// Where the message with this number lies.
pub fn slot_at(ty: &ChannelType, at: usize, slot: usize) -> usize {
    at + ty.length_bytes() as usize + slot * ty.message_size as usize
}

/// Puts a message into a channel that is not full.
pub fn insert(bytes: &mut [u8], ty: &ChannelType, at: usize, position: usize, message: &[i32]) {
    let len = length(bytes, ty, at);
    let mut to = slot_at(ty, at, position);
    bytes.copy_within(to..slot_at(ty, at, len), to + ty.message_size as usize);
    for (field, value) in ty.fields.iter().zip(message) {
        field.store(bytes, to, *value);
        to += field.size();
    }
    set_length(bytes, ty, at, len + 1);
}

/// Takes a message out. The slots beyond the length stay zero: equal queues have equal bytes.
pub fn remove(bytes: &mut [u8], ty: &ChannelType, at: usize, position: usize) {
    let len = length(bytes, ty, at);
    let (from, end) = (slot_at(ty, at, position + 1), slot_at(ty, at, len));
    bytes.copy_within(from..end, slot_at(ty, at, position));
    bytes[end - ty.message_size as usize..end].fill(0);
    set_length(bytes, ty, at, len - 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;
    use crate::ir::ChannelTypeId;

    fn contents(ty: &ChannelType, bytes: &[u8]) -> Vec<(i32, i32)> {
        let queue = Queue::new(1, ChannelAt { offset: 0, ty: ChannelTypeId(0) }, ty, bytes);
        (0..queue.len()).map(|slot| (queue.field(slot, 0), queue.field(slot, 1))).collect()
    }

    #[test]
    fn messages_keep_their_order_and_leave_zeroes_behind() {
        let fields = vec![Scalar::Byte, Scalar::Short];
        let ty = ChannelType { capacity: 3, fields, message_size: 3 };
        let mut bytes = vec![0; ty.size() as usize];
        for message in [(5, -1), (2, 7), (5, -2)] {
            let queue = Queue::new(1, ChannelAt { offset: 0, ty: ChannelTypeId(0) }, &ty, &bytes);
            let position = queue.sorted_position(&[message.0, message.1]);
            insert(&mut bytes, &ty, 0, position, &[message.0, message.1]);
        }
        assert_eq!(contents(&ty, &bytes), [(2, 7), (5, -2), (5, -1)]);
        remove(&mut bytes, &ty, 0, 1);
        assert_eq!(contents(&ty, &bytes), [(2, 7), (5, -1)]);
        remove(&mut bytes, &ty, 0, 0);
        remove(&mut bytes, &ty, 0, 0);
        assert!(bytes.iter().all(|b| *b == 0));
    }
}
