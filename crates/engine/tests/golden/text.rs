//! Golden files as lines of text, and what an entry did as one line.
//!
//! The line of an outcome is made here, field by field, and not by the types: a new field changes no golden line, another meaning does. Who
//! renames a variant writes its old word here.

use std::fmt::Write as _;

use engine::codec::Encoded;
use engine::contracts::position::Position;
use engine::convert::conversion::Deal;
use engine::event::{AccountEvent, Event, Trade, TradeParty};
use engine::funding::deposits::{Deposit, Observation};
use engine::funding::withdrawals::Withdrawal;
use engine::index::QuoteUse;
use engine::ledger::{Owner, Posting, PostingSide};
use engine::operators::Operator;
use engine::options::option::BinaryOption;
use engine::plans::order::PlanOrder;
use engine::referral::Rebate;
use engine::reject::Reject;
use engine::reply::{Outcome, Reply};
use engine::spot::SpotOrder;
use engine::subscriptions::offering::{Commitment, Offering};

pub fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".to_owned();
    }
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

pub fn unhex(text: &str) -> Vec<u8> {
    if text == "-" {
        return Vec::new();
    }
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// `kind version public private`.
pub fn encoded(Encoded { kind, version, public, private }: &Encoded) -> String {
    format!("{kind} {version} {} {}", hex(public), hex(private))
}

/// Reads [`encoded`] back.
pub fn read_encoded(text: &str) -> Encoded {
    let words: Vec<&str> = text.split(' ').collect();
    let [kind, version, public, private] = words.as_slice() else { panic!("{text} is no entry") };
    Encoded { kind: kind.parse().unwrap(), version: version.parse().unwrap(), public: unhex(public), private: unhex(private) }
}

/// The result of an entry, then its events, in order.
pub fn outcome(outcome: &Outcome, events: &[Event]) -> String {
    let mut parts = vec![match &outcome.result {
        Ok(reply) => self::reply(reply),
        Err(reject @ Reject::Disabled(_)) => format!("{} Disabled", reject.name()),
        Err(reject @ Reject::Band { low, high, reference }) => {
            format!("{} Band {{ low: {}, high: {}, reference: {} }}", reject.name(), low.0, high.0, reference.0)
        }
        Err(reject @ Reject::StopSide { reference }) => format!("{} StopSide {{ reference: {} }}", reject.name(), reference.0),
        Err(reject) => format!("{} {reject:?}", reject.name()),
    }];
    parts.extend(outcome.repeated.iter().map(|first| format!("again {} with {}", first.seq.0, first.facts.as_ref().map_or(0, Vec::len))));
    parts.extend(events.iter().map(event));
    parts.join("; ")
}

fn reply(reply: &Reply) -> String {
    match reply {
        Reply::Done => "done".to_owned(),
        Reply::SpotOrderPlaced(id) => format!("placed {}", id.0),
        Reply::SpotOrderCancelled(id) => format!("cancelled {}", id.0),
        Reply::SpotOrderMoved { order, replaced } => format!("moved {} to {}", replaced.0, order.0),
        Reply::SpotOrdersCancelled(ids) => format!("cancelled {:?}", ids.iter().map(|id| id.0).collect::<Vec<_>>()),
        Reply::Transferred(moved) => format!("transferred {}", moved.id),
        Reply::Credited { available } => format!("credited, available {available}"),
        Reply::Priced { price } => format!("priced {}", price.0),
        Reply::Address(address) => format!("address {}", address.id.0),
        Reply::Card(card) => format!("card {}", card.id.0),
        Reply::Deposit(claim) => format!("claim {}", claim.id.0),
        Reply::Observation(seen) => format!("observation {}", seen.id.0),
        Reply::Withdrawal(paper) => format!("withdrawal {}", paper.id.0),
        Reply::Identity(level) => format!("identity {}", level.submission.0),
        Reply::Security(_) => "security".to_owned(),
        Reply::Proposal(proposal) => format!("proposal {}", proposal.id.0),
        Reply::SelfLimits(..) => "limits".to_owned(),
        Reply::Operator(operator) => format!("operator {}", operator.id.0),
        Reply::Option(option) => format!("option {}", option.id.0),
        Reply::Contract(position) => format!("contract {}", position.id.0),
        Reply::Quote(quote) => format!("quote {} {} until {}", quote.id.0, deal(&quote.deal), quote.expires.0),
        Reply::Conversion(done) => format!("conversion {}", done.id.0),
        Reply::Loan(loan) => format!("loan {}", loan.id.0),
        Reply::LoanRepaid(loan, repaid) => format!("loan {} {repaid:?}", loan.id.0),
        Reply::Commitment(commitment) => format!("commitment {}", commitment.id.0),
        Reply::Plan(order) => format!("plan {}", order.id.0),
    }
}

fn event(event: &Event) -> String {
    match event {
        Event::MemberRegistered { user, house } => format!("member {} house {house}", user.0),
        Event::Posted(posting) => posted(posting),
        Event::SpotOrderChanged(order) => changed(order),
        Event::Traded(trade) => traded(trade),
        Event::LevelChanged { market, side, price, quantity } => format!("level {} {side:?} {} {quantity}", market.0, price.0),
        Event::IndexSampled(sample) => {
            let uses: Vec<String> = sample.quotes.iter().map(used).collect();
            format!("index {} {} {} sandbox {} [{}]", sample.market.0, sample.time.0, sample.price.0, sample.sandbox, uses.join(" "))
        }
        Event::Transferred(moved) => {
            let (from, to) = (moved.from, moved.to);
            format!(
                "moved {} {} {} {from:?} {} {to:?} {}",
                moved.user.0, moved.asset.0, moved.amount, moved.from_available, moved.to_available
            )
        }
        Event::Account(change) => happened(change),
        Event::HappenedAt(time) => format!("at {}", time.0),
    }
}

fn used(QuoteUse { quote, dropped }: &QuoteUse) -> String {
    dropped.map_or(format!("{}", quote.source), |why| format!("{}:{why:?}", quote.source))
}

fn posted(posting: &Posting) -> String {
    let side = |side: &PostingSide| match side.owner {
        Owner::Member(user, wallet, part) => format!("{} {wallet:?} {part:?} {} {}", user.0, side.after, side.object_id),
        Owner::House(account) => format!("{account:?} {} {}", side.after, side.object_id),
    };
    let Posting { asset, amount, kind, object, debit, credit } = posting;
    format!("posted {amount} of {} {kind:?} {object:?} ({}) ({})", asset.0, side(debit), side(credit))
}

fn changed(order: &SpotOrder) -> String {
    let reason = order.reason.map_or("", |reason| reason.name());
    let SpotOrder { id, status, filled, filled_value, fee, held, priority, reference, updated, .. } = order;
    format!("order {} {status:?}{reason} {filled} {filled_value} {fee} {held} {priority} {} {}", id.0, reference.0, updated.0)
}

fn traded(trade: &Trade) -> String {
    let party = |party: &TradeParty| format!("{} {} {} {}", party.order.0, party.user.0, party.fee, party.house);
    let Trade { id, market, price, quantity, value, taker_side, taker, maker, .. } = trade;
    format!("trade {} {} {} {quantity} {value} {taker_side:?} ({}) ({})", id.0, market.0, price.0, party(taker), party(maker))
}

fn happened(change: &AccountEvent) -> String {
    match change {
        AccountEvent::AddressAdded(address) => format!("address {} added", address.id.0),
        AccountEvent::AddressRemoved { address, .. } => format!("address {} removed", address.0),
        AccountEvent::CardAdded(card) => format!("card {} added", card.id.0),
        AccountEvent::CardRemoved { card, .. } => format!("card {} removed", card.0),
        AccountEvent::DepositChanged(claim) => {
            let Deposit { id, status, rate, credited, version, observation, approvals, .. } = claim;
            let seen = observation.map(|id| id.0);
            format!(
                "claim {} {status:?} rate {} {credited:?} {seen:?} {} v{version} {}",
                id.0,
                rate.0,
                approvals.len(),
                hex(&claim.hash().0)
            )
        }
        AccountEvent::ObservationChanged(seen) => {
            let Observation { id, status, confirmations, watched, entries, claim, vanished, .. } = seen;
            let claim = claim.map(|id| id.0);
            let Observation { observed, .. } = seen;
            format!("observation {} {status:?} {} {confirmations} {watched} {} {claim:?} {vanished}", id.0, observed.amount, entries.len())
        }
        AccountEvent::WithdrawalChanged(paper) => {
            let Withdrawal { id, status, amount, fee, payout_cents, value, approvals, version, .. } = paper;
            let hash = hex(&paper.hash().0);
            format!("withdrawal {} {status:?} {amount} {fee} {payout_cents:?} {value} {} v{version} {hash}", id.0, approvals.len())
        }
        AccountEvent::IdentityChanged(level) => {
            let (status, version) = (level.status, level.version);
            format!("identity {} {:?} {status:?} {} v{version} {}", level.user.0, level.level, level.approvals.len(), hex(&level.hash().0))
        }
        AccountEvent::SecurityChanged(change) => {
            let security = &change.security;
            let (changed, role, freezes) = (security.changed.map(|time| time.0), security.role, security.freezes);
            let until = freezes.self_until.map(|time| time.0);
            format!("security {} {changed:?} {role:?} {:?} {until:?} {}", change.user.0, freezes.by_operator, freezes.self_open)
        }
        AccountEvent::ProposalChanged(proposal) => {
            let (confirmed, at) = (proposal.confirmed.map(|by| by.operator.0), proposal.effective.map(|at| at.0));
            let (status, refused) = (proposal.status, proposal.refused.as_ref().map_or("", |why| why.name()));
            format!("proposal {} {status:?} {confirmed:?} {at:?} {refused} {}", proposal.id.0, hex(&proposal.hash().0))
        }
        AccountEvent::CatalogChanged(version) => {
            format!("catalog {:?} v{} by {} at {}", version.change.key(), version.version, version.proposal.0, version.since.0)
        }
        AccountEvent::Paused { product, market, on } => format!("paused {product:?} {:?} {on}", market.map(|market| market.0)),
        AccountEvent::OperatorChanged(operator) => {
            let Operator { id, roles, active, member, waits_for, .. } = operator;
            format!("operator {} {} {active} {:?} {:?}", id.0, roles.0, member.map(|member| member.0), waits_for.map(|by| by.0))
        }
        AccountEvent::IncidentChanged(incident) => {
            let (id, payment, credited) = (incident.id.0, incident.observation.0, incident.credited.amount);
            let seen = incident.seen.map(|seen| (seen.user.0, seen.asset.0, seen.amount));
            format!("incident {id} {payment} {:?} {credited} {seen:?} {}", incident.status, incident.contradicted())
        }
        AccountEvent::PayoutDisputed(dispute) => {
            let paid = dispute.paid.map(|paid| (paid.asset.0, paid.amount));
            format!("payout of {} contradicted by {paid:?} since {}", dispute.withdrawal.0, dispute.opened.0)
        }
        AccountEvent::OptionChanged(option) => {
            let BinaryOption { id, market, direction, quote, terms, open, value, status, settled, .. } = option;
            let (sample, rates) = (open.sample, (terms.profit.0, terms.fee.0, terms.tolerance.0, terms.tie));
            let amounts = (quote.stake, quote.profit, quote.fee, *value);
            let ended = settled.map(|end| {
                let delivery = end.delivery.map(|made| (made.at.0, made.sample.time.0, made.sample.price.0));
                (end.seq.0, end.time.0, delivery, end.outcome, end.received)
            });
            let opened = (open.at.0, sample.time.0, sample.price.0);
            format!("option {} {status:?} {direction:?} in {} {amounts:?} {rates:?} {opened:?} {ended:?}", id.0, market.0)
        }
        AccountEvent::ContractChanged(position) => contract(position),
        AccountEvent::Converted(done) => {
            format!("converted {} of {} by {:?} {} at {}", done.id.0, done.user.0, done.quote.map(|id| id.0), deal(&done.deal), done.time.0)
        }
        AccountEvent::LoanChanged(loan, step) => super::loans::line(loan, step),
        AccountEvent::OfferingChanged(offering) => {
            let Offering { status, committed, wanted, commitments, sold, launched, tranches, due, .. } = &**offering;
            let times = (offering.listed.0, launched.map(|at| at.0), due.map(|at| at.0));
            format!("offering {} {status:?} {committed} {wanted} {commitments} {sold} {tranches} {times:?}", offering.terms.id.0)
        }
        AccountEvent::CommitmentChanged(commitment) => {
            let Commitment { id, user, offering, asset, status, .. } = commitment;
            let Commitment { paid, value, tokens, cost, charge, refund, released, created, changed, .. } = commitment;
            let figures = [*paid, *value, *tokens, *cost, *charge, *refund, *released];
            let what = format!("{} {status:?} of {} to {} in {}", id.0, user.0, offering.0, asset.0);
            format!("commitment {what} {figures:?} {} {}", created.0, changed.0)
        }
        AccountEvent::RebatePaid(rebate) => {
            let Rebate { id, user, level, asset, amount, value, fees, day, payer, time } = rebate;
            let (paid, payer) = ((amount, value, fees), payer.map(|payer| payer.0));
            format!("rebate {} {} {level:?} {} {paid:?} {day} {payer:?} {}", id.0, user.0, asset.0, time.0)
        }
        AccountEvent::PlanChanged(order) => plan(order),
        AccountEvent::Audited { operator, note } => format!("audited {} {:?} {:?} {}", operator.0, note.action, note.object, note.id),
    }
}

fn deal(deal: &Deal) -> String {
    let Deal { from, to, amount, value, gross, fee, from_price, to_price } = deal;
    format!("{amount} of {} worth {value} to {gross} of {} fee {fee} at {} {}", from.0, to.0, from_price.0, to_price.0)
}

fn contract(position: &Position) -> String {
    let Position { id, user, market, direction, lots, multiple, terms, version, status, reason, .. } = position;
    let Position { limit, origin, entry, stops, close, .. } = position;
    let Position { initial_margin, held, open_fee, cap, overnight_paid, profit, close_fee, returned, .. } = position;
    let required = (terms.required.maintenance.0, terms.required.liquidation_fee.0, terms.required.deduction);
    let rates = (terms.fee.0, terms.spread.0, terms.overnight.0);
    let prices = (limit.map(|price| price.0), origin.0, entry.0, close.0);
    let stops = (stops.take_profit.map(|price| price.0), stops.stop_loss.map(|price| price.0));
    let times = (position.created.0, position.opened.map(|at| at.0), position.ended.map(|at| at.0), position.due.0);
    let what = format!("{} {status:?} {reason:?} {direction:?} of {} in {} {lots} at {multiple}", id.0, user.0, market.0);
    let fixed = format!("{} {} {} {} version {version} {rates:?} {required:?}", terms.asset.0, terms.lot, terms.tick.0, terms.value.0);
    let amounts = [*initial_margin, *held, *open_fee, *cap, *overnight_paid, *close_fee, *returned];
    format!("contract {what} under {fixed} {prices:?} {stops:?} {amounts:?} {profit} {times:?}")
}

fn plan(order: &PlanOrder) -> String {
    let PlanOrder { id, user, plan, asset, terms, amount, interest, bought, status, ended } = order;
    let rates = (terms.cycle, terms.day_yield.0, terms.damage.0, terms.agreement);
    let ended = ended.map(|ended| {
        let figures = ended.redemption.map(|found| {
            let redemption = [found.interest, found.damages, found.penalty, found.deduction, found.payout];
            (found.days, found.remaining, redemption)
        });
        (ended.seq.0, ended.time.0, ended.interest, ended.returned, figures)
    });
    format!("plan {} {status:?} of {} in {} {} {amount} {interest} {rates:?} {} {ended:?}", id.0, user.0, plan.0, asset.0, bought.0)
}
