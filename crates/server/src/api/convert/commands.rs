//! Quotes and conversions (`docs/api.md` 4.6): request fields into one command, its reply into the wire's quote or conversion.

use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::command::Command;
use engine::convert::conversion::Convert;
use engine::ids::{AssetId, QuoteId, UserId};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;

use crate::api::command::{answer, done};
use crate::api::convert::view::{conversion_view, quote_view};
use crate::api::country;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About};
use crate::http::values::TypedAmount;

request! {
    /// What `wallet/flash_quote` takes.
    pub struct Quote checked by handler {
        required l_currency_id: Input<u64>,
        required r_currency_id: Input<u64>,
        required num: TypedAmount,
    }
}

request! {
    /// What `wallet/flashAgainst` takes: a quote, or the terms of a new one. The price is accepted but never used.
    pub struct Accept checked by handler {
        optional quote_id: Input<u64>,
        optional l_currency_id: Input<u64>,
        optional r_currency_id: Input<u64>,
        optional num: TypedAmount,
        optional min_net: TypedAmount,
        optional price: TypedAmount,
    }
}

/// The readable part of a request, field by field in the order of the refusals.
struct Read {
    from: Result<AssetId, Refusal>,
    to: Result<AssetId, Refusal>,
    amount: Result<u64, Refusal>,
}

impl Read {
    fn new(catalog: &Catalog, from: &Input<u64>, to: &Input<u64>, amount: &TypedAmount) -> Read {
        let (from, to) = (units::coin(catalog, from.readable()), units::coin(catalog, to.readable()));
        let scale = from.as_ref().map_or(0, |asset| asset.scale);
        Read { from: from.map(|asset| asset.id), to: to.map(|asset| asset.id), amount: amount.atoms(scale) }
    }

    /// The coin that is bought, for the figures of a refusal.
    fn bought(&self) -> Option<AssetId> {
        self.to.as_ref().ok().copied()
    }

    /// The first refusal of the coins that comes before a fault of the amount.
    fn guard(&self, engine: &Engine) -> Result<(), Reject> {
        match (&self.from, &self.to) {
            (Ok(from), Ok(to)) => engine.check_conversion_coins(*from, *to),
            _ => Ok(()),
        }
    }

    fn wanted(self, user: UserId) -> Result<Convert, Refusal> {
        Ok(Convert { user, from: self.from?, to: self.to?, amount: self.amount? })
    }
}

fn about(catalog: &Catalog, asset: Option<AssetId>) -> About<'_> {
    About { catalog, market: None, asset, wallet: Wallet::Spot }
}

/// `POST wallet/flash_quote`
pub async fn quote(call: Call, request: Quote) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let is_paused = |engine: &Engine| matches!(engine.may_quote_conversion(user), Err(Reject::Disabled(_)));
    country::check(&call, Product::Flash, is_paused).await?;
    let read = Read::new(&app.catalog, &request.l_currency_id, &request.r_currency_id, &request.num);
    let about = about(&app.catalog, read.bought());
    let guard = {
        let engine = app.sequencer.engine();
        engine.may_quote_conversion(user).and_then(|()| read.guard(&engine))
    };
    let wanted = read.wanted(user).map_err(|fault| guard.map_or_else(|reject| about.refusal(&reject), |()| fault))?;
    let applied = app.sequencer.submit(Command::QuoteConversion(wanted), call.request).await?;
    let EngineReply::Quote(quote) = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse(Code::Internal)) };
    let mut reply = Reply::ok(quote_view(&app.catalog, quote)).at(applied.answered_by());
    reply.replay = applied.is_repetition();
    Ok(reply)
}

/// `POST wallet/flashAgainst`
pub async fn convert(call: Call, request: Accept) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let is_paused = |engine: &Engine| matches!(engine.may_quote_conversion(user), Err(Reject::Disabled(_)));
    country::check(&call, Product::Flash, is_paused).await?;
    let catalog = &app.catalog;
    let (command, bought) = match request.quote_id.is_sent() {
        true => {
            // A text that is not a number names no quote. A pause or a freeze is refused first.
            let id = request.quote_id.or(Code::NotFound);
            let id = id.map(QuoteId).map_err(|fault| match app.sequencer.engine().may_convert(user) {
                Err(reject) => about(catalog, None).refusal(&reject),
                Ok(()) => fault,
            })?;
            let bought = app.sequencer.engine().conversion_quote(user, id).map(|quote| quote.deal.to);
            (Command::AcceptQuote { user, quote: id }, bought)
        }
        false => one_step(&call, user, &request)?,
    };
    let about = about(catalog, bought);
    let applied = app.sequencer.submit(command, call.request).await?;
    let EngineReply::Conversion(done) = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse(Code::Internal)) };
    Ok(answer("ok.converted", &applied).data(conversion_view(catalog, call.lang, done)))
}

/// F-6: without a quote the coins and the amount are required.
fn one_step(call: &Call, user: UserId, request: &Accept) -> Result<(Command, Option<AssetId>), Refusal> {
    let catalog = &call.app.catalog;
    let Accept { l_currency_id, r_currency_id, num, min_net, .. } = request;
    let sent = [("l_currency_id", l_currency_id.is_sent()), ("r_currency_id", r_currency_id.is_sent()), ("num", num.is_sent())];
    let missing = sent.iter().find(|(_, sent)| !sent).map(|(name, _)| bad_field(name, "required"));
    let read = Read::new(catalog, l_currency_id, r_currency_id, num);
    let bought = read.bought();
    let guard = {
        let engine = call.app.sequencer.engine();
        engine.may_convert(user).and_then(|()| if missing.is_some() { Ok(()) } else { read.guard(&engine) })
    };
    let scale = bought.map_or(0, |asset| catalog.scale(asset));
    let min_net = min_net.is_sent().then(|| min_net.atoms(scale)).transpose();
    let faultless = missing.map_or(Ok(()), Err);
    let read = faultless.and_then(|()| read.wanted(user)).and_then(|wanted| Ok((wanted, min_net?)));
    let (wanted, min_net) = read.map_err(|fault| guard.map_or_else(|reject| about(catalog, bought).refusal(&reject), |()| fault))?;
    Ok((Command::Convert { wanted, min_net }, bought))
}
