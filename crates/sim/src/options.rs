//! What one seed does: a random subset of work and faults, so that rare combinations occur.

use fastrand::Rng;

/// Everything derived from a seed before the run; printed with every failure.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed.
    pub seed: u64,
    /// Commands to run.
    pub commands: usize,
    /// Members that may exist.
    pub members: u64,
    /// A live genesis: no sandbox inputs, hence no money.
    pub live: bool,
    /// Only this pair and its coins are traded, so that its book is deep.
    pub only_pair: Option<u32>,
    /// Orders stay far apart, so that they pile up to the limit.
    pub hoard: bool,
    /// Members mistype, operators reject, cards pile up.
    pub careless: bool,
    /// A faucet call gives up to the limit of an amount, and an order may be as large.
    pub rich: bool,
    /// Largest step of time between two entries, ms.
    pub longest_step_ms: u64,
    /// One command in so many takes a day and more; 0: none.
    pub long_step_in: usize,
    /// Largest move of the index from one quote to the next, in 1/100 %.
    pub volatility: u64,
    /// One publication in so many jumps by up to a half; 0: none.
    pub jump_in: usize,
    /// One quote in so many is missing, old or far off; 0: none.
    pub bad_quote_in: usize,
    /// One command in so many carries values at the bounds or of the wrong kind; 0: none.
    pub garbage_in: usize,
    /// One write in so many repeats an earlier request key; 0: none carries a key.
    pub repeat_in: usize,
    /// Weights of the kinds of work, in the order of `Kind::ALL`.
    pub weights: [u32; 17],
    /// Largest group of entries in one append.
    pub largest_group: usize,
    /// One append in so many meets a fault; 0: none.
    pub fault_in: usize,
    /// One group in so many is followed by a snapshot; 0: none.
    pub snapshot_in: usize,
    /// One group in so many is followed by a restart; 0: only after faults.
    pub restart_in: usize,
    /// Options and contracts in a calm market, with a pool of contracts that one move strains.
    pub strained: bool,
    /// Entry from which the rules of this release act; 2: from the beginning, as in a log that this release began.
    pub activated_from: u64,
}

impl Options {
    /// Members convert near the largest value, out of a deep pool.
    pub fn converts_much(&self) -> bool {
        self.seed % 2 == 1
    }

    /// The options of a seed.
    pub fn new(seed: u64, commands: usize) -> Options {
        let mut rng = Rng::with_seed(seed ^ 0x6d65_7269_6469_616e);
        let sometimes = |rng: &mut Rng, usual: usize| if rng.u8(..4) == 0 { 0 } else { rng.usize(2..usual) };
        let weight = |rng: &mut Rng| [0, 1, 3, 10, 30][rng.usize(..5)];
        let mut weights: [u32; 17] = std::array::from_fn(|at| if at < 15 { weight(&mut rng) } else { 0 });
        // One seed in three uses new coins; the work of the others stays the same.
        weights[15] = if seed % 3 == 1 { 40 } else { 0 };
        // Without resting and crossing orders nothing trades. Work of people and operators depends on each other.
        let people = rng.u8(..3) == 0;
        weights[0] += if people { 2 } else { 20 };
        weights[1] += if people { 2 } else { 20 };
        (weights[9], weights[10]) = if people { (60, 60) } else { (weights[9].min(10), weights[10].min(10)) };
        let hoard = !people && rng.u8(..6) == 0;
        if hoard {
            weights = [100, 1, 30, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        }
        let strained = !people && seed % 5 == 4;
        let hoard = hoard && !strained;
        if strained {
            weights = [2, 2, 1, 1, 0, 1, 1, 2, 4, 1, 4, 60, 60, 10, 0, 0, 0];
        }
        let mut options = Options {
            strained,
            seed,
            commands,
            members: if strained {
                5
            } else if hoard || people {
                2
            } else {
                rng.u64(2..9)
            },
            live: !strained && !people && rng.u8(..32) == 0,
            only_pair: if hoard || rng.bool() { Some(rng.u32(1..7)) } else { None },
            hoard,
            careless: people && rng.u8(..3) == 0,
            rich: rng.u8(..4) == 0,
            longest_step_ms: if strained {
                1_000
            } else if hoard || people {
                1
            } else {
                [1, 50, 250, 1_000, 3_500][rng.usize(..5)]
            },
            long_step_in: if strained {
                0
            } else if people {
                40
            } else {
                sometimes(&mut rng, 400)
            },
            // In a quiet market options end near their open price, and at it where nothing moves.
            volatility: match [1, 10, 50, 300][rng.usize(..4)] {
                _ if strained => u64::from(!seed.is_multiple_of(3)),
                _ if seed % 8 == 3 => 0,
                drawn => drawn,
            },
            jump_in: sometimes(&mut rng, 60),
            bad_quote_in: sometimes(&mut rng, 30),
            garbage_in: sometimes(&mut rng, 40),
            repeat_in: sometimes(&mut rng, 20),
            weights,
            largest_group: [1, 3, 20][rng.usize(..3)],
            fault_in: sometimes(&mut rng, 40),
            snapshot_in: sometimes(&mut rng, 60),
            restart_in: sometimes(&mut rng, 100),
            activated_from: if strained || rng.bool() { 2 } else { rng.u64(2..400) },
        };
        // Drawn last, so that a seed stays the same as before plans existed.
        if !strained && !hoard {
            options.weights[16] = weight(&mut rng);
        }
        options
    }
}
