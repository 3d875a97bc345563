//! The loans of one pair, sorted by the collateral price that triggers them: a sample visits only those that it triggers (B-8).

use std::collections::BTreeSet;

use super::loan::Loan;
use crate::amount::Price;
use crate::ids::LoanId;

/// Derived of the running loans; it is in no snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels {
    /// Liquidated by a price at or below.
    liquidations: BTreeSet<(Price, LoanId)>,
    /// Called by a price at or below.
    calls: BTreeSet<(Price, LoanId)>,
    /// Called, and no longer by a price above.
    called: BTreeSet<(Price, LoanId)>,
}

impl Levels {
    /// A running loan waits for the price of its liquidation.
    pub(super) fn watch_liquidation(&mut self, loan: &Loan) {
        self.liquidations.insert((loan.liquidation_price(), loan.id));
    }

    pub(super) fn forget_liquidation(&mut self, loan: &Loan) {
        self.liquidations.remove(&(loan.liquidation_price(), loan.id));
    }

    /// Waits for the price at which the loan's margin call starts or ends.
    pub(super) fn watch_call(&mut self, loan: &Loan) {
        let waiting = if loan.margin_call { &mut self.called } else { &mut self.calls };
        waiting.insert((loan.call_price(), loan.id));
    }

    pub(super) fn forget_call(&mut self, loan: &Loan) {
        let waiting = if loan.margin_call { &mut self.called } else { &mut self.calls };
        waiting.remove(&(loan.call_price(), loan.id));
    }

    /// The loans that a price triggers, by number: those whose collateral is sold, and those whose margin call changes.
    pub(super) fn set_off(&self, price: Price) -> BTreeSet<(LoanId, bool)> {
        let sold = self.liquidations.range((price, LoanId(0))..).map(|(_, id)| (*id, true));
        let on = self.calls.range((price, LoanId(0))..).map(|(_, id)| (*id, false));
        let off = self.called.range(..(price, LoanId(0))).map(|(_, id)| (*id, false));
        sold.chain(on).chain(off).collect()
    }
}
