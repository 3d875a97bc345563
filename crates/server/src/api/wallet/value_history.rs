//! The value of the four accounts over time: posted balances, each at the price that `wallet/list` showed at that instant
//! (`wallet/value_history`). Each point also says what was tied up in open options, contracts and offerings less the debt of loans, and
//! what has come in or gone out since, at the prices of its own instants, so a chart can leave both out. Nothing is estimated: a point that
//! holds a coin without a price at that time is left out.

use std::collections::{BTreeMap, HashMap};

use engine::Engine;
use engine::amount::{PRICE_ONE, PRICE_SCALE, Price, pow10};
use engine::candles::{Candle, Period};
use engine::catalog::Wallet;
use engine::ids::{AssetId, Seq, UserId};
use engine::time::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use serde::Serialize;
use store::balance_changes::changes;
use store::db::DbError;
use store::flows;
use utoipa::ToSchema;

use crate::api::market::chart;
use crate::api::market::quotes::shown_series;
use crate::api::wallet::balances::{USDT, priced_by, worth};
use crate::api::wallet::open_value::{OpenThings, Running};
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply};
use crate::http::request::{request, words};
use crate::http::{App, Call};

/// A member's total at an instant.
#[derive(Debug, Serialize, ToSchema)]
pub struct ValuePoint {
    time_ms: u64,
    total_usdt: String,
    /// What belongs to the member outside the accounts, less what they owe. It counts stakes of running options, payments for new coins
    /// until their launch, and open profits less open losses of contracts; it deducts the debt of loans with interest and penalty.
    open_usdt: String,
    /// Deposits less withdrawals from this point to the end.
    net_in_usdt: String,
}

/// Data returned by `wallet/value_history`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ValueHistory {
    points: Vec<ValuePoint>,
    net_in_usdt: String,
}

/// A range: its word, how many points, how many candles lie between two of them, the length of a candle, and its period.
const RANGES: [(&str, u64, u64, u64, Period); 3] =
    [("1d", 96, 1, 15 * MINUTE_MS, Period::Minute15), ("1w", 168, 1, HOUR_MS, Period::Hour1), ("1m", 180, 4, HOUR_MS, Period::Hour1)];

/// Prices of a coin: at the end of each stretch, before the first of them, and now.
struct Prices {
    closes: HashMap<u64, Price>,
    /// The issue price of a coin whose pair has no index.
    issued: Option<Price>,
    now: Price,
}

/// A member's money now, at an entry.
struct Present {
    seq: u64,
    time: Time,
    balances: BTreeMap<(AssetId, Wallet), i128>,
    running: Running,
}

impl Present {
    fn read(engine: &Engine, user: UserId) -> Present {
        let held = |asset: AssetId, wallet| {
            let balance = engine.balance(user, wallet, asset)?;
            Some(((asset, wallet), i128::from(balance.available) + i128::from(balance.held)))
        };
        let assets = engine.catalog().assets.iter();
        let balances = assets.flat_map(|asset| Wallet::ALL.into_iter().filter_map(move |wallet| held(asset.id, wallet))).collect();
        Present { seq: engine.seq().0, time: engine.time(), balances, running: Running::read(engine, user) }
    }
}

/// Worth of atoms in atoms of USDT, rounded down as everywhere; `None` without a price at that time. A coin that never had a price is worth
/// 0, as in the wallet.
struct Worth {
    scales: HashMap<AssetId, u8>,
    prices: HashMap<AssetId, Prices>,
}

impl Worth {
    async fn read(app: &App, until: Time, from: Time, period: Period) -> Result<Worth, DbError> {
        let (scales, markets): (HashMap<_, _>, Vec<_>) = {
            let engine = app.sequencer.engine();
            let markets = engine.catalog().assets.iter().filter_map(|asset| {
                let (market, now) = (priced_by(&engine, asset.id)?, worth(&engine, asset.id)?.price);
                let series = shown_series(engine.catalog(), market);
                Some((asset.id, market.clone(), series, Prices { closes: HashMap::new(), issued: engine.issue_price(market.id), now }))
            });
            (engine.catalog().assets.iter().map(|asset| (asset.id, asset.scale)).collect(), markets.collect())
        };
        let mut prices = HashMap::new();
        for (asset, market, series, mut of_coin) in markets {
            let candles = chart::load(app, &market, series, period, from, until).await?;
            of_coin.closes = candles.iter().map(|candle: &Candle| (period.end(candle.start).0, candle.close)).collect();
            prices.insert(asset, of_coin);
        }
        Ok(Worth { scales, prices })
    }

    /// At the end of a stretch, or now.
    fn price(&self, asset: AssetId, at: Option<Time>) -> Option<Price> {
        if asset == USDT {
            return Some(PRICE_ONE);
        }
        let prices = self.prices.get(&asset)?;
        at.map_or(Some(prices.now), |at| prices.closes.get(&at.0).copied().or(prices.issued))
    }

    fn scale(&self, asset: AssetId) -> u8 {
        self.scales.get(&asset).copied().unwrap_or(0)
    }

    fn of(&self, asset: AssetId, atoms: i128, at: Option<Time>) -> Option<i128> {
        if atoms == 0 || (asset != USDT && !self.prices.contains_key(&asset)) {
            return Some(0);
        }
        // 128 bits, because the sum of all inflows and outflows may not fit an amount.
        let scaled = atoms.unsigned_abs().checked_mul(self.price(asset, at)?.0.into())?.checked_mul(pow10(self.scale(USDT)))?;
        let value = i128::try_from(scaled / pow10(self.scale(asset).saturating_add(PRICE_SCALE))).ok()?;
        Some(value * atoms.signum())
    }

    fn total(&self, balances: &BTreeMap<(AssetId, Wallet), i128>, at: Option<Time>) -> Option<i128> {
        balances.iter().map(|((asset, _), atoms)| self.of(*asset, *atoms, at)).sum()
    }

    /// The open objects at an instant, at its prices; `at` is `None` for the present prices.
    fn open(&self, things: &OpenThings, time: Time, at: Option<Time>) -> Option<i128> {
        // A point of the past comes before everything at its instant, the present point after it.
        let before = at.unwrap_or_else(|| time.plus(1));
        things.worth(before, |asset| self.price(asset, at), |asset, atoms| self.of(asset, atoms, at))
    }

    fn point(
        &self,
        things: &OpenThings,
        balances: &BTreeMap<(AssetId, Wallet), i128>,
        (time, at): (Time, Option<Time>),
        net_in: i128,
    ) -> Option<ValuePoint> {
        let (total, open) = (self.total(balances, at)?, self.open(things, time, at)?);
        Some(ValuePoint { time_ms: time.0, total_usdt: self.text(total), open_usdt: self.text(open), net_in_usdt: self.text(net_in) })
    }

    fn text(&self, value: i128) -> String {
        let (scale, sign, size) = (self.scale(USDT), if value < 0 { "-" } else { "" }, value.unsigned_abs());
        format!("{sign}{}.{:0width$}", size / pow10(scale), size % pow10(scale), width = usize::from(scale))
    }
}

words! {
    /// How far back.
    pub enum Range {
        Day = "1d",
        Week = "1w",
        Month = "1m",
    }
}

request! {
    /// What `wallet/value_history` takes.
    pub struct ShowValue checked by handler {
        optional range: Option<Range>,
    }
}

/// `GET wallet/value_history`
pub async fn show(call: Call, request: ShowValue) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let word = request.range.unwrap_or(Range::Day).word();
    let (_, count, between, candle, period) = RANGES.into_iter().find(|(range, ..)| *range == word).or_refuse(Code::BadField)?;
    let Present { seq, time, mut balances, running } = Present::read(&app.sequencer.engine(), me);
    // The rows and the balances belong to the same entry.
    app.wait_for(seq).await?;
    let step = between * candle;
    let from = (time.0 / step * step).saturating_sub(count * step);
    let changes = changes(&app.db, me, app.catalog.assets.iter().map(|asset| asset.id), (from, candle), seq).await?;
    let flows = flows::since(&app.db, me, (from, candle), seq).await?;
    let things = running.since(&app.db, me, Seq(seq), Time(from)).await?;
    let worth = Worth::read(app, time, Time(from.saturating_sub(DAY_MS.min(step))), period).await?;
    let mut points: Vec<ValuePoint> = worth.point(&things, &balances, (time, None), 0).into_iter().collect();
    let mut net_in = 0;
    // Backwards from now: undo the changes of each candle to get the balances at its start.
    for stretch in (0..=(time.0 - from) / candle).rev() {
        let (begin, end) = (Time(from + stretch * candle), Time(from + (stretch + 1) * candle));
        for change in changes.iter().filter(|change| change.stretch == stretch) {
            *balances.entry((change.asset, change.wallet)).or_default() -= change.change;
        }
        // An inflow of a coin without an index price uses the price at the end of its stretch, if there is one.
        let priced_at = (end <= time).then_some(end);
        let of_stretch = flows.iter().filter(|flow| flow.stretch == stretch);
        net_in += of_stretch.map(|flow| flow.usdt + worth.of(flow.asset, flow.unpriced, priced_at).unwrap_or(0)).sum::<i128>();
        if stretch.is_multiple_of(between) && begin < time {
            points.extend(worth.point(&things, &balances, (begin, Some(begin)), net_in));
        }
    }
    points.reverse();
    Ok(Reply::ok(ValueHistory { points, net_in_usdt: worth.text(net_in) }))
}
