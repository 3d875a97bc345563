//! Local servers for tests, each with the protocol of one of [`VENUES`] as its documentation describes it. They show that we follow the
//! documentation, not that the documentation is right.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;
use tokio::task::{JoinHandle, JoinSet};
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::{WebSocketStream, accept_async};

use crate::venues::VENUES;

mod candles;

use self::candles::FakeCandle;

/// One venue. It stops when dropped.
#[derive(Debug)]
pub struct FakeVenue {
    /// Its name in the catalog.
    pub name: &'static str,
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    orders: broadcast::Sender<Order>,
    serving: JoinHandle<()>,
}

/// How it behaves.
#[derive(Debug)]
struct Script {
    /// Price of each symbol, as sent.
    prices: BTreeMap<String, String>,
    /// Sends and answers nothing.
    mute: bool,
    /// Connections are dropped on arrival.
    closed: bool,
    /// Offset between the clock and the times sent, ms.
    shift_ms: i64,
    sequence: u64,
    connections: u64,
    asked: Vec<String>,
    /// Candles of each symbol.
    candles: BTreeMap<String, Vec<FakeCandle>>,
    /// Sent to requests for candles instead of the candles.
    instead: Option<(u16, String)>,
    /// Paths of the requests for candles.
    paths: Vec<String>,
}

#[derive(Clone, Debug)]
enum Order {
    Say(Frame),
    Cut,
}

impl FakeVenue {
    /// Listens on a free port. Once subscribed to, it sends each price at this interval.
    ///
    /// # Panics
    /// When the name is none of [`VENUES`], or there is no port.
    pub async fn start(name: &'static str, every: Duration) -> FakeVenue {
        assert!(VENUES.iter().any(|venue| venue.name == name), "{name}");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("its port");
        let between = if matches!(name, "binance" | "bybit") {
            ""
        } else if name == "kraken" {
            "/"
        } else {
            "-"
        };
        let usdc = if name == "coinbase" { ("USDT-USDC".to_owned(), "0.9999") } else { (format!("USDC{between}USDT"), "1.0001") };
        let pairs = [(format!("BTC{between}USDT"), "97432.15"), (format!("ETH{between}USDT"), "3412.88"), usdc];
        let prices = pairs.into_iter().map(|(symbol, price)| (symbol, price.to_owned())).collect();
        let script = Script {
            prices,
            mute: false,
            closed: false,
            shift_ms: 0,
            sequence: 1,
            connections: 0,
            asked: Vec::new(),
            candles: BTreeMap::new(),
            instead: None,
            paths: Vec::new(),
        };
        let (script, orders) = (Arc::new(Mutex::new(script)), broadcast::Sender::new(4_096));
        let serving = tokio::spawn(serve(listener, name, every, script.clone(), orders.clone()));
        FakeVenue { name, address, script, orders, serving }
    }

    /// All five.
    pub async fn all(every: Duration) -> Vec<FakeVenue> {
        let mut all = Vec::new();
        for venue in &VENUES {
            all.push(FakeVenue::start(venue.name, every).await);
        }
        all
    }

    /// Its address, as `--venue-address` takes it.
    pub fn option(&self) -> String {
        format!("{}=ws://{}", self.name, self.address)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the price of this pair, in the venue's format, from now on.
    pub fn set(&self, base: &str, quote: &str, price: &str) {
        let mut script = self.script();
        let is_it = |symbol: &&String| symbol.starts_with(base) && symbol.ends_with(quote);
        let symbol = script.prices.keys().find(is_it).cloned().unwrap_or_else(|| panic!("no {base}/{quote}"));
        script.prices.insert(symbol, price.to_owned());
    }

    /// Sets the volume of this minute of a pair; its candles include it whatever time range is requested.
    pub fn trade(&self, base: &str, quote: &str, start_s: u64, volume: &str) {
        let prices = ["97000", "97100", "96900", "97050"].map(str::to_owned);
        self.tell(base, quote, FakeCandle { at: (60, start_s), prices, volume: volume.to_owned(), always: true });
    }

    /// The open, high, low and close of a candle of a pair with this length and start, seconds.
    pub fn candle(&self, base: &str, quote: &str, at: (u64, u64), prices: [&str; 4]) {
        self.tell(base, quote, FakeCandle { at, prices: prices.map(str::to_owned), volume: "1".to_owned(), always: false });
    }

    /// The same, sent whatever time range is requested.
    pub fn misplaced_candle(&self, base: &str, quote: &str, at: (u64, u64), prices: [&str; 4]) {
        self.tell(base, quote, FakeCandle { at, prices: prices.map(str::to_owned), volume: "1".to_owned(), always: true });
    }

    fn tell(&self, base: &str, quote: &str, candle: FakeCandle) {
        let mut script = self.script();
        let symbol = script.prices.keys().find(|symbol| symbol.starts_with(base) && symbol.ends_with(quote)).cloned();
        let symbol = symbol.unwrap_or_else(|| panic!("no {base}/{quote}"));
        let candles = script.candles.entry(symbol).or_default();
        candles.retain(|known| known.at != candle.at);
        candles.push(candle);
    }

    /// From now on requests for candles get this answer; `None`: the candles.
    pub fn answer_candles(&self, instead: Option<(u16, String)>) {
        self.script().instead = instead;
    }

    /// The paths of the requests for candles.
    pub fn paths(&self) -> Vec<String> {
        self.script().paths.clone()
    }

    /// Stops sending and answering, or resumes.
    pub fn mute(&self, mute: bool) {
        self.script().mute = mute;
    }

    /// Refuses connections and closes open ones, or accepts them again.
    pub fn close(&self, closed: bool) {
        self.script().closed = closed;
        if closed {
            self.cut();
        }
    }

    /// Sends times that are off by this much.
    pub fn shift(&self, ms: i64) {
        self.script().shift_ms = ms;
    }

    /// Numbers its messages from here.
    pub fn count_from(&self, sequence: u64) {
        self.script().sequence = sequence;
    }

    /// Drops its connections without closing them.
    pub fn cut(&self) {
        let _ = self.orders.send(Order::Cut);
    }

    /// Sends this text as it is.
    pub fn say(&self, text: &str) {
        self.send(Frame::text(text));
    }

    /// Sends this frame as it is.
    pub fn send(&self, frame: Frame) {
        let _ = self.orders.send(Order::Say(frame));
    }

    /// A ticker in the venue's format.
    pub fn ticker(&self, base: &str, quote: &str, price: &str, time_ms: u64, sequence: u64) -> String {
        let symbol = self.script().prices.keys().find(|symbol| symbol.starts_with(base) && symbol.ends_with(quote)).cloned();
        ticker(self.name, &symbol.unwrap_or_else(|| format!("{base}{quote}")), price, time_ms, sequence)
    }

    /// Number of connections accepted.
    pub fn connections(&self) -> u64 {
        self.script().connections
    }

    /// The requests and messages it received, in order.
    pub fn asked(&self) -> Vec<String> {
        self.script().asked.clone()
    }
}

impl Drop for FakeVenue {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0))
}

async fn serve(listener: TcpListener, name: &'static str, every: Duration, script: Arc<Mutex<Script>>, orders: broadcast::Sender<Order>) {
    // The connections end with this task.
    let mut open = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        open.spawn(talk(stream, name, every, script.clone(), orders.subscribe()));
    }
}

async fn talk(
    stream: TcpStream,
    name: &'static str,
    every: Duration,
    script: Arc<Mutex<Script>>,
    mut orders: broadcast::Receiver<Order>,
) -> Option<()> {
    let mut head = [0; 2_048];
    // A request without a WebSocket asks for candles.
    let length = stream.peek(&mut head).await.ok()?;
    let asked = String::from_utf8_lossy(head.get(..length)?).into_owned();
    if asked.starts_with("GET ") && !asked.to_ascii_lowercase().contains("upgrade: websocket") {
        return give_candles(stream, name, &asked, &script).await;
    }
    let closed = {
        let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
        script.connections += 1;
        script.closed
    };
    if closed {
        return None;
    }
    let mut line: WebSocketStream<TcpStream> = accept_async(stream).await.ok()?;
    let mut tick = tokio::time::interval(every);
    // A venue never sends twice in a millisecond, also when this machine paused: the second one would be out of order.
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut symbols: Vec<String> = Vec::new();
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Ok(Order::Say(frame)) => line.send(frame).await.ok()?,
                Ok(Order::Cut) | Err(_) => return None,
            },
            heard = line.next() => {
                let Frame::Text(text) = heard?.ok()? else { continue };
                let (answer, mute) = {
                    let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
                    script.asked.push(text.to_string());
                    let (answer, wanted) = answer(name, &text, &script.prices);
                    symbols.extend(wanted);
                    (answer, script.mute)
                };
                if !mute {
                    line.send(Frame::text(answer)).await.ok()?;
                }
            }
            _ = tick.tick() => {
                for text in told(name, &symbols, &script) {
                    line.feed(Frame::text(text)).await.ok()?;
                }
                line.flush().await.ok()?;
            }
        }
    }
}

/// Answers one request for candles, in the venue's format.
async fn give_candles(mut stream: TcpStream, name: &str, asked: &str, script: &Mutex<Script>) -> Option<()> {
    let path = asked.split(' ').nth(1)?.to_owned();
    let (status, body) = {
        let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
        script.paths.push(path.clone());
        script.instead.clone().unwrap_or_else(|| {
            let symbol = script.prices.keys().find(|symbol| path.contains(symbol.as_str()) || path.contains(&symbol.replace('/', "")));
            let rows = symbol.and_then(|symbol| script.candles.get(symbol)).cloned().unwrap_or_default();
            (200, candles::answer(name, &path, &rows))
        })
    };
    let head =
        format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(body.as_bytes()).await.ok()?;
    // Read the whole request before closing, or the response may be lost.
    let mut rest = [0; 4_096];
    while stream.read(&mut rest).await.ok()? > 0 {}
    Some(())
}

fn told(name: &str, symbols: &[String], script: &Mutex<Script>) -> Vec<String> {
    let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
    if script.mute {
        return Vec::new();
    }
    let time_ms = now_ms().saturating_add_signed(script.shift_ms);
    let mut texts = Vec::new();
    for symbol in symbols {
        script.sequence += 1;
        texts.extend(script.prices.get(symbol).map(|price| ticker(name, symbol, price, time_ms, script.sequence)));
    }
    texts
}

/// Its answer to a message, and the symbol that this was about.
fn answer(name: &str, asked: &str, prices: &BTreeMap<String, String>) -> (String, Vec<String>) {
    let message: Value = serde_json::from_str(asked).unwrap_or(Value::Null);
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let wanted: Vec<String> = match name {
        "binance" => texts(&message["params"]).iter().filter_map(|stream| Some(stream.strip_suffix("@ticker")?.to_uppercase())).collect(),
        "coinbase" => texts(&message["product_ids"]),
        "kraken" => texts(&message["params"]["symbol"]),
        "okx" => message["args"].as_array().into_iter().flatten().filter_map(|arg| Some(arg["instId"].as_str()?.to_owned())).collect(),
        _ => texts(&message["args"]).iter().filter_map(|topic| Some(topic.strip_prefix("tickers.")?.to_owned())).collect(),
    };
    let unknown = wanted.iter().find(|symbol| !prices.contains_key(*symbol));
    let text = match (name, unknown) {
        ("binance", _) => json!({"result": null, "id": message["id"]}),
        ("coinbase", None) => json!({"type": "subscriptions", "channels": [{"name": "ticker", "product_ids": wanted}]}),
        ("coinbase", Some(symbol)) => {
            json!({"type": "error", "message": "Failed to subscribe", "reason": format!("{symbol} is not a valid product")})
        }
        ("kraken", _) if message["method"] == "ping" => json!({"method": "pong", "time_in": iso(now_ms()), "time_out": iso(now_ms())}),
        ("kraken", None) => json!({"method": "subscribe", "success": true, "result": {"channel": "ticker", "symbol": wanted.first()}}),
        ("kraken", Some(symbol)) => {
            json!({"method": "subscribe", "success": false, "error": format!("Currency pair not supported {symbol}")})
        }
        ("okx", _) if asked == "ping" => return ("pong".to_owned(), Vec::new()),
        ("okx", None) => json!({"event": "subscribe", "arg": message["args"][0], "connId": "a4d3ae55"}),
        ("okx", Some(symbol)) => json!({"event": "error", "code": "60018", "msg": format!("instId:{symbol} doesn't exist")}),
        (_, None) => json!({"success": true, "ret_msg": "subscribe", "conn_id": "0970e817", "op": message["op"]}),
        (_, Some(symbol)) => json!({"success": false, "ret_msg": format!("Invalid symbol :[tickers.{symbol}]"), "op": message["op"]}),
    };
    (text.to_string(), wanted)
}

fn ticker(name: &str, symbol: &str, price: &str, time_ms: u64, sequence: u64) -> String {
    let time = iso(time_ms);
    match name {
        "binance" => format!(
            r#"{{"e":"24hrTicker","E":{time_ms},"s":"{symbol}","p":"-94.99","P":"-0.095","w":"97400.1","x":"97527.1","c":"{price}","Q":"0.01","b":"{price}","B":"3.1","a":"{price}","A":"1.2","o":"97527.14","h":"98000.00","l":"96000.00","v":"12345.1","q":"1.2","O":1764019800123,"C":{time_ms},"F":1,"L":18150,"n":18151}}"#
        ),
        "coinbase" => format!(
            r#"{{"type":"ticker","sequence":{sequence},"product_id":"{symbol}","price":"{price}","open_24h":"97000","volume_24h":"245532.79","low_24h":"96000","high_24h":"98000","volume_30d":"9788783.6","best_bid":"{price}","best_bid_size":"0.05","best_ask":"{price}","best_ask_size":"0.87","side":"buy","time":"{time}","trade_id":370843401,"last_size":"11.4"}}"#
        ),
        "kraken" => format!(
            r#"{{"channel":"ticker","type":"update","data":[{{"symbol":"{symbol}","bid":{price},"bid_qty":5.4,"ask":{price},"ask_qty":0.3,"last":{price},"volume":217.1,"vwap":97020.1,"low":96100.0,"high":98000.0,"change":120.1,"change_pct":0.12,"timestamp":"{time}"}}]}}"#
        ),
        "okx" => format!(
            r#"{{"arg":{{"channel":"tickers","instId":"{symbol}"}},"data":[{{"instType":"SPOT","instId":"{symbol}","last":"{price}","lastSz":"0.01","askPx":"{price}","askSz":"11","bidPx":"{price}","bidSz":"5","open24h":"97000","high24h":"98000","low24h":"96000","volCcy24h":"22","vol24h":"22","sodUtc0":"97000","sodUtc8":"97000","ts":"{time_ms}"}}]}}"#
        ),
        _ => format!(
            r#"{{"topic":"tickers.{symbol}","ts":{time_ms},"type":"snapshot","cs":{sequence},"data":{{"symbol":"{symbol}","lastPrice":"{price}","highPrice24h":"98000","lowPrice24h":"96000","prevPrice24h":"97000","volume24h":"6780.8","turnover24h":"143","price24hPcnt":"0.0196","usdIndexPrice":"97400.7"}}}}"#
        ),
    }
}

/// An instant in the format of some venues.
fn iso(time_ms: u64) -> String {
    let (days, ms) = (time_ms / 86_400_000, time_ms % 86_400_000);
    // Counts year by year and month by month from 1970: slow, but simple enough to check the reader.
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut month, mut left) = (1970, 1, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    let (seconds, ms) = (ms / 1_000, ms % 1_000);
    format!("{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}.{ms:03}000Z", left + 1, seconds / 3_600, seconds / 60 % 60, seconds % 60)
}
