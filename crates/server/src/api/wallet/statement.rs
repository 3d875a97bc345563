//! The statement of a wallet, and the transfers between accounts (`docs/api.md` 4.6).

use engine::catalog::Wallet;
use engine::ids::UserId;
use serde::Serialize;
use store::Page;
use store::history::{self, StatementLine, TransferRow as StoredTransfer, wallet_number};
use store::rows::{kind_key, transfer_kind};
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::decimal::fixed;
use crate::http::page::{PageB, Paginator, ts};
use crate::http::reply::Refusal;
use crate::http::reply::{Answer, OrRefuse, Reply};
use crate::http::request::{Input, request};
use crate::http::units::{self, amount, wallet_word};
use crate::http::{App, Call, types};
use crate::i18n::{Lang, text};

/// A statement line.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogRow {
    id: u64,
    seq: u64,
    user_id: u64,
    value: String,
    info: &'static str,
    #[serde(rename = "type")]
    kind: u32,
    #[schema(value_type = types::AccountNumber)]
    account: u8,
    #[schema(value_type = types::Part)]
    part: &'static str,
    currency: u32,
    currency_name: String,
    before: String,
    after: String,
    object: String,
    object_id: u64,
    created_time: String,
    created_time_ms: u64,
}

/// A transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferRow {
    id: u64,
    value: String,
    info: String,
    #[serde(rename = "type")]
    kind: u32,
    #[schema(value_type = types::Account)]
    from_field: &'static str,
    #[schema(value_type = types::Account)]
    to_field: &'static str,
    currency: u32,
    currency_name: String,
    created_time: String,
    created_time_ms: u64,
}

request! {
    /// What `wallet/legal_log` takes.
    pub struct ListLines checked by handler {
        required currency: Input<u64>,
        required wallet: Input<u64> = "type",
        optional kind: Input<u64>,
        optional page: Result<Page, Refusal>,
    }
}

/// `POST wallet/legal_log`
pub async fn statement(call: Call, request: ListLines) -> Answer {
    let user = call.user()?;
    // A field without a name in the list comes before those that have one.
    let (kind, page) = (request.kind.optional()?, request.page?);
    let asset = units::coin(&call.app.catalog, request.currency.readable())?;
    let number = request.wallet.or(Code::UnknownWallet)?;
    let wallet = Wallet::ALL.into_iter().find(|wallet| u64::from(wallet_number(*wallet)) == number).or_refuse(Code::UnknownWallet)?;
    let (lines, count) = history::statement(&call.app.db, user, asset.id, wallet, kind, page).await?;
    Ok(Reply::ok(PageB::new(lines.iter().map(|line| log_row(&call.app, call.lang, user, line)).collect(), count, page)))
}

/// `GET wallet/hzhistory`
pub async fn transfers(call: Call, page: Page) -> Answer {
    let user = call.user()?;
    let (rows, total) = history::transfers(&call.app.db, user, page).await?;
    Ok(Reply::ok(Paginator::new(rows.iter().map(|row| transfer_row(&call.app, call.lang, row)).collect(), total, page)))
}

/// An amount with its sign.
pub(super) fn signed(value: i64, scale: u8) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", fixed(value.unsigned_abs(), scale))
}

/// A stored line as the wire shows it.
pub fn log_row(app: &App, lang: Lang, user: UserId, line: &StatementLine) -> LogRow {
    let scale = app.catalog.scale(line.asset);
    LogRow {
        id: line.id,
        seq: line.seq,
        user_id: user.0,
        value: signed(line.change, scale),
        info: kind_text(lang, line.kind),
        kind: line.kind,
        account: wallet_number(line.wallet),
        part: if line.held { "frozen" } else { "avail" },
        currency: line.asset.0,
        currency_name: units::code(&app.catalog, line.asset).to_owned(),
        before: signed(line.after - line.change, scale),
        after: signed(line.after, scale),
        object: line.object.clone(),
        object_id: line.object_id,
        created_time: ts(line.time_ms),
        created_time_ms: line.time_ms,
    }
}

/// The name of a statement line of this kind.
pub(super) fn kind_text(lang: Lang, kind: u32) -> &'static str {
    kind_key(kind).map_or("", |key| text(lang, key))
}

fn transfer_row(app: &App, lang: Lang, row: &StoredTransfer) -> TransferRow {
    let wallet = |wallet: Wallet| {
        text(
            lang,
            match wallet {
                Wallet::Spot => "wallet.spot",
                Wallet::Futures => "wallet.contract",
                Wallet::BinaryOptions => "wallet.option",
                Wallet::Earn => "wallet.plan",
            },
        )
    };
    TransferRow {
        id: row.id,
        value: amount(&app.catalog, row.asset, row.amount),
        info: format!("{} → {}", wallet(row.from), wallet(row.to)),
        kind: transfer_kind(row.from, false),
        from_field: wallet_word(row.from),
        to_field: wallet_word(row.to),
        currency: row.asset.0,
        currency_name: units::code(&app.catalog, row.asset).to_owned(),
        created_time: ts(row.time_ms),
        created_time_ms: row.time_ms,
    }
}
