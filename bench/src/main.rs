//! `make bench`: our parts against yardsticks, interleaved in one run. Ratios count; absolute times belong to the machine.
//! `--only PART` measures one of them: `tokens`, `requests`, `matching`, `options`, `plans`, `liabilities`,
//! `orders`, `logins`, `names`, `sockets` or `uploads`.

mod bare_book;
mod http;
mod liabilities;
mod log_reads;
mod logins;
mod matching;
mod names;
mod options;
mod paced;
mod plans;
mod report;
mod requests;
mod sockets;
mod tokens;
mod uploads;
mod workload;

use std::path::Path;
use std::process::ExitCode;

/// A part that runs the server of this binary, for this many rounds.
type Measure = fn(&Path, usize) -> http::Outcome<report::Section>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    if has(http::YARDSTICK) {
        return finish(http::serve_yardstick().map(|()| true));
    }
    let value = |word: &str| arguments.iter().skip_while(|argument| *argument != word).nth(1);
    let (rounds, commands) = if has("--quick") { (3, 200_000) } else { (7, 2_000_000) };
    let wanted = |part: &str| value("--only").is_none_or(|only| only == part);
    let mut sections = Vec::new();
    // Parts that measure the memory of this process come first.
    for (part, measure) in [("tokens", tokens::run as fn(usize) -> _), ("requests", requests::run)] {
        if wanted(part) {
            match measure(rounds) {
                Ok(section) => sections.push(section),
                Err(error) => return finish(Err(error)),
            }
        }
    }
    if wanted("matching") {
        sections.append(&mut matching::run(rounds, commands));
    }
    if wanted("options") {
        sections.push(options::run(rounds, commands));
    }
    if wanted("plans") {
        sections.push(plans::run(rounds, commands));
    }
    if wanted("liabilities") {
        sections.push(liabilities::run(rounds));
    }
    // The server is measured only if its binary is named.
    if let Some(meridian) = value("--meridian") {
        let meridian = Path::new(meridian);
        let parts = [
            ("orders", http::run as Measure, 9),
            ("logins", logins::run, 14),
            ("log-reads", log_reads::run, 7),
            ("names", names::run, 1),
            ("sockets", sockets::run, 5),
            ("uploads", uploads::run, 1),
        ];
        for (part, measure, rounds) in parts {
            if wanted(part) {
                match measure(meridian, rounds) {
                    Ok(section) => sections.push(section),
                    Err(error) => return finish(Err(error)),
                }
            }
        }
    }
    finish(Ok(report::print(&sections)))
}

fn finish(kept: http::Outcome<bool>) -> ExitCode {
    match kept {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
