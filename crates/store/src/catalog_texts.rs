//! Texts and tables of the catalog that live outside the log. Their digest was approved under dual control, so an altered text is never
//! used.

use engine::ids::Digest;

use super::documents::plain_digest;
use crate::db::{Db, DbError, Sql};
use crate::sql;

/// The statement that stores a text under its SHA-256.
pub fn keep(text: &str) -> Sql {
    sql!("insert into catalog_texts (digest, content) values ($1, $2) on conflict (digest) do nothing", plain_digest(text).0, text)
}

/// The text with this digest, if it is there and unchanged.
pub async fn find(db: &Db, digest: Digest) -> Result<Option<String>, DbError> {
    let done = db.query(sql!("select content from catalog_texts where digest = $1", digest.0)).await?;
    let text = done.first().map(|row| row.text(0)).transpose()?;
    Ok(text.filter(|text| plain_digest(text) == digest))
}
