//! The public accounts of the house (`docs/api.md` 4.15).

use std::collections::BTreeMap;

use engine::Engine;
use engine::catalog::{Asset, Wallet};
use engine::contracts::position::Status;
use engine::ids::AssetId;
use engine::ledger::{Balance, HouseAccount};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::reply::{Answer, Reply};
use crate::http::units::amount;
use crate::http::{Call, types};

/// One house account in one coin.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pool {
    #[schema(value_type = types::PoolAccount)]
    account: &'static str,
    currency_id: u32,
    currency_name: String,
    balance: String,
    reserve: String,
    free: String,
    open_objects: u64,
}

/// The entries that all balances are computed from. Anyone who has all of them can compute the balances again. `liquidity` is the house's
/// own liquidity, which an ordinary member account has and no pool includes.
#[derive(Debug, Serialize, ToSchema)]
pub struct PoolsBehind {
    from_seq: u64,
    to_seq: u64,
    liquidity: Vec<Liquidity>,
}

/// One coin of the labelled house liquidity, over all its accounts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HouseLiquidity)]
pub struct Liquidity {
    currency_id: u32,
    currency_name: String,
    balance: String,
    /// The part held by its open orders.
    held: String,
    free: String,
}

/// `GET public/pools`
pub async fn pools(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let to_seq = engine.seq().0;
    Ok(Reply::ok(all(&engine)).data(PoolsBehind { from_seq: 1, to_seq, liquidity: liquidity(&engine) }).at(to_seq))
}

/// The balances of the house's own liquidity, coin by coin.
pub fn liquidity(engine: &Engine) -> Vec<Liquidity> {
    let catalog = engine.catalog();
    let of_coin = |asset: &Asset| {
        let balances = engine.house_members().flat_map(|user| Wallet::ALL.map(|wallet| engine.balance(user, wallet, asset.id)));
        // A sum of balances is at most what came in of the coin, which fits an amount.
        let sum = balances.flatten().fold(Balance::default(), |sum, one| Balance {
            available: sum.available.saturating_add(one.available),
            held: sum.held.saturating_add(one.held),
        });
        Liquidity {
            currency_id: asset.id.0,
            currency_name: asset.code.clone(),
            balance: amount(catalog, asset.id, sum.available.saturating_add(sum.held)),
            held: amount(catalog, asset.id, sum.held),
            free: amount(catalog, asset.id, sum.available),
        }
    };
    catalog.assets.iter().map(of_coin).collect()
}

/// Every house account in every coin.
pub fn all(engine: &Engine) -> Vec<Pool> {
    let catalog = &engine.catalog_with_tokens();
    let open = open_objects(engine);
    let listed = |asset: &Asset| engine.catalog().asset(asset.id).is_some();
    let all = HouseAccount::POOLS.into_iter().flat_map(|account| catalog.assets.iter().map(move |asset| (account, asset)));
    // Before its launch a token is only in the escrow.
    let all = all.filter(|(account, asset)| *account == HouseAccount::SubEscrow || listed(asset));
    let pool = |(account, asset): (HouseAccount, &Asset)| {
        // The fees of the unsettled day are not free either (G-4).
        let (balance, free) = (engine.house_balance(account, asset.id), engine.free_capital(account, asset.id));
        Pool {
            account: word(account),
            currency_id: asset.id.0,
            currency_name: asset.code.clone(),
            balance: amount(catalog, asset.id, balance),
            reserve: amount(catalog, asset.id, balance - free),
            free: amount(catalog, asset.id, free),
            open_objects: open.get(&(account, asset.id)).copied().unwrap_or(0),
        }
    };
    all.map(pool).collect()
}

/// The number of open objects that bind something of each account and coin. There may be many, so each is visited once for all rows.
fn open_objects(engine: &Engine) -> BTreeMap<(HouseAccount, AssetId), u64> {
    let options = engine.open_options().map(|option| (HouseAccount::OptionPool, option.asset));
    let holding = engine.open_contracts().filter(|position| position.status == Status::Holding);
    let contracts = holding.map(|position| (HouseAccount::ContractPool, position.terms.asset));
    let loans = engine.pending_loans().map(|loan| (HouseAccount::LoanTreasury, loan.terms.asset));
    let plans = engine.open_plan_orders().map(|order| (HouseAccount::PlanTreasury, order.asset));
    let commitments = engine.open_commitments().flat_map(|commitment| {
        let coins = [commitment.asset, commitment.token].into_iter().filter(|coin| commitment.binds(*coin));
        coins.map(|coin| (HouseAccount::SubEscrow, coin))
    });
    let mut counted = BTreeMap::new();
    for bound in options.chain(contracts).chain(loans).chain(plans).chain(commitments) {
        *counted.entry(bound).or_default() += 1;
    }
    counted
}

/// The word of a house account.
pub fn word(account: HouseAccount) -> &'static str {
    match account {
        HouseAccount::Fee => "fee",
        HouseAccount::OptionPool => "option_pool",
        HouseAccount::ContractPool => "contract_pool",
        HouseAccount::Insurance => "insurance",
        HouseAccount::PlanTreasury => "plan_treasury",
        HouseAccount::LoanTreasury => "loan_treasury",
        HouseAccount::SubEscrow => "sub_escrow",
        HouseAccount::SubProceeds => "sub_proceeds",
        HouseAccount::FlashPool => "flash_pool",
        HouseAccount::External => "external",
    }
}
