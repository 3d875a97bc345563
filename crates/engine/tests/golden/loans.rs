//! Loans: their entries, their terms, and the line and the answers of one.

use engine::amount::{Price, Rate};
use engine::command::Command;
use engine::ids::{AssetId, Digest, LoanId, LoanProductId, MarketId, OperatorId, UserId};
use engine::listing::change::CatalogChange;
use engine::loans::loan::{ApplyForLoan, Charge, FixedTerms, Liquidation, Loan, LoanStep, Repayment};
use engine::loans::status::{EndReason, Status};
use engine::loans::terms::{LoanProduct, SharedTerms};
use engine::operators::approval::Approval;
use engine::reply::Reply;
use engine::time::Time;

const USER: UserId = UserId(300);
const LOAN: LoanId = LoanId(70_000);

/// Requests of members.
pub fn entries() -> Vec<(String, Command)> {
    let (user, loan) = (USER, LOAN);
    let apply = ApplyForLoan {
        user,
        product: LoanProductId(1),
        amount: 600_000_000,
        collateral_asset: AssetId(1),
        collateral: 1_000_000,
        rule: None,
    };
    let named = |name: &str, command| (name.to_owned(), command);
    vec![
        named("apply for a loan", Command::ApplyForLoan(apply)),
        named("apply for a loan as shown", Command::ApplyForLoan(ApplyForLoan { rule: Some(Digest([8; 32])), ..apply })),
        named("repay a part of a loan", Command::RepayLoan { user, loan, amount: Some(300_000_000), max_debt: None }),
        named("repay a loan", Command::RepayLoan { user, loan, amount: None, max_debt: None }),
        named("repay a loan of at most", Command::RepayLoan { user, loan, amount: None, max_debt: Some(600_300_000) }),
        named("add collateral", Command::AddCollateral { user, loan, amount: 200_000 }),
        named("cancel a loan", Command::CancelLoan { user, loan }),
    ]
}

/// Changes that two operators can make.
pub fn terms() -> Vec<(String, CatalogChange)> {
    let product = LoanProduct {
        id: LoanProductId(1),
        asset: AssetId(3),
        days: 7,
        rate: Rate(50_000),
        min: 100_000_000,
        max: 50_000_000_000,
        on: true,
    };
    let shared = SharedTerms {
        collateral: vec![AssetId(1), AssetId(2)],
        start: Rate(60_000_000),
        call: Rate(75_000_000),
        liquidation: Rate(83_000_000),
        liquidation_fee: Rate(2_000_000),
        overdue_multiple: 3,
        grace_days: 4,
        live_loans: 5,
        one_approves_up_to: 5_000_000_000,
    };
    vec![
        ("a loan product".to_owned(), CatalogChange::LoanProduct(product)),
        ("a loan product off".to_owned(), CatalogChange::LoanProduct(LoanProduct { on: false, ..product })),
        ("terms of loans".to_owned(), CatalogChange::LoanShared(shared)),
    ]
}

fn loan() -> Loan {
    Loan {
        id: LOAN,
        user: USER,
        product: LoanProductId(1),
        terms: FixedTerms {
            asset: AssetId(3),
            days: 7,
            rate: Rate(50_000),
            start: Rate(60_000_000),
            call: Rate(75_000_000),
            liquidation: Rate(83_000_000),
            liquidation_fee: Rate(2_000_000),
            overdue_multiple: 3,
            grace_days: 4,
            approvals: 2,
            market: MarketId(6),
            scales: (8, 5),
        },
        amount: 600_000_000,
        outstanding: 300_000_000,
        repaid: 300_000_001,
        collateral_asset: AssetId(1),
        collateral: 1_000_000,
        status: Status::Finished,
        reason: Some(EndReason::Liquidated),
        note: Some(Digest([1; 32])),
        approvals: vec![Approval { operator: OperatorId(9), at: Time(1_767_225_600_003) }],
        applied: Time(1_767_225_600_001),
        start: Some(Time(1_767_225_600_002)),
        ended: Some(Time(1_767_225_600_004)),
        periods: 8,
        interest: Charge { numerator: 1 << 70, paid: 5 },
        penalty: Charge { numerator: 1 << 69, paid: 6 },
        margin_call: true,
        next: Some(Time(1_767_225_600_005)),
        sale: Some(Liquidation {
            price: Price(7_200_000_000_000),
            debt: 600_300_000,
            fee: 12_006_000,
            sold: 850_425,
            returned: 149_575,
            shortfall: 7,
        }),
        version: 12,
    }
}

/// Its answers.
pub fn answers() -> Vec<(&'static str, Reply)> {
    let repaid = Repayment { penalty: 1, interest: 2, principal: 3 };
    vec![("loan", Reply::Loan(Box::new(loan()))), ("loan repaid", Reply::LoanRepaid(Box::new(loan()), repaid))]
}

/// The line of what happened to one.
pub fn line(loan: &Loan, step: &LoanStep) -> String {
    let Loan { id, user, product, terms, amount, outstanding, repaid, collateral_asset, collateral, status, reason, .. } = loan;
    let Loan { approvals, applied, start, ended, periods, interest, penalty, margin_call, next, sale, version, .. } = loan;
    let rates = (terms.rate.0, terms.start.0, terms.call.0, terms.liquidation.0, terms.liquidation_fee.0);
    let fixed = (terms.asset.0, terms.days, rates, terms.overdue_multiple, terms.grace_days, terms.approvals, terms.market.0, terms.scales);
    let owed = (amount, outstanding, repaid, interest.numerator, interest.paid, penalty.numerator, penalty.paid);
    let times = (applied.0, start.map(|at| at.0), ended.map(|at| at.0), next.map(|at| at.0));
    let approved: Vec<_> = approvals.iter().map(|one| (one.operator.0, one.at.0)).collect();
    let sale = sale.map(|sale| (sale.price.0, sale.debt, sale.fee, sale.sold, sale.returned, sale.shortfall));
    let what = format!("{} {status:?} {reason:?} of {} product {} version {version}", id.0, user.0, product.0);
    let bound = format!("{collateral} of {} call {margin_call}", collateral_asset.0);
    format!("loan {step:?} {what} under {fixed:?} {owed:?} in {periods} against {bound} {approved:?} {times:?} {sale:?}")
}
