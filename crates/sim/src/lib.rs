//! Simulation: random work and faults for engine and journal, from one seed, compared with a naive model after every command.
//!
//! One run checks after every command: the answer, all balances, fees, books, orders, trades and index prices against [`oracle`]; the
//! engine's own invariants (I-1, I-3, I-9; I-2 holds by type); that a reader of the events alone would know the same
//! ([`projection`], I-12); and that a follower, who reads every entry back from the journal and starts anew from its own snapshot
//! after each one, has the same state byte for byte (I-10). Between commands it crashes the database, loses answers, deposes the
//! leader and restarts the node from a snapshot and from nothing; all copies must have the same hash, and the journal must hold
//! exactly what was acknowledged.
//! [`node`] appends first and then applies, so each step is compared alone; [`kernel_node`] sends the same work through the kernel's writer,
//! which applies ahead of the log.
//! Everything is derived from the seed: `cargo run -p sim -- --seeds 17..18 --commands 2000` repeats run 17 to the last byte.
//!
//! **Teeth.** Faults put into a copy of the engine, one at a time; each made the named tests fail (`scenarios` = engine/tests/scenarios,
//! `seeds` and `properties` = sim/tests):
//!
//! | fault | found by |
//! |---|---|
//! | fee rounded down; fee rounded per fill; maker pays the taker's fee | scenarios, seeds, properties |
//! | last of a level trades first; self-trade prevention off; fill-or-kill counts own orders; post-only may cross | scenarios, seeds |
//! | hold not released at the end; better price not given back; held money can be moved | scenarios, seeds |
//! | stop triggered only beyond its price; stop side reversed; stops run by price instead of number | scenarios, seeds |
//! | triggered stop keeps its old place; restored books in order of numbers | scenarios, seeds |
//! | snapshot forgets the priorities; no level event after a cancel | seeds |
//! | index fresh at 3 001 ms; rounded half up; 2 % dropped; jump confirmed by two; jump reset at 60 s; computed pair takes the newer leg | scenarios, seeds |
//! | band edge excluded; market orders without band; step checked before tick; 101 open orders; client id never free again | scenarios, seeds |
//! | first answer forgotten at 24 h | scenarios |
//! | log loses a request key | scenarios, seeds, properties |
//! | one operator approves twice; a proposer confirms; a reviewer decides about themselves; a version is not looked at | scenarios, seeds |
//! | four withdrawals a day; value of the day rounded down; six tries of the fund password | scenarios or vectors, seeds |
//! | a hold or an expiry ends one millisecond late or early; sources act at once; an open order takes a new fee | scenarios |
//! | a key credited twice; the claimed amount credited; another bank reference counts as the second | scenarios |
//! | fees free before a withdrawal is sent, or never; a returned one keeps its fee; a rejected one stays held | scenarios |
//! | a revoked document stays taken; advanced outlives basic; a frozen member trades; a pause stops nothing; a used address goes | scenarios |
//! | snapshot forgets proposals and catalog versions | scenarios |
//! | restored node forgets request keys; follower overlooks a kind of entry; second genesis taken; changed filters not taken over | seeds |
//! | a payment entered by hand is credited, though a watcher saw less than the minimum | scenarios, seeds |
//! | a reversal takes everything available; a returned withdrawal leaves its fee with the house | seeds |

pub mod compare;
mod follower;
pub mod kernel_node;
pub mod kinds;
pub mod node;
pub mod options;
pub mod oracle;
pub mod projection;
mod report;
pub mod workload;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use options::Options;
pub use report::Report;

/// Why a run failed, with everything needed to repeat it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed and what was derived from it.
    pub options: Box<Options>,
    /// Description of the failure.
    pub what: String,
    /// What to add to the command that repeats it.
    with: &'static str,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Options { seed, commands, .. } = *self.options;
        write!(
            f,
            "seed {seed} failed: {}\nderived: {:?}\nrepeat: cargo run -p sim -- {}--seeds {seed}..{} --commands {commands}",
            self.what,
            self.options,
            self.with,
            seed + 1
        )
    }
}

/// Runs one seed; a panic of engine or journal is a failure like any other.
///
/// # Errors
/// The first thing that differs.
pub fn simulate(seed: u64, commands: usize) -> Result<Report, Failure> {
    guarded("", seed, commands, node::run)
}

/// Runs one seed through the kernel's writer.
///
/// # Errors
/// The first thing that differs.
pub fn simulate_kernel(seed: u64, commands: usize) -> Result<kernel_node::Report, Failure> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if panic.payload_as_str() != Some("poisoned on purpose") {
                usual(panic);
            }
        }));
    });
    guarded("--kernel ", seed, commands, kernel_node::run)
}

fn guarded<T>(with: &'static str, seed: u64, commands: usize, run: fn(&Options) -> Result<T, String>) -> Result<T, Failure> {
    let options = Options::new(seed, commands);
    let result = catch_unwind(AssertUnwindSafe(|| run(&options))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    });
    result.map_err(|what| Failure { options: Box::new(options), what, with })
}
