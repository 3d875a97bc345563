//! `make bench`: our parts against yardsticks, interleaved in one run. Ratios count; absolute times belong to the machine.

mod bare_book;
mod matching;
mod report;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (rounds, commands) = if quick { (3, 200_000) } else { (7, 2_000_000) };
    let sections = matching::run(rounds, commands);
    let kept = sections.iter().map(report::print).fold(true, |all, kept| all & kept);
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
