//! Channels that nobody can reach any more are no part of the state.

use super::{Kernel, Process};

impl Kernel<'_> {
    /// After an action: drops channels, if there may be such.
    pub(super) fn tidy(&mut self) {
        if !std::mem::take(&mut self.garbage) || self.channels.len() < self.patience {
            return;
        }
        let mut reached = vec![false; self.channels.len()];
        let mut reach = |port: u16| {
            if let Some(index) = port.checked_sub(1)
                && let Some(mark) = reached.get_mut(index as usize)
            {
                *mark = true;
            }
        };
        self.object.globals.ports.iter().for_each(|at| reach(port(&self.globals, *at)));
        for process in self.processes.iter().flatten().chain(&self.property) {
            self.ports_of(process, &mut reach);
        }
        for (index, reached) in reached.iter().enumerate() {
            if !reached && self.channels[index].take().is_some() {
                self.channels_touched.push(index as u16);
            }
        }
        while let Some(None) = self.channels.last() {
            self.channels.pop();
        }
        if self.patience > 0 {
            self.patience = (2 * self.channels.len()).max(1024);
        }
    }

    fn ports_of(&self, process: &Process, reach: &mut impl FnMut(u16)) {
        for frame in &process.frames {
            let Some(code) = self.object.processes.get(frame.process as usize) else { continue };
            code.ports.iter().for_each(|at| reach(port(&process.bytes, frame.base + at)));
        }
        if let Some(parameters) = &process.again
            && let Some(code) = self.object.processes.get(process.code as usize)
        {
            code.ports.iter().for_each(|at| reach(port(parameters, *at)));
        }
        for offer in &process.offers {
            reach(offer.channel + 1);
            let Some(crate::code::Op::Clause(clause)) = self.object.code.get(offer.site as usize)
            else {
                continue;
            };
            let channel = self.object.channels.get(clause.channel as usize);
            let message = channel.and_then(|c| c.messages.get(clause.message as usize));
            let mut start = 0;
            for field in message.map_or(&[][..], |message| &message.fields) {
                field.ports.iter().for_each(|at| reach(port(&offer.data, start + at)));
                start += field.bytes;
            }
        }
    }
}

/// The port at an offset.
fn port(bytes: &[u8], at: u32) -> u16 {
    let bytes = bytes.get(at as usize..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes))
}
