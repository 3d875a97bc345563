//! Public statistics, each with the log entries that it follows from (`docs/api.md` 4.15). A figure covers whole minutes, so it never
//! changes: anyone with the log computes the same figure from the same entries.

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::PRICE_SCALE;
use engine::funding::status::WithdrawalStatus;
use engine::ids::AssetId;
use engine::time::{DAY_MS, MINUTE_MS, Time};
use serde::Serialize;
use serde_json::json;
use store::rebates::day_text;
use store::stats;
use utoipa::ToSchema;

use crate::api::worth::{price_of, value_of};
use crate::http::code::Code;
use crate::http::decimal::fixed;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply};
use crate::http::units::{amount, code};
use crate::http::{App, Call, types};

const MONTH_MS: u64 = 30 * DAY_MS;

/// A public statistic.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stat {
    #[schema(value_type = types::StatName)]
    name: &'static str,
    value: String,
    from_seq: u64,
    to_seq: u64,
    time_ms: u64,
    parts: Vec<Part>,
}

/// A part that a statistic is computed from: a pair or coin with its amount, or a number of withdrawals that took the same number of
/// minutes or were refused on the same day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StatPart)]
struct Part {
    name: String,
    amount: String,
    price: Option<String>,
    count: u64,
}

/// Whole minutes, and the entries in them.
#[derive(Clone, Copy, Debug)]
struct Range {
    from: Time,
    to: Time,
    from_seq: u64,
    to_seq: u64,
}

/// `GET public/stats`
pub async fn stats(call: Call) -> Answer {
    let app = &call.app;
    let (now, seq) = {
        let engine = app.sequencer.engine();
        (engine.time(), engine.seq().0)
    };
    let minute = Time(now.0 / MINUTE_MS * MINUTE_MS);
    let make = async {
        app.wait_for(seq).await?;
        Ok::<_, Refusal>(json!(computed(app, minute, seq).await?))
    };
    let stats = app.stats.get(minute, make).await?;
    Ok(Reply::ok(stats).at(seq))
}

/// The statistics of the time before `to`, without those that have no data.
async fn computed(app: &App, to: Time, newest: u64) -> Result<Vec<Stat>, Refusal> {
    let to_seq = first_at(app, to, newest).await? - 1;
    if to_seq == 0 {
        return Ok(Vec::new());
    }
    let range = async |length: u64| {
        let from = Time(to.0.saturating_sub(length));
        Ok::<_, Refusal>(Range { from, to, from_seq: first_at(app, from, newest).await?.min(to_seq), to_seq })
    };
    let (day, month) = (range(DAY_MS).await?, range(MONTH_MS).await?);
    let traded = stats::spot_volumes(&app.db, day.from, day.to).await?;
    let paid = stats::option_payouts(&app.db, day.from, day.to).await?;
    let decided = stats::decided_withdrawals(&app.db, month.from, month.to).await?;
    let amounts = {
        let engine = app.sequencer.engine();
        let of_pair = |(market, value): &(_, u64)| {
            let market = app.catalog.market(*market)?;
            Some((market.symbol.clone(), market.quote, *value))
        };
        let of_coin = |(asset, value): (AssetId, u64)| (code(&app.catalog, asset).to_string(), asset, value);
        let sum = |all: Vec<(String, AssetId, u64)>| {
            let amounts: Vec<(AssetId, u64)> = all.iter().map(|(_, asset, value)| (*asset, *value)).collect();
            (value_of(&engine, &amounts), all.into_iter().map(|part| priced(&engine, part)).collect::<Vec<Part>>())
        };
        [
            ("spot_volume_24h", sum(traded.iter().filter_map(of_pair).collect())),
            ("option_payouts_24h", sum(paid.into_iter().map(of_coin).collect())),
        ]
    };
    let mut minutes = Vec::new();
    let mut rejected: BTreeMap<u64, u64> = BTreeMap::new();
    for (withdrawal, at) in &decided {
        match withdrawal.status {
            WithdrawalStatus::Sent | WithdrawalStatus::Confirmed => minutes.push(at.since(withdrawal.submitted).div_ceil(MINUTE_MS)),
            WithdrawalStatus::Rejected => *rejected.entry(at.day()).or_default() += 1,
            WithdrawalStatus::UnderReview | WithdrawalStatus::Passed | WithdrawalStatus::Cancelled | WithdrawalStatus::Returned => {}
        }
    }
    minutes.sort_unstable();
    let counted = |(name, amount, count): (String, String, u64)| Part { name, amount, price: None, count };
    let took: Vec<Part> = minutes
        .chunk_by(|one, next| one == next)
        .filter_map(|same| Some(counted(("minutes".to_owned(), same.first()?.to_string(), u64::try_from(same.len()).ok()?))))
        .collect();
    let refused: Vec<Part> = rejected.iter().map(|(day, count)| counted((day_text(*day), "0".to_owned(), *count))).collect();
    let stat = |name, (value, parts): (String, Vec<Part>), Range { from_seq, to_seq, .. }| Stat {
        name,
        value,
        from_seq,
        to_seq,
        time_ms: to.0,
        parts,
    };
    let mut all: Vec<Stat> = amounts.into_iter().map(|(name, sum)| stat(name, sum, day)).collect();
    for (name, percent) in [("withdrawal_minutes_median_30d", 50), ("withdrawal_minutes_p95_30d", 95)] {
        all.extend(percentile(&minutes, percent).map(|value| stat(name, (value.to_string(), took.clone()), month)));
    }
    all.push(stat("withdrawals_rejected_30d", (rejected.values().sum::<u64>().to_string(), refused), month));
    all.push(stat("withdrawals_paid_30d", (minutes.len().to_string(), took), month));
    Ok(all)
}

/// A part with the price of its value; no price for the coin that values are in, and for one that never had a price.
fn priced(engine: &Engine, (name, asset, atoms): (String, AssetId, u64)) -> Part {
    let catalog = engine.catalog();
    let price = price_of(engine, asset).map(|price| fixed(price.0, PRICE_SCALE));
    let one = (asset == catalog.funding.bank.asset).then(|| "1".to_owned());
    Part { name, amount: amount(catalog, asset, atoms), price: one.or(price), count: 1 }
}

/// The smallest of sorted values that is not exceeded by this percentage of them.
fn percentile(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

/// The first entry that is not older than `time`, or the one after the newest: the times of a log never fall.
async fn first_at(app: &App, time: Time, newest: u64) -> Result<u64, Refusal> {
    let (mut low, mut high) = (1, newest + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let groups = app.sequencer.read_log(middle..=middle).await?;
        let records = groups.iter().flat_map(|group| &group.records);
        let at = records.into_iter().find(|record| record.seq == middle).or_refuse(Code::NotReady)?.time_ms;
        if at < time.0 { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_that_was_measured() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!((percentile(&hundred, 50), percentile(&hundred, 95)), (Some(50), Some(95)));
        assert_eq!((percentile(&[7], 50), percentile(&[7], 95), percentile(&[], 50)), (Some(7), Some(7), None));
        assert_eq!((percentile(&[1, 9], 50), percentile(&[1, 9], 95)), (Some(1), Some(9)));
    }
}
