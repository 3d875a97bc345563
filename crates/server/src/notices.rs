//! Delivers notices to the open connections of members.

use std::sync::Arc;

use engine::ids::UserId;
use store::Store;
use store::notices::{self, Notice};
use tokio::sync::broadcast;

/// Members whose notices are fetched at once.
const TOLD_AT_ONCE: usize = 256;
/// Notices sent to the sockets as one. A single order can fill thousands of others: sent one by one, their notices would overrun the channel,
/// and every connected member would have to read again.
const TOGETHER: usize = 256;

/// A notice for the open connections of a member.
#[derive(Clone, Debug)]
pub struct Notification {
    /// The member.
    pub user: UserId,
    /// The notice; each connection receives it in its own language.
    pub notice: Notice,
}

/// The way there. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Notices {
    store: Arc<Store>,
    told: broadcast::Sender<Arc<[Notification]>>,
}

impl Notices {
    /// A channel without subscribers.
    pub fn new(store: Arc<Store>) -> Notices {
        Notices { store, told: broadcast::Sender::new(1024) }
    }

    /// Every notice from now on, in batches.
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<[Notification]>> {
        self.told.subscribe()
    }

    /// Sends the open connections of a member what [`notices::insert`] left for them; after the commit. Doing it twice is harmless.
    pub async fn tell(&self, user: UserId) {
        self.tell_all(&[user]).await;
    }

    /// The same for many members, notified by one transaction.
    pub async fn tell_all(&self, users: &[UserId]) {
        for users in users.chunks(TOLD_AT_ONCE) {
            match notices::take_untold(&self.store, users).await {
                Ok(rows) => {
                    let told: Vec<Notification> = rows.into_iter().map(|(user, notice)| Notification { user, notice }).collect();
                    // There is no receiver before the sockets are open.
                    told.chunks(TOGETHER).for_each(|some| drop(self.told.send(some.into())));
                }
                Err(error) => tracing::error!(%error, "notices not told"),
            }
        }
    }
}
