//! The house's accounts, for everybody (`api.md` 4.15).

use engine::Engine;
use engine::contracts::position::{Position, Status};
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
    let listed = |asset: &engine::catalog::Asset| engine.catalog().asset(asset.id).is_some();
    let all = HouseAccount::POOLS.into_iter().flat_map(|account| catalog.assets.iter().map(move |asset| (account, asset)));
    // Before its launch a token is in the escrow and nowhere else.
    let all = all.filter(|(account, asset)| *account == HouseAccount::SubEscrow || listed(asset));
    let pool = |(account, asset): (HouseAccount, &engine::catalog::Asset)| {
        let (balance, free) = (engine.house_balance(account, asset.id), engine.free_capital(account, asset.id));
        // Of the fees the unsettled day is bound as well (G-4).
        let open = match account {
            HouseAccount::OptionPool => engine.open_options().filter(|option| option.asset == asset.id).count(),
            HouseAccount::ContractPool => {
                let bound = |position: &&Position| position.status == Status::Holding && position.terms.asset == asset.id;
                engine.open_contracts().filter(bound).count()
            }
            HouseAccount::LoanTreasury => engine.pending_loans().filter(|loan| loan.terms.asset == asset.id).count(),
            HouseAccount::SubEscrow => engine.open_commitments().filter(|commitment| commitment.binds(asset.id)).count(),
            HouseAccount::PlanTreasury => engine.open_plan_orders().filter(|order| order.asset == asset.id).count(),
            _ => 0,
        };
        Pool {
            account: word(account),
            currency_id: asset.id.0,
            currency_name: asset.code.clone(),
            balance: amount(catalog, asset.id, balance),
            reserve: amount(catalog, asset.id, balance - free),
            free: amount(catalog, asset.id, free),
            open_objects: u64::try_from(open).unwrap_or(u64::MAX),
        }
    };
    all.map(pool).collect()
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
