//! The public log: its signed heads, its entries, proofs that an entry is in it, and proofs of what members have (`docs/api.md` 10).

pub mod entries;
pub mod evidence;
pub mod heads;
pub mod liabilities;
pub mod routes;
