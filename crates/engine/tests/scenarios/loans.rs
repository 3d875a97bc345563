//! The words of scenarios about loans.

use engine::amount::{Rate, parse_decimal};
use engine::backoffice::proposals::Proposed;
use engine::command::Command;
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{Digest, LoanId, LoanProductId};
use engine::ledger::{LineKind, ObjectKind};
use engine::listing::change::CatalogChange;
use engine::loans::loan::{ApplyForLoan, Loan, LoanStep};
use engine::loans::status::{EndReason, Status};
use engine::loans::terms::{LoanProduct, LoanTerms, SharedTerms};
use engine::time::Time;

use super::outside::Named;
use super::{Parsed, Stage, equal, plain};

/// Due and triggered work, whatever the result of the command after it (T-3).
pub fn by_itself(event: &Event) -> bool {
    match event {
        Event::Posted(posting) => {
            posting.object == ObjectKind::Loan && !matches!(posting.kind, LineKind::LoanCollateral | LineKind::LoanPaidOut)
        }
        Event::Account(change) => match &**change {
            AccountEvent::LoanChanged(loan, LoanStep::Ended(_)) => {
                matches!(loan.reason, Some(EndReason::AutoDebit | EndReason::Liquidated | EndReason::Expired))
            }
            AccountEvent::LoanChanged(_, step) => {
                matches!(step, LoanStep::Charged | LoanStep::Lapsed | LoanStep::MarginCalled | LoanStep::MarginRestored)
            }
            _ => false,
        },
        _ => false,
    }
}

impl Stage {
    /// Every reported state of a loan.
    pub fn note_loans(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Account(change) = event
                && let AccountEvent::LoanChanged(loan, _) = &**change
            {
                self.loans.insert(loan.id, loan.clone());
            }
        }
    }

    fn loan_id(&self, name: &str) -> LoanId {
        if let Some(Named::Loan(id)) = self.names.get(name) { *id } else { LoanId(9_999) }
    }

    pub fn loan_command(&self, line: &[&str]) -> Parsed<Option<Command>> {
        Ok(match line {
            ["activate", "loans"] => Some(Command::Activate(Feature::Loans)),
            [name, "borrows", amount, code, "for", days, "days", "against", collateral, coin, rest @ ..] => {
                let (amount, asset) = self.money(amount, code)?;
                let days: u32 = days.parse().map_err(|_| "how many days?")?;
                let terms = self.engine.loan_terms().cloned().unwrap_or_else(LoanTerms::standard);
                let found = terms.products.iter().find(|product| product.asset == asset && product.days == days);
                let product = found.map_or(LoanProductId(99), |product| product.id);
                let (collateral, collateral_asset) = self.money(collateral, coin)?;
                let rule = match rest {
                    [] => None,
                    ["under", "this", "rule"] => found.map(|product| product.rule(&terms.shared)),
                    ["under", "another", "rule"] => Some(Digest([0; 32])),
                    _ => return Err("under which rule?".to_owned()),
                };
                let user = self.member(name);
                Some(Command::ApplyForLoan(ApplyForLoan { user, product, amount, collateral_asset, collateral, rule }))
            }
            [name, "repays", "all", "of", loan, rest @ ..] => {
                let max_debt = match rest {
                    [] => None,
                    ["for", "at", "most", amount, code] => Some(self.money(amount, code)?.0),
                    _ => return Err("for how much?".to_owned()),
                };
                Some(Command::RepayLoan { user: self.member(name), loan: self.loan_id(loan), amount: None, max_debt })
            }
            [name, "repays", amount, code, "of", loan] => {
                let amount = Some(self.money(amount, code)?.0);
                Some(Command::RepayLoan { user: self.member(name), loan: self.loan_id(loan), amount, max_debt: None })
            }
            [name, "adds", amount, code, "to", loan] => {
                let amount = self.money(amount, code)?.0;
                Some(Command::AddCollateral { user: self.member(name), loan: self.loan_id(loan), amount })
            }
            [name, "recalls", loan] => Some(Command::CancelLoan { user: self.member(name), loan: self.loan_id(loan) }),
            _ => None,
        })
    }

    /// `loans 1 rate 0.1|off|days 1|most 50 USDT`, `loans start 50|live 1|grace 1|multiple 2|one up to 100 USDT`.
    pub fn loan_terms(&self, words: &[&str]) -> Parsed<Option<Proposed>> {
        let ["loans", rest @ ..] = words else { return Ok(None) };
        let rate = |percent: &str| parse_decimal(percent, 6, u64::MAX).map(Rate).map_err(|why| format!("{percent}: {why:?}"));
        let terms = self.engine.loan_terms().cloned().unwrap_or_else(LoanTerms::standard);
        let shared = terms.shared.clone();
        let count = |word: &str| word.parse::<u32>().map_err(|_| "how many?".to_owned());
        let change = match rest {
            ["start", percent] => CatalogChange::LoanShared(SharedTerms { start: rate(percent)?, ..shared }),
            ["live", most] => CatalogChange::LoanShared(SharedTerms { live_loans: count(most)?, ..shared }),
            ["grace", days] => CatalogChange::LoanShared(SharedTerms { grace_days: count(days)?, ..shared }),
            ["multiple", times] => CatalogChange::LoanShared(SharedTerms { overdue_multiple: count(times)?, ..shared }),
            ["one", "up", "to", amount, code] => {
                CatalogChange::LoanShared(SharedTerms { one_approves_up_to: self.money(amount, code)?.0, ..shared })
            }
            [number, rest @ ..] => {
                let id = LoanProductId(count(number)?);
                let like = terms.product(id).copied().unwrap_or(LoanProduct { id, ..terms.products[0] });
                CatalogChange::LoanProduct(match rest {
                    ["rate", percent] => LoanProduct { rate: rate(percent)?, ..like },
                    ["days", days] => LoanProduct { days: count(days)?, on: true, ..like },
                    ["most", amount, code] => LoanProduct { max: self.money(amount, code)?.0, ..like },
                    ["off"] => LoanProduct { on: false, ..like },
                    _ => return Err(format!("unknown terms {rest:?}")),
                })
            }
            [] => return Err("which terms?".to_owned()),
        };
        Ok(Some(Proposed::ChangeCatalog { change, effective: Time(0) }))
    }

    pub fn check_loans(&self, line: &[&str]) -> Option<Parsed<()>> {
        Some(match line {
            ["loan", name, rest @ ..] => equal(&self.shown_loan(self.loan_id(name)), &rest.join(" ")),
            ["open", "loans", name, count] => equal(&self.engine.loans_of(self.member(name)).count().to_string(), count),
            _ => return None,
        })
    }

    fn shown_loan(&self, id: LoanId) -> String {
        let Some(loan) = self.engine.loan(id).or_else(|| self.loans.get(&id)) else { return "gone".to_owned() };
        let scale = |asset| self.catalog().scale(asset);
        let lent = |atoms| plain(atoms, scale(loan.terms.asset));
        let bound = |atoms| plain(atoms, scale(loan.collateral_asset));
        let why = loan.reason.map(EndReason::name).unwrap_or_default();
        let Loan { status, amount, outstanding, collateral, periods, .. } = loan;
        match status {
            Status::Pending => format!("Pending {} against {} needs {}", lent(*amount), bound(*collateral), loan.terms.approvals),
            Status::InLoan | Status::Overdue => {
                let (interest, penalty) = (lent(loan.interest_due()), lent(loan.penalty_due()));
                let called = if loan.margin_call { " called" } else { "" };
                format!("{status:?} owes {} interest {interest} penalty {penalty} in period {periods}{called}", lent(*outstanding))
            }
            Status::Cancelled => format!("Cancelled {why}"),
            Status::Finished => match loan.sale {
                None => format!("Finished {why} paid {}", lent(loan.paid())),
                Some(sale) => format!(
                    "Finished {why} at {} owed {} sold {} returned {} fee {} shortfall {}",
                    plain(sale.price.0, 8),
                    lent(sale.debt),
                    bound(sale.sold),
                    bound(sale.returned),
                    lent(sale.fee),
                    lent(sale.shortfall)
                ),
            },
        }
    }
}
