//! Sandbox inputs (`api.md` 9): paper funds, clock, price. Each is an entry of its own kind in the log.

use engine::amount::PRICE_SCALE;
use engine::catalog::{IndexOrigin, Market, Wallet};
use engine::command::Command;
use engine::event::IndexSample;
use engine::index::Feed;
use engine::reply::Reply as EngineReply;
use engine::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::{self, About, wallet_word};
use super::price_record::{IndexSampleView, sample_view};
use super::reply::{Answer, OrRefuse, Reply, bad_field, refuse};
use super::settings::fixed;
use super::spot::done;
use super::{Call, wire};
use crate::opening::AHEAD;
use crate::sequencer::Target;
use crate::store::facts;

/// Answer of the faucet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Credited {
    currency_id: u32,
    #[schema(value_type = wire::Account)]
    account: &'static str,
    amount: String,
    balance: String,
    seq: u64,
}

/// Answer of the clock.
#[derive(Debug, Serialize, ToSchema)]
pub struct Advanced {
    from_ms: u64,
    time_ms: u64,
    seq: u64,
    events: u64,
    samples: u64,
}

/// Answer of a price input.
#[derive(Debug, Serialize, ToSchema)]
pub struct Priced {
    symbol: String,
    sample: Option<IndexSampleView>,
    #[schema(value_type = wire::Flag)]
    pinned: u8,
    #[schema(value_type = wire::Flag)]
    halted: u8,
}

/// `POST /sandbox/faucet`
pub async fn faucet(call: Call) -> Answer {
    let user = call.user()?;
    let catalog = &call.app.catalog;
    let wanted = call.params.get("asset");
    let named = catalog.assets.iter().find(|asset| wanted == Some(asset.code.as_str()) || wanted == Some(asset.id.0.to_string().as_str()));
    let asset = named.or_refuse("E_ASSET")?;
    let wallet = call.params.get("account").map_or(Ok(Wallet::Spot), |word| figures::wallet(Some(word)))?;
    if !asset.wallets.contains(&wallet) {
        return Err(refuse("E_ASSET"));
    }
    let atoms = call.params.amount("amount", asset.scale)?;
    let command = Command::SandboxFaucet { user, asset: asset.id, wallet, amount: atoms };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let about = About { catalog, market: None, asset: Some(asset.id), wallet };
    let EngineReply::Credited { available } = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse("E_INTERNAL")) };
    let seq = applied.answered_by();
    let mut reply = Reply::ok(Credited {
        currency_id: asset.id.0,
        account: wallet_word(wallet),
        amount: fixed(atoms, asset.scale),
        balance: fixed(*available, asset.scale),
        seq,
    });
    reply.replay = applied.is_repetition();
    Ok(reply.at(seq))
}

/// `POST /sandbox/clock`
pub async fn clock(call: Call) -> Answer {
    let app = &call.app;
    let from = app.sequencer.engine().time().max(Time(app.now_ms()));
    let target = match (call.params.int("advance_ms")?, call.params.int("to_ms")?) {
        (Some(0), None) => return Err(refuse("E_TIME")),
        (Some(step), None) => Target::By(step),
        (None, Some(to)) => Target::To(Time(to)),
        _ => return Err(bad_field("advance_ms", "required")),
    };
    let with_sessions = call.params.flag("sessions")?.unwrap_or(false);
    let applied = app.sequencer.advance(target).await?;
    let about = About { catalog: &app.catalog, market: None, asset: None, wallet: Wallet::Spot };
    done(&applied, |reject| about.refusal(reject))?;
    let ahead = app.now_ms().saturating_sub(app.clock.wall_ms());
    app.db.exec(facts::set(AHEAD, &ahead.to_string())).await?;
    if with_sessions {
        app.clock.push_sessions(i64::try_from(applied.time.since(from)).unwrap_or(i64::MAX));
    }
    // Fresh samples at the target, so that trading goes on.
    let samples = match app.feed.get() {
        Some(feed) => feed.tick(app).await?,
        None => 0,
    };
    let seq = app.sequencer.engine().seq().0;
    // Nothing that is open has a due time of its own yet, so no event ran on the way.
    Ok(Reply::ok(Advanced { from_ms: from.0, time_ms: applied.time.0, seq, events: 0, samples }).at(seq))
}

/// `POST /sandbox/price`
pub async fn price(call: Call) -> Answer {
    let catalog = &call.app.catalog;
    let market = figures::by_symbol(catalog, call.params.get("symbol"))?;
    let index = catalog.index(market.id).filter(|index| matches!(index.origin, IndexOrigin::Sources(_)));
    let index = index.or_refuse("E_MARKET")?;
    let (release, halt) = (call.params.flag("release")?.unwrap_or(false), call.params.flag("halt")?.unwrap_or(false));
    let sent = call.params.get("price").is_some();
    let command = match (sent, release, halt) {
        (true, false, false) => Command::SandboxPrice { market: market.id, price: call.params.amount("price", PRICE_SCALE)? },
        (false, true, false) => Command::SandboxFeed { market: market.id, halt: false },
        (false, false, true) => Command::SandboxFeed { market: market.id, halt: true },
        _ => return Err(bad_field("price", "required")),
    };
    let applied = call.app.sequencer.submit(command, None).await?;
    // The tick of the index, not of the pair, is what a sandbox price must be on.
    let of_index = Market { tick: index.tick, ..market.clone() };
    let about = About { catalog, market: Some(&of_index), asset: None, wallet: Wallet::Spot };
    let sample = match done(&applied, |reject| about.refusal(reject))? {
        EngineReply::Priced { price } => {
            let sample = IndexSample { market: market.id, time: applied.time, price: *price, quotes: Vec::new(), sandbox: true };
            Some(sample_view(catalog, &sample, applied.seq.0)?)
        }
        _ => None,
    };
    let feed = call.app.sequencer.engine().index(market.id).map(|index| index.feed);
    let reply = Priced {
        symbol: market.symbol.clone(),
        sample,
        pinned: u8::from(matches!(feed, Some(Feed::Pinned(_)))),
        halted: u8::from(matches!(feed, Some(Feed::Halted))),
    };
    Ok(Reply::ok(reply).at(applied.seq.0))
}
