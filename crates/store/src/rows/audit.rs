//! Rebuilds the rows from the log and compares them with the stored ones, so tampering is found (A24).

use engine::catalog::Catalog;
use engine::published::Published;
use engine::requests::KEPT_MS;
use engine::time::Time;
use tempfile::TempDir;

use super::gathered::FACTS;
use super::{Rows, SAMPLES_KEPT_MS};
use crate::db::{Db, DbError, Row, Sql, Value};
use crate::mark::Written;
use crate::prices;
use crate::secrets::OpenError;
use crate::sql;

/// Rows per read.
const PAGE: u64 = 10_000;

/// A table of the history.
struct Table {
    name: &'static str,
    /// Columns that identify a row; rows are compared in their order.
    key: &'static [&'static str],
    /// Columns that must match.
    cells: &'static str,
    /// A column and its least value: rows below it are not checked.
    from: (&'static str, u64),
}

/// Rows in a database of their own, which is deleted when this is dropped.
#[derive(Debug)]
pub struct Rebuilt {
    db: Db,
    _folder: TempDir,
    rows: Rows,
    /// Facts whose rows are not written yet.
    waiting: usize,
    written: Written,
    /// Sequence and time of the newest entry, and time of the first.
    newest: (u64, Time),
    began: Option<Time>,
}

impl Rebuilt {
    /// No rows yet; they will need disk space below `data`.
    pub async fn open(data: &std::path::Path) -> Result<Rebuilt, OpenError> {
        let folder = tempfile::tempdir_in(data)?;
        let db = Db::sqlite(&folder.path().join("rows.db"))?;
        db.migrate(&crate::migrations::migrations()).await?;
        let written = Written { rows: 0, costs: 0 };
        Ok(Rebuilt { db, _folder: folder, rows: Rows::default(), waiting: 0, written, newest: (0, Time(0)), began: None })
    }

    /// The rows of the next entry.
    pub async fn take(&mut self, catalog: &Catalog, published: &Published) -> Result<(), DbError> {
        self.rows.take(catalog, published);
        self.rows.costs.take(catalog, published);
        self.rows.house.take(published);
        self.rows.stops_set(published);
        self.newest = (published.seq.0, published.time);
        self.began.get_or_insert(published.time);
        self.waiting += published.facts();
        if self.waiting < FACTS { Ok(()) } else { self.write().await }
    }

    async fn write(&mut self) -> Result<(), DbError> {
        if !self.rows.is_empty() {
            let moved = self.rows.costs.statements(&self.db).await?;
            let statements = self.rows.statements(self.written, self.newest.0, moved);
            self.db.run_relaxed(statements.into()).await?;
            self.written = self.written.up_to(self.newest.0);
        }
        self.waiting = 0;
        Ok(())
    }

    /// The first row of `stored` that differs from the one that the log gives. Notices are not compared, because their owners change them;
    /// observed payments only when `all_payments` have a row. `done` receives the number of rows compared and their total.
    pub async fn difference(&mut self, stored: &Db, all_payments: bool, done: impl Fn(u64, u64)) -> Result<Option<String>, DbError> {
        self.write().await?;
        let Written { rows, costs } = Written::read(stored).await?;
        if costs != rows {
            return Ok(Some(format!(
                "the costs are written up to entry {costs}, the other rows up to entry {rows}: a start makes what is missing"
            )));
        }
        if !prices::is_filled(stored).await? {
            // This version has not been started yet; its first start makes them.
            self.db.exec(sql!("delete from candles where minutes in (5, 15, 30)")).await?;
        }
        let (mut compared, mut all) = (0, 0);
        for table in self.tables().into_iter().filter(|table| all_payments || table.name != "observations") {
            let text = format!("select count(*) from {} where {} >= $1", table.name, table.from.0);
            let count = self.db.query(sql!(text, table.from.1)).await?;
            all += count.first().map_or(Ok(0), |row| row.id(0))?;
            let (mut made, mut kept) = (table.start(), table.start());
            loop {
                let (ours, theirs) = (table.page(&self.db, &mut made).await?, table.page(stored, &mut kept).await?);
                let differs = |at: &usize| table.cells(ours.get(*at)) != table.cells(theirs.get(*at));
                if let Some(at) = (0..ours.len().max(theirs.len())).find(differs) {
                    return table.fault(theirs.get(at).or(ours.get(at))).map(Some);
                }
                if ours.is_empty() {
                    break;
                }
                compared += ours.len() as u64;
                done(compared, all);
            }
        }
        // The log has no entries for these candles.
        let text = "select count(*) from candles where start_ms + minutes * cast(60000 as bigint) <= $1 and simulated = 0";
        let began = self.began.map_or(0, |time| time.0);
        let unmarked = stored.query(sql!(text, began)).await?.first().map_or(Ok(0), |row| row.id(0))?;
        Ok((unmarked > 0).then(|| format!("{unmarked} candles of before the log do not say that they were imagined")))
    }

    fn tables(&self) -> [Table; 28] {
        let whole = ("seq", 0);
        // Older samples and answers may have been forgotten. Charts from before the log are simulated, and marked so.
        let kept = self.newest.1.0.saturating_sub(SAMPLES_KEPT_MS);
        let answered = self.newest.1.0.saturating_sub(KEPT_MS);
        let began = self.began.map_or(0, |time| time.0);
        let table = |name, key, cells, from| Table { name, key, cells, from };
        [
            // Rows are numbered as they were gathered, so only the order within a wallet follows from the log.
            table(
                "statement",
                &["user_id", "wallet", "asset", "time_ms", "id"],
                "seq, time_ms, user_id, wallet, held, asset, kind, change, balance_after, two_lines, other_after, object, object_id",
                whole,
            ),
            table("spot_orders", &["id"], "id, user_id, market, side, status, client_order_id, seq, body", whole),
            table(
                "fills",
                &["id"],
                "id, trade_id, order_id, user_id, market, side, maker, price, quantity, amount, fee, seq, time_ms",
                whole,
            ),
            table("trades", &["id"], "id, market, side, price, quantity, seq, time_ms, house", whole),
            table("transfers", &["id"], "id, user_id, asset, from_wallet, to_wallet, amount, time_ms", ("id", 0)),
            table("deposits", &["id"], "id, user_id, status, seq, created_ms, changed_ms, body, bank", whole),
            table("withdrawals", &["id"], "id, user_id, status, seq, created_ms, changed_ms, body, waits", whole),
            table("submissions", &["id"], "id, user_id, status, seq, created_ms, changed_ms, body", whole),
            table("options", &["id"], "id, user_id, market, asset, open_ms, delivery_ms, seq, body", whole),
            table("option_minutes", &["start_ms", "asset"], "start_ms, asset, ended, paid", ("start_ms", 0)),
            table("contracts", &["id"], "id, user_id, market, status, seq, body", whole),
            table("loans", &["id"], "id, user_id, status, seq, created_ms, changed_ms, body", whole),
            table("conversions", &["id"], "id, user_id, seq, body", whole),
            table(
                "contract_trades",
                &["position", "closing"],
                "position, closing, market, price, quantity, buys, time_ms",
                ("position", 0),
            ),
            table("contract_stops", &["position", "seq"], "position, seq, market, time_ms", whole),
            table("commitments", &["id"], "id, user_id, offering, tokens, seq, body", whole),
            table("rebates", &["id"], "id, user_id, level, asset, amount, fees, value, day, payer, time_ms, seq", whole),
            table("plan_orders", &["id"], "id, user_id, asset, redeemed, interest, ended_ms, seq, body", whole),
            table("observations", &["id"], "id, tx, status, body", ("id", 0)),
            table("costs", &["user_id", "asset"], "user_id, asset, quantity, uncosted, cost, realised, seq", whole),
            table("costs_aside", &["object", "object_id"], "object, object_id, user_id, asset, quantity, uncosted, cost, seq", whole),
            table("cost_prices", &["asset"], "asset, price, seq", whole),
            table("flows", &["user_id", "time_ms", "seq", "asset"], "user_id, time_ms, seq, asset, atoms, usdt, withdrawal", whole),
            table("house_days", &["day", "account", "asset", "kind"], "day, account, asset, kind, received, paid, seq", ("day", 0)),
            table("fee_days", &["user_id", "day", "asset"], "user_id, day, asset, fees, seq", whole),
            table("first_answers", &["seq"], "seq, time_ms, body", ("time_ms", answered)),
            table("index_samples", &["market", "seq"], "market, seq, time_ms, price, sandbox, quotes", ("time_ms", kept)),
            table(
                "candles",
                &["market", "series", "minutes", "start_ms"],
                "market, series, minutes, start_ms, first, high, low, last, volume, quote_volume, trades, simulated",
                ("start_ms", began),
            ),
        ]
    }
}

impl Table {
    /// Before all rows.
    fn start(&self) -> Vec<Value> {
        vec![Value::Int(-1); self.key.len()]
    }

    /// The rows after `place`, which moves to the last of them: their keys, then their cells.
    async fn page(&self, db: &Db, place: &mut Vec<Value>) -> Result<Vec<Row>, DbError> {
        let (key, next) = (self.key.join(", "), place.len() + 1);
        let places: Vec<String> = (1..next).map(|number| format!("${number}")).collect();
        let text = format!(
            "select {key}, {} from {} where ({key}) > ({}) and {} >= ${next} order by {key} limit ${}",
            self.cells,
            self.name,
            places.join(", "),
            self.from.0,
            next + 1
        );
        let args = place.iter().cloned().chain([self.from.1.into(), PAGE.into()]).collect();
        let rows = db.query(Sql::new(text, args)).await?.rows;
        if let Some(last) = rows.last() {
            *place = last.0.iter().take(self.key.len()).cloned().collect();
        }
        Ok(rows)
    }

    /// The compared cells of a row.
    fn cells<'a>(&self, row: Option<&'a Row>) -> Option<&'a [Value]> {
        row.and_then(|row| row.0.get(self.key.len()..))
    }

    fn fault(&self, row: Option<&Row>) -> Result<String, DbError> {
        let keys = self.key.iter().enumerate().filter_map(|(at, name)| Some(row?.int(at).map(|number| format!("{name} {number}"))));
        let keys: Vec<String> = keys.collect::<Result<_, _>>()?;
        Ok(format!("{} is not what the log gives: look at {}", self.name, keys.join(", ")))
    }
}
