//! Rate classes (`docs/api.md` 3.1): token buckets by class and caller. They bound volume; security counters are in SQL.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::ids::{OperatorId, UserId};
use store::codes::{SANDBOX_FACTOR, SITE_FACTOR};
use store::sessions::Session;

/// A rate class of the route table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Attempts to authenticate.
    Sign,
    /// Codes; the rule per target is counted in SQL, this one only bounds the volume.
    Code,
    /// Account and identity writes.
    Account,
    /// Calls that only protect a member, per session: the thief of another session cannot use it up.
    Protect,
    /// Cancelling orders, for the same reason per session, and as fast as orders are placed.
    Cancel,
    /// What each session may cancel however much the others of its member do. No route has it.
    CancelShare,
    /// What all sessions of a member may cancel together beyond their shares. No route has it.
    CancelOfAll,
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

/// The caller that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Caller {
    /// A network address; IPv6 per /64.
    Address(IpAddr),
    /// All of an IPv6 /48, which one customer of a provider may hold.
    Site(IpAddr),
    /// A member.
    User(UserId),
    /// One of a member's sessions, by its number.
    Session(u64),
    /// An operator.
    Operator(OperatorId),
}

/// The address as counted: IPv4 whole, IPv6 per /64.
pub fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        v4 => v4,
    }
}

/// The site of an address, which one customer of a provider may hold: of IPv6 the /48. An IPv4 address is its own site.
pub fn site(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            IpAddr::from([a, b, c, 0, 0, 0, 0, 0])
        }
        v4 => v4,
    }
}

impl Caller {
    /// All callers from this address, as [`counted`].
    pub fn address(address: IpAddr) -> Caller {
        Caller::Address(counted(address))
    }

    /// All callers from the [`site`] of an IPv6 address. Any other caller is its own site.
    pub fn site(self) -> Caller {
        match self {
            Caller::Address(address @ IpAddr::V6(_)) => Caller::Site(site(address)),
            other => other,
        }
    }

    fn is_address(self) -> bool {
        matches!(self, Caller::Address(_) | Caller::Site(_))
    }
}

impl RateClass {
    /// True if the class counts per member or per session of one, so it needs a session.
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
        ) || self.per_session()
    }

    /// True if each session of a member counts alone.
    pub fn per_session(self) -> bool {
        matches!(self, RateClass::Protect | RateClass::Cancel)
    }

    /// How long one request takes to come back, microseconds, and how many may come at once (`docs/api.md` 3.1).
    fn rate(self) -> Option<(u64, u64)> {
        let (one, burst) = match self {
            RateClass::Public | RateClass::Code => (SECOND / 20, 100),
            RateClass::Read => (SECOND / 20, 60),
            RateClass::Trade | RateClass::Cancel => (SECOND / 10, 30),
            RateClass::CancelShare => (SECOND, 10),
            RateClass::CancelOfAll => (SECOND / 40, 120),
            RateClass::Operator => (SECOND / 10, 40),
            RateClass::Exit => (6 * SECOND, 10),
            RateClass::Export => (600 * SECOND, 3),
            RateClass::Sign => (3 * SECOND, 20),
            RateClass::Account => (2 * SECOND, 20),
            RateClass::Protect => (5 * SECOND, 20),
            RateClass::Upload => (2 * SECOND, 10),
            RateClass::Proof => (SECOND / 5, 50),
            RateClass::Socket => (SECOND / 2, 20),
            RateClass::Free => return None,
        };
        Some((one, burst))
    }
}

/// Maximum number of buckets for addresses, and the same for members and operators.
const MAX_BUCKETS: usize = 100_000;

/// Buckets that are not full. Each is one number: the instant at which it will be full again, microseconds after the start.
#[derive(Debug, Default)]
struct Buckets {
    full_at: HashMap<(RateClass, Caller), u64>,
    /// Each bucket once, by that instant or an earlier one: one that gives on and on is not moved for each request.
    by_time: BTreeSet<(u64, RateClass, Caller)>,
    /// The latest instant seen.
    latest: u64,
}

impl Buckets {
    /// When a bucket is full again, not before `now`.
    fn full(&self, class: RateClass, caller: Caller, now: u64) -> u64 {
        self.full_at.get(&(class, caller)).copied().unwrap_or(now).max(now)
    }

    fn fill_until(&mut self, class: RateClass, caller: Caller, at: u64) {
        if self.full_at.insert((class, caller), at).is_none() {
            self.by_time.insert((at, class, caller));
        }
    }

    /// Drops full buckets. If too many remain, those that will be full soonest are dropped first: this loses least, and a flood of callers
    /// with few requests each never displaces one with too many.
    fn trim(&mut self, now: u64) {
        while let Some(&(known, class, caller)) = self.by_time.first() {
            if known > now && self.by_time.len() <= MAX_BUCKETS {
                return;
            }
            self.by_time.pop_first();
            let full = self.full(class, caller, now);
            if full > known.max(now) {
                self.by_time.insert((full, class, caller));
            } else {
                self.full_at.remove(&(class, caller));
            }
        }
    }
}

/// The buckets of this node; memory is bounded.
#[derive(Debug)]
pub struct Limits {
    started: Instant,
    addresses: Mutex<Buckets>,
    people: Mutex<Buckets>,
    sandbox: bool,
}

impl Limits {
    /// Empty.
    pub fn new(sandbox: bool) -> Limits {
        Limits { started: Instant::now(), addresses: Mutex::default(), people: Mutex::default(), sandbox }
    }

    /// Takes one request of a class that counts per session, from its session, and for cancelling from its member too. What a session has
    /// for itself comes first, so a thief's sessions never use up what the owner cancels with.
    pub fn take_of_session(&self, class: RateClass, session: &Session, now: Instant) -> Result<(), u64> {
        let own = Caller::Session(session.id);
        self.take(class, own, now)?;
        if class != RateClass::Cancel || self.take(RateClass::CancelShare, own, now).is_ok() {
            return Ok(());
        }
        self.take(RateClass::CancelOfAll, Caller::User(session.user), now)
    }

    /// Takes one request; if there is none left, the milliseconds until there is.
    pub fn take(&self, class: RateClass, caller: Caller, now: Instant) -> Result<(), u64> {
        let Some((refill, burst)) = class.rate() else { return Ok(()) };
        let factor = if self.sandbox && caller.is_address() { SANDBOX_FACTOR } else { 1 };
        let now = micros(now.saturating_duration_since(self.started));
        let buckets = if caller.is_address() { &self.addresses } else { &self.people };
        let mut buckets = buckets.lock().unwrap_or_else(PoisonError::into_inner);
        // Simultaneous requests arrive here in any order; one that read the clock earlier is not charged for it.
        let now = now.max(buckets.latest);
        buckets.latest = now;
        buckets.trim(now);
        let mut full = Vec::with_capacity(2);
        let site = Some(caller.site()).filter(|site| *site != caller).map(|site| (site, factor * SITE_FACTOR));
        for (counted, factor) in [Some((caller, factor)), site].into_iter().flatten() {
            // The cost of one request, and of a whole burst but one, in microseconds of refilling.
            let (one, rest) = (refill / factor, burst * factor - 1);
            let before = buckets.full(class, counted, now);
            let late = (before - now).saturating_sub(rest * one);
            if late > 0 {
                return Err(late.div_ceil(1_000));
            }
            full.push((counted, before + one));
        }
        for (counted, at) in full {
            buckets.fill_until(class, counted, at);
        }
        Ok(())
    }
}

/// Microseconds of a second.
const SECOND: u64 = 1_000_000;

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn every_class_has_its_burst_and_its_rate() {
        let per_hour = |class: RateClass| class.rate().map(|(one, burst)| (3_600 * SECOND / one, burst));
        for (class, sustained, burst) in [
            (RateClass::Public, 20 * 3_600, 100),
            (RateClass::Code, 20 * 3_600, 100),
            (RateClass::Read, 20 * 3_600, 60),
            (RateClass::Trade, 10 * 3_600, 30),
            (RateClass::Cancel, 10 * 3_600, 30),
            (RateClass::CancelShare, 3_600, 10),
            (RateClass::CancelOfAll, 40 * 3_600, 120),
            (RateClass::Exit, 600, 10),
            (RateClass::Export, 6, 3),
            (RateClass::Sign, 1_200, 20),
            (RateClass::Account, 1_800, 20),
            (RateClass::Protect, 720, 20),
            (RateClass::Upload, 1_800, 10),
            (RateClass::Proof, 5 * 3_600, 50),
            (RateClass::Socket, 2 * 3_600, 20),
            (RateClass::Operator, 10 * 3_600, 40),
        ] {
            assert_eq!(per_hour(class), Some((sustained, burst)), "{class:?}");
        }
        assert_eq!(per_hour(RateClass::Free), None);
    }

    #[test]
    fn a_fourth_copy_waits_ten_minutes() {
        let limits = Limits::new(false);
        let (now, me) = (limits.started, Caller::User(UserId(7)));
        assert!((0..3).all(|_| limits.take(RateClass::Export, me, now).is_ok()));
        assert_eq!(limits.take(RateClass::Export, me, now), Err(600_000));
        assert_eq!(limits.take(RateClass::Export, me, now + Duration::from_secs(600)), Ok(()));
    }

    #[test]
    fn neighbours_in_one_ipv6_network_share_a_bucket() {
        let address = |text: &str| Caller::address(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }

    #[test]
    fn a_burst_is_admitted_whole_in_whatever_order_it_comes() {
        let limits = Limits::new(false);
        let (start, member) = (limits.started + Duration::from_secs(60), Caller::User(UserId(7)));
        for early in (0..10).map(Duration::from_millis) {
            assert_eq!(limits.take(RateClass::Exit, member, start - early), Ok(()));
        }
        assert!(limits.take(RateClass::Exit, member, start).is_err());
    }

    #[test]
    fn a_flood_from_many_networks_empties_no_bucket_and_memory_is_bounded() {
        let limits = Limits::new(false);
        let (now, guesser) = (limits.started, Caller::address("203.0.113.9".parse().unwrap()));
        let (member, others) = (Caller::User(UserId(7)), 0x0b00_0000_u32..0x0b00_0000 + 101_000);
        while limits.take(RateClass::Sign, guesser, now).is_ok() {}
        while limits.take(RateClass::Account, member, now).is_ok() {}
        for other in others {
            let other = Caller::address(IpAddr::from(other.to_be_bytes()));
            assert!(limits.take(RateClass::Public, other, now).is_ok());
        }
        assert!(limits.take(RateClass::Sign, guesser, now).is_err());
        assert!(limits.take(RateClass::Account, member, now).is_err());
        let kept = limits.addresses.lock().unwrap();
        assert!(kept.full_at.len() <= MAX_BUCKETS + 1 && kept.full_at.len() == kept.by_time.len(), "{}", kept.full_at.len());
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let limits = Limits::new(false);
        for number in 0..1_000 {
            limits.take(RateClass::Trade, Caller::User(UserId(number)), limits.started).unwrap();
        }
        limits.take(RateClass::Trade, Caller::User(UserId(7)), limits.started + Duration::from_secs(1)).unwrap();
        assert_eq!(limits.people.lock().unwrap().full_at.len(), 1);
    }

    #[test]
    fn all_networks_of_a_site_share_a_larger_bucket() {
        let limits = Limits::new(false);
        let ask =
            |net: u16| limits.take(RateClass::Sign, Caller::Address(IpAddr::from([0x2001, 0xdb8, 1, net, 0, 0, 0, 0])), limits.started);
        // A network may have twenty at once, and its site sixteen times as many.
        let taken = (0..400).filter(|at| ask(*at).is_ok()).count();
        assert_eq!(taken, 320);
        let neighbour = Caller::Address(IpAddr::from([0x2001, 0xdb8, 2, 0, 0, 0, 0, 0]));
        assert!(limits.take(RateClass::Sign, neighbour, limits.started).is_ok());
    }
}
