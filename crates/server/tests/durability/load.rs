//! Clients that record their answers, and compare them with the state after a restart.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::future::join_all;
use serde_json::Value as Json;
use tokio::sync::Notify;

use crate::process::{Answer, PATIENCE, write};

/// Coins that members get, and how much: (number, code, faucet).
const COINS: [(u64, &str, &str); 2] = [(3, "USDT", "1000000.000000"), (1, "BTC", "10.00000000")];
/// Wallets that a member moves USDT to, with their numbers in the statement.
const WALLETS: [(&str, u64); 3] = [("lever", 3), ("micro", 4), ("trust", 5)];
/// Rows of a page.
const LIMIT: usize = 100;
/// Statement kinds: trade, fee.
const TRADE: u64 = 51;
const FEE: u64 = 53;

/// Keeps a caller a little below a rate of the server.
pub struct Pace {
    burst: f64,
    per_second: f64,
    level: f64,
    at: Instant,
}

impl Pace {
    pub fn new(burst: f64, per_second: f64) -> Pace {
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
pub struct Write {
    pub path: &'static str,
    pub form: String,
    pub key: String,
    pub text: Option<String>,
}

/// A client and its recorded answers.
pub struct Member {
    pub name: String,
    pub token: String,
    rng: Rng,
    writes: Pace,
    reads: Pace,
    client: reqwest::Client,
    url: String,
    /// Highest sequence of an answer.
    pub seq: u64,
    /// Writes since the last restart, and older ones.
    pub fresh: Vec<Write>,
    old: Vec<Write>,
    /// Newest answer about each order, and the fills it had.
    pub orders: BTreeMap<u64, Json>,
    pub fills: BTreeMap<u64, Json>,
    /// Each transfer: atoms of USDT, where to.
    pub transfers: BTreeMap<u64, (i64, String)>,
    pub cancels: usize,
    /// Every write of a load that was answered, as it was answered.
    pub told: Told,
}

/// Answered writes: the writer's token, the write, the sequence of the answer.
pub type Told = Arc<Mutex<Vec<(String, Write, u64)>>>;

impl Member {
    /// Signs up, logs in and takes paper funds.
    pub async fn new(client: &reqwest::Client, url: &str, number: usize, rng: Rng) -> Member {
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
            told: Told::default(),
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
    pub fn meet(&mut self, url: &str) {
        url.clone_into(&mut self.url);
        self.writes = Pace::new(28.0, 9.0);
        self.reads = Pace::new(55.0, 18.0);
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Option<Answer> {
        let request = if self.token.is_empty() { request } else { request.header("authorization", &self.token) };
        let answer = Answer::to(request).await?;
        self.seq = self.seq.max(answer.seq);
        Some(answer)
    }

    pub async fn post(&mut self, path: &str, form: &str, key: &str) -> Option<Answer> {
        self.send(write(&self.client, &self.url, path, form, key)).await
    }

    /// A write as the rate admits it: answered with 200, or not at all.
    pub async fn write(&mut self, write: &Write) -> Option<Answer> {
        self.writes.take().await;
        let answer = self.post(write.path, &write.form, &write.key).await?;
        assert_eq!(answer.status, 200, "{} {}: {}", write.key, write.form, answer.text);
        Some(answer)
    }

    /// A read that includes every answer this member got.
    pub async fn read(&mut self, path: &str) -> Json {
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
    pub async fn rows(&mut self, path: &str, field: &str) -> Vec<Json> {
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
    pub async fn load(mut self, market: bool, answered: Arc<Notify>) -> Member {
        loop {
            let mut write = self.next(market);
            let answer = self.write(&write).await;
            let gone = answer.is_none();
            if let Some(answer) = answer {
                assert!(!answer.replay, "{} was never sent before", write.key);
                self.note(&write, &answer);
                write.text = Some(answer.text);
                self.told.lock().unwrap().push((self.token.clone(), write.clone(), answer.seq));
                answered.notify_waiters();
            }
            self.fresh.push(write);
            if gone {
                return self;
            }
        }
    }

    /// Records an answer.
    fn note(&mut self, write: &Write, answer: &Answer) {
        if matches!(answer.error().as_str(), "E_PRICE_STALE" | "E_NO_LIQUIDITY") {
            // Nothing was done, because there was no market at that time; the repeated answer must be the same.
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
    pub async fn check(mut self, url: String) -> Member {
        self.meet(&url);
        let mut sent = std::mem::take(&mut self.fresh);
        let older = self.rng.choose_multiple(&self.old, 2).into_iter().cloned();
        let mut touched = Vec::new();
        for write in older.collect::<Vec<_>>().iter_mut().chain(&mut sent) {
            if write.text.is_none() {
                // Done before the kill or now: either way once, as the lists below show.
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
            assert_eq!(as_answered(&found["order"], &self.orders[&id]), self.orders[&id], "order {id}");
            assert_eq!(by_id(found["fills"].as_array().unwrap()), by_id(self.fills[&id].as_array().unwrap()), "fills of order {id}");
        }
        let orders = self.rows("coin/list", "").await;
        assert_eq!(orders.len(), self.orders.len(), "orders of {}", self.name);
        let orders = by_id(&orders).into_iter().map(|(id, order)| (id, as_answered(&order, &self.orders[&id])));
        assert_eq!(orders.collect::<BTreeMap<_, _>>(), self.orders, "orders of {}", self.name);
        let rows = self.rows("wallet/hzhistory", "data").await;
        let moved = |row: &Json| (atoms(&row["value"]), row["to_field"].as_str().unwrap().to_owned());
        assert_eq!(rows.len(), self.transfers.len(), "transfers of {}", self.name);
        assert_eq!(by_id(&rows).iter().map(|(id, row)| (*id, moved(row))).collect::<BTreeMap<_, _>>(), self.transfers);
        for coin in COINS {
            self.check_balances(coin).await;
        }
        self
    }

    /// A member's balance of a coin is what the faucet gave, less fees, plus and minus the trades of the statement; orders hold the held
    /// part.
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
    pub async fn check_statement(mut self) -> Member {
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
pub fn atoms(amount: &Json) -> i64 {
    let text = amount.as_str().unwrap_or_else(|| panic!("no amount: {amount}"));
    text.replace('.', "").parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub fn by_id(rows: &[Json]) -> BTreeMap<u64, Json> {
    rows.iter().map(|row| (row["id"].as_u64().unwrap(), row.clone())).collect()
}

/// An order as its last change was answered. While it is open it has the entry that its state is of, never an older one.
fn as_answered(found: &Json, known: &Json) -> Json {
    let mut found = found.clone();
    if found["status"] == 1 && found["seq"].as_u64() >= known["seq"].as_u64() {
        found["seq"] = known["seq"].clone();
    }
    found
}

/// Runs a step of all members at once.
pub async fn all<F: Future<Output = Member> + Send + 'static>(members: Vec<Member>, step: impl Fn(Member) -> F) -> Vec<Member> {
    let steps = members.into_iter().map(|member| tokio::spawn(step(member)));
    join_all(steps).await.into_iter().map(Result::unwrap).collect()
}
