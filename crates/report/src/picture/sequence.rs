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
    for (index, row) in sequence.rows.iter().enumerate() {
        chart.row(&mut svg, index, row);
    }
    for arrow in &sequence.arrows {
        chart.arrow(&mut svg, arrow);
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
        let width = (right + 24.0).max(last + stubs + 40.0);
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
            let text = shown(row);
            let style = step_style(row);
            let width = style.width(&text) + 14.0;
            svg.rect((x, y), (width, 22.0), 4.0, fill, stroke);
            svg.text(x, y + 4.0, &text, style);
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
                self.own(svg, arrow, point(from), point(to));
            }
            (Some(from), Some(to)) => self.between(svg, arrow, point(from), point(to)),
            (Some(from), None) => self.out(svg, arrow, point(from)),
            (None, Some(to)) => self.into(svg, arrow, point(to)),
            (None, None) => {}
        }
    }

    fn between(&self, svg: &mut Svg, arrow: &Arrow, from: (f64, f64), to: (f64, f64)) {
        let sign = (to.0 - from.0).signum();
        let (start, end) = ((from.0 + 4.0 * sign, from.1), (to.0 - 4.0 * sign, to.1));
        svg.line(start, end, svg::BLUE, r#"stroke-width="1.5" marker-end="url(#head-blue)""#);
        // Close to the sender, where arrows that fan out are still apart.
        let label = clip(&arrow.text, LONGEST);
        let along = ((LABEL.width(&label) / 2.0 + 14.0) / (end.0 - start.0).abs()).min(0.5);
        let x = start.0 + (end.0 - start.0) * along;
        let y = start.1 + (end.1 - start.1) * along;
        self.label(svg, x, y, &label, &arrow.channel);
    }

    /// A process that sends to itself.
    fn own(&self, svg: &mut Svg, arrow: &Arrow, from: (f64, f64), to: (f64, f64)) {
        let bulge = from.0 + 42.0;
        let data = format!(
            "M{:.1} {:.1} C{bulge:.1} {:.1} {bulge:.1} {:.1} {:.1} {:.1}",
            from.0 + 4.0,
            from.1,
            from.1,
            to.1,
            to.0 + 5.0,
            to.1
        );
        svg.path(&data, svg::BLUE, r#"stroke-width="1.5" marker-end="url(#head-blue)""#);
        let label = clip(&arrow.text, LONGEST);
        let x = from.0 + 40.0 + LABEL.width(&label) / 2.0;
        self.label(svg, x, f64::midpoint(from.1, to.1) + 5.0, &label, &arrow.channel);
    }

    fn out(&self, svg: &mut Svg, arrow: &Arrow, from: (f64, f64)) {
        let lost = arrow.fate == Fate::Lost;
        let (colour, head) = if lost { (svg::RED, "red") } else { (svg::BLUE, "blue") };
        let end = (from.0 + 30.0, from.1);
        let extra = format!(r#"stroke-width="1.5" marker-end="url(#head-{head})""#);
        svg.line((from.0 + 4.0, from.1), end, colour, &extra);
        let style = Text { anchor: "start", fill: colour, ..LABEL };
        svg.text(end.0 + 6.0, from.1 + 4.0, &stub(arrow), style);
    }

    fn into(&self, svg: &mut Svg, arrow: &Arrow, to: (f64, f64)) {
        let start = (to.0 + 30.0, to.1);
        let extra = r#"stroke-width="1.5" stroke-dasharray="4 3" marker-end="url(#head-blue)""#;
        svg.line(start, (to.0 + 5.0, to.1), svg::BLUE, extra);
        let style = Text { anchor: "start", ..LABEL };
        svg.text(start.0 + 6.0, to.1 + 4.0, &stub(arrow), style);
    }

    fn label(&self, svg: &mut Svg, x: f64, y: f64, label: &str, channel: &str) {
        svg.with_tooltip(&format!("channel {channel}"), |svg| {
            let width = LABEL.width(label) + 6.0;
            svg.rect((x, y - 10.5), (width, 13.0), 2.0, svg::FILL, "none");
            svg.text(x, y - 6.0, label, LABEL);
        });
    }
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

/// Half the width that a lifeline needs for its name and boxes.
fn half(sequence: &Sequence, lifeline: usize) -> f64 {
    let name = NAME.width(&sequence.lifelines[lifeline]) + 24.0;
    let rows = sequence.rows.iter().filter(|row| row.lifeline == lifeline);
    let boxes = rows.map(|row| step_style(row).width(&shown(row)) + 14.0);
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
