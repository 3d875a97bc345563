//! Client connections, from their first request to the end of their session: what each may send, how many an address may have, and how our
//! side closes one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use serde_json::json;
use socketioxide::extract::SocketRef;
use socketioxide::{ProtocolVersion, TransportType};
use tower::ServiceExt;

use super::budget::{Bucket, Rate};
use crate::http::code::Code;
use crate::http::limits::Caller;
use crate::http::listen::SOCKETS;
use crate::http::stream::Wire;

/// Messages of one connection, and of all connections of one address.
const OF_LINE: Rate = Rate { per_second: 20, burst: 200 };
const OF_ADDRESS: Rate = Rate { per_second: 200, burst: 2_000 };
/// Long-polling requests of one address.
const POLLS: Rate = Rate { per_second: 400, burst: 1_000 };
/// Sessions of one address, including those not yet connected or about to end.
const SESSIONS: usize = 200;
/// Sessions that began on long-polling, of all addresses. A WebSocket holds a connection, whose number is limited; these hold only memory,
/// about 100 KB each when no one reads what is queued for them.
const POLLING: usize = 500;
/// The share of such sessions that a site always has: beyond [`POLLING`] it may not have more. A site is an IPv4 address, or an IPv6 /48,
/// whose holder has 65,536 addresses as we count them.
const POLLING_SHARE: usize = 4;
/// A client on long-polling reads why it is ended within this time.
const LAST_WORDS: Duration = Duration::from_millis(800);

/// All lines. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Lines(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The library's own route.
    library: Router,
    addresses: Mutex<HashMap<Caller, Address>>,
    /// Locked only while `addresses` is.
    polling: Mutex<Polling>,
    /// WebSockets that sessions on long-polling change to, by the number of the session.
    changed: Mutex<HashMap<String, Vec<Weak<Wire>>>>,
}

#[derive(Debug)]
struct Address {
    sessions: usize,
    messages: Bucket,
    polls: Bucket,
}

impl Address {
    fn new(now: Instant) -> Address {
        Address { sessions: 0, messages: Bucket::full(OF_ADDRESS, now), polls: Bucket::full(POLLS, now) }
    }
}

/// Sessions that began on long-polling.
#[derive(Debug, Default)]
struct Polling {
    all: usize,
    /// Of each site that has any.
    by_site: HashMap<Caller, usize>,
}

impl Polling {
    /// False if there are too many.
    fn begin(&mut self, site: Caller) -> bool {
        let own = self.by_site.get(&site).copied().unwrap_or(0);
        if own >= POLLING_SHARE && self.all >= POLLING {
            return false;
        }
        self.by_site.insert(site, own + 1);
        self.all += 1;
        true
    }

    fn end(&mut self, site: Caller) {
        let left = self.by_site.remove(&site).unwrap_or(0).saturating_sub(1);
        if left > 0 {
            self.by_site.insert(site, left);
        }
        self.all -= 1;
    }
}

/// The connection of one session; the library keeps it with the request that began it.
#[derive(Debug)]
pub(super) struct Line {
    lines: Lines,
    pub(super) address: Caller,
    messages: Mutex<Bucket>,
    /// The connection of the session, if it began as a WebSocket.
    wire: Option<Arc<Wire>>,
    connected: AtomicBool,
    ended: AtomicBool,
    logins: AtomicU64,
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(address) = self.lines.addresses().get_mut(&self.address) {
            address.sessions -= 1;
            if self.wire.is_none() {
                self.lines.polling().end(self.address.site());
            }
        }
    }
}

impl Line {
    /// True for the first connection of the session. There is no second one: a client that wants to start over opens a new session.
    pub(super) fn connects(&self) -> bool {
        !self.connected.swap(true, Ordering::AcqRel)
    }

    /// The number of a login, to be taken as it comes in: finding its session may take longer than that of a later one.
    pub(super) fn login(&self) -> u64 {
        self.logins.fetch_add(1, Ordering::AcqRel)
    }
}

impl Lines {
    pub(super) fn new(library: Router) -> Lines {
        Lines(Arc::new(Shared { library, addresses: Mutex::default(), polling: Mutex::default(), changed: Mutex::default() }))
    }

    /// The library's route.
    pub(super) fn library(&self) -> Router {
        self.0.library.clone()
    }

    fn addresses(&self) -> MutexGuard<'_, HashMap<Caller, Address>> {
        self.0.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn polling(&self) -> MutexGuard<'_, Polling> {
        self.0.polling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> MutexGuard<'_, HashMap<String, Vec<Weak<Wire>>>> {
        self.0.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session begins, on long-polling if it has no `wire`; `None` if its address or site has too many.
    pub(super) fn begin(&self, caller: Caller, wire: Option<Arc<Wire>>, now: Instant) -> Option<Arc<Line>> {
        let mut addresses = self.addresses();
        let address = addresses.entry(caller).or_insert_with(|| Address::new(now));
        if address.sessions >= SESSIONS || wire.is_none() && !self.polling().begin(caller.site()) {
            return None;
        }
        address.sessions += 1;
        let messages = Mutex::new(Bucket::full(OF_LINE, now));
        let (connected, ended, logins) = Default::default();
        Some(Arc::new(Line { lines: self.clone(), address: caller, messages, wire, connected, ended, logins }))
    }

    /// A request of a session that was begun before, or says so; false if the address asks too often.
    pub(super) fn polls(&self, caller: Caller, now: Instant) -> bool {
        self.addresses().entry(caller).or_insert_with(|| Address::new(now)).polls.take(POLLS, 1, now)
    }

    /// A session changes from long-polling to this WebSocket.
    pub(super) fn changes(&self, session: &str, wire: &Arc<Wire>) {
        self.changed().entry(session.to_owned()).or_default().push(Arc::downgrade(wire));
    }

    /// Charges the cost of a message. When the budget of the connection or its address is used up, the connection is told so and closed.
    pub(super) fn allow(&self, line: &Line, socket: &SocketRef, cost: u64, now: Instant) -> bool {
        if line.ended.load(Ordering::Acquire) {
            return false;
        }
        let own = line.messages.lock().unwrap_or_else(PoisonError::into_inner).take(OF_LINE, cost, now);
        let allowed = own && self.addresses().get_mut(&line.address).is_none_or(|address| address.messages.take(OF_ADDRESS, cost, now));
        if !allowed {
            self.refuse(socket, Code::TooManyCalls);
        }
        allowed
    }

    /// Reports the reason, and ends the session. The client may come again.
    pub(super) fn refuse(&self, socket: &SocketRef, error: Code) {
        // The session of a reader with a full queue ends all the same, here and below.
        let _ = socket.emit("closed", &json!({"error": error.name()}));
        self.end(socket);
    }

    /// Ends the session: what is queued for the client is sent as far as it accepts it at once.
    pub(super) fn end(&self, socket: &SocketRef) {
        let line = socket.req_parts().extensions.get::<Arc<Line>>();
        if line.is_some_and(|line| line.ended.swap(true, Ordering::AcqRel)) {
            return;
        }
        let session = socket.id.to_string();
        if socket.transport_type() == TransportType::Websocket {
            if let Some(wire) = line.and_then(|line| line.wire.as_ref()) {
                wire.cut();
            }
            self.cut_changed(&session);
            return;
        }
        let (lines, socket) = (self.clone(), socket.clone());
        tokio::spawn(async move {
            tokio::time::sleep(LAST_WORDS).await;
            lines.cut_changed(&session);
            // The library can end a session only by the packet with which its own client would.
            let (version, packet) = if socket.protocol() == ProtocolVersion::V5 { ("4", "1") } else { ("3", "1:1") };
            let uri = format!("{SOCKETS}?EIO={version}&transport=polling&sid={session}");
            let request = Request::post(uri).header(header::CONTENT_TYPE, "text/plain").body(Body::from(packet));
            if let Ok(request) = request {
                let _ = lines.library().oneshot(request).await;
            }
        });
    }

    /// Ends the session when the client has had time to read why.
    pub(super) fn end_soon(&self, socket: &SocketRef) {
        let (lines, socket) = (self.clone(), socket.clone());
        tokio::spawn(async move {
            tokio::time::sleep(LAST_WORDS).await;
            lines.end(&socket);
        });
    }

    fn cut_changed(&self, session: &str) {
        let wires = self.changed().remove(session).unwrap_or_default();
        wires.iter().filter_map(Weak::upgrade).for_each(|wire| wire.cut());
    }

    /// Drops addresses whose budgets are full again, and connections that have gone.
    pub(super) fn tidy(&self, now: Instant) {
        self.addresses()
            .retain(|_, address| address.sessions > 0 || !address.messages.is_full(OF_ADDRESS, now) || !address.polls.is_full(POLLS, now));
        self.changed().retain(|_, wires| {
            wires.retain(|wire| wire.strong_count() > 0);
            !wires.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_sessions_and_no_more_and_is_forgotten_when_it_is_as_good_as_new() {
        let (lines, now) = (Lines::new(Router::new()), Instant::now());
        let caller = |last| Caller::address(std::net::IpAddr::from([10, 0, 0, last]));
        let mut held: Vec<_> = (0..SESSIONS).map(|_| lines.begin(caller(1), None, now)).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(lines.begin(caller(1), None, now).is_none() && lines.begin(caller(2), None, now).is_some());
        held.pop();
        let again = lines.begin(caller(1), None, now);
        assert!(again.is_some());
        assert!(lines.polls(caller(2), now));
        let without_a_session = (0..=POLLS.burst).filter(|_| lines.polls(caller(3), now)).count();
        assert_eq!(without_a_session as u64, POLLS.burst);
        (held, _) = (Vec::new(), drop(again));
        assert!(held.is_empty());
        lines.tidy(now);
        // Two of these addresses had requests a moment ago.
        assert_eq!(lines.addresses().len(), 2);
        lines.tidy(now + Duration::from_secs(3));
        assert!(lines.addresses().is_empty());
    }

    #[test]
    fn long_polling_of_all_addresses_is_bounded_and_each_site_keeps_a_share() {
        let (lines, now) = (Lines::new(Router::new()), Instant::now());
        let caller = |last| Caller::address(std::net::IpAddr::from([10, 0, 0, last]));
        let mut held: Vec<_> =
            (1..=10).flat_map(|last| (0..SESSIONS).map(move |_| last)).map_while(|last| lines.begin(caller(last), None, now)).collect();
        assert_eq!(held.len(), POLLING);
        let share: Vec<_> = std::iter::repeat_with(|| lines.begin(caller(20), None, now)).map_while(|begun| begun).collect();
        assert_eq!(share.len(), POLLING_SHARE);
        // All networks of a /48 are one site; another one has its own share.
        let network = |site, net| Caller::address(std::net::IpAddr::from([0x2001, 0xdb8, site, net, 0, 0, 0, 1]));
        let of_site = |site| (0..100).filter_map(|net| lines.begin(network(site, net), None, now)).collect::<Vec<_>>();
        let sites = [of_site(1), of_site(2)];
        assert_eq!(sites.each_ref().map(Vec::len), [POLLING_SHARE; 2]);
        drop(sites);
        // A WebSocket holds a connection.
        assert!(lines.begin(caller(20), Some(Arc::default()), now).is_some());
        held.truncate(POLLING - POLLING_SHARE - 1);
        assert!(lines.begin(caller(20), None, now).is_some());
        drop((held, share));
        let left = lines.polling();
        assert!(left.all == 0 && left.by_site.is_empty());
    }

    #[test]
    fn a_connection_that_has_gone_leaves_nothing_behind() {
        let (lines, now) = (Lines::new(Router::new()), Instant::now());
        let wires = [Arc::new(Wire::default()), Arc::new(Wire::default())];
        wires.iter().for_each(|wire| lines.changes("session", wire));
        let [gone, left] = wires;
        drop(gone);
        lines.tidy(now);
        assert_eq!(lines.changed()["session"].len(), 1);
        drop(left);
        lines.tidy(now);
        assert!(lines.changed().is_empty());
    }
}
