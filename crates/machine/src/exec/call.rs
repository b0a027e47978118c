//! Calls and returns.

use super::{Cpu, MOST_FRAMES, Result, Stop};
use crate::arith::trap;
use crate::code::{Arg, Argument, Call, Callee};
use crate::names;
use crate::native::Operand;
use crate::object::{Kind, Object};
use crate::value::{ObjectId, Scalar, Value};
use crate::work::Frame;
use auspex_llvm::ir::Type;
use std::rc::Rc;

impl<'p> Cpu<'p> {
    pub(super) fn call(&mut self, call: &'p Call) -> Result<()> {
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(arg) => {
                let pointer = self.get(arg);
                self.function_at(pointer)?
            }
        };
        let callee = &self.program.functions[function as usize];
        if let Some(native) = callee.native {
            let mut operands = std::mem::take(&mut self.operands);
            self.fill_operands(call, &mut operands);
            let pc = self.frame().pc;
            let depth = self.thread.frames.len();
            let scalar = call.result.first().copied();
            let result = native.call(self, &operands, scalar);
            self.operands = operands;
            let result = result?;
            if let Some(recorder) = &mut self.recorder {
                let first = result.map(|lanes| lanes[0]);
                recorder.called(self.program, function, scalar, first);
            }
            // A jump out of here has its own idea of what comes next.
            if self.thread.frames.len() == depth && self.frame().pc == pc {
                if let Some((lanes, scalar)) = result.zip(scalar) {
                    for lane in 0..scalar.lanes() {
                        self.set(call.dst + lane, lanes[lane as usize]);
                    }
                }
                self.frame_mut().pc += 1;
            }
            return Ok(());
        }
        if !callee.defined {
            let message = format!("call of `{}`, which has no body", callee.name);
            return Err(trap("undefined", message).into());
        }
        self.check_signature(call, function)?;
        let before = self.step.acted;
        self.touch_copied(call)?;
        self.act_once(before, self.watch.sees_function(function))?;
        if callee.atomic {
            // To copy the arguments and to enter the section are one thing.
            self.step.acted = before;
        }
        let mut new = self.new_frame(function)?;
        let frame = Rc::make_mut(&mut new);
        let fixed = call.arguments.iter().take(callee.parameters as usize);
        for (register, argument) in fixed.enumerate() {
            let value = match argument.copied {
                Some(size) => {
                    let from = self.get(argument.value);
                    Value::pointer(self.copy_of(from, size, frame)?, 0)
                }
                None => self.get(argument.value),
            };
            if let Some(place) = frame.registers.get_mut(register) {
                *place = value;
            }
        }
        if callee.variadic {
            let rest = call.arguments.get(callee.parameters as usize..).unwrap_or(&[]);
            frame.arguments = self.variable_arguments(rest, frame)?;
        }
        if callee.atomic {
            self.enter_section()?;
            frame.atomic = true;
        }
        self.frame_mut().pc += 1;
        self.thread.frames.push(new);
        Ok(())
    }

    /// The arguments of a native function.
    fn fill_operands(&mut self, call: &Call, operands: &mut Vec<Operand>) {
        operands.clear();
        let mut arguments = call.arguments.iter();
        while let Some(argument) = arguments.next() {
            let (value, scalar) = (self.get(argument.value), argument.scalar);
            let high = match scalar {
                Scalar::Extended => arguments.next().map_or(Value::NULL, |it| self.get(it.value)),
                _ => Value::NULL,
            };
            operands.push(Operand { value, high, scalar });
        }
    }

    pub fn new_frame(&mut self, function: u32) -> Result<Rc<Frame>> {
        if self.thread.frames.len() >= MOST_FRAMES {
            let name = &self.program.functions[function as usize].name;
            let message =
                format!("{MOST_FRAMES} calls are open: `{name}` calls itself without end");
            return Err(trap("stack", message).into());
        }
        let callee = &self.program.functions[function as usize];
        // What was never written is not defined.
        let pointer = self.program.pointer;
        let fresh = &mut self.fresh[function as usize];
        if fresh.len() != callee.registers.len() {
            let undefined = |scalar: &Scalar| Value::undefined(scalar.bits(pointer));
            *fresh = callee.registers.iter().map(undefined).collect();
        }
        let mut new = self.spare.take();
        let frame = Rc::make_mut(&mut new);
        frame.registers.clear();
        frame.registers.extend_from_slice(fresh);
        frame.owned.clear();
        frame.kept.clear();
        (frame.function, frame.pc, frame.arguments, frame.atomic) = (function, 0, 0, false);
        Ok(new)
    }

    /// The function that a pointer points to.
    pub fn function_at(&self, pointer: Value) -> Result<u32> {
        if pointer.undef != 0 {
            return Err(trap("uninitialised", "a call through an uninitialised pointer").into());
        }
        match pointer.function() {
            Some(function) if pointer.bits == 0 => Ok(function),
            Some(_) => Err(trap("wild", "a call of an address inside a function").into()),
            None if pointer.is_null() => Err(trap("null", "a call of a null pointer").into()),
            None => Err(trap("wild", "a call of an address that is no function").into()),
        }
    }

    fn check_signature(&self, call: &Call, function: u32) -> Result<()> {
        let callee = &self.program.functions[function as usize];
        if call.signature == callee.signature {
            return Ok(());
        }
        let given = call.arguments.len() as u32;
        let same = |argument: &Argument, scalar: &Scalar| {
            argument.scalar == *scalar
                || matches!(
                    (argument.scalar, scalar),
                    (Scalar::Int(64), Scalar::Pointer)
                        | (Scalar::Pointer | Scalar::Extended, Scalar::Int(64))
                )
        };
        let wanted = &callee.registers[..callee.parameters as usize];
        let fits = given >= callee.parameters
            && (given == callee.parameters || callee.variadic)
            && call.arguments.iter().zip(wanted).all(|(argument, scalar)| same(argument, scalar));
        let returns = |signature| match &self.program.module.types[signature] {
            Type::Function { result, .. } => Some(*result),
            _ => None,
        };
        let (is, wants) = (returns(callee.signature), returns(call.signature));
        let result = call.result.is_empty() || is == wants;
        if fits && result {
            return Ok(());
        }
        let message = format!(
            "`{}` is called with a type that is not its own: {}",
            callee.name,
            names::signature(self.program, call.signature, callee.signature),
        );
        Err(trap("signature", message).into())
    }

    /// The structures that a callee gets copies of are read now.
    fn touch_copied(&mut self, call: &Call) -> Result<()> {
        if call.arguments.iter().all(|argument| argument.copied.is_none()) {
            return Ok(());
        }
        let mut spans = Vec::new();
        for argument in &call.arguments {
            if let Some(size) = argument.copied {
                let from = self.get(argument.value);
                spans.push((self.resolve(from, size.into(), false)?, size, false));
            }
        }
        self.touch_all(spans)
    }

    /// A copy of a structure for a callee.
    fn copy_of(&mut self, from: Value, size: u32, frame: &mut Frame) -> Result<ObjectId> {
        let place = self.resolve(from, size.into(), false)?;
        let width = u32::from(self.program.pointer);
        let mut copy = Object::new(Kind::Stack, size as usize, self.site());
        if let Some(object) = self.object(place.object) {
            copy.copy_in(0, object, place.at, size, width);
        }
        copy.tidy();
        let id = self.work.add_object(copy);
        frame.owned.push(id);
        Ok(id)
    }

    /// Lays the variable arguments out as the calling conventions do in memory.
    fn variable_arguments(
        &mut self,
        arguments: &[Argument],
        frame: &mut Frame,
    ) -> Result<ObjectId> {
        let width = u32::from(self.program.pointer);
        let mut area = Object::new(Kind::Stack, 0, self.site());
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let size = argument.copied.unwrap_or(argument.scalar.bytes(self.program.pointer));
            let align = argument.align.max(width);
            let at = (area.bytes.len() as u32).next_multiple_of(align);
            area.bytes.resize((at + size).next_multiple_of(width) as usize, 0);
            if !area.undef.is_empty() {
                area.undef.resize(area.bytes.len(), 0);
            }
            let value = self.get(argument.value);
            match argument.copied {
                Some(size) => {
                    let place = self.resolve(value, size.into(), false)?;
                    if let Some(object) = self.object(place.object) {
                        area.copy_in(at, &object.clone(), place.at, size, width);
                    }
                }
                None if argument.scalar == Scalar::Extended => {
                    let high = arguments.next().map_or(Value::NULL, |it| self.get(it.value));
                    area.store_lanes(at, Scalar::Extended, width, [value, high]);
                }
                None => area.store(at, size, width, value),
            }
        }
        let id = self.work.add_object(area);
        frame.owned.push(id);
        Ok(id)
    }

    pub(super) fn return_from(&mut self, values: &[Arg]) -> Result<()> {
        let mut results = std::mem::take(&mut self.results);
        results.clear();
        results.extend(values.iter().map(|arg| self.get(*arg)));
        let returned = self.return_with(&results);
        self.results = results;
        returned
    }

    fn return_with(&mut self, results: &[Value]) -> Result<()> {
        let site = self.site();
        let frame = self.frame();
        let seen = self.watch.sees_function(frame.function)
            || self.sees_end_of(&frame.owned)
            // The thread ends, or `main` begins after a constructor.
            || self.thread.frames.len() == 1 && self.watch.sees_ends();
        self.act_if(seen)?;
        let Some(frame) = self.thread.frames.pop() else { return Err(Stop::Ended) };
        self.work.reads.note_frame(self.thread.frames.len().saturating_sub(1));
        self.work.end_frame(&frame, site);
        if frame.atomic {
            self.leave_section();
        }
        let Some(caller) = self.thread.frames.last_mut() else {
            return self.thread_returned(&frame, results);
        };
        let code = &self.program.functions[caller.function as usize].code;
        if let Some(crate::code::Code::Call(call)) = code.get(caller.pc as usize - 1) {
            let count = call.result.iter().map(|scalar| scalar.lanes()).sum::<u32>() as usize;
            for (lane, value) in results.iter().take(count).enumerate() {
                self.spare.own(caller).registers[call.dst as usize + lane] = *value;
            }
        }
        self.spare.put(frame);
        Ok(())
    }

    /// The first function of a thread has returned. After `main` comes `exit`.
    fn thread_returned(&mut self, frame: &Rc<Frame>, results: &[Value]) -> Result<()> {
        let program = self.program;
        if frame.function != program.main {
            return match program.constructors.contains(&frame.function) {
                true => self.after_constructor(frame.function),
                false => Err(Stop::Ended),
            };
        }
        let status = results.first().copied().unwrap_or(Value::number(0));
        if status.undef != 0 && !results.is_empty() {
            self.thread.frames.push(Rc::clone(frame));
            return Err(trap("uninitialised", "main returns an uninitialised value").into());
        }
        let exit = program.module.global("exit").and_then(|id| {
            program.functions.iter().position(|f| f.global == id && f.defined && f.native.is_none())
        });
        match exit {
            Some(exit) => {
                let mut frame = self.new_frame(exit as u32)?;
                Rc::make_mut(&mut frame).registers[0] = status;
                self.thread.frames.push(frame);
                Ok(())
            }
            None => Err(Stop::Exited(status.bits as u32 as i32)),
        }
    }

    fn after_constructor(&mut self, done: u32) -> Result<()> {
        let constructors = &self.program.constructors;
        let next =
            constructors.iter().position(|function| *function == done).map_or(0, |at| at + 1);
        let function = constructors.get(next).copied().unwrap_or(self.program.main);
        let frame = self.first_frame(function)?;
        self.thread.frames.push(frame);
        Ok(())
    }

    /// A frame for `main` or a constructor. There are no arguments: `argc` is 0... but a program
    /// has a name.
    pub fn first_frame(&mut self, function: u32) -> Result<Rc<Frame>> {
        let mut new = self.new_frame(function)?;
        let frame = Rc::make_mut(&mut new);
        let parameters = self.program.functions[function as usize].parameters;
        if parameters >= 1 {
            frame.registers[0] = Value::number(1);
        }
        let width = u32::from(self.program.pointer);
        if parameters >= 2 {
            let mut name = Object::new(Kind::Runtime, 8, 0);
            name.bytes.copy_from_slice(b"program\0");
            let name = self.work.add_object(name);
            let mut vector = Object::new(Kind::Runtime, 2 * width as usize, 0);
            vector.store(0, width, width, Value::pointer(name, 0));
            frame.registers[1] = Value::pointer(self.work.add_object(vector), 0);
        }
        if parameters >= 3 {
            let empty = Object::new(Kind::Runtime, width as usize, 0);
            frame.registers[2] = Value::pointer(self.work.add_object(empty), 0);
        }
        Ok(new)
    }

    /// The beginning of an atomic section.
    pub fn enter_section(&mut self) -> Result<()> {
        if self.thread.atomic == 0 {
            // What a property looks at may change in the section, where nothing ends a step.
            let watched = self.watch.is_active();
            if !self.alone() || self.options.reduction != crate::Reduction::Full || watched {
                self.act()?;
            }
            if self.step.count > 0 && self.step.before_section.is_none() {
                let saved = (self.work.clone(), self.thread.clone());
                self.step.before_section = Some(Box::new(saved));
                self.step.output_before = self.step.output.len();
                if let Some(recorder) = &mut self.recorder {
                    recorder.mark();
                }
            }
        }
        self.thread.atomic += 1;
        Ok(())
    }

    pub fn leave_section(&mut self) {
        self.thread.atomic = self.thread.atomic.saturating_sub(1);
        if self.thread.atomic == 0 {
            self.step.before_section = None;
        }
    }
}
