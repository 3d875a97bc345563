//! The log, for everybody: its signed heads, its entries, and proofs that an entry is in it (`api.md` 10).

pub mod entries;
pub mod evidence;
pub mod heads;
pub mod routes;
