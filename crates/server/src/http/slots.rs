//! Connection slots: how many there may be, for whom, and which connection is closed when a slot is needed.
//!
//! A refused connection reveals nothing about who wanted it, so a full server would shut out everyone alike. Instead every new connection
//! is admitted, and the one that has been idle longest without ever presenting a session is closed: its client opens another when it needs
//! it.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::limits::{self, Caller};
use super::stream::Wire;

/// Connections that share a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scope {
    /// A network address; IPv6 per /64.
    Network(IpAddr),
    /// An IPv6 /48, or an IPv4 /24: what one customer of a provider may have.
    Site(IpAddr),
    /// This machine: its health checks have slots of their own.
    Local,
    /// The configured proxies, which bound their callers themselves.
    Proxies,
    /// Everyone else.
    Others,
}

impl Scope {
    /// The most connections at a time.
    fn most(self) -> usize {
        match self {
            Scope::Network(_) => 100,
            Scope::Site(_) => 400,
            Scope::Local => 200,
            Scope::Proxies => 16_384,
            Scope::Others => 4_096,
        }
    }

    /// The scopes of a connection, narrowest first.
    fn of(peer: IpAddr, trusted: bool) -> Vec<Scope> {
        let peer = peer.to_canonical();
        if trusted {
            return vec![Scope::Proxies];
        }
        let Caller::Address(network) = Caller::address(peer) else { return vec![Scope::Others] };
        if peer.is_loopback() {
            return vec![Scope::Network(network), Scope::Local];
        }
        let site = match peer {
            IpAddr::V4(v4) => {
                let [a, b, c, _] = v4.octets();
                IpAddr::from([a, b, c, 0])
            }
            v6 => limits::site(v6),
        };
        vec![Scope::Network(network), Scope::Site(site), Scope::Others]
    }
}

/// How little a connection is missed, and its number.
type Ranked = ((u8, u64), u64);

/// The connections that hold slots.
#[derive(Debug, Default)]
struct Connections {
    open: HashMap<u64, (Vec<Scope>, Arc<Wire>)>,
    counts: HashMap<Scope, usize>,
    /// Which ones end next where a scope was full, as they ranked when all were looked at. Those that did something since are passed over.
    next_out: HashMap<Scope, VecDeque<Ranked>>,
    /// Number of the next connection.
    next: u64,
}

impl Connections {
    fn is_full(&self, scope: Scope) -> bool {
        self.counts.get(&scope).is_some_and(|count| *count >= scope.most())
    }

    /// Closes the least needed connection of this scope; false if each one is needed. All connections are ranked once for each sixteenth
    /// part of a scope that is closed.
    fn end_one(&mut self, scope: Scope) -> bool {
        loop {
            while let Some((rank, id)) = self.next_out.get_mut(&scope).and_then(VecDeque::pop_front) {
                if self.open.get(&id).is_some_and(|(_, wire)| wire.rank() == Some(rank)) {
                    self.leave(id).iter().for_each(|wire| wire.end());
                    return true;
                }
            }
            let of_scope = self.open.iter().filter(|(_, (scopes, _))| scopes.contains(&scope));
            let mut ranked: Vec<Ranked> = of_scope.filter_map(|(id, (_, wire))| Some((wire.rank()?, *id))).collect();
            ranked.sort_unstable();
            let Some(((class, _), _)) = ranked.first().copied() else { return false };
            // Connections that are idle by then end before those that are not.
            ranked.truncate(if class == 0 { scope.most().div_ceil(16) } else { 1 });
            ranked.retain(|((other, _), _)| *other == class);
            self.next_out.insert(scope, ranked.into());
        }
    }

    fn leave(&mut self, id: u64) -> Option<Arc<Wire>> {
        let (scopes, wire) = self.open.remove(&id)?;
        for scope in scopes {
            if let Some(count) = self.counts.get_mut(&scope) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&scope);
                    self.next_out.remove(&scope);
                }
            }
        }
        Some(wire)
    }
}

/// All slots of a listener.
#[derive(Debug, Default)]
pub(super) struct Slots(Mutex<Connections>);

impl Slots {
    /// A slot for this connection. If its address, its site or the server is full, another connection is closed for it; `None` if all of
    /// them are answering members.
    pub(super) fn enter(self: &Arc<Slots>, wire: &Arc<Wire>, peer: IpAddr, trusted: bool) -> Option<Slot> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let scopes = Scope::of(peer, trusted);
        while let Some(full) = scopes.iter().find(|scope| held.is_full(**scope)) {
            if !held.end_one(*full) {
                return None;
            }
        }
        let id = held.next;
        held.next += 1;
        for scope in &scopes {
            *held.counts.entry(*scope).or_default() += 1;
        }
        held.open.insert(id, (scopes, wire.clone()));
        Some(Slot { slots: self.clone(), id })
    }

    /// Closes a connection because the machine has no resources for another one.
    pub(super) fn make_room(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).end_one(Scope::Others);
    }
}

/// One connection; dropping it returns its slot.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Arc<Slots>,
    id: u64,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.0.lock().unwrap_or_else(PoisonError::into_inner).leave(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v4(number: u32) -> IpAddr {
        IpAddr::from((0x0b00_0000 + number).to_be_bytes())
    }

    struct House(Arc<Slots>);

    impl House {
        fn enter(&self, peer: IpAddr) -> Option<(Arc<Wire>, Slot)> {
            let wire = Arc::new(Wire::default());
            self.0.enter(&wire, peer, false).map(|slot| (wire, slot))
        }

        fn all(&self) -> usize {
            self.0.0.lock().unwrap().open.len()
        }
    }

    #[test]
    fn in_a_full_house_the_guest_who_was_idle_longest_makes_room() {
        let house = House(Arc::default());
        let held: Vec<_> = (0..4_096).map(|number| house.enter(v4(number * 256)).unwrap()).collect();
        // The first belongs to a member, the second has a request in progress, and the third had a request since.
        held[0].0.begin();
        held[0].0.done(true);
        held[1].0.begin();
        held[2].0.begin();
        held[2].0.done(false);
        let (_, newest) = house.enter(v4(5_000 * 256)).unwrap();
        assert_eq!(house.all(), 4_096);
        let ended: Vec<usize> = held.iter().enumerate().filter(|(_, (wire, _))| wire.is_ended()).map(|(at, _)| at).collect();
        assert_eq!(ended, [3]);
        drop((newest, held));
        assert_eq!(house.all(), 0);
        let held = house.0.0.lock().unwrap();
        assert!(held.counts.is_empty() && held.next_out.is_empty());
    }

    #[test]
    fn a_slot_is_refused_only_where_all_answer_members() {
        let house = House(Arc::default());
        let held: Vec<_> = (0..100).map(|_| house.enter(v4(7)).unwrap()).collect();
        for (wire, _) in &held {
            wire.begin();
            wire.done(true);
            wire.begin();
        }
        assert!(house.enter(v4(7)).is_none());
        held[50].0.done(true);
        assert!(house.enter(v4(7)).is_some() && held[50].0.is_ended());
    }

    #[test]
    fn a_guest_with_a_request_under_way_ends_before_a_member() {
        let house = House(Arc::default());
        let held: Vec<_> = (0..100).map(|_| house.enter(v4(7)).unwrap()).collect();
        held[0].0.begin();
        held[0].0.done(true);
        held[1..].iter().for_each(|(wire, _)| wire.begin());
        assert!(house.enter(v4(7)).is_some());
        assert!(held[1].0.is_ended() && !held[0].0.is_ended());
    }

    #[test]
    fn no_address_site_or_flood_takes_the_places_of_others() {
        let house = House(Arc::default());
        let mut held: Vec<_> = (0..200).map(|_| house.enter(v4(7)).unwrap()).collect();
        assert_eq!(house.all(), 100);
        held.extend((0..1_000).map(|number| house.enter(v4(number % 256)).unwrap()));
        assert_eq!(house.all(), 400);
        let site = |net: u16| IpAddr::from([0x2001, 0xdb8, 1, net, 0, 0, 0, 1]);
        held.extend((0..1_000).map(|net| house.enter(site(net)).unwrap()));
        assert_eq!(house.all(), 800);
        // Even connections from many sites leave a slot for the health check of this machine, which none of them can take.
        held.extend((0..10_000).map(|number| house.enter(v4(number * 256)).unwrap()));
        assert_eq!(house.all(), 4_096);
        let check = house.enter(IpAddr::from([127, 0, 0, 1])).unwrap();
        held.extend((0..10_000).map(|number| house.enter(v4(number * 256)).unwrap()));
        assert!(house.all() == 4_097 && !check.0.is_ended());
    }

    #[test]
    fn a_proxy_of_ours_holds_many_more_and_takes_none_of_the_others() {
        let house = House(Arc::default());
        let other = house.enter(v4(1)).unwrap();
        let wire = Arc::new(Wire::default());
        let held: Vec<_> = (0..20_000).map(|_| house.0.enter(&wire, IpAddr::from([10, 0, 0, 1]), true)).collect();
        assert!(held.iter().all(Option::is_some) && !other.0.is_ended());
        assert_eq!(house.all(), 16_384 + 1);
    }
}
