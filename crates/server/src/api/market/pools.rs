//! The public accounts of the house (`docs/api.md` 4.15).

use engine::Engine;
use engine::amount::Amount;
use engine::catalog::{Catalog, Wallet};
use engine::contracts::position::Status;
use engine::ids::AssetId;
use engine::ledger::{Balance, HouseAccount};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::open_object_count::OpenObjects;
use crate::http::reply::{Answer, Reply};
use crate::http::units::{amount, code};
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
    let figures = {
        let engine = call.app.sequencer.engine();
        Figures::of(&engine, &call.app.open_objects.of(engine.seq(), || open_objects(&engine)))
    };
    let to_seq = figures.seq;
    Ok(Reply::ok(figures.pools()).data(PoolsBehind { from_seq: 1, to_seq, liquidity: figures.liquidity() }).at(to_seq))
}

/// Every house account in every coin.
pub fn all(engine: &Engine) -> Vec<Pool> {
    Figures::of(engine, &open_objects(engine)).pools()
}

/// The balances of the house's own liquidity, coin by coin.
pub fn liquidity(engine: &Engine) -> Vec<Liquidity> {
    Figures::of(engine, &OpenObjects::new()).liquidity()
}

/// The accounts of the house and of its own liquidity, read at one entry and written out when the engine goes on.
struct Figures {
    seq: u64,
    catalog: Catalog,
    pools: Vec<PoolFigures>,
    liquidity: Vec<(AssetId, Balance)>,
}

/// One house account in one coin.
struct PoolFigures {
    account: HouseAccount,
    asset: AssetId,
    balance: Amount,
    free: Amount,
    open_objects: u64,
}

impl Figures {
    fn of(engine: &Engine, open: &OpenObjects) -> Figures {
        let catalog = engine.catalog_with_tokens();
        let listed = |asset: AssetId| engine.catalog().asset(asset).is_some();
        let assets: Vec<AssetId> = catalog.assets.iter().map(|asset| asset.id).collect();
        let all = HouseAccount::POOLS.into_iter().flat_map(|account| assets.iter().map(move |asset| (account, *asset)));
        // Before its launch a token is only in the escrow.
        let all = all.filter(|(account, asset)| *account == HouseAccount::SubEscrow || listed(*asset));
        let pools = all.map(|(account, asset)| PoolFigures {
            account,
            asset,
            balance: engine.house_balance(account, asset),
            // The fees of the unsettled day are not free either (G-4).
            free: engine.free_capital(account, asset),
            open_objects: open.get(&(account, asset)).copied().unwrap_or(0),
        });
        let pools = pools.collect();
        let of_coin = |asset: AssetId| {
            let balances = engine.house_members().flat_map(|user| Wallet::ALL.map(|wallet| engine.balance(user, wallet, asset)));
            // A sum of balances is at most what came in of the coin, which fits an amount.
            balances.flatten().fold(Balance::default(), |sum, one| Balance {
                available: sum.available.saturating_add(one.available),
                held: sum.held.saturating_add(one.held),
            })
        };
        let liquidity = engine.catalog().assets.iter().map(|asset| (asset.id, of_coin(asset.id))).collect();
        Figures { seq: engine.seq().0, catalog, pools, liquidity }
    }

    fn pools(&self) -> Vec<Pool> {
        let pool = |pool: &PoolFigures| Pool {
            account: word(pool.account),
            currency_id: pool.asset.0,
            currency_name: code(&self.catalog, pool.asset).to_owned(),
            balance: amount(&self.catalog, pool.asset, pool.balance),
            reserve: amount(&self.catalog, pool.asset, pool.balance - pool.free),
            free: amount(&self.catalog, pool.asset, pool.free),
            open_objects: pool.open_objects,
        };
        self.pools.iter().map(pool).collect()
    }

    /// The balances of the house's own liquidity, coin by coin.
    fn liquidity(&self) -> Vec<Liquidity> {
        let of_coin = |(asset, sum): &(AssetId, Balance)| Liquidity {
            currency_id: asset.0,
            currency_name: code(&self.catalog, *asset).to_owned(),
            balance: amount(&self.catalog, *asset, sum.available.saturating_add(sum.held)),
            held: amount(&self.catalog, *asset, sum.held),
            free: amount(&self.catalog, *asset, sum.available),
        };
        self.liquidity.iter().map(of_coin).collect()
    }
}

/// The number of open objects that bind something of each account and coin. There may be many, so each is visited once for all rows.
fn open_objects(engine: &Engine) -> OpenObjects {
    let options = engine.open_options().map(|option| (HouseAccount::OptionPool, option.asset));
    let holding = engine.open_contracts().filter(|position| position.status == Status::Holding);
    let contracts = holding.map(|position| (HouseAccount::ContractPool, position.terms.asset));
    let loans = engine.pending_loans().map(|loan| (HouseAccount::LoanTreasury, loan.terms.asset));
    let plans = engine.open_plan_orders().map(|order| (HouseAccount::PlanTreasury, order.asset));
    let commitments = engine.open_commitments().flat_map(|commitment| {
        let coins = [commitment.asset, commitment.token].into_iter().filter(|coin| commitment.binds(*coin));
        coins.map(|coin| (HouseAccount::SubEscrow, coin))
    });
    let mut counted = OpenObjects::new();
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
