//! What a rank on the leaderboard is made of, so anyone can add it up (`docs/api.md` 4.15, G-6). No member is named: a rank is requested by
//! its number. Each day is a single sum, which daily readers of the list have seen already: fees, coins and levels would reveal what a
//! friend trades.

use serde::Serialize;
use store::rebates::{self, day_text};
use utoipa::ToSchema;

use super::invite::{account, by_number};
use crate::http::Call;
use crate::http::reply::{Answer, Reply, bad_field};
use crate::http::request::{Input, request};
use crate::http::units::amount;
use crate::http::values::Count;

/// Most days of one answer, and the default.
const MOST: u64 = 100;

/// The rebates of one day.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountedRebate {
    id: u64,
    seq: u64,
    day: String,
    usdt: String,
}

/// The entries that a place on the leaderboard is computed from, with its account and total after the last of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountedPlace {
    from_seq: u64,
    to_seq: u64,
    account: String,
    total: String,
}

request! {
    /// What `public/rebates` takes.
    pub struct ListCounted checked by handler {
        required rank: Input<u64>,
        optional after: Input<u64>,
        optional limit: Input<Count<MOST>>,
    }
}

/// `GET public/rebates`, oldest first; empty for a rank that no member has.
pub async fn list(call: Call, request: ListCounted) -> Answer {
    let app = &call.app;
    let rank = request.rank.required()?;
    let after = request.after.optional()?.unwrap_or(0);
    let limit = request.limit.optional()?.map_or(MOST, |limit| limit.0);
    let above = rank.checked_sub(1).and_then(|above| usize::try_from(above).ok()).ok_or_else(|| bad_field("rank", "range"))?;
    let (seq, place) = {
        let engine = app.sequencer.engine();
        (engine.seq().0, engine.leaderboard().nth(above))
    };
    let usdt = |atoms| amount(&app.catalog, app.catalog.funding.bank.asset, atoms);
    let data = |account: String, total: String| CountedPlace { from_seq: 1, to_seq: seq, account, total };
    let Some(place) = place else {
        return Ok(Reply::ok(Vec::<CountedRebate>::new()).data(data(String::new(), usdt(0))).at(seq));
    };
    app.wait_for(seq).await?;
    let people = by_number(app, &[place.user]).await?;
    let rows = rebates::counted(&app.db, place.user, after, seq, limit).await?;
    let row = |row: rebates::Counted| CountedRebate { id: row.id, seq: row.seq, day: day_text(row.day), usdt: usdt(row.value) };
    let rows: Vec<CountedRebate> = rows.into_iter().map(row).collect();
    Ok(Reply::ok(rows).data(data(account(people.get(&place.user)), usdt(place.total))).at(seq))
}
