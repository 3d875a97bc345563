//! The journal: one ordered, hash-chained log of everything that can change money, written by one leader at a time.
//!
//! [`Journal`] holds the rules: the chain, the fencing, doubt, the high-water mark, snapshots. The three databases beneath it (SQLite,
//! PostgreSQL, memory with faults) only store rows. Guarantees, each with a test in `tests/`:
//!
//! * What `append` acknowledged survives a crash of the process, and of the machine if the disk honours a sync.
//! * A replaced leader can never append: the epoch is compared in the very transaction that inserts.
//! * Doubt is reported as doubt: after [`AppendError::Unknown`] only [`Journal::lead`] answers, and it finds the truth.
//! * Damage is detected: in each row by its checksum and chain hash, a missing tail by the high-water file.

mod address;
mod error;
mod group;
mod handle;
mod high_water;
mod memory;
pub mod merkle;
mod postgres;
mod record;
mod snapshot;
mod snapshot_files;
mod sqlite;
mod store;
#[cfg(feature = "testing")]
pub mod testing;

pub use address::Address;
pub use error::{AppendError, Error};
pub use group::{Chained, Group, Head, MAX_BODY, Part, Sealed, Sealer};
pub use handle::{Journal, KeptLead, LEASE, Lease};
pub use memory::{Fault, HeldAppends, MemoryDatabase};
pub use postgres::FROZEN;
pub use record::{Hash, Record, chain_hash, entry_hash, sealed};
pub use snapshot::{Draft, Snapshot, Snapshots};
