//! The state of the machine: price feeds, invariants, due work, house accounts, nodes.

use engine::catalog::IndexOrigin;
use engine::index::Feed;
use engine::time::{DAY_MS, Time};
use serde::Serialize;
use store::{options, prices};
use utoipa::ToSchema;

use crate::api::market::pools::{self, Pool};
use crate::http::reply::{Answer, Reply};
use crate::http::{Call, types};

/// The state of everything that runs automatically.
#[derive(Debug, Serialize, ToSchema)]
pub struct Settlement {
    time_ms: u64,
    seq: u64,
    due_backlog: u64,
    oldest_due_ms: Option<u64>,
    feeds: Vec<SettlementFeed>,
    invariants: Vec<SettlementInvariant>,
    refunds_24h: u64,
    pools: Vec<Pool>,
    nodes: Vec<SettlementNode>,
}

/// A price feed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementFeed {
    symbol: String,
    last_ms: u64,
    #[schema(value_type = types::Flag)]
    stale: u8,
    sources: Vec<SettlementSource>,
    #[schema(value_type = types::Flag)]
    pinned: u8,
}

/// A source of a feed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementSource {
    name: String,
    age_ms: u64,
    #[schema(value_type = types::Flag)]
    ok: u8,
}

/// An invariant, and whether it holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementInvariant {
    name: &'static str,
    #[schema(value_type = types::Flag)]
    ok: u8,
}

/// A node.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementNode {
    name: &'static str,
    #[schema(value_type = types::NodeRole)]
    role: &'static str,
    seq: u64,
    lag_ms: u64,
}

/// `GET /operator/api/settlement`
pub async fn show(call: Call) -> Answer {
    let app = &call.app;
    let mut held = app.invariants.held(app, &app.sequencer).await?;
    let (now, markets): (Time, Vec<_>) = {
        let engine = app.sequencer.engine();
        (engine.time(), engine.catalog().indices.iter().map(|index| index.market).collect())
    };
    let (mut quotes, mut refunds_24h) = (Vec::new(), 0);
    for market in markets {
        quotes.push(prices::newest_quotes(&app.db, market).await?);
        refunds_24h += options::refunded_after(&app.db, market, Time(now.0.saturating_sub(DAY_MS))).await?;
    }
    let engine = app.sequencer.engine();
    let now = engine.time();
    let feeds = engine.catalog().indices.iter().zip(quotes).filter_map(|(facts, newest)| {
        let market = engine.catalog().market(facts.market)?;
        let index = engine.index(facts.market)?;
        let last = index.filter.last().map(|sample| sample.time);
        let names: &[String] = if let IndexOrigin::Sources(names) = &facts.origin { names } else { &[] };
        let source = |(at, name): (usize, &String)| {
            let used = newest.iter().find(|used| usize::from(used.quote.source) == at);
            SettlementSource {
                name: name.clone(),
                age_ms: used.map_or(0, |used| u64::from(used.quote.age_ms)) + last.map_or(0, |last| now.since(last)),
                ok: used.is_some_and(|used| used.dropped.is_none()).into(),
            }
        };
        Some(SettlementFeed {
            symbol: market.symbol.clone(),
            last_ms: last.map_or(0, |last| last.0),
            stale: engine.fresh_price(facts.market).is_none().into(),
            sources: names.iter().enumerate().map(source).collect(),
            pinned: matches!(index.feed, Feed::Pinned(_)).into(),
        })
    });
    let seq = engine.seq().0;
    let shown = app.applied.newest();
    held.push(("history", seq.saturating_sub(shown) < 10_000));
    let settlement = Settlement {
        time_ms: now.0,
        seq,
        due_backlog: engine.backlog() as u64,
        oldest_due_ms: engine.next_due().filter(|at| *at <= now).map(|at| at.0),
        feeds: feeds.collect(),
        invariants: held.into_iter().map(|(name, ok)| SettlementInvariant { name, ok: ok.into() }).collect(),
        refunds_24h,
        pools: pools::all(&engine),
        nodes: vec![SettlementNode {
            name: "this",
            role: if app.sequencer.leads() { "leader" } else { "follower" },
            seq: shown,
            lag_ms: 0,
        }],
    };
    Ok(Reply::ok(settlement).at(seq))
}
