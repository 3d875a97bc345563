//! The commitments to an offering, one by one and without names; their values add up to what the offering shows (`docs/api.md` 4.11, N-1).
//! The number of a commitment is that of the public entry that made it.

use engine::Engine;
use engine::ids::OfferingId;
use engine::subscriptions::offering::Commitment;
use serde::Serialize;
use store::subscriptions;
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply};
use crate::http::request::{Input, request};
use crate::http::units::{amount, code};
use crate::http::values::Count;

/// Most commitments of one answer, and the default.
const MOST: u64 = 500;

/// A commitment without its owner.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicCommitment {
    seq: u64,
    currency_id: u32,
    currency_name: String,
    amount: String,
    /// In the coin of the price, fixed when it was made.
    value: String,
    created_at_ms: u64,
}

/// The entries that the commitments are computed from, and what the offering shows after the last of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct Committed {
    from_seq: u64,
    to_seq: u64,
    /// Coin of the values.
    currency_id: u32,
    committed_value: String,
    commitments: u64,
}

request! {
    /// What `public/commitments` takes.
    pub struct ListPublic checked by handler {
        required id: Input<u64>,
        optional after: Input<u64>,
        optional limit: Input<Count<MOST>>,
    }
}

/// `GET public/commitments`, oldest first, including ended ones.
pub async fn commitments(call: Call, request: ListPublic) -> Answer {
    let after = request.after.optional()?.unwrap_or(0);
    let limit = request.limit.optional()?.map_or(MOST, |limit| limit.0);
    let id = u32::try_from(request.id.or(Code::NotFound)?).ok().map(OfferingId).or_refuse(Code::NotFound)?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut all, behind, quote) = {
        let engine = call.app.sequencer.engine();
        let offering = engine.offering(id).or_refuse(Code::NotFound)?;
        let quote = offering.terms.market.quote;
        let open: Vec<Commitment> = engine.commitments_after(id, after).take(most).cloned().collect();
        let behind = Committed {
            from_seq: 1,
            to_seq: engine.seq().0,
            currency_id: quote.0,
            committed_value: amount(engine.catalog(), quote, offering.committed),
            commitments: offering.commitments,
        };
        (open, behind, quote)
    };
    let to_seq = behind.to_seq;
    call.app.wait_for(to_seq).await?;
    all.extend(subscriptions::to_offering(&call.app.db, id, after, to_seq, limit).await?);
    all.sort_by_key(|commitment| commitment.id);
    let engine = call.app.sequencer.engine();
    let shown = |commitment: &Commitment| shown(&engine, commitment, amount(engine.catalog(), quote, commitment.value));
    let rows: Vec<PublicCommitment> = all.iter().take(most).map(shown).collect();
    Ok(Reply::ok(rows).data(behind).at(to_seq))
}

fn shown(engine: &Engine, commitment: &Commitment, value: String) -> PublicCommitment {
    let catalog = engine.catalog();
    PublicCommitment {
        seq: commitment.id.0,
        currency_id: commitment.asset.0,
        currency_name: code(catalog, commitment.asset).to_owned(),
        amount: amount(catalog, commitment.asset, commitment.paid),
        value,
        created_at_ms: commitment.created.0,
    }
}
