//! The reply to an executed command. The amounts are in the events; a reply says which events are meant.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::backoffice::proposals::Proposal;
use crate::contracts::position::Position;
use crate::convert::conversion::{Conversion, FirmQuote};
use crate::event::{Event, Trade, Transfer};
use crate::funding::deposit::{Deposit, Observation};
use crate::funding::destinations::{Address, Card};
use crate::funding::withdrawal::Withdrawal;
use crate::identity::Identity;
use crate::ids::{OrderId, Seq};
use crate::loans::loan::{Loan, Repayment};
use crate::operators::Operator;
use crate::options::option::BinaryOption;
use crate::plans::order::PlanOrder;
use crate::reject::Reject;
use crate::security::AccountControls;
use crate::self_limits::SelfLimits;
use crate::spot::order::SpotOrder;
use crate::subscriptions::offering::Commitment;
use crate::time::Time;

/// Answer of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Nothing to report.
    Done,
    /// A spot order was placed; [`Outcome::spot_order`] and [`Outcome::trades`] find it and its trades.
    SpotOrderPlaced(OrderId),
    /// A spot order was cancelled; [`Outcome::spot_order`] finds it.
    SpotOrderCancelled(OrderId),
    /// These were cancelled.
    SpotOrdersCancelled(Vec<OrderId>),
    /// Money moved between wallets.
    Transferred(Transfer),
    /// Paper funds came: available balance afterwards.
    Credited {
        /// Atoms available.
        available: Amount,
    },
    /// A sandbox price was accepted.
    Priced {
        /// The price.
        price: Price,
    },
    /// An address was stored.
    Address(Box<Address>),
    /// A card was stored.
    Card(Box<Card>),
    /// The current state of a deposit notice.
    Deposit(Box<Deposit>),
    /// The current state of an observed payment.
    Observation(Box<Observation>),
    /// The current state of a withdrawal.
    Withdrawal(Box<Withdrawal>),
    /// The current state of a level of verification.
    Identity(Box<Identity>),
    /// The current state of a member's protection.
    Security(AccountControls),
    /// The current state of a proposal.
    Proposal(Box<Proposal>),
    /// A member's own limits at this instant.
    SelfLimits(Box<SelfLimits>, Time),
    /// An operator as the log knows them now.
    Operator(Operator),
    /// An option as it was bought.
    Option(Box<BinaryOption>),
    /// The current state of a contract.
    Contract(Box<Position>),
    /// A quote of a conversion.
    Quote(Box<FirmQuote>),
    /// A conversion that was done.
    Conversion(Box<Conversion>),
    /// The current state of a loan.
    Loan(Box<Loan>),
    /// The current state of a loan, and the repayment.
    LoanRepaid(Box<Loan>, Repayment),
    /// A commitment as it was made.
    Commitment(Box<Commitment>),
    /// The current state of a plan order.
    Plan(Box<PlanOrder>),
    /// A spot order moved to another price; [`Outcome::spot_order`] and [`Outcome::trades`] find the new one and its trades.
    SpotOrderMoved {
        /// The new order.
        order: OrderId,
        /// The order that it replaced.
        replaced: OrderId,
    },
}

/// Result of applying one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was done, or why nothing was. For a repetition whose first answer the history has: [`Reject::DuplicateRequest`], until
    /// [`Outcome::complete`].
    pub result: Result<Reply, Reject>,
    /// Set when the request was a repetition: the first answer, and nothing was executed now.
    pub repeated: Option<Repeated>,
    /// The answer that the history stores for repetitions of this request.
    pub in_history: Option<FirstAnswer>,
}

/// A first answer, returned again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The entry that was answered first.
    pub seq: Seq,
    /// The events of that entry which its answer shows; `None`: the history has the answer.
    pub facts: Option<Vec<Event>>,
}

/// The complete answer to a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstAnswer {
    /// What was done, or why nothing was.
    pub result: Result<Reply, Reject>,
    /// The events that the answer shows.
    pub facts: Vec<Event>,
}

impl FirstAnswer {
    /// The bytes under which it is stored for 24 h, and so also across the start of another release: those of `postcard`, whose first byte
    /// is 0 or 1. A format that replaces this one begins with a number of its own, from 2 on, so neither is read as the other.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("plain values always encode")
    }

    /// Parses [`FirstAnswer::to_bytes`]; `None` for bytes in another format, and for trailing bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<FirstAnswer> {
        match postcard::take_from_bytes(bytes) {
            Ok((first, [])) => Some(first),
            Ok(_) | Err(_) => None,
        }
    }

    /// `events`: those of the command.
    pub(crate) fn of(result: Result<Reply, Reject>, events: &[Event]) -> FirstAnswer {
        let facts = result.as_ref().map(|reply| reply.facts(events)).unwrap_or_default();
        FirstAnswer { result, facts }
    }
}

impl Outcome {
    /// For a request that is not stored.
    pub(crate) fn of(result: Result<Reply, Reject>) -> Outcome {
        Outcome { result, repeated: None, in_history: None }
    }

    /// Of a repetition.
    pub(crate) fn again(seq: Seq, answer: Option<FirstAnswer>) -> Outcome {
        let mut outcome = Outcome { repeated: Some(Repeated { seq, facts: None }), ..Outcome::of(Err(Reject::DuplicateRequest)) };
        if let Some(first) = answer {
            outcome.complete(first);
        }
        outcome
    }

    /// The first entry of a repetition whose answer the history has.
    pub fn is_answered_by(&self) -> Option<Seq> {
        self.repeated.as_ref().filter(|repeated| repeated.facts.is_none()).map(|repeated| repeated.seq)
    }

    /// Puts the first answer into the outcome of its repetition.
    pub fn complete(&mut self, first: FirstAnswer) {
        self.result = first.result;
        if let Some(repeated) = &mut self.repeated {
            repeated.facts = Some(first.facts);
        }
    }

    /// The order of a placing, moving or cancelling reply, in its state when the command was executed. `events` are those of this command.
    pub fn spot_order<'a>(&'a self, events: &'a [Event]) -> Option<&'a SpotOrder> {
        let id = self.result.as_ref().ok()?.order()?;
        let mut changed =
            self.facts(events).iter().rev().filter_map(|event| if let Event::SpotOrderChanged(order) = event { Some(order) } else { None });
        changed.find(|order| order.id == id)
    }

    /// The trades of a placing or moving reply, in order. `events` are those of this command.
    pub fn trades<'a>(&'a self, events: &'a [Event]) -> impl Iterator<Item = &'a Trade> {
        let id = self.result.as_ref().ok().and_then(Reply::order);
        let traded = self.facts(events).iter().filter_map(|event| if let Event::Traded(trade) = event { Some(trade) } else { None });
        traded.filter(move |trade| Some(trade.taker.order) == id)
    }

    fn facts<'a>(&'a self, events: &'a [Event]) -> &'a [Event] {
        self.repeated.as_ref().map_or(events, |repeated| repeated.facts.as_deref().unwrap_or_default())
    }
}

impl Reply {
    fn order(&self) -> Option<OrderId> {
        match self {
            Reply::SpotOrderPlaced(id) | Reply::SpotOrderCancelled(id) | Reply::SpotOrderMoved { order: id, .. } => Some(*id),
            Reply::Done
            | Reply::SpotOrdersCancelled(_)
            | Reply::Transferred(_)
            | Reply::Credited { .. }
            | Reply::Priced { .. }
            | Reply::Address(_)
            | Reply::Card(_)
            | Reply::Deposit(_)
            | Reply::Observation(_)
            | Reply::Withdrawal(_)
            | Reply::Identity(_)
            | Reply::Security(_)
            | Reply::Proposal(_)
            | Reply::SelfLimits(..)
            | Reply::Operator(_)
            | Reply::Option(_)
            | Reply::Contract(_)
            | Reply::Quote(_)
            | Reply::Conversion(_)
            | Reply::Loan(_)
            | Reply::LoanRepaid(..)
            | Reply::Commitment(_)
            | Reply::Plan(_) => None,
        }
    }

    /// The events that the answer shows.
    pub(crate) fn facts(&self, events: &[Event]) -> Vec<Event> {
        let Some(id) = self.order() else { return Vec::new() };
        let shown = |event: &&Event| {
            let order = if let Event::SpotOrderChanged(order) = event { Some(order.id) } else { None };
            let taker = if let Event::Traded(trade) = event { Some(trade.taker.order) } else { None };
            order.or(taker) == Some(id)
        };
        events.iter().filter(shown).cloned().collect()
    }
}
