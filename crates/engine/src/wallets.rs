//! Transfers between a member's own wallets (TR-1 to TR-4), and paper funds in a sandbox.

use crate::amount::{Amount, MAX_AMOUNT};
use crate::catalog::{Asset, Wallet};
use crate::event::{Event, Transfer};
use crate::ids::{AssetId, MemberIndex, Seq, UserId};
use crate::ledger::{Account, AssetIndex, HouseAccount, Ledger, LineKind, ObjectKind, Reason};
use crate::reject::Reject;

/// TR-4: wallet, coin, amount and balance, in this order.
pub(crate) fn check_transfer(
    ledger: &Ledger,
    member: MemberIndex,
    asset: AssetId,
    from: Wallet,
    to: Wallet,
    amount: Amount,
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
    if source.available < amount {
        return Err(Reject::Insufficient { asset, available: source.available, needed: amount });
    }
    Ok(index)
}

/// A transfer to make.
pub(crate) struct TransferOrder {
    pub(crate) seq: Seq,
    pub(crate) user: UserId,
    pub(crate) asset: AssetId,
    pub(crate) from: Wallet,
    pub(crate) to: Wallet,
    pub(crate) amount: Amount,
}

/// Moves money between two wallets of a member, at once and free (TR-2).
pub(crate) fn transfer(
    ledger: &mut Ledger,
    member: MemberIndex,
    order: &TransferOrder,
    events: &mut Vec<Event>,
) -> Result<Transfer, Reject> {
    let TransferOrder { seq, user, asset, from, to, amount } = *order;
    let index = check_transfer(ledger, member, asset, from, to, amount)?;
    let reason = Reason { kind: LineKind::Transfer, object: ObjectKind::Transfer, debit_id: seq.0, credit_id: seq.0 };
    ledger.transfer(index, Account::Available(member, from), Account::Available(member, to), amount, reason, events);
    let available = |wallet| ledger.available(member, wallet, index);
    let done = Transfer { id: seq.0, user, asset, from, to, amount, from_available: available(from), to_available: available(to) };
    events.push(Event::Transferred(done));
    Ok(done)
}

/// Gives a member paper funds from the outside; returns what is available afterwards.
pub(crate) fn faucet(
    ledger: &mut Ledger,
    member: MemberIndex,
    facts: &Asset,
    wallet: Wallet,
    amount: Amount,
    seq: Seq,
    events: &mut Vec<Event>,
) -> Result<Amount, Reject> {
    let asset = ledger.asset(facts.id).ok_or(Reject::BadAsset)?;
    ledger.balance(member, wallet, asset).ok_or(Reject::BadAsset)?;
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
    ledger.transfer(asset, Account::House(HouseAccount::External), Account::Available(member, wallet), amount, reason, events);
    Ok(ledger.available(member, wallet, asset))
}
