//! The receipt of a contract: everything that its prices and amounts follow from, so its owner can recompute them (`docs/api.md` 4.9, 10).

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use engine::catalog::IndexOrigin;
use engine::contracts::formulas::TickPrice;
use engine::contracts::position::{EndReason, Position, Status};
use engine::ids::{MarketId, PositionId};
use engine::index::{FRESH_MS, IndexSample};
use engine::time::Time;
use serde::Serialize;
use store::contract_stops::{self, StopsSet};
use store::contracts::{self, Ended};
use store::prices::{self, SampleRow};
use store::secrets::hex;
use utoipa::ToSchema;

use crate::api::contracts::deal::rules;
use crate::api::contracts::view::{PositionView, position_view};
use crate::api::proof::entries::{EntryHash, hash_of};
use crate::api::proof::evidence::{self, Evidence, evidence, first_since};
use crate::api::samples::{IndexSampleView, sample_view};
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply};
use crate::http::request::{Input, request};
use crate::http::{Call, types};

/// The most entries with stops that a receipt shows. Each sets both stops, so the last one decides.
const STOPS: u64 = 8;

/// The receipt of a contract.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContractReceipt {
    position: PositionView,
    user_id: u64,
    rules: types::ContractRules,
    open_sample: Option<IndexSampleView>,
    close_sample: Option<IndexSampleView>,
    /// The sample that the last of `stop_seqs` used as the mark.
    stop_sample: Option<IndexSampleView>,
    open_seq: u64,
    end_seq: Option<u64>,
    /// The last entries that set both stops, oldest first; `null` if the sample that the last of them used is no longer kept.
    stop_seqs: Option<Vec<u64>>,
    entry_hashes: Vec<EntryHash>,
    proof: Option<Evidence>,
}

request! {
    /// What `lever/receipt` takes.
    pub struct ReadReceipt checked by handler {
        required id: Input<u64>,
    }
}

/// `GET lever/receipt`
pub async fn receipt(call: Call, request: ReadReceipt) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let id = PositionId(request.id.or(Code::NotFound)?);
    let (seq, open, behind) = {
        let engine = app.sequencer.engine();
        let open = engine.contract(id).filter(|position| position.user == user && position.is_open()).copied();
        (engine.seq().0, open, engine.has_backlog())
    };
    app.wait_for(seq).await?;
    let Ended { position, seq: last } = match open {
        Some(position) => Ended { position, seq },
        None => contracts::find(&app.db, user, id).await?.or_refuse(Code::NotFound)?,
    };
    let end_seq = (!position.is_open()).then_some(last);
    let opened = opening_sample(&call, &position).await?;
    let stops = stops(&call, &position, last).await?;
    let (stop_seqs, stopped) = stops.map_or((None, None), |(seqs, sample)| (Some(seqs), sample));
    let begun = [opened.as_ref().map(|row| row.seq), stop_seqs.as_ref().and_then(|seqs| seqs.last().copied())];
    let closed = closing_sample(&call, &position, begun.into_iter().flatten().fold(id.0, u64::max), last).await?;
    let by_owner = end_seq.filter(|_| position.reason == Some(EndReason::User));
    let own: Vec<u64> = [id.0].into_iter().chain(stop_seqs.iter().flatten().copied()).chain(by_owner).collect();
    let mut runs = runs(&call, &position, end_seq, [opened.as_ref(), closed.as_ref()]).await?;
    runs.extend(stop_runs(&call, &position, stop_seqs.as_deref().unwrap_or_default(), stopped.as_ref()).await?);
    runs.sort_unstable_by_key(|run| *run.start());
    // As long as due work is behind, an open contract may be over.
    let is_shown = !position.is_open() || !behind;
    let proof = if is_shown { evidence(&call, &runs, &own).await? } else { None };
    let samples = [&opened, &closed, &stopped].into_iter().flatten().map(|row| row.seq);
    let seqs: BTreeSet<u64> = samples.chain(own).chain(end_seq).collect();
    let mut entry_hashes = Vec::new();
    for seq in seqs {
        entry_hashes.push(EntryHash { seq, hash: hex(&hash_of(&call, seq).await?) });
    }
    let engine = app.sequencer.engine();
    let terms = engine.terms_of_contract(&position).or_refuse(Code::Internal)?;
    let shown = |row: Option<SampleRow>| row.map(|row| shown(&call, position.market, row)).transpose();
    let receipt = ContractReceipt {
        position: position_view(&engine, call.lang, &position, last)?,
        user_id: user.0,
        rules: rules(&app.catalog, terms).or_refuse(Code::Internal)?,
        open_sample: shown(opened)?,
        close_sample: shown(closed)?,
        stop_sample: shown(stopped)?,
        open_seq: id.0,
        end_seq,
        stop_seqs,
        entry_hashes,
        proof,
    };
    Ok(Reply::ok(receipt).at(seq))
}

/// The last sample before an entry, which was fresh at its instant.
async fn known_before(call: &Call, market: MarketId, seq: u64, at: Time) -> Result<Option<SampleRow>, Refusal> {
    let rows = prices::samples(&call.app.db, market, at.0.saturating_sub(FRESH_MS), at.0).await?;
    Ok(rows.into_iter().rfind(|row| row.seq < seq))
}

/// The first sample after an entry at the instant at which something happened automatically.
async fn made_at(
    call: &Call,
    market: MarketId,
    (after, at): (u64, Time),
    fits: impl Fn(&SampleRow) -> bool,
) -> Result<Option<SampleRow>, Refusal> {
    Ok(prices::samples(&call.app.db, market, at.0, at.0).await?.into_iter().find(|row| row.seq > after && fits(row)))
}

/// The sample at which a contract was opened; none while it waits.
async fn opening_sample(call: &Call, position: &Position) -> Result<Option<SampleRow>, Refusal> {
    let Some(at) = position.opened else { return Ok(None) };
    let known = if at == position.created { known_before(call, position.market, position.id.0, at).await? } else { None };
    // One that waited may be filled in the same millisecond.
    let at_once = |row: &SampleRow| {
        let executed = position.direction.opening(ticks(position, row), position.terms.spread);
        position.limit.is_none_or(|limit| position.direction.admits(limit, executed))
    };
    match known.filter(at_once) {
        Some(row) => Ok(Some(row)),
        None => made_at(call, position.market, (position.id.0, at), |row| row.price == position.price(position.origin)).await,
    }
}

fn ticks(position: &Position, row: &SampleRow) -> TickPrice {
    TickPrice(row.price.0.checked_div(position.terms.tick.0).unwrap_or(0))
}

/// The sample at which a contract was closed; none while it is open, and for a retired pair, whose last price is a mean. `after`: the entry
/// that opened it, or set its stops.
async fn closing_sample(call: &Call, position: &Position, after: u64, last: u64) -> Result<Option<SampleRow>, Refusal> {
    let (Status::Closed, Some(reason), Some(at)) = (position.status, position.reason, position.ended) else { return Ok(None) };
    let (market, terms) = (position.market, &position.terms);
    let closes = |row: &SampleRow| {
        let mark = ticks(position, row);
        position.close == mark || position.close == position.direction.closing(mark, terms.spread)
    };
    match reason {
        EndReason::User => known_before(call, market, last, at).await,
        EndReason::TakeProfit | EndReason::StopLoss | EndReason::Liquidation | EndReason::ProfitCap => {
            made_at(call, market, (after, at), closes).await
        }
        // The sample that made a deleveraging necessary may be another pair's.
        EndReason::Deleveraged => {
            let rows = prices::samples(&call.app.db, market, at.0.saturating_sub(FRESH_MS), at.0).await?;
            Ok(rows.into_iter().rfind(closes))
        }
        EndReason::Retired | EndReason::Expired | EndReason::Refused => Ok(None),
    }
}

/// The entries that decide a contract: from the sample to the opening that took it, the sample that filled an order, and the same of the end.
async fn runs(
    call: &Call,
    position: &Position,
    end: Option<u64>,
    [opened, closed]: [Option<&SampleRow>; 2],
) -> Result<Vec<RangeInclusive<u64>>, Refusal> {
    let asked = position.id.0;
    let mut runs = Vec::new();
    match opened {
        Some(sample) if sample.seq < asked => runs.extend(evidence::run_or_ends(begin(call, position, sample).await?, sample.seq, asked)),
        Some(sample) => runs.extend([asked..=asked, begin(call, position, sample).await?..=sample.seq]),
        None => runs.push(asked..=asked),
    }
    let by_owner = end.filter(|_| position.reason == Some(EndReason::User));
    match (closed, by_owner) {
        (Some(sample), Some(end)) => runs.extend(evidence::run_or_ends(begin(call, position, sample).await?, sample.seq, end)),
        (Some(sample), None) => runs.push(begin(call, position, sample).await?..=sample.seq),
        (None, Some(end)) => runs.push(end..=end),
        (None, None) => {}
    }
    Ok(runs)
}

/// The entries that set the stops, and the sample that the last one took; `None` when that sample is forgotten, as after an upgrade.
async fn stops(call: &Call, position: &Position, last: u64) -> Result<Option<(Vec<u64>, Option<SampleRow>)>, Refusal> {
    let set = contract_stops::last(&call.app.db, position.id, last, STOPS).await?;
    let Some(StopsSet { seq, time_ms }) = set.last().copied() else { return Ok(Some((Vec::new(), None))) };
    let sample = known_before(call, position.market, seq, Time(time_ms)).await?;
    Ok(sample.map(|sample| (set.iter().map(|set| set.seq).collect(), Some(sample))))
}

/// The entries that set stops, the last one with the sample that it took.
async fn stop_runs(
    call: &Call,
    position: &Position,
    seqs: &[u64],
    sample: Option<&SampleRow>,
) -> Result<Vec<RangeInclusive<u64>>, Refusal> {
    let Some(((last, earlier), sample)) = seqs.split_last().zip(sample) else { return Ok(Vec::new()) };
    let shown = evidence::run_or_ends(begin(call, position, sample).await?, sample.seq, *last);
    Ok(earlier.iter().map(|seq| *seq..=*seq).chain(shown).collect())
}

/// The first entry that a sample is made of: that of itself, unless it is computed out of two others.
async fn begin(call: &Call, position: &Position, sample: &SampleRow) -> Result<u64, Refusal> {
    let index = call.app.catalog.index(position.market);
    let computed = index.is_some_and(|index| matches!(index.origin, IndexOrigin::Cross { .. }));
    if !computed {
        return Ok(sample.seq);
    }
    Ok(first_since(call, sample.seq, sample.time_ms.saturating_sub(FRESH_MS)).await?.min(sample.seq))
}

fn shown(call: &Call, market: MarketId, row: SampleRow) -> Result<IndexSampleView, Refusal> {
    let SampleRow { seq, time_ms, price, sandbox, quotes } = row;
    sample_view(&call.app.catalog, &IndexSample { market, time: Time(time_ms), price, quotes, sandbox }, seq)
}
