//! The engine's objects in the text form of the model.

use engine::Engine;
use engine::backoffice::proposals::Proposal;
use engine::contracts::position::Position;
use engine::convert::conversion::{Deal, FirmQuote};
use engine::funding::deposits::{Deposit, Observation};
use engine::funding::withdrawals::Withdrawal;
use engine::identity::{Identity, KycLevel};
use engine::ids::{DepositId, ObservationId, OperatorId, ProposalId, UserId, WithdrawalId};
use engine::loans::loan::Loan;
use engine::operators::Operator;
use engine::operators::approval::Approval;
use engine::options::option::BinaryOption;
use engine::plans::order::PlanOrder;
use engine::referral::UnsettledFees;
use engine::security::AccountControls;
use engine::self_limits::{SelfLimit, SelfLimits};
use engine::subscriptions::offering::{Commitment, Offering};
use engine::time::Time;

use crate::oracle::Oracle;

fn operators(approvals: &[Approval]) -> Vec<u32> {
    let number = |OperatorId(number): OperatorId| number;
    approvals.iter().map(|approval| number(approval.operator)).collect()
}

pub(super) fn deposit(deposit: &Deposit) -> String {
    let seen = deposit.observation.map(|seen| seen.0);
    let (id, approvals) = (deposit.id.0, operators(&deposit.approvals));
    format!("deposit {id} {:?} {seen:?} {approvals:?} {:?} {}", deposit.status, deposit.credited, deposit.version)
}

pub(super) fn observation(seen: &Observation) -> String {
    let Observation { id, observed, confirmations, watched, entries, status, claim, vanished, taken_back, .. } = seen;
    let claim = claim.map(|claim| claim.0);
    format!("payment {} {observed:?} {confirmations} {watched} {} {status:?} {claim:?} {vanished} {taken_back:?}", id.0, entries.len())
}

pub(super) fn withdrawal(paper: &Withdrawal) -> String {
    let Withdrawal { id, status, amount, fee, payout_cents, value, approvals, version, .. } = paper;
    format!("withdrawal {} {status:?} {amount} {fee} {payout_cents:?} {value} {:?} {version}", id.0, operators(approvals))
}

pub(super) fn identity(identity: &Identity) -> String {
    let Identity { submission, level, status, approvals, version, .. } = identity;
    format!("identity {} {level:?} {status:?} {:?} {version}", submission.0, operators(approvals))
}

pub(super) fn security(security: &AccountControls) -> String {
    let AccountControls { fund_password: password, changed, freezes, role } = security;
    let instant = |time: Option<engine::time::Time>| time.map(|time| time.0);
    format!(
        "{} {} {:?} {:?} {:?} {:?} {} {role:?}",
        password.set,
        password.wrong,
        instant(password.locked_until),
        instant(*changed),
        freezes.by_operator,
        instant(freezes.self_until),
        freezes.self_open
    )
}

pub(super) fn limits(limits: &SelfLimits, now: Time) -> String {
    let one = |limit: &SelfLimit| {
        let waits = limits.coming(*limit, now).map(|coming| (coming.value, coming.at.0));
        format!(" {:?} {waits:?}", limits.value(*limit, now))
    };
    format!("limits{}", SelfLimit::ALL.iter().map(one).collect::<String>())
}

pub(super) fn proposal(proposal: &Proposal) -> String {
    let Proposal { id, status, effective, .. } = proposal;
    format!("proposal {} {status:?} {:?}", id.0, effective.map(|at| at.0))
}

pub(super) fn operator(operator: &Operator) -> String {
    let Operator { id, roles, active, member, waits_for, .. } = operator;
    format!("operator {} {} {active} {:?} {:?}", id.0, roles.0, member.map(|member| member.0), waits_for.map(|by| by.0))
}

pub(super) fn option(option: &BinaryOption) -> String {
    let BinaryOption { id, direction, asset, quote, bought, seconds, open, value, .. } = option;
    let due = bought.0 + u64::from(*seconds) * 1_000 + 1;
    let (amounts, price) = (format!("{} {} {}", quote.stake, quote.profit, quote.fee), open.sample.price.0);
    format!("option {} {direction:?} {} {amounts} until {due} from {price} worth {value}", id.0, asset.0)
}

pub(super) fn contract(position: &Position) -> String {
    let Position { id, direction, lots, status, held, cap, entry, stops, due, initial_margin, open_fee, close_fee, returned, .. } =
        position;
    let stops = (stops.take_profit.map(|price| price.0), stops.stop_loss.map(|price| price.0));
    format!(
        "contract {} {direction:?} {lots} {status:?} held {held} cap {cap} entry {} margin {initial_margin} fees {open_fee} {close_fee} stops \
         {stops:?} due {} returned {returned}",
        id.0, entry.0, due.0
    )
}

pub(super) fn deal(deal: &Deal) -> String {
    let Deal { from, to, amount, value, gross, fee, from_price, to_price } = deal;
    let prices = (from_price.0, to_price.0);
    format!("{amount} of {} worth {value} to {gross} of {} fee {fee} at {prices:?}", from.0, to.0)
}

pub(super) fn quote(quote: &FirmQuote) -> String {
    format!("quote {} {} until {} used {}", quote.id.0, deal(&quote.deal), quote.expires.0, quote.used)
}
pub(super) fn commitment(one: &Commitment) -> String {
    let Commitment { id, user, offering, asset, paid, value, status, tokens, charge, released, .. } = one;
    let (id, user, offer, coin) = (id.0, user.0, offering.0, asset.0);
    format!("commitment {id} of {user} to {offer} {status:?} {paid} of {coin} worth {value}: {tokens} for {charge}, {released} released")
}

fn offering(one: &Offering) -> String {
    let Offering { status, committed, tranches, due, .. } = one;
    format!("offering {} {status:?} {committed} {tranches} {:?}", one.terms.id.0, due.map(|at| at.0))
}

pub(super) fn loan(loan: &Loan) -> String {
    let Loan { id, amount, outstanding, collateral, status, reason, approvals, periods, margin_call, next, version, .. } = loan;
    let (interest, penalty, next, signed) = (loan.interest_due(), loan.penalty_due(), next.map(|at| at.0), approvals.len());
    format!(
        "loan {} {status:?} {reason:?} {amount} owed {outstanding} {interest} {penalty} bound {collateral} in {periods} called {margin_call} \
         signed {signed} version {version} next {next:?}",
        id.0
    )
}

pub(super) fn plan(order: &PlanOrder) -> String {
    let PlanOrder { id, plan, asset, terms, amount, interest, bought, status, ended, .. } = order;
    let figures = ended.map(|ended| {
        let found = ended.redemption.map(|found| {
            let (days, amounts) = (found.days, [found.interest, found.damages, found.penalty, found.deduction]);
            format!(" {days} {} {}", found.remaining, amounts.map(|atoms| atoms.to_string()).join(" "))
        });
        format!("{} returned {} at {}", found.unwrap_or_default(), ended.returned, ended.time.0)
    });
    let rates = format!("{} {} {} {}", terms.cycle, terms.day_yield.0, terms.damage.0, terms.agreement);
    let what = format!("{} {amount} {interest} {rates} {}{}", asset.0, bought.0, figures.unwrap_or_default());
    format!("plan order {} {status:?} of {} {what}", id.0, plan.0)
}

/// The engine has every object of the model in the same state, and no other open objects.
pub(super) fn objects(engine: &Engine, oracle: &Oracle) -> Result<(), String> {
    let numbers = oracle.numbers();
    let people = oracle.members.iter().map(|user| engine.security(UserId(*user)).map(|found| security(&found)));
    let levels = oracle.members.iter().flat_map(|user| {
        [KycLevel::Basic, KycLevel::Advanced]
            .into_iter()
            .filter_map(|level| engine.identity(UserId(*user), level))
            .map(|found| Some(identity(found)))
    });
    let own = oracle.members.iter().map(|user| Some(limits(&engine.self_limits(UserId(*user)), engine.time())));
    let mut all: Vec<Option<String>> = people.chain(levels).chain(own).collect();
    all.extend(numbers.claims.iter().map(|id| engine.deposit(DepositId(*id)).map(deposit)));
    all.extend(numbers.payments.iter().map(|id| engine.observation(ObservationId(*id)).map(observation)));
    all.extend(numbers.papers.iter().map(|id| engine.withdrawal(WithdrawalId(*id)).map(withdrawal)));
    all.extend(engine.payout_disputes().map(|known| Some(format!("dispute {} {:?} {}", known.withdrawal.0, known.paid, known.opened.0))));
    all.extend(numbers.proposals.iter().map(|id| engine.proposal(ProposalId(*id)).map(proposal)));
    all.extend(engine.operators().map(|known| Some(operator(known))));
    all.extend(engine.open_options().map(|open| Some(option(open))));
    all.extend(engine.open_contracts().map(|open| Some(contract(open))));
    all.extend(engine.conversion_quotes().map(|known| Some(quote(known))));
    all.extend(oracle.members.iter().map(|user| Some(format!("{user} converted {}", engine.converted_today(UserId(*user))))));
    all.extend(engine.open_loans().map(|open| Some(loan(open))));
    all.extend(engine.offerings().map(|one| Some(offering(one))));
    all.extend(engine.open_commitments().map(|one| Some(commitment(one))));
    all.extend(engine.open_plan_orders().map(|open| Some(plan(open))));
    all.extend(oracle.members.iter().map(|user| {
        let used = engine.day_use(UserId(*user));
        Some(format!("{user} used {:?}", (used.option_stakes, used.losses)))
    }));
    all.extend(oracle.members.iter().map(|user| {
        let user = UserId(*user);
        let invited: Vec<u64> = engine.invitees(user).map(|invitee| invitee.0).collect();
        let (verified, inviter, got) = (engine.verified_invitees(user), engine.inviter(user).map(|by| by.0), engine.rebate_total(user));
        Some(format!("{} invited {invited:?} {verified} by {inviter:?} got {got}", user.0))
    }));
    all.extend(engine.unsettled_fees().enumerate().map(|(place, fees)| {
        let UnsettledFees { day, user, level, asset, fees } = fees;
        Some(format!("owed {place}: {day} {} {} {} {fees}", user.0, level.number(), asset.0))
    }));
    all.push(Some(format!("board {:?}", engine.leaderboard().map(|place| place.user.0).collect::<Vec<_>>())));
    all.push(Some(format!("{} versions, {} notes", engine.catalog_versions().len(), engine.audited())));
    let mut expected: Vec<Option<String>> = oracle.objects().into_iter().map(Some).collect();
    all.sort_unstable();
    expected.sort_unstable();
    if let Some((found, said)) = all.iter().zip(&expected).find(|(found, said)| found != said) {
        return Err(format!("object: engine {found:?}, model {said:?}"));
    }
    let counts = (all.len(), engine.observations().count(), engine.proposals().count());
    let said = (expected.len(), numbers.payments.len(), numbers.proposals.len());
    if counts != said {
        return Err(format!("objects: engine {counts:?}, model {said:?}"));
    }
    let stored: usize =
        oracle.members.iter().map(|user| engine.addresses(UserId(*user)).count() + engine.cards(UserId(*user)).count()).sum();
    if stored != numbers.addresses.len() + numbers.cards.len() {
        return Err(format!("{stored} destinations, the model has {:?} and {:?}", numbers.addresses, numbers.cards));
    }
    Ok(())
}
