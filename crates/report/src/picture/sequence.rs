//! A trace as a message sequence chart: a lifeline per process, time downwards, a small box per
//! local step, an arrow per message from where it was sent to where it was received.

use super::svg::{self, Svg, Text, clip};
use crate::sequence::{Arrow, Fate, Row, Sequence, Spot};
use std::io::{self, Write};

const ROW: f64 = 30.0;
const HEAD: f64 = 92.0;
const LEFT: f64 = 64.0;
const LONGEST: usize = 34;
const STEP: Text<'static> = Text { mono: true, ..Text::new(11.0) };
const LABEL: Text<'static> = Text { anchor: "middle", fill: svg::BLUE, ..Text::new(12.0) };
const NAME: Text<'static> = Text { anchor: "middle", bold: true, ..Text::new(13.0) };

pub fn write(out: &mut dyn Write, sequence: &Sequence, title: &str) -> io::Result<()> {
    let chart = Chart::new(sequence);
    let mut svg = Svg::default();
    let heading = Text { bold: true, ..Text::new(16.0) };
    svg.text(20.0, 28.0, title, heading);
    chart.lifelines(&mut svg);
    // Boxes hide the lines behind them, labels stand before everything.
    for arrow in &sequence.arrows {
        chart.arrow(&mut svg, arrow);
    }
    for (index, row) in sequence.rows.iter().enumerate() {
        chart.row(&mut svg, index, row);
    }
    for arrow in &sequence.arrows {
        chart.label(&mut svg, arrow);
    }
    svg.finish(out, title, chart.width.max(20.0 + heading.width(title)), chart.height)
}

struct Chart<'a> {
    sequence: &'a Sequence,
    /// The middle of each lifeline.
    columns: Vec<f64>,
    width: f64,
    height: f64,
}

impl<'a> Chart<'a> {
    fn new(sequence: &'a Sequence) -> Self {
        let halves: Vec<f64> = (0..sequence.lifelines.len()).map(|l| half(sequence, l)).collect();
        let mut columns = Vec::new();
        let mut right = LEFT;
        for (lifeline, half) in halves.iter().enumerate() {
            let room = widest_label(sequence, lifeline);
            let previous = columns.last().copied().unwrap_or(0.0);
            let x: f64 = (right + half + 16.0).max(previous + room);
            columns.push(x);
            right = x + half;
        }
        let stubs = sequence.arrows.iter().filter_map(stub_width).fold(0.0, f64::max);
        let last = columns.last().copied().unwrap_or(LEFT);
        let faults = sequence.rows.iter().filter(|row| row.is_fault);
        let fault = faults.map(|row| box_width(row) + 2.0 * LEFT).fold(0.0, f64::max);
        let width = (right + 24.0).max(last + stubs + 50.0).max(fault);
        let height = HEAD + ROW * sequence.rows.len() as f64 + 40.0;
        Chart { sequence, columns, width, height }
    }

    fn y(&self, row: usize) -> f64 {
        HEAD + ROW * (row as f64 + 0.5)
    }

    fn lifelines(&self, svg: &mut Svg) {
        let bottom = self.height - 24.0;
        for (name, &x) in self.sequence.lifelines.iter().zip(&self.columns) {
            svg.line((x, HEAD - 18.0), (x, bottom), svg::LINE, r#"stroke-dasharray="2 4""#);
            let width = NAME.width(name) + 24.0;
            svg.rect((x, HEAD - 32.0), (width, 28.0), 6.0, svg::BLUE_FILL, svg::BLUE);
            svg.text(x, HEAD - 27.5, name, NAME);
        }
    }

    fn row(&self, svg: &mut Svg, index: usize, row: &Row) {
        let (x, y) = (self.columns[row.lifeline], self.y(index));
        let repeated = index > 0 && self.sequence.rows[index - 1].step == row.step;
        if !repeated {
            let style = Text { anchor: "end", fill: svg::FAINT, ..Text::new(11.0) };
            svg.text(LEFT - 20.0, y + 4.0, &row.step.to_string(), style);
        }
        let (fill, stroke) = match row.is_fault {
            true => (svg::RED_FILL, svg::RED),
            false => (svg::FILL, svg::LINE),
        };
        svg.with_tooltip(&format!("{}\n{}", row.text, row.details), |svg| {
            if self.is_end(index) && !row.is_fault {
                // The arrow says it all; a dot keeps the tooltip.
                return svg.rect((x, y), (7.0, 7.0), 3.5, svg::BLUE, svg::BLUE);
            }
            let width = box_width(row);
            // A long fault stays on the page.
            let x = x.min(self.width - width / 2.0 - 8.0).max(width / 2.0 + 8.0);
            svg.rect((x, y), (width, 22.0), 4.0, fill, stroke);
            svg.text(x, y + 4.0, &shown(row), step_style(row));
        });
    }

    /// Whether an arrow begins or ends here.
    fn is_end(&self, row: usize) -> bool {
        let at = |spot: Option<Spot>| spot.is_some_and(|spot| spot.row == row);
        self.sequence.arrows.iter().any(|arrow| at(arrow.sent) || at(arrow.received))
    }

    fn arrow(&self, svg: &mut Svg, arrow: &Arrow) {
        let point = |spot: Spot| (self.columns[spot.lifeline], self.y(spot.row));
        match (arrow.sent, arrow.received) {
            (Some(from), Some(to)) if from.lifeline == to.lifeline => {
                self.own(svg, point(from), point(to));
            }
            (Some(from), Some(to)) => self.between(svg, point(from), point(to)),
            (Some(from), None) => self.out(svg, arrow, point(from)),
            (None, Some(to)) => self.into(svg, point(to)),
            (None, None) => {}
        }
    }

    fn between(&self, svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
        let sign = (to.0 - from.0).signum();
        let (start, end) = ((from.0 + 4.0 * sign, from.1), (to.0 - 4.0 * sign, to.1));
        svg.line(start, end, svg::BLUE, r#"stroke-width="1.5" marker-end="url(#head-blue)""#);
    }

    /// A process that sends to itself.
    fn own(&self, svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
        let (x1, x2, bulge) = (from.0 + 4.0, to.0 + 5.0, from.0 + BULGE);
        let (y1, y2) = (from.1, to.1);
        let data =
            format!("M{x1:.1} {y1:.1} C{bulge:.1} {y1:.1} {bulge:.1} {y2:.1} {x2:.1} {y2:.1}");
        svg.path(&data, svg::BLUE, r#"stroke-width="1.5" marker-end="url(#head-blue)""#);
    }

    fn out(&self, svg: &mut Svg, arrow: &Arrow, from: (f64, f64)) {
        let head = if arrow.fate == Fate::Lost { "red" } else { "blue" };
        let extra = format!(r#"stroke-width="1.5" marker-end="url(#head-{head})""#);
        svg.line((from.0 + 4.0, from.1), (from.0 + STUB, from.1), colour(arrow), &extra);
    }

    fn into(&self, svg: &mut Svg, to: (f64, f64)) {
        let extra = r#"stroke-width="1.5" stroke-dasharray="4 3" marker-end="url(#head-blue)""#;
        svg.line((to.0 + STUB, to.1), (to.0 + 5.0, to.1), svg::BLUE, extra);
    }

    fn label(&self, svg: &mut Svg, arrow: &Arrow) {
        let point = |spot: Spot| (self.columns[spot.lifeline], self.y(spot.row));
        let text = clip(&arrow.text, LONGEST);
        let (x, y, anchor, text) = match (arrow.sent.map(point), arrow.received.map(point)) {
            (Some(from), Some(to)) if from.0 == to.0 => {
                (from.0 + BULGE * 0.8, f64::midpoint(from.1, to.1) + 4.0, "start", text)
            }
            (Some(from), Some(to)) => {
                // Beside the sender, on the upper side of the line, which only goes down.
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let along = (12.0 / dx.abs()).min(if dy > 0.0 { 12.0 / dy } else { 1.0 });
                let (x, y) = (from.0 + dx * along, from.1 + dy * along);
                let anchor = if dx > 0.0 { "start" } else { "end" };
                (x + 4.0 * dx.signum(), y - 4.0, anchor, text)
            }
            (Some(spot), None) | (None, Some(spot)) => {
                (spot.0 + STUB + 6.0, spot.1 + 4.0, "start", stub(arrow))
            }
            (None, None) => return,
        };
        svg.with_tooltip(&format!("channel {}", arrow.channel), |svg| {
            svg.text(x, y, &text, Text { anchor, fill: colour(arrow), ..LABEL });
        });
    }
}

/// How far an arrow to oneself, and one with a single end, reach out.
const BULGE: f64 = 42.0;
const STUB: f64 = 30.0;

fn colour(arrow: &Arrow) -> &'static str {
    if arrow.fate == Fate::Lost { svg::RED } else { svg::BLUE }
}

/// What stands beside an arrow with one end.
fn stub(arrow: &Arrow) -> String {
    let (text, channel) = (clip(&arrow.text, LONGEST), &arrow.channel);
    match (arrow.fate, arrow.sent) {
        (Fate::Lost, _) => format!("{text} lost, {channel} is full"),
        (Fate::Copied, _) => format!("{text}, left in {channel}"),
        (Fate::Ordinary, Some(_)) => format!("{text} stays in {channel}"),
        (Fate::Ordinary, None) => format!("{text} from {channel}"),
    }
}

fn stub_width(arrow: &Arrow) -> Option<f64> {
    let single = arrow.sent.is_none() || arrow.received.is_none();
    single.then(|| LABEL.width(&stub(arrow)))
}

fn step_style(row: &Row) -> Text<'static> {
    let style = Text { anchor: "middle", ..STEP };
    if row.is_fault { Text { fill: svg::RED, bold: true, mono: false, ..style } } else { style }
}

fn shown(row: &Row) -> String {
    let mark = if row.is_fault { "✗ " } else { "" };
    clip(&format!("{mark}{}", row.text), if row.is_fault { 2 * LONGEST } else { LONGEST })
}

fn box_width(row: &Row) -> f64 {
    step_style(row).width(&shown(row)) + 14.0
}

/// Half the width that a lifeline needs for its name and boxes.
fn half(sequence: &Sequence, lifeline: usize) -> f64 {
    let name = NAME.width(&sequence.lifelines[lifeline]) + 24.0;
    let rows = sequence.rows.iter().filter(|row| row.lifeline == lifeline && !row.is_fault);
    let boxes = rows.map(box_width);
    boxes.fold(name, f64::max) / 2.0
}

/// The distance to the lifeline on the left that the labels between the two ask for.
fn widest_label(sequence: &Sequence, lifeline: usize) -> f64 {
    let touches = |arrow: &&Arrow| {
        let ends = [arrow.sent, arrow.received].map(|spot| spot.map(|spot| spot.lifeline));
        ends.contains(&Some(lifeline)) && ends.iter().flatten().any(|end| *end < lifeline)
    };
    let arrows = sequence.arrows.iter().filter(touches);
    let widths = arrows.map(|arrow| LABEL.width(&clip(&arrow.text, LONGEST)) + 40.0);
    widths.fold(0.0, f64::max)
}
