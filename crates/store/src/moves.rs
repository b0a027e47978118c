//! Moves that were made before.
//!
//! What an actor does next is decided by the bytes that it sees (see [`Outlook`]), which are some bits of the keys of a state that is
//! coded. So once it was made, a move is known wherever these bits are the same: in the successor, some bits of some keys have
//! other values. No byte of either state is looked at then.
//!
//! An actor that sees much sees something new too often. Where that is so, it is first looked up which of its options are
//! open, for which it sees less, and then each of those for itself.
//!
//! Of a group of which everything is seen, its number is enough: neither its key nor those below it are looked at, and what
//! its number is after a move is known with the move.
//!
//! Each worker keeps what it has met. When that takes too much room, all of it is forgotten.

use crate::budget::{Budget, Full};
use crate::coded::Coded;
use crate::forest::{Forest, Packed, Scratch};
use crate::hash::hash;
use crate::known::{Changes, Known, Seen, UNCLEAR, each_move};
use crate::layout::Layout;
use crate::unpacked::Unpacked;
use auspex_system::{Explorer, Outlook, Sight, Successors};

/// One worker's memory of moves.
#[derive(Default)]
pub struct Moves {
    /// For each of the store's codes.
    shapes: Vec<Option<Shape>>,
    known: Known,
    views: Vec<View>,
    fixed: Vec<bool>,
    entry: Vec<u64>,
    open: Vec<usize>,
    turns: Vec<(Eye, u64)>,
    changes: Changes,
}

/// The actors in states of one shape.
#[derive(Default)]
struct Shape {
    /// Bits of keys that are not set in any state for which this is right.
    constant: Vec<(u8, u64)>,
    /// How many states had such bits, all the same.
    surprises: u32,
    actors: Vec<Part>,
    /// Whether it is worth while.
    luck: Luck,
}

#[derive(Default)]
struct Part {
    place: Vec<Spot>,
    /// For each place what the actor sees from there.
    eyes: Vec<Eye>,
}

/// Some bits of a key as a part of a number.
struct Spot {
    key: u8,
    mask: u64,
    shift: u8,
    /// Where they go.
    to: u8,
}

/// With more bits, a place has no eye.
const MOST_PLACE_BITS: u8 = 12;

/// What is needed of a [`View`] for each state.
#[derive(Clone, Copy, Default)]
struct Eye {
    /// The first key that matters, and its bits that do.
    mask: u64,
    key: u8,
    kind: Kind,
    has_more: bool,
    view: u32,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    /// Nobody has looked.
    #[default]
    Unknown,
    /// It cannot be said what matters.
    Unclear,
    /// What is seen decides about everything.
    All,
    /// What is seen decides about which options are open.
    Choice,
}

/// What an actor sees from one place, or for one of its options.
struct View {
    /// Further keys that matter.
    more: Vec<(u8, u64)>,
    sight: Sight,
    /// The bits of each key that are seen or constant.
    certain: Vec<u64>,
    /// If there is a choice.
    options: Vec<Eye>,
    /// How often something was seen that was not known.
    news: u32,
    /// It is worth while to look at options one by one.
    can_choose: bool,
}

/// After so much that was not known, an actor looks at its options one by one, if it then sees so many bits less.
const MUCH_NEWS: u32 = 512;
const GAIN: u32 = 4;

/// Most lookups must succeed, else it is faster to make all moves of a state at once.
#[derive(Default)]
struct Luck {
    asked: u32,
    missed: u32,
    /// States that will not be tried.
    rest: u32,
}

impl Luck {
    const TRIAL: u32 = 1 << 14;
    const REST: u32 = 1 << 17;

    fn learn(&mut self) {
        if self.asked >= Self::TRIAL {
            let is_bad = self.missed > self.asked / 3;
            *self = Luck { rest: if is_bad { Self::REST } else { 0 }, ..Luck::default() };
        }
    }
}

/// States of the same surprising kind, after which it is none any more.
const SURPRISES: u32 = 64;

/// Why a state cannot be expanded here.
enum Failure {
    Full(Full),
    /// Not all is known of it.
    Unknown,
}

impl From<Full> for Failure {
    fn from(full: Full) -> Self {
        Failure::Full(full)
    }
}

/// What moves are made with.
pub struct Making<'a, E> {
    /// How many states were found by this worker: the more, the more moves are kept.
    pub found: u64,
    pub current: &'a mut Unpacked,
    pub scratch: &'a mut Scratch,
    pub explorer: &'a mut E,
    pub out: &'a mut Successors,
}

/// The actor that moves in the current state.
struct Turn<'a> {
    coded: &'a Coded,
    budget: &'a Budget,
    actor: usize,
    luck: &'a mut Luck,
    made: Made,
    /// It sees too much at once.
    should_choose: bool,
}

/// What there is of it already.
enum Made {
    Nothing,
    All,
    /// For each successor the option that led to it.
    ByOption(Vec<usize>),
}

impl Moves {
    /// The successors of a state, how many there are; `None` where they are not known, and cannot be made one by one: then there may be faults among them, or
    /// none at all.
    pub(crate) fn expand<E: Explorer>(
        &mut self,
        root: u64,
        forest: &Forest,
        making: &mut Making<'_, E>,
        mut each: impl FnMut(Packed),
    ) -> Result<Option<usize>, Full> {
        let Some((at, coded)) = forest.codes.of_root(root) else { return Ok(None) };
        if self.shapes.len() <= at {
            self.shapes.resize_with(at + 1, || None);
        }
        let mut shape = match self.shapes[at].take() {
            Some(shape) if shape.surprises < SURPRISES => shape,
            _ => self.look_at(at, coded, root, making),
        };
        let made = self.make_all(&mut shape, (at, coded), root, &forest.budget, making);
        self.shapes[at] = Some(shape);
        let side = &making.scratch.side;
        match made {
            Ok(()) => {
                for index in 0..side.len() {
                    // All fit, as was seen.
                    each(Packed::of(side.root(coded, index).unwrap_or(0)));
                }
                Ok(Some(side.len()))
            }
            Err(Failure::Unknown) => Ok(None),
            Err(Failure::Full(full)) => Err(full),
        }
    }

    /// Finds out who moves in states of a shape.
    #[cold]
    fn look_at<E: Explorer>(
        &mut self,
        at: usize,
        coded: &Coded,
        root: u64,
        making: &mut Making<'_, E>,
    ) -> Shape {
        let constant = coded.fixed(&mut self.fixed);
        making.current.decode(at, coded, root);
        if is_surprise(&constant, &making.current.keys) {
            // One that is like the others will come.
            return Shape { constant, surprises: SURPRISES, ..Shape::default() };
        }
        let actors = making.explorer.actors(making.current.state(), &self.fixed);
        let actors = actors.iter().map(|actor| {
            let mut to = 0;
            let spot = |at: u32| {
                let field = &coded.layout.bytes[at as usize];
                to += field.width;
                Spot { key: field.key, mask: field.mask, shift: field.shift, to: to - field.width }
            };
            let place: Vec<Spot> = (actor.place[0]..actor.place[1]).map(spot).collect();
            Part { place, eyes: vec![Eye::default(); 1 << to.min(MOST_PLACE_BITS)] }
        });
        Shape { constant, surprises: 0, actors: actors.collect(), luck: Luck::default() }
    }

    fn make_all<E: Explorer>(
        &mut self,
        shape: &mut Shape,
        (at, coded): (usize, &Coded),
        root: u64,
        budget: &Budget,
        making: &mut Making<'_, E>,
    ) -> Result<(), Failure> {
        if shape.actors.is_empty() || shape.luck.rest > 0 {
            shape.luck.rest = shape.luck.rest.saturating_sub(1);
            return Err(Failure::Unknown);
        }
        making.current.decode_keys(at, coded, root);
        if is_surprise(&shape.constant, &making.current.keys) {
            shape.surprises += 1;
            return Err(Failure::Unknown);
        }
        making.scratch.side.clear();
        let mut turns = std::mem::take(&mut self.turns);
        turns.clear();
        let taken = self.take_turns(shape, &mut turns, (coded, budget), making);
        self.turns = turns;
        taken?;
        shape.luck.learn();
        let Scratch { side, memo, .. } = &mut *making.scratch;
        side.finish(coded, memo, budget)?;
        // If nothing moves, there is more to say about this state.
        match side.len() > 0 && side.all_fit() {
            true => Ok(()),
            false => Err(Failure::Unknown),
        }
    }

    /// Adds the moves of all actors.
    #[inline]
    fn take_turns<E: Explorer>(
        &mut self,
        shape: &mut Shape,
        turns: &mut Vec<(Eye, u64)>,
        (coded, budget): (&Coded, &Budget),
        making: &mut Making<'_, E>,
    ) -> Result<(), Failure> {
        // First all eyes, so that memory comes while others are looked at.
        for (actor, part) in shape.actors.iter_mut().enumerate() {
            let number = part.number(&making.current.keys);
            let eye = part.eyes.get_mut(number).ok_or(Failure::Unknown)?;
            if eye.kind == Kind::Unknown {
                *eye = self.look(false, actor, (coded, &shape.constant), making);
            }
            if eye.kind == Kind::Unclear {
                return Err(Failure::Unknown);
            }
            let hash = see(*eye, &self.views, &making.current.keys).hash();
            self.known.prefetch_slot(hash);
            turns.push((*eye, hash));
        }
        for (actor, part) in shape.actors.iter_mut().enumerate() {
            if let Some((_, next)) = turns.get(actor + 1) {
                self.known.prefetch_entry(*next);
            }
            let (eye, hash) = turns[actor];
            let (luck, made) = (&mut shape.luck, Made::Nothing);
            let mut turn = Turn { coded, budget, actor, luck, made, should_choose: false };
            match eye.kind {
                Kind::Unknown | Kind::Unclear => return Err(Failure::Unknown),
                Kind::All => self.go(eye, hash, None, &mut turn, making)?,
                Kind::Choice => self.choose(eye, hash, &mut turn, making)?,
            }
            if turn.should_choose {
                let number = part.number(&making.current.keys);
                part.eyes[number] = self.look(true, actor, (coded, &shape.constant), making);
            }
        }
        Ok(())
    }

    /// Adds all moves of an actor, or those of one of its options, which is open.
    #[inline]
    fn go<E: Explorer>(
        &mut self,
        eye: Eye,
        hash: u64,
        option: Option<usize>,
        turn: &mut Turn<'_>,
        making: &mut Making<'_, E>,
    ) -> Result<(), Failure> {
        turn.luck.asked += 1;
        let seen = see(eye, &self.views, &making.current.keys);
        let found = match self.known.find(&seen, hash) {
            Some(found) => found,
            None => self.make_moves(eye, option, hash, turn, making)?,
        };
        let Scratch { side, memo, .. } = &mut *making.scratch;
        let keys = &making.current.keys;
        match each_move(found, |one| side.add_moved(turn.coded, memo, keys, one)) {
            true => Ok(()),
            false => Err(Failure::Unknown),
        }
    }

    /// Adds the moves of all options that are open.
    #[inline]
    fn choose<E: Explorer>(
        &mut self,
        eye: Eye,
        hash: u64,
        turn: &mut Turn<'_>,
        making: &mut Making<'_, E>,
    ) -> Result<(), Failure> {
        turn.luck.asked += 1;
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        let seen = see(eye, &self.views, &making.current.keys);
        let found = match self.known.find(&seen, hash) {
            Some(found) => found,
            None => self.make_choice(eye, hash, turn, making)?,
        };
        match found {
            [count, options @ ..] if *count != UNCLEAR => {
                open.extend(options[..*count as usize].iter().map(|option| *option as usize));
            }
            _ => return Err(Failure::Unknown),
        }
        let gone = open.iter().try_for_each(|option| {
            let one = self.views[eye.view as usize].options[*option];
            match one.kind {
                Kind::All => {
                    let hash = see(one, &self.views, &making.current.keys).hash();
                    self.go(one, hash, Some(*option), turn, making)
                }
                _ => Err(Failure::Unknown),
            }
        });
        self.open = open;
        gone
    }

    /// What an actor sees from where it is in the current state. `closely`: its options one by one.
    #[cold]
    fn look<E: Explorer>(
        &mut self,
        closely: bool,
        actor: usize,
        (coded, constant): (&Coded, &[(u8, u64)]),
        making: &mut Making<'_, E>,
    ) -> Eye {
        coded.fixed(&mut self.fixed);
        making.current.show(coded);
        let state = making.current.state();
        let Some(outlook) = making.explorer.outlook(state, &self.fixed, actor) else {
            return Eye { kind: Kind::Unclear, ..Eye::default() };
        };
        let (all, Outlook { choice, options }) = (outlook.as_one(), outlook);
        let mut start = vec![0; coded.keys()];
        constant.iter().for_each(|(key, mask)| start[*key as usize] = *mask);
        let mut new_view =
            |kind, sight, options| self.new_view(kind, coded, sight, &start, options);
        match all {
            Some(all) if !closely => {
                let count = |bytes: &[bool]| {
                    bits_of(bytes, &coded.layout).iter().map(|mask| mask.count_ones()).sum::<u32>()
                };
                let can_choose = count(&choice) + GAIN <= count(&all.seen);
                let eye = new_view(Kind::All, all, Vec::new());
                self.views[eye.view as usize].can_choose = can_choose;
                eye
            }
            _ => {
                let unclear = Eye { kind: Kind::Unclear, ..Eye::default() };
                let options = options.into_iter().map(|option| match option {
                    Some(sight) => new_view(Kind::All, sight, Vec::new()),
                    None => unclear,
                });
                let options = options.collect();
                let choice = Sight { seen: choice, ..Sight::default() };
                new_view(Kind::Choice, choice, options)
            }
        }
    }

    fn new_view(
        &mut self,
        kind: Kind,
        coded: &Coded,
        sight: Sight,
        constant: &[u64],
        options: Vec<Eye>,
    ) -> Eye {
        let seen = bits_of(&sight.seen, &coded.layout);
        let certain: Vec<u64> = seen.iter().zip(constant).map(|(a, b)| a | b).collect();
        let masks = by_number(seen, certain.clone(), &coded.layout);
        let masks = masks.iter().enumerate().filter(|(_, mask)| **mask != 0);
        let mut words = masks.map(|(key, mask)| (key as u8, *mask));
        let (key, mask) = words.next().unwrap_or((0, 0));
        let more: Vec<_> = words.collect();
        let view = self.views.len() as u32;
        let has_more = !more.is_empty();
        self.views.push(View { more, sight, certain, options, news: 0, can_choose: false });
        Eye { mask, key, kind, has_more, view }
    }

    /// Makes the moves of an actor in the current state, unless they are made, by option if there is a choice.
    fn make<E: Explorer>(
        &mut self,
        by_option: bool,
        turn: &mut Turn<'_>,
        making: &mut Making<'_, E>,
    ) -> Result<(), Failure> {
        if !matches!(turn.made, Made::Nothing) {
            return Ok(());
        }
        let Making { current, explorer, out, .. } = making;
        current.show(turn.coded);
        out.clear();
        let options = match by_option {
            true => explorer.moves_by_option(current.state(), turn.actor, out),
            false => {
                explorer.moves(current.state(), turn.actor, out);
                None
            }
        };
        turn.made = options.map_or(Made::All, Made::ByOption);
        match out.is_cut_short() {
            true => Err(Failure::Unknown),
            false => Ok(()),
        }
    }

    /// Finds out which options are open in the current state.
    #[cold]
    fn make_choice<E: Explorer>(
        &mut self,
        eye: Eye,
        hash: u64,
        turn: &mut Turn<'_>,
        making: &mut Making<'_, E>,
    ) -> Result<&[u64], Failure> {
        turn.luck.missed += 1;
        self.make(true, turn, making)?;
        see(eye, &self.views, &making.current.keys).start(&mut self.entry);
        let count_at = self.entry.len();
        self.entry.push(UNCLEAR);
        // A fault may have to do with more than one option.
        if let Made::ByOption(options) = &turn.made
            && !making.out.has_faults()
        {
            let open = options.chunk_by(|a, b| a == b).map(|some| some[0] as u64);
            self.entry.extend(open);
            let open = &self.entry[count_at + 1..];
            // What an option leads to must come in one row.
            let is_row = (1..open.len()).all(|at| !open[..at].contains(&open[at]));
            match is_row {
                true => self.entry[count_at] = open.len() as u64,
                false => self.entry.truncate(count_at + 1),
            }
        }
        self.known.add(&self.entry, hash, making.found, turn.budget);
        Ok(&self.entry[count_at..])
    }

    /// Makes the moves of an actor, or those of an option, in the current state.
    #[cold]
    fn make_moves<E: Explorer>(
        &mut self,
        eye: Eye,
        option: Option<usize>,
        hash: u64,
        turn: &mut Turn<'_>,
        making: &mut Making<'_, E>,
    ) -> Result<&[u64], Failure> {
        turn.luck.missed += 1;
        self.make(option.is_some(), turn, making)?;
        let view = &mut self.views[eye.view as usize];
        view.news = view.news.saturating_add(1);
        turn.should_choose = view.can_choose && view.news == MUCH_NEWS;
        see(eye, &self.views, &making.current.keys).start(&mut self.entry);
        let count_at = self.entry.len();
        self.entry.push(0);
        let is_wanted = |index: usize| match (option, &turn.made) {
            (None, _) => true,
            (Some(option), Made::ByOption(options)) => options[index] == option,
            (Some(_), _) => false,
        };
        // Without a word about options, nothing can be said about one of them.
        let mut is_clear = option.is_none() || matches!(turn.made, Made::ByOption(_));
        for index in (0..making.out.len()).filter(|index| is_wanted(*index)) {
            is_clear = is_clear
                && self.add_changes(eye, turn.coded, making, index)
                && self.add_numbers(eye, turn, making)?
                && self.changes.end(&mut self.entry);
            self.entry[count_at] += 1;
        }
        if !is_clear {
            self.entry.truncate(count_at);
            self.entry.push(UNCLEAR);
        }
        self.known.add(&self.entry, hash, making.found, turn.budget);
        Ok(&self.entry[count_at..])
    }

    /// What changes with a move, in every state that agrees in what is seen. Can it be said?
    fn add_changes<E>(
        &mut self,
        eye: Eye,
        coded: &Coded,
        making: &Making<'_, E>,
        index: usize,
    ) -> bool {
        let Making { current, out, .. } = making;
        let Sight { seen, written, .. } = &self.views[eye.view as usize].sight;
        let (Some(to), Some(changes)) = (out.get(index).state(), out.changes(index)) else {
            return false;
        };
        self.changes.clear(coded.keys());
        for at in changes.iter().flat_map(|[from, to]| *from as usize..*to as usize) {
            let (old, new) = (current.bytes[at], to.bytes[at]);
            // What is seen is the same wherever this is used.
            if old == new && (seen[at] || !written[at]) {
                continue;
            }
            debug_assert!(written[at], "an actor writes what it is not said to write");
            let Some(code) = coded.code(at, new).filter(|_| written[at]) else { return false };
            let field = &coded.layout.bytes[at];
            self.changes.add(field.key, field.mask, code);
            self.changes.dirty |= field.above;
        }
        true
    }

    /// Groups that are to be numbered anew, and of which all is certain, get their numbers for good. Do they fit?
    fn add_numbers<E>(
        &mut self,
        eye: Eye,
        turn: &Turn<'_>,
        making: &mut Making<'_, E>,
    ) -> Result<bool, Full> {
        let Layout { groups, keys, .. } = &turn.coded.layout;
        let mut certain = self.views[eye.view as usize].certain.clone();
        for (group, field) in groups.iter().enumerate() {
            let (mask, bits) = self.changes.keys[group];
            let is_certain = (certain[group] | mask) & keys[group].bits == keys[group].bits;
            if !is_certain {
                continue;
            }
            certain[field.key as usize] |= field.mask;
            if self.changes.dirty >> group & 1 == 0 {
                continue;
            }
            let key = making.current.keys[group] & !mask | bits;
            let memo = &mut making.scratch.memo;
            let number = turn.coded.look_up(memo, turn.budget, group, key, hash(key))?;
            let Some(number) = number else { return Ok(false) };
            self.changes.add(field.key, field.mask, u64::from(number) << field.shift);
            // Nobody asks for its key any more.
            self.changes.keys[group] = (0, 0);
            self.changes.dirty &= !(1 << group);
        }
        Ok(true)
    }
}

#[inline]
fn see<'a>(eye: Eye, views: &'a [View], keys: &'a [u64]) -> Seen<'a> {
    let more: &[_] = if eye.has_more { &views[eye.view as usize].more } else { &[] };
    Seen { view: eye.view, first: keys[eye.key as usize] & eye.mask, more, keys }
}

/// For each key the bits that these bytes have in it.
fn bits_of(bytes: &[bool], layout: &Layout) -> Vec<u64> {
    let mut bits = vec![0; layout.keys.len()];
    for (field, _) in layout.bytes.iter().zip(bytes).filter(|(_, is_one)| **is_one) {
        bits[field.key as usize] |= field.mask;
    }
    bits
}

/// The same as `seen` with the numbers of groups instead of all that is in them, where all of that is certain.
fn by_number(mut seen: Vec<u64>, mut certain: Vec<u64>, layout: &Layout) -> Vec<u64> {
    for (group, field) in layout.groups.iter().enumerate() {
        if certain[group] & layout.keys[group].bits == layout.keys[group].bits {
            certain[field.key as usize] |= field.mask;
            if seen[group] != 0 {
                seen[group] = 0;
                seen[field.key as usize] |= field.mask;
            }
        }
    }
    seen
}

/// Is something different that was always the same?
#[inline]
fn is_surprise(constant: &[(u8, u64)], keys: &[u64]) -> bool {
    constant.iter().fold(0, |all, (key, mask)| all | keys[*key as usize] & mask) != 0
}

impl Part {
    /// Where the actor is.
    #[inline]
    fn number(&self, keys: &[u64]) -> usize {
        let code = |spot: &Spot| (keys[spot.key as usize] & spot.mask) >> spot.shift << spot.to;
        self.place.iter().fold(0, |all, spot| all | code(spot)) as usize
    }
}
