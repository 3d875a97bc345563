//! The handle that every part of the store receives.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use engine::Engine;
use tokio::time::timeout;

use crate::audit_head::AuditHead;
use crate::db::Db;
use crate::error::StoreError;
use crate::mark::Mark;
use crate::secrets::Secrets;
use crate::vault::Vault;

/// A read with `x-min-seq` waits at most this long.
pub const MIN_SEQ: Duration = Duration::from_secs(2);

/// What the rows depend on besides rows: the time of this node, and the state of its log.
pub trait Present: fmt::Debug + Send + Sync {
    /// Journal time in milliseconds: codes, throttling delays and locks age with it.
    fn now_ms(&self) -> u64;

    /// The guarded wall clock, milliseconds since 1970.
    fn wall_ms(&self) -> u64;

    /// The state after the last applied entry. It is not held across an await.
    fn engine(&self) -> Box<dyn Deref<Target = Engine> + '_>;
}

/// How this node stores its rows.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// It is a sandbox.
    pub sandbox: bool,
    /// Most codes by SMS an hour.
    pub sms_per_hour: u64,
    /// The same for one country.
    pub sms_per_country_hour: u64,
}

/// People, content, history, and the keys of sealed data.
#[derive(Debug)]
pub struct Store {
    /// The rows.
    pub db: Db,
    /// Pepper and keyed hashes.
    pub secrets: Secrets,
    /// Keys of personal data.
    pub vault: Vault,
    /// Sequence of the newest entry whose rows can be read.
    pub applied: Mark,
    /// The newest row of the audit log.
    pub audit_head: AuditHead,
    /// How this node stores them.
    pub terms: Terms,
    pub(crate) present: Box<dyn Present>,
}

impl Store {
    /// Journal time in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.present.now_ms()
    }

    /// The guarded wall clock, milliseconds since 1970.
    pub fn wall_ms(&self) -> u64 {
        self.present.wall_ms()
    }

    pub(crate) fn engine(&self) -> Box<dyn Deref<Target = Engine> + '_> {
        self.present.engine()
    }

    /// Waits until the rows of the history are at least this new (`x-min-seq`), at most 2 s.
    ///
    /// # Errors
    /// [`StoreError::NotReady`] after that.
    pub async fn wait_for(&self, seq: u64) -> Result<(), StoreError> {
        timeout(MIN_SEQ, self.applied.reach(seq)).await.map_err(|_| StoreError::NotReady)
    }
}
