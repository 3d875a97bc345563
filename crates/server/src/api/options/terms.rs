//! The terms of options (`docs/api.md` 4.8).

use engine::catalog::{Catalog, Wallet};
use engine::ids::{AssetId, MarketId};
use engine::options::option::Direction;
use engine::options::terms::{DurationTerms, OptionTerms, StakeCoin};
use serde::Serialize;
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::http::units::{amount, code, logo, percent, tie_rule};
use crate::http::{Call, types};

/// A duration of options, with its terms.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionDuration {
    id: u32,
    seconds: u32,
    profit_ratio: String,
    even_profit_ratio: String,
    tolerance: String,
    #[schema(value_type = types::TieRule)]
    tie_rule: &'static str,
    min_num: String,
    max_num: String,
    even_max_num: String,
    limits: Vec<OptionLimit>,
    #[schema(value_type = types::Flag)]
    status: u8,
    /// Hash of the rule that would apply now to a purchase in the named pair. Null without a pair, and for a duration that is not sold.
    rule: Option<String>,
}

request! {
    /// What `microtrade/seconds` takes.
    pub struct Lengths checked by handler {
        optional match_id: Option<u64>,
    }
}

/// Limits of a stake in one coin.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionLimit {
    currency_id: u32,
    min: String,
    max: String,
    even_max: String,
}

/// A coin in which stakes are paid.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionCoin {
    id: u32,
    name: String,
    logo: String,
    micro_trade_fee: String,
    micro_min: String,
    micro_max: String,
    micro_holdtrade_max: u32,
    micro_open_stake_max: String,
    micro_numbers: Vec<OptionPreset>,
    user_wallet: OptionWallet,
}

/// A stake to choose from.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionPreset {
    id: u32,
    number: String,
    currency_name: String,
}

/// The caller's balance in the option account.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionWallet {
    currency: u32,
    currency_name: String,
    micro_balance: String,
    lock_micro_balance: String,
    micro_with_insurance: String,
}

/// `GET microtrade/seconds`
pub async fn seconds(call: Call, request: Lengths) -> Answer {
    let engine = call.app.sequencer.engine();
    let catalog = engine.catalog();
    let market = request.match_id.and_then(|id| u32::try_from(id).ok()).map(MarketId);
    let rule = |length: &DurationTerms| Some(hex(&engine.offered_rule(market?, length.seconds)?.0));
    let view = |terms: &OptionTerms| {
        let all = terms.durations.iter();
        all.map(|length| OptionDuration { rule: rule(length), ..duration(catalog, terms, length) }).collect::<Vec<_>>()
    };
    Ok(Reply::ok(engine.option_terms().map(view).unwrap_or_default()))
}

/// Bounds are shown in the coin of the bank terms, and for each stake coin.
fn duration(catalog: &Catalog, terms: &OptionTerms, length: &DurationTerms) -> OptionDuration {
    let bounds = |coin: &StakeCoin| {
        let max = |direction| length.max_of(coin.asset, direction).unwrap_or(0);
        let of = |atoms| amount(catalog, coin.asset, atoms);
        (coin.asset, of(coin.min), of(max(Direction::Up)), of(max(Direction::Flat)))
    };
    let all: Vec<(AssetId, String, String, String)> = terms.shared.coins.iter().map(bounds).collect();
    let shown = catalog.funding.bank.asset;
    let none = || (shown, amount(catalog, shown, 0), amount(catalog, shown, 0), amount(catalog, shown, 0));
    let (_, min_num, max_num, even_max_num) = all.iter().find(|(asset, ..)| *asset == shown).cloned().unwrap_or_else(none);
    OptionDuration {
        id: length.seconds,
        seconds: length.seconds,
        profit_ratio: percent(length.profit),
        even_profit_ratio: percent(length.profit_flat),
        tolerance: percent(length.tolerance),
        tie_rule: tie_rule(length.tie),
        min_num,
        max_num,
        even_max_num,
        limits: all.into_iter().map(|(asset, min, max, even_max)| OptionLimit { currency_id: asset.0, min, max, even_max }).collect(),
        status: u8::from(length.on),
        rule: None,
    }
}

/// `GET microtrade/payable_currencies`
pub async fn payable_currencies(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let catalog = engine.catalog();
    let me = call.session.as_ref().map(|session| session.user);
    let balance = |asset| me.and_then(|me| engine.balance(me, Wallet::BinaryOptions, asset)).unwrap_or_default();
    let coin = |terms: &OptionTerms, coin: &StakeCoin| {
        let (asset, held) = (coin.asset, balance(coin.asset));
        let of = |atoms| amount(catalog, asset, atoms);
        let shown = |atoms| if me.is_some() { of(atoms) } else { "0".to_owned() };
        let name = code(catalog, asset).to_owned();
        let most = terms.durations.iter().filter_map(|length| length.max_of(asset, Direction::Up)).max().unwrap_or(0);
        let stakes = [1, 2, 10, 20, 100, 200].map(|times| coin.min.saturating_mul(times)).into_iter().filter(|stake| *stake <= most);
        let preset = |(id, stake)| OptionPreset { id, number: of(stake), currency_name: name.clone() };
        OptionCoin {
            id: asset.0,
            logo: logo(catalog, asset),
            micro_trade_fee: percent(terms.shared.fee),
            micro_min: of(coin.min),
            micro_max: of(most),
            micro_holdtrade_max: terms.shared.open_options,
            micro_open_stake_max: of(coin.open_max),
            micro_numbers: (1..).zip(stakes).map(preset).collect(),
            user_wallet: OptionWallet {
                currency: asset.0,
                currency_name: name.clone(),
                micro_balance: shown(held.available),
                lock_micro_balance: shown(held.held),
                micro_with_insurance: shown(held.available),
            },
            name,
        }
    };
    let coins = |terms: &OptionTerms| terms.shared.coins.iter().map(|one| coin(terms, one)).collect::<Vec<_>>();
    Ok(Reply::ok(engine.option_terms().map(coins).unwrap_or_default()))
}
