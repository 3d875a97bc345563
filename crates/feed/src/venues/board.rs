//! What one venue last reported for each pair, what was accepted, and the state of its connection.

use std::time::Instant;

use engine::amount::Price;
use engine::ids::MarketId;

use super::status::{Connection, PairStatus, Rejection, SourceStatus};
use super::{Message, Symbol, Ticker, Unreadable, price};

/// A quote older than this on arrival is not accepted, ms. The engine drops much younger ones; at this age a clock must be wrong.
const ANCIENT_MS: u64 = 60_000;
/// Clocks of good venues are ahead of ours by less than this, ms.
const FUTURE_MS: u64 = 2_000;
/// Faults are cut to this many characters.
const FAULT_CHARS: usize = 120;

/// A pair requested from a venue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub market: MarketId,
    pub symbol: Symbol,
    /// Decimals of the base coin.
    pub scale: u8,
}

/// The last quote of a pair.
#[derive(Clone, Copy, Debug)]
struct Last {
    price: Price,
    /// Age on arrival, ms.
    late_ms: u64,
    arrived: Instant,
    time_us: u64,
    sequence: Option<u64>,
}

#[derive(Debug)]
struct Row {
    asked: Asked,
    last: Option<Last>,
    /// The last quote is from this connection, so the next must come after it.
    in_order: bool,
    accepted: u64,
    rejected: u64,
    why: Option<Rejection>,
}

/// One venue's board.
#[derive(Debug)]
pub(super) struct Board {
    connection: Connection,
    since: Instant,
    opened: u64,
    strays: u64,
    fault: Option<String>,
    rows: Vec<Row>,
}

/// How a message was classified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// At least one quote.
    Quote,
    /// Nothing acceptable.
    Rejected,
    /// Only a sign of life.
    Alive,
    /// The venue is about to close.
    Leaving,
}

impl Board {
    pub fn new() -> Board {
        Board { connection: Connection::Idle, since: Instant::now(), opened: 0, strays: 0, fault: None, rows: Vec::new() }
    }

    /// Keeps the data of pairs that are still requested.
    pub fn ask(&mut self, pairs: &[Asked]) {
        let mut old = std::mem::take(&mut self.rows);
        for asked in pairs {
            let known = old.iter().position(|row| row.asked == *asked).map(|at| old.swap_remove(at));
            self.rows.push(known.unwrap_or_else(|| Row {
                asked: asked.clone(),
                last: None,
                in_order: false,
                accepted: 0,
                rejected: 0,
                why: None,
            }));
        }
    }

    pub fn turn(&mut self, connection: Connection, fault: Option<&str>) {
        if self.connection != connection {
            (self.connection, self.since) = (connection, Instant::now());
        }
        if connection == Connection::Open {
            self.opened += 1;
            // Sequences restart with each connection.
            self.rows.iter_mut().for_each(|row| row.in_order = false);
        }
        if let Some(fault) = fault {
            self.fault = Some(told(fault));
        }
    }

    /// Processes a message that arrived now, at this time of the wall clock.
    pub fn hear(&mut self, message: Result<Message<'_>, Unreadable>, wall_ms: u64) -> Heard {
        match message {
            Ok(Message::Tickers(tickers)) => {
                let mut any = false;
                for ticker in &tickers {
                    any |= self.take(ticker, wall_ms);
                }
                if any { Heard::Quote } else { Heard::Rejected }
            }
            Ok(Message::Alive) => Heard::Alive,
            Ok(Message::Leaving) => Heard::Leaving,
            Ok(Message::Refused(why)) => {
                self.fault = Some(told(&format!("refused: {why}")));
                Heard::Alive
            }
            Err(Unreadable) => {
                self.strays += 1;
                Heard::Rejected
            }
        }
    }

    fn take(&mut self, ticker: &Ticker<'_>, wall_ms: u64) -> bool {
        let Some(row) = self.rows.iter_mut().find(|row| row.asked.symbol.text == ticker.symbol) else {
            self.strays += 1;
            return false;
        };
        match row.check(ticker, wall_ms) {
            Ok(last) => {
                (row.last, row.in_order) = (Some(last), true);
                row.accepted += 1;
                true
            }
            Err(why) => {
                row.rejected += 1;
                row.why = Some(why);
                false
            }
        }
    }

    /// The last quote of a pair and its age, ms.
    pub fn quote(&self, market: MarketId) -> Option<(Price, u64)> {
        let last = self.rows.iter().find(|row| row.asked.market == market)?.last?;
        Some((last.price, last.age_ms()))
    }

    pub fn status(&self, name: &'static str) -> SourceStatus {
        SourceStatus {
            name,
            connection: self.connection,
            since_ms: ms_since(self.since),
            opened: self.opened,
            strays: self.strays,
            fault: self.fault.clone(),
            pairs: self.rows.iter().map(Row::status).collect(),
        }
    }
}

impl Row {
    fn check(&self, ticker: &Ticker<'_>, wall_ms: u64) -> Result<Last, Rejection> {
        let time_us = ticker.time_us.ok_or(Rejection::Time)?;
        let late_ms = wall_ms.saturating_sub(time_us / 1_000);
        let early_ms = (time_us / 1_000).saturating_sub(wall_ms);
        if late_ms > ANCIENT_MS || early_ms > FUTURE_MS {
            return Err(Rejection::Time);
        }
        let straight = price::exact(&ticker.price).ok_or(Rejection::Price)?;
        let price = if self.asked.symbol.inverse { price::inverse(straight).ok_or(Rejection::Price)? } else { straight };
        let last = self.last.filter(|_| self.in_order);
        if last.is_some_and(|last| !last.is_before(time_us, ticker.sequence, price)) {
            return Err(Rejection::Order);
        }
        Ok(Last { price, late_ms, arrived: Instant::now(), time_us, sequence: ticker.sequence })
    }

    fn status(&self) -> PairStatus {
        PairStatus {
            market: self.asked.market,
            symbol: self.asked.symbol.text.clone(),
            inverse: self.asked.symbol.inverse,
            price: self.last.map(|last| last.price),
            age_ms: self.last.map(|last| last.age_ms()),
            accepted: self.accepted,
            rejected: self.rejected,
            why: self.why,
        }
    }
}

impl Last {
    fn age_ms(&self) -> u64 {
        self.late_ms.saturating_add(ms_since(self.arrived))
    }

    /// Neither the time nor the sequence may fall; a message equal in all fields is a repetition.
    fn is_before(&self, time_us: u64, sequence: Option<u64>, price: Price) -> bool {
        let falls = time_us < self.time_us || sequence < self.sequence;
        let is_same = (time_us, sequence, price) == (self.time_us, self.sequence, self.price);
        !falls && !is_same
    }
}

fn ms_since(instant: Instant) -> u64 {
    u64::try_from(instant.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Text from a venue, as one line of limited length.
fn told(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).take(FAULT_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_764_106_200_000;

    fn board() -> Board {
        let mut board = Board::new();
        let pair =
            |market, text: &str, inverse| Asked { market: MarketId(market), symbol: Symbol { text: text.to_owned(), inverse }, scale: 8 };
        board.ask(&[pair(1, "BTC-USDT", false), pair(3, "USDT-USDC", true)]);
        board.turn(Connection::Open, None);
        board
    }

    fn say(board: &mut Board, symbol: &str, price: &str, time_ms: u64, sequence: Option<u64>) -> Heard {
        let ticker = Ticker { symbol: symbol.into(), price: price.into(), time_us: Some(time_ms * 1_000), sequence };
        board.hear(Ok(Message::Tickers(vec![ticker])), NOW)
    }

    fn btc(board: &Board) -> PairStatus {
        board.status("x").pairs[0].clone()
    }

    #[test]
    fn a_quote_ages_from_the_time_that_the_venue_gave_it() {
        let mut board = board();
        assert_eq!(say(&mut board, "BTC-USDT", "97432.15", NOW - 1_500, None), Heard::Quote);
        let (price, age_ms) = board.quote(MarketId(1)).unwrap();
        assert_eq!(price, Price(9_743_215_000_000));
        assert!((1_500..2_500).contains(&age_ms), "{age_ms}");
        // A venue's clock a little ahead of ours makes the quote no younger than now.
        assert_eq!(say(&mut board, "BTC-USDT", "97432.16", NOW + 1_999, None), Heard::Quote);
        assert!(board.quote(MarketId(1)).unwrap().1 < 1_000);
    }

    #[test]
    fn what_is_no_price_of_this_minute_is_counted_and_changes_nothing() {
        let mut board = board();
        say(&mut board, "BTC-USDT", "97432.15", NOW, None);
        for price in ["0", "-1", "NaN", "1e3", "1234567890123456789012345678901234567890", "", "97432.123456789"] {
            assert_eq!(say(&mut board, "BTC-USDT", price, NOW + 1, None), Heard::Rejected);
            assert_eq!(btc(&board).why, Some(Rejection::Price), "{price}");
        }
        for time in [NOW - 60_001, NOW + 2_001, 0, u64::MAX / 1_000] {
            assert_eq!(say(&mut board, "BTC-USDT", "97432.15", time, None), Heard::Rejected);
            assert_eq!(btc(&board).why, Some(Rejection::Time), "{time}");
        }
        let timeless = Ticker { symbol: "BTC-USDT".into(), price: "1".into(), time_us: None, sequence: None };
        assert_eq!(board.hear(Ok(Message::Tickers(vec![timeless])), NOW), Heard::Rejected);
        assert_eq!(say(&mut board, "ETH-USDT", "3412.88", NOW, None), Heard::Rejected);
        assert_eq!(board.hear(Err(Unreadable), NOW), Heard::Rejected);
        let status = btc(&board);
        assert_eq!((status.price, status.accepted, status.rejected), (Some(Price(9_743_215_000_000)), 1, 12));
        assert_eq!(board.status("x").strays, 2);
    }

    #[test]
    fn a_repeated_or_an_older_one_is_not_taken_but_a_new_connection_begins_again() {
        let mut board = board();
        let mut at = |time, sequence, price: &str| say(&mut board, "BTC-USDT", price, time, sequence);
        assert_eq!(at(NOW, Some(10), "100"), Heard::Quote);
        assert_eq!(at(NOW, Some(10), "100"), Heard::Rejected, "repeated");
        assert_eq!(at(NOW + 1, Some(9), "101"), Heard::Rejected, "sequence fell");
        assert_eq!(at(NOW - 1, Some(11), "101"), Heard::Rejected, "time fell");
        assert_eq!(at(NOW + 1, None, "101"), Heard::Rejected, "sequence is gone");
        assert_eq!(at(NOW + 1, Some(10), "101"), Heard::Quote, "one sequence may bear two tickers");
        assert_eq!(at(NOW + 1, Some(11), "102"), Heard::Quote);
        assert_eq!(btc(&board).why, Some(Rejection::Order));
        board.turn(Connection::Open, None);
        assert_eq!(say(&mut board, "BTC-USDT", "103", NOW, Some(1)), Heard::Quote);
        assert_eq!(btc(&board).price, Some(Price(10_300_000_000)));
    }

    #[test]
    fn a_pair_that_is_quoted_the_other_way_round_is_turned() {
        let mut board = board();
        assert_eq!(say(&mut board, "USDT-USDC", "0.9998", NOW, Some(1)), Heard::Quote);
        assert_eq!(board.quote(MarketId(3)).unwrap().0, Price(100_020_004));
        assert_eq!(say(&mut board, "USDT-USDC", "0.00000001", NOW + 1, Some(2)), Heard::Rejected);
    }

    #[test]
    fn what_a_stranger_says_is_shown_short_and_on_one_line() {
        let mut board = board();
        board.hear(Ok(Message::Refused(format!("no\n\u{1b}[31m{}", "x".repeat(10_000)))), NOW);
        let fault = board.status("x").fault.unwrap();
        assert!(fault.starts_with("refused: no  [31mxxx") && fault.len() == FAULT_CHARS, "{fault}");
    }

    #[test]
    fn pairs_that_stay_keep_what_is_known_of_them() {
        let mut board = board();
        say(&mut board, "BTC-USDT", "100", NOW, None);
        let kept = board.rows[0].asked.clone();
        board.ask(&[Asked { market: MarketId(2), symbol: Symbol::straight("ETH-USDT".to_owned()), scale: 8 }, kept]);
        assert_eq!(board.quote(MarketId(1)).map(|(price, _)| price), Some(Price(10_000_000_000)));
        assert!(board.quote(MarketId(3)).is_none());
    }
}
