//! An open loop: each request has its moment, and its delay counts from then on. Short phases with and without a load alternate, and the
//! orders of all phases are counted together, because one slow sync would decide the percentile of a single phase.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, OnceLock};
use std::time::{Duration, Instant};

use crate::http::{Connection, Outcome};

/// Orders sent in each second of a phase.
pub const ORDERS_PER_S: usize = 500;
/// Enough members that none reaches the limits of 10 orders a second and 100 open ones.
pub const TRADERS: usize = 96;
const PHASE: Duration = Duration::from_secs(3);
/// Requests of each kind in flight at most.
const CONNECTIONS: usize = 64;
/// Time from the last connection of a phase to its first request.
const CALM: Duration = Duration::from_millis(50);

/// A phase begins at the same time for all kinds of requests, once all their connections are open, so connecting is not measured.
pub struct Phase {
    address: SocketAddr,
    ready: Barrier,
    start: OnceLock<Instant>,
}

impl Phase {
    /// A start for this many kinds of requests.
    pub fn of(kinds: usize, address: SocketAddr) -> Phase {
        Phase { address, ready: Barrier::new(kinds * CONNECTIONS), start: OnceLock::new() }
    }

    /// Calls `work` with each number at its moment, `per_s` a second; returns the results and the delay of each.
    pub fn paced<T: Send>(&self, per_s: usize, work: impl Fn(&mut Connection, usize) -> Outcome<T> + Sync) -> Outcome<Vec<(T, Duration)>> {
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

/// Median and 99th percentile.
pub fn percentiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// One phase of orders that rest on the book; returns the delay of each, ms. They are cancelled afterwards.
pub fn place_orders(phase: &Phase, tokens: &[String]) -> Outcome<Vec<f64>> {
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
