//! `make bench`: our parts against yardsticks, interleaved in one run. Ratios count; absolute times belong to the machine.

mod bare_book;
mod http;
mod matching;
mod report;
mod workload;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    if has(http::YARDSTICK) {
        return finish(http::serve_yardstick().map(|()| true));
    }
    let (rounds, commands) = if has("--quick") { (3, 200_000) } else { (7, 2_000_000) };
    let mut sections = matching::run(rounds, commands);
    // The server is measured if its binary is named.
    if let Some(meridian) = arguments.iter().skip_while(|argument| *argument != "--meridian").nth(1) {
        match http::run(&PathBuf::from(meridian), 3) {
            Ok(section) => sections.push(section),
            Err(error) => return finish(Err(error)),
        }
    }
    finish(Ok(sections.iter().map(report::print).fold(true, |all, kept| all & kept)))
}

fn finish(kept: Result<bool, Box<dyn std::error::Error + Send + Sync>>) -> ExitCode {
    match kept {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
