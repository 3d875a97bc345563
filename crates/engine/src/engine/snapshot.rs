//! The whole state as bytes, in one canonical form: equal states have equal bytes, however they came about (I-10).

use std::convert::Infallible;

use postcard::ser_flavors::{Flavor, Size};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Engine;
use crate::backoffice::operations::Operations;
use crate::catalog::Catalog;
use crate::command::Mode;
use crate::contracts::{Contracts, ContractsState};
use crate::convert::{Conversions, ConversionsState};
use crate::feature::{Feature, Features};
use crate::funding::payouts::Disputes;
use crate::funding::{FinalPayments, Funding, Payments};
use crate::identity::Identities;
use crate::ids::{MarketId, MemberIndex, Seq, to_u32};
use crate::index::Indices;
use crate::index::ring::Ring;
use crate::ledger::{CoinState, Ledger, ListedCoinState};
use crate::loans::{Loans, LoansState};
use crate::members::{Member, Members};
use crate::operators::Operators;
use crate::options::pool_days::PoolDays;
use crate::options::{Options, OptionsState};
use crate::plans::{Plans, PlansState};
use crate::referral::{Referrals, ReferralsState};
use crate::requests::{Answer, Answered, Requests};
use crate::scheduler::Scheduler;
use crate::security::ControlsOfMembers;
use crate::self_limits::{AllSelfLimits, DayUses};
use crate::spot::{Spot, SpotState, TradedPrices};
use crate::subscriptions::{Subscriptions, SubscriptionsState};
use crate::time::Time;

/// Version of the form; a snapshot of another version is not read, the log is replayed instead.
pub const FORMAT: u16 = 3;

/// Tags of the sections after the main form. State added after form 3 has its own section, written only when it is not the default: so the
/// state of an old log keeps its bytes and its hash.
const FEATURES: u16 = 1;
const OPERATORS: u16 = 2;
const REQUESTS: u16 = 3;
const INDEX_RINGS: u16 = 4;
const FINAL_PAYMENTS: u16 = 5;
const PAYMENTS: u16 = 6;
const PAYOUTS: u16 = 7;
const LISTED_COINS: u16 = 10;
const OPTIONS: u16 = 11;
const DAY_USES: u16 = 12;
const CONTRACTS: u16 = 13;
const CONVERSIONS: u16 = 14;
const PLANS: u16 = 15;
const LOANS: u16 = 16;
const SUBSCRIPTIONS: u16 = 17;
const REFERRALS: u16 = 18;
const OPTION_POOL_DAYS: u16 = 19;
const TRADED_PRICES: u16 = 20;

/// The content of a snapshot's sections; a missing section is empty.
#[derive(Default)]
struct Sections {
    features: Features,
    operators: Operators,
    requests: Vec<Answered>,
    index_rings: Vec<(MarketId, Ring)>,
    final_payments: FinalPayments,
    payments: Payments,
    payouts: Disputes,
    listed_coins: Vec<ListedCoinState>,
    options: OptionsState,
    day_uses: DayUses,
    contracts: ContractsState,
    conversions: ConversionsState,
    loans: LoansState,
    subscriptions: SubscriptionsState,
    referrals: ReferralsState,
    option_pool_days: PoolDays,
    traded_prices: Vec<(MarketId, TradedPrices)>,
    plans: PlansState,
}

/// The whole content as one value, which is not the default.
fn value<T: DeserializeOwned + Default + PartialEq>(content: &[u8]) -> Option<T> {
    match postcard::take_from_bytes::<T>(content) {
        Ok((value, [])) if value != T::default() => Some(value),
        Ok(_) | Err(_) => None,
    }
}

/// The main form. [`Engine::write_snapshot`] writes these fields in this order.
#[derive(Deserialize)]
struct State {
    format: u16,
    mode: Mode,
    seq: Seq,
    time: Time,
    catalog: Catalog,
    members: Vec<Member>,
    ledger: Vec<CoinState>,
    indices: Indices,
    spot: SpotState,
    requests: Vec<(u128, Answer)>,
    security: ControlsOfMembers,
    self_limits: AllSelfLimits,
    identities: Identities,
    funding: Funding,
    operations: Operations,
}

/// Approximate bytes passed on at a time.
const PIECE: usize = 64 << 10;

/// Passes the bytes on in pieces. After a failure nothing more is passed on.
struct Pieces<'a, E> {
    buffer: Vec<u8>,
    write: &'a mut dyn FnMut(&[u8]) -> Result<(), E>,
    failed: Option<E>,
}

impl<E> Pieces<'_, E> {
    /// Writes a value; values one after another have the bytes of a struct of them.
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) {
        if self.failed.is_none() {
            let done = postcard::serialize_with_flavor(value, &mut *self);
            debug_assert!(done.is_ok() || self.failed.is_some(), "plain values always encode");
        }
    }

    /// Writes a section, if it is not the default.
    fn section<T: Serialize + Default + PartialEq>(&mut self, tag: u16, value: &T) {
        if *value != T::default() {
            self.written_section(tag, value);
        }
    }

    /// The bytes of a tag and of a slice with the value in it, which is never in memory as a whole.
    fn written_section<T: Serialize>(&mut self, tag: u16, value: &T) {
        let length = postcard::serialize_with_flavor(value, Size::default()).expect("plain values always encode");
        self.add(&(tag, length));
        self.add(value);
    }

    fn hand_over(&mut self) -> postcard::Result<()> {
        if let Err(error) = (self.write)(&self.buffer) {
            self.failed = Some(error);
            return Err(postcard::Error::SerializeBufferFull);
        }
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(), E> {
        if self.failed.is_none() {
            // `failed` keeps the reason of a failure.
            let _ = self.hand_over();
        }
        self.failed.map_or(Ok(()), Err)
    }
}

/// Written as a list; each value is made only when its turn comes.
struct List<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for List<I> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

impl<E> Flavor for &mut Pieces<'_, E> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.buffer.push(byte);
        if self.buffer.len() < PIECE { Ok(()) } else { self.hand_over() }
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < PIECE { Ok(()) } else { self.hand_over() }
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

impl Engine {
    /// The state in its canonical form.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let Ok(()) = self.write_snapshot(&mut |piece| {
            bytes.extend_from_slice(piece);
            Ok::<(), Infallible>(())
        });
        bytes
    }

    /// The same bytes, piece by piece, so they are never in memory all at once.
    ///
    /// # Errors
    /// The first one of `write`, which is not called again.
    pub fn write_snapshot<E>(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut pieces = Pieces { buffer: Vec::with_capacity(PIECE), write, failed: None };
        pieces.add(&(FORMAT, self.mode, self.seq, self.time));
        pieces.add(&self.catalog);
        pieces.add(self.members.list());
        pieces.add(&List(self.ledger.state()));
        pieces.add(&self.indices);
        pieces.add(&self.spot.state());
        pieces.add(&self.requests.written_state());
        pieces.add(&self.security);
        pieces.add(&self.self_limits);
        pieces.add(&self.identities);
        pieces.add(&self.funding);
        pieces.add(&self.operations);
        self.write_sections(&mut pieces);
        pieces.finish()
    }

    /// Every section whose value differs from that of a log without it. Tags rise, so equal states have equal bytes.
    fn write_sections<E>(&self, pieces: &mut Pieces<'_, E>) {
        pieces.section(FEATURES, &self.features);
        pieces.section(OPERATORS, &self.operators);
        pieces.section(REQUESTS, &self.requests.state());
        pieces.section(INDEX_RINGS, &self.indices.rings());
        if let Some(finals) = self.funding.finals() {
            pieces.written_section(FINAL_PAYMENTS, &finals);
        }
        pieces.section(PAYMENTS, &self.funding.payments());
        pieces.section(PAYOUTS, &self.funding.withdrawals.disputes);
        pieces.section(LISTED_COINS, &self.ledger.listed());
        pieces.section(OPTIONS, &self.options.state());
        pieces.section(DAY_USES, &self.day_uses);
        pieces.section(CONTRACTS, &self.contracts.state());
        pieces.section(CONVERSIONS, &self.conversions.state());
        pieces.section(PLANS, &self.plans.state());
        pieces.section(LOANS, &self.loans.state());
        pieces.section(SUBSCRIPTIONS, &self.subscriptions.state());
        pieces.section(REFERRALS, &self.referrals.state());
        pieces.section(OPTION_POOL_DAYS, self.options.days());
        pieces.section(TRADED_PRICES, &self.spot.traded());
    }

    /// SHA-256 of the canonical form.
    pub fn state_hash(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        let Ok(()) = self.write_snapshot(&mut |piece| {
            digest.update(piece);
            Ok::<(), Infallible>(())
        });
        digest.finalize().into()
    }

    /// The state that gave these bytes; `None` if they are damaged or of another format.
    pub fn restore(bytes: &[u8]) -> Option<Engine> {
        let (state, sections) = postcard::take_from_bytes::<State>(bytes).ok()?;
        let sections = read_sections(sections)?;
        if state.format != FORMAT || state.catalog.fault().is_some() {
            return None;
        }
        let mut members = Members::default();
        if !state.members.iter().all(|member| members.add(*member)) {
            return None;
        }
        if state.security.len() != members.len() {
            return None;
        }
        let ledger = Ledger::restore(members.len(), state.ledger, sections.listed_coins)?;
        let spot = restored_spot(&state.catalog, &state.operations, &ledger)?
            .restore(state.spot, &members)?
            .with_traded(sections.traded_prices)?;
        let contracts = Contracts::restore(sections.contracts, &members)?;
        let loans = Loans::restore(sections.loans, &members)?;
        let subscriptions = Subscriptions::restore(sections.subscriptions, &members)?;
        let mut engine = Engine {
            mode: state.mode,
            seq: state.seq,
            time: state.time,
            catalog: state.catalog,
            members,
            ledger,
            indices: state.indices.with_rings(sections.index_rings)?,
            spot,
            requests: Requests::restore(&state.requests, &sections.requests),
            security: state.security,
            self_limits: state.self_limits,
            identities: state.identities,
            funding: state.funding.with_payments(sections.payments).with_finals(sections.final_payments).with_disputes(sections.payouts),
            operations: state.operations,
            features: sections.features,
            operators: sections.operators,
            options: Options::restore(sections.options)?.with_days(sections.option_pool_days),
            day_uses: sections.day_uses,
            contracts,
            conversions: Conversions::restore(sections.conversions)?,
            loans,
            subscriptions,
            referrals: Referrals::default(),
            plans: Plans::restore(sections.plans)?,
            scheduler: Scheduler::default(),
            quiet_until: Time(0),
        };
        if engine.active(Feature::ProductCorrections) {
            engine.indices.begin_doubting();
        }
        let bought = engine.options.open().map(|option| option.user).chain(engine.plans.open().map(|order| order.user));
        let owned = bought.into_iter().all(|user| engine.members.index(user).is_some());
        let known = engine.conversions.users().all(|user| engine.members.index(user).is_some()) && engine.conversions_fault().is_none();
        engine.restore_referrals(sections.referrals)?;
        engine.count_open_objects().filter(|()| owned && known)?;
        Some(engine)
    }
}

impl Engine {
    fn restore_referrals(&mut self, state: ReferralsState) -> Option<()> {
        let user = |member| self.members.at(member).map(|holder| holder.user);
        self.referrals = Referrals::restore(state, user, |member| self.is_verified(member))?;
        for member in (0..to_u32(self.members.len())).map(MemberIndex) {
            if self.referrals.inviter(member).is_some() {
                self.ledger.note_fees_of(member);
            }
        }
        Some(())
    }
}

/// Reads the sections after the main form; `None` for a tag of a later release, and for content that [`Engine::write_sections`] would not
/// write.
fn read_sections(mut bytes: &[u8]) -> Option<Sections> {
    let (mut sections, mut last) = (Sections::default(), 0);
    while !bytes.is_empty() {
        let ((tag, content), rest) = postcard::take_from_bytes::<(u16, &[u8])>(bytes).ok()?;
        if tag <= last {
            return None;
        }
        match tag {
            FEATURES => sections.features = value(content)?,
            OPERATORS => sections.operators = value(content)?,
            REQUESTS => sections.requests = value(content)?,
            INDEX_RINGS => sections.index_rings = value(content)?,
            FINAL_PAYMENTS => sections.final_payments = value(content)?,
            PAYMENTS => sections.payments = value(content)?,
            PAYOUTS => sections.payouts = value(content)?,
            LISTED_COINS => sections.listed_coins = value(content)?,
            OPTIONS => sections.options = value(content)?,
            DAY_USES => sections.day_uses = value(content)?,
            CONTRACTS => sections.contracts = value(content)?,
            CONVERSIONS => sections.conversions = value(content)?,
            LOANS => sections.loans = value(content)?,
            SUBSCRIPTIONS => sections.subscriptions = value(content)?,
            REFERRALS => sections.referrals = value(content)?,
            OPTION_POOL_DAYS => sections.option_pool_days = value(content)?,
            TRADED_PRICES => sections.traded_prices = value(content)?,
            PLANS => sections.plans = value(content)?,
            _ => return None,
        }
        (last, bytes) = (tag, rest);
    }
    Some(sections)
}

/// Its pairs: those of genesis, then those listed later.
fn restored_spot(catalog: &Catalog, operations: &Operations, ledger: &Ledger) -> Option<Spot> {
    let of_genesis = catalog.markets.len().checked_sub(operations.listed_markets().count())?;
    let mut spot = Spot::new(catalog.markets.get(..of_genesis)?, catalog, ledger)?;
    for (market, issue_price) in operations.listed_markets() {
        spot.list(catalog.market(market)?, issue_price, catalog, ledger)?;
    }
    Some(spot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Command, Entry};
    use crate::ids::UserId;

    fn activated() -> Engine {
        let mut engine = Engine::default();
        for (seq, command) in [(1, Command::Clock), (2, Command::Activate(Feature::FrozenCards))] {
            engine.apply(&Entry { seq: Seq(seq), time: Time(1), request: None, command }, &mut Vec::new()).result.unwrap();
        }
        engine
    }

    #[test]
    fn a_section_is_written_only_when_it_says_something_and_comes_back() {
        let main = postcard::to_allocvec(&(FORMAT, Mode::Live)).unwrap();
        assert!(Engine::default().snapshot().starts_with(&main));
        let (without, with) = (Engine::default(), activated());
        assert!(postcard::take_from_bytes::<State>(&without.snapshot()).unwrap().1.is_empty());
        let bytes = with.snapshot();
        assert!(!postcard::take_from_bytes::<State>(&bytes).unwrap().1.is_empty());
        let restored = Engine::restore(&bytes).unwrap();
        assert!(restored.active(Feature::FrozenCards));
        assert_eq!(restored.snapshot(), bytes);
    }

    #[test]
    fn the_pieces_of_a_large_state_are_small_and_a_failure_ends_them() {
        let mut engine = Engine::default();
        for user in 1..=20_000 {
            let _ = engine.members.add(Member { user: UserId(user), house: false, since: Time(user) });
        }
        let (mut together, mut longest) = (Vec::new(), 0);
        let Ok(()) = engine.write_snapshot(&mut |piece: &[u8]| {
            together.extend_from_slice(piece);
            longest = longest.max(piece.len());
            Ok::<(), Infallible>(())
        });
        assert!(together.len() > PIECE && longest < PIECE + 1_024, "{} in pieces of at most {longest}", together.len());
        assert_eq!((engine.snapshot(), engine.state_hash()), (together.clone(), Sha256::digest(&together).into()));
        let mut calls = 0;
        let failed = engine.write_snapshot(&mut |_| {
            calls += 1;
            Err("the disk is full")
        });
        assert_eq!((failed, calls), (Err("the disk is full"), 1));
    }

    #[test]
    fn sections_of_a_later_release_repeated_ones_and_idle_ones_are_refused() {
        let bytes = activated().snapshot();
        let (_, sections) = postcard::take_from_bytes::<State>(&bytes).unwrap();
        let with = |more: &[u8]| Engine::restore(&[&bytes, more].concat());
        assert!(with(&[]).is_some());
        assert!(with(sections).is_none(), "a tag comes once");
        assert!(with(&postcard::to_allocvec(&(u16::MAX, [1u8].as_slice())).unwrap()).is_none(), "an unknown tag");
        assert!(with(&[0]).is_none(), "a torn section");
        let main = &bytes[..bytes.len() - sections.len()];
        assert!(Engine::restore(&[main, &postcard::to_allocvec(&(FEATURES, [0u8].as_slice())).unwrap()].concat()).is_none(), "an idle one");
    }
}
