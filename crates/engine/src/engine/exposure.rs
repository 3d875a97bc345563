//! The exposure of the house: the one place that says how much of a house account is bound, and whether an object may open against it (L-2,
//! L-3, O-4, P-1).

use super::Engine;
use crate::amount::Amount;
use crate::ids::AssetId;
use crate::ledger::HouseAccount;

/// One house account in one coin, atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// What is in it.
    pub balance: Amount,
    /// What open objects may still cost (L-2); never above the balance.
    pub reserved: Amount,
    /// What a treasury move may take, and what a new object may reserve: from the fee account only the part of settled days (L-3).
    pub free: Amount,
}

impl Engine {
    /// What is bound and free of a house account. 0 for an unlisted coin.
    pub fn exposure(&self, account: HouseAccount, asset: AssetId) -> Exposure {
        let Some(of_ledger) = self.ledger.asset(asset) else { return Exposure { balance: 0, reserved: 0, free: 0 } };
        let (balance, reserved) = (self.ledger.house(account, of_ledger), self.ledger.reserved(account, of_ledger));
        let unreserved = balance.saturating_sub(reserved);
        let free = if account == HouseAccount::Fee { unreserved.min(self.operations.settled_fees(asset)) } else { unreserved };
        Exposure { balance, reserved, free }
    }

    /// What a treasury move may take from a house account (L-3).
    pub fn free_capital(&self, account: HouseAccount, asset: AssetId) -> Amount {
        self.exposure(account, asset).free
    }
}
