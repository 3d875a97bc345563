//! Languages, countries, customer service, and everything the app needs at its start.

use engine::Engine;
use engine::amount::{PRICE_SCALE, Rate};
use engine::catalog::QUORUM;
use engine::catalog::funding::FundingTerms;
use engine::catalog::{Asset, Catalog, IndexOrigin, Market, Wallet};
use engine::contracts::terms::MAX_POSITIONS;
use engine::funding::withdrawals::EXPECTED_MS;
use engine::index::{DEVIATION, FRESH_MS};
use engine::product::Product;
use engine::time::HOUR_MS;
use serde::Serialize;
use store::people;
use utoipa::ToSchema;

use crate::api::contact::{PASSWORD_MAX, PASSWORD_MIN};
use crate::api::contracts::deal::all_rules;
use crate::api::terms::{bank_is_open, coin_is_open, market_status, network_view};
use crate::countries::is_country;
use crate::countries::policy::Rule;
use crate::http::code::Code;
use crate::http::decimal::{fixed, trimmed};
use crate::http::page::WIRE_OFFSET_MINUTES;
use crate::http::reply::{Answer, Reply, bad_field};
use crate::http::request::{Input, request};
use crate::http::units::coin_name;
use crate::http::{App, Call, health, types, web};
use crate::i18n::{Lang, text};

/// Version of the risk texts. It increases when the meaning of one changes, and members are then asked again.
const RISK_VERSION: &str = "1";

request! {
    /// What `set/lang` takes.
    pub struct SetLang checked by handler {
        required lang: Input<Lang>,
    }
}

/// `POST set/lang`; a guest's choice stays with its client.
pub async fn set_lang(call: Call, request: SetLang) -> Answer {
    let lang = request.lang.or(Code::UnknownLanguage)?;
    let Some(session) = call.session else { return Ok(Reply::ok(lang.code())) };
    Ok(call.commit(vec![people::set_lang(session.user, lang)], Reply::ok(lang.code())).await?)
}

/// `POST get/lang`
pub async fn get_lang(call: Call) -> Answer {
    Ok(Reply::ok(call.lang.code()))
}

/// Data returned by `set/get_customer_url`.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomerService {
    customer_url: &'static str,
    cover: &'static str,
    xtitle: &'static str,
    support_email: String,
    #[schema(value_type = types::Flag)]
    chat_on: u8,
}

/// `POST set/get_customer_url`
pub async fn customer_service(call: Call) -> Answer {
    Ok(Reply::ok(CustomerService {
        customer_url: web::HELP,
        cover: web::LOGO,
        xtitle: text(call.lang, "site.title"),
        support_email: call.app.config.support_email.clone(),
        chat_on: 1,
    }))
}

/// A language of the app.
#[derive(Debug, Serialize, ToSchema)]
struct Language {
    code: &'static str,
    name: &'static str,
    bcp47: &'static str,
}

/// Whether a product can be opened.
#[derive(Debug, Serialize, ToSchema)]
struct ProductSwitch {
    #[schema(value_type = types::Product)]
    product: &'static str,
    #[schema(value_type = types::Flag)]
    on: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<&'static str>,
    risk_version: &'static str,
}

/// A listed coin.
#[derive(Debug, Serialize, ToSchema)]
struct Coin {
    id: u32,
    code: String,
    name: String,
    logo: String,
    scale: u8,
    #[schema(value_type = types::Flag)]
    is_legal: u8,
    #[schema(value_type = types::Flag)]
    is_match: u8,
    #[schema(value_type = types::Flag)]
    is_lever: u8,
    #[schema(value_type = types::Flag)]
    is_micro: u8,
    #[schema(value_type = types::Flag)]
    is_trust: u8,
    networks: Vec<types::Network>,
}

/// Rules of a spot pair.
#[derive(Debug, Serialize, ToSchema)]
struct MarketRules {
    match_id: u32,
    symbol: String,
    currency_id: u32,
    legal_id: u32,
    price_digits: usize,
    tick: String,
    qty_digits: usize,
    step: String,
    min_qty: String,
    max_qty: Option<String>,
    min_notional: String,
    max_notional: String,
    maker_fee: String,
    taker_fee: String,
    band_buy: [String; 2],
    band_sell: [String; 2],
    #[schema(value_type = types::Flag)]
    index: u8,
    index_tick: Option<String>,
    /// Options are sold on it, when nothing is paused.
    #[schema(value_type = types::Flag)]
    options: u8,
    #[schema(value_type = types::MarketStatus)]
    status: &'static str,
}

/// Limits that the client shows or checks.
#[derive(Debug, Serialize, ToSchema)]
struct ClientLimits {
    password_min: usize,
    password_max: usize,
    fund_password_len: u32,
    upload_bytes: u64,
    upload_pixels: u64,
    upload_types: [&'static str; 3],
    withdraw_per_day: u32,
    withdraw_hours: u64,
    page_default: u64,
    page_max: u64,
    open_orders_per_market: u32,
    open_options: u32,
    open_positions: u32,
    live_loans: u32,
    cards: u32,
    addresses: u32,
}

/// Parameters of the price index.
#[derive(Debug, Serialize, ToSchema)]
struct IndexSettings {
    sources: Vec<String>,
    quorum: usize,
    stale_ms: u64,
    deviation: String,
}

/// Everything the app needs to know when it starts.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppConfig {
    version: &'static str,
    contract: &'static str,
    build: &'static str,
    #[schema(value_type = types::Mode)]
    mode: &'static str,
    server_time_ms: u64,
    display_offset_minutes: i64,
    country: String,
    languages: Vec<Language>,
    default_language: &'static str,
    products: Vec<ProductSwitch>,
    currencies: Vec<Coin>,
    markets: Vec<MarketRules>,
    contracts: Vec<types::ContractRules>,
    risk_texts: Vec<types::RiskText>,
    limits: ClientLimits,
    index: IndexSettings,
    socket_path: &'static str,
    support_url: &'static str,
}

request! {
    /// What `app/config` takes.
    pub struct Configure checked by handler {
        optional country: Option<String>,
    }
}

/// `GET app/config`
pub async fn app_config(call: Call, request: Configure) -> Answer {
    let app = &call.app;
    let country = match (request.country, call.session) {
        (Some(named), _) => named.to_ascii_uppercase(),
        (None, Some(session)) => app.policy.of_member(session.user).await?,
        (None, None) => String::new(),
    };
    if !country.is_empty() && !is_country(&country) {
        return Err(bad_field("country", "enum"));
    }
    let mut forbidden = Vec::new();
    for product in Product::offered() {
        if app.policy.rule(&country, product).await? == Rule::Off {
            forbidden.push(product);
        }
    }
    let engine = app.sequencer.engine();
    let catalog = engine.catalog();
    let limits = &catalog.funding.limits;
    let products = products(app, &engine, &forbidden, call.lang);
    let language = |lang: Lang| Language { code: lang.code(), name: lang.own_name(), bcp47: lang.bcp47() };
    Ok(Reply::ok(AppConfig {
        version: env!("CARGO_PKG_VERSION"),
        contract: "1",
        build: &health::BUILD,
        mode: if app.is_sandbox() { "sandbox" } else { "live" },
        server_time_ms: app.now_ms(),
        display_offset_minutes: WIRE_OFFSET_MINUTES,
        country,
        languages: Lang::ALL.into_iter().map(language).collect(),
        default_language: Lang::default().code(),
        products,
        currencies: coins(catalog),
        markets: markets(&engine),
        contracts: all_rules(&engine),
        risk_texts: risk_texts(call.lang),
        limits: ClientLimits {
            password_min: PASSWORD_MIN,
            password_max: PASSWORD_MAX,
            fund_password_len: 6,
            upload_bytes: 5 * 1024 * 1024,
            upload_pixels: 25_000_000,
            upload_types: ["image/jpeg", "image/png", "image/webp"],
            withdraw_per_day: limits.withdrawals_per_day,
            withdraw_hours: EXPECTED_MS / HOUR_MS,
            page_default: 10,
            page_max: 100,
            open_orders_per_market: catalog.max_open_orders,
            open_options: engine.option_terms().map_or(20, |terms| terms.shared.open_options),
            open_positions: MAX_POSITIONS,
            live_loans: engine.loan_terms().map_or(5, |terms| terms.shared.live_loans),
            cards: limits.cards,
            addresses: limits.addresses,
        },
        index: index_settings(catalog),
        socket_path: "/socket.io/",
        support_url: web::CHAT,
    }))
}

/// The products that can be opened now, in a country that forbids these.
fn products(app: &App, engine: &Engine, forbidden: &[Product], lang: Lang) -> Vec<ProductSwitch> {
    let FundingTerms { networks, bank, .. } = &engine.catalog().funding;
    let is_on = |product| match product {
        Product::CoinDeposit => coin_is_open(engine, None),
        Product::BankDeposit => bank_is_open(app, engine),
        Product::CoinWithdrawal => networks.iter().any(|network| network.withdraw_on),
        Product::BankWithdrawal => bank.withdraw_on,
        Product::Option => engine.option_terms().is_some() && !engine.paused().any(|paused| paused == (product, None)),
        Product::Contract => engine.all_contract_terms().next().is_some() && !engine.paused().any(|paused| paused == (product, None)),
        Product::Plan => engine.plans().next().is_some() && !engine.paused().any(|paused| paused == (product, None)),
        Product::Loan => engine.loans_open().is_ok(),
        Product::Flash => engine.conversion_terms().is_some() && !engine.paused().any(|paused| paused == (product, None)),
        Product::Spot | Product::Subscription => !engine.paused().any(|paused| paused == (product, None)),
    };
    let switch = |product: Product| {
        let forbidden = forbidden.contains(&product);
        let (product, on) = (product.name(), u8::from(is_on(product) && !forbidden));
        ProductSwitch { product, on, reason: forbidden.then(|| text(lang, Code::CountryForbids.name())), risk_version: RISK_VERSION }
    };
    Product::offered().map(switch).collect()
}

/// Texts of products in which what is put in can be lost, with the version that a member has seen.
fn risk_texts(lang: Lang) -> Vec<types::RiskText> {
    let of = |product: Product, title, body| types::RiskText {
        product: product.name().to_owned(),
        version: RISK_VERSION.to_owned(),
        title: text(lang, title).to_owned(),
        body: text(lang, body).to_owned(),
    };
    vec![
        of(Product::Option, "risk.option.title", "risk.option.body"),
        of(Product::Contract, "risk.contract.title", "risk.contract.body"),
        of(Product::Plan, "risk.plan.title", "risk.plan.body"),
        of(Product::Subscription, "risk.subscription.title", "risk.subscription.body"),
    ]
}

fn coins(catalog: &Catalog) -> Vec<Coin> {
    let coin = |asset: &Asset| {
        let admits = |wallet: Wallet| u8::from(asset.wallets.contains(&wallet));
        Coin {
            id: asset.id.0,
            code: asset.code.clone(),
            name: coin_name(&asset.code).to_owned(),
            logo: web::coin_logo(&asset.code),
            scale: asset.scale,
            is_legal: 0,
            is_match: admits(Wallet::Spot),
            is_lever: admits(Wallet::Futures),
            is_micro: admits(Wallet::BinaryOptions),
            is_trust: admits(Wallet::Earn),
            networks: catalog
                .funding
                .networks
                .iter()
                .filter(|network| network.asset == asset.id)
                .map(|network| network_view(catalog, network))
                .collect(),
        }
    };
    catalog.assets.iter().map(coin).collect()
}

fn markets(engine: &Engine) -> Vec<MarketRules> {
    let catalog = engine.catalog();
    let scale = |asset| catalog.scale(asset);
    let rules = |market: &Market| {
        let (base, quote) = (scale(market.base), scale(market.quote));
        let index_tick = catalog.index(market.id).map(|index| trimmed(index.tick.0, PRICE_SCALE));
        let tick = trimmed(market.tick.0, PRICE_SCALE);
        // Rates of the engine are in units of 1e-8, so percent have six decimals.
        let percent = |rate: Rate| trimmed(rate.0, 6);
        MarketRules {
            match_id: market.id.0,
            symbol: market.symbol.clone(),
            currency_id: market.base.0,
            legal_id: market.quote.0,
            price_digits: decimals(&tick),
            qty_digits: decimals(&trimmed(market.step, base)),
            min_qty: fixed(market.min_quantity, base),
            max_qty: Some(fixed(market.max_quantity, base)),
            min_notional: fixed(market.min_notional, quote),
            max_notional: fixed(market.max_notional, quote),
            maker_fee: percent(market.maker_fee),
            taker_fee: percent(market.taker_fee),
            band_buy: [percent(market.band_buy.0), percent(market.band_buy.1)],
            band_sell: [percent(market.band_sell.0), percent(market.band_sell.1)],
            index: u8::from(index_tick.is_some()),
            index_tick,
            options: engine.check_option_market(market.id).is_ok().into(),
            status: market_status(engine, market.id),
            tick,
            step: fixed(market.step, base),
        }
    };
    catalog.markets.iter().map(rules).collect()
}

fn index_settings(catalog: &Catalog) -> IndexSettings {
    let sources = catalog.indices.iter().find_map(|index| match &index.origin {
        IndexOrigin::Sources(names) => Some(names.clone()),
        IndexOrigin::Cross { .. } => None,
    });
    IndexSettings { sources: sources.unwrap_or_default(), quorum: QUORUM, stale_ms: FRESH_MS, deviation: trimmed(DEVIATION.0, 6) }
}

fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}
