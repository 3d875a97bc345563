//! Placing an order over HTTP, durable, against a bare axum `Form` + `Json` handler: CPU time of the server for each request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::report::{Ratios, Section};

const CONNECTIONS: usize = 64;
/// Enough members that none reaches the limit of 10 orders a second.
const MEMBERS: usize = 640;
const ORDERS_OF_EACH: usize = 24;
/// After the last answer, the server is given this long to finish its work, such as rows in SQL; that time counts as well.
const SETTLED: Duration = Duration::from_millis(800);
/// The argument that starts [`serve_yardstick`].
pub const YARDSTICK: &str = "--http-yardstick";

/// The server's own allocator, so both sides of the comparison use the same one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[derive(Deserialize)]
struct PlainOrder {
    legal_id: u32,
    currency_id: u32,
    amount: String,
}

#[derive(Serialize)]
struct PlainAnswer {
    code: u32,
    id: u64,
}

/// The yardstick server: it reads the same form and answers with a small JSON, nothing else.
pub fn serve_yardstick() -> Outcome<()> {
    async fn handler(axum::Form(order): axum::Form<PlainOrder>) -> axum::Json<PlainAnswer> {
        axum::Json(PlainAnswer { code: 1, id: u64::from(order.legal_id + order.currency_id) + order.amount.len() as u64 })
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("ready on http://{}/", listener.local_addr()?);
        axum::serve(listener, axum::Router::new().route("/api/coin/trade", axum::routing::post(handler))).await?;
        Ok(())
    })
}

/// Measures `rounds` times. Both servers run all the time and are loaded in turn.
pub fn run(meridian: &Path, rounds: usize) -> Outcome<Section> {
    let bare = Server::start(Command::new(std::env::current_exe()?).arg(YARDSTICK))?;
    let data = tempfile::tempdir()?;
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1", "--data"];
    let ours = Server::start(Command::new(meridian).args(arguments).arg(data.path()))?;
    let mut ratio = Ratios::bounded("CPU of place-order / bare handler", 1.8, 3.4);
    let mut note = String::new();
    let tokens = members(&ours, MEMBERS)?;
    for _ in 0..rounds {
        // A member may have 100 open orders and send 10 requests a second, 30 at once.
        let mut connection = Connection::open(ours.address)?;
        tokens.iter().try_for_each(|token| connection.call("POST", "/api/coin/cancel_all", token, "").map(drop))?;
        std::thread::sleep(Duration::from_secs(3));
        let plain = bare.load(&tokens)?;
        let durable = ours.load(&tokens)?;
        ratio.add(durable.cpu_us / plain.cpu_us);
        note = format!(
            "{CONNECTIONS} connections; yardstick {:.1} us CPU a request; {:.0} durable orders a second",
            plain.cpu_us, durable.per_second
        );
    }
    Ok(Section { title: "POST place-order, durable (SQLite)".to_owned(), note, ratios: vec![ratio] })
}

/// A server in its own process, which ends when this is dropped.
pub struct Server {
    process: Child,
    /// The address it listens on.
    pub address: SocketAddr,
}

struct Load {
    cpu_us: f64,
    per_second: f64,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may already have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts it and waits until it prints its address.
    pub fn start(command: &mut Command) -> Outcome<Server> {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = process.stdout.take().ok_or("no output")?;
        for line in BufReader::new(output).lines() {
            let line = line?;
            if let Some((_, rest)) = line.split_once("http://") {
                let address = rest.trim_end_matches('/').parse()?;
                return Ok(Server { process, address });
            }
        }
        Err("a server ended before it was ready".into())
    }

    /// Peak resident memory, MiB.
    pub fn peak_mib(&self) -> Outcome<f64> {
        self.memory_mib("VmHWM:")
    }

    /// Resident memory now, MiB.
    pub fn resident_mib(&self) -> Outcome<f64> {
        self.memory_mib("VmRSS:")
    }

    fn memory_mib(&self, name: &str) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let (_, memory) = status.split_once(name).ok_or("no memory")?;
        Ok(memory.split_whitespace().next().ok_or("no memory")?.parse::<f64>()? / 1024.0)
    }

    /// CPU time of its threads, seconds. `schedstat` counts nanoseconds, `stat` only ticks of 10 ms.
    fn cpu(&self) -> Outcome<f64> {
        let mut ran_ns = 0.0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", self.process.id()))? {
            let text = std::fs::read_to_string(thread?.path().join("schedstat"))?;
            ran_ns += text.split_whitespace().next().ok_or("schedstat")?.parse::<f64>()?;
        }
        Ok(ran_ns / 1e9)
    }

    /// Sends every member's orders over all connections; each must be accepted.
    fn load(&self, tokens: &[String]) -> Outcome<Load> {
        let (next, total) = (AtomicUsize::new(0), tokens.len() * ORDERS_OF_EACH);
        let (cpu, start) = (self.cpu()?, Instant::now());
        std::thread::scope(|scope| {
            let work = || -> Outcome<()> {
                let mut connection = Connection::open(self.address)?;
                loop {
                    let order = next.fetch_add(1, Ordering::Relaxed);
                    if order >= total {
                        return Ok(());
                    }
                    let token = &tokens[order % tokens.len()];
                    let body = "legal_id=3&currency_id=1&type=1&amount=0.00100&target_price=60000.0";
                    let answer = connection.call("POST", "/api/coin/trade", token, body)?;
                    if !answer.contains("\"code\":1") {
                        return Err(format!("refused: {answer}").into());
                    }
                }
            };
            let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a thread ended badly".into())))
        })?;
        let seconds = start.elapsed().as_secs_f64();
        std::thread::sleep(SETTLED);
        Ok(Load { cpu_us: (self.cpu()? - cpu) * 1e6 / total as f64, per_second: total as f64 / seconds })
    }
}

/// The password of every member.
pub const PASSWORD: &str = "correct horse battery";

/// Registers members with paper funds and the addresses `bench0@example.org`, `bench1@...`; returns their tokens.
pub fn members(server: &Server, count: usize) -> Outcome<Vec<String>> {
    let mut connection = Connection::open(server.address)?;
    connection.call("POST", "/sandbox/price", "", "symbol=BTC/USDT&price=100000")?;
    let one = |member: usize, connection: &mut Connection| -> Outcome<String> {
        let email = format!("bench{member}@example.org");
        connection.call("POST", "/api/sms_mail", "", &format!("user_string={email}&type=register"))?;
        let outbox = connection.call("GET", &format!("/sandbox/outbox?to={email}"), "", "")?;
        let code = text_after(&outbox, "\"code\":\"").ok_or("no code in the outbox")?;
        let password = PASSWORD;
        let body = format!("type=email&user_string={email}&code={code}&password={password}&re_password={password}&agree=1");
        connection.call("POST", "/api/user/register", "", &body.replace(' ', "+"))?;
        let login =
            connection.call("POST", "/api/user/login", "", &format!("user_string={email}&password={password}").replace(' ', "+"))?;
        let token = text_after(&login, "\"message\":\"").ok_or("no token")?.to_owned();
        connection.call("POST", "/sandbox/faucet", &token, "asset=USDT&amount=100000")?;
        Ok(token)
    };
    (0..count).map(|member| one(member, &mut connection)).collect()
}

fn text_after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark)?.1.split('"').next()
}

/// A connection that is kept open.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    /// Opens one.
    pub fn open(address: SocketAddr) -> Outcome<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    /// Sends a form from this machine; returns the answer's body.
    pub fn call(&mut self, method: &str, path: &str, token: &str, body: &str) -> Outcome<String> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: {token}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.exchange(request.as_bytes())
    }

    /// Sends a form from another person's address, as a proxy would; returns the answer's body.
    pub fn call_from(&mut self, person: usize, path: &str, body: &str) -> Outcome<String> {
        let (address, length) = (format!("10.0.{}.{}", person / 250 % 250, person % 250), body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: {address}\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.exchange(request.as_bytes())
    }

    /// Sends a raw request; returns the answer's body.
    pub fn exchange(&mut self, request: &[u8]) -> Outcome<String> {
        self.stream.get_mut().write_all(request)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err("the connection ended".into());
            }
            if let Some((_, value)) = line.to_ascii_lowercase().split_once("content-length:") {
                length = value.trim().parse()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok(String::from_utf8(answer)?)
    }
}
