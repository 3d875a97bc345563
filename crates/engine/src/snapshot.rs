//! The whole state as bytes, in one canonical form: equal states have equal bytes, whatever way they came about (I-10).

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Engine;
use crate::catalog::Catalog;
use crate::command::Mode;
use crate::funding::Funding;
use crate::identity::Identities;
use crate::ids::Seq;
use crate::index::Indices;
use crate::ledger::{CoinState, Ledger};
use crate::members::{Member, Members};
use crate::operations::Operations;
use crate::requests::{Answer, Requests};
use crate::security::Securities;
use crate::self_limits::AllSelfLimits;
use crate::spot::{Spot, SpotState};
use crate::time::Time;

/// Version of the form; a snapshot of another version is not read, the log is replayed instead.
const FORMAT: u16 = 3;

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
        postcard::to_allocvec(&state).expect("plain values always encode")
    }

    /// SHA-256 of the canonical form.
    pub fn state_hash(&self) -> [u8; 32] {
        Sha256::digest(self.snapshot()).into()
    }

    /// The state that gave these bytes; `None` if they are damaged or of another format.
    pub fn restore(bytes: &[u8]) -> Option<Engine> {
        let Ok((state, [])) = postcard::take_from_bytes::<State>(bytes) else { return None };
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
        let ledger = Ledger::restore(members.len(), state.ledger)?;
        let spot = Spot::new(&state.catalog, &ledger)?.restore(state.spot, &members)?;
        Some(Engine {
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
        })
    }
}
