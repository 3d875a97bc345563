//! Withdrawals (11): terms, applications in the order of W-3, cancelling, and their history.

use engine::Engine;
use engine::amount::{Amount, pow10};
use engine::catalog::Wallet;
use engine::catalog::funding::{Chain, Network};
use engine::command::Command;
use engine::funding::status::WithdrawalStatus;
use engine::funding::withdrawals::{Destination, EXPECTED_MS, Withdraw, Withdrawal};
use engine::identity::KycLevel;
use engine::ids::{AddressId, AssetId, CardId, Digest, UserId, WithdrawalId};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::time::{DAY_MS, HOUR_MS};
use serde::Serialize;
use store::account::{self, VersionedRow, withdrawal_number};
use store::db::DbError;
use store::documents::{self, CardPaper, LabelKind};
use store::payments::Reference;
use store::people;
use utoipa::ToSchema;

use super::addresses::{ADDRESS_MAX, bad_chain, chain_named, find, refusal};
use super::cards::masked_number;
use super::deposits::{BANK, ListByStatus};
use crate::api::account::step_up::{Factors, StepUp};
use crate::api::account::{step_up, withdraw_code};
use crate::api::command::{answer, done};
use crate::api::country;
use crate::api::terms::network_view;
use crate::http::code::Code;
use crate::http::decimal::{fixed, trimmed};
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{ById, Input, request};
use crate::http::types::ObjectState;
use crate::http::values::{Line, TypedAmount};
use crate::http::{App, Call, types, units};

/// Terms of a withdrawal, and what is left of its limits.
#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawInfo {
    currency: u64,
    name: String,
    rate: String,
    fee: String,
    min_fee: String,
    min_number: String,
    max_number: String,
    change_balance: String,
    legal_balance: &'static str,
    networks: Vec<types::Network>,
    day_count: u32,
    day_count_max: u32,
    day_value: String,
    day_value_max: String,
    expected_hours: u64,
    payout_rate: Option<String>,
    hold_until_ms: Option<u64>,
}

/// Data returned for a new withdrawal.
#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawalMade {
    id: u64,
    seq: u64,
    number: String,
    fee: String,
    real_number: String,
    payout_usd: Option<String>,
    expected_at_ms: u64,
    day_count: u64,
}

/// A withdrawal.
#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawRow {
    id: u64,
    name: String,
    currency: u64,
    #[serde(rename = "netType")]
    network: &'static str,
    number: String,
    rate: String,
    real_number: String,
    payout_usd: Option<String>,
    #[schema(value_type = types::FundingStatus)]
    status: u8,
    #[schema(value_type = types::WithdrawalState)]
    state: &'static str,
    reason: String,
    address: String,
    notes: String,
    tx: Option<String>,
    #[schema(value_type = types::Flag)]
    is_bank: u8,
    expected_at: String,
    expected_at_ms: u64,
    #[schema(value_type = types::Flag)]
    late: u8,
    create_time: String,
    create_time_ms: u64,
}

/// The exact state.
fn state(status: WithdrawalStatus) -> &'static str {
    match status {
        WithdrawalStatus::UnderReview => "under_review",
        WithdrawalStatus::Passed => "passed",
        // The owner sees no difference once the chain has confirmed it.
        WithdrawalStatus::Sent | WithdrawalStatus::Confirmed => "sent",
        WithdrawalStatus::Rejected => "rejected",
        WithdrawalStatus::Cancelled => "cancelled",
        WithdrawalStatus::Returned => "returned",
    }
}

request! {
    /// What `wallet/get_info` takes.
    pub struct Terms checked by handler {
        required currency: Input<u64>,
        optional network: Option<String> = "netType" | "nettype",
    }
}

/// `POST wallet/get_info`
pub async fn terms(call: Call, request: Terms) -> Answer {
    let me = call.user()?;
    let number = request.currency.readable();
    let engine = call.app.sequencer.engine();
    let (catalog, bank) = (engine.catalog(), engine.catalog().funding.bank);
    let is_bank = number == Some(&BANK);
    let coin = if is_bank { catalog.asset(bank.asset).or_refuse(Code::UnknownAsset)? } else { units::coin(catalog, number)? };
    let networks: Vec<&Network> = catalog.funding.networks.iter().filter(|network| network.asset == coin.id && !is_bank).collect();
    let asked = match request.network.as_deref().filter(|_| !is_bank) {
        Some(name) => {
            let asked = networks.iter().find(|network| Some(network.chain) == chain_named(Some(name)));
            Some(*asked.ok_or_else(|| bad_chain(catalog, coin.id))?)
        }
        None => networks.first().copied(),
    };
    let (min_fee, min) = match asked {
        _ if is_bank => (bank.withdraw_fee_min, bank.withdraw_min),
        Some(network) => (network.withdraw_fee, network.withdraw_min),
        // A coin that cannot be withdrawn.
        None => (0, 0),
    };
    let available = engine.balance(me, Wallet::Spot, coin.id).unwrap_or_default().available;
    let (day, limits) = (engine.withdrawal_day(me), &catalog.funding.limits);
    let day_max = match engine.kyc_level(me) {
        None => 0,
        Some(KycLevel::Basic) => limits.withdraw_day_basic,
        Some(KycLevel::Advanced) => limits.withdraw_day_advanced,
    };
    let room = if day.count >= limits.withdrawals_per_day { 0 } else { room(&engine, coin.id, day_max.saturating_sub(day.value)) };
    let amount = |atoms: Amount| fixed(atoms, coin.scale);
    let value = |atoms: Amount| units::amount(catalog, bank.asset, atoms);
    Ok(Reply::ok(WithdrawInfo {
        currency: if is_bank { BANK } else { coin.id.0.into() },
        name: coin.code.clone(),
        rate: if is_bank { units::percent(bank.withdraw_fee) } else { "0".to_owned() },
        fee: amount(min_fee),
        min_fee: amount(min_fee),
        min_number: amount(min),
        max_number: amount(available.min(room)),
        change_balance: amount(available),
        legal_balance: "0",
        networks: networks.into_iter().map(|network| network_view(catalog, network)).collect(),
        day_count: day.count,
        day_count_max: limits.withdrawals_per_day,
        day_value: value(day.value),
        day_value_max: value(day_max),
        expected_hours: EXPECTED_MS / HOUR_MS,
        payout_rate: is_bank.then(|| trimmed(bank.payout_rate.0, engine::amount::PRICE_SCALE)),
        hold_until_ms: engine.security(me).unwrap_or_default().hold_until(engine.time()).map(|until| until.0),
    }))
}

/// The largest amount whose value is within `left`, atoms.
fn room(engine: &Engine, asset: AssetId, left: Amount) -> Amount {
    let scale = |asset| engine.catalog().scale(asset);
    let Some(price) = engine.limit_price(asset) else { return 0 };
    let (up, down) = (pow10(scale(asset)) * pow10(engine::amount::PRICE_SCALE), pow10(scale(engine.catalog().funding.bank.asset)));
    u64::try_from(u128::from(left) * up / (u128::from(price.0) * down).max(1)).unwrap_or(u64::MAX)
}

request! {
    /// What `wallet/out` takes. `rate` has no effect: the terms say what it costs. `arrives` is what the member was told to receive after the
    /// fee, in the coin, to a card in USD: when the terms bring another sum by then, `E_TERMS` and nothing is held.
    pub struct Apply checked by handler {
        required currency: Input<u64>,
        required number: TypedAmount,
        optional address: Input<Line<1, ADDRESS_MAX>>,
        optional address_id: Input<u64>,
        optional card_id: Input<u64>,
        optional network: Option<String> = "netType" | "nettype",
        required pay_password: String = "pay_password" | "password",
        optional notes: Option<Line<1, 200>>,
        optional code: Option<String>,
        optional otp: Option<String>,
        optional rate: TypedAmount,
        optional arrives: TypedAmount,
    }
}

/// A withdrawal as it was sent, and the first field that cannot be read.
struct WithdrawalRequest {
    asset: AssetId,
    amount: Amount,
    destination: Destination,
    /// What the member was told to receive, as in [`Withdraw`].
    arrives: Option<Amount>,
    fault: Option<Refusal>,
}

/// An unreadable field is 0 or names nothing, and is only checked.
fn wanted(call: &Call, request: &Apply, me: UserId) -> WithdrawalRequest {
    let number = request.currency.readable();
    let engine = call.app.sequencer.engine();
    let catalog = engine.catalog();
    let is_bank = number == Some(&BANK);
    let coin = if is_bank { catalog.asset(catalog.funding.bank.asset).or_refuse(Code::UnknownAsset) } else { units::coin(catalog, number) };
    let (asset, amount, scale) = match &coin {
        Ok(coin) => (coin.id, request.number.atoms(coin.scale), coin.scale),
        Err(fault) => (AssetId(0), Err(fault.clone()), 0),
    };
    let told = &request.arrives;
    let arrives = told.is_sent().then(|| told.atoms(if is_bank { 2 } else { scale })).transpose();
    let is_lost = request.address.is_unreadable() || request.address_id.is_unreadable() || request.card_id.is_unreadable();
    let nowhere = is_lost.then(|| refuse(Code::AddressUnset));
    let mut fault = coin.as_ref().err().cloned().or(nowhere);
    let destination = if is_bank {
        let newest = || engine.cards(me).last().map(|card| card.id);
        let asked = request.card_id.is_sent().then(|| CardId(request.card_id.readable().copied().unwrap_or(0)));
        Destination::Card(asked.or_else(newest).unwrap_or(CardId(0)))
    } else {
        let asked = request.network.as_deref().map(|name| chain_named(Some(name)));
        let found =
            find(&engine, me, asset, asked.flatten(), (&request.address_id, request.address.readable().map(|Line(text)| text.as_str())));
        let fits = found.map_or(Chain::Btc, |address| address.chain);
        let chain = match asked {
            None => fits,
            Some(Some(chain)) => chain,
            Some(None) => {
                fault = fault.or_else(|| Some(bad_chain(catalog, asset)));
                Chain::ALL.into_iter().find(|chain| *chain != fits).unwrap_or(fits)
            }
        };
        Destination::Address { address: found.map_or(AddressId(0), |address| address.id), chain }
    };
    let unread = amount.as_ref().err().or(arrives.as_ref().err()).cloned();
    WithdrawalRequest { asset, amount: amount.unwrap_or(0), destination, arrives: arrives.unwrap_or(None), fault: fault.or(unread) }
}

/// `POST wallet/out`
pub async fn apply(call: Call, request: Apply) -> Answer {
    let app = &call.app;
    let me = people::get(app, call.user()?).await?;
    let WithdrawalRequest { asset, amount, destination, arrives, fault } = wanted(&call, &request, me.id);
    let is_bank = matches!(destination, Destination::Card(_));
    let product = if is_bank { Product::BankWithdrawal } else { Product::CoinWithdrawal };
    country::check(&call, product, |engine| is_closed(engine, asset, destination)).await?;
    let told = |reject: &Reject| refusal(app.sequencer.engine().catalog(), Some(asset), product, reject);
    let wanted = |verification| Withdraw { user: me.id, asset, amount, destination, verification, arrives };
    // An unreadable field is refused in the order of W-3 as well, and does not reach the log.
    if let Some(fault) = fault {
        let first = app.sequencer.engine().check_withdrawal(&wanted(StepUp::NOTHING.verification));
        return Err(first.err().filter(|reject| fault.code != Code::from(reject)).map_or(fault, |reject| told(&reject)));
    }
    let verified = app.sequencer.engine().kyc_level(me.id).is_some();
    // If an earlier check refuses, no factor is needed, because the engine does not reach that check.
    let typed = Factors { pay_password: &request.pay_password, code: request.code.as_deref(), otp: request.otp.as_deref() };
    let mut shown = match verified {
        true => step_up::shown(&call, &me, withdraw_code::is_needed(app, &me).await?, typed).await?,
        false => StepUp::NOTHING,
    };
    let command = Command::Withdraw(wanted(shown.verification));
    let applied = step_up::submit(&call, &mut shown, command).await?;
    step_up::settle(&call, shown, &applied).await?;
    let EngineReply::Withdrawal(made) = done(&applied, told)? else { return Err(refuse(Code::Internal)) };
    // The withdrawal exists: a failure from here on must not look as if it did not.
    if let Some(Line(remark)) = request.notes
        && let Err(error) = keep_remark(app, me.id, made.id.0, &remark).await
    {
        tracing::error!(%error, "remark not kept");
    }
    let day_count = ordinal_in_day(app, made).await;
    let engine = app.sequencer.engine();
    let text = |atoms: Amount| units::amount(engine.catalog(), asset, atoms);
    Ok(answer("ok.withdrawal_asked", &applied).data(WithdrawalMade {
        id: made.id.0,
        seq: applied.answered_by(),
        number: text(made.amount),
        fee: text(made.fee),
        real_number: text(made.received()),
        payout_usd: made.payout_cents.map(|cents| fixed(cents, 2)),
        expected_at_ms: made.expected_at().0,
        day_count,
    }))
}

/// Whether the engine would refuse it as closed.
fn is_closed(engine: &Engine, asset: AssetId, destination: Destination) -> bool {
    let funding = &engine.catalog().funding;
    match destination {
        Destination::Address { chain, .. } => funding.network(asset, chain).is_some_and(|network| !network.withdraw_on),
        Destination::Card(_) => asset == funding.bank.asset && !funding.bank.withdraw_on,
    }
}

async fn keep_remark(app: &App, user: UserId, id: u64, remark: &str) -> Result<(), DbError> {
    app.db.exec(documents::set_label(app, LabelKind::Withdrawal, id, user, remark)?).await.map(drop)
}

/// Its ordinal within its UTC day; the same on every call.
async fn ordinal_in_day(app: &App, made: &Withdrawal) -> u64 {
    // Once the rows reach this entry, they contain every earlier withdrawal.
    let reached = app.wait_for(made.id.0).await.is_ok();
    match account::withdrawals_since(&app.db, made.user, made.submitted.day() * DAY_MS, made.id.0).await {
        Ok(ordinal) if reached => ordinal,
        _ => app.sequencer.engine().withdrawal_day(made.user).count.into(),
    }
}

/// `POST wallet/out_cancel`
pub async fn cancel(call: Call, request: ById) -> Answer {
    let withdrawal = WithdrawalId(request.id.or(Code::NotFound)?);
    let command = Command::CancelWithdrawal { user: call.user()?, withdrawal };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let present = || call.app.sequencer.engine().withdrawal(withdrawal).map(|known| state(known.status));
    let told = |reject: &Reject| refusal(&call.app.catalog, None, Product::CoinWithdrawal, reject).in_state(present());
    let EngineReply::Withdrawal(cancelled) = done(&applied, told)? else { return Err(refuse(Code::Internal)) };
    let data = ObjectState { id: cancelled.id.0, seq: applied.answered_by(), state: state(cancelled.status) };
    Ok(answer("ok.withdrawal_cancelled", &applied).data(data))
}

/// `GET charge_mention/log3`
pub async fn log(call: Call, request: ListByStatus) -> Answer {
    let (app, me, page) = (&call.app, call.user()?, request.page);
    let (rows, total) = account::list::<Withdrawal>(&app.db, Some(me), request.status()?, page).await?;
    let known = rows.iter().flat_map(|row| [Some(row.item.destination_digest), row.item.reason, row.item.tx]).flatten();
    let digests: Vec<Digest> = known.collect();
    let texts = documents::find(app, me, &digests).await?;
    let ids: Vec<u64> = rows.iter().map(|row| row.item.id.0).collect();
    let mut remarks = documents::labels(app, LabelKind::Withdrawal, me, &ids).await?;
    let engine = app.sequencer.engine();
    let (catalog, now) = (engine.catalog(), engine.time());
    let row = |VersionedRow { item, .. }: VersionedRow<Withdrawal>| {
        let text = |digest: Option<Digest>| digest.and_then(|digest| texts.get(&digest)).cloned();
        let amount = |atoms: Amount| units::amount(catalog, item.asset, atoms);
        let stored = text(Some(item.destination_digest)).unwrap_or_default();
        let (network, is_bank, address) = match item.destination {
            Destination::Address { chain, .. } => (chain.name(), false, stored),
            Destination::Card(_) => {
                let card: CardPaper = documents::read(&stored).unwrap_or_default();
                ("", true, format!("{} {}", card.bank_name, masked_number(&card.bank_account)))
            }
        };
        let waits = matches!(item.status, WithdrawalStatus::UnderReview | WithdrawalStatus::Passed);
        WithdrawRow {
            id: item.id.0,
            name: units::code(catalog, item.asset).to_owned(),
            currency: if is_bank { BANK } else { item.asset.0.into() },
            network,
            number: amount(item.amount),
            rate: amount(item.fee),
            real_number: amount(item.received()),
            payout_usd: item.payout_cents.map(|cents| fixed(cents, 2)),
            status: withdrawal_number(item.status),
            state: state(item.status),
            reason: text(item.reason).unwrap_or_default(),
            address,
            notes: remarks.remove(&item.id.0).unwrap_or_default(),
            tx: text(item.tx).map(|text| if is_bank { text } else { Reference::of_chain(&text).tx }),
            is_bank: is_bank.into(),
            expected_at: ts(item.expected_at().0),
            expected_at_ms: item.expected_at().0,
            late: u8::from(waits && now > item.expected_at()),
            create_time: ts(item.submitted.0),
            create_time_ms: item.submitted.0,
        }
    };
    Ok(Reply::ok(Paginator::new(rows.into_iter().map(row).collect(), total, page)))
}
