//! Frames that nobody uses any more: their memory is used again, so that steps and calls do not
//! ask for new one each time.

use crate::work::Frame;
use std::rc::Rc;

#[derive(Debug, Default)]
pub struct Spare(Vec<Rc<Frame>>);

impl Spare {
    const MOST: usize = 32;
    /// Most frames have no more registers: room for these at once.
    const REGISTERS: usize = 128;

    /// A frame that was used.
    pub fn put(&mut self, mut frame: Rc<Frame>) {
        if self.0.len() < Self::MOST && Rc::get_mut(&mut frame).is_some() {
            self.0.push(frame);
        }
    }

    /// A frame with anything in it.
    pub fn take(&mut self) -> Rc<Frame> {
        self.0.pop().unwrap_or_else(|| {
            let registers = Vec::with_capacity(Self::REGISTERS);
            Rc::new(Frame { registers, ..Frame::default() })
        })
    }

    /// For writing: a copy is made if others see it.
    #[inline]
    pub fn own<'a>(&mut self, frame: &'a mut Rc<Frame>) -> &'a mut Frame {
        if Rc::strong_count(frame) > 1 {
            let mut copy = self.take();
            Rc::make_mut(&mut copy).clone_from(frame);
            *frame = copy;
        }
        Rc::make_mut(frame)
    }
}
