//! Placing orders while strangers read the log, for which the writer itself reads the journal: the 99th percentile with 300 reads a second
//! against the one without.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::http::{Outcome, Server, members};
use crate::paced::{ORDERS_PER_S, Phase, TRADERS, percentiles, place_orders};
use crate::report::{Ratios, Section};

const READS_PER_S: usize = 300;
/// The most entries in one answer.
const LIMIT: usize = 100;
/// Entries written before the orders; reads are spread over them.
const ENTRIES: usize = 500;

/// Measures `rounds` phases without reads and as many with them.
pub fn run(meridian: &Path, rounds: usize) -> Outcome<Section> {
    let data = tempfile::tempdir()?;
    // The readers have many addresses, as behind a proxy.
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1"];
    let server = Server::start(Command::new(meridian).args(arguments).args(["--trusted-proxy", "127.0.0.1", "--data"]).arg(data.path()))?;
    let traders = members(&server, TRADERS)?;
    let (mut alone, mut beside, readers) = (Vec::new(), Vec::new(), AtomicUsize::new(0));
    // A first phase that does not count: files and caches grow to their size.
    place_orders(&Phase::of(1, server.address), &traders)?;
    for _ in 0..rounds {
        alone.extend(place_orders(&Phase::of(1, server.address), &traders)?);
        let phase = Phase::of(2, server.address);
        beside.extend(std::thread::scope(|scope| {
            let reads = scope.spawn(|| read(&phase, &readers));
            let busy = place_orders(&phase, &traders);
            reads.join().unwrap_or_else(|_| Err("a thread ended badly".into()))?;
            busy
        })?);
    }
    let longest = beside.iter().copied().fold(0.0, f64::max);
    let [(half_alone, quiet), (half_beside, busy)] = [alone, beside].map(percentiles);
    let mut ratio = Ratios::new("p99 with reads / without", 2.0);
    ratio.add(busy / quiet);
    let note = format!(
        "{ORDERS_PER_S} orders a second, median and p99 alone {half_alone:.1} and {quiet:.1} ms, beside {half_beside:.1} and {busy:.1} ms, the \
         longest {longest:.1} ms"
    );
    Ok(Section { title: format!("POST place-order beside {READS_PER_S} reads of the log a second"), note, ratios: vec![ratio] })
}

/// One phase of reads, each from another address.
fn read(phase: &Phase, readers: &AtomicUsize) -> Outcome<()> {
    phase.paced(READS_PER_S, |connection, _| {
        let reader = readers.fetch_add(1, Ordering::Relaxed);
        let from = 1 + reader * 37 % ENTRIES;
        let (a, b) = (reader / 250 % 250, reader % 250);
        let request =
            format!("GET /api/proof/entries?from={from}&limit={LIMIT} HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: 10.1.{a}.{b}\r\n\r\n");
        let answer = connection.exchange(request.as_bytes())?;
        if answer.contains("\"code\":1") { Ok(()) } else { Err(format!("a read: {answer:.200}").into()) }
    })?;
    Ok(())
}
