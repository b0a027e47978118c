//! Keeping the optimiser away from functions that mean more to Auspex than their bodies say.

/// Whether calls of a function are looked at by the machine: an inlined atomic section is none any
/// more, and an empty `reach_error` would be optimised away.
fn is_mark(name: &str) -> bool {
    name == "reach_error" || name.starts_with("__VERIFIER_") || name.starts_with("__auspex_")
}

/// Marks the definitions of such functions in LLVM IR as not to be optimised.
pub fn protect(text: &str) -> String {
    let mut protected = String::with_capacity(text.len() + 100);
    for line in text.split_inclusive('\n') {
        match parameters_end(line) {
            Some(end) => {
                protected.push_str(&line[..end]);
                protected.push_str(" noinline optnone");
                protected.push_str(&line[end..]);
            }
            None => protected.push_str(line),
        }
    }
    protected
}

/// Where the parameter list of such a function's head ends.
fn parameters_end(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("define ")?;
    let at = line.len() - rest.len() + rest.find('@')? + 1;
    let open = at + line[at..].find('(')?;
    if !is_mark(&line[at..open]) {
        return None;
    }
    let mut depth = 0;
    for (index, byte) in line.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::protect;

    #[test]
    fn functions_with_a_meaning_are_marked() {
        let text = "define internal void @__VERIFIER_atomic_add(ptr byval(i32) %n) #0 !dbg !5 {\n\
                    define i32 @main() #1 {\n  call void @reach_error()\n";
        let expected = "define internal void @__VERIFIER_atomic_add(ptr byval(i32) %n) noinline \
                        optnone #0 !dbg !5 {\ndefine i32 @main() #1 {\n  call void @reach_error()\n";
        assert_eq!(protect(text), expected);
    }
}
