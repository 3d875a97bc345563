//! What was acknowledged survives `kill -9` of the real binary under load: nothing lost, nothing doubled, every balance explained (G1, G4).
//!
//! Answers are kept in this process, outside the killed one. The load of a run follows from its seed (`MERIDIAN_TEST_SEED`);
//! the instant of a kill within the work of the server does not.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::future::join_all;
use journal::testing::PostgresServer;
use serde_json::Value as Json;
use tokio::sync::Notify;

const BINARY: &str = env!("CARGO_BIN_EXE_meridian");
const MEMBERS: usize = 8;
/// Coins that members get, and how much: (number, code, faucet).
const COINS: [(u64, &str, &str); 2] = [(3, "USDT", "1000000.000000"), (1, "BTC", "10.00000000")];
/// Wallets that a member moves USDT to, with their numbers in the statement.
const WALLETS: [(&str, u64); 3] = [("lever", 3), ("micro", 4), ("trust", 5)];
/// Rows of a page.
const LIMIT: usize = 100;
/// Statement kinds: trade, fee.
const TRADE: u64 = 51;
const FEE: u64 = 53;
const PATIENCE: Duration = Duration::from_secs(30);

/// One process of `meridian serve`. When a test fails, its output is shown.
struct Server {
    process: Child,
    slow_disk: bool,
    url: String,
    log: PathBuf,
}

impl Server {
    /// Starts on this data and waits until it is ready.
    async fn start(data: &Path, options: &[&str], slow_disk: bool, client: &reqwest::Client) -> Server {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (listen, log) = (format!("127.0.0.1:{port}"), data.with_extension("log"));
        let mut command = match slow_disk {
            true => slowed(),
            false => Command::new(BINARY),
        };
        command.args(["serve", "--genesis", "sandbox", "--chart-days", "1", "--listen", &listen, "--data"]).arg(data).args(options);
        let output = File::create(&log).unwrap();
        let process = command.stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
        let mut server = Server { process, slow_disk, url: format!("http://{listen}"), log };
        let deadline = Instant::now() + PATIENCE;
        while !client.get(format!("{}/readyz", server.url)).send().await.is_ok_and(|answer| answer.status() == 200) {
            server.expect_alive();
            assert!(Instant::now() < deadline, "the server is not ready after {PATIENCE:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        server
    }

    fn expect_alive(&mut self) {
        let ended = self.process.try_wait().unwrap();
        assert!(ended.is_none(), "the server ended by itself: {ended:?}");
    }

    /// SIGKILL.
    fn kill(&mut self) {
        self.expect_alive();
        self.end();
    }

    fn end(&mut self) {
        let pid = self.process.id();
        let traced = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        match traced.split_whitespace().next().filter(|_| self.slow_disk) {
            // The tracer ends with what it traces; the other way round the server would live on.
            Some(server) => drop(Command::new("kill").args(["-9", server]).status().unwrap()),
            None => self.process.kill().unwrap(),
        }
        self.process.wait().unwrap();
    }
}

/// The server on a disk that takes 20 ms to sync: an answer that comes before the sync is lost by a kill right behind it.
fn slowed() -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:delay_enter=20000", BINARY]);
    command
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            self.end();
        }
        if std::thread::panicking() {
            eprintln!("---- output of the server\n{}", std::fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

/// An answer to a write or a read.
struct Answer {
    status: u16,
    seq: u64,
    replay: bool,
    text: String,
}

impl Answer {
    fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    fn error(&self) -> String {
        self.json()["data"]["error"].as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    fn ok(&self) -> Json {
        let json = self.json();
        assert_eq!(json["type"], "ok", "{}", self.text);
        json
    }
}

/// Keeps a caller a little below a rate of the server.
struct Pace {
    burst: f64,
    per_second: f64,
    level: f64,
    at: Instant,
}

impl Pace {
    fn new(burst: f64, per_second: f64) -> Pace {
        Pace { burst, per_second, level: burst, at: Instant::now() }
    }

    async fn take(&mut self) {
        loop {
            let now = Instant::now();
            self.level = (self.level + now.duration_since(self.at).as_secs_f64() * self.per_second).min(self.burst);
            self.at = now;
            if self.level >= 1.0 {
                self.level -= 1.0;
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A write with its key, and the answer that its client got, if any.
#[derive(Clone)]
struct Write {
    path: &'static str,
    form: String,
    key: String,
    text: Option<String>,
}

/// A client, and what it was told.
struct Member {
    name: String,
    token: String,
    rng: Rng,
    writes: Pace,
    reads: Pace,
    client: reqwest::Client,
    url: String,
    /// Highest sequence of an answer.
    seq: u64,
    /// Writes since the last restart, and older ones.
    fresh: Vec<Write>,
    old: Vec<Write>,
    /// Newest answer about each order, and the fills it had.
    orders: BTreeMap<u64, Json>,
    fills: BTreeMap<u64, Json>,
    /// Each transfer: atoms of USDT, where to.
    transfers: BTreeMap<u64, (i64, String)>,
    cancels: usize,
}

impl Member {
    /// Signs up, logs in and takes paper funds.
    async fn new(client: &reqwest::Client, url: &str, number: usize, rng: Rng) -> Member {
        let mut member = Member {
            name: format!("load{number}"),
            token: String::new(),
            rng,
            writes: Pace::new(0.0, 0.0),
            reads: Pace::new(0.0, 0.0),
            client: client.clone(),
            url: String::new(),
            seq: 0,
            fresh: Vec::new(),
            old: Vec::new(),
            orders: BTreeMap::new(),
            fills: BTreeMap::new(),
            transfers: BTreeMap::new(),
            cancels: 0,
        };
        member.meet(url);
        let mail = format!("{}@example.com", member.name);
        member.post("/api/sms_mail", &format!("user_string={mail}&type=register"), "").await.unwrap().ok();
        let kept = member.send(client.get(format!("{url}/sandbox/outbox?to={mail}"))).await.unwrap().ok();
        let code = kept["message"][0]["code"].as_str().unwrap().to_owned();
        let form = format!("type=email&user_string={mail}&code={code}&password=secret1&re_password=secret1&agree=1");
        member.post("/api/user/register", &form, "").await.unwrap().ok();
        let login = member.post("/api/user/login", &format!("user_string={mail}&password=secret1"), "").await.unwrap().ok();
        login["message"].as_str().unwrap().clone_into(&mut member.token);
        for (_, code, amount) in COINS {
            member.post("/sandbox/faucet", &format!("asset={code}&amount={amount}"), "").await.unwrap().ok();
        }
        member
    }

    /// Turns to a server that has just started: it remembers no rates.
    fn meet(&mut self, url: &str) {
        url.clone_into(&mut self.url);
        self.writes = Pace::new(28.0, 9.0);
        self.reads = Pace::new(55.0, 18.0);
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Option<Answer> {
        let request = if self.token.is_empty() { request } else { request.header("authorization", &self.token) };
        let answer = request.send().await.ok()?;
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let (status, seq, replay) = (answer.status().as_u16(), header("x-seq").parse().unwrap_or(0), header("x-idempotent-replay") == "1");
        // Only a whole answer is one.
        let text = answer.text().await.ok()?;
        self.seq = self.seq.max(seq);
        Some(Answer { status, seq, replay, text })
    }

    async fn post(&mut self, path: &str, form: &str, key: &str) -> Option<Answer> {
        let request = self.client.post(format!("{}{path}", self.url)).body(form.to_owned());
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        self.send(if key.is_empty() { request } else { request.header("idempotency-key", key) }).await
    }

    /// A write as the rate admits it: answered with 200, or not at all.
    async fn write(&mut self, write: &Write) -> Option<Answer> {
        self.writes.take().await;
        let answer = self.post(write.path, &write.form, &write.key).await?;
        assert_eq!(answer.status, 200, "{} {}: {}", write.key, write.form, answer.text);
        Some(answer)
    }

    /// A read that shows everything this member was told of.
    async fn read(&mut self, path: &str) -> Json {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.reads.take().await;
            let request = self.client.get(format!("{}/api/{path}", self.url));
            let answer = self.send(request.header("x-min-seq", self.seq.to_string())).await.unwrap();
            if answer.error() != "E_NOT_READY" {
                return answer.ok()["message"].take();
            }
            assert!(Instant::now() < deadline, "{path} does not reach {} after {PATIENCE:?}", self.seq);
        }
    }

    /// All rows of a list, page by page.
    async fn rows(&mut self, path: &str, field: &str) -> Vec<Json> {
        let mut rows = Vec::new();
        for page in 1.. {
            let mark = if path.contains('?') { '&' } else { '?' };
            let mut answer = self.read(&format!("{path}{mark}page={page}&limit={LIMIT}")).await;
            let list = if field.is_empty() { answer } else { answer[field].take() };
            let list = list.as_array().unwrap().clone();
            let last = list.len() < LIMIT;
            rows.extend(list);
            if last {
                break;
            }
        }
        rows
    }

    fn open_orders(&self) -> impl Iterator<Item = (&u64, &Json)> {
        self.orders.iter().filter(|(_, order)| order["status"] == 1)
    }

    /// The next write: orders that rest, cancels, transfers; where there is a market, also orders that trade at once.
    fn next(&mut self, market: bool) -> Write {
        let key = format!("{}-{}", self.name, self.old.len() + self.fresh.len());
        let (rng, order) = (&mut self.rng.clone(), "legal_id=3&currency_id=1");
        let open: Vec<u64> = self.open_orders().map(|(id, _)| *id).collect();
        let (path, form) = match rng.u8(..if market { 12 } else { 10 }) {
            0..=1 => ("/api/coin/trade", format!("{order}&type=1&amount=0.00{}&target_price={}.0", rng.u8(1..9), rng.u32(60_000..90_000))),
            2..=3 => {
                ("/api/coin/trade", format!("{order}&type=2&amount=0.00{}&target_price={}.0", rng.u8(1..9), rng.u32(110_000..190_000)))
            }
            4..=6 if !open.is_empty() => ("/api/coin/cancel", format!("id={}", open[rng.usize(..open.len())])),
            10 => ("/api/coin/trade", format!("{order}&type=1&order_type=market&funds=2{}", rng.u8(0..9))),
            11 => ("/api/coin/trade", format!("{order}&type=2&order_type=market&amount=0.000{}", rng.u8(2..9))),
            _ => {
                let (to, _) = WALLETS[rng.usize(..WALLETS.len())];
                ("/api/wallet/change", format!("currency_id=3&number=0.{:06}&from_field=change&to_field={to}", rng.u32(1..1_000_000)))
            }
        };
        self.rng = rng.clone();
        Write { path, form, key, text: None }
    }

    /// Writes until the server is gone; each answer is called out.
    async fn load(mut self, market: bool, answered: Arc<Notify>) -> Member {
        loop {
            let mut write = self.next(market);
            let answer = self.write(&write).await;
            let gone = answer.is_none();
            if let Some(answer) = answer {
                answered.notify_waiters();
                assert!(!answer.replay, "{} was never sent before", write.key);
                self.note(&write, &answer);
                write.text = Some(answer.text);
            }
            self.fresh.push(write);
            if gone {
                return self;
            }
        }
    }

    /// Writes down what an answer says.
    fn note(&mut self, write: &Write, answer: &Answer) {
        if matches!(answer.error().as_str(), "E_PRICE_STALE" | "E_NO_LIQUIDITY") {
            // Nothing was done, for now there was no market; repeated, the answer must be the same.
            return;
        }
        let data = answer.ok()["data"].take();
        assert!(answer.seq > 0, "no sequence: {}", answer.text);
        if write.path == "/api/wallet/change" {
            let field = |name: &str| write.form.split('&').find_map(|field| field.strip_prefix(name)).unwrap();
            let moved = (atoms(&field("number=").into()), field("to_field=").to_owned());
            assert!(self.transfers.insert(data["id"].as_u64().unwrap(), moved).is_none(), "one number for two transfers: {data}");
            return;
        }
        let id = data["order"]["id"].as_u64().unwrap();
        let known = self.orders.insert(id, data["order"].clone()).is_some();
        let cancel = write.path == "/api/coin/cancel";
        assert_eq!(known, cancel, "one number for two orders: {data}");
        self.cancels += usize::from(cancel);
        if !cancel {
            self.fills.insert(id, data["fills"].clone());
        }
    }

    /// After a restart: what was acknowledged is there, what was not can be repeated, and nothing else is there.
    async fn check(mut self, url: String) -> Member {
        self.meet(&url);
        let mut sent = std::mem::take(&mut self.fresh);
        let older = self.rng.choose_multiple(&self.old, 2).into_iter().cloned();
        let mut touched = Vec::new();
        for write in older.collect::<Vec<_>>().iter_mut().chain(&mut sent) {
            if write.text.is_none() {
                // Done before the kill or done now: either way once, as the lists below show.
                let answer = self.write(write).await.expect("an answer");
                self.note(write, &answer);
                write.text = Some(answer.text);
            }
            let again = self.write(write).await.expect("an answer");
            assert_eq!(Some(&again.text), write.text.as_ref(), "{} {} is answered otherwise", write.key, write.form);
            assert!(again.replay, "{} {} was done again", write.key, write.form);
            touched.extend(again.json()["data"]["order"]["id"].as_u64());
        }
        self.old.extend(sent);
        touched.sort_unstable();
        touched.dedup();
        for id in touched {
            let found = self.read(&format!("coin/order?id={id}")).await;
            assert_eq!(found["order"], self.orders[&id], "order {id}");
            assert_eq!(by_id(found["fills"].as_array().unwrap()), by_id(self.fills[&id].as_array().unwrap()), "fills of order {id}");
        }
        let orders = self.rows("coin/list", "").await;
        assert_eq!(orders.len(), self.orders.len(), "orders of {}", self.name);
        assert_eq!(by_id(&orders), self.orders, "orders of {}", self.name);
        let rows = self.rows("wallet/hzhistory", "data").await;
        let moved = |row: &Json| (atoms(&row["value"]), row["to_field"].as_str().unwrap().to_owned());
        assert_eq!(rows.len(), self.transfers.len(), "transfers of {}", self.name);
        assert_eq!(by_id(&rows).iter().map(|(id, row)| (*id, moved(row))).collect::<BTreeMap<_, _>>(), self.transfers);
        for coin in COINS {
            self.check_balances(coin).await;
        }
        self
    }

    /// What a member has of a coin is what the faucet gave, less fees, exchanged by trades of the statement; what is held, orders hold.
    async fn check_balances(&mut self, (coin, code, faucet): (u64, &str, &str)) {
        let row = self.read(&format!("wallet/detail?currency={coin}&type=change")).await;
        let (mut exchanged, mut fees) = (0, 0);
        for (kind, sum) in [(TRADE, &mut exchanged), (FEE, &mut fees)] {
            let lines = self.rows(&format!("wallet/legal_log?currency={coin}&type=2&kind={kind}"), "list").await;
            *sum = lines.iter().map(|line| atoms(&line["value"])).sum::<i64>();
        }
        let all = ["change", "lever", "micro", "trust"].map(|wallet| atoms(&row[format!("{wallet}_balance")]));
        let held = ["change", "lever", "micro", "trust"].map(|wallet| atoms(&row[format!("lock_{wallet}_balance")]));
        let total = all.iter().chain(&held).sum::<i64>();
        assert_eq!(total, atoms(&faucet.into()) + exchanged + fees, "{code} of {}", self.name);
        let buys = u64::from(coin == 3);
        let by_orders =
            self.open_orders().filter(|(_, order)| (order["type"] == 1) == (buys == 1)).map(|(_, order)| atoms(&order["frozen"]));
        assert_eq!(held, [by_orders.sum(), 0, 0, 0], "{code} held of {}", self.name);
        let moved_to = |to: &str| self.transfers.values().filter(|(_, wallet)| wallet == to).map(|(atoms, _)| atoms).sum::<i64>();
        let expected = WALLETS.map(|(wallet, _)| if coin == 3 { moved_to(wallet) } else { 0 });
        assert_eq!(all[1..], expected, "{code} moved by {}", self.name);
        let paid: i64 = self
            .fills
            .values()
            .flat_map(|fills| fills.as_array().unwrap())
            .filter(|fill| fill["fee_currency"] == code)
            .map(|fill| atoms(&fill["fee"]))
            .sum();
        assert_eq!(fees, -paid, "fees of {} in {code}", self.name);
    }

    /// The whole statement: each line begins where the one before ended, the last ends at the balance.
    async fn check_statement(mut self) -> Member {
        for (coin, code, _) in COINS {
            let row = self.read(&format!("wallet/detail?currency={coin}&type=change")).await;
            for (wallet, number) in [("change", 2)].into_iter().chain(WALLETS) {
                if coin != 3 && number != 2 {
                    continue;
                }
                let lines = by_id(&self.rows(&format!("wallet/legal_log?currency={coin}&type={number}"), "list").await);
                for (part, field) in [("avail", format!("{wallet}_balance")), ("frozen", format!("lock_{wallet}_balance"))] {
                    let mut balance = 0;
                    for line in lines.values().filter(|line| line["part"] == part) {
                        assert_eq!(atoms(&line["before"]), balance, "{code} {wallet} {part} of {}: {line}", self.name);
                        balance += atoms(&line["value"]);
                        assert_eq!(atoms(&line["after"]), balance, "{line}");
                    }
                    assert_eq!(balance, atoms(&row[&field]), "{code} {field} of {}", self.name);
                }
            }
        }
        self
    }
}

/// Atoms of an amount that is written with all its decimals.
fn atoms(amount: &Json) -> i64 {
    let text = amount.as_str().unwrap_or_else(|| panic!("no amount: {amount}"));
    text.replace('.', "").parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn by_id(rows: &[Json]) -> BTreeMap<u64, Json> {
    rows.iter().map(|row| (row["id"].as_u64().unwrap(), row.clone())).collect()
}

/// Runs a step of all members at once.
async fn all<F: Future<Output = Member> + Send + 'static>(members: Vec<Member>, step: impl Fn(Member) -> F) -> Vec<Member> {
    let steps = members.into_iter().map(|member| tokio::spawn(step(member)));
    join_all(steps).await.into_iter().map(Result::unwrap).collect()
}

/// Load, kill, restart, check, so many times; then `meridian verify`.
fn nothing_is_lost(cycles: u32, database: Option<&str>, market: bool, slow_disk: bool) {
    let seed = std::env::var("MERIDIAN_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("MERIDIAN_TEST_SEED={seed}, {cycles} kills, market {market}, database {database:?}");
    let mut rng = Rng::with_seed(seed);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let store: Vec<&str> = database.map(|url| ["--database", url]).into_iter().flatten().collect();
    let options = [&["--house-liquidity", if market { "on" } else { "off" }], store.as_slice()].concat();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
        let mut server = Server::start(&data, &options, slow_disk, &client).await;
        let pinned = client.post(format!("{}/sandbox/price?symbol=BTC/USDT&price=100000", server.url)).send().await.unwrap();
        assert_eq!(pinned.status(), 200);
        let mut members = Vec::new();
        for number in 0..MEMBERS {
            members.push(Member::new(&client, &server.url, number, rng.fork()).await);
        }
        let mut cut = 0;
        for cycle in 1..=cycles {
            let answered = Arc::new(Notify::new());
            let heard = answered.clone();
            let load = tokio::spawn(all(members, move |member| member.load(market, heard.clone())));
            tokio::time::sleep(Duration::from_millis(rng.u64(200..1_000))).await;
            // Right behind an answer: what was answered too early is not yet written.
            let _ = tokio::time::timeout(PATIENCE, answered.notified()).await;
            server.kill();
            members = load.await.unwrap();
            cut += members.iter().filter(|member| member.fresh.last().is_some_and(|write| write.text.is_none())).count();
            let begun = Instant::now();
            drop(server);
            server = Server::start(&data, &options, slow_disk, &client).await;
            println!(
                "kill {cycle}: {} writes, ready after {:?}",
                members.iter().map(|member| member.fresh.len()).sum::<usize>(),
                begun.elapsed()
            );
            let url = server.url.clone();
            members = all(members, move |member| member.check(url.clone())).await;
        }
        members = all(members, Member::check_statement).await;
        server.kill();
        let verified = Command::new(BINARY).arg("verify").arg("--data").arg(&data).args(&store).output().unwrap();
        assert!(verified.status.success(), "verify: {}", String::from_utf8_lossy(&verified.stderr));
        let count = |of: fn(&Member) -> usize| members.iter().map(of).sum::<usize>();
        let (orders, transfers, cancels) =
            (count(|member| member.orders.len()), count(|member| member.transfers.len()), count(|member| member.cancels));
        let fills = count(|member| member.fills.values().map(|fills| fills.as_array().unwrap().len()).sum());
        println!("{orders} orders, {fills} fills, {cancels} cancels, {transfers} transfers; {cut} answers cut off by kills");
        // A run that did next to nothing proves nothing.
        let least = 5 * usize::try_from(cycles).unwrap();
        assert!(orders.min(transfers).min(cancels) >= least && cut > 0, "too little load");
        assert_eq!(fills > 0, market, "trades where there is a market, and only there");
    });
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_sqlite() {
    nothing_is_lost(10, None, false, false);
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_postgresql() {
    let postgres = PostgresServer::start();
    nothing_is_lost(10, Some(&postgres.create_database("durability")), false, false);
}

#[test]
fn trades_with_the_house_survive_as_well() {
    nothing_is_lost(2, None, true, false);
}

#[test]
fn no_answer_comes_before_a_slow_disk_has_it() {
    nothing_is_lost(3, None, false, true);
}
