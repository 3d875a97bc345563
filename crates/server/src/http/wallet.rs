//! Wallets, their statement, and transfers between them (`api.md` 4.6).

use engine::Engine;
use engine::amount::{Price, value_floor};
use engine::catalog::{Asset, Market, Wallet};
use engine::command::Command;
use engine::ids::{AssetId, UserId};
use engine::ledger::Balance;
use engine::reply::Reply as EngineReply;
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::{self, About, amount, wallet_word};
use super::page::{PageB, Paginator, ts};
use super::reply::{Answer, OrRefuse, Reply, refuse};
use super::settings::{fixed, trimmed};
use super::spot::{answer, done};
use super::{Call, wire};
use crate::app::App;
use crate::history::transfer_kind;
use crate::store::history::{self, StatementLine, TransferRow as StoredTransfer, wallet_number};
use crate::text::{Lang, text};

/// The coin that values are shown in.
const USDT: AssetId = AssetId(3);
/// A price older than this is marked in a value, ms.
const VALUE_STALE_MS: u64 = 60_000;

/// One coin in one account, with what the others hold.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletRow {
    id: u32,
    currency: u32,
    currency_name: String,
    currency_logo: String,
    currency_type: &'static str,
    change_balance: String,
    lock_change_balance: String,
    lever_balance: String,
    lock_lever_balance: String,
    micro_balance: String,
    lock_micro_balance: String,
    trust_balance: String,
    lock_trust_balance: String,
    balance: String,
    lock_balance: String,
    total: String,
    usdt_price: String,
    usdt_total: String,
    #[schema(value_type = wire::Flag)]
    price_stale: u8,
    #[schema(value_type = wire::Flag)]
    is_legal: u8,
    #[schema(value_type = wire::Flag)]
    is_lever: u8,
    #[schema(value_type = wire::Flag)]
    is_match: u8,
    #[schema(value_type = wire::Flag)]
    is_micro: u8,
    #[schema(value_type = wire::Flag)]
    is_trust: u8,
}

/// The coins of one account.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletGroup {
    balance: Vec<WalletRow>,
    totle: String,
    usdt_totle: String,
}

/// All accounts.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletList {
    change_wallet: WalletGroup,
    lever_wallet: WalletGroup,
    micro_wallet: WalletGroup,
    trust_wallet: WalletGroup,
    legal_wallet: WalletGroup,
    total_usdt: String,
    #[serde(rename = "ExRate")]
    ex_rate: &'static str,
    #[serde(rename = "is_open_CTbi")]
    is_open: &'static str,
}

/// One coin in one account, in detail.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletDetail {
    #[serde(flatten)]
    row: WalletRow,
    #[serde(rename = "ExRate")]
    ex_rate: &'static str,
    coin_trade_fee: String,
    is_charge: bool,
}

/// A coin that more than one account admits.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserCurrency {
    id: u32,
    name: String,
    logo: String,
    #[schema(value_type = wire::Flag)]
    is_legal: u8,
    #[schema(value_type = wire::Flag)]
    is_lever: u8,
    #[schema(value_type = wire::Flag)]
    is_match: u8,
    #[schema(value_type = wire::Flag)]
    is_micro: u8,
    #[schema(value_type = wire::Flag)]
    is_trust: u8,
    wallet: Option<WalletRow>,
}

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
    #[schema(value_type = wire::AccountNumber)]
    account: u8,
    #[schema(value_type = wire::Part)]
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
    #[schema(value_type = wire::Account)]
    from_field: &'static str,
    #[schema(value_type = wire::Account)]
    to_field: &'static str,
    currency: u32,
    currency_name: String,
    created_time: String,
    created_time_ms: u64,
}

/// Beside "transferred".
#[derive(Debug, Serialize, ToSchema)]
pub struct Moved {
    id: u64,
    seq: u64,
    from_balance: String,
    to_balance: String,
}

/// One US dollar a USDT, until a bank pays out.
const EX_RATE: &str = "1.00";

/// `POST wallet/list`
pub async fn list(call: Call) -> Answer {
    let user = call.user()?;
    let wanted = call.params.get("currency_name").map(str::to_ascii_uppercase);
    let engine = call.app.sequencer.engine();
    let mut all = 0;
    let mut group = |wallet: Wallet| {
        let coins = call.app.catalog.assets.iter().filter(|asset| asset.wallets.contains(&wallet));
        let coins = coins.filter(|asset| wanted.as_ref().is_none_or(|code| asset.code == *code));
        let (rows, values): (Vec<WalletRow>, Vec<u64>) = coins.map(|asset| row(&engine, user, asset, wallet)).unzip();
        let total = values.iter().sum();
        all += total;
        let total = fixed(total, scale(&engine, USDT));
        WalletGroup { balance: rows, totle: total.clone(), usdt_totle: total }
    };
    let [change_wallet, lever_wallet, micro_wallet, trust_wallet] = Wallet::ALL.map(&mut group);
    let nothing = fixed(0, scale(&engine, USDT));
    let legal_wallet = WalletGroup { balance: vec![], totle: nothing.clone(), usdt_totle: nothing };
    let total_usdt = fixed(all, scale(&engine, USDT));
    Ok(Reply::ok(WalletList {
        change_wallet,
        lever_wallet,
        micro_wallet,
        trust_wallet,
        legal_wallet,
        total_usdt,
        ex_rate: EX_RATE,
        is_open: "0",
    }))
}

/// `POST wallet/detail`
pub async fn detail(call: Call) -> Answer {
    let user = call.user()?;
    let asset = figures::coin(&call.app.catalog, call.params.int("currency").or_refuse("E_ASSET")?)?;
    let wallet = figures::wallet(call.params.get("type"))?;
    if !asset.wallets.contains(&wallet) {
        return Err(refuse("E_ASSET"));
    }
    let engine = call.app.sequencer.engine();
    let (row, _) = row(&engine, user, asset, wallet);
    let fee = priced_by(&engine, asset.id).or_else(|| engine.catalog().markets.first()).map_or(0, |market| market.taker_fee.0);
    Ok(Reply::ok(WalletDetail { row, ex_rate: EX_RATE, coin_trade_fee: trimmed(fee, 8), is_charge: false }))
}

/// `GET currency/user_currency_list`
pub async fn currencies(call: Call) -> Answer {
    let user = call.user()?;
    let engine = call.app.sequencer.engine();
    let shared = call.app.catalog.assets.iter().filter(|asset| asset.wallets.len() > 1);
    let coin = |asset: &Asset| {
        let (row, _) = row(&engine, user, asset, Wallet::Spot);
        UserCurrency {
            id: row.currency,
            name: row.currency_name.clone(),
            logo: row.currency_logo.clone(),
            is_legal: 0,
            is_lever: row.is_lever,
            is_match: row.is_match,
            is_micro: row.is_micro,
            is_trust: row.is_trust,
            wallet: Some(row),
        }
    };
    Ok(Reply::ok(shared.map(coin).collect::<Vec<_>>()))
}

/// `POST wallet/legal_log`
pub async fn statement(call: Call) -> Answer {
    let user = call.user()?;
    let asset = figures::coin(&call.app.catalog, call.params.int("currency").or_refuse("E_ASSET")?)?;
    let number = call.params.int("type").or_refuse("E_ACCOUNT")?;
    let wallet = Wallet::ALL.into_iter().find(|wallet| Some(u64::from(wallet_number(*wallet))) == number).or_refuse("E_ACCOUNT")?;
    let (kind, page) = (call.params.int("kind")?, call.params.page()?);
    let (lines, count) = history::statement(&call.app.db, user, asset.id, wallet, kind, page).await?;
    Ok(Reply::ok(PageB::new(lines.iter().map(|line| log_row(&call.app, call.lang, user, line)).collect(), count, page)))
}

/// `POST wallet/change`
pub async fn transfer(call: Call) -> Answer {
    let user = call.user()?;
    let catalog = &call.app.catalog;
    let (from, to) = (figures::wallet(call.params.get("from_field"))?, figures::wallet(call.params.get("to_field"))?);
    if from == to {
        return Err(refuse("E_ACCOUNT"));
    }
    let asset = figures::coin(catalog, call.params.int("currency_id").or_refuse("E_ASSET")?)?;
    if !asset.wallets.contains(&from) || !asset.wallets.contains(&to) {
        return Err(refuse("E_ASSET"));
    }
    let atoms = call.params.amount("number", asset.scale)?;
    let command = Command::Transfer { user, asset: asset.id, from, to, amount: atoms };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let about = About { catalog, market: None, asset: Some(asset.id), wallet: from };
    let EngineReply::Transferred(moved) = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse("E_INTERNAL")) };
    Ok(answer("ok.transferred", &applied).data(Moved {
        id: moved.id,
        seq: applied.answered_by(),
        from_balance: fixed(moved.from_available, asset.scale),
        to_balance: fixed(moved.to_available, asset.scale),
    }))
}

/// `GET wallet/hzhistory`
pub async fn transfers(call: Call) -> Answer {
    let (user, page) = (call.user()?, call.params.page()?);
    let (rows, total) = history::transfers(&call.app.db, user, page).await?;
    Ok(Reply::ok(Paginator::new(rows.iter().map(|row| transfer_row(&call.app, call.lang, row)).collect(), total, page)))
}

fn scale(engine: &Engine, asset: AssetId) -> u8 {
    engine.catalog().asset(asset).map_or(0, |asset| asset.scale)
}

/// The pair that says what a coin is worth in USDT.
fn priced_by(engine: &Engine, asset: AssetId) -> Option<&Market> {
    engine.catalog().markets.iter().find(|market| market.base == asset && market.quote == USDT)
}

/// Worth of a coin in USDT: text, price and whether it is old. USDT is 1 by definition.
fn worth(engine: &Engine, asset: AssetId) -> (String, Option<Price>, bool) {
    let one = engine::amount::pow10(engine::amount::PRICE_SCALE);
    if asset == USDT {
        return (fixed(1, 0), Price::try_from(one).ok(), false);
    }
    let Some(market) = priced_by(engine, asset) else { return (fixed(0, 0), None, true) };
    match engine.index(market.id).and_then(|index| index.filter.last()) {
        Some(last) => {
            let text = figures::index_price(engine.catalog(), market, last.price);
            (text, Some(last.price), engine.time().since(last.time) > VALUE_STALE_MS)
        }
        None => (fixed(0, 0), None, true),
    }
}

/// A row, and what its total is worth in atoms of USDT.
fn row(engine: &Engine, user: UserId, asset: &Asset, of: Wallet) -> (WalletRow, u64) {
    let balance = |wallet| engine.balance(user, wallet, asset.id).unwrap_or_default();
    let [spot, futures, options, earn] = Wallet::ALL.map(balance);
    let Balance { available, held } = balance(of);
    let total = available + held;
    let (usdt_price, price, stale) = worth(engine, asset.id);
    let value = price.and_then(|price| value_floor(total, price, asset.scale, scale(engine, USDT)).ok()).unwrap_or(0);
    let atoms = |atoms| fixed(atoms, asset.scale);
    let admits = |wallet| u8::from(asset.wallets.contains(&wallet));
    let row = WalletRow {
        id: asset.id.0 * 10 + u32::from(wallet_number(of)),
        currency: asset.id.0,
        currency_name: asset.code.clone(),
        currency_logo: figures::logo(engine.catalog(), asset.id),
        currency_type: "coin",
        change_balance: atoms(spot.available),
        lock_change_balance: atoms(spot.held),
        lever_balance: atoms(futures.available),
        lock_lever_balance: atoms(futures.held),
        micro_balance: atoms(options.available),
        lock_micro_balance: atoms(options.held),
        trust_balance: atoms(earn.available),
        lock_trust_balance: atoms(earn.held),
        balance: atoms(available),
        lock_balance: atoms(held),
        total: atoms(total),
        usdt_price,
        usdt_total: fixed(value, scale(engine, USDT)),
        price_stale: u8::from(stale),
        is_legal: 0,
        is_lever: admits(Wallet::Futures),
        is_match: admits(Wallet::Spot),
        is_micro: admits(Wallet::BinaryOptions),
        is_trust: admits(Wallet::Earn),
    };
    (row, value)
}

fn signed(value: i64, scale: u8) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", fixed(value.unsigned_abs(), scale))
}

fn log_row(app: &App, lang: Lang, user: UserId, line: &StatementLine) -> LogRow {
    let scale = app.catalog.asset(line.asset).map_or(0, |asset| asset.scale);
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
        currency_name: figures::code(&app.catalog, line.asset).to_owned(),
        before: signed(line.after - line.change, scale),
        after: signed(line.after, scale),
        object: line.object.clone(),
        object_id: line.object_id,
        created_time: ts(line.time_ms),
        created_time_ms: line.time_ms,
    }
}

/// What a statement line of this kind is called.
fn kind_text(lang: Lang, kind: u32) -> &'static str {
    text(
        lang,
        match kind {
            11 | 15 | 17 | 19 => "log.transfer_in",
            12 | 16 | 18 | 20 => "log.transfer_out",
            50 => "log.spot_hold",
            51 => "log.spot_trade",
            52 => "log.spot_release",
            53 => "log.spot_fee",
            _ => "log.faucet",
        },
    )
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
        currency_name: figures::code(&app.catalog, row.asset).to_owned(),
        created_time: ts(row.time_ms),
        created_time_ms: row.time_ms,
    }
}
