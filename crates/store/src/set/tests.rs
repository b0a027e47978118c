use super::*;
use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;

const ENOUGH: u64 = 1 << 30;

fn layout(shard_bits: u32, link_bits: Option<u32>) -> Layout {
    Layout { shard_bits, link_bits, is_alone: false }
}

fn enter(set: &Set, hash: u64, link: Link, budget: &Budget) -> Result<bool, Full> {
    if set.contains(hash) { Ok(false) } else { set.enter(hash, link, budget, || true) }
}

/// Is it a link to this hash, by at least so many bits?
fn leads_to(link: Option<Link>, hash: u64, bits: u32) -> bool {
    link.is_some_and(|link| {
        let (low, high) = link.range();
        (low..=high).contains(&hash) && high - low < 1 << (64 - bits)
    })
}

/// All in one of many shards: it grows all the time, while eight threads look.
#[test]
fn threads_agree_on_a_crowded_shard() {
    let mut rng = fastrand::Rng::with_seed(11);
    let hashes: Vec<u64> = (0..60_000).map(|_| rng.u64(..1 << 56)).collect();
    for round in 0..4 {
        let set = Set::new(layout(8, Some(32)), ENOUGH);
        let (budget, new) = (Budget::new(u64::MAX), AtomicUsize::new(0));
        let times: Vec<_> = hashes.iter().map(|_| AtomicUsize::new(0)).collect();
        let one = &|thread: usize| {
            for i in 0..hashes.len() {
                // All threads at the same ones, or each from a place of its own.
                let i = (i + thread * round * 3001) % hashes.len();
                let link = set.link_to(!hashes[i]);
                if enter(&set, hashes[i], link, &budget).expect("room") {
                    new.fetch_add(1, Relaxed);
                    times[i].fetch_add(1, Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            (0..8).for_each(|thread| drop(scope.spawn(move || one(thread))));
        });
        assert_eq!((new.into_inner(), set.len()), (hashes.len(), hashes.len() as u64));
        assert!(times.iter().all(|times| times.load(Relaxed) == 1));
        for hash in &hashes {
            assert!(set.contains(*hash));
            assert!(leads_to(set.link(*hash), !hash, 14), "links move along");
        }
    }
}

/// Hashes that nearly all have the same home bucket, at the very end of a shard: as many as there is room for on their ways.
#[test]
fn what_overflows_is_found() {
    for (link_bits, count) in [(Some(32), 300), (None, 1500)] {
        let set = Set::new(layout(8, link_bits), ENOUGH);
        let budget = Budget::new(u64::MAX);
        // The same bucket, but all ways from there.
        let crowd = |i: u64| u64::MAX - ((i % 4) << 46) - i * 7;
        let hashes: Vec<u64> = (0..count).map(crowd).chain([0, 1, 1 << 62]).collect();
        for hash in &hashes {
            assert_eq!(enter(&set, *hash, set.link_to(!hash), &budget), Ok(true));
            assert_eq!(enter(&set, *hash, Link::NONE, &budget), Ok(false));
        }
        assert_eq!(set.len(), hashes.len() as u64);
        assert!(hashes.iter().all(|hash| set.contains(*hash)));
        assert!((0..count).all(|i| !set.contains(crowd(i) - 1)));
        assert!(hashes.iter().any(|hash| set.is_at_home(*hash)));
        assert!(hashes.iter().any(|hash| !set.is_at_home(*hash)));
        assert!((0..count).all(|i| !set.is_at_home(crowd(i) - 1)));
        if link_bits.is_some() {
            assert!(hashes.iter().all(|hash| leads_to(set.link(*hash), !hash, 14)));
            assert_eq!(set.linked(Link::to(u64::MAX, 14)).len(), count as usize);
            assert_eq!(set.linked(set.link_to(1)), [0, 1]);
        }
    }
}

/// If there are more of them than there is room for on their ways, it grows in vain until memory is full, and nothing is lost.
#[test]
fn too_many_that_belong_together_are_refused() {
    let set = Set::new(layout(8, Some(32)), ENOUGH);
    let budget = Budget::new(1 << 24);
    let mut entered = Vec::new();
    let full = (0..10_000).map(|i| i * 3).find_map(|hash| {
        let result = enter(&set, hash, Link::NONE, &budget);
        entered.extend(result.is_ok().then_some(hash));
        result.err()
    });
    assert_eq!((full, set.len()), (Some(Full::Memory), entered.len() as u64));
    assert!(entered.len() > 200 && entered.iter().all(|hash| set.contains(*hash)));
}

#[test]
fn a_link_leads_to_all_that_it_may_stand_for() {
    for (bits, shard_bits) in [(1, 8), (4, 9), (10, 10), (12, 8), (32, 8), (32, 10)] {
        let set = Set::new(layout(shard_bits, Some(bits)), ENOUGH);
        let budget = Budget::new(u64::MAX);
        let mut rng = fastrand::Rng::with_seed(bits as u64);
        let mut hashes: Vec<u64> = (0..20_000).map(|_| rng.u64(..)).collect();
        hashes.extend([0, 1, 2, u64::MAX, u64::MAX >> bits, (u64::MAX >> bits) + 1]);
        for hash in &hashes {
            assert_eq!(enter(&set, *hash, set.link_to(!hash), &budget), Ok(true));
        }
        hashes.sort_unstable();
        for hash in hashes.iter().step_by(301) {
            // As it was made, and as it was kept.
            for link in [Some(set.link_to(*hash)), set.link(*hash)] {
                let link = link.expect("it was entered");
                let (low, high) = link.range();
                let meant = hashes.iter().copied().filter(|hash| (low..=high).contains(hash));
                assert_eq!(set.linked(link), meant.collect::<Vec<_>>(), "{bits}, {shard_bits}");
                assert_eq!(high - low + 1, 1 << (64 - bits), "{bits}, {shard_bits}");
                if bits > 10 {
                    break;
                }
            }
            assert!(leads_to(set.link(*hash), !hash, bits.min(14)));
        }
        assert_eq!(set.linked(Link::NONE), []);
    }
}

/// Links get longer with their shard, those that are there stay as they are.
#[test]
fn links_are_as_long_as_there_is_room() {
    let (set, budget) = (Set::new(layout(8, Some(32)), ENOUGH), Budget::new(u64::MAX));
    let mut rng = fastrand::Rng::with_seed(9);
    let hashes: Vec<u64> = (0..2_000_000).map(|_| rng.u64(..)).collect();
    for hash in &hashes {
        assert_eq!(enter(&set, *hash, set.link_to(!hash), &budget), Ok(true));
    }
    assert!(hashes.iter().all(|hash| leads_to(set.link(*hash), !hash, 14)));
    let late = &hashes[1_000_000..];
    assert!(late.iter().all(|hash| leads_to(set.link(*hash), !hash, 18)));
}

#[test]
fn without_links_there_are_none() {
    let set = Set::new(layout(8, None), ENOUGH);
    assert_eq!(set.enter(5, set.link_to(7), &Budget::new(u64::MAX), || true), Ok(true));
    assert_eq!((set.link(5), set.linked(Link::NONE).len()), (None, 0));
}

#[test]
fn a_full_set_stays_as_it_is() {
    for (space, memory) in [(0, u64::MAX), (1 << 20, u64::MAX), (ENOUGH, 0), (ENOUGH, 900_000)] {
        let (set, budget) = (Set::new(layout(8, Some(32)), space), Budget::new(memory));
        let mut rng = fastrand::Rng::with_seed(1);
        let mut entered = Vec::new();
        let full = loop {
            let hash = rng.u64(..);
            match enter(&set, hash, set.link_to(hash), &budget) {
                Ok(_) => entered.push(hash),
                Err(full) => break full,
            }
        };
        assert_eq!((full, set.len()), (Full::Memory, entered.len() as u64));
        assert!(budget.used() <= memory && entered.len() < 100_000);
        assert!(entered.iter().all(|hash| leads_to(set.link(*hash), *hash, 14)));
    }
}

/// Eight threads enter, put off and recall in shards that grow: each hash is recalled as often
/// as it was put off.
#[test]
fn what_is_put_off_is_recalled_once() {
    let mut rng = fastrand::Rng::with_seed(2);
    let hashes: Vec<u64> = (0..80_000).map(|_| rng.u64(..)).collect();
    let (set, budget) = (Set::new(layout(8, Some(32)), ENOUGH), Budget::new(u64::MAX));
    let times: HashMap<u64, AtomicUsize> =
        hashes.iter().map(|hash| (*hash, AtomicUsize::new(0))).collect();
    let one = &|thread: usize| {
        let recall = |count| {
            let mut any = false;
            set.recall(count, |hash, depth| {
                assert!(depth >= 7);
                times[&hash].fetch_add(1, Relaxed);
                any = true;
            });
            any
        };
        for (i, hash) in hashes.iter().enumerate().skip(thread).step_by(8) {
            assert_eq!(enter(&set, *hash, set.link_to(!hash), &budget), Ok(true));
            if i % 3 != 0 {
                set.put_off(*hash, 7 + i as u32);
            }
            if i % 1000 == thread {
                recall(50);
            }
        }
        while recall(50) {}
    };
    std::thread::scope(|scope| {
        (0..8).for_each(|thread| drop(scope.spawn(move || one(thread))));
    });
    for (i, hash) in hashes.iter().enumerate() {
        assert_eq!(times[hash].load(Relaxed), usize::from(i % 3 != 0));
        assert!(leads_to(set.link(*hash), !hash, 14));
    }
}

#[test]
fn who_is_not_admitted_is_not_there() {
    let (set, budget) = (Set::new(layout(8, None), ENOUGH), Budget::new(u64::MAX));
    assert_eq!(set.enter(5, Link::NONE, &budget, || false), Err(Full::States));
    assert!(!set.contains(5) && set.len() == 0);
    assert_eq!(set.enter(5, Link::NONE, &budget, || true), Ok(true));
}

/// Room for what moves is kept from one shard to the next, and is not more than the largest one needs.
#[test]
fn room_for_what_moves_is_for_one_shard() {
    let (set, budget) = (Set::new(layout(8, Some(32)), ENOUGH), Budget::new(u64::MAX));
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..200_000 {
        assert_eq!(enter(&set, rng.u64(..), Link::NONE, &budget), Ok(true));
    }
    let largest = set.shards.iter().map(|shard| shard.len.load(Relaxed)).max();
    let room = set.room.lock().capacity() as u64;
    assert!(Some(room) <= largest, "room for {room}, {largest:?} in a shard");
}
