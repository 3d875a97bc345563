//! Placing orders while people log in: the 99th percentile with 50 log-ins a second against the one without.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::http::{Outcome, PASSWORD, Server, members};
use crate::paced::{ORDERS_PER_S, Phase, TRADERS, percentiles, place_orders};
use crate::report::{Ratios, Section};

const LOG_INS_PER_S: usize = 50;
/// Members who log in.
const GUESTS: usize = 60;

/// Measures `rounds` phases without log-ins and as many with them.
pub fn run(meridian: &Path, rounds: usize) -> Outcome<Section> {
    let data = tempfile::tempdir()?;
    // The log-ins come from many addresses, as behind a proxy.
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1"];
    let server = Server::start(Command::new(meridian).args(arguments).args(["--trusted-proxy", "127.0.0.1", "--data"]).arg(data.path()))?;
    let tokens = members(&server, TRADERS + GUESTS)?;
    let traders = &tokens[..TRADERS];
    let attempts = AtomicUsize::new(0);
    let mut ratio = Ratios::new("p99 with log-ins / without", 2.0);
    let (mut alone, mut beside, mut right, mut wrong, mut refused) = (Vec::new(), Vec::new(), 0, 0, 0);
    // A first phase that does not count: files and caches grow to their size.
    place_orders(&Phase::of(1, server.address), traders)?;
    for _ in 0..rounds {
        alone.extend(place_orders(&Phase::of(1, server.address), traders)?);
        let (mut answers, phase) = (Vec::new(), Phase::of(2, server.address));
        beside.extend(std::thread::scope(|scope| {
            let log_ins = scope.spawn(|| log_in(&phase, &attempts));
            let busy = place_orders(&phase, traders);
            answers = log_ins.join().unwrap_or_else(|_| Err("a thread ended badly".into()))?;
            busy
        })?);
        right += answers.iter().filter(|answer| **answer == Answer::Right).count();
        wrong += answers.iter().filter(|answer| **answer == Answer::Wrong).count();
        refused += answers.iter().filter(|answer| **answer == Answer::Refused).count();
    }
    let [(half_alone, quiet), (half_beside, busy)] = [alone, beside].map(percentiles);
    ratio.add(busy / quiet);
    let note = format!(
        "{ORDERS_PER_S} orders a second, median and p99 alone {half_alone:.1} and {quiet:.1} ms, beside {half_beside:.1} and {busy:.1} ms; \
         of {} log-ins {right} were right, {wrong} wrong, {refused} told to try later",
        right + wrong + refused
    );
    Ok(Section { title: format!("POST place-order beside {LOG_INS_PER_S} log-ins a second"), note, ratios: vec![ratio] })
}

#[derive(PartialEq)]
enum Answer {
    Right,
    Wrong,
    Refused,
}

/// One phase of log-ins by many members in turn. Each alternates between the right and a wrong password, so none has to wait.
fn log_in(phase: &Phase, attempts: &AtomicUsize) -> Outcome<Vec<Answer>> {
    let done = phase.paced(LOG_INS_PER_S, |connection, _| {
        let attempt = attempts.fetch_add(1, Ordering::Relaxed);
        let (guest, again) = (attempt % GUESTS, attempt / GUESTS);
        let password = if (guest + again) % 2 == 0 { PASSWORD } else { "wrong horse battery" };
        let body = format!("user_string=bench{}@example.org&password={password}", TRADERS + guest).replace(' ', "+");
        let answer = connection.call_from(attempt, "/api/user/login", &body)?;
        let has = |name: &str| answer.contains(&format!("\"error\":\"{name}\""));
        match () {
            () if answer.contains("\"code\":1") => Ok(Answer::Right),
            () if has("E_CREDENTIALS") => Ok(Answer::Wrong),
            () if has("E_RATE") || has("E_LOGIN_WAIT") => Ok(Answer::Refused),
            () => Err(format!("log-in: {answer}").into()),
        }
    })?;
    Ok(done.into_iter().map(|(answer, _)| answer).collect())
}
