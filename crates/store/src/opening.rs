//! How a store is opened, and what it deletes over time while open.

use std::path::Path;

use engine::time::DAY_MS;

use crate::audit_head::AuditHead;
use crate::db::{Db, DbError};
use crate::handle::{Present, Store, Terms};
use crate::mark::Mark;
use crate::migrations::migrations;
use crate::secrets::{OpenError, Secrets};
use crate::vault::Vault;
use crate::{answers, content, people, sealed_columns, sealing, sql};

impl Store {
    /// Brings a database up to date and opens its secrets: the pepper in the data directory, the keys in their file.
    ///
    /// # Errors
    /// When a secret is missing or another than the database knows.
    pub async fn open(db: Db, data: &Path, key_file: &Path, terms: Terms, present: Box<dyn Present>) -> Result<Store, OpenError> {
        db.migrate(&migrations()).await?;
        people::add_house(&db, present.wall_ms()).await?;
        let secrets = Secrets::open(data, &db).await?;
        if terms.sandbox {
            content::seed(&db).await?;
        }
        let vault = Vault::open(key_file, &secrets, &db).await?;
        sealing::seal_old(&db, &vault).await?;
        sealed_columns::seal_old(&db, &vault).await?;
        answers::seal_old(&db, &vault).await?;
        Ok(Store { db, secrets, vault, applied: Mark::default(), audit_head: AuditHead::default(), terms, present })
    }
}

/// Deletes what no longer counts: failures older than a day, messages sent (or addressed to no one) more than a week ago.
pub async fn tidy(store: &Store) -> Result<(), DbError> {
    let (day, now) = (DAY_MS, store.now_ms());
    store
        .db
        .run(vec![
            sql!("delete from waits where at_ms < $1", now.saturating_sub(day)),
            sql!("delete from codes where expires_ms < $1", now.saturating_sub(day)),
            sql!("delete from email_changes where expires_ms < $1", now),
            sql!("delete from login_challenges where expires_ms < $1", store.wall_ms()),
            sql!("delete from totp_setups where expires_ms < $1", store.wall_ms()),
            sql!("delete from login_events where created_at_ms < $1", now.saturating_sub(365 * day)),
            sql!("delete from notices where created_at_ms < $1", now.saturating_sub(365 * day)),
            sql!("delete from outbox where state in ('sent', 'failed', 'void') and time_ms < $1", now.saturating_sub(7 * day)),
        ])
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
