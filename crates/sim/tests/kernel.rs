//! Seeds through the kernel's writer, which applies commands ahead of the log.

use sim::kernel_node::Report;
use sim::simulate_kernel;

const SEEDS: u64 = 200;
const COMMANDS: usize = 200;

#[test]
fn two_hundred_seeds_show_only_what_is_durable() {
    let mut total = Report::default();
    for seed in 0..SEEDS {
        total.add(&simulate_kernel(seed, COMMANDS).unwrap_or_else(|failure| panic!("{failure}")));
    }
    println!("{total:?}");
    // Seeds that met no fault would pass everything.
    for fault in ["None", "Refused", "AnswerLost", "CommitLost", "Unsynced", "Crash", "Deposed"] {
        assert!(total.appends.get(fault).is_some_and(|count| *count >= 20), "too few appends met {fault}: {total:?}");
    }
    assert!(total.poisoned > 100 && total.left > 20 && total.snapshots > 100 && total.restarts > 200, "too little happened: {total:?}");
    assert!(total.full >= 20 && total.own > 5, "too few groups were full, or made by the writer itself: {total:?}");
    for why in ["NotReady", "OutcomeUnknown", "Internal", "Time"] {
        assert!(total.unanswered.contains_key(why), "nobody was told {why}: {total:?}");
    }
}
