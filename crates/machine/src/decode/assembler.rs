//! Inline assembler: only what does nothing is understood.

/// Are there only fences, hints and the like?
pub fn does_nothing(template: &str) -> bool {
    let lines = template.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    // `lock; addl ...` and `rep; nop` are one instruction each.
    let mut prefix = None;
    for line in lines {
        let line = line.to_ascii_lowercase();
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        let inner = words.first().copied().filter(|word| matches!(*word, "lock" | "rep" | "repz"));
        if inner.is_some() {
            words.remove(0);
        }
        let prefixed = match (prefix.take(), inner) {
            (Some(_), Some(_)) => return false,
            (Some(before), None) => Some(before),
            (None, Some("lock")) => Some("lock"),
            (None, Some(_)) => Some("rep"),
            (None, None) => None,
        };
        let Some((name, operands)) = words.split_first() else {
            prefix = prefixed;
            continue;
        };
        if !is_idle(prefixed, name, &operands.concat()) {
            return false;
        }
    }
    prefix.is_none()
}

fn is_idle(prefix: Option<&str>, name: &str, operands: &str) -> bool {
    match (prefix, name) {
        (None, "pause" | "nop" | "mfence" | "lfence" | "sfence" | "yield") => operands.is_empty(),
        (Some("rep"), "nop") => operands.is_empty(),
        // ARM.
        (None, "dmb" | "dsb" | "isb") => {
            operands.chars().all(|letter| letter.is_ascii_alphanumeric())
        }
        (Some("lock"), "add" | "addl" | "addq" | "or" | "orl" | "orq") => {
            is_zero_at_the_stack(operands)
        }
        _ => false,
    }
}

/// `$0,-4(%rsp)`: the common operand of a fence made of a locked instruction. LLVM writes two
/// dollars for one.
fn is_zero_at_the_stack(operands: &str) -> bool {
    let Some((number, place)) = operands.split_once(',') else { return false };
    let number = number.trim_start_matches('$').trim_start_matches("0x");
    let Some((offset, register)) = place.split_once('(') else { return false };
    let register = register.trim_start_matches('%');
    !number.is_empty()
        && number.chars().all(|digit| digit == '0')
        && offset.trim_start_matches('-').chars().all(|digit| digit.is_ascii_digit())
        && matches!(register, "rsp)" | "esp)")
}

/// For each result of a statement, which argument has the same register.
pub fn tied_inputs(constraints: &str) -> Vec<Option<usize>> {
    // For each output constraint, the result that it is; those in memory are none.
    let (mut outputs, mut results) = (Vec::new(), Vec::new());
    let mut argument = 0;
    for constraint in constraints.split(',') {
        match constraint.strip_prefix('=') {
            _ if constraint.starts_with(['~', '!']) || constraint.is_empty() => continue,
            Some(output) if output.trim_start_matches('&').starts_with('*') => outputs.push(None),
            Some(_) => {
                outputs.push(Some(results.len()));
                results.push(None);
                continue;
            }
            None => {
                let output = constraint.parse().ok().and_then(|at: usize| outputs.get(at));
                if let Some(Some(result)) = output {
                    results[*result] = Some(argument);
                }
            }
        }
        argument += 1;
    }
    results
}

#[cfg(test)]
mod tests {
    use super::{does_nothing, tied_inputs};

    #[test]
    fn what_does_nothing() {
        let idle = [
            "",
            " \n\t",
            "pause",
            "rep; nop",
            "rep;nop",
            "rep nop",
            "nop\n\tnop",
            "MFENCE",
            "lfence; sfence",
            "lock; addl $$0,0(%rsp)",
            "lock addl $$0x0, (%esp)",
            "lock; orq $$0, -8(%rsp)",
            "dmb ish",
        ];
        idle.iter().for_each(|template| assert!(does_nothing(template), "{template}"));
        let busy = [
            "lock",
            "rep",
            "lock; nop",
            "rep; movsb",
            "lock; rep; nop",
            "lock; addl $$1,0(%rsp)",
            "lock; addl $$0,$0",
            "lock; addl $$0,0(%rax)",
            "addl $$0,0(%rsp)",
            "pause 1",
            "nop; int3",
            "cpuid",
            "dmb [r0]",
        ];
        busy.iter().for_each(|template| assert!(!does_nothing(template), "{template}"));
    }

    #[test]
    fn where_results_come_from() {
        assert_eq!(tied_inputs("~{memory},~{dirflag}"), []);
        assert_eq!(tied_inputs("=r,0,~{memory}"), [Some(0)]);
        assert_eq!(tied_inputs("=&r,r,~{memory}"), [None]);
        assert_eq!(tied_inputs("=r,=*m,=r,r,2,0,*m"), [Some(3), Some(2)]);
    }
}
