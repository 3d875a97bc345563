//! Offerings and commitments as the wire shows them (`docs/api.md` 5.7).

use engine::Engine;
use engine::amount::{Amount, PRICE_ONE, PRICE_SCALE, Price, RATE_ONE};
use engine::ids::{AssetId, OfferingId};
use engine::subscriptions::offering::{Commitment, Offering, Terms};
use engine::subscriptions::status::{CommitmentStatus, OfferingStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::decimal::{WireTime, fixed, signed, signed_trimmed, trimmed};
use crate::http::reply::{OrRefuse, Refusal};
use crate::http::types;
use crate::http::units::{amount, code, digits, percent};
use crate::i18n::{Lang, figure, filled};

/// A coin accepted as payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct PayCurrency {
    id: u32,
    name: String,
    /// Price of one token in this coin now; 0 without a price.
    price: String,
}

/// One step of the release schedule.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseRow {
    day: u32,
    share: String,
}

/// An offering.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Offering)]
pub struct OfferingView {
    pub id: u32,
    new_currency_id: u32,
    new_currency_name: String,
    currency_id: u32,
    currency_name: String,
    pay_currencies: Vec<PayCurrency>,
    num: String,
    last_num: String,
    committed_value: String,
    oversub_factor: u32,
    buy_num: String,
    user_cap: String,
    change_rate: String,
    day: u32,
    release: Vec<ReleaseRow>,
    interest_rate: String,
    predict_rate: String,
    #[schema(value_type = String)]
    send_start: WireTime,
    send_start_ms: u64,
    #[schema(value_type = String)]
    send_end: WireTime,
    send_end_ms: u64,
    #[schema(value_type = String)]
    online_time: WireTime,
    online_time_ms: u64,
    introduction: String,
    /// Address (`https`) of its white paper; null if operators named none.
    pub white_paper: Option<String>,
    #[schema(value_type = types::SubscriptionStatus)]
    status: u8,
    #[schema(value_type = types::OfferingState)]
    state: &'static str,
    #[schema(value_type = types::Recommended)]
    is_recommend: u8,
    recommend_title: String,
    recommend_content: String,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
}

/// A commitment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Commitment)]
pub struct CommitmentView {
    id: u64,
    config_id: u32,
    new_currency_name: String,
    currency_name: String,
    currency_id: u32,
    amount: String,
    value: String,
    new_currency_num: String,
    released_num: String,
    cost: String,
    charge: String,
    refund: String,
    change_rate: String,
    interest: String,
    original_interest: String,
    interest_rate: String,
    day: u32,
    #[schema(value_type = types::SubscriptionStatus)]
    status: u8,
    #[schema(value_type = types::ExamStatus)]
    exam_status: u8,
    #[schema(value_type = String)]
    online_time: WireTime,
    online_time_ms: u64,
    next_release_ms: Option<u64>,
    #[schema(value_type = Option<String>)]
    complete_at: Option<WireTime>,
    complete_at_ms: Option<u64>,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
    #[schema(value_type = String)]
    updated_at: WireTime,
    updated_at_ms: u64,
}

/// The wire's number and word of a state.
pub fn state(status: OfferingStatus) -> (u8, &'static str) {
    match status {
        OfferingStatus::Upcoming => (1, "upcoming"),
        OfferingStatus::Open => (1, "open"),
        OfferingStatus::SoldOut => (1, "sold_out"),
        OfferingStatus::Allocated => (1, "allocated"),
        OfferingStatus::Launched => (2, "launched"),
        OfferingStatus::Ended => (3, "ended"),
        OfferingStatus::Cancelled => (3, "cancelled"),
    }
}

/// 1 subscribing, 2 locked, 3 ended.
pub fn status(status: CommitmentStatus) -> u8 {
    match status {
        CommitmentStatus::Review | CommitmentStatus::Passed => 1,
        CommitmentStatus::Locked => 2,
        CommitmentStatus::Released | CommitmentStatus::Refunded => 3,
    }
}

/// 3 under review, 1 passed, 2 refunded.
fn exam(status: CommitmentStatus) -> u8 {
    match status {
        CommitmentStatus::Review => 3,
        CommitmentStatus::Passed | CommitmentStatus::Locked | CommitmentStatus::Released => 1,
        CommitmentStatus::Refunded => 2,
    }
}

/// The reference price of a token; `None` before its launch (N-7).
fn reference(engine: &Engine, offering: &Offering) -> Option<Price> {
    engine.launched_pair(offering.terms.id).and_then(|pair| engine.reference_price(pair))
}

/// The gain of tokens, atoms of the quote coin, and the rate in 0.01 % (N-7).
fn gained(engine: &Engine, offering: &Offering, tokens: Amount) -> (i128, i128) {
    reference(engine, offering).and_then(|reference| offering.issue().gained(tokens, reference)).unwrap_or((0, 0))
}

/// The same of an offering by its number.
pub fn gained_by(engine: &Engine, offering: OfferingId, tokens: Amount) -> i128 {
    engine.offering(offering).map_or(0, |offering| gained(engine, offering, tokens).0)
}

/// A sum of gains, as the wire prints it.
pub fn gain(engine: &Engine, atoms: i128) -> String {
    let facts = engine.catalog();
    signed(atoms, facts.scale(facts.funding.bank.asset))
}

/// The price of one token in a coin, rounded up.
fn token_price(engine: &Engine, price: Price, coin: AssetId) -> Price {
    let worth = engine.value_price(coin).unwrap_or(Price(0));
    let scaled = u128::from(price.0) * u128::from(PRICE_ONE.0);
    let found = if worth.0 == 0 { 0 } else { scaled.div_ceil(u128::from(worth.0)) };
    Price(u64::try_from(found).unwrap_or(u64::MAX))
}

/// The issue price, with the decimals of the tick and those that it has beyond them.
fn issue_price(terms: &Terms) -> String {
    let digits = digits(terms.market.tick.0, PRICE_SCALE).max(digits(terms.price.0, PRICE_SCALE));
    fixed(terms.price.0 / 10_u64.pow(u32::from(PRICE_SCALE - digits)), digits)
}

/// The price of one token in a coin that it is paid with; in others than that of its pair, all decimals.
fn paid_price(engine: &Engine, terms: &Terms, coin: AssetId) -> String {
    if coin == terms.market.quote { issue_price(terms) } else { fixed(token_price(engine, terms.price, coin).0, PRICE_SCALE) }
}

/// The offering that the home page shows: the one that is open and closes first.
pub fn recommended(engine: &Engine) -> Option<&Offering> {
    engine.offerings().filter(|offering| offering.status == OfferingStatus::Open).min_by_key(|offering| offering.terms.close)
}

/// An offering in this language, but for its white paper, which is no part of the log.
pub fn offering_view(engine: &Engine, lang: Lang, offering: &Offering) -> OfferingView {
    let (facts, terms) = (engine.catalog(), &offering.terms);
    let quote = terms.market.quote;
    let (token, usdt) = (|atoms| fixed(atoms, terms.token.scale), |atoms| amount(facts, quote, atoms));
    let pay = |coin: &AssetId| PayCurrency { id: coin.0, name: code(facts, *coin).to_owned(), price: paid_price(engine, terms, *coin) };
    let first = terms.pay.first().copied().unwrap_or(quote);
    let wanted = Amount::try_from(offering.wanted).unwrap_or(Amount::MAX);
    let launch = offering.launched.unwrap_or(terms.launch);
    let rate = signed_trimmed(gained(engine, offering, RATE_ONE).1, 2);
    let words = |key: &str| {
        let (supply, price) = (trimmed(terms.supply, terms.token.scale), trimmed(terms.price.0, PRICE_SCALE));
        filled(lang, key, &[("coin", terms.token.code.as_str()), ("supply", &figure(lang, &supply)), ("price", &figure(lang, &price))])
    };
    let (status, state) = state(offering.status);
    OfferingView {
        id: terms.id.0,
        new_currency_id: terms.token.id.0,
        new_currency_name: terms.token.code.clone(),
        currency_id: first.0,
        currency_name: code(facts, first).to_owned(),
        pay_currencies: terms.pay.iter().map(pay).collect(),
        num: token(terms.supply),
        last_num: token(terms.supply.saturating_sub(wanted)),
        committed_value: usdt(offering.committed),
        oversub_factor: terms.oversub,
        buy_num: usdt(terms.min),
        user_cap: usdt(terms.user_cap),
        change_rate: issue_price(terms),
        day: terms.release.last().map_or(0, |(day, _)| *day),
        release: terms.release.iter().map(|(day, share)| ReleaseRow { day: *day, share: percent(*share) }).collect(),
        interest_rate: rate.clone(),
        predict_rate: rate,
        send_start: WireTime(terms.start.0),
        send_start_ms: terms.start.0,
        send_end: WireTime(terms.close.0),
        send_end_ms: terms.close.0,
        online_time: WireTime(launch.0),
        online_time_ms: launch.0,
        introduction: format!("<p>{}</p>", words("offering.introduction")),
        white_paper: None,
        status,
        state,
        is_recommend: if recommended(engine).is_some_and(|one| one.terms.id == terms.id) { 1 } else { 2 },
        recommend_title: words("offering.title"),
        recommend_content: words("offering.content"),
        created_at: WireTime(offering.listed.0),
        created_at_ms: offering.listed.0,
    }
}

/// A commitment.
///
/// # Errors
/// When its offering is not known, which cannot be.
pub fn commitment_view(engine: &Engine, commitment: &Commitment) -> Result<CommitmentView, Refusal> {
    let offering = engine.offering(commitment.offering).or_refuse(Code::Internal)?;
    let (facts, terms) = (engine.catalog(), &offering.terms);
    let paid = |atoms| amount(facts, commitment.asset, atoms);
    let usdt = |atoms| amount(facts, terms.market.quote, atoms);
    let token = |atoms| fixed(atoms, terms.token.scale);
    let (interest, rate) = gained(engine, offering, commitment.tokens);
    let launch = offering.launched.unwrap_or(terms.launch);
    let next = offering.next_tranche().filter(|_| commitment.status == CommitmentStatus::Locked);
    let complete = (commitment.status == CommitmentStatus::Released).then_some(commitment.changed);
    Ok(CommitmentView {
        id: commitment.id.0,
        config_id: terms.id.0,
        new_currency_name: terms.token.code.clone(),
        currency_name: code(facts, commitment.asset).to_owned(),
        currency_id: commitment.asset.0,
        amount: paid(commitment.paid),
        value: usdt(commitment.value),
        new_currency_num: token(commitment.tokens),
        released_num: token(commitment.released),
        cost: usdt(commitment.cost),
        charge: paid(commitment.charge),
        refund: paid(commitment.refund),
        change_rate: issue_price(terms),
        interest: gain(engine, interest),
        original_interest: gain(engine, interest),
        interest_rate: signed_trimmed(if commitment.tokens == 0 { 0 } else { rate }, 2),
        day: terms.release.last().map_or(0, |(day, _)| *day),
        status: status(commitment.status),
        exam_status: exam(commitment.status),
        online_time: WireTime(launch.0),
        online_time_ms: launch.0,
        next_release_ms: next.map(|(at, _)| at.0),
        complete_at: complete.map(|at| WireTime(at.0)),
        complete_at_ms: complete.map(|at| at.0),
        created_at: WireTime(commitment.created.0),
        created_at_ms: commitment.created.0,
        updated_at: WireTime(commitment.changed.0),
        updated_at_ms: commitment.changed.0,
    })
}
