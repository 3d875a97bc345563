//! Notices on their way to the open connections of members.

use std::sync::Arc;

use engine::ids::UserId;
use store::Store;
use store::notices::{self, Notice};
use tokio::sync::broadcast;

/// Members whose notices are fetched at once.
const TOLD_AT_ONCE: usize = 256;

/// A notice for the open connections of a member.
#[derive(Clone, Debug)]
pub struct Told {
    /// Whose.
    pub user: UserId,
    /// What; each connection is told in its own language.
    pub notice: Notice,
}

/// The way there. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Notices {
    store: Arc<Store>,
    told: broadcast::Sender<Told>,
}

impl Notices {
    /// A channel without subscribers.
    pub fn new(store: Arc<Store>) -> Notices {
        Notices { store, told: broadcast::Sender::new(1024) }
    }

    /// Every notice from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Told> {
        self.told.subscribe()
    }

    /// Tells the open connections of a member what [`notices::insert`] left for them; after the commit. Doing it twice is harmless.
    pub async fn tell(&self, user: UserId) {
        self.tell_all(&[user]).await;
    }

    /// The same of many members, whom one transaction told.
    pub async fn tell_all(&self, users: &[UserId]) {
        // So few at once that the sockets can follow.
        for users in users.chunks(TOLD_AT_ONCE) {
            match notices::take_untold(&self.store, users).await {
                // Nobody listens before the sockets are open.
                Ok(rows) => rows.into_iter().for_each(|(user, notice)| drop(self.told.send(Told { user, notice }))),
                Err(error) => tracing::error!(%error, "notices not told"),
            }
        }
    }
}
