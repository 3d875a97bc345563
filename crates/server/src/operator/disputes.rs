//! Payout marks that their chains contradict (W-8).

use engine::Engine;
use engine::funding::payouts::Dispute;
use engine::funding::withdrawals::Destination;
use engine::ids::WithdrawalId;
use serde::Serialize;
use store::Page;
use utoipa::ToSchema;

use crate::http::page::Paginator;
use crate::http::reply::{Answer, Reply};
use crate::http::units::amount;
use crate::http::{Call, types};

/// A payout mark that its chain contradicts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Dispute)]
pub struct DisputeView {
    withdrawal_id: u64,
    user_id: u64,
    chain: &'static str,
    currency_id: u32,
    /// The amount that should have arrived.
    owed: String,
    /// What the chain holds at that output; null if it holds no payment there.
    paid: Option<DisputePaid>,
    opened_ms: u64,
    /// The last instant at which two operators can reverse the mark.
    until_ms: u64,
}

/// What an output pays instead of the withdrawal.
#[derive(Debug, Serialize, ToSchema)]
pub struct DisputePaid {
    currency_id: u32,
    amount: String,
    /// Whether it pays to the address of the withdrawal.
    #[schema(value_type = types::Flag)]
    to_address: u8,
}

fn view(engine: &Engine, dispute: &Dispute) -> Option<DisputeView> {
    let (known, facts) = (engine.withdrawal(dispute.withdrawal)?, engine.catalog());
    let Destination::Address { chain, .. } = known.destination else { return None };
    Some(DisputeView {
        withdrawal_id: known.id.0,
        user_id: known.user.0,
        chain: chain.name(),
        currency_id: known.asset.0,
        owed: amount(facts, known.asset, known.received()),
        paid: dispute.paid.map(|paid| DisputePaid {
            currency_id: paid.asset.0,
            amount: amount(facts, paid.asset, paid.amount),
            to_address: (paid.destination == known.destination_digest).into(),
        }),
        opened_ms: dispute.opened.0,
        until_ms: engine.unmark_until(known.id)?.0,
    })
}

/// The chain's contradiction of a withdrawal's mark.
pub(super) fn of(engine: &Engine, id: WithdrawalId) -> Option<DisputeView> {
    view(engine, engine.payout_dispute(id)?)
}

/// `GET /operator/api/disputes`
pub async fn list(call: Call, page: Page) -> Answer {
    let (skip, take) = page.bounds();
    let engine = call.app.sequencer.engine();
    let mut all: Vec<DisputeView> = engine.payout_disputes().rev().filter_map(|dispute| view(&engine, dispute)).collect();
    let total = all.len() as u64;
    let rest = all.split_off(skip.min(all.len()));
    Ok(Reply::ok(Paginator::new(rest.into_iter().take(take).collect(), total, page)))
}
