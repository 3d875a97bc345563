//! The whole state as bytes, in one canonical form: equal states have equal bytes, whatever way they came about (I-10).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Engine;
use crate::catalog::Catalog;
use crate::command::Mode;
use crate::feature::Features;
use crate::funding::Funding;
use crate::identity::Identities;
use crate::ids::Seq;
use crate::index::Indices;
use crate::ledger::{CoinState, Ledger, ListedCoinState};
use crate::members::{Member, Members};
use crate::operations::Operations;
use crate::operators::Operators;
use crate::requests::{Answer, Requests};
use crate::scheduler::Scheduler;
use crate::security::Securities;
use crate::self_limits::AllSelfLimits;
use crate::spot::{Spot, SpotState};
use crate::time::Time;

/// Version of the form; a snapshot of another version is not read, the log is replayed instead.
pub const FORMAT: u16 = 3;

/// Tags of the sections behind the main form. State that came after form 3 has a section of its own, which is written only when it is not
/// the default: so the state of an old log keeps its bytes and its hash.
const FEATURES: u16 = 1;
const OPERATORS: u16 = 2;
const LISTED_COINS: u16 = 10;

/// What the sections of a snapshot say; what has none is empty.
#[derive(Default)]
struct Sections {
    features: Features,
    operators: Operators,
    listed_coins: Vec<ListedCoinState>,
}

fn section<T: Serialize + Default + PartialEq>(bytes: &mut Vec<u8>, tag: u16, value: &T) {
    if *value != T::default() {
        let content = postcard::to_allocvec(value).expect("plain values always encode");
        bytes.append(&mut postcard::to_allocvec(&(tag, content.as_slice())).expect("plain values always encode"));
    }
}

/// The whole content as one value, which is not the default.
fn value<T: DeserializeOwned + Default + PartialEq>(content: &[u8]) -> Option<T> {
    match postcard::take_from_bytes::<T>(content) {
        Ok((value, [])) if value != T::default() => Some(value),
        Ok(_) | Err(_) => None,
    }
}

#[derive(Serialize, Deserialize)]
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
    security: Securities,
    self_limits: AllSelfLimits,
    identities: Identities,
    funding: Funding,
    operations: Operations,
}

impl Engine {
    /// The state in its canonical form.
    pub fn snapshot(&self) -> Vec<u8> {
        let state = State {
            format: FORMAT,
            mode: self.mode,
            seq: self.seq,
            time: self.time,
            catalog: self.catalog.clone(),
            members: self.members.list().to_vec(),
            ledger: self.ledger.state(),
            indices: self.indices.clone(),
            spot: self.spot.state(),
            requests: self.requests.state(),
            security: self.security.clone(),
            self_limits: self.self_limits.clone(),
            identities: self.identities.clone(),
            funding: self.funding.clone(),
            operations: self.operations.clone(),
        };
        let mut bytes = postcard::to_allocvec(&state).expect("plain values always encode");
        self.write_sections(&mut bytes);
        bytes
    }

    /// Every section whose value is not what a log without it has. Tags rise, so that equal states have equal bytes.
    fn write_sections(&self, bytes: &mut Vec<u8>) {
        section(bytes, FEATURES, &self.features);
        section(bytes, OPERATORS, &self.operators);
        section(bytes, LISTED_COINS, &self.ledger.listed());
    }

    /// SHA-256 of the canonical form.
    pub fn state_hash(&self) -> [u8; 32] {
        Sha256::digest(self.snapshot()).into()
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
        let spot = restored_spot(&state.catalog, &state.operations, &ledger)?.restore(state.spot, &members)?;
        let mut engine = Engine {
            mode: state.mode,
            seq: state.seq,
            time: state.time,
            catalog: state.catalog,
            members,
            ledger,
            indices: state.indices,
            spot,
            requests: Requests::restore(state.requests),
            security: state.security,
            self_limits: state.self_limits,
            identities: state.identities,
            funding: state.funding,
            operations: state.operations,
            features: sections.features,
            operators: sections.operators,
            scheduler: Scheduler::default(),
        };
        engine.count_open_objects()?;
        Some(engine)
    }
}

/// Takes the sections behind the main form; `None` for a tag of a later release, and for what [`Engine::write_sections`] would not write.
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
            LISTED_COINS => sections.listed_coins = value(content)?,
            _ => return None,
        }
        (last, bytes) = (tag, rest);
    }
    Some(sections)
}

/// Its pairs: those of genesis, then those that were listed later.
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
    use crate::feature::Feature;

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
