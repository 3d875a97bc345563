//! Conversions: one coin for another at the index, against the conversion pool (`docs/rules.md` 8).
//!
//! A quote holds and reserves nothing, so it costs the house no more than the price move that F-4 allows. The rules see the ledger and the
//! events, never the engine.

pub mod conversion;
pub mod terms;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::catalog::Wallet;
use crate::event::{AccountEvent, Event};
use crate::ids::{ConversionId, QuoteId, Seq, UserId};
use crate::ledger::{Available, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason};
use crate::reject::Reject;
use crate::time::{MINUTE_MS, Time};
use conversion::{Conversion, Deal, FirmQuote};
use terms::ConversionTerms;

const POOL: HouseAccount = HouseAccount::FlashPool;

/// Quotes kept for one member; a further one replaces the oldest.
pub const MOST_QUOTES: usize = 8;

/// A quote is still known for this long after its end, so its owner learns that it expired, or was used, ms.
pub const KEPT_MS: u64 = 5 * MINUTE_MS;

/// What a conversion works with.
pub(crate) struct ConversionContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) seq: Seq,
    pub(crate) now: Time,
}

/// Terms, quotes, and today's conversions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversions {
    /// `None` before [`crate::feature::Feature::Conversions`].
    terms: Option<ConversionTerms>,
    quotes: BTreeMap<QuoteId, FirmQuote>,
    /// The UTC day of `used`.
    day: u64,
    /// Value of each member's conversions on that day, atoms of the coin of the bank terms.
    used: BTreeMap<UserId, Amount>,
    /// Derived from the quotes, as is `leaving`: when each is forgotten.
    of_member: BTreeMap<UserId, BTreeSet<QuoteId>>,
    leaving: BTreeSet<(Time, QuoteId)>,
}

/// The same in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConversionsState {
    terms: Option<ConversionTerms>,
    quotes: Vec<FirmQuote>,
    day: u64,
    used: Vec<(UserId, Amount)>,
}

fn leaves(quote: &FirmQuote) -> (Time, QuoteId) {
    (quote.expires.plus(KEPT_MS), quote.id)
}

impl Conversions {
    pub(crate) fn terms(&self) -> Option<&ConversionTerms> {
        self.terms.as_ref()
    }

    /// The standard terms are in force from here on.
    pub(crate) fn begin(&mut self) {
        self.terms = Some(ConversionTerms::standard());
    }

    /// Other terms are in force from here on.
    pub(crate) fn set_terms(&mut self, terms: ConversionTerms) {
        self.terms = Some(terms);
    }

    /// Known quotes, oldest first.
    pub(crate) fn quotes(&self) -> impl DoubleEndedIterator<Item = &FirmQuote> {
        self.quotes.values()
    }

    /// A quote of a member.
    pub(crate) fn quote_of(&self, user: UserId, id: QuoteId) -> Option<&FirmQuote> {
        self.quotes.get(&id).filter(|quote| quote.user == user)
    }

    /// A member's conversions today.
    pub(crate) fn used(&self, user: UserId, now: Time) -> Amount {
        if now.day() == self.day { self.used.get(&user).copied().unwrap_or(0) } else { 0 }
    }

    /// Today's conversions and this one stay within the day's limit.
    pub(crate) fn check_day(&self, user: UserId, value: Amount, limit: Amount, now: Time) -> Result<(), Reject> {
        let left = limit.saturating_sub(self.used(user, now));
        if value > left { Err(Reject::ConversionDay { left }) } else { Ok(()) }
    }

    /// F-3: stores a quote.
    pub(crate) fn quote(&mut self, quote: FirmQuote) {
        self.keep(quote);
        let of_member = self.of_member.get(&quote.user);
        if let Some(oldest) = of_member.filter(|own| own.len() > MOST_QUOTES).and_then(BTreeSet::first).copied() {
            self.drop_quote(oldest);
        }
    }

    /// F-3: a member's quote that can still be accepted.
    pub(crate) fn acceptable(&self, user: UserId, id: QuoteId, now: Time) -> Result<&FirmQuote, Reject> {
        let quote = self.quote_of(user, id).ok_or(Reject::NotFound)?;
        match quote {
            FirmQuote { used: true, .. } => Err(Reject::WrongState),
            FirmQuote { expires, .. } if now > *expires => Err(Reject::QuoteExpired),
            quote => Ok(quote),
        }
    }

    /// F-5. A quote is used up by it.
    pub(crate) fn convert(
        &mut self,
        context: &mut ConversionContext,
        holder: Holder,
        deal: Deal,
        quote: Option<QuoteId>,
    ) -> Result<Conversion, Reject> {
        let unlisted = || Reject::BadAsset;
        let (from, to) = (context.ledger.asset(deal.from).ok_or_else(unlisted)?, context.ledger.asset(deal.to).ok_or_else(unlisted)?);
        let available = context.ledger.available(holder.member, Wallet::Spot, from);
        if available < deal.amount {
            return Err(Reject::Insufficient { asset: deal.from, available, needed: deal.amount });
        }
        let free = context.ledger.house(POOL, to).saturating_sub(context.ledger.reserved(POOL, to));
        if free < deal.gross {
            return Err(Reject::PoolShort { free });
        }
        let conversion = Conversion { id: ConversionId(context.seq.0), user: holder.user, quote, deal, time: context.now };
        let id = conversion.id.0;
        let because = |kind| Reason { kind, object: ObjectKind::Conversion, debit_id: id, credit_id: id };
        let wallet = Available(holder, Wallet::Spot);
        context.ledger.transfer(from, wallet, POOL, deal.amount, because(LineKind::ConversionSold), context.events);
        context.ledger.transfer(to, POOL, wallet, deal.gross, because(LineKind::ConversionReceived), context.events);
        context.ledger.transfer(to, wallet, HouseAccount::Fee, deal.fee, because(LineKind::ConversionFee), context.events);
        if let Some(accepted) = quote.and_then(|quote| self.quotes.get_mut(&quote)) {
            accepted.used = true;
        }
        self.use_day(holder.user, deal.value, context.now);
        context.events.push(AccountEvent::Converted(conversion).into());
        Ok(conversion)
    }

    fn use_day(&mut self, user: UserId, value: Amount, now: Time) {
        if now.day() != self.day {
            (self.day, self.used) = (now.day(), BTreeMap::new());
        }
        let used = self.used.entry(user).or_default();
        *used = used.saturating_add(value);
    }

    /// Quotes that ended long ago leave.
    pub(crate) fn forget(&mut self, now: Time) {
        while let Some((_, id)) = self.leaving.first().copied().filter(|(at, _)| *at < now) {
            self.drop_quote(id);
        }
    }

    /// When the next quote will be forgotten.
    pub(crate) fn next_forgotten(&self) -> Option<Time> {
        self.leaving.first().map(|(at, _)| at.plus(1))
    }

    fn keep(&mut self, quote: FirmQuote) {
        self.of_member.entry(quote.user).or_default().insert(quote.id);
        self.leaving.insert(leaves(&quote));
        self.quotes.insert(quote.id, quote);
    }

    fn drop_quote(&mut self, id: QuoteId) {
        let Some(quote) = self.quotes.remove(&id) else { return };
        self.leaving.remove(&leaves(&quote));
        if let Some(own) = self.of_member.get_mut(&quote.user) {
            own.remove(&id);
            if own.is_empty() {
                self.of_member.remove(&quote.user);
            }
        }
    }

    pub(crate) fn state(&self) -> ConversionsState {
        ConversionsState {
            terms: self.terms,
            quotes: self.quotes.values().copied().collect(),
            day: self.day,
            used: self.used.iter().map(|(user, used)| (*user, *used)).collect(),
        }
    }

    /// `None` for a state that [`Conversions::state`] would not produce.
    pub(crate) fn restore(state: ConversionsState) -> Option<Conversions> {
        let used = state.used.iter().copied().collect();
        let mut conversions = Conversions { terms: state.terms, day: state.day, used, ..Conversions::default() };
        state.quotes.iter().for_each(|quote| conversions.keep(*quote));
        (conversions.state() == state).then_some(conversions)
    }

    /// Every member with stored data.
    pub(crate) fn users(&self) -> impl Iterator<Item = UserId> {
        self.used.keys().chain(self.of_member.keys()).copied()
    }

    /// I-11: every quote matches its terms and prices, as computed by `deal`; no member has more than the allowed number.
    pub(crate) fn fault(&self, deal: impl Fn(&FirmQuote) -> Option<Deal>) -> Option<String> {
        let wrong = self.quotes.values().find(|quote| deal(quote) != Some(quote.deal));
        let listed: usize = self.of_member.values().map(BTreeSet::len).sum();
        let most = self.of_member.values().map(BTreeSet::len).max().unwrap_or(0);
        match wrong {
            Some(quote) => Some(format!("I-11: quote {} is not what its terms come to", quote.id.0)),
            None if most > MOST_QUOTES => Some(format!("a member has {most} quotes")),
            None if listed != self.quotes.len() || self.leaving.len() != listed => Some("the quotes are not those of members".to_owned()),
            None => None,
        }
    }
}
