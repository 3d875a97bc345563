//! Eight guests, each from an address of their own, flood the sockets with `sub` and `resume` while a member places orders: the time of a
//! place-order against the one on a quiet server, and the memory that the flood costs.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::http::{Connection, Outcome, Server, members};
use crate::report::{Ratios, Section};

const GUESTS: usize = 8;
/// Messages that each guest sends on every beat: 100,000 a second in all.
const BURST: usize = 625;
const BEAT: Duration = Duration::from_millis(50);
/// Orders for one percentile, sent one by one at this pace; all members together may send 200 a second.
const ORDERS: usize = 400;
const PACE: Duration = Duration::from_millis(8);
const MEMBERS: usize = 40;
const MEMORY_MIB: f64 = 64.0;

/// Measures orders without and with the flood in turn.
pub fn run(meridian: &Path, rounds: usize) -> Outcome<Section> {
    let data = tempfile::tempdir()?;
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1"];
    let server = Server::start(Command::new(meridian).args(arguments).args(["--trusted-proxy", "127.0.0.1", "--data"]).arg(data.path()))?;
    let tokens = members(&server, MEMBERS)?;
    let mut slower = Ratios::new("p99 of place-order, flooded / quiet", 2.0);
    let mut memory = Ratios::new("memory of the flood / 64 MiB", 1.0);
    orders(server.address, &tokens)?;
    let (mut quiet, mut flooded, mut offered, mut taken, mut seconds) = (Vec::new(), Vec::new(), 0, 0, 0.0);
    let before = server.resident_mib()?;
    for _ in 0..rounds {
        quiet.extend(orders(server.address, &tokens)?);
        let start = Instant::now();
        let (times, flood) = beside_a_flood(server.address, || orders(server.address, &tokens))?;
        flooded.extend(times);
        offered += flood.offered;
        taken += flood.taken;
        seconds += start.elapsed().as_secs_f64();
    }
    let (quiet, flooded) = (p99_ms(&mut quiet), p99_ms(&mut flooded));
    let grown = (server.peak_mib()? - before).max(0.0);
    slower.add(flooded / quiet);
    memory.add(grown / MEMORY_MIB);
    let mut note = format!("{GUESTS} guests offered {:.0} messages a second, ", offered as f64 / seconds);
    write!(note, "of which {:.0} left them before they were ended or held back; ", taken as f64 / seconds)?;
    write!(note, "p99 of an order {quiet:.2} ms quiet, {flooded:.2} ms flooded; {grown:.1} MiB more than the {before:.0} MiB before")?;
    Ok(Section { title: "Place-order beside a flood of guests' sockets".to_owned(), note, ratios: vec![slower, memory] })
}

/// The time of each order, ms.
fn orders(address: SocketAddr, tokens: &[String]) -> Outcome<Vec<f64>> {
    let mut connection = Connection::open(address)?;
    let body = "legal_id=3&currency_id=1&type=1&amount=0.00100&target_price=60000.0";
    let one = |order: usize| -> Outcome<f64> {
        let token = &tokens[order % tokens.len()];
        let start = Instant::now();
        let answer = connection.call("POST", "/api/coin/trade", token, body)?;
        let took = start.elapsed();
        if !answer.contains("\"code\":1") {
            return Err(format!("refused: {answer}").into());
        }
        std::thread::sleep(PACE.saturating_sub(took));
        Ok(took.as_secs_f64() * 1e3)
    };
    let times = (0..ORDERS).map(one).collect();
    let mut connection = Connection::open(address)?;
    tokens.iter().try_for_each(|token| connection.call("POST", "/api/coin/cancel_all", token, "").map(drop))?;
    times
}

fn p99_ms(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() * 99 / 100]
}

/// Messages sent by all guests.
struct Flood {
    offered: u64,
    /// Those of them that a connection accepted.
    taken: u64,
}

/// The result of the work, and the messages sent meanwhile.
fn beside_a_flood<T>(address: SocketAddr, work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, Flood)> {
    let (over, offered, taken) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let done = std::thread::scope(|scope| {
        for guest in 0..GUESTS {
            let (over, offered, taken) = (&over, &offered, &taken);
            scope.spawn(move || flood(address, guest, over, offered, taken));
        }
        let done = work();
        over.store(true, Ordering::Relaxed);
        done
    })?;
    Ok((done, Flood { offered: offered.into_inner(), taken: taken.into_inner() }))
}

/// Sends a burst on every beat, on a new connection if the last one ended.
fn flood(address: SocketAddr, guest: usize, over: &AtomicBool, offered: &AtomicU64, taken: &AtomicU64) {
    let mut burst = Vec::new();
    for message in 0..BURST {
        let text = if message % 2 == 0 { r#"42["sub",{"channel":"book","symbol":"BTC/USDT"}]"# } else { r#"42["resume",{"pseq":1}]"# };
        burst.extend(frame(text));
    }
    let mut socket = None;
    while !over.load(Ordering::Relaxed) {
        let start = Instant::now();
        if socket.is_none() {
            socket = connect(address, guest).ok();
        }
        offered.fetch_add(BURST as u64, Ordering::Relaxed);
        if let Some(open) = &mut socket {
            let (sent, result) = send(open, &burst);
            taken.fetch_add((sent * BURST / burst.len()) as u64, Ordering::Relaxed);
            if result.is_err() {
                socket = None;
            }
        }
        std::thread::sleep(BEAT.saturating_sub(start.elapsed()));
    }
}

/// A guest's WebSocket, as a proxy would forward it.
fn connect(address: SocketAddr, guest: usize) -> Outcome<TcpStream> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_millis(500)))?;
    let ask = format!(
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: 10.1.0.{guest}\r\nconnection: upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    socket.write_all(ask.as_bytes())?;
    socket.write_all(&frame("40"))?;
    let mut answer = [0; 4_096];
    let read = socket.read(&mut answer)?;
    if !answer[..read].starts_with(b"HTTP/1.1 101") {
        return Err("refused".into());
    }
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Reads what the server sends and writes what it accepts; returns the number of bytes, and how it ended.
fn send(socket: &mut TcpStream, bytes: &[u8]) -> (usize, std::io::Result<()>) {
    let (mut answer, mut sent) = ([0; 64 * 1024], 0);
    loop {
        match socket.read(&mut answer) {
            Ok(0) => return (sent, Err(std::io::ErrorKind::UnexpectedEof.into())),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => break,
            Err(error) => return (sent, Err(error)),
        }
    }
    while sent < bytes.len() {
        match socket.write(&bytes[sent..]) {
            Ok(written) => sent += written,
            // The server does not read, so nothing more can be sent.
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => break,
            Err(error) => return (sent, Err(error)),
        }
    }
    (sent, Ok(()))
}

/// A text frame of a client, with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    let mut frame = vec![0x81, 0x80 | text.len() as u8, 0, 0, 0, 0];
    frame.extend(text.as_bytes());
    frame
}
