//! A sequence chart in text: a lifeline per process, an arrow per message.
//!
//! A message that waits in a channel goes down a *lane* beside its receiver's lifeline, from the
//! row where it was sent to the row where it is received. The first free lane nearest to the
//! receiver is taken, so that a queue draws no crossings:
//!
//! ```text
//!     p[0]              q[1]
//!  1   ├─ data,1 ────╮   │
//!  2   ├─ data,2 ──╮ │   │
//!  3   │           │ ╰──►│
//! ```

use crate::sequence::{Arrow, Fate, Sequence, Spot};
use crate::style;
use unicode_width::UnicodeWidthStr;

/// Messages beyond this many at a time between two lifelines name their channel instead.
const MOST_LANES: usize = 4;

/// The chart, or a sentence that says how to get it where it needs more than `width` columns.
pub fn draw(sequence: &Sequence, width: usize) -> String {
    let rows = rows_shown(sequence);
    let routes = routes(sequence, &rows);
    let geometry = Geometry::new(sequence, &routes);
    if geometry.width > width {
        let needed = geometry.width;
        return format!("(a sequence chart takes {needed} columns: see `auspex draw --trace`)\n");
    }
    let mut canvas = Canvas::new(rows.len() + 1, geometry.width);
    canvas.lifelines(sequence, &geometry);
    for route in &routes {
        canvas.route(route, &geometry);
    }
    canvas.notes(sequence, &rows, &geometry);
    canvas.text()
}

/// Only rows with an end of a message, and the fault.
fn rows_shown(sequence: &Sequence) -> Vec<usize> {
    let ends = sequence.arrows.iter().flat_map(|arrow| [arrow.sent, arrow.received]).flatten();
    let faults = sequence.rows.iter().enumerate().filter(|(_, row)| row.is_fault).map(|(i, _)| i);
    let mut rows: Vec<usize> = ends.map(|spot| spot.row).chain(faults).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// How an arrow is drawn; rows are those of the chart.
enum Route {
    /// Both ends in one row.
    Straight {
        from: Spot,
        to: Spot,
        label: String,
    },
    /// Down a lane between its two rows.
    Lane {
        from: Spot,
        to: Spot,
        label: String,
        lane: Lane,
    },
    /// One end only, beside the name of the channel.
    Out {
        from: Spot,
        label: String,
    },
    In {
        to: Spot,
        label: String,
    },
}

#[derive(Clone, Copy)]
struct Lane {
    /// Between lifelines `gap` and `gap + 1`.
    gap: usize,
    /// Beside the lifeline on the right of the gap, or the one on its left.
    right: bool,
    /// 0 is nearest to that lifeline.
    index: usize,
}

fn routes(sequence: &Sequence, rows: &[usize]) -> Vec<Route> {
    let row = |spot: Spot| Spot {
        row: rows.partition_point(|row| *row < spot.row),
        lifeline: spot.lifeline,
    };
    let mut lanes = Lanes::default();
    let arrows = sequence.arrows.iter();
    arrows
        .flat_map(|arrow| route(arrow, arrow.sent.map(row), arrow.received.map(row), &mut lanes))
        .collect()
}

fn route(
    arrow: &Arrow,
    sent: Option<Spot>,
    received: Option<Spot>,
    lanes: &mut Lanes,
) -> Vec<Route> {
    let label = style::clean(&arrow.text);
    if let (Some(from), Some(to)) = (sent, received) {
        if from.row == to.row && from.lifeline != to.lifeline {
            return vec![Route::Straight { from, to, label }];
        }
        if let Some(lane) = lanes.take(from, to) {
            return vec![Route::Lane { from, to, label, lane }];
        }
    }
    let channel = &arrow.channel;
    let out = |from| match arrow.fate {
        Fate::Lost => Route::Out { from, label: format!("{label} ─✗ lost, {channel} is full") },
        _ => Route::Out { from, label: format!("{label} ─▷ {channel}") },
    };
    let into = |to| match arrow.fate {
        Fate::Copied => Route::In { to, label: format!("{label} ─ copy from {channel}") },
        _ => Route::In { to, label: format!("{label} ─◁ {channel}") },
    };
    sent.map(out).into_iter().chain(received.map(into)).collect()
}

/// Which lanes are taken until which row.
#[derive(Default)]
struct Lanes {
    taken: Vec<(Lane, usize)>,
}

impl Lanes {
    /// Arrows come in the order in which they were sent.
    fn take(&mut self, from: Spot, to: Spot) -> Option<Lane> {
        let rightwards = from.lifeline <= to.lifeline;
        let gap = match (from.lifeline == to.lifeline, rightwards) {
            (true, _) | (_, false) => to.lifeline,
            (false, true) => to.lifeline - 1,
        };
        let free = |index: &usize| {
            self.taken.iter().all(|(lane, until)| {
                (lane.gap, lane.right, lane.index) != (gap, rightwards, *index) || *until < from.row
            })
        };
        let index = (0..MOST_LANES).find(free)?;
        let lane = Lane { gap, right: rightwards, index };
        self.taken.push((lane, to.row));
        Some(lane)
    }
}

/// Where everything stands. A gap holds, from left to right: lanes of the lifeline on its left,
/// labels, lanes of the lifeline on its right.
struct Geometry {
    lifelines: Vec<usize>,
    left_lanes: Vec<usize>,
    right_lanes: Vec<usize>,
    width: usize,
}

impl Geometry {
    fn new(sequence: &Sequence, routes: &[Route]) -> Self {
        let count = sequence.lifelines.len();
        let (mut left_lanes, mut right_lanes) = (vec![0; count], vec![0; count]);
        let mut labels = vec![0; count];
        for route in routes {
            let (gap, label) = route.label_gap();
            labels[gap] = labels[gap].max(label.width() + 5);
            if let Route::Lane { lane, .. } = route {
                let lanes = if lane.right { &mut right_lanes } else { &mut left_lanes };
                lanes[lane.gap] = lanes[lane.gap].max(lane.index + 1);
            }
        }
        let names: Vec<usize> = sequence.lifelines.iter().map(|name| name.width()).collect();
        let content = |gap: usize| labels[gap] + 2 * (left_lanes[gap] + right_lanes[gap]) + 1;
        let mut lifelines = vec![6 + names.first().map_or(0, |width| width / 2)];
        for gap in 0..count.saturating_sub(1) {
            let apart = content(gap).max(names[gap].div_ceil(2) + names[gap + 1] / 2 + 2);
            lifelines.push(lifelines[gap] + apart + 1);
        }
        let last = count.saturating_sub(1);
        let right = content(last).max(names.last().map_or(0, |width| width.div_ceil(2)));
        let width = lifelines[last] + right + 2;
        Geometry { lifelines, left_lanes, right_lanes, width }
    }

    fn lane(&self, lane: Lane) -> usize {
        if !lane.right {
            return self.lifelines[lane.gap] + 3 + 2 * lane.index;
        }
        let edge = self.lifelines.get(lane.gap + 1).copied().unwrap_or(self.width - 1);
        edge - 3 - 2 * lane.index
    }

    /// The first column of the labels in a gap.
    fn labels(&self, gap: usize) -> usize {
        self.lifelines[gap] + 2 + 2 * self.left_lanes[gap]
    }

    /// The last column of the labels in a gap.
    fn labels_end(&self, gap: usize) -> usize {
        let edge = self.lifelines.get(gap + 1).copied().unwrap_or(self.width - 1);
        edge - 2 - 2 * self.right_lanes[gap]
    }
}

impl Route {
    /// Labels stand beside the sender, on the side that the arrow leaves on.
    fn label_gap(&self) -> (usize, &str) {
        match self {
            Route::Straight { from, to, label } | Route::Lane { from, to, label, .. } => {
                let leftwards = to.lifeline < from.lifeline;
                (from.lifeline - usize::from(leftwards), label)
            }
            Route::Out { from: spot, label } | Route::In { to: spot, label } => {
                (spot.lifeline, label)
            }
        }
    }
}

struct Canvas {
    cells: Vec<Vec<char>>,
}

impl Canvas {
    fn new(rows: usize, width: usize) -> Self {
        Canvas { cells: vec![vec![' '; width]; rows] }
    }

    fn put(&mut self, row: usize, column: usize, text: &str) {
        let line = &mut self.cells[row];
        for (column, c) in (column..).zip(text.chars()) {
            if column >= line.len() {
                line.resize(column + 1, ' ');
            }
            line[column] = c;
        }
    }

    fn lifelines(&mut self, sequence: &Sequence, geometry: &Geometry) {
        for (name, column) in sequence.lifelines.iter().zip(&geometry.lifelines) {
            self.put(0, column - name.width() / 2, name);
            for row in 1..self.cells.len() {
                self.put(row, *column, "│");
            }
        }
    }

    /// A line between two columns, both included; what stands upright is crossed.
    fn horizontal(&mut self, row: usize, from: usize, to: usize) {
        for column in from..=to {
            let cell = &mut self.cells[row][column];
            *cell = if matches!(*cell, '│' | '┼') { '┼' } else { '─' };
        }
    }

    fn vertical(&mut self, column: usize, from: usize, to: usize) {
        for row in from..to {
            let cell = &mut self.cells[row][column];
            *cell = if matches!(*cell, '─' | '┼') { '┼' } else { '│' };
        }
    }

    fn route(&mut self, route: &Route, geometry: &Geometry) {
        match route {
            Route::Straight { from, to, label } => {
                let target = geometry.lifelines[to.lifeline];
                self.leave(*from, target, label, geometry);
                self.arrive(*to, geometry.lifelines[from.lifeline], geometry);
            }
            Route::Lane { from, to, label, lane } => {
                let column = geometry.lane(*lane);
                self.vertical(column, from.row + 2, to.row + 1);
                self.leave(*from, column, label, geometry);
                let origin = geometry.lifelines[from.lifeline];
                self.put(from.row + 1, column, if origin < column { "╮" } else { "╭" });
                self.arrive(*to, column, geometry);
                let target = geometry.lifelines[to.lifeline];
                self.put(to.row + 1, column, if target < column { "╯" } else { "╰" });
            }
            Route::Out { from, label } => {
                let column = geometry.labels(from.lifeline) + 2;
                self.leave(*from, column, label, geometry);
            }
            Route::In { to, label } => {
                let column = geometry.labels(to.lifeline);
                self.arrive(*to, column + 1, geometry);
                self.put(to.row + 1, column, &format!("─ {label}"));
            }
        }
    }

    /// From the sender's lifeline up to (not including) `target`, with the label.
    fn leave(&mut self, from: Spot, target: usize, label: &str, geometry: &Geometry) {
        let (row, origin) = (from.row + 1, geometry.lifelines[from.lifeline]);
        if target > origin {
            self.horizontal(row, origin + 1, target - 1);
            self.put(row, origin, "├");
            self.put(row, geometry.labels(from.lifeline), &format!("─ {label} "));
        } else {
            self.horizontal(row, target + 1, origin - 1);
            self.put(row, origin, "┤");
            let end = geometry.labels_end(from.lifeline - 1);
            self.put(row, end - label.width() - 2, &format!(" {label} ─"));
        }
    }

    /// From `origin` (not included) to the arrow head at the receiver's lifeline.
    fn arrive(&mut self, to: Spot, origin: usize, geometry: &Geometry) {
        let (row, target) = (to.row + 1, geometry.lifelines[to.lifeline]);
        let straight = geometry.lifelines.contains(&origin);
        if target < origin {
            if !straight {
                self.horizontal(row, target + 2, origin - 1);
            }
            self.put(row, target + 1, "◄");
        } else {
            if !straight {
                self.horizontal(row, origin + 1, target - 2);
            }
            self.put(row, target - 1, "►");
        }
    }

    /// Step numbers on the left, and the fault.
    fn notes(&mut self, sequence: &Sequence, rows: &[usize], geometry: &Geometry) {
        for (index, row) in rows.iter().enumerate() {
            let row = &sequence.rows[*row];
            if row.is_fault {
                self.put(index + 1, geometry.lifelines[row.lifeline], &format!("✗ {} ", row.text));
            } else {
                self.put(index + 1, 0, &format!("{:>4}", row.step));
            }
        }
    }

    fn text(&self) -> String {
        let lines = self.cells.iter().map(|line| line.iter().collect::<String>());
        lines.map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::MessageKind::{Copied, Lost, Received, Sent};
    use crate::sequence::tests::{Sketch, trace};
    use expect_test::expect;

    fn chart(sketch: &[Sketch]) -> String {
        let text = draw(&Sequence::new(&trace(sketch), None), 200);
        text.lines().map(|line| format!("|{line}\n")).collect()
    }

    #[test]
    fn handshakes_are_straight() {
        expect![[r#"
            |      p[0]        p[1]      p[2]
            |   2    ├── hello ──┼────────►│
            |   4    │           │◄─ yes ──┤
        "#]]
        .assert_eq(&chart(&[
            (0, Sent, 1, 0, true, "hello"),
            (2, Received, 1, 0, true, "hello"),
            (2, Sent, 2, 0, true, "yes"),
            (1, Received, 2, 0, true, "yes"),
        ]));
    }

    #[test]
    fn queued_messages_go_down_lanes() {
        expect![[r#"
            |      p[0]               p[1]       p[2]
            |   1    ├──── data,1 ───╮  │          │
            |   2    ├──── data,2 ─╮ │  │          │
            |   3    │             │ ╰─►│          │
            |   4    │  ╭── ack,1 ─┼────┤          │
            |   5    │  │          ╰───►│          │
            |   6    │◄─╯               │          │
            |   7    │  ╭───────────────┼── stop ──┤
            |   8    │  │               │          ├── me ─╮
            |   9    │◄─╯               │          │       │
            |  10    │                  │          │◄──────╯
        "#]]
        .assert_eq(&chart(&[
            (0, Sent, 1, 0, false, "data,1"),
            (0, Sent, 1, 1, false, "data,2"),
            (1, Received, 1, 0, false, "data,1"),
            (1, Sent, 2, 0, false, "ack,1"),
            (1, Received, 1, 0, false, "data,2"),
            (0, Received, 2, 0, false, "ack,1"),
            (2, Sent, 3, 0, false, "stop"),
            (2, Sent, 4, 0, false, "me"),
            (0, Received, 3, 0, false, "stop"),
            (2, Received, 4, 0, false, "me"),
        ]));
    }

    #[test]
    fn single_ends_name_their_channel() {
        expect![[r#"
            |      p[0]                        p[1]
            |   1    ├── a ─▷ c1                 │
            |   2    │                           │◄─ a ─ copy from c1
            |   3    ├── b ─✗ lost, c1 is full   │
            |   4    │                           │◄─ x ─◁ c7
        "#]]
        .assert_eq(&chart(&[
            (0, Sent, 1, 0, false, "a"),
            (1, Copied, 1, 0, false, "a"),
            (0, Lost, 1, 0, false, "b"),
            (1, Received, 7, 0, false, "x"),
        ]));
    }

    #[test]
    fn a_chart_that_is_too_wide_says_so() {
        let sequence = Sequence::new(&trace(&[(0, Sent, 1, 0, false, "a")]), None);
        assert!(draw(&sequence, 5).contains("draw --trace"));
    }
}
