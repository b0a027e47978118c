//! States to store.
#![allow(dead_code, reason = "not every test needs all of it")]

use auspex_system::StateRef;

pub type State = (Vec<u8>, Vec<u32>);

pub fn view((bytes, cuts): &State) -> StateRef<'_> {
    StateRef { bytes, cuts }
}

/// Parts as their own strings: easier to change than bytes and cuts.
pub fn join(parts: &[Vec<u8>]) -> State {
    let (mut bytes, mut cuts) = (Vec::new(), Vec::new());
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            cuts.push(bytes.len() as u32);
        }
        bytes.extend_from_slice(part);
    }
    (bytes, cuts)
}

pub fn random_part(rng: &mut fastrand::Rng) -> Vec<u8> {
    let longest = [1, 4, 8, 9, 30][rng.usize(..5)];
    (0..rng.usize(..=longest)).map(|_| rng.u8(..3)).collect()
}

pub fn change(parts: &mut Vec<Vec<u8>>, rng: &mut fastrand::Rng) {
    let at = rng.usize(..parts.len().max(1));
    match rng.u8(..20) {
        0 => parts.insert(at, random_part(rng)),
        1 if parts.len() > 1 => drop(parts.remove(at)),
        2 => parts[at] = random_part(rng),
        _ => {
            let part = &mut parts[at];
            if let Some(byte) = rng.choice(part.iter_mut()) {
                *byte = fastrand::Rng::with_seed(*byte as u64 + 1).u8(..5);
            }
        }
    }
}

pub fn seed() -> u64 {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    seed
}

/// The `n`-th of many states that share most of their parts.
pub fn numbered(n: u64) -> State {
    let digits: Vec<Vec<u8>> =
        (0..8).map(|i| vec![(n >> (3 * i)) as u8 & 7; 4 + (i % 3)]).collect();
    join(&digits)
}
