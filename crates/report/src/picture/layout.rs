//! Coordinates: the second half of a layered drawing.

use super::order::{Item, Layers};

/// How far an item reaches from its middle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    pub left: f64,
    pub right: f64,
    pub height: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// The middle of every item, and the size of the whole.
#[derive(Debug)]
pub struct Layout {
    pub middles: Vec<Point>,
    /// Half the height of each layer.
    pub halves: Vec<f64>,
    pub width: f64,
    pub height: f64,
}

const SIDE_GAP: f64 = 18.0;
const LAYER_GAP: f64 = 16.0;
/// Sweeps that straighten from one end to the other, then sweeps that balance.
const STRAIGHTEN: usize = 12;
const BALANCE: usize = 6;

/// Which neighbours an item follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pull {
    Above,
    Below,
    Both,
}

pub fn place(layers: &Layers, extents: &[Extent]) -> Layout {
    let mut xs = vec![0.0; layers.items.len()];
    for row in &layers.rows {
        pack(row, extents, &mut xs);
    }
    for sweep in 0..STRAIGHTEN + BALANCE {
        let downwards = sweep % 2 == 0;
        let pull = match downwards {
            _ if sweep >= STRAIGHTEN => Pull::Both,
            true => Pull::Above,
            false => Pull::Below,
        };
        for step in 0..layers.rows.len() {
            let row = if downwards { step } else { layers.rows.len() - 1 - step };
            settle(layers, &layers.rows[row], extents, pull, &mut xs);
        }
    }
    let left = edge(&xs, extents, |x, extent| x - extent.left).fold(f64::INFINITY, f64::min);
    let left = if left.is_finite() { left } else { 0.0 };
    let right = edge(&xs, extents, |x, extent| x + extent.right).fold(left, f64::max);
    let halves = halves(layers, extents);
    let (ys, height) = heights(layers, &halves);
    let middles = xs.iter().zip(ys).map(|(x, y)| Point { x: x - left, y }).collect();
    Layout { middles, halves, width: right - left, height }
}

fn edge(
    xs: &[f64],
    extents: &[Extent],
    side: impl Fn(f64, &Extent) -> f64,
) -> impl Iterator<Item = f64> {
    xs.iter().zip(extents).map(move |(x, extent)| side(*x, extent))
}

/// From left to right, as close as the gaps allow, around zero.
fn pack(row: &[usize], extents: &[Extent], xs: &mut [f64]) {
    let offsets = offsets(row, extents);
    let middle = offsets.last().copied().unwrap_or(0.0) / 2.0;
    for (&item, offset) in row.iter().zip(offsets) {
        xs[item] = offset - middle;
    }
}

/// The least distance of each item of a row from the first.
fn offsets(row: &[usize], extents: &[Extent]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut offsets = vec![0.0];
    for pair in row.windows(2) {
        offset += extents[pair[0]].right + SIDE_GAP + extents[pair[1]].left;
        offsets.push(offset);
    }
    offsets
}

/// Moves each item of a row as near to the mean of its neighbours as the others allow: the least
/// sum of squares under fixed order and gaps, which is an isotonic regression.
fn settle(layers: &Layers, row: &[usize], extents: &[Extent], pull: Pull, xs: &mut [f64]) {
    let offsets = offsets(row, extents);
    let mut blocks: Vec<Block> = Vec::new();
    for (&item, offset) in row.iter().zip(&offsets) {
        let weight = weight(layers, item);
        blocks.push(Block {
            sum: weight * (wish(layers, item, pull, xs) - offset),
            weight,
            count: 1,
        });
        while let [.., before, last] = blocks.as_mut_slice()
            && before.mean() > last.mean()
        {
            before.merge(*last);
            blocks.pop();
        }
    }
    let means = blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean(), block.count));
    for ((&item, offset), mean) in row.iter().zip(offsets).zip(means) {
        xs[item] = mean + offset;
    }
}

/// Items that stand shoulder to shoulder.
#[derive(Clone, Copy)]
struct Block {
    sum: f64,
    weight: f64,
    count: usize,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.weight
    }

    fn merge(&mut self, other: Block) {
        self.sum += other.sum;
        self.weight += other.weight;
        self.count += other.count;
    }
}

/// Bends insist on their place: long edges should be straight.
fn weight(layers: &Layers, item: usize) -> f64 {
    if is_bend(layers, item) { 8.0 } else { 1.0 }
}

fn is_bend(layers: &Layers, item: usize) -> bool {
    matches!(layers.items[item], Item::Bend { .. })
}

/// Where an item would like to be: at the weighted mean of its neighbours.
fn wish(layers: &Layers, item: usize, pull: Pull, xs: &[f64]) -> f64 {
    let above = layers.above[item].iter().filter(|_| pull != Pull::Below);
    let below = layers.below[item].iter().filter(|_| pull != Pull::Above);
    let (mut sum, mut total) = (0.0, 0.0);
    for &neighbour in above.chain(below) {
        let both_bends = is_bend(layers, item) && is_bend(layers, neighbour);
        let weight = if both_bends { 8.0 } else { 1.0 };
        sum += weight * xs[neighbour];
        total += weight;
    }
    if total == 0.0 { xs[item] } else { sum / total }
}

fn halves(layers: &Layers, extents: &[Extent]) -> Vec<f64> {
    let mut halves = vec![0.0; layers.rows.len()];
    for (layer, extent) in layers.layer.iter().zip(extents) {
        halves[*layer] = f64::max(halves[*layer], extent.height / 2.0);
    }
    halves
}

fn heights(layers: &Layers, halves: &[f64]) -> (Vec<f64>, f64) {
    let mut ys = vec![0.0; layers.items.len()];
    let mut top = 0.0;
    for (row, half) in layers.rows.iter().zip(halves) {
        for &item in row {
            ys[item] = top + half;
        }
        top += 2.0 * half + LAYER_GAP;
    }
    (ys, (top - LAYER_GAP).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_stands_above_the_middle_of_its_children_and_nothing_overlaps() {
        let layers = Layers::new(4, &[(0, 1), (0, 2), (0, 3)], &[false; 3]);
        let extents = vec![Extent { left: 20.0, right: 20.0, height: 10.0 }; layers.items.len()];
        let layout = place(&layers, &extents);
        let x = |node: usize| layout.middles[node].x;
        assert!((x(0) - (x(1) + x(2) + x(3)) / 3.0).abs() < 1.0);
        let mut children = [x(1), x(2), x(3)];
        children.sort_by(f64::total_cmp);
        assert!(children.windows(2).all(|pair| pair[1] - pair[0] >= 40.0 + SIDE_GAP - 1e-6));
        assert_eq!(place(&Layers::new(0, &[], &[]), &[]).height, 0.0);
    }
}
