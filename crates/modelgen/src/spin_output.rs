//! Reading what spin and pan print.

/// The messages of pan that are faults of the model, and our names for them.
const KINDS: [(&str, &str); 11] = [
    ("invalid array index", "index"),
    ("assertion violated", "assertion"),
    ("invalid end state", "deadlock"),
    ("in d_step", "d_step"),
    ("too many processes", "processes"),
    ("uninitialized chan", "channel"),
    ("bad queue", "channel"),
    ("poll rendezvous", "channel"),
    ("event_trace", "trace"),
    ("event-trace", "trace"),
    ("x[rs]", "exclusive"),
];

/// The kind of fault that a message of pan stands for.
pub fn kind(message: &str) -> Option<&'static str> {
    KINDS.iter().find(|(text, _)| message.contains(text)).map(|(_, kind)| *kind)
}

/// The kind of the first fault in the output of a run. What a trace assertion still waits for when
/// the system stops is an "invalid end state" to pan, after a remark.
pub fn first_kind(output: &str) -> Option<&'static str> {
    match kind(errors(output).first()?) {
        Some("deadlock") if output.contains("pan: event_trace not completed") => Some("trace"),
        kind => kind,
    }
}

/// The messages `pan:N: text (at depth D)` in the output of a run.
pub fn errors(output: &str) -> Vec<&str> {
    output.lines().filter_map(numbered_message).collect()
}

fn numbered_message(line: &str) -> Option<&str> {
    let (number, message) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u32>().ok()?;
    Some(message.split(" (at depth").next().unwrap_or(message))
}

/// The number in front of `label`, as in `     143 states, stored`.
pub fn count(output: &str, label: &str) -> Option<u64> {
    let line = output.lines().find(|line| line.contains(label))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Why a run of pan proves nothing, if it does not.
pub fn incomplete(output: &str) -> Option<&'static str> {
    const SIGNS: [(&str, &str); 5] = [
        ("max search depth too small", "the depth bound was reached"),
        ("VECTORSZ too small", "the state vector is too long"),
        ("memory limit", "memory limit"),
        ("out of memory", "out of memory"),
        ("Interrupted", "interrupted"),
    ];
    SIGNS.iter().find(|(sign, _)| output.contains(sign)).map(|(_, why)| *why)
}

/// Whether a run with `-c0` went on to the end: blocking in a `d_step` and the like end it.
pub fn went_on(output: &str) -> bool {
    let fatal = |message: &str| matches!(kind(message), Some("d_step" | "processes" | "channel"));
    incomplete(output).is_none() && !errors(output).into_iter().any(fatal)
}

/// The line of a fault in the replay of its trail (`spin -t -p`), where Spin tells.
pub fn fault_line(replay: &str, kind: &str) -> Option<u32> {
    match kind {
        "assertion" => last_line_with(replay, "Error: assertion violated", ','),
        "index" => last_line_with(replay, "Error: indexing", ','),
        "channel" | "processes" => last_step(replay),
        _ => None,
    }
}

fn last_line_with(replay: &str, text: &str, end: char) -> Option<u32> {
    let line = replay.lines().rfind(|line| line.contains(text))?;
    position(line.trim_start_matches("spin: "), end)
}

/// The line of the last statement executed before the trail ends.
fn last_step(replay: &str) -> Option<u32> {
    let steps = replay.lines().take_while(|line| !line.starts_with("spin: trail ends"));
    let last = steps.filter(|line| line.contains("(state ")).last()?;
    position(last.split_once(") ")?.1, ' ')
}

/// The number in `file.pml:NUMBER` before `end`.
fn position(text: &str, end: char) -> Option<u32> {
    text.split(end).next()?.rsplit_once(':')?.1.trim().parse().ok()
}

/// The line that a refusal of spin points at.
pub fn refusal_line(output: &str) -> Option<u32> {
    let line = output.lines().find(|line| line.starts_with("spin: ") && line.contains(".pml:"))?;
    position(line.trim_start_matches("spin: "), ',')
}

/// The different faults in the output of `pan -c0`: assertions by their text, others by kind.
pub fn distinct(output: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for message in errors(output) {
        let Some(kind) = kind(message) else { continue };
        let known = |(k, m): &(&str, &str)| *k == kind && (kind != "assertion" || *m == message);
        if !found.iter().any(known) {
            found.push((kind, message));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_without_their_depth() {
        let output = "pan:1: assertion violated (x==1) (at depth 5)\npan: wrote a.trail\n";
        assert_eq!(errors(output), ["assertion violated (x==1)"]);
        assert_eq!(kind(errors(output)[0]), Some("assertion"));
        assert_eq!(kind("assertion violated - invalid array index"), Some("index"));
    }

    #[test]
    fn lines_come_from_the_replay() {
        let replay = "  1:\tproc  0 (P:1) m.pml:4 (state 1)\t[x = 1]\n\
                      spin: m.pml:7, Error: assertion violated\n\
                      spin: trail ends after 1 steps\n  1:\tproc 0 (P:1) m.pml:9 (state 2)\n";
        assert_eq!(fault_line(replay, "assertion"), Some(7));
        assert_eq!(fault_line(replay, "channel"), Some(4));
        assert_eq!(fault_line(replay, "deadlock"), None);
    }

    #[test]
    fn counts_are_the_number_before_the_label() {
        assert_eq!(count("   143 states, stored\n  3 matched", "states, stored"), Some(143));
        assert_eq!(count("nothing", "states, stored"), None);
    }
}
