//! Notices on their way to the open connections of members.

use std::sync::Arc;

use engine::ids::UserId;
use store::Store;
use store::db::DbError;
use store::notices::{self, Notice};
use tokio::sync::broadcast;

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
        let told = async {
            let rows = notices::take_untold(&self.store, user).await?;
            for notice in rows {
                // Nobody listens before the sockets are open.
                let _ = self.told.send(Told { user, notice });
            }
            Ok::<(), DbError>(())
        };
        if let Err(error) = told.await {
            tracing::error!(%error, "notices not told");
        }
    }
}
