//! Prints the entries of one seed, `seq time kind version public private` each, for the engine's golden journals:
//! `cargo run -p sim --example entries -- <seed> <commands>`. Without faults and restarts, so that the lines are the whole log.

use std::fmt::Write as _;

use engine::Engine;
use engine::codec::encode;
use sim::options::Options;
use sim::oracle::Oracle;
use sim::workload::Workload;

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".to_owned();
    }
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [seed, commands] = numbers.as_slice() else { return eprintln!("entries <seed> <commands>") };
    let options = Options::new(*seed, usize::try_from(*commands).unwrap_or(usize::MAX));
    let (mut engine, mut oracle, mut workload) = (Engine::default(), Oracle::default(), Workload::new(&options));
    for seq in 1..=*commands {
        let entry = workload.next(seq, &oracle, &engine);
        engine.apply(&entry, &mut Vec::new());
        oracle.apply(&entry);
        let bytes = encode(entry.request, &entry.command);
        println!("{seq} {} {} {} {} {}", entry.time.0, bytes.kind, bytes.version, hex(&bytes.public), hex(&bytes.private));
    }
}
