//! Delivers private events: each connection has a position in its member's events and gets all of them in order. A connection that is too
//! slow, or was away, catches up from the kept events; if those it needs are gone, it is told to reload.

use std::collections::VecDeque;
use std::time::Instant;

use engine::ids::UserId;
use serde_json::{Value as Json, json};
use socketioxide::extract::SocketRef;
use socketioxide::socket::Sid;

use super::hub::{Connection, Hub};
use super::member_streams::{Private, What};
use crate::notices::Notification;

/// Events that a connection gets at once when it catches up; its queue holds this many besides new ones.
const STEP: usize = 256;
/// Events that all connections get when they catch up on a tick.
const STEPS: usize = 2_048;

impl Connection {
    /// Sends the event if it is the next one and the queue has space for it.
    fn take(&mut self, private: &Private) -> bool {
        let next = self.ready && self.place.is_some_and(|place| place + 1 == private.pseq);
        let taken = next && self.socket.emit(private.name, &*private.payload_in(self.lang)).is_ok();
        if taken {
            self.place = Some(private.pseq);
        }
        taken
    }

    /// Waits to catch up.
    pub(super) fn falls_behind(&mut self, behind: &mut VecDeque<Sid>) {
        if !std::mem::replace(&mut self.behind, true) {
            behind.push_back(self.socket.id);
        }
    }
}

impl Hub {
    pub(super) fn tell_member(&mut self, user: UserId, name: &'static str, seq: u64, data: Json) {
        self.tell_fields(user, name, seq, json!({"data": data}));
    }

    /// Sends an event with these fields as its payload.
    pub(super) fn tell_fields(&mut self, user: UserId, name: &'static str, seq: u64, body: Json) {
        self.deliver(user, What { name, seq, body, notice: None });
    }

    pub(super) fn tell_notices(&mut self, told: &[Notification]) {
        let seq = self.app.sequencer.engine().seq().0;
        for Notification { user, notice } in told {
            self.deliver(*user, What { name: "notification", seq, body: json!({"data": null}), notice: Some(notice.clone()) });
        }
    }

    fn deliver(&mut self, user: UserId, what: What) {
        let Some((private, readers)) = self.people.tell(user, what, Instant::now()) else { return };
        for reader in readers {
            let Some(connection) = self.connections.get_mut(reader) else { continue };
            if !connection.take(private) {
                connection.falls_behind(&mut self.behind);
            }
        }
    }

    /// Continues after the event that this connection saw last.
    pub(super) fn resume(&mut self, socket: &SocketRef, pseq: u64) {
        let Some(connection) = self.connections.get_mut(&socket.id) else { return };
        let Some((session, _)) = &connection.session else { return };
        // A number that was never given out is not a place.
        connection.place = self.people.newest(session.user).filter(|newest| pseq <= *newest).map(|_| pseq);
        connection.falls_behind(&mut self.behind);
        self.catch_up(socket.id, STEP);
    }

    /// Lets connections that are behind catch up a little, in turn.
    pub(super) fn all_catch_up(&mut self) {
        let mut left = STEPS;
        for _ in 0..self.behind.len() {
            let Some(id) = self.behind.pop_front() else { return };
            left = left.saturating_sub(self.catch_up(id, STEP.min(left)));
            if self.connections.get(&id).is_some_and(|connection| connection.behind) {
                self.behind.push_back(id);
            }
        }
    }

    /// Sends at most this many of the events that this connection is missing, and returns their number.
    fn catch_up(&mut self, id: Sid, most: usize) -> usize {
        let Some(connection) = self.connections.get_mut(&id).filter(|connection| connection.ready) else { return 0 };
        let user = connection.session.as_ref().map(|(session, _)| session.user);
        let Some((user, newest)) = user.and_then(|user| Some((user, self.people.newest(user)?))) else {
            connection.behind = false;
            return 0;
        };
        let mut sent = 0;
        match connection.place.and_then(|place| self.people.after(user, place)) {
            Some(missed) => {
                for private in missed.take(most) {
                    if !connection.take(private) {
                        break;
                    }
                    sent += 1;
                }
            }
            None => {
                let seq = self.app.sequencer.engine().seq().0;
                if connection.socket.emit("resync", &json!({"seq": seq})).is_ok() {
                    connection.place = Some(newest);
                    sent = 1;
                }
            }
        }
        connection.behind = connection.place != Some(newest);
        sent
    }

    /// Events were lost: every member's connection is told to reload.
    pub(super) fn all_read_again(&mut self) {
        self.people.lose();
        for connection in self.connections.values_mut().filter(|connection| connection.session.is_some()) {
            connection.place = None;
            connection.falls_behind(&mut self.behind);
        }
    }
}
