//! How an entry is written into the log: kind, version, a public part that anyone may read and a private part that is sealed (`api.md` 10).
//!
//! Both parts are the `postcard` encoding of the tuples below, which is fixed for ever for a kind and version. A new meaning gets a new version.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::command::{Command, Entry, PlaceSpotOrder, Request};
use crate::ids::Seq;
use crate::time::Time;

/// An entry's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// Kind of command.
    pub kind: u16,
    /// Version of that kind.
    pub version: u8,
    /// What anyone may read: no users, no balances of users.
    pub public: Vec<u8>,
    /// What only the owner and whoever holds the whole log may read.
    pub private: Vec<u8>,
}

/// Kinds with their numbers and names; the numbers are part of every log.
pub const KINDS: [(u16, &str); 12] = [
    (GENESIS, "genesis"),
    (CLOCK, "clock"),
    (REGISTER_MEMBER, "register_member"),
    (PUBLISH_QUOTES, "publish_quotes"),
    (PLACE_SPOT_ORDER, "place_spot_order"),
    (CANCEL_SPOT_ORDER, "cancel_spot_order"),
    (CANCEL_ALL_SPOT_ORDERS, "cancel_all_spot_orders"),
    (TRANSFER, "transfer"),
    (SANDBOX_FAUCET, "sandbox_faucet"),
    (SANDBOX_CLOCK, "sandbox_clock"),
    (SANDBOX_PRICE, "sandbox_price"),
    (SANDBOX_FEED, "sandbox_feed"),
];

const GENESIS: u16 = 1;
const CLOCK: u16 = 2;
const REGISTER_MEMBER: u16 = 3;
const PUBLISH_QUOTES: u16 = 4;
const PLACE_SPOT_ORDER: u16 = 16;
const CANCEL_SPOT_ORDER: u16 = 17;
const CANCEL_ALL_SPOT_ORDERS: u16 = 18;
const TRANSFER: u16 = 32;
const SANDBOX_FAUCET: u16 = 240;
const SANDBOX_CLOCK: u16 = 241;
const SANDBOX_PRICE: u16 = 242;
const SANDBOX_FEED: u16 = 243;
const VERSION: u8 = 1;

/// Why bytes are no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecError {
    /// This release does not know the kind or version; the node must stop, never skip.
    UnknownKind {
        /// Kind found.
        kind: u16,
        /// Version found.
        version: u8,
    },
    /// The bytes do not fit the kind.
    Damaged,
}

impl std::fmt::Display for CodecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CodecError::UnknownKind { kind, version } => {
                write!(f, "entry of unknown kind {kind} version {version}: a newer release wrote this log")
            }
            CodecError::Damaged => write!(f, "an entry's bytes do not fit its kind"),
        }
    }
}

impl std::error::Error for CodecError {}

/// Bytes of an entry's command and request key; sequence and time are written beside them.
pub fn encode(request: Option<Request>, command: &Command) -> Encoded {
    let (kind, public, private) = match command {
        Command::Genesis(genesis) => (GENESIS, bytes(genesis), Vec::new()),
        Command::Clock => (CLOCK, Vec::new(), Vec::new()),
        Command::RegisterMember { user, house } => (REGISTER_MEMBER, bytes(house), bytes(user)),
        Command::PublishQuotes(quotes) => (PUBLISH_QUOTES, bytes(quotes), Vec::new()),
        Command::PlaceSpotOrder(place) => {
            let PlaceSpotOrder { user, market, side, kind, client_order_id } = place;
            (PLACE_SPOT_ORDER, bytes(&(market, side, kind)), bytes(&(request, user, client_order_id)))
        }
        Command::CancelSpotOrder { user, order } => (CANCEL_SPOT_ORDER, Vec::new(), bytes(&(request, user, order))),
        Command::CancelAllSpotOrders { user, base, quote } => (CANCEL_ALL_SPOT_ORDERS, Vec::new(), bytes(&(request, user, base, quote))),
        Command::Transfer { user, asset, from, to, amount } => (TRANSFER, Vec::new(), bytes(&(request, user, asset, from, to, amount))),
        Command::SandboxFaucet { user, asset, wallet, amount } => {
            (SANDBOX_FAUCET, bytes(&(asset, wallet, amount)), bytes(&(request, user)))
        }
        Command::SandboxClock => (SANDBOX_CLOCK, Vec::new(), bytes(&request)),
        Command::SandboxPrice { market, price } => (SANDBOX_PRICE, bytes(&(market, price)), bytes(&request)),
        Command::SandboxFeed { market, halt } => (SANDBOX_FEED, bytes(&(market, halt)), bytes(&request)),
    };
    Encoded { kind, version: VERSION, public, private }
}

fn bytes<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("plain values always encode")
}

/// Reads an entry back.
///
/// # Errors
/// [`CodecError::UnknownKind`] for kinds of later releases, [`CodecError::Damaged`] for bytes that do not fit, trailing ones included.
pub fn decode(seq: Seq, time: Time, encoded: &Encoded) -> Result<Entry, CodecError> {
    let Encoded { kind, version, public, private } = encoded;
    if *version != VERSION {
        return Err(CodecError::UnknownKind { kind: *kind, version: *version });
    }
    let (request, command) = match *kind {
        GENESIS => (None, Command::Genesis(read(public)?)),
        CLOCK => (None, Command::Clock),
        REGISTER_MEMBER => (None, Command::RegisterMember { house: read(public)?, user: read(private)? }),
        PUBLISH_QUOTES => (None, Command::PublishQuotes(read(public)?)),
        PLACE_SPOT_ORDER => {
            let (market, side, kind) = read(public)?;
            let (request, user, client_order_id) = read(private)?;
            (request, Command::PlaceSpotOrder(PlaceSpotOrder { user, market, side, kind, client_order_id }))
        }
        CANCEL_SPOT_ORDER => {
            let (request, user, order) = read(private)?;
            (request, Command::CancelSpotOrder { user, order })
        }
        CANCEL_ALL_SPOT_ORDERS => {
            let (request, user, base, quote) = read(private)?;
            (request, Command::CancelAllSpotOrders { user, base, quote })
        }
        TRANSFER => {
            let (request, user, asset, from, to, amount) = read(private)?;
            (request, Command::Transfer { user, asset, from, to, amount })
        }
        SANDBOX_FAUCET => {
            let (asset, wallet, amount) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::SandboxFaucet { user, asset, wallet, amount })
        }
        SANDBOX_CLOCK => (read(private)?, Command::SandboxClock),
        SANDBOX_PRICE => {
            let (market, price) = read(public)?;
            (read(private)?, Command::SandboxPrice { market, price })
        }
        SANDBOX_FEED => {
            let (market, halt) = read(public)?;
            (read(private)?, Command::SandboxFeed { market, halt })
        }
        kind => return Err(CodecError::UnknownKind { kind, version: *version }),
    };
    // Only the bytes that would be written are read: no trailing ones, nothing in an unused part, one form for each value.
    if encode(request, &command) == *encoded { Ok(Entry { seq, time, request, command }) } else { Err(CodecError::Damaged) }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok(_) | Err(_) => Err(CodecError::Damaged),
    }
}

/// A name for public listings.
pub fn kind_name(kind: u16) -> Option<&'static str> {
    KINDS.iter().find(|(number, _)| *number == kind).map(|(_, name)| *name)
}
