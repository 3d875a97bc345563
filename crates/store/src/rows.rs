//! Events -> rows. Rebuildable from the log at any time; the rows and the mark that covers them move in one transaction.
//!
//! The house liquidity's orders and statement stay in the log, and its trades in the public record: as rows they would be nearly all of the
//! database, and no call asks for them.

mod account;
mod alerts;
pub mod audit;
mod costs;
mod endings;
pub mod first_answers;
mod gathered;
mod house;
mod inbox;
mod line_kinds;
mod pruning;
mod statement;
mod writing;

use std::collections::BTreeMap;
use std::ops::Deref;

use engine::candles::{Candle, Period, Series, merge_candles};
use engine::catalog::Catalog;
use engine::event::{Event, Trade, TradeParty, Transfer};
use engine::ids::{MarketId, UserId};
use engine::index::IndexSample;
use engine::published::{Batch, Published};
use engine::spot::SpotOrder;
use engine::spot::status::Status;
use engine::time::{DAY_MS, Time};
use tokio::sync::mpsc;

use crate::alerts::owners_of_fired;
use crate::contract_stops;
use crate::db::{self, Db, DbError, Sql, Value};
use crate::history::{side_number, wallet_number};
use crate::mark::{Mark, Written};
use crate::people::HOUSE;
use crate::prices::{CANDLES, MERGE_CANDLE, STORED, candle_cells};
use costs::Costs;
pub use endings::average;
use gathered::Gathered;
use house::House;
use inbox::Inbox;
pub use line_kinds::{LOAN_REPAYMENT, kind_key, transfer_kind};
use pruning::Pruning;
use statement::Statement;
use writing::{until_done, write};

/// Samples are kept in SQL for this long; the journal keeps them for ever.
pub const SAMPLES_KEPT_MS: u64 = 7 * DAY_MS;
/// Most orders fit without growing, bytes.
const ORDER: usize = 768;

/// Writes rows of the incoming groups, under the catalog of their time, until the input ends; `applied` shows how far they are. `tell` is
/// called with the members who got notices, each once.
///
/// # Errors
/// When another node writes the history of this database, or entries are missing.
pub async fn run<F: Future<Output = ()>>(
    db: Db,
    applied: Mark,
    catalog: impl Deref<Target = Catalog>,
    inbox: mpsc::Receiver<Batch>,
    tell: impl Fn(Vec<UserId>) -> F,
) -> Result<(), &'static str> {
    let mut inbox = Inbox::new(inbox);
    let (mut written, costs, mut pruning) = until_done("history", || begun(&db)).await;
    applied.reached.send_replace(written.least());
    let mut reached = written.least();
    let mut gathered = Gathered::default();
    gathered.rows.costs = costs;
    while gathered.gather(&catalog, &applied, &mut inbox, written).await? {
        let Gathered { rows, newest, .. } = &mut gathered;
        let Some((seq, time)) = newest.take() else { continue };
        // Entries without rows move the mark only in memory. Replaying them is harmless, and it saves a sync.
        let mut told = std::mem::take(&mut rows.account.told);
        told.append(&mut rows.account.told_of_orders);
        let caught_up = written.costs < written.rows && seq >= written.rows;
        if !rows.is_empty() || caught_up {
            let sampled = !rows.levels.is_empty();
            let writing = async {
                let moved = until_done("costs", || rows.costs.statements(&db)).await;
                write(&db, rows.statements(written, seq, moved), written.up_to(seq)).await
            };
            inbox.while_busy(writing).await?;
            if sampled {
                match owners_of_fired(&db, written.rows, seq).await {
                    Ok(owners) => told.extend(owners),
                    // Their notices are in the list; the members are told with the next one.
                    Err(error) => tracing::error!(%error, "alerts"),
                }
            }
            written = written.up_to(seq);
        }
        reached = seq;
        applied.reached.send_replace(seq);
        // Many orders and options of one member may end at once.
        told.sort_unstable();
        told.dedup();
        tell(told).await;
        inbox.while_busy(pruning.run(&db, time, gathered.facts)).await;
    }
    // Moves the mark, so that the next start can use the snapshot of a graceful stop.
    if reached > written.least() {
        // If another node moved the mark, it is right as it is.
        let _ = write(&db, vec![written.advance(reached)], written.up_to(reached)).await;
    }
    Ok(())
}

/// The marks that a start continues from.
async fn begun(db: &Db) -> Result<(Written, Costs, Pruning), DbError> {
    Ok((Written::read(db).await?, Costs::load(db).await?, Pruning::load(db).await?))
}

/// The wire's state of an order.
pub fn status_number(status: Status) -> u8 {
    match status {
        Status::Waiting | Status::Open => 1,
        Status::Completed => 2,
        Status::Cancelled => 3,
    }
}

/// Rows of one transaction.
#[derive(Debug, Default)]
struct Rows {
    statement: Statement,
    orders: BTreeMap<u64, Vec<Value>>,
    fills: db::Rows,
    trades: db::Rows,
    transfers: db::Rows,
    samples: db::Rows,
    /// Of a minute; the longer ones are made of them.
    candles: BTreeMap<(MarketId, Series), BTreeMap<Time, Candle>>,
    levels: alerts::Levels,
    account: account::Rows,
    first_answers: db::Rows,
    costs: Costs,
    house: House,
    stops: db::Rows,
}

impl Rows {
    fn is_empty(&self) -> bool {
        // Fills come with trades, candles with trades or samples.
        self.statement.is_empty()
            && self.orders.is_empty()
            && self.trades.is_empty()
            && self.transfers.is_empty()
            && self.samples.is_empty()
            && self.account.is_empty()
            && self.first_answers.is_empty()
            && self.costs.is_empty()
            && self.house.is_empty()
            && self.stops.is_empty()
    }

    fn take(&mut self, catalog: &Catalog, published: &Published) {
        let Published { seq, time, events, answer, .. } = published;
        // Due work has its own instants.
        let mut at = *time;
        if let Some(answer) = answer {
            self.first_answers.push([seq.0.into(), time.0.into(), answer.clone().into()]);
        }
        for event in events {
            match event {
                Event::Posted(posting) => self.statement.post(seq.0, at.0, posting),
                Event::SpotOrderChanged(order) => self.order(catalog, seq.0, order),
                Event::Traded(trade) => self.trade(seq.0, trade),
                Event::IndexSampled(sample) => self.sample(seq.0, sample),
                Event::Transferred(transfer) => self.transfer(at.0, transfer),
                Event::Account(change) => {
                    self.account.count(*time, change);
                    self.account.take(catalog, (*seq, at), change);
                }
                Event::HappenedAt(instant) => at = *instant,
                // The engine has the present state of these, and their history is not needed.
                Event::MemberRegistered { .. } | Event::LevelChanged { .. } => {}
            }
        }
    }

    fn stops_set(&mut self, published: &Published) {
        if let Some(contract) = published.stops {
            self.stops.push(contract_stops::cells(contract, published.seq.0, published.time.0));
        }
    }

    fn order(&mut self, catalog: &Catalog, seq: u64, order: &SpotOrder) {
        // The engine has the open orders. The last change of an order brings all of it here.
        if order.user == HOUSE || order.is_live() {
            return;
        }
        self.account.tell_order(catalog, order);
        let mut body = Vec::with_capacity(ORDER);
        // An order has string keys and no failing serializer.
        let written = serde_json::to_writer(&mut body, order).ok().and_then(|()| String::from_utf8(body).ok());
        let cells = vec![
            order.id.0.into(),
            order.user.0.into(),
            order.market.0.into(),
            side_number(order.side).into(),
            status_number(order.status).into(),
            order.client_order_id.map(|id| id.as_str().to_owned()).into(),
            seq.into(),
            written.unwrap_or_default().into(),
        ];
        self.orders.insert(order.id.0, cells);
    }

    fn trade(&mut self, seq: u64, trade: &Trade) {
        self.trades.push([
            trade.id.0.into(),
            trade.market.0.into(),
            side_number(trade.taker_side).into(),
            trade.price.0.into(),
            trade.quantity.into(),
            seq.into(),
            trade.time.0.into(),
            trade.with_house().into(),
        ]);
        self.fill(seq, trade, &trade.taker, false);
        self.fill(seq, trade, &trade.maker, true);
        self.candle(trade.market, Series::Trade, trade.time, |start| Candle::first(start, trade.price, trade.quantity, trade.value));
    }

    fn fill(&mut self, seq: u64, trade: &Trade, party: &TradeParty, maker: bool) {
        if party.user == HOUSE {
            return;
        }
        let side = if maker { trade.taker_side.opposite() } else { trade.taker_side };
        self.fills.push([
            fill_id(trade, maker).into(),
            trade.id.0.into(),
            party.order.0.into(),
            party.user.0.into(),
            trade.market.0.into(),
            side_number(side).into(),
            maker.into(),
            trade.price.0.into(),
            trade.quantity.into(),
            trade.value.into(),
            party.fee.into(),
            seq.into(),
            trade.time.0.into(),
        ]);
    }

    fn sample(&mut self, seq: u64, sample: &IndexSample) {
        let quotes = postcard::to_allocvec(&sample.quotes).unwrap_or_default();
        self.levels.sample(seq, sample);
        self.samples.push([
            sample.market.0.into(),
            seq.into(),
            sample.time.0.into(),
            sample.price.0.into(),
            sample.sandbox.into(),
            quotes.into(),
        ]);
        self.candle(sample.market, Series::Index, sample.time, |start| Candle::first(start, sample.price, 0, 0));
    }

    fn transfer(&mut self, time_ms: u64, transfer: &Transfer) {
        let Transfer { id, user, asset, from, to, amount, .. } = *transfer;
        self.transfers.push([
            id.into(),
            user.0.into(),
            asset.0.into(),
            wallet_number(from).into(),
            wallet_number(to).into(),
            amount.into(),
            time_ms.into(),
        ]);
    }

    fn candle(&mut self, market: MarketId, series: Series, time: Time, made: impl Fn(Time) -> Candle) {
        let start = Period::Minute1.start(time);
        let minutes = self.candles.entry((market, series)).or_default();
        let later = made(start);
        minutes.entry(start).and_modify(|candle| candle.merge(&later)).or_insert(later);
    }

    /// The statements that write them, and those for the moved costs; the collection is empty afterwards.
    fn statements(&mut self, from: Written, to: u64, moved: Vec<Sql>) -> Vec<Sql> {
        let lines = self.statement.rows();
        let Rows { statement, orders, fills, trades, transfers, samples, candles, levels, account, first_answers, costs, house, stops } =
            std::mem::take(self);
        self.statement = statement;
        self.costs = costs.written();
        let mut rows_of_candles = db::Rows::default();
        for ((market, series), of_minutes) in candles {
            for (minutes, period) in STORED {
                let merged = merge_candles(of_minutes.values().copied(), period);
                merged.iter().for_each(|candle| rows_of_candles.push(candle_cells(market, series, minutes, candle, false)));
            }
        }
        let all = [
            (statement::INSERT, "", lines),
            (
                "insert into spot_orders (id, user_id, market, side, status, client_order_id, seq, body) values",
                "on conflict (id) do update set status = excluded.status, seq = excluded.seq, body = excluded.body",
                orders.into_values().collect(),
            ),
            (
                "insert into fills (id, trade_id, order_id, user_id, market, side, maker, price, quantity, amount, fee, seq, time_ms) values",
                "",
                fills,
            ),
            ("insert into trades (id, market, side, price, quantity, seq, time_ms, house) values", "", trades),
            ("insert into transfers (id, user_id, asset, from_wallet, to_wallet, amount, time_ms) values", "", transfers),
            ("insert into index_samples (market, seq, time_ms, price, sandbox, quotes) values", "", samples),
            ("insert into first_answers (seq, time_ms, body) values", "", first_answers),
            (CANDLES, MERGE_CANDLE, rows_of_candles),
            (contract_stops::INSERT, contract_stops::KNOWN, stops),
        ];
        let rows = all.into_iter().filter(|(_, _, rows)| !rows.is_empty()).map(|(head, tail, rows)| Sql::bulk(head, tail, rows));
        let others = house.statements().chain(levels.statements()).chain(account.statements());
        std::iter::once(from.advance(to)).chain(rows).chain(others).chain(moved).collect()
    }
}

/// Number of a fill: a trade has two, the taker's is odd.
pub fn fill_id(trade: &Trade, maker: bool) -> u64 {
    trade.id.0 * 2 - u64::from(!maker)
}

#[cfg(test)]
mod tests;
