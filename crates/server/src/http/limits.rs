//! Rate classes (`api.md` 3.1): token buckets by class and caller. They bound volume; security counters are in SQL.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use engine::ids::{OperatorId, UserId};

/// A rate class of the route table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateClass {
    /// Reads without session.
    Public,
    /// Reads with session.
    Read,
    /// Orders, transfers and other writes of the products.
    Trade,
    /// Ways of money out and in.
    Exit,
    /// Copies of one's own data.
    Export,
    /// Attempts to prove who one is.
    Sign,
    /// Codes; the rule per target is counted in SQL, this one only bounds the volume.
    Code,
    /// Account and identity writes.
    Account,
    /// Pictures; the rule per day is counted in SQL.
    Upload,
    /// Proof and public accounts.
    Proof,
    /// Socket connection attempts.
    Socket,
    /// Calls of operators.
    Operator,
    /// Sandbox and health calls.
    Free,
}

/// Who is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A network address; IPv6 per /64.
    Address(IpAddr),
    /// A member.
    User(UserId),
    /// An operator.
    Operator(OperatorId),
}

impl Caller {
    /// The address as it is counted: IPv4 whole, IPv6 per /64.
    pub fn address(address: IpAddr) -> Caller {
        Caller::Address(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
            v4 => v4,
        })
    }
}

impl RateClass {
    /// True if the class counts per member, so it needs a session.
    pub fn per_user(self) -> bool {
        matches!(
            self,
            RateClass::Operator
                | RateClass::Read
                | RateClass::Trade
                | RateClass::Account
                | RateClass::Upload
                | RateClass::Exit
                | RateClass::Export
        )
    }

    /// Requests for each 1,000 s, and burst.
    fn rate(self) -> Option<(u64, u64)> {
        match self {
            RateClass::Public | RateClass::Code => Some((20_000, 100)),
            RateClass::Read => Some((20_000, 60)),
            RateClass::Trade => Some((10_000, 30)),
            RateClass::Operator => Some((10_000, 40)),
            RateClass::Exit => Some((167, 10)),
            RateClass::Export => Some((2, 3)),
            RateClass::Sign => Some((333, 20)),
            RateClass::Account => Some((500, 20)),
            RateClass::Upload => Some((500, 10)),
            RateClass::Proof => Some((5_000, 50)),
            RateClass::Socket => Some((2_000, 20)),
            RateClass::Free => None,
        }
    }
}

/// Millionths of one request.
const ONE: u64 = 1_000_000;
/// In a sandbox rates per address and per target are this much higher.
pub const SANDBOX_FACTOR: u64 = 50;
const MAX_BUCKETS: usize = 100_000;

#[derive(Debug)]
struct Bucket {
    level: u64,
    at: Instant,
}

/// The buckets of this node; memory is bounded.
#[derive(Debug)]
pub struct Limits {
    buckets: Mutex<HashMap<(RateClass, Caller), Bucket>>,
    sandbox: bool,
}

impl Limits {
    /// Empty.
    pub fn new(sandbox: bool) -> Limits {
        Limits { buckets: Mutex::new(HashMap::new()), sandbox }
    }

    /// Takes one request; if there is none left, the milliseconds until there is.
    pub fn take(&self, class: RateClass, caller: Caller, now: Instant) -> Result<(), u64> {
        let Some((per_1000_s, burst)) = class.rate() else { return Ok(()) };
        let factor = if self.sandbox && matches!(caller, Caller::Address(_)) { SANDBOX_FACTOR } else { 1 };
        let (per_1000_s, full) = (per_1000_s * factor, burst * factor * ONE);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            // Buckets untouched for 100 s are full again, or nearly; should all be busy, forgetting them is the lesser evil.
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs() < 100);
            if buckets.len() >= MAX_BUCKETS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry((class, caller)).or_insert(Bucket { level: full, at: now });
        let passed = u64::try_from(now.saturating_duration_since(bucket.at).as_millis()).unwrap_or(u64::MAX);
        // per_1000_s is also millionths per millisecond.
        bucket.level = bucket.level.saturating_add(passed.saturating_mul(per_1000_s)).min(full);
        bucket.at = now;
        match bucket.level.checked_sub(ONE) {
            Some(left) => {
                bucket.level = left;
                Ok(())
            }
            None => Err((ONE - bucket.level).div_ceil(per_1000_s)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let limits = Limits::new(false);
        let (start, me) = (Instant::now(), Caller::User(UserId(7)));
        let taken = (0..100).filter(|_| limits.take(RateClass::Trade, me, start).is_ok()).count();
        assert_eq!(taken, 30);
        assert_eq!(limits.take(RateClass::Trade, me, start), Err(100));
        assert_eq!(limits.take(RateClass::Trade, me, start + Duration::from_millis(100)), Ok(()));
        assert!(limits.take(RateClass::Trade, Caller::User(UserId(8)), start).is_ok());
    }

    #[test]
    fn neighbours_in_one_ipv6_network_share_a_bucket() {
        let address = |text: &str| Caller::address(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
