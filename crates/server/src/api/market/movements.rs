//! What moved the house's accounts, a sum for each day, coin and kind: the sums add up to the balances of `public/pools` (`docs/api.md`
//! 4.15, L-3).

use engine::catalog::Catalog;
use serde::Serialize;
use store::house_days::{self, HouseDay};
use store::rebates::day_text;
use utoipa::ToSchema;

use crate::api::market::pools::word;
use crate::http::reply::{Answer, Reply};
use crate::http::request::{Input, request};
use crate::http::units::{amount, code};
use crate::http::values::Count;
use crate::http::{Call, types};

/// Most rows of one answer, and the default.
const MOST: u64 = 500;

/// What one house account received and paid of one coin on one UTC day, in movements of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct PoolMovement {
    id: u64,
    day: String,
    #[schema(value_type = types::MovedAccount)]
    account: &'static str,
    currency_id: u32,
    currency_name: String,
    /// A kind of the account log, or 102 (withdrawal fee), 211 (paper capital), 212 (moved by operators), 213 (option fee), 214 (proceeds
    /// of a subscription).
    kind: u32,
    received: String,
    paid: String,
    /// The last entry that is counted in the row.
    seq: u64,
}

/// The entries that the movements are computed from. Rows may include later entries; their `seq` shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MovementsBehind {
    from_seq: u64,
    to_seq: u64,
}

request! {
    /// What `public/movements` takes.
    pub struct ListMovements checked by handler {
        optional after: Input<u64>,
        optional limit: Input<Count<MOST>>,
    }
}

/// `GET public/movements`, oldest first. A row counts all of its day so far; rows of past days never change.
pub async fn movements(call: Call, request: ListMovements) -> Answer {
    let app = &call.app;
    let after = request.after.optional()?.unwrap_or(0);
    let limit = request.limit.optional()?.map_or(MOST, |limit| limit.0);
    let to_seq = app.sequencer.engine().seq().0;
    app.wait_for(to_seq).await?;
    let days = house_days::list(&app.db, after, limit).await?;
    // Before its launch a token only moves in the escrow.
    let catalog = app.sequencer.engine().catalog_with_tokens();
    let rows: Vec<PoolMovement> = days.into_iter().map(|day| shown(&catalog, day)).collect();
    Ok(Reply::ok(rows).data(MovementsBehind { from_seq: 1, to_seq }).at(to_seq))
}

fn shown(catalog: &Catalog, HouseDay { id, day, account, asset, kind, received, paid, seq }: HouseDay) -> PoolMovement {
    PoolMovement {
        id,
        day: day_text(day),
        account: account.map_or("liquidity", word),
        currency_id: asset.0,
        currency_name: code(catalog, asset).to_string(),
        kind,
        received: amount(catalog, asset, received),
        paid: amount(catalog, asset, paid),
        seq,
    }
}
