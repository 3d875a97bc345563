//! What a sample triggers: fixed by the sample, executed in its order (B-8, T-3).

use serde::{Deserialize, Serialize};

use super::formulas::Level;
use super::loan::LoanStep;
use super::{LoanContext, Loans};
use crate::amount::Price;
use crate::exact::{COUNTED, Exact};
use crate::ids::{LoanId, MarketId};
use crate::scheduler::{Class, Due};
use crate::time::Time;

/// A triggered loan that is not settled yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Triggered {
    pub(crate) loan: LoanId,
    /// The instant of the sample.
    pub(crate) at: Time,
    /// Its price.
    pub(crate) price: Price,
    /// The collateral is sold; otherwise the margin call is looked at.
    pub(crate) sells: bool,
}

impl Loans {
    /// Fixes the effect of a pair's last sample on the loans whose collateral it values, by number.
    pub(crate) fn fix_sample(&mut self, context: &mut LoanContext<'_>, market: MarketId) {
        let Some(sample) = context.indices.get(market).and_then(|index| index.filter.last()) else { return };
        let set_off = self.levels.get(&market).map(|levels| levels.set_off(sample.price)).unwrap_or_default();
        // A loan that is sold gets no margin call first.
        let sold = |id: LoanId| set_off.contains(&(id, true));
        for (id, sells) in set_off.iter().copied().filter(|(id, sells)| *sells || !sold(*id)) {
            self.trigger(context, id, sample.price, sells);
        }
    }

    fn trigger(&mut self, context: &mut LoanContext<'_>, id: LoanId, price: Price, sells: bool) {
        let order = self.triggered.last_key_value().map_or(0, |(last, _)| last.plus(1, COUNTED));
        let Some(open) = self.open.get_mut(&id) else { return };
        if let Some(levels) = self.levels.get_mut(&open.loan.terms.market) {
            levels.forget_call(&open.loan);
            if sells {
                levels.forget_liquidation(&open.loan);
            }
        }
        *(if sells { &mut open.selling } else { &mut open.calling }) = Some(order);
        self.triggered.insert(order, Triggered { loan: id, at: context.now, price, sells });
        context.scheduler.plan(Class::LoanTriggered, order, None, Some(context.now));
    }

    pub(super) fn forget_triggered(&mut self, context: &mut LoanContext<'_>, order: u64) -> Option<Triggered> {
        let work = self.triggered.remove(&order)?;
        context.scheduler.plan(Class::LoanTriggered, order, Some(work.at), None);
        Some(work)
    }

    /// Executes the triggered work with this number.
    pub(crate) fn carry_out(&mut self, context: &mut LoanContext<'_>, due: Due) {
        let Some(Triggered { loan: id, price, sells, .. }) = self.forget_triggered(context, due.id) else { return };
        let Some(mut open) = self.open.remove(&id) else { return };
        self.unlink(&open);
        *(if sells { &mut open.selling } else { &mut open.calling }) = None;
        let mut loan = open.loan.clone();
        self.link(&open);
        self.open.insert(id, open);
        if sells {
            self.liquidate(context, id, price);
            return;
        }
        let called = loan.level(price) != Level::Fine;
        if called != loan.margin_call {
            loan.margin_call = called;
            self.replace(context, loan, if called { LoanStep::MarginCalled } else { LoanStep::MarginRestored });
        }
    }
}
