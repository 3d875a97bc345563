//! The connection to one venue: opened, subscribed, read, kept alive, and reopened when it fails.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{self, MissedTickBehavior};
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message as Frame};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::Venue;
use super::board::{Asked, Board, Heard};
use super::live::WallClock;
use super::status::{Connection, SourceStatus};

/// The longest message that is read, bytes. Real ones are below one kilobyte.
const LONGEST: usize = 64 * 1024;
/// Bytes per read.
const READ_AT_ONCE: usize = 16 * 1024;
/// Messages read per second. The rest waits on the venue's side, and ages.
const MOST_A_SECOND: u32 = 1_000;
/// This many rejected messages in a row end a connection.
const REJECTED_IN_A_ROW: u32 = 200;

/// Timeouts and pauses of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For opening the connection, and for sending a message.
    pub open: Duration,
    /// Between two pings.
    pub ping: Duration,
    /// For any message at all; after that the connection is considered dead.
    pub silence: Duration,
    /// For a quote; after that the subscription is considered lost.
    pub quote: Duration,
    /// Before the second attempt. It doubles with each failure.
    pub pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// A connection that has delivered quotes for this long counts as good: the next pause is the shortest again.
    pub steady: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            open: Duration::from_secs(10),
            ping: Duration::from_secs(15),
            silence: Duration::from_secs(30),
            quote: Duration::from_secs(60),
            pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(60),
            steady: Duration::from_secs(30),
        }
    }
}

/// One venue in operation.
#[derive(Debug)]
pub(super) struct Source {
    pub venue: &'static Venue,
    uri: Uri,
    clock: WallClock,
    patience: Patience,
    board: Mutex<Board>,
    asked: watch::Sender<Vec<Asked>>,
}

/// Why a connection ended.
#[derive(Debug)]
enum Ended {
    /// The requested pairs have changed.
    Changed,
    Fault(String),
}

type Line = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl Source {
    pub fn new(venue: &'static Venue, uri: Uri, clock: WallClock, patience: Patience) -> Arc<Source> {
        let (board, asked) = (Mutex::new(Board::new()), watch::Sender::new(Vec::new()));
        Arc::new(Source { venue, uri, clock, patience, board, asked })
    }

    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn status(&self) -> SourceStatus {
        self.board().status(self.venue.name)
    }

    /// The pairs it is asked for now.
    pub fn pairs(&self) -> Vec<Asked> {
        self.asked.borrow().clone()
    }

    /// Wall-clock time.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Requests these pairs from now on.
    pub fn ask(&self, pairs: Vec<Asked>) {
        self.asked.send_if_modified(|asked| {
            let changes = *asked != pairs;
            if changes {
                self.board().ask(&pairs);
                *asked = pairs;
            }
            changes
        });
    }

    /// Keeps a connection open for ever.
    pub async fn run(self: Arc<Source>) {
        let mut asked = self.asked.subscribe();
        let mut failures = 0;
        loop {
            let pairs = asked.borrow_and_update().clone();
            if pairs.is_empty() {
                self.board().turn(Connection::Idle, None);
                if asked.changed().await.is_err() {
                    return;
                }
                continue;
            }
            self.board().turn(Connection::Connecting, None);
            let mut good = false;
            let began = Instant::now();
            match self.connect(&pairs, &mut asked, &mut good).await {
                Ended::Changed => failures = 0,
                Ended::Fault(why) => {
                    self.board().turn(Connection::Waiting, Some(&why));
                    failures = if good && began.elapsed() >= self.patience.steady { 0 } else { failures + 1 };
                    let pause = self.patience.before(failures);
                    let wait_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
                    tracing::warn!(venue = self.venue.name, wait_ms, why = self.status().fault, "a source of prices is away");
                    time::sleep(pause).await;
                }
            }
        }
    }

    /// Opens a connection and reads it to its end. `good` becomes true with the first quote.
    async fn connect(&self, pairs: &[Asked], asked: &mut watch::Receiver<Vec<Asked>>, good: &mut bool) -> Ended {
        let mut line = match self.open(pairs).await {
            Ok(line) => line,
            Err(why) => return Ended::Fault(why),
        };
        self.board().turn(Connection::Open, None);
        tracing::info!(venue = self.venue.name, "a source of prices is there");
        let ended = tokio::select! {
            changed = asked.changed() => match changed {
                Ok(()) => Ended::Changed,
                Err(error) => Ended::Fault(error.to_string()),
            },
            why = self.read(&mut line, good) => Ended::Fault(why),
        };
        // A courtesy; the other side may be gone.
        let _ = time::timeout(Duration::from_millis(200), line.close(None)).await;
        ended
    }

    async fn open(&self, pairs: &[Asked]) -> Result<Line, String> {
        // Another part of the process may have installed the provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let bounds = WebSocketConfig::default()
            .read_buffer_size(READ_AT_ONCE)
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST))
            .max_write_buffer_size(LONGEST + 128 * 1024);
        let opening = connect_async_with_config(self.uri.clone(), Some(bounds), true);
        let opened = time::timeout(self.patience.open, opening).await.map_err(|_| "it does not open".to_owned())?;
        let (mut line, _) = opened.map_err(|error| describe(&error))?;
        let symbols: Vec<&str> = pairs.iter().map(|pair| pair.symbol.text.as_str()).collect();
        for text in (self.venue.subscribe)(&symbols) {
            self.send(&mut line, Frame::text(text)).await?;
        }
        Ok(line)
    }

    async fn send(&self, line: &mut Line, frame: Frame) -> Result<(), String> {
        let sent = time::timeout(self.patience.open, line.send(frame)).await.map_err(|_| "it does not read".to_owned())?;
        sent.map_err(|error| describe(&error))
    }

    /// Reads until the connection has to be reopened, and returns why.
    async fn read(&self, line: &mut Line, good: &mut bool) -> String {
        let mut ping = time::interval_at(time::Instant::now() + self.patience.ping, self.patience.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut heard, mut quoted) = (Instant::now(), Instant::now());
        let (mut in_a_row, mut meter) = (0, Meter::new());
        loop {
            let next = tokio::select! {
                next = line.next() => next,
                _ = ping.tick() => {
                    if heard.elapsed() > self.patience.silence {
                        return "silent".to_owned();
                    }
                    if quoted.elapsed() > self.patience.quote {
                        return "no quotes".to_owned();
                    }
                    let frame = self.venue.ping.map_or_else(|| Frame::Ping(Default::default()), Frame::text);
                    if let Err(why) = self.send(line, frame).await {
                        return why;
                    }
                    continue;
                }
            };
            heard = Instant::now();
            let verdict = match next {
                Some(Ok(Frame::Text(text))) => self.board().hear((self.venue.read)(text.as_str()), self.clock.now_ms()),
                Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => Heard::Alive,
                Some(Ok(Frame::Binary(_))) => Heard::Rejected,
                Some(Ok(Frame::Close(frame))) => {
                    return frame.map_or_else(|| "closed".to_owned(), |frame| format!("closed: {}", frame.reason));
                }
                Some(Err(error)) => return describe(&error),
                None => return "closed".to_owned(),
            };
            match verdict {
                Heard::Quote => (quoted, in_a_row, *good) = (heard, 0, true),
                Heard::Rejected => in_a_row += 1,
                Heard::Alive => {}
                Heard::Leaving => return "it is about to close".to_owned(),
            }
            if in_a_row >= REJECTED_IN_A_ROW {
                return format!("{in_a_row} messages in a row that were no quotes");
            }
            meter.pass().await;
        }
    }
}

impl Patience {
    /// The pause after this many failures: between half of it and all of it, so many clients do not reconnect at once.
    fn before(&self, failures: u32) -> Duration {
        let doubled = self.pause.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(self.longest_pause);
        let whole = u64::try_from(doubled.as_millis()).unwrap_or(u64::MAX);
        Duration::from_millis(fastrand::u64(whole / 2..=whole))
    }
}

/// Limits the messages per second.
struct Meter {
    began: Instant,
    passed: u32,
}

impl Meter {
    fn new() -> Meter {
        Meter { began: Instant::now(), passed: 0 }
    }

    async fn pass(&mut self) {
        self.passed += 1;
        if self.passed < MOST_A_SECOND {
            return;
        }
        time::sleep(Duration::from_secs(1).saturating_sub(self.began.elapsed())).await;
        *self = Meter::new();
    }
}

/// What went wrong, without the address.
fn describe(error: &Error) -> String {
    match error {
        Error::Http(answer) => format!("it answers {}", answer.status()),
        Error::Capacity(_) => "a message that is too long".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_are_spread_and_bounded() {
        let patience = Patience::default();
        for (failures, whole_ms) in [(1, 500), (2, 1_000), (3, 2_000), (7, 32_000), (8, 60_000), (100, 60_000), (u32::MAX, 60_000)] {
            let pauses: Vec<u128> = (0..200).map(|_| patience.before(failures).as_millis()).collect();
            assert!(pauses.iter().all(|pause| (whole_ms / 2..=whole_ms).contains(pause)), "{failures}: {pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]), "all at once after {failures}");
        }
    }

    #[tokio::test]
    async fn no_more_than_so_many_messages_pass_in_a_second() {
        let mut meter = Meter::new();
        let began = Instant::now();
        for _ in 0..=MOST_A_SECOND {
            meter.pass().await;
        }
        assert!(began.elapsed() >= Duration::from_millis(999), "{:?}", began.elapsed());
    }
}
