//! Placing orders while people log in: the 99th percentile with 50 log-ins a second offered, against the one without. An open loop:
//! each request has its moment and is late from then on. Short phases with and without take turns and the orders of all phases are
//! counted together: one sync that takes long makes the percentile of a whole phase, but not that of all.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, OnceLock};
use std::time::{Duration, Instant};

use crate::http::{Connection, Outcome, PASSWORD, Server, members};
use crate::report::{Ratios, Section};

const ORDERS_PER_S: usize = 500;
const LOG_INS_PER_S: usize = 50;
const PHASE: Duration = Duration::from_secs(3);
/// Members who trade, so that nobody meets the limits of 10 orders a second and 100 open ones.
const TRADERS: usize = 96;
/// Members who log in.
const GUESTS: usize = 60;
/// Requests of each kind that may be on their way at once.
const CONNECTIONS: usize = 64;
/// From the last connection of a phase to its first request.
const CALM: Duration = Duration::from_millis(50);

/// Measures in `rounds` phases without log-ins and as many with them.
pub fn run(meridian: &Path, rounds: usize) -> Outcome<Section> {
    let data = tempfile::tempdir()?;
    // The log-ins come from many addresses, as those of many people do, so a proxy names them.
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1"];
    let server = Server::start(Command::new(meridian).args(arguments).args(["--trusted-proxy", "127.0.0.1", "--data"]).arg(data.path()))?;
    let tokens = members(&server, TRADERS + GUESTS)?;
    let traders = &tokens[..TRADERS];
    let attempts = AtomicUsize::new(0);
    let mut ratio = Ratios::new("p99 with log-ins / without", 2.0);
    let (mut alone, mut beside, mut right, mut wrong, mut refused) = (Vec::new(), Vec::new(), 0, 0, 0);
    // Files and caches grow into their place.
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

/// Median and 99th percentile.
fn percentiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// A phase begins for all kinds of requests at once, and only when all their connections are open: what it takes to make them is not
/// what is measured.
struct Phase {
    address: SocketAddr,
    ready: Barrier,
    start: OnceLock<Instant>,
}

impl Phase {
    fn of(kinds: usize, address: SocketAddr) -> Phase {
        Phase { address, ready: Barrier::new(kinds * CONNECTIONS), start: OnceLock::new() }
    }

    /// Does `work` with each number at its moment, `per_s` a second, and gathers what comes of it and how late it was done.
    fn paced<T: Send>(&self, per_s: usize, work: impl Fn(&mut Connection, usize) -> Outcome<T> + Sync) -> Outcome<Vec<(T, Duration)>> {
        let next = AtomicUsize::new(0);
        let total = per_s * PHASE.as_secs() as usize;
        let one = || -> Outcome<Vec<(T, Duration)>> {
            let connection = Connection::open(self.address);
            self.ready.wait();
            let (start, mut connection, mut done) = (*self.start.get_or_init(|| Instant::now() + CALM), connection?, Vec::new());
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return Ok(done);
                }
                let moment = start + Duration::from_secs(1) * number as u32 / per_s as u32;
                std::thread::sleep(moment.saturating_duration_since(Instant::now()));
                done.push((work(&mut connection, number)?, moment.elapsed()));
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(one)).collect();
            let mut all = Vec::with_capacity(total);
            for thread in threads {
                all.extend(thread.join().unwrap_or_else(|_| Err("a thread ended badly".into()))?);
            }
            Ok(all)
        })
    }
}

/// One phase of orders that rest; how late each was done, ms. They are cancelled behind it.
fn place_orders(phase: &Phase, tokens: &[String]) -> Outcome<Vec<f64>> {
    let done = phase.paced(ORDERS_PER_S, |connection, number| {
        let body = "legal_id=3&currency_id=1&type=1&amount=0.00100&target_price=60000.0";
        let answer = connection.call("POST", "/api/coin/trade", &tokens[number % tokens.len()], body)?;
        if answer.contains("\"code\":1") { Ok(()) } else { Err(format!("refused: {answer}").into()) }
    })?;
    let mut connection = Connection::open(phase.address)?;
    for token in tokens {
        connection.call("POST", "/api/coin/cancel_all", token, "")?;
    }
    Ok(done.iter().map(|(_, late)| late.as_secs_f64() * 1e3).collect())
}

#[derive(PartialEq)]
enum Answer {
    Right,
    Wrong,
    Refused,
}

/// One phase of log-ins by many members in turn. Each of them has the right and a wrong password by turns, so nobody is made to wait.
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
