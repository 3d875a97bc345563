//! Sandbox inputs (`docs/api.md` 9): paper funds, clock, price. Each is an entry of its own kind in the log.

use engine::LONGEST_CLOCK_STEP_MS;
use engine::amount::{PRICE_SCALE, Price};
use engine::catalog::{IndexOrigin, Market, Wallet};
use engine::command::Command;
use engine::ids::MarketId;
use engine::index::Feed;
use engine::index::IndexSample;
use engine::reply::Reply as EngineReply;
use engine::time::Time;
use kernel::sequencer::SubmitError;
use serde::Serialize;
use store::{prices, settings};
use utoipa::ToSchema;

use crate::api::command::done;
use crate::api::resume_note;
use crate::api::samples::{IndexSampleView, sample_view};
use crate::http::code::Code;
use crate::http::decimal::fixed;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About, wallet_word};
use crate::http::values::TypedAmount;
use crate::http::{Call, types};

/// Data returned by the faucet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Credited {
    currency_id: u32,
    #[schema(value_type = types::Account)]
    account: &'static str,
    amount: String,
    balance: String,
    seq: u64,
}

/// Data returned by a clock change.
#[derive(Debug, Serialize, ToSchema)]
pub struct Advanced {
    from_ms: u64,
    time_ms: u64,
    seq: u64,
    events: u64,
    samples: u64,
}

/// Data returned by a price input.
#[derive(Debug, Serialize, ToSchema)]
pub struct Priced {
    symbol: String,
    sample: Option<IndexSampleView>,
    #[schema(value_type = types::Flag)]
    pinned: u8,
    #[schema(value_type = types::Flag)]
    halted: u8,
}

request! {
    /// What `/sandbox/faucet` takes.
    pub struct Faucet checked by handler {
        required asset: Option<String>,
        required amount: TypedAmount,
        optional account: Input<Wallet>,
    }
}

/// `POST /sandbox/faucet`
pub async fn faucet(call: Call, request: Faucet) -> Answer {
    let user = call.user()?;
    let catalog = &call.app.catalog;
    let wanted = request.asset.as_deref();
    let named = catalog.assets.iter().find(|asset| wanted == Some(asset.code.as_str()) || wanted == Some(asset.id.0.to_string().as_str()));
    let asset = named.or_refuse(Code::UnknownAsset)?;
    let wallet = request.account.optional()?.unwrap_or(Wallet::Spot);
    if !asset.wallets.contains(&wallet) {
        return Err(refuse(Code::UnknownAsset));
    }
    let atoms = request.amount.atoms(asset.scale)?;
    let command = Command::SandboxFaucet { user, asset: asset.id, wallet, amount: atoms };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let about = About { catalog, market: None, asset: Some(asset.id), wallet };
    let EngineReply::Credited { available } = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse(Code::Internal)) };
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

request! {
    /// What `/sandbox/clock` takes.
    pub struct MoveClock checked by handler {
        optional advance_ms: Input<u64>,
        optional to_ms: Input<Time>,
        optional sessions: Option<bool>,
    }
}

/// `POST /sandbox/clock`
pub async fn clock(call: Call, request: MoveClock) -> Answer {
    let (app, write) = (&call.app, call.write.as_ref());
    let with_sessions = request.sessions.unwrap_or(false);
    // A step is turned into an instant once. However often the call is repeated, time moves to that same instant.
    let earlier = resume_note::note(app, write).await?;
    let (from, to) = match earlier.as_deref().and_then(|note| note.split_once(' ')) {
        Some((from, to)) => (instant(from)?, instant(to)?),
        None => {
            let (from, to) = step(&call, &request)?;
            if let Some(begin) = resume_note::begin(app, write, &format!("{} {}", from.0, to.0))? {
                app.db.exec(begin).await?;
            }
            (from, to)
        }
    };
    let feed = app.feed.get().or_refuse(Code::NotReady)?;
    // Fresh samples at the target let trading continue.
    let (events, samples) = match feed.advance(to).await {
        Ok(crate::inputs::Advanced { applied, events, samples }) => {
            let about = About { catalog: &app.catalog, market: None, asset: None, wallet: Wallet::Spot };
            done(&applied, |reject| about.refusal(reject))?;
            (events, samples)
        }
        // Time is already there: an earlier attempt moved it, or the short step passed by itself.
        Err(SubmitError::Time) => (0, feed.tick().await?),
        Err(error) => return Err(error.into()),
    };
    let seq = app.sequencer.engine().seq().0;
    let ahead = app.now_ms().saturating_sub(app.clock.wall_ms());
    let mut last = vec![settings::set(settings::JOURNAL_AHEAD, &ahead.to_string())];
    last.extend(resume_note::end(app, write));
    let reply = Reply::ok(Advanced { from_ms: from.0, time_ms: to.0, seq, events, samples }).at(seq);
    let reply = call.commit(last, reply).await?;
    if with_sessions {
        app.clock.push_sessions(i64::try_from(to.since(from)).unwrap_or(i64::MAX));
    }
    Ok(reply)
}

/// From now to the instant that was asked for.
fn step(call: &Call, request: &MoveClock) -> Result<(Time, Time), Refusal> {
    let last = call.app.sequencer.engine().time();
    let (now, furthest) = (last.max(Time(call.app.now_ms())), last.plus(LONGEST_CLOCK_STEP_MS));
    let to = match (request.advance_ms.optional()?, request.to_ms.optional()?) {
        // The longest step is measured from now. The log measures from its last entry, which may be slightly older.
        (Some(step), None) if step <= LONGEST_CLOCK_STEP_MS => now.plus(step).min(furthest),
        (Some(_), None) => return Err(refuse(Code::BadTime)),
        (None, Some(to)) => to,
        _ => return Err(bad_field("advance_ms", "required")),
    };
    if to > now && to <= furthest { Ok((now, to)) } else { Err(refuse(Code::BadTime)) }
}

fn instant(text: &str) -> Result<Time, Refusal> {
    text.parse().map(Time).map_err(|_| refuse(Code::Internal))
}

request! {
    /// What `/sandbox/price` takes.
    pub struct SetPrice checked by handler {
        required symbol: Option<String>,
        optional price: TypedAmount,
        optional release: Input<bool>,
        optional halt: Input<bool>,
    }
}

/// `POST /sandbox/price`
pub async fn price(call: Call, request: SetPrice) -> Answer {
    let catalog = &call.app.catalog;
    let market = units::by_symbol(catalog, request.symbol.as_deref())?;
    let index = catalog.index(market.id).filter(|index| matches!(index.origin, IndexOrigin::Sources(_)));
    let index = index.or_refuse(Code::UnknownMarket)?;
    let (release, halt) = (request.release.optional()?.unwrap_or(false), request.halt.optional()?.unwrap_or(false));
    let command = match (request.price.is_sent(), release, halt) {
        (true, false, false) => Command::SandboxPrice { market: market.id, price: Price(request.price.atoms(PRICE_SCALE)?) },
        (false, true, false) => Command::SandboxFeed { market: market.id, halt: false },
        (false, false, true) => Command::SandboxFeed { market: market.id, halt: true },
        _ => return Err(bad_field("price", "required")),
    };
    let submitted = call.app.sequencer.submit(command, call.request);
    let applied = match call.app.feed.get() {
        Some(feed) => feed.between_ticks(submitted).await?,
        None => submitted.await?,
    };
    let seq = applied.answered_by();
    // A sandbox price must be on the tick of the index, which may differ from that of the pair.
    let of_index = Market { tick: index.tick, ..market.clone() };
    let about = About { catalog, market: Some(&of_index), asset: None, wallet: Wallet::Spot };
    let sample = match done(&applied, |reject| about.refusal(reject))? {
        EngineReply::Priced { price } => {
            let time = match applied.is_repetition() {
                true => sampled(&call, market.id, seq).await?,
                false => applied.time,
            };
            let sample = IndexSample { market: market.id, time, price: *price, quotes: Vec::new(), sandbox: true };
            Some(sample_view(catalog, &sample, seq)?)
        }
        _ => None,
    };
    let feed = call.app.sequencer.engine().index(market.id).map(|index| index.feed);
    let priced = Priced {
        symbol: market.symbol.clone(),
        sample,
        pinned: u8::from(matches!(feed, Some(Feed::Pinned(_)))),
        halted: u8::from(matches!(feed, Some(Feed::Halted))),
    };
    let mut reply = Reply::ok(priced).at(seq);
    reply.replay = applied.is_repetition();
    Ok(reply)
}

/// When the sample of this entry was taken.
async fn sampled(call: &Call, market: MarketId, seq: u64) -> Result<Time, Refusal> {
    call.app.wait_for(seq).await?;
    let time_ms = prices::time_of(&call.app.db, market, seq).await?;
    time_ms.map(Time).or_refuse(Code::Internal)
}
