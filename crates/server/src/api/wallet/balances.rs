//! Wallets, their statement, and transfers between them (`docs/api.md` 4.6).

use engine::Engine;
use engine::amount::{PRICE_ONE, Price};
use engine::catalog::{Asset, Market, Wallet};
use engine::command::Command;
use engine::ids::{AssetId, UserId};
use engine::ledger::Balance;
use engine::reply::Reply as EngineReply;
use engine::units::{Base, Scales};
use serde::Serialize;
use store::history::wallet_number;
use utoipa::ToSchema;

use crate::api::command::{answer, done};
use crate::api::contracts::view::unrealised;
use crate::api::terms::{coin_is_open, coins_go_in_and_out, ex_rate};
use crate::http::code::Code;
use crate::http::decimal::{fixed, trimmed};
use crate::http::reply::{Answer, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About};
use crate::http::values::TypedAmount;
use crate::http::{Call, types};

/// The coin that values are shown in.
pub(super) const USDT: AssetId = AssetId(3);
/// A price older than this is marked in a value, ms.
const VALUE_STALE_MS: u64 = 60_000;

/// One coin in one account, with its balances in the others.
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
    #[schema(value_type = types::Flag)]
    price_stale: u8,
    #[schema(value_type = types::Flag)]
    is_legal: u8,
    #[schema(value_type = types::Flag)]
    is_lever: u8,
    #[schema(value_type = types::Flag)]
    is_match: u8,
    #[schema(value_type = types::Flag)]
    is_micro: u8,
    #[schema(value_type = types::Flag)]
    is_trust: u8,
}

/// The coins of one account.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletGroup {
    balance: Vec<WalletRow>,
    totle: String,
    usdt_totle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unrealised: Option<String>,
}

/// All accounts of a member.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletList {
    change_wallet: WalletGroup,
    lever_wallet: WalletGroup,
    micro_wallet: WalletGroup,
    trust_wallet: WalletGroup,
    legal_wallet: WalletGroup,
    total_usdt: String,
    #[serde(rename = "ExRate")]
    ex_rate: String,
    #[serde(rename = "is_open_CTbi")]
    is_open: &'static str,
}

/// One coin in one account, in detail.
#[derive(Debug, Serialize, ToSchema)]
pub struct WalletDetail {
    #[serde(flatten)]
    row: WalletRow,
    #[serde(rename = "ExRate")]
    ex_rate: String,
    coin_trade_fee: String,
    is_charge: bool,
}

/// A coin that more than one account can hold.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserCurrency {
    id: u32,
    name: String,
    logo: String,
    #[schema(value_type = types::Flag)]
    is_legal: u8,
    #[schema(value_type = types::Flag)]
    is_lever: u8,
    #[schema(value_type = types::Flag)]
    is_match: u8,
    #[schema(value_type = types::Flag)]
    is_micro: u8,
    #[schema(value_type = types::Flag)]
    is_trust: u8,
    wallet: Option<WalletRow>,
}

/// Data returned by a transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Moved {
    id: u64,
    seq: u64,
    from_balance: String,
    to_balance: String,
}

request! {
    /// What `wallet/list` takes.
    pub struct ListWallets checked by handler {
        optional currency_name: Option<String>,
    }
}

/// `POST wallet/list`
pub async fn list(call: Call, request: ListWallets) -> Answer {
    let user = call.user()?;
    let wanted = request.currency_name.map(|name| name.to_ascii_uppercase());
    let engine = call.app.sequencer.engine();
    let mut all = 0;
    let mut group = |wallet: Wallet| {
        let coins = call.app.catalog.assets.iter().filter(|asset| asset.wallets.contains(&wallet));
        let coins = coins.filter(|asset| wanted.as_ref().is_none_or(|code| asset.code == *code));
        let (rows, values): (Vec<WalletRow>, Vec<u64>) = coins.map(|asset| row(&engine, user, asset, wallet)).unzip();
        let total = values.iter().sum();
        all += total;
        let total = fixed(total, scale(&engine, USDT));
        WalletGroup {
            balance: rows,
            totle: total.clone(),
            usdt_totle: total,
            unrealised: (wallet == Wallet::Futures).then(|| unrealised(&engine, user)),
        }
    };
    let [change_wallet, lever_wallet, micro_wallet, trust_wallet] = Wallet::ALL.map(&mut group);
    let nothing = fixed(0, scale(&engine, USDT));
    let legal_wallet = WalletGroup { balance: vec![], totle: nothing.clone(), usdt_totle: nothing, unrealised: None };
    let total_usdt = fixed(all, scale(&engine, USDT));
    Ok(Reply::ok(WalletList {
        change_wallet,
        lever_wallet,
        micro_wallet,
        trust_wallet,
        legal_wallet,
        total_usdt,
        ex_rate: ex_rate(&engine),
        is_open: if coins_go_in_and_out(&engine) { "1" } else { "0" },
    })
    .at(engine.seq().0))
}

request! {
    /// What `wallet/detail` takes.
    pub struct ShowWallet checked by handler {
        required currency: Input<u64>,
        required wallet: Input<Wallet> = "type",
    }
}

/// `POST wallet/detail`
pub async fn detail(call: Call, request: ShowWallet) -> Answer {
    let user = call.user()?;
    let asset = units::coin(&call.app.catalog, request.currency.readable())?;
    let wallet = request.wallet.or(Code::UnknownWallet)?;
    if !asset.wallets.contains(&wallet) {
        return Err(refuse(Code::UnknownAsset));
    }
    let engine = call.app.sequencer.engine();
    let (row, _) = row(&engine, user, asset, wallet);
    let fee = priced_by(&engine, asset.id).or_else(|| engine.catalog().markets.first()).map_or(0, |market| market.taker_fee.0);
    Ok(Reply::ok(WalletDetail {
        row,
        ex_rate: ex_rate(&engine),
        coin_trade_fee: trimmed(fee, 8),
        is_charge: coin_is_open(&engine, Some(asset.id)),
    })
    .at(engine.seq().0))
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
    Ok(Reply::ok(shared.map(coin).collect::<Vec<_>>()).at(engine.seq().0))
}

request! {
    /// What `wallet/change` takes.
    pub struct Transfer checked by handler {
        required currency_id: Input<u64>,
        required number: TypedAmount,
        required from_field: Input<Wallet>,
        required to_field: Input<Wallet>,
    }
}

/// `POST wallet/change`
pub async fn transfer(call: Call, request: Transfer) -> Answer {
    let user = call.user()?;
    let catalog = &call.app.catalog;
    let (from, to) = (request.from_field.or(Code::UnknownWallet)?, request.to_field.or(Code::UnknownWallet)?);
    if from == to {
        return Err(refuse(Code::UnknownWallet));
    }
    let asset = units::coin(catalog, request.currency_id.readable())?;
    if !asset.wallets.contains(&from) || !asset.wallets.contains(&to) {
        return Err(refuse(Code::UnknownAsset));
    }
    let atoms = request.number.atoms(asset.scale)?;
    let command = Command::Transfer { user, asset: asset.id, from, to, amount: atoms };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let about = About { catalog, market: None, asset: Some(asset.id), wallet: from };
    let EngineReply::Transferred(moved) = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse(Code::Internal)) };
    Ok(answer("ok.transferred", &applied).data(Moved {
        id: moved.id,
        seq: applied.answered_by(),
        from_balance: fixed(moved.from_available, asset.scale),
        to_balance: fixed(moved.to_available, asset.scale),
    }))
}

fn scale(engine: &Engine, asset: AssetId) -> u8 {
    engine.catalog().scale(asset)
}

/// The pair that values a coin in USDT.
pub(super) fn priced_by(engine: &Engine, asset: AssetId) -> Option<&Market> {
    engine.catalog().markets.iter().find(|market| market.base == asset && market.quote == USDT)
}

/// The value of one coin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    /// USDT for one coin.
    pub(super) price: Price,
    /// Its sample is older than a minute.
    pub(super) stale: bool,
}

/// The value of a coin in USDT, the one basis of every valuation: the last sample of its index, of whatever age. If its pair has no index,
/// as with a coin launched here, its reference by S-5, which is never old: the last trade, before it the issue price. `None` before the
/// first price, and without a pair with USDT. USDT is 1 by definition.
pub(super) fn worth(engine: &Engine, asset: AssetId) -> Option<Worth> {
    if asset == USDT {
        return Some(Worth { price: PRICE_ONE, stale: false });
    }
    let market = priced_by(engine, asset)?;
    match engine.index(market.id) {
        Some(index) => index.filter.last().map(|last| Worth { price: last.price, stale: engine.time().since(last.time) > VALUE_STALE_MS }),
        None => engine.reference_price(market.id).map(|price| Worth { price, stale: false }),
    }
}

/// The price as text; 0 without a price.
fn price_text(engine: &Engine, asset: AssetId, worth: Option<Worth>) -> String {
    worth.map_or_else(|| fixed(0, 0), |worth| units::coin_price(engine.catalog(), asset, worth.price))
}

/// A row, and the value of its total in atoms of USDT.
pub fn row(engine: &Engine, user: UserId, asset: &Asset, of: Wallet) -> (WalletRow, u64) {
    let balance = |wallet| engine.balance(user, wallet, asset.id).unwrap_or_default();
    let [spot, futures, options, earn] = Wallet::ALL.map(balance);
    let Balance { available, held } = balance(of);
    let total = available + held;
    let worth = worth(engine, asset.id);
    let scales = Scales { base: asset.scale, quote: scale(engine, USDT) };
    let value = worth.and_then(|worth| Base(total).value_floor(worth.price, scales).ok()).map_or(0, |value| value.0);
    let atoms = |atoms| fixed(atoms, asset.scale);
    let admits = |wallet| u8::from(asset.wallets.contains(&wallet));
    let row = WalletRow {
        id: asset.id.0 * 10 + u32::from(wallet_number(of)),
        currency: asset.id.0,
        currency_name: asset.code.clone(),
        currency_logo: units::logo(engine.catalog(), asset.id),
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
        usdt_price: price_text(engine, asset.id, worth),
        usdt_total: fixed(value, scale(engine, USDT)),
        price_stale: u8::from(worth.is_none_or(|worth| worth.stale)),
        is_legal: 0,
        is_lever: admits(Wallet::Futures),
        is_match: admits(Wallet::Spot),
        is_micro: admits(Wallet::BinaryOptions),
        is_trust: admits(Wallet::Earn),
    };
    (row, value)
}
