//! Output, and text made from a format.
//!
//! All that a format uses is checked always; the text is only made where somebody sees it: in
//! memory, or in the trace of a run.

mod arguments;
mod error;
mod float;
mod parse;
#[cfg(test)]
mod tests;
mod text;

use super::string::{self, Span, touch_all};
use super::{Operand, Table, arg, number};
use crate::arith::{UNSUPPORTED, trap};
use crate::exec::{Cpu, Place, Result};
use crate::names;
use crate::value::{Scalar, Value, mask, sign_extend};
use arguments::{Asker, Source, with_list};
use parse::{Amount, Length, Piece, Pieces, Problem, Spec};
use text::{Layout, Sink};

pub(super) const TABLE: Table = &[
    ("printf", |cpu, o| print(cpu, o, "printf", 0)),
    ("__printf_chk", |cpu, o| print(cpu, o, "printf", 1)),
    ("vprintf", |cpu, o| print(cpu, o, "vprintf", 0)),
    ("__vprintf_chk", |cpu, o| print(cpu, o, "vprintf", 1)),
    ("fprintf", |cpu, o| print_to(cpu, o, "fprintf", 1)),
    ("__fprintf_chk", |cpu, o| print_to(cpu, o, "fprintf", 2)),
    ("vfprintf", |cpu, o| print_to(cpu, o, "vfprintf", 1)),
    ("__vfprintf_chk", |cpu, o| print_to(cpu, o, "vfprintf", 2)),
    ("dprintf", |cpu, o| print_to_number(cpu, o, "dprintf", 1)),
    ("__dprintf_chk", |cpu, o| print_to_number(cpu, o, "dprintf", 2)),
    ("vdprintf", |cpu, o| print_to_number(cpu, o, "vdprintf", 1)),
    ("__vdprintf_chk", |cpu, o| print_to_number(cpu, o, "vdprintf", 2)),
    ("sprintf", |cpu, o| print_into(cpu, o, "sprintf", None, 1)),
    ("__sprintf_chk", |cpu, o| print_into(cpu, o, "sprintf", None, 3)),
    ("vsprintf", |cpu, o| print_into(cpu, o, "vsprintf", None, 1)),
    ("__vsprintf_chk", |cpu, o| print_into(cpu, o, "vsprintf", None, 3)),
    ("snprintf", |cpu, o| print_into(cpu, o, "snprintf", Some(1), 2)),
    ("__snprintf_chk", |cpu, o| print_into(cpu, o, "snprintf", Some(1), 4)),
    ("vsnprintf", |cpu, o| print_into(cpu, o, "vsnprintf", Some(1), 2)),
    ("__vsnprintf_chk", |cpu, o| print_into(cpu, o, "vsnprintf", Some(1), 4)),
    ("asprintf", |cpu, o| print_new(cpu, o, "asprintf", 1)),
    ("__asprintf", |cpu, o| print_new(cpu, o, "asprintf", 1)),
    ("__asprintf_chk", |cpu, o| print_new(cpu, o, "asprintf", 2)),
    ("vasprintf", |cpu, o| print_new(cpu, o, "vasprintf", 1)),
    ("__vasprintf_chk", |cpu, o| print_new(cpu, o, "vasprintf", 2)),
    ("puts", put_line),
    ("fputs", put_string),
    ("fputs_unlocked", put_string),
    ("putchar", put_character),
    ("putchar_unlocked", put_character),
    ("putc", put_character_to),
    ("putc_unlocked", put_character_to),
    ("fputc", put_character_to),
    ("fputc_unlocked", put_character_to),
    ("_IO_putc", put_character_to),
    ("fwrite", write),
    ("fwrite_unlocked", write),
    ("perror", print_error),
];

type Outcome = Result<Option<Value>>;

/// What a format comes to. Nothing is changed yet.
#[derive(Default)]
struct Formatted {
    sink: Sink,
    /// What is read and what `%n` writes.
    spans: Vec<Span>,
    /// The writes of `%n`.
    counts: Vec<(Place, Scalar, u64)>,
}

impl Formatted {
    /// The result of the call.
    fn length(&self) -> Result<Value> {
        match i32::try_from(self.sink.count) {
            Ok(count) => Ok(Value::number(count as u64)),
            Err(_) => Err(trap(UNSUPPORTED, "output of more than INT_MAX characters").into()),
        }
    }

    fn write_counts(&self, cpu: &mut Cpu<'_>) {
        for (place, scalar, count) in &self.counts {
            let bits = scalar.bits(cpu.program.pointer);
            cpu.write(*place, *scalar, [Value::number(count & mask(bits)), Value::NULL]);
        }
    }
}

/// Formats, with the format at this index and what follows it, and then does what the caller wants.
/// `memory`: the text goes where the program can look at it.
fn formatted(
    cpu: &mut Cpu<'_>,
    operands: &[Operand],
    what: &str,
    format: usize,
    memory: bool,
    finish: impl FnOnce(&mut Cpu<'_>, Formatted) -> Outcome,
) -> Outcome {
    let (bytes, span) = string::text(cpu, arg(operands, format), u64::MAX, &what)?;
    let keep = memory || cpu.recorder.is_some() || cpu.options.keeps_output;
    let sink = Sink { keep, ..Sink::default() };
    let mut job =
        Job { what, memory, out: Formatted { sink, spans: vec![span], ..Default::default() } };
    if what.starts_with('v') {
        return with_list(cpu, arg(operands, format + 1), |cpu, source| {
            job.run(cpu, &bytes, source)?;
            finish(cpu, job.out)
        });
    }
    let rest = operands.get(format + 1..).unwrap_or_default();
    job.run(cpu, &bytes, Source::Call(rest.iter()))?;
    finish(cpu, job.out)
}

struct Job<'a> {
    what: &'a str,
    memory: bool,
    out: Formatted,
}

impl Job<'_> {
    fn run(&mut self, cpu: &mut Cpu<'_>, format: &[u8], mut source: Source<'_>) -> Result<()> {
        if numbered(format) {
            return self.run_numbered(cpu, format, source);
        }
        for piece in Pieces::new(format) {
            match piece {
                Ok(Piece::Text(text)) => self.out.sink.push(text),
                Ok(Piece::Spec(spec)) if spec.conversion == b'%' => self.out.sink.push(b"%"),
                Ok(Piece::Spec(spec)) => self.convert(cpu, spec, &mut source)?,
                Err(problem) => return Err(self.problem(problem).into()),
            }
        }
        Ok(())
    }

    /// The same for a format that numbers its arguments (`%2$s`): each conversion gets its own.
    fn run_numbered(
        &mut self,
        cpu: &mut Cpu<'_>,
        format: &[u8],
        mut source: Source<'_>,
    ) -> Result<()> {
        let pieces: std::result::Result<Vec<_>, _> = Pieces::new(format).collect();
        let pieces = pieces.map_err(|problem| self.problem(problem))?;
        let arguments = self.arguments(cpu, &pieces, &mut source)?;
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.out.sink.push(text),
                Piece::Spec(spec) if spec.conversion == b'%' => self.out.sink.push(b"%"),
                Piece::Spec(spec) => {
                    let positions = spec.positions().map_err(|problem| self.problem(problem))?;
                    let own = positions.iter().map_while(|number| arguments.get(number - 1));
                    let own: Vec<Operand> = own.copied().collect();
                    self.convert(cpu, spec, &mut Source::Call(own.iter()))?;
                }
            }
        }
        Ok(())
    }

    /// The arguments of a format that numbers them, in their order: the types say where in a
    /// `va_list` each of them is.
    fn arguments(
        &self,
        cpu: &mut Cpu<'_>,
        pieces: &[Piece<'_>],
        source: &mut Source<'_>,
    ) -> Result<Vec<Operand>> {
        let mut types: Vec<Option<(Scalar, &[u8])>> = Vec::new();
        for piece in pieces {
            let Piece::Spec(spec) = piece else { continue };
            let positions = spec.positions().map_err(|problem| self.problem(problem))?;
            for number in positions {
                // A width or a precision, unless it is the argument of the conversion itself.
                let amounts = [spec.width, spec.precision];
                let scalar = match spec.position {
                    Some(own) if own == number => spec.wants(cpu.program.pointer),
                    _ => Scalar::Int(32),
                };
                let is_amount = amounts.contains(&Amount::Numbered(number));
                types.resize(types.len().max(number), None);
                let other = types[number - 1].replace((scalar, spec.source));
                let differs = other.is_some_and(|(other, _)| other != scalar);
                if differs || is_amount && scalar != Scalar::Int(32) {
                    let message =
                        format!("argument {number} of the format of {} has two types", self.what);
                    return Err(trap("misuse", message).into());
                }
            }
        }
        let mut arguments = Vec::new();
        for (index, wanted) in types.iter().enumerate() {
            let Some((scalar, spec)) = wanted else {
                let what = self.what;
                let message = format!("the format of {what} leaves out argument {}", index + 1);
                return Err(trap("misuse", message).into());
            };
            let place = Asker { spec, what: self.what };
            arguments.push(source.operand(cpu, *scalar, &place)?);
        }
        Ok(arguments)
    }

    fn problem(&self, problem: Problem) -> crate::arith::Trap {
        let what = self.what;
        match problem {
            Problem::Unfinished => {
                trap("misuse", format!("the format of {what} ends in a conversion"))
            }
            Problem::Unknown(spec) => {
                trap("misuse", format!("`{spec}` is no conversion of {what}"))
            }
            Problem::Mixed => trap(
                "misuse",
                format!("the format of {what} numbers some arguments and not others"),
            ),
            Problem::Huge => trap(UNSUPPORTED, format!("{what} with millions of characters")),
        }
    }

    /// An amount that an argument may say.
    fn amount(
        &self,
        cpu: &mut Cpu<'_>,
        amount: Amount,
        source: &mut Source<'_>,
        place: &Asker<'_>,
    ) -> Result<Option<i64>> {
        let value = match amount {
            Amount::None => return Ok(None),
            Amount::Given(value) => return Ok(Some(value as i64)),
            Amount::Argument | Amount::Numbered(_) => source.next(cpu, Scalar::Int(32), place)?,
        };
        let value = sign_extend(value.bits, 32);
        if value.unsigned_abs() > parse::WIDEST as u64 {
            return Err(self.problem(Problem::Huge).into());
        }
        Ok(Some(value))
    }

    fn convert(
        &mut self,
        cpu: &mut Cpu<'_>,
        spec: Spec<'_>,
        source: &mut Source<'_>,
    ) -> Result<()> {
        let place = Asker { spec: spec.source, what: self.what };
        let mut layout = spec.layout;
        if let Some(width) = self.amount(cpu, spec.width, source, &place)? {
            layout.minus |= width < 0;
            layout.width = width.unsigned_abs() as usize;
        }
        // A negative precision is none.
        let precision = self.amount(cpu, spec.precision, source, &place)?;
        layout.precision = precision.and_then(|precision| usize::try_from(precision).ok());
        let sink = &mut self.out.sink;
        match spec.conversion {
            b'c' if spec.length != Length::Long => {
                let value = source.next(cpu, Scalar::Int(32), &place)?;
                if value.object != 0 {
                    return self.symbolic(cpu, &layout, value, &place);
                }
                text::string(sink, &layout, &[value.bits as u8]);
            }
            b'c' | b'C' => {
                let value = source.next(cpu, Scalar::Int(32), &place)?;
                text::string(sink, &layout, &[narrow(value, &place)?]);
            }
            b's' if spec.length != Length::Long => {
                let pointer = source.next(cpu, Scalar::Pointer, &place)?;
                let most = layout.precision.map_or(u64::MAX, |precision| precision as u64);
                let (bytes, span) = string::text(cpu, pointer, most, &place)?;
                self.out.spans.push(span);
                text::string(sink, &layout, &bytes);
            }
            b's' | b'S' => {
                let pointer = source.next(cpu, Scalar::Pointer, &place)?;
                let (bytes, span) = wide_text(cpu, pointer, layout.precision, &place)?;
                self.out.spans.push(span);
                text::string(sink, &layout, &bytes);
            }
            b'm' => {
                let message = error::message(cpu).as_bytes();
                let shown = layout.precision.unwrap_or(message.len()).min(message.len());
                text::string(sink, &layout, &message[..shown]);
            }
            b'n' => {
                let pointer = source.next(cpu, Scalar::Pointer, &place)?;
                let scalar = Scalar::Int(spec.bits(cpu.program.pointer));
                let len = scalar.bytes(cpu.program.pointer);
                let target = cpu.resolve(pointer, len.into(), true)?;
                self.out.spans.push(Span { place: target, len, write: true });
                self.out.counts.push((target, scalar, sink.count));
            }
            b'p' => {
                let value = source.next(cpu, Scalar::Pointer, &place)?;
                if value.object != 0 {
                    return self.symbolic(cpu, &layout, value, &place);
                }
                text::address(sink, &layout, value.bits);
            }
            conversion if spec.is_float() => match source.real(cpu, spec.is_long(), &place)? {
                Ok(number) => float::float(sink, &layout, conversion, number),
                Err(pointer) => return self.symbolic(cpu, &layout, pointer, &place),
            },
            conversion => {
                let bits = spec.bits(cpu.program.pointer);
                let value = source.next(cpu, Scalar::Int(bits.max(32)), &place)?;
                if value.object != 0 {
                    return self.symbolic(cpu, &layout, value, &place);
                }
                match conversion {
                    b'd' | b'i' => text::signed(sink, &layout, sign_extend(value.bits, bits)),
                    _ => text::unsigned(sink, &layout, value.bits & mask(bits), conversion),
                }
            }
        }
        Ok(())
    }

    /// The address of an object: its number is not known, and what is shown is for people. Its
    /// length must be the same in every run, so it is that of a usual address.
    fn symbolic(
        &mut self,
        cpu: &Cpu<'_>,
        layout: &Layout,
        value: Value,
        place: &Asker<'_>,
    ) -> Result<()> {
        const USUAL: usize = "0x7ffd00000000".len();
        if self.memory {
            let message = format!("{place} makes text of an address, which Auspex does not have");
            return Err(trap(UNSUPPORTED, message).into());
        }
        let sink = &mut self.out.sink;
        let count = sink.count + layout.width.max(USUAL) as u64;
        if sink.keep {
            let name = names::pointer(cpu.program, &cpu.work, value).replace('`', "");
            text::string(sink, layout, format!("0x<{name}>").as_bytes());
        }
        sink.count = count;
        Ok(())
    }
}

/// Does a format number its arguments?
fn numbered(format: &[u8]) -> bool {
    format.contains(&b'$')
        && Pieces::new(format)
            .any(|piece| matches!(piece, Ok(Piece::Spec(spec)) if spec.is_numbered()))
}

/// A wide character in the C locale.
fn narrow(value: Value, place: &Asker<'_>) -> Result<u8> {
    match u8::try_from(value.bits) {
        Ok(byte) if byte.is_ascii() && value.object == 0 => Ok(byte),
        _ => Err(trap(UNSUPPORTED, format!("{place} gets a character that is not ASCII")).into()),
    }
}

/// A string of wide characters.
fn wide_text(
    cpu: &Cpu<'_>,
    pointer: Value,
    most: Option<usize>,
    place: &Asker<'_>,
) -> Result<(Vec<u8>, Span)> {
    let mut bytes = Vec::new();
    let start = cpu.resolve(pointer, 0, false)?;
    let span = |count: usize| Span { place: start, len: 4 * count as u32, write: false };
    while most.is_none_or(|most| bytes.len() < most) {
        let at = Value { bits: pointer.bits.wrapping_add(4 * bytes.len() as u64), ..pointer };
        let [value, _] = cpu.read(cpu.resolve(at, 4, false)?, Scalar::Int(32))?;
        if value.undef != 0 {
            let message = format!("{place} reads an uninitialised character");
            return Err(trap("uninitialised", message).into());
        }
        if value.is_null() {
            let read = span(bytes.len() + 1);
            return Ok((bytes, read));
        }
        bytes.push(narrow(value, place)?);
    }
    let read = span(bytes.len());
    Ok((bytes, read))
}

/// Text for the trace.
fn show(cpu: &mut Cpu<'_>, text: &[u8]) {
    if cpu.options.keeps_output {
        cpu.step.output.push_str(&String::from_utf8_lossy(text));
    }
    if let Some(recorder) = &mut cpu.recorder {
        recorder.print(&String::from_utf8_lossy(text));
    }
}

/// Which stream it is does not matter, but it must be one.
fn check_stream(cpu: &Cpu<'_>, file: Value) -> Result<()> {
    cpu.resolve(file, 0, false).map(|_| ())
}

fn print(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, format: usize) -> Outcome {
    formatted(cpu, operands, what, format, false, |cpu, out| {
        let length = out.length()?;
        touch_all(cpu, &out.spans)?;
        show(cpu, &out.sink.text);
        out.write_counts(cpu);
        Ok(Some(length))
    })
}

fn print_to(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, format: usize) -> Outcome {
    check_stream(cpu, arg(operands, 0))?;
    print(cpu, operands, what, format)
}

fn print_to_number(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, format: usize) -> Outcome {
    number(operands, 0, what)?;
    print(cpu, operands, what, format)
}

/// `sprintf` and `snprintf`, of which one has a size.
fn print_into(
    cpu: &mut Cpu<'_>,
    operands: &[Operand],
    what: &str,
    size: Option<usize>,
    format: usize,
) -> Outcome {
    let to = arg(operands, 0);
    let size = match size {
        Some(index) => number(operands, index, what)?,
        None => u64::MAX,
    };
    formatted(cpu, operands, what, format, true, |cpu, mut out| {
        let length = out.length()?;
        let mut text = std::mem::take(&mut out.sink.text);
        let mut target = None;
        if size > 0 {
            text.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX));
            text.push(0);
            let span = string::target(cpu, to, text.len(), &out.spans, what)?;
            out.spans.push(span);
            target = Some(span.place);
        }
        touch_all(cpu, &out.spans)?;
        if let Some(place) = target {
            string::store(cpu, place, &text);
        }
        out.write_counts(cpu);
        Ok(Some(length))
    })
}

/// `asprintf`: into new memory.
fn print_new(cpu: &mut Cpu<'_>, operands: &[Operand], what: &str, format: usize) -> Outcome {
    const FAILED: Value = Value::number(u32::MAX as u64);
    let width = cpu.program.pointer.into();
    let place = cpu.resolve(arg(operands, 0), width, true)?;
    formatted(cpu, operands, what, format, true, |cpu, mut out| {
        let length = out.length()?;
        out.spans.push(Span { place, len: width as u32, write: true });
        touch_all(cpu, &out.spans)?;
        out.sink.text.push(0);
        let pointer = string::allocate(cpu, &out.sink.text)?.filter(|pointer| !pointer.is_null());
        let Some(pointer) = pointer else { return Ok(Some(FAILED)) };
        cpu.write(place, Scalar::Pointer, [pointer, Value::NULL]);
        out.write_counts(cpu);
        Ok(Some(length))
    })
}

fn put_line(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (mut bytes, span) = string::text(cpu, arg(operands, 0), u64::MAX, &"puts")?;
    touch_all(cpu, &[span])?;
    bytes.push(b'\n');
    show(cpu, &bytes);
    Ok(Some(Value::number(bytes.len() as u64)))
}

fn put_string(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (bytes, span) = string::text(cpu, arg(operands, 0), u64::MAX, &"fputs")?;
    check_stream(cpu, arg(operands, 1))?;
    touch_all(cpu, &[span])?;
    show(cpu, &bytes);
    Ok(Some(Value::number(1)))
}

fn put_character(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let byte = number(operands, 0, "putchar")? as u8;
    show(cpu, &[byte]);
    Ok(Some(Value::number(byte.into())))
}

fn put_character_to(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    number(operands, 0, "fputc")?;
    check_stream(cpu, arg(operands, 1))?;
    put_character(cpu, operands)
}

fn write(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let (size, count) = (number(operands, 1, "fwrite")?, number(operands, 2, "fwrite")?);
    check_stream(cpu, arg(operands, 3))?;
    let total = size.saturating_mul(count);
    if total == 0 {
        return Ok(Some(Value::number(0)));
    }
    let place = cpu.resolve(arg(operands, 0), total, false)?;
    let range = place.at as usize..place.at as usize + total as usize;
    let mut bytes = Vec::new();
    if let Some(object) = cpu.object(place.object) {
        if object.undef.get(range.clone()).is_some_and(|undef| undef.iter().any(|u| *u != 0)) {
            return Err(trap("uninitialised", "fwrite of an uninitialised byte").into());
        }
        if cpu.recorder.is_some() || cpu.options.keeps_output {
            bytes.extend_from_slice(object.bytes.get(range).unwrap_or_default());
        }
    }
    touch_all(cpu, &[Span { place, len: total as u32, write: false }])?;
    show(cpu, &bytes);
    Ok(Some(Value::number(count)))
}

fn print_error(cpu: &mut Cpu<'_>, operands: &[Operand]) -> Outcome {
    let pointer = arg(operands, 0);
    let mut line = Vec::new();
    if !pointer.is_null() || pointer.undef != 0 {
        let (bytes, span) = string::text(cpu, pointer, u64::MAX, &"perror")?;
        touch_all(cpu, &[span])?;
        if !bytes.is_empty() {
            line.extend_from_slice(&bytes);
            line.extend_from_slice(b": ");
        }
    }
    line.extend_from_slice(error::message(cpu).as_bytes());
    line.push(b'\n');
    show(cpu, &line);
    Ok(None)
}
