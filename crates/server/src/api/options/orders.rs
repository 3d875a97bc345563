//! Buying and listing options (`docs/api.md` 4.8): request fields into one command, its reply into the wire's option.

use std::cmp::Reverse;

use engine::Engine;
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, Digest, MarketId, UserId};
use engine::options::option::{BinaryOption, BuyOption, Direction};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::time::Time;
use store::Page;
use store::options::{self, Filter, Order};
use store::secrets::hex;

use crate::api::command::{done, is_hash};
use crate::api::country;
use crate::api::options::view::option_view;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::page::Paginator;
use crate::http::params::Kind;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About};
use crate::http::values::{TypedAmount, Value};

/// 1 up, 2 down, 0 even.
impl Value for Direction {
    const KIND: Kind = Kind::OneOf(&["1", "2", "0"]);

    fn parse(name: &'static str, text: &str) -> Result<Direction, Refusal> {
        match text {
            "1" => Ok(Direction::Up),
            "2" => Ok(Direction::Down),
            "0" => Ok(Direction::Flat),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

/// 1 open, 3 closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListStatus {
    /// Open.
    Open,
    /// Closed.
    Closed,
}

impl Value for ListStatus {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<ListStatus, Refusal> {
        match text {
            "1" => Ok(ListStatus::Open),
            "3" => Ok(ListStatus::Closed),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `microtrade/submit` takes.
    pub struct Submit checked by handler {
        required match_id: Input<u64>,
        required currency_id: Input<u64>,
        required direction: Input<Direction> = "type",
        required seconds: Input<u64>,
        required number: TypedAmount,
        optional rule: Option<String>,
        optional lang: Option<crate::i18n::Lang>,
    }
}

request! {
    /// What `microtrade/lists` takes.
    pub struct ListOptions checked by handler {
        optional match_id: Option<u64>,
        optional status: Option<ListStatus>,
        optional currency_id: Option<u64>,
        optional page: Page,
    }
}

/// The readable part of a purchase, field by field in the order of the refusals.
struct Read {
    market: Result<MarketId, Refusal>,
    asset: Result<AssetId, Refusal>,
    direction: Result<Direction, Refusal>,
    seconds: Result<u32, Refusal>,
    stake: Result<u64, Refusal>,
    /// Hash of the rule that the buyer was shown, if they say.
    rule: Option<String>,
}

impl Read {
    fn new(call: &Call, request: &Submit) -> Read {
        let catalog = &call.app.catalog;
        let number = |given: &Input<u64>| given.readable().and_then(|number| u32::try_from(*number).ok());
        let market = number(&request.match_id).map(MarketId).filter(|market| catalog.market(*market).is_some());
        let asset = units::coin(catalog, request.currency_id.readable());
        let scale = asset.as_ref().map_or(0, |asset| asset.scale);
        Read {
            market: market.or_refuse(Code::UnknownMarket),
            asset: asset.map(|asset| asset.id),
            direction: request.direction.or(Code::UnknownOrderType),
            seconds: number(&request.seconds).or_refuse(Code::UnknownDuration),
            stake: request.number.atoms(scale),
            rule: request.rule.clone(),
        }
    }

    /// The rule that a purchase is made under now; `None` where nothing is sold.
    fn offered(&self, engine: &Engine) -> Option<Digest> {
        engine.offered_rule(*self.market.as_ref().ok()?, *self.seconds.as_ref().ok()?)
    }

    /// The first refusal of the engine that comes before a fault of these fields. The engine never sees a field that cannot be read.
    fn guard(&self, engine: &Engine, user: UserId, offered: Option<Digest>) -> Result<(), Reject> {
        engine.may_buy_option(user, self.market.as_ref().ok().copied())?;
        let Ok(market) = self.market else { return Ok(()) };
        engine.check_option_market(market)?;
        let Ok(asset) = self.asset else { return Ok(()) };
        engine.check_option_pair(market, asset)?;
        let names_length = self.direction.is_ok() && self.seconds.is_ok();
        if names_length && offered.is_none() { Err(Reject::Duration) } else { Ok(()) }
    }

    /// True if the buyer was shown terms other than the present ones.
    fn shows_other_terms(&self, offered: Option<Digest>) -> bool {
        self.rule.as_ref().zip(offered).is_some_and(|(shown, offered)| hex(&offered.0) != *shown)
    }

    fn command(self, user: UserId, offered: Option<Digest>, changed: bool) -> Result<BuyOption, Refusal> {
        let (market, asset, direction, seconds) = (self.market?, self.asset?, self.direction?, self.seconds?);
        if !is_hash(self.rule.as_ref()) {
            return Err(refuse(Code::TermsChanged));
        }
        let stake = self.stake.map_err(|fault| if changed { refuse(Code::TermsChanged) } else { fault })?;
        // Without a rule the engine refuses, unless it already answered this key.
        let rule = offered.filter(|_| !changed).unwrap_or(Digest([0; 32]));
        Ok(BuyOption { user, market, direction, asset, seconds, stake, rule })
    }
}

/// `POST microtrade/submit`
pub async fn submit(call: Call, request: Submit) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let lang = request.lang.unwrap_or(call.lang);
    let read = Read::new(&call, &request);
    let meant = read.market.as_ref().ok().copied();
    let is_paused = |engine: &Engine| matches!(engine.may_buy_option(user, meant), Err(Reject::Disabled(_)));
    country::check(&call, Product::Option, is_paused).await?;
    let (market, asset) = (meant.and_then(|id| app.catalog.market(id)), read.asset.as_ref().ok().copied());
    let about = About { catalog: &app.catalog, market, asset, wallet: Wallet::BinaryOptions };
    let (guard, offered) = {
        let engine = app.sequencer.engine();
        let offered = read.offered(&engine);
        (read.guard(&engine, user, offered), offered)
    };
    let changed = read.shows_other_terms(offered);
    let buy = read.command(user, offered, changed).map_err(|fault| guard.map_or_else(|reject| about.refusal(&reject), |()| fault))?;
    let refusal = |reject: &Reject| match reject {
        Reject::Duration if changed => refuse(Code::TermsChanged),
        other => about.refusal(other),
    };
    let applied = app.sequencer.submit(Command::BuyOption(buy), call.request).await?;
    let EngineReply::Option(option) = done(&applied, refusal)? else { return Err(refuse(Code::Internal)) };
    let view = option_view(&app.sequencer.engine(), lang, option, option.bought)?;
    let mut reply = Reply::ok(view).at(applied.answered_by());
    reply.replay = applied.is_repetition();
    Ok(reply)
}

/// `GET microtrade/lists`: by purchase, those of status 3 by their end, newest first.
pub async fn list(call: Call, request: ListOptions) -> Answer {
    let (app, user, page) = (&call.app, call.user()?, request.page);
    let number = |given: Option<u64>| given.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let (market, asset) = (number(request.match_id).map(MarketId), number(request.currency_id).map(AssetId));
    // The engine has the open options, and the history those that had ended by then.
    let (seq, mut rows) = {
        let engine = app.sequencer.engine();
        let fits = |option: &&BinaryOption| {
            request.status != Some(ListStatus::Closed)
                && market.is_none_or(|market| option.market == market)
                && asset.is_none_or(|asset| option.asset == asset)
        };
        (engine.seq().0, engine.options_of(user).filter(fits).cloned().collect::<Vec<_>>())
    };
    let open = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    // Each open option shifts the page by at most one row, so the page is within the rows from here to its end.
    let before = page.offset().min(open);
    let mut total = open;
    if request.status != Some(ListStatus::Open) {
        app.wait_for(seq).await?;
        let filter = Filter { market, asset, up_to_seq: seq };
        let order = if request.status == Some(ListStatus::Closed) { Order::Ended } else { Order::Bought };
        let (ended, count) = options::list(&app.db, user, filter, order, (page.limit + open, page.offset() - before)).await?;
        rows.extend(ended);
        total += count;
    }
    if open > 0 {
        rows.sort_by_key(|option| Reverse(option.id));
    }
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let now = Time(app.now_ms());
    let engine = app.sequencer.engine();
    let shown = rows.iter().skip(bound(before)).take(bound(page.limit)).map(|option| option_view(&engine, call.lang, option, now));
    Ok(Reply::ok(Paginator::new(shown.collect::<Result<Vec<_>, _>>()?, total, page)).at(seq))
}
