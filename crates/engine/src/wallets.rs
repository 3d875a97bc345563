//! Transfers between a member's own wallets (TR-1 to TR-4), and paper funds in a sandbox.

use crate::amount::{Amount, MAX_AMOUNT};
use crate::catalog::{Asset, Wallet};
use crate::event::{Event, Transfer};
use crate::ids::{AssetId, MemberIndex, Seq};
use crate::ledger::{AssetIndex, Available, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason};
use crate::reject::Reject;

/// TR-4: wallet, coin, amount, freeze and balance, in this order.
fn check_transfer(
    ledger: &Ledger,
    member: MemberIndex,
    asset: AssetId,
    from: Wallet,
    to: Wallet,
    amount: Amount,
    frozen: Result<(), Reject>,
) -> Result<AssetIndex, Reject> {
    if from == to {
        return Err(Reject::SameWallet);
    }
    let index = ledger.asset(asset).ok_or(Reject::BadAsset)?;
    let source = ledger.balance(member, from, index).ok_or(Reject::BadAsset)?;
    ledger.balance(member, to, index).ok_or(Reject::BadAsset)?;
    if amount == 0 || amount >= MAX_AMOUNT {
        return Err(Reject::BadAmount);
    }
    frozen?;
    if source.available < amount {
        return Err(Reject::Insufficient { asset, available: source.available, needed: amount });
    }
    Ok(index)
}

/// A transfer to make.
pub(crate) struct TransferOrder {
    pub(crate) seq: Seq,
    pub(crate) asset: AssetId,
    pub(crate) from: Wallet,
    pub(crate) to: Wallet,
    pub(crate) amount: Amount,
    /// Whether the member may move money.
    pub(crate) frozen: Result<(), Reject>,
}

/// Moves money between two wallets of a member, at once and free (TR-2).
pub(crate) fn transfer(ledger: &mut Ledger, holder: Holder, order: TransferOrder, events: &mut Vec<Event>) -> Result<Transfer, Reject> {
    let TransferOrder { seq, asset, from, to, amount, frozen } = order;
    let index = check_transfer(ledger, holder.member, asset, from, to, amount, frozen)?;
    let reason = Reason { kind: LineKind::Transfer, object: ObjectKind::Transfer, debit_id: seq.0, credit_id: seq.0 };
    ledger.transfer(index, Available(holder, from), Available(holder, to), amount, reason, events);
    let available = |wallet| ledger.available(holder.member, wallet, index);
    let done =
        Transfer { id: seq.0, user: holder.user, asset, from, to, amount, from_available: available(from), to_available: available(to) };
    events.push(Event::Transferred(done));
    Ok(done)
}

/// Credits paper funds from the outside to a member; returns the available balance afterwards.
pub(crate) fn faucet(
    ledger: &mut Ledger,
    holder: Holder,
    facts: &Asset,
    wallet: Wallet,
    amount: Amount,
    seq: Seq,
    events: &mut Vec<Event>,
) -> Result<Amount, Reject> {
    let asset = ledger.asset(facts.id).ok_or(Reject::BadAsset)?;
    ledger.balance(holder.member, wallet, asset).ok_or(Reject::BadAsset)?;
    if amount == 0 {
        return Err(Reject::BadAmount);
    }
    if amount > facts.faucet_max {
        return Err(Reject::FaucetMax { max: facts.faucet_max });
    }
    if !ledger.may_come_in(asset, amount) {
        return Err(Reject::Overflow);
    }
    let reason = Reason { kind: LineKind::Faucet, object: ObjectKind::Faucet, debit_id: seq.0, credit_id: seq.0 };
    ledger.transfer(asset, HouseAccount::External, Available(holder, wallet), amount, reason, events);
    Ok(ledger.available(holder.member, wallet, asset))
}
