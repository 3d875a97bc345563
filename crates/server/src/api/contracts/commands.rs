//! Opening, closing and changing contracts (`docs/api.md` 4.9): request fields into one command, its reply into the wire's position.

use engine::Engine;
use engine::amount::{MAX_PRICE, PRICE_SCALE, Price};
use engine::catalog::{Catalog, Market, Wallet};
use engine::command::Command;
use engine::contracts::formulas::Direction;
use engine::contracts::position::{OpenContract, Position, Status};
use engine::ids::{AssetId, MarketId, PositionId, UserId};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use kernel::sequencer::Applied;
use serde::Serialize;
use store::contracts;
use utoipa::ToSchema;

use crate::api::command::{answer, done};
use crate::api::contracts::view::{PositionView, position_view, state};
use crate::api::country;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::decimal::trimmed;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Refusal, bad_field, refuse};
use crate::http::request::{ById, Input, request};
use crate::http::units::{self, About};
use crate::http::values::{TypedAmount, Value, digits};

/// 1 long, 2 short.
impl Value for Direction {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Direction, Refusal> {
        match text {
            "1" => Ok(Direction::Long),
            "2" => Ok(Direction::Short),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

/// A number of lots; one that is too long to be a number is more than anybody may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lots(u64);

impl Value for Lots {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Lots, Refusal> {
        let long = text.len() > 15 && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        digits(text).or(long.then_some(u64::MAX)).map(Lots).ok_or_else(|| bad_field(name, "format"))
    }
}

request! {
    /// What `lever/submit` takes.
    pub struct Submit checked by handler {
        required share: Input<Lots>,
        required multiple: Input<u64>,
        required legal_id: Input<u64>,
        required currency_id: Input<u64>,
        required direction: Input<Direction> = "type",
        optional status: Option<bool>,
        optional target_price: TypedAmount,
        optional target_profit_price: TypedAmount,
        optional stop_loss_price: TypedAmount,
    }
}

request! {
    /// What `lever/setstop` takes.
    pub struct SetStops checked by handler {
        required id: Input<u64>,
        required target_profit_price: TypedAmount,
        required stop_loss_price: TypedAmount,
    }
}

/// The contract after a command.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PositionOnly)]
pub struct PositionOnly {
    position: PositionView,
}

/// The readable part of an opening, field by field in the order of the refusals.
struct Read {
    market: Result<MarketId, Refusal>,
    direction: Result<Direction, Refusal>,
    lots: Result<u64, Refusal>,
    multiple: Result<u32, Refusal>,
    prices: Result<[Option<Price>; 3], Refusal>,
}

impl Read {
    fn new(catalog: &Catalog, request: &Submit) -> Read {
        let market = units::by_coins(catalog, request.currency_id.readable(), request.legal_id.readable());
        let multiple = request.multiple.readable().map(|multiple| u32::try_from(*multiple).unwrap_or(u32::MAX));
        let limit = match request.status {
            Some(false) => price_of(&request.target_price).map(Some),
            Some(true) | None => request.target_price.check().map(|()| None),
        };
        let stops = || Ok((stop_of(&request.target_profit_price)?, stop_of(&request.stop_loss_price)?));
        Read {
            market: market.map(|market| market.id),
            direction: request.direction.or(Code::UnknownSide),
            lots: request.share.or(Code::Lots).map(|lots| lots.0),
            multiple: multiple.ok_or_else(|| refuse(Code::Leverage)),
            prices: limit.and_then(|limit| stops().map(|(profit, loss)| [limit, profit, loss])),
        }
    }

    /// The first refusal of the engine that comes before a fault of these fields. The engine never sees an unreadable field: for an
    /// unreadable multiple it is asked with 0, and only its answer about the lots counts.
    fn guard(&self, engine: &Engine, user: UserId) -> Result<(), Reject> {
        engine.may_open_contract(user, self.market.as_ref().ok().copied())?;
        let Ok(market) = self.market else { return Ok(()) };
        engine.check_contract_market(market)?;
        let (Ok(direction), Ok(lots)) = (&self.direction, &self.lots) else { return Ok(()) };
        let order = |multiple| OpenContract {
            user,
            market,
            direction: *direction,
            lots: *lots,
            multiple,
            limit: None,
            take_profit: None,
            stop_loss: None,
        };
        match &self.multiple {
            Ok(multiple) => engine.check_contract_order(&order(*multiple)),
            Err(_) => match engine.check_contract_order(&order(0)) {
                Err(reject @ (Reject::Lots | Reject::LotsMax { .. })) => Err(reject),
                _ => Ok(()),
            },
        }
    }

    fn command(self, user: UserId) -> Result<OpenContract, Refusal> {
        let (market, direction, lots, multiple) = (self.market?, self.direction?, self.lots?, self.multiple?);
        let [limit, take_profit, stop_loss] = self.prices?;
        Ok(OpenContract { user, market, direction, lots, multiple, limit, take_profit, stop_loss })
    }
}

/// A price above 0. The engine checks whether it is on the tick.
fn price_of(typed: &TypedAmount) -> Result<Price, Refusal> {
    match typed.atoms(PRICE_SCALE)? {
        price if price < MAX_PRICE.0 => Ok(Price(price)),
        _ => Err(typed.refused("range")),
    }
}

/// The same; 0 and an empty field mean none.
fn stop_of(typed: &TypedAmount) -> Result<Option<Price>, Refusal> {
    if !typed.is_sent() || typed.is_zero(PRICE_SCALE) { Ok(None) } else { price_of(typed).map(Some) }
}

/// A refusal of the engine with the details that contracts have for it.
fn refusal(call: &Call, market: Option<MarketId>, reject: &Reject) -> Refusal {
    let catalog = &call.app.catalog;
    let engine = call.app.sequencer.engine();
    let market = market.and_then(|id| catalog.market(id));
    let terms = market.and_then(|market| engine.contract_terms(market.id));
    let asset: Option<AssetId> = market.map(|market: &Market| market.quote);
    let plain = About { catalog, market, asset, wallet: Wallet::Futures }.refusal(reject);
    match (reject, terms) {
        (Reject::Tick, Some(terms)) => refuse(Code::OffTick).with("tick", trimmed(terms.tick.0, PRICE_SCALE)),
        (Reject::Leverage { .. }, Some(terms)) => plain.with("multiples", terms.multiples.clone()),
        _ => plain,
    }
}

/// The answer to a command: the contract as it left it.
fn told(call: &Call, sentence: &'static str, applied: &Applied, position: &Position) -> Answer {
    let seq = applied.answered_by();
    let position = position_view(&call.app.sequencer.engine(), call.lang, position, seq)?;
    Ok(answer(sentence, applied).data(PositionOnly { position }))
}

/// `POST lever/submit`
pub async fn submit(call: Call, request: Submit) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let read = Read::new(&app.catalog, &request);
    let meant = read.market.as_ref().ok().copied();
    let is_paused = |engine: &Engine| matches!(engine.may_open_contract(user, meant), Err(Reject::Disabled(_)));
    country::check(&call, Product::Contract, is_paused).await?;
    let guard = read.guard(&app.sequencer.engine(), user);
    let order = read.command(user).map_err(|fault| match guard {
        Err(reject) => refusal(&call, meant, &reject),
        Ok(()) if fault.code == Code::Leverage => refusal(&call, meant, &Reject::Leverage { max: most(&call, meant) }),
        Ok(()) => fault,
    })?;
    let applied = app.sequencer.submit(Command::OpenContract(order), call.request).await?;
    let EngineReply::Contract(position) = done(&applied, |reject| refusal(&call, meant, reject))? else {
        return Err(refuse(Code::Internal));
    };
    let sentence = if position.status == Status::Waiting { "ok.order_placed" } else { "ok.position_opened" };
    told(&call, sentence, &applied, position)
}

/// The largest multiple of a pair.
fn most(call: &Call, market: Option<MarketId>) -> u32 {
    let engine = call.app.sequencer.engine();
    market.and_then(|market| engine.contract_terms(market)?.multiples.last().copied()).unwrap_or(0)
}

/// `POST lever/close`
pub async fn close(call: Call, request: ById) -> Answer {
    let (user, id) = (call.user()?, PositionId(request.id.or(Code::NotFound)?));
    let market = market_of(&call, id);
    let applied = call.app.sequencer.submit(Command::CloseContract { user, position: id }, call.request).await?;
    in_state(&call, user, id, &applied).await?;
    let EngineReply::Contract(position) = done(&applied, |reject| refusal(&call, market, reject))? else {
        return Err(refuse(Code::Internal));
    };
    told(&call, "ok.position_closed", &applied, position)
}

/// `POST lever/cancel`
pub async fn cancel(call: Call, request: ById) -> Answer {
    let (user, id) = (call.user()?, PositionId(request.id.or(Code::NotFound)?));
    let applied = call.app.sequencer.submit(Command::CancelContract { user, position: id }, call.request).await?;
    in_state(&call, user, id, &applied).await?;
    let EngineReply::Contract(position) = done(&applied, |reject| refusal(&call, None, reject))? else {
        return Err(refuse(Code::Internal));
    };
    told(&call, "ok.order_cancelled", &applied, position)
}

/// `POST lever/setstop`; both stops must be sent.
pub async fn set_stops(call: Call, request: SetStops) -> Answer {
    let user = call.user()?;
    request.target_profit_price.must_be_sent()?;
    request.stop_loss_price.must_be_sent()?;
    let id = PositionId(request.id.or(Code::NotFound)?);
    let stops = stop_of(&request.target_profit_price).and_then(|profit| Ok((profit, stop_of(&request.stop_loss_price)?)));
    let (take_profit, stop_loss) = match stops {
        Ok(stops) => stops,
        Err(fault) => {
            // The owner and the state of the position are checked before an unreadable field is refused.
            let engine_says = call.app.sequencer.engine().check_own_contract(user, id, Status::Holding);
            return Err(match engine_says {
                Ok(()) => fault,
                Err(reject) => ended(&call, user, id, None).await?.unwrap_or_else(|| refusal(&call, None, &reject)),
            });
        }
    };
    let market = market_of(&call, id);
    let command = Command::SetContractStops { user, position: id, take_profit, stop_loss };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    in_state(&call, user, id, &applied).await?;
    let EngineReply::Contract(position) = done(&applied, |reject| refusal(&call, market, reject))? else {
        return Err(refuse(Code::Internal));
    };
    told(&call, "ok.saved", &applied, position)
}

/// The pair of a contract that the engine knows.
fn market_of(call: &Call, id: PositionId) -> Option<MarketId> {
    call.app.sequencer.engine().contract(id).map(|position| position.market)
}

/// `E_STATE` with the state of a member's contract that the engine refused a command for; the history knows those that it has forgotten.
async fn in_state(call: &Call, user: UserId, id: PositionId, applied: &Applied) -> Result<(), Refusal> {
    if !matches!(applied.outcome.result, Err(Reject::NotFound | Reject::WrongState)) {
        return Ok(());
    }
    let seq = applied.answered_by();
    let Some(mut refusal) = ended(call, user, id, Some(seq)).await? else { return Ok(()) };
    refusal.seq = Some(seq);
    refusal.replay = applied.is_repetition();
    Err(refusal)
}

/// `E_STATE` of a member's contract; `None` if there is none.
async fn ended(call: &Call, user: UserId, id: PositionId, seq: Option<u64>) -> Result<Option<Refusal>, Refusal> {
    let (newest, known) = {
        let engine = call.app.sequencer.engine();
        (engine.seq().0, engine.contract(id).filter(|position| position.user == user).map(|position| position.status))
    };
    let status = match known {
        Some(status) => Some(status),
        None => {
            // Its row may not be written yet.
            call.app.wait_for(seq.unwrap_or(newest)).await?;
            contracts::find(&call.app.db, user, id).await?.map(|ended| ended.position.status)
        }
    };
    Ok(status.map(|status| refuse(Code::WrongState).with("state", state(status).0)))
}
