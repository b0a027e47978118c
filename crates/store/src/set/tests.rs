use super::*;
use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;

const ENOUGH: u64 = 1 << 30;

fn layout(shard_bits: u32, link_bits: Option<u32>) -> Layout {
    Layout { shard_bits, link_bits }
}

fn enter(set: &Set, hash: u64, link: Link, budget: &Budget) -> Result<bool, Full> {
    if set.contains(hash) { Ok(false) } else { set.enter(hash, link, budget, || true) }
}

/// All in one of two shards: it grows all the time, while eight threads look.
#[test]
fn threads_agree_on_a_crowded_shard() {
    let mut rng = fastrand::Rng::with_seed(11);
    let hashes: Vec<u64> = (0..60_000).map(|_| rng.u64(1..1 << 63)).collect();
    for round in 0..4 {
        let set = Set::new(layout(1, Some(32)), ENOUGH);
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
            assert_eq!(set.link(*hash), Some(set.link_to(!hash)), "links move along");
        }
    }
}

/// Hashes that nearly all have the same home bucket, at the very end of a shard.
#[test]
fn what_overflows_is_found() {
    let set = Set::new(layout(1, Some(32)), ENOUGH);
    let budget = Budget::new(u64::MAX);
    let hashes: Vec<u64> = (0..3000).map(|i| u64::MAX - i * 7).chain([1, 1 << 62]).collect();
    for (n, hash) in hashes.iter().enumerate() {
        assert_eq!(enter(&set, *hash, Link(n as u32), &budget), Ok(true));
        assert_eq!(enter(&set, *hash, Link(0), &budget), Ok(false));
    }
    assert!(hashes.iter().all(|hash| set.contains(*hash)));
    assert!(hashes.iter().zip(0..).all(|(hash, n)| set.link(*hash) == Some(Link(n))));
    assert!((0..3000).all(|i| !set.contains(u64::MAX - i * 7 - 1)));
    let is_at_home = |hash| set.is_at_home(hash, set.prefetch(hash));
    assert!(hashes.iter().any(|hash| is_at_home(*hash)));
    assert!((0..3000).all(|i| !is_at_home(u64::MAX - i * 7 - 1)));
    assert_eq!(set.linked(set.link_to(u64::MAX)).len(), 3000);
    assert_eq!(set.linked(set.link_to(1)), [1]);
}

#[test]
fn a_link_leads_to_all_that_it_may_stand_for() {
    for (bits, shard_bits) in [(1, 4), (4, 1), (4, 6), (10, 10), (12, 3), (32, 1), (32, 10)] {
        let set = Set::new(layout(shard_bits, Some(bits)), ENOUGH);
        let budget = Budget::new(u64::MAX);
        let mut rng = fastrand::Rng::with_seed(bits as u64);
        let mut by_link: HashMap<u32, Vec<u64>> = HashMap::new();
        let random = (0..20_000).map(|_| rng.u64(1..));
        for hash in random.chain([1, 2, u64::MAX, u64::MAX >> bits, (u64::MAX >> bits) + 1]) {
            if enter(&set, hash, Link::NONE, &budget) == Ok(true) {
                by_link.entry(set.link_to(hash).0).or_default().push(hash);
            }
        }
        assert!(!by_link.contains_key(&0), "zero stands for no state");
        for (link, mut hashes) in by_link {
            let mut linked = set.linked(Link(link));
            hashes.sort_unstable();
            linked.sort_unstable();
            assert_eq!(linked, hashes, "{bits} bits, {shard_bits} for shards");
        }
        assert_eq!(set.linked(Link::NONE), []);
    }
}

#[test]
fn without_links_there_are_none() {
    let set = Set::new(layout(2, None), ENOUGH);
    assert_eq!(set.enter(5, set.link_to(7), &Budget::new(u64::MAX), || true), Ok(true));
    assert_eq!((set.link(5), set.linked(Link(1)).len()), (None, 0));
}

#[test]
fn a_full_set_stays_as_it_is() {
    for (space, memory) in [(0, u64::MAX), (1 << 16, u64::MAX), (ENOUGH, 0), (ENOUGH, 70_000)] {
        let (set, budget) = (Set::new(layout(3, Some(32)), space), Budget::new(memory));
        let mut rng = fastrand::Rng::with_seed(1);
        let mut entered = Vec::new();
        let full = loop {
            let hash = rng.u64(1..);
            match enter(&set, hash, set.link_to(hash), &budget) {
                Ok(_) => entered.push(hash),
                Err(full) => break full,
            }
        };
        assert_eq!((full, set.len()), (Full::Memory, entered.len() as u64));
        assert!(budget.used() <= memory && entered.len() < 10_000);
        assert!(entered.iter().all(|hash| set.link(*hash) == Some(set.link_to(*hash))));
    }
}

/// Eight threads enter, put off and recall in shards that grow: each hash is recalled as often
/// as it was put off.
#[test]
fn what_is_put_off_is_recalled_once() {
    let mut rng = fastrand::Rng::with_seed(2);
    let hashes: Vec<u64> = (0..80_000).map(|_| rng.u64(1..)).collect();
    let (set, budget) = (Set::new(layout(3, Some(32)), ENOUGH), Budget::new(u64::MAX));
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
        assert_eq!(set.link(*hash), Some(set.link_to(!hash)));
    }
}

#[test]
fn who_is_not_admitted_is_not_there() {
    let (set, budget) = (Set::new(layout(2, None), ENOUGH), Budget::new(u64::MAX));
    assert_eq!(set.enter(5, Link::NONE, &budget, || false), Err(Full::States));
    assert!(!set.contains(5) && set.len() == 0);
    assert_eq!(set.enter(5, Link::NONE, &budget, || true), Ok(true));
}
