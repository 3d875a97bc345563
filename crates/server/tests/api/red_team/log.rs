//! Replays the log and checks what operators did.

use std::collections::{BTreeMap, BTreeSet};

use engine::Engine;
use engine::backoffice::acts::{Decision, Item, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::command::{Command, Entry};
use engine::contracts::position::Position;
use engine::event::{AccountEvent, Event};
use engine::funding::deposits::Deposit;
use engine::ids::{MarketId, OperatorId};
use engine::ledger::{LineKind, Owner, Posting};
use engine::loans::loan::Loan;
use engine::options::option::BinaryOption;
use engine::plans::order::PlanOrder;
use engine::security::FundPasswordChange;
use engine::subscriptions::offering::Commitment;
use kernel::replay;

use crate::harness::Server;

/// An entry with its events.
pub struct Told {
    pub entry: Entry,
    pub events: Vec<Event>,
}

impl Told {
    /// The events of its own command, without the work that was due before it.
    fn own(&self) -> &[Event] {
        let due = self.events.iter().rposition(|event| matches!(event, Event::HappenedAt(_)));
        &self.events[due.map_or(0, |at| at + 1)..]
    }
}

/// Replays the log from its first entry: all entries with their events, and the final state.
pub async fn read(server: &Server) -> (Vec<Told>, Engine) {
    let app = &server.running.app;
    let (newest, hash) = {
        let engine = app.sequencer.engine();
        (engine.seq().0, engine.state_hash())
    };
    let (mut again, mut told) = (Engine::default(), Vec::new());
    while again.seq().0 < newest {
        let wanted = again.seq().0 + 1..=newest;
        // Trading comes first: a busy log is read again.
        let Ok(groups) = app.sequencer.read_log(wanted.clone()).await else { continue };
        for record in groups.iter().flat_map(|group| &group.records).filter(|record| wanted.contains(&record.seq)) {
            let (entry, mut events) = (replay::entry_of(record).unwrap(), Vec::new());
            again.apply(&entry, &mut events);
            told.push(Told { entry, events });
        }
    }
    assert_eq!(again.state_hash(), hash, "the state does not follow from the log alone");
    (told, again)
}

/// What a ledger line requires when an act of an operator made it.
#[derive(Debug, PartialEq, Eq)]
enum Basis {
    /// House capital: no member is on either side (L-3).
    House,
    /// An outside reference, and two people (D-5, 10.2).
    Credit,
    /// Two people (D-7, W-7, W-8, 6.2).
    Two,
    /// A loan: one person or two, as its amount requires (B-3).
    Loan,
    /// The member's own money returns to them.
    Back,
}

/// The kinds of lines that an act of an operator may make; none for any other.
fn basis(act: &OperatorAct, proposed: Option<&Proposed>, kind: LineKind) -> Option<Basis> {
    match (act, proposed, kind) {
        (OperatorAct::Decide { item: Item::Deposit(_), decision: Decision::ApproveBank(_) | Decision::ApproveWith(_) | Decision::Approve, .. }, _, LineKind::Deposit)
        // The second of two entries credits a claim that waited for it.
        | (OperatorAct::EnterDeposit { .. }, _, LineKind::Deposit) => Some(Basis::Credit),
        (
            OperatorAct::Decide { item: Item::Withdrawal(_), decision: Decision::Approve, .. },
            _,
            LineKind::WithdrawalDone | LineKind::WithdrawalFee,
        ) => Some(Basis::Two),
        (OperatorAct::Decide { item: Item::Withdrawal(_), decision: Decision::Reject { .. }, .. }, _, LineKind::WithdrawalBack)
        | (OperatorAct::Decide { item: Item::Loan(_), decision: Decision::Reject { .. }, .. }, _, LineKind::LoanRelease) => {
            Some(Basis::Back)
        }
        (OperatorAct::Decide { item: Item::Loan(_), decision: Decision::Approve, .. }, _, LineKind::LoanPaidOut) => Some(Basis::Loan),
        (OperatorAct::Confirm { .. }, Some(Proposed::TreasuryMove { .. }), LineKind::TreasuryMove) => Some(Basis::House),
        (OperatorAct::Confirm { .. }, Some(Proposed::ReverseDeposit { .. }), LineKind::DepositCorrection)
        | (OperatorAct::Confirm { .. }, Some(Proposed::ReturnWithdrawal { .. }), LineKind::WithdrawalBack)
        | (
            OperatorAct::Confirm { .. },
            Some(Proposed::LaunchOffering { .. }),
            LineKind::TokensAllotted | LineKind::SubscriptionProceeds | LineKind::SubscriptionRefunded,
        ) => Some(Basis::Two),
        _ => None,
    }
}

/// How many lines of each kind operators' acts made; the test requires that the honest calls made theirs.
pub type Moved = BTreeMap<LineKind, u64>;

/// Checks that operators' acts make only the named kinds of lines, each with what its rule requires.
pub fn check_lines(told: &[Told], end: &Engine, mark: u64) -> Moved {
    let (mut moved, mut proposals, mut deposits) = (Moved::new(), BTreeMap::new(), BTreeMap::new());
    let mut loans: BTreeMap<u64, Loan> = BTreeMap::new();
    for one in told {
        let (entry, known) = (&one.entry, proposals.len());
        for event in &one.events {
            let Event::Account(event) = event else { continue };
            match &**event {
                AccountEvent::ProposalChanged(proposal) => drop(proposals.insert(proposal.id, proposal.clone())),
                AccountEvent::DepositChanged(deposit) => drop(deposits.insert(deposit.id.0, deposit.clone())),
                AccountEvent::LoanChanged(loan, _) => drop(loans.insert(loan.id.0, loan.clone())),
                _ => {}
            }
        }
        let Command::Operate(operate) = &entry.command else { continue };
        if entry.seq.0 <= mark {
            continue;
        }
        let confirmed = if let OperatorAct::Confirm { proposal, .. } = &operate.act { proposals.get(proposal) } else { None };
        for event in one.own() {
            let Event::Posted(posting) = event else { continue };
            let says = format!("entry {}: {:?} made {posting:?}", entry.seq.0, operate.act);
            *moved.entry(posting.kind).or_default() += 1;
            match basis(&operate.act, confirmed.map(|kept| &kept.proposed), posting.kind).unwrap_or_else(|| panic!("{says}")) {
                Basis::House => {
                    assert!(sides(posting).all(|owner| matches!(owner, Owner::House(_))), "{says}");
                    two_people(confirmed.map(|kept| (kept.proposer, operate.by.operator)), &says);
                }
                Basis::Credit => credited(&deposits[&posting.credit.object_id], posting, end, &says),
                Basis::Two => match &operate.act {
                    OperatorAct::Confirm { .. } => {
                        assert_eq!(proposals.len(), known, "{says}");
                        two_people(confirmed.map(|kept| (kept.proposer, operate.by.operator)), &says);
                    }
                    OperatorAct::Decide { item: Item::Withdrawal(id), .. } => {
                        let approvals = &end.withdrawal(*id).unwrap_or_else(|| panic!("{says}")).approvals;
                        let people: BTreeSet<OperatorId> = approvals.iter().map(|approval| approval.operator).collect();
                        assert!(people.len() >= 2, "{says}");
                    }
                    _ => panic!("{says}"),
                },
                Basis::Loan => {
                    let loan = &loans[&posting.debit.object_id.max(posting.credit.object_id)];
                    assert_eq!(posting.amount, loan.amount, "{says}");
                    assert!(loan.collateral > 0 && !loan.approvals.is_empty(), "{says}");
                }
                Basis::Back => {
                    let owners: BTreeSet<_> = sides(posting)
                        .map(|owner| if let Owner::Member(user, wallet, _) = owner { Some((user, wallet)) } else { None })
                        .collect();
                    assert!(owners.len() == 1 && !owners.contains(&None), "{says}");
                }
            }
        }
    }
    moved
}

fn sides(posting: &Posting) -> impl Iterator<Item = Owner> {
    [posting.debit.owner, posting.credit.owner].into_iter()
}

fn two_people(people: Option<(OperatorId, OperatorId)>, says: &str) {
    let (one, two) = people.unwrap_or_else(|| panic!("nobody confirmed: {says}"));
    assert_ne!(one, two, "{says}");
}

/// Checks that a credit by hand has an outside reference and an amount that two people entered.
fn credited(deposit: &Deposit, posting: &Posting, end: &Engine, says: &str) {
    let seen = deposit.observation.and_then(|id| end.observation(id));
    let entered = seen.iter().flat_map(|seen| &seen.entries).map(|entry| entry.by.operator);
    let people: BTreeSet<OperatorId> = match deposit.reference {
        Some(_) => deposit.approvals.iter().map(|approval| approval.operator).collect(),
        None => entered.collect(),
    };
    assert!(people.len() >= 2, "{people:?}: {says}");
    match (deposit.reference, seen) {
        (None, Some(seen)) => assert_eq!(posting.amount, seen.observed.amount, "{says}"),
        (Some(_), None) => assert_eq!(Some(posting.amount), deposit.credited, "{says}"),
        other => panic!("{other:?}: {says}"),
    }
    assert!(matches!(posting.credit.owner, Owner::Member(user, ..) if user == deposit.user), "{says}");
}

/// Whether an act of an operator may cause this event. The match is complete, so a new event must be classified here.
fn is_of_operators(event: &Event, act: &OperatorAct) -> bool {
    match event {
        Event::Posted(_) | Event::HappenedAt(_) => true,
        Event::MemberRegistered { .. }
        | Event::SpotOrderChanged(_)
        | Event::Traded(_)
        | Event::LevelChanged { .. }
        | Event::IndexSampled(_)
        | Event::Transferred(_) => false,
        Event::Account(event) => match &**event {
            AccountEvent::DepositChanged(_)
            | AccountEvent::ObservationChanged(_)
            | AccountEvent::WithdrawalChanged(_)
            | AccountEvent::IdentityChanged(_)
            | AccountEvent::SecurityChanged(_)
            | AccountEvent::ProposalChanged(_)
            | AccountEvent::CatalogChanged(_)
            | AccountEvent::Paused { .. }
            | AccountEvent::Audited { .. }
            | AccountEvent::OperatorChanged(_)
            | AccountEvent::IncidentChanged(_)
            | AccountEvent::PayoutDisputed(_) => true,
            AccountEvent::LoanChanged(..) => matches!(act, OperatorAct::Decide { item: Item::Loan(_), .. }),
            AccountEvent::OfferingChanged(_) | AccountEvent::CommitmentChanged(_) => matches!(act, OperatorAct::Confirm { .. }),
            AccountEvent::AddressAdded(_)
            | AccountEvent::AddressRemoved { .. }
            | AccountEvent::CardAdded(_)
            | AccountEvent::CardRemoved { .. }
            | AccountEvent::OptionChanged(_)
            | AccountEvent::ContractChanged(_)
            | AccountEvent::Converted(_)
            | AccountEvent::RebatePaid(_)
            | AccountEvent::PlanChanged(_) => false,
        },
    }
}

/// Checks that operators' calls add only operators' acts to the log: no member's command, no sample, no paper money.
pub fn check_entries(told: &[Told], spans: &[(u64, u64)]) {
    for one in told {
        let entry = &one.entry;
        let says = || format!("entry {}: {:?}", entry.seq.0, entry.command);
        if let Command::Operate(operate) = &entry.command {
            for event in one.own() {
                assert!(is_of_operators(event, &operate.act), "{} made {event:?}", says());
            }
        }
        if spans.iter().any(|(from, to)| (*from..=*to).contains(&entry.seq.0)) {
            let allowed = match &entry.command {
                Command::Operate(_)
                | Command::Clock
                | Command::PublishQuotes(_)
                | Command::RecordState { .. }
                | Command::RecordLiabilities(_)
                // An interrupted sign-up is completed in the background.
                | Command::RegisterMember { house: false, .. }
                // An approved reset of a fund password.
                | Command::SetFundPassword { change: FundPasswordChange::Reset, .. } => true,
                // The pinned price is published repeatedly.
                Command::SandboxPrice { price, .. } => price.0 == super::PINNED_UNITS,
                _ => false,
            };
            assert!(allowed, "while an operator called: {}", says());
        }
    }
}

/// Checks that each index has the price of its last sample in the log, and that only price sources make samples.
pub fn check_prices(told: &[Told], end: &Engine) {
    let mut last: BTreeMap<MarketId, _> = BTreeMap::new();
    for Told { entry, events } in told {
        for event in events {
            let Event::IndexSampled(sample) = event else { continue };
            assert!(
                matches!(entry.command, Command::PublishQuotes(_) | Command::SandboxPrice { .. } | Command::SandboxFeed { .. }),
                "{entry:?} made a price"
            );
            last.insert(sample.market, (sample.time, sample.price));
        }
    }
    for market in end.catalog().markets.iter().filter(|market| end.index(market.id).is_some()) {
        let shown = end.index(market.id).and_then(|index| index.filter.last()).map(|sample| (sample.time, sample.price));
        assert_eq!(shown, last.get(&market.id).copied(), "{}", market.symbol);
    }
    assert!(last.len() >= 3, "{last:?}");
}

/// The parts of an option that never change once it is bought.
fn agreed_option(option: &BinaryOption) -> String {
    let mut option = option.clone();
    (option.status, option.settled) = (engine::options::option::Status::Open, None);
    format!("{option:?}")
}

fn agreed_contract(position: &Position) -> String {
    let Position { id, user, market, direction, lots, multiple, terms, limit, origin, entry, stops, .. } = position;
    // The cap is not among them: it is reserved in the pool and released at the end.
    let Position { initial_margin, open_fee, created, opened, .. } = position;
    format!(
        "{:?}",
        ((id, user, market, direction, lots, multiple, terms, limit, origin, entry, stops), (initial_margin, open_fee, created, opened))
    )
}

fn agreed_plan(order: &PlanOrder) -> String {
    let PlanOrder { id, user, plan, asset, terms, amount, interest, bought, .. } = order;
    format!("{:?}", (id, user, plan, asset, terms, amount, interest, bought))
}

fn agreed_loan(loan: &Loan) -> String {
    let Loan { id, user, product, terms, amount, collateral_asset, applied, .. } = loan;
    format!("{:?}", (id, user, product, terms, amount, collateral_asset, applied))
}

fn agreed_commitment(commitment: &Commitment) -> String {
    let Commitment { id, user, offering, token, asset, paid, value, created, .. } = commitment;
    format!("{:?}", (id, user, offering, token, asset, paid, value, created))
}

/// Checks that terms, stake, open price, entry price and promised income of open objects never change, and that nothing changes after its end.
/// Returns how many states were compared.
pub fn check_objects(told: &[Told], mark: u64) -> usize {
    let mut agreed: BTreeMap<String, (String, bool)> = BTreeMap::new();
    let mut compared = 0;
    for Told { entry, events } in told {
        for event in events {
            let Event::Account(event) = event else { continue };
            let (name, text, ended) = match &**event {
                AccountEvent::OptionChanged(option) => (format!("option {}", option.id.0), agreed_option(option), option.settled.is_some()),
                AccountEvent::ContractChanged(position) => {
                    (format!("contract {}", position.id.0), agreed_contract(position), position.reason.is_some())
                }
                AccountEvent::PlanChanged(order) => (format!("plan {}", order.id.0), agreed_plan(order), order.ended.is_some()),
                AccountEvent::LoanChanged(loan, _) => (format!("loan {}", loan.id.0), agreed_loan(loan), loan.ended.is_some()),
                AccountEvent::CommitmentChanged(commitment) => {
                    (format!("commitment {}", commitment.id.0), agreed_commitment(commitment), false)
                }
                _ => continue,
            };
            if let Some((was, had_ended)) = agreed.get(&name)
                && entry.seq.0 > mark
            {
                assert_eq!(&text, was, "entry {} changed {name}", entry.seq.0);
                assert!(!had_ended, "entry {} changed {name}, which had ended", entry.seq.0);
                compared += 1;
            }
            agreed.insert(name, (text, ended));
        }
    }
    compared
}
