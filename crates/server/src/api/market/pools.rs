//! The house's accounts, for everybody (`api.md` 4.15).

use std::collections::BTreeMap;

use engine::Engine;
use engine::contracts::position::Status;
use engine::ids::AssetId;
use engine::ledger::HouseAccount;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::figures::amount;
use crate::http::reply::{Answer, Reply};
use crate::http::{Call, wire};

/// One house account in one coin.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pool {
    #[schema(value_type = wire::PoolAccount)]
    account: &'static str,
    currency_id: u32,
    currency_name: String,
    balance: String,
    reserve: String,
    free: String,
    open_objects: u64,
}

/// The entries that the balances follow from.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntryRange)]
pub struct Range {
    from_seq: u64,
    to_seq: u64,
}

/// `GET public/pools`
pub async fn pools(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let to_seq = engine.seq().0;
    Ok(Reply::ok(all(&engine)).data(Range { from_seq: 1, to_seq }).at(to_seq))
}

/// Every house account in every coin.
pub fn all(engine: &Engine) -> Vec<Pool> {
    let catalog = &engine.catalog_with_tokens();
    let open = open_objects(engine);
    let listed = |asset: &engine::catalog::Asset| engine.catalog().asset(asset.id).is_some();
    let all = HouseAccount::POOLS.into_iter().flat_map(|account| catalog.assets.iter().map(move |asset| (account, asset)));
    // Before its launch a token is in the escrow and nowhere else.
    let all = all.filter(|(account, asset)| *account == HouseAccount::SubEscrow || listed(asset));
    let pool = |(account, asset): (HouseAccount, &engine::catalog::Asset)| {
        // Of the fees the unsettled day is bound as well (G-4).
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

/// How many open objects bind something of each account and coin. There may be many, so each is looked at once, whatever is listed.
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
