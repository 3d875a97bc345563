//! What a member has beside their balances, at any past instant: stakes of open options, payments for new coins before their launch, the
//! open profit or loss of contracts, and debts of loans.

use engine::Engine;
use engine::amount::{Amount, Price};
use engine::contracts::formulas::TickPrice;
use engine::contracts::position::Position;
use engine::ids::{AssetId, MarketId, Seq, UserId};
use engine::loans::loan::Loan;
use engine::loans::status::Status;
use engine::options::option::BinaryOption;
use engine::subscriptions::offering::{Commitment, Offering};
use engine::subscriptions::status::CommitmentStatus;
use engine::time::Time;
use store::Page;
use store::account::VersionedRow;
use store::db::{Db, DbError};
use store::options::Order;
use store::rows::LOAN_REPAYMENT;

/// More than this many ended ones of a member are not looked at.
const MOST: u64 = 2_000;

/// The time from opening to end.
struct Span {
    from: Time,
    until: Option<Time>,
}

impl Span {
    /// At the moment before an instant: lines of that instant are not yet in the balances.
    fn covers(&self, before: Time) -> bool {
        self.from < before && self.until.is_none_or(|until| before <= until)
    }
}

/// Money held for an open object: the stake of an option, or a payment for an offering.
struct Stake {
    span: Span,
    asset: AssetId,
    atoms: i128,
}

/// A contract counts with its profit or loss; its margin is still a balance.
struct Open {
    span: Span,
    position: Position,
    base: AssetId,
    quote: AssetId,
}

/// The debt of a loan: its payout is part of a balance, so it is deducted, with interest and penalty.
struct Debt {
    asset: AssetId,
    /// The instants at which the debt changed, and the atoms owed from each of them on, oldest first.
    owed: Vec<(Time, Amount)>,
}

impl Debt {
    fn atoms(&self, before: Time) -> i128 {
        self.owed.iter().rfind(|(since, _)| *since < before).map_or(0, |(_, atoms)| i128::from(*atoms))
    }
}

/// A member's options, contracts, commitments and loans: the open ones and those that ended since an instant.
pub struct OpenThings {
    stakes: Vec<Stake>,
    contracts: Vec<Open>,
    debts: Vec<Debt>,
}

/// The engine's present ones.
pub struct Running {
    options: Vec<BinaryOption>,
    positions: Vec<Position>,
    commitments: Vec<Commitment>,
    loans: Vec<Loan>,
    offerings: Vec<Offering>,
    /// Pairs with their coins.
    markets: Vec<(MarketId, AssetId, AssetId)>,
}

impl Running {
    /// A member's open objects.
    pub fn read(engine: &Engine, user: UserId) -> Running {
        Running {
            options: engine.options_of(user).cloned().collect(),
            positions: engine.contracts_of(user).copied().collect(),
            commitments: engine.commitments_of(user).cloned().collect(),
            loans: engine.loans_of(user).cloned().collect(),
            offerings: engine.offerings().cloned().collect(),
            markets: engine.catalog().markets.iter().map(|market| (market.id, market.base, market.quote)).collect(),
        }
    }

    /// Adds those that ended since.
    pub async fn since(self, db: &Db, user: UserId, seq: Seq, from: Time) -> Result<OpenThings, DbError> {
        let filter = store::options::Filter { up_to_seq: seq.0, ..Default::default() };
        let (ended_options, _) = store::options::list(db, user, filter, Order::Ended, (MOST, 0)).await?;
        let filter = store::contracts::Filter { up_to_seq: seq.0, ..Default::default() };
        let (ended_contracts, _) = store::contracts::list(db, user, &filter, MOST, 0).await?;
        let (ended_commitments, _) = store::subscriptions::list(db, user, seq.0, MOST, 0).await?;
        let status = Some(store::loans::status_number(Status::Finished).into());
        let (ended_loans, _) = store::account::list::<Loan>(db, Some(user), status, Page { page: 1, limit: MOST }).await?;
        let known = |kept: VersionedRow<Loan>| (kept.seq <= seq.0).then_some((kept.item, Some(Time(kept.changed_ms))));
        let running = self.loans.into_iter().map(|loan| (loan, None));
        let loans = running.chain(ended_loans.into_iter().filter_map(known)).filter(|(_, ended)| ended.is_none_or(|ended| ended >= from));
        let (loans, ends): (Vec<Loan>, Vec<Option<Time>>) = loans.unzip();
        let repaid = store::loans::repayments(db, user, &loans, seq.0, LOAN_REPAYMENT).await?;
        let debt = |(loan, ended): (&Loan, Option<Time>)| {
            let repaid = repaid.get(&loan.id).map(Vec::as_slice).unwrap_or_default();
            Debt { asset: loan.terms.asset, owed: loan.debts(repaid, ended) }
        };
        let commitments = self.commitments.iter().chain(&ended_commitments);
        let payments = commitments.filter_map(|commitment| {
            let offering = self.offerings.iter().find(|offering| offering.terms.id == commitment.offering)?;
            Some(payments(commitment, offering))
        });
        let options = self.options.into_iter().chain(ended_options);
        let stakes = options.map(|option| Stake {
            span: Span { from: option.bought, until: option.settled.map(|settled| settled.time) },
            asset: option.asset,
            atoms: option.quote.stake.into(),
        });
        let positions = self.positions.into_iter().chain(ended_contracts.into_iter().map(|ended| ended.position));
        let contracts = positions.filter_map(|position| {
            let (_, base, quote) = self.markets.iter().find(|(id, ..)| *id == position.market)?;
            let span = Span { from: position.opened?, until: position.ended };
            Some(Open { span, position, base: *base, quote: *quote })
        });
        let is_late = |span: &Span| span.until.is_none_or(|until| until >= from);
        Ok(OpenThings {
            stakes: stakes.chain(payments.flatten()).filter(|stake| is_late(&stake.span)).collect(),
            contracts: contracts.filter(|open| is_late(&open.span)).collect(),
            debts: loans.iter().zip(ends).map(debt).collect(),
        })
    }
}

/// What the escrow holds of a commitment: the whole payment until the allotment, then the charge (N-4) until the launch or the return
/// (N-5).
fn payments(commitment: &Commitment, offering: &Offering) -> Vec<Stake> {
    let held = |from, until, atoms: u64| Stake { span: Span { from, until }, asset: commitment.asset, atoms: atoms.into() };
    let until = match commitment.status {
        CommitmentStatus::Review => return vec![held(commitment.created, None, commitment.paid)],
        CommitmentStatus::Passed => None,
        CommitmentStatus::Locked | CommitmentStatus::Released => offering.launched,
        CommitmentStatus::Refunded => Some(commitment.changed),
    };
    let close = offering.terms.close;
    let charge = offering.issue().allot(commitment.value, commitment.paid, offering.wanted).map_or(0, |allotted| allotted.charge);
    vec![held(commitment.created, Some(close), commitment.paid), held(close, until, charge)]
}

impl OpenThings {
    /// Their value just before an instant, by the index price of a coin and the value of an amount of a coin at that time; `None` without a
    /// price.
    pub fn worth(
        &self,
        before: Time,
        price: impl Fn(AssetId) -> Option<Price>,
        worth: impl Fn(AssetId, i128) -> Option<i128>,
    ) -> Option<i128> {
        let stakes = self.stakes.iter().filter(|stake| stake.span.covers(before)).map(|stake| worth(stake.asset, stake.atoms));
        let profits = self.contracts.iter().filter(|open| open.span.covers(before)).map(|open| {
            let mark = TickPrice(price(open.base)?.0.checked_div(open.position.terms.tick.0)?);
            // A loss is at most the margin.
            let profit = open.position.open_profit(mark).max(-i128::from(open.position.initial_margin));
            worth(open.quote, profit)
        });
        let debts = self.debts.iter().map(|debt| worth(debt.asset, -debt.atoms(before)));
        stakes.chain(profits).chain(debts).sum()
    }
}
