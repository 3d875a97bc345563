//! Engine units on the wire (`docs/api.md` 1.5), and the wire names of the engine's types.

use engine::amount::{Amount, PRICE_SCALE, Price, Rate};
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::ids::{AssetId, ClientOrderId, MarketId};
use engine::options::option::TieRule;
use engine::product::Product;
use engine::reject::FrozenBy;
use engine::reject::Reject;
use engine::self_limits::SelfLimit;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use store::secrets::hex;
use utoipa::ToSchema;

use super::code::Code;
use super::decimal::Decimal;
use super::reply::{OrRefuse, Refusal, bad_field, disabled, refuse};
use super::web;
use crate::http::decimal::{fixed, trimmed};

/// An amount with all decimals of its coin.
pub fn amount(catalog: &Catalog, asset: AssetId, atoms: Amount) -> String {
    amount_of(catalog, asset, atoms).to_string()
}

/// The same, not yet printed.
pub fn amount_of(catalog: &Catalog, asset: AssetId, atoms: Amount) -> Decimal {
    Decimal { units: atoms, digits: catalog.scale(asset) }
}

/// The common name of a coin; its code if none is known.
pub fn coin_name(code: &str) -> &str {
    match code {
        "BTC" => "Bitcoin",
        "ETH" => "Ethereum",
        "USDT" => "Tether",
        "USDC" => "USD Coin",
        other => other,
    }
}

/// How a flat outcome settles a bet on up or down.
pub fn tie_rule(rule: TieRule) -> &'static str {
    match rule {
        TieRule::Refund => "refund",
        TieRule::Lose => "lose",
    }
}

/// Name of a member's own limit.
pub fn self_limit_word(limit: SelfLimit) -> &'static str {
    match limit {
        SelfLimit::OptionStakeDay => "option_stake_day",
        SelfLimit::LossDay => "loss_day",
        SelfLimit::LeverageMax => "leverage_max",
        SelfLimit::PauseUntil => "pause_until_ms",
    }
}

/// Code of a coin.
pub fn code(catalog: &Catalog, asset: AssetId) -> &str {
    catalog.asset(asset).map_or("", |asset| asset.code.as_str())
}

/// Picture of a coin.
pub fn logo(catalog: &Catalog, asset: AssetId) -> String {
    web::coin_logo(code(catalog, asset))
}

/// Decimals that a multiple of `unit` needs, `unit` in 10^-`scale`.
pub fn digits(unit: u64, scale: u8) -> u8 {
    let divides = |digits: &u8| 10_u64.checked_pow(u32::from(scale - digits)).is_some_and(|power| unit.is_multiple_of(power));
    (0..scale).find(divides).unwrap_or(scale)
}

/// A price with the decimals of the pair's tick.
pub fn price(market: &Market, value: Price) -> String {
    price_of(market, value).to_string()
}

/// The same, not yet printed.
pub fn price_of(market: &Market, value: Price) -> Decimal {
    cut(value, digits(market.tick.0, PRICE_SCALE))
}

/// A price with this many decimals; further ones are cut off.
fn cut(value: Price, digits: u8) -> Decimal {
    Decimal { units: value.0 / 10_u64.pow(u32::from(PRICE_SCALE.saturating_sub(digits))), digits }
}

/// Decimals of prices of the index, or of the pair where there is none.
pub fn index_digits(catalog: &Catalog, market: &Market) -> u8 {
    digits(catalog.index(market.id).map_or(market.tick, |index| index.tick).0, PRICE_SCALE)
}

/// A price with the decimals of the index.
pub fn index_price(catalog: &Catalog, market: &Market, value: Price) -> String {
    index_price_of(catalog, market, value).to_string()
}

/// The same, not yet printed.
pub fn index_price_of(catalog: &Catalog, market: &Market, value: Price) -> Decimal {
    cut(value, index_digits(catalog, market))
}

/// The price of a coin in the coin of values, with the decimals of its index or its pair; of that coin itself it is 1.
pub fn coin_price(catalog: &Catalog, asset: AssetId, value: Price) -> String {
    let quote = catalog.funding.bank.asset;
    let market = catalog.markets.iter().find(|market| market.base == asset && market.quote == quote);
    market.map_or_else(|| trimmed(value.0, PRICE_SCALE), |market| index_price(catalog, market, value))
}

/// A rate as percent.
pub fn percent(rate: Rate) -> String {
    trimmed(rate.0, PRICE_SCALE - 2)
}

/// A decimal as a JSON number, exactly as printed; only chart rows have such numbers.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(as = ChartNumber, value_type = f64)]
pub struct Number(pub String);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// The pair with this symbol.
pub fn by_symbol<'a>(catalog: &'a Catalog, symbol: Option<&str>) -> Result<&'a Market, Refusal> {
    catalog.markets.iter().find(|market| Some(market.symbol.as_str()) == symbol).or_refuse(Code::UnknownMarket)
}

/// The pair of these two coins.
pub fn by_coins<'a>(catalog: &'a Catalog, base: Option<&u64>, quote: Option<&u64>) -> Result<&'a Market, Refusal> {
    let is = |asset: AssetId, number: Option<&u64>| Some(&u64::from(asset.0)) == number;
    let found = catalog.markets.iter().find(|market| is(market.base, base) && is(market.quote, quote));
    found.or_refuse(Code::UnknownMarket)
}

/// The pair with this number, for rows of our own.
pub fn by_id(catalog: &Catalog, id: MarketId) -> Result<&Market, Refusal> {
    catalog.market(id).or_refuse(Code::Internal)
}

/// The coin with this number.
pub fn coin<'a>(catalog: &'a Catalog, number: Option<&u64>) -> Result<&'a Asset, Refusal> {
    catalog.assets.iter().find(|asset| Some(&u64::from(asset.id.0)) == number).or_refuse(Code::UnknownAsset)
}

/// The wire's word for a wallet.
pub fn wallet_word(wallet: Wallet) -> &'static str {
    match wallet {
        Wallet::Spot => "change",
        Wallet::Futures => "lever",
        Wallet::BinaryOptions => "micro",
        Wallet::Earn => "trust",
    }
}

/// The wallet of a word.
pub fn wallet(word: &str) -> Result<Wallet, Refusal> {
    Wallet::ALL.into_iter().find(|wallet| wallet_word(*wallet) == word).or_refuse(Code::UnknownWallet)
}

/// What a refusal's details are about.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What is listed.
    pub catalog: &'a Catalog,
    /// The pair of the command.
    pub market: Option<&'a Market>,
    /// The coin of the command.
    pub asset: Option<AssetId>,
    /// The wallet that pays.
    pub wallet: Wallet,
}

impl About<'_> {
    /// A refusal of the engine with its details (`docs/api.md` 11).
    pub fn refusal(self, reject: &Reject) -> Refusal {
        let catalog = self.catalog;
        let plain = refuse(reject.into());
        let market = |detail: &dyn Fn(&Market) -> (&'static str, String)| match self.market.map(detail) {
            Some((key, value)) => refuse(reject.into()).with(key, value),
            None => refuse(reject.into()),
        };
        let of = |asset: AssetId, atoms: Amount| amount(catalog, asset, atoms);
        let own = |atoms: Amount| self.asset.map_or_else(String::new, |asset| of(asset, atoms));
        let in_value = |atoms: Amount| of(catalog.funding.bank.asset, atoms);
        match reject {
            Reject::Insufficient { asset, available, needed } => plain
                .with("available", of(*asset, *available))
                .with("needed", of(*asset, *needed))
                .with("currency", code(catalog, *asset))
                .with("account", wallet_word(self.wallet)),
            Reject::PriceStale => market(&|market| ("symbol", market.symbol.clone())),
            Reject::Disabled(product) => disabled(product.unwrap_or(Product::Spot)),
            Reject::Tick => market(&|market| ("tick", trimmed(market.tick.0, PRICE_SCALE))),
            Reject::Step => market(&|market| ("step", trimmed(market.step, catalog.scale(market.base)))),
            Reject::QuantityMin => market(&|market| ("min", of(market.base, market.min_quantity))),
            Reject::QuantityMax => market(&|market| ("max", of(market.base, market.max_quantity))),
            Reject::NotionalMin => market(&|market| ("min", of(market.quote, market.min_notional))),
            Reject::NotionalMax => market(&|market| ("max", of(market.quote, market.max_notional))),
            Reject::Band { low, high, reference } => match self.market {
                Some(market) => plain
                    .with("low", price(market, *low))
                    .with("high", price(market, *high))
                    .with("ref", index_price(catalog, market, *reference)),
                None => plain,
            },
            Reject::StopSide { reference } => market(&|market| ("ref", index_price(catalog, market, *reference))),
            Reject::MaxOrders => plain.with("max", catalog.max_open_orders),
            Reject::FaucetMax { max }
            | Reject::LoanMax { max }
            | Reject::StakeMax { max }
            | Reject::OpenStakes { max }
            | Reject::PlanMax { max } => plain.with("max", own(*max)),
            Reject::LoanMin { min } | Reject::StakeMin { min } | Reject::PlanMin { min } => plain.with("min", own(*min)),
            Reject::BadAmount => plain.with("field", "amount").with("reason", "range"),
            Reject::Frozen { by, until } => {
                let word = match by {
                    FrozenBy::Operator => "operator",
                    FrozenBy::Member => "user",
                };
                plain.with("by", word).with("until_ms", until.map(|until| until.0))
            }
            Reject::FundPasswordLocked { until } | Reject::CooldownAddress { until } | Reject::CooldownSecurity { until } => {
                plain.with("until_ms", until.0)
            }
            Reject::FundPasswordWrong { left } => plain.with("left", *left),
            Reject::AddressUnset { card } => plain.with("kind", if *card { "card" } else { "address" }),
            Reject::AddressMax { max }
            | Reject::CardMax { max }
            | Reject::ClaimLimit { max }
            | Reject::OpenLimit { max }
            | Reject::Leverage { max } => plain.with("max", *max),
            Reject::WithdrawMin { min } | Reject::DepositMin { min } => {
                plain.with("min", self.asset.map_or_else(|| fixed(*min, 2), |asset| of(asset, *min)))
            }
            Reject::WithdrawCount { resets } => plain.with("resets_ms", resets.0).with("max", catalog.funding.limits.withdrawals_per_day),
            Reject::WithdrawLimit { left, upgrade } => plain.with("left", in_value(*left)).with("upgrade", u8::from(*upgrade)),
            Reject::Confirmations { seen, needed } => plain.with("seen", *seen).with("needed", *needed),
            Reject::ChangedSince { version, hash } => plain.with("version", *version).with("hash", hex(&hash.0)),
            Reject::LoanToValue { min_collateral } => plain.with("min_collateral", own(*min_collateral)),
            Reject::SelfLimit { limit, value, used } => {
                let shown = |figure: u64| match limit {
                    SelfLimit::OptionStakeDay | SelfLimit::LossDay => serde_json::Value::from(in_value(figure)),
                    SelfLimit::LeverageMax | SelfLimit::PauseUntil => serde_json::Value::from(figure),
                };
                plain.with("field", self_limit_word(*limit)).with("value", shown(*value)).with("used", shown(*used))
            }
            Reject::FeeMoved { fee } => plain.with("fee", own(*fee)),
            Reject::AwaitsTrigger => plain.with("state", "waiting_trigger"),
            Reject::DebtMoved { debt } => plain.with("debt", own(*debt)),
            Reject::FreeShort { free } | Reject::PoolShort { free } | Reject::TreasuryShort { free } => plain.with("free", own(*free)),
            Reject::PriceMoved { net } => plain.with("net", own(*net)),
            Reject::ConversionMin { min } | Reject::SubscriptionMin { min } => plain.with("min", in_value(*min)),
            Reject::ConversionMax { max } => plain.with("max", in_value(*max)),
            Reject::ConversionDay { left } | Reject::UserCap { left } => plain.with("left", in_value(*left)),
            Reject::LotsMax { max } => plain.with("max", *max),
            Reject::Tier { max } => market(&|market| ("max", of(market.quote, *max))),
            Reject::TakeProfit { low, high } | Reject::StopLoss { low, high } => match self.market {
                Some(market) => plain.with("low", index_price(catalog, market, *low)).with("high", index_price(catalog, market, *high)),
                None => plain,
            },
            Reject::Window { start, end } => plain.with("start_ms", start.0).with("end_ms", end.0),
            Reject::SameAsset
            | Reject::QuoteExpired
            | Reject::DuplicateRequest
            | Reject::PayCurrency
            | Reject::SoldOut
            | Reject::Lots
            | Reject::Cycle
            | Reject::PlanCycle
            | Reject::Agreement
            | Reject::TermsChanged
            | Reject::LiquidatedAtOpen
            | Reject::PoolLossLimit
            | Reject::UnknownInviter
            | Reject::NotFound
            | Reject::WrongState
            | Reject::Overflow
            | Reject::BadAsset
            | Reject::UnknownMarket
            | Reject::SameWallet
            | Reject::TimeInForce
            | Reject::PostOnly
            | Reject::ClientOrderId
            | Reject::NoLiquidity
            | Reject::NotAllowed
            | Reject::BadTime
            | Reject::MemberExists
            | Reject::KycBasic
            | Reject::Duration
            | Reject::KycLimit
            | Reject::KycDuplicate
            | Reject::FundPasswordUnset
            | Reject::Code(_)
            | Reject::BadChain
            | Reject::AddressDuplicate
            | Reject::CardDuplicate
            | Reject::DuplicateTx
            | Reject::SelfReview
            | Reject::SameOperator
            | Reject::BadCatalog
            | Reject::OrderType
            | Reject::Role => plain,
        }
    }
}

/// The client's own order id: 1 to 36 of `A-Z a-z 0-9 _ -`.
pub fn client_order_id(text: Option<&str>) -> Result<Option<ClientOrderId>, Refusal> {
    let plain = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let Some(text) = text else { return Ok(None) };
    let id = Some(text).filter(plain).and_then(ClientOrderId::new);
    id.map(Some).ok_or_else(|| bad_field("client_order_id", "format"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_have_the_decimals_of_their_tick() {
        let catalog = Catalog::standard();
        let btc = by_symbol(&catalog, Some("BTC/USDT")).expect("listed");
        assert_eq!(price(btc, Price(10_000_000_000_000)), "100000.0");
        assert_eq!(index_price(&catalog, btc, Price(10_000_000_000_000)), "100000.00");
        let cross = by_symbol(&catalog, Some("ETH/BTC")).expect("listed");
        assert_eq!(price(cross, Price(3_502_000)), "0.03502");
        assert_eq!(percent(btc.maker_fee), "0.08");
    }

    #[test]
    fn a_chart_number_is_printed_as_it_is() {
        assert_eq!(serde_json::to_string(&[Number("97432.10".to_owned())]).expect("json"), "[97432.10]");
    }
}
