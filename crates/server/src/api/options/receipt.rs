//! The receipt of an option: everything that decided it, so its owner can recompute the outcome (`docs/api.md` 4.8, 10).

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use engine::amount::{PRICE_SCALE, Price};
use engine::catalog::IndexOrigin;
use engine::ids::{MarketId, OptionId};
use engine::index::ring::Made;
use engine::index::{FRESH_MS, IndexSample};
use engine::options::option::{BinaryOption, Status, band, payments};
use engine::options::rule;
use engine::time::{MINUTE_MS, Time};
use serde::Serialize;
use store::secrets::hex;
use store::{options, prices};
use utoipa::ToSchema;

use crate::api::options::view::{OptionView, option_view};
use crate::api::proof::entries::{EntryHash, hash_of};
use crate::api::proof::evidence::{self, Evidence, evidence, first_after, first_since};
use crate::api::samples::{IndexSampleView, sample_view};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::decimal::trimmed;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply};
use crate::http::request::{Input, request};
use crate::http::units::{amount, by_id, index_price};

/// The receipt of an option.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionReceipt {
    order: OptionView,
    open_sample: IndexSampleView,
    delivery_sample: Option<IndexSampleView>,
    next_sample: Option<IndexSampleView>,
    tolerance_price: String,
    difference: Option<String>,
    rule: RuleView,
    postings: Vec<PostingView>,
    buy_seq: u64,
    settle_seq: Option<u64>,
    entry_hashes: Vec<EntryHash>,
    proof: Option<Evidence>,
}

/// The rule that was fixed at the purchase.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OptionRule)]
pub struct RuleView {
    name: &'static str,
    version: u32,
    hash: String,
    text: String,
}

/// What an account received or paid at the settlement.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OptionPosting)]
pub struct PostingView {
    account: &'static str,
    currency_id: u32,
    value: String,
}

request! {
    /// What `microtrade/receipt` takes.
    pub struct ReadReceipt checked by handler {
        required id: Input<u64>,
    }
}

/// `GET microtrade/receipt`
pub async fn receipt(call: Call, request: ReadReceipt) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let id = OptionId(request.id.or(Code::NotFound)?);
    let (seq, open, behind) = {
        let engine = app.sequencer.engine();
        (engine.seq().0, engine.option(id).filter(|option| option.user == user).cloned(), engine.has_backlog())
    };
    app.wait_for(seq).await?;
    let option = match open {
        Some(option) => option,
        None => options::find(&app.db, user, id).await?.or_refuse(Code::NotFound)?,
    };
    let delivery = option.settled.and_then(|settled| settled.delivery);
    let open_sample = sample(&call, option.market, option.open).await?;
    let delivery_sample = match delivery {
        Some(made) => Some(sample(&call, option.market, made).await?),
        None => None,
    };
    let next_sample = next_sample(&call, &option).await?;
    let samples = [Some(&open_sample), delivery_sample.as_ref()].into_iter().flatten().map(IndexSampleView::seq);
    let seqs: BTreeSet<u64> = samples.chain([option.id.0]).chain(option.settled.map(|settled| settled.seq.0)).collect();
    let runs = runs(&call, &option, [Some(&open_sample), delivery_sample.as_ref(), next_sample.as_ref()]).await?;
    // As long as due work is behind, an open option may be over.
    let is_shown = option.status != Status::Open || !behind;
    let proof = if is_shown { evidence(&call, &runs, &[option.id.0]).await? } else { None };
    let mut entry_hashes = Vec::new();
    for seq in seqs {
        entry_hashes.push(EntryHash { seq, hash: hex(&hash_of(&call, seq).await?) });
    }
    let engine = app.sequencer.engine();
    let text = engine.option_rule(option.terms.rule).or_refuse(Code::Internal)?.to_owned();
    let market = by_id(&app.catalog, option.market)?;
    let open_price = option.open.sample.price;
    let difference = |price: Price| {
        let sign = if price < open_price { "-" } else { "" };
        format!("{sign}{}", index_price(&app.catalog, market, price.distance(open_price)))
    };
    let tolerance = u64::try_from(band(open_price, option.terms.tolerance)).unwrap_or(u64::MAX);
    let receipt = OptionReceipt {
        order: option_view(&engine, call.lang, &option, Time(app.now_ms()))?,
        open_sample,
        delivery_sample,
        next_sample,
        tolerance_price: trimmed(tolerance, PRICE_SCALE),
        difference: delivery.map(|made| difference(made.sample.price)),
        rule: RuleView { name: "option", version: rule::VERSION, hash: hex(&option.terms.rule.0), text },
        postings: postings(&call, &option),
        buy_seq: option.id.0,
        settle_seq: option.settled.map(|settled| settled.seq.0),
        entry_hashes,
        proof,
    };
    Ok(Reply::ok(receipt).at(seq))
}

/// The record of a sample that an option used.
async fn sample(call: &Call, market: MarketId, made: Made) -> Result<IndexSampleView, Refusal> {
    let rows = prices::samples(&call.app.db, market, made.at.0, made.at.0).await?;
    // Of several samples in one millisecond, the last was the known one.
    let row = rows.into_iter().rfind(|row| row.price == made.sample.price).or_refuse(Code::Internal)?;
    shown(call, market, row)
}

/// The first one after the delivery instant, which shows that none was skipped; none while the option is open, or when it is too old.
async fn next_sample(call: &Call, option: &BinaryOption) -> Result<Option<IndexSampleView>, Refusal> {
    if option.status == Status::Open {
        return Ok(None);
    }
    let after = option.delivery_time().0.saturating_add(1);
    let rows = prices::samples(&call.app.db, option.market, after, after.saturating_add(MINUTE_MS)).await?;
    rows.into_iter().next().map(|row| shown(call, option.market, row)).transpose()
}

/// The entries that decide an option: from its open sample to its purchase, and from its delivery sample to the first entry after its
/// delivery instant, or to the first sample after it. This shows that no sample was left out.
async fn runs(call: &Call, option: &BinaryOption, samples: [Option<&IndexSampleView>; 3]) -> Result<Vec<RangeInclusive<u64>>, Refusal> {
    let [open, delivery, next] = samples.map(|sample| sample.map(IndexSampleView::seq));
    let (mut runs, instant) = (Vec::new(), option.delivery_time().0);
    if let Some(sample) = open {
        // A computed sample is as old as its older leg, and its legs are part of the evidence.
        let first = first_since(call, sample, option.open.sample.time.0).await?.min(sample);
        runs.extend(evidence::run_or_ends(first, sample, option.id.0));
    }
    let Some(settled) = option.settled else { return Ok(runs) };
    let known = match (delivery, settled.delivery) {
        (Some(seq), Some(made)) => Some((seq, made.sample.time.0)),
        // Without a delivery sample, the last sample shows that it was too old.
        _ => {
            let row = prices::last_sample(&call.app.db, option.market, instant).await?;
            let near = row.filter(|row| settled.seq.0.saturating_sub(row.seq) < evidence::RUN / 2);
            near.map(|row| (row.seq, row.time_ms.saturating_sub(FRESH_MS)))
        }
    };
    let Some((sample, since)) = known else {
        // None of these seconds, nor the entry before them, made a price.
        let first = first_since(call, settled.seq.0, instant.saturating_sub(FRESH_MS)).await?.saturating_sub(1).max(1);
        let end = first_after(call, first, instant).await?.unwrap_or(settled.seq.0);
        runs.push(first..=end);
        return Ok(runs);
    };
    let first = match delivery {
        Some(_) => first_since(call, sample, since).await?,
        None if is_computed(call, option.market) => first_since(call, sample, since).await?.saturating_sub(1).max(1),
        None => sample,
    };
    let end = first_after(call, sample, instant).await?.unwrap_or(settled.seq.0);
    let end = next.filter(|next| next.saturating_sub(first) < evidence::RUN).map_or(end, |next| next.max(end));
    runs.extend(evidence::run_or_ends(first.min(sample), sample, end));
    Ok(runs)
}

/// Whether the index of a pair is made of two others.
fn is_computed(call: &Call, market: MarketId) -> bool {
    call.app.catalog.index(market).is_some_and(|index| matches!(index.origin, IndexOrigin::Cross { .. }))
}

fn shown(call: &Call, market: MarketId, row: prices::SampleRow) -> Result<IndexSampleView, Refusal> {
    let prices::SampleRow { seq, time_ms, price, sandbox, quotes } = row;
    sample_view(&call.app.catalog, &IndexSample { market, time: Time(time_ms), price, quotes, sandbox }, seq)
}

/// The postings of the settlement: to the owner, to the fees, out of the pool.
fn postings(call: &Call, option: &BinaryOption) -> Vec<PostingView> {
    if option.status == Status::Open {
        return Vec::new();
    }
    let (received, fee) = payments(&option.quote, option.status);
    let of = |atoms| amount(&call.app.catalog, option.asset, atoms);
    let pool = ("option_pool", received + fee, format!("-{}", of(received + fee)));
    let all = [("micro", received, of(received)), ("fee", fee, of(fee)), pool];
    let moved = all.into_iter().filter(|(_, atoms, _)| *atoms > 0);
    moved.map(|(account, _, value)| PostingView { account, currency_id: option.asset.0, value }).collect()
}
