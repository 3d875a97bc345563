//! The references behind the digests of observed payments (D-3) and payouts (W-8), and the positions of the chain watchers.

use std::collections::HashMap;

use engine::ids::Digest;
use unicode_normalization::UnicodeNormalization;

use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::documents::plain_digest;
use crate::sql;

/// All payments of a transaction are found at once.
pub const MIGRATION: Migration =
    Migration { id: 16, name: "payments of a transaction", ddl: &["CREATE INDEX payments_by_tx ON payments (chain, tx)"] };

/// A payment on a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Chain.
    pub chain: String,
    /// Transaction.
    pub tx: String,
    /// Output, or number of the event.
    pub output: u64,
    /// Receiving address.
    pub address: String,
}

impl Payment {
    /// SHA-256 of `chain:transaction:output`: credited at most once, for ever.
    pub fn digest(&self) -> Digest {
        plain_digest(&format!("{}:{}:{}", self.chain, self.tx, self.output))
    }

    /// The statement that stores it, before the command that names it; storing it twice is harmless.
    pub fn keep(&self) -> Sql {
        let text = "insert into payments (digest, chain, tx, output, address) values ($1, $2, $3, $4, $5) on conflict (digest) do nothing";
        sql!(text, self.digest().0, &self.chain, &self.tx, self.output, &self.address)
    }
}

/// A transaction and its output that pays a withdrawal, as an operator marked it. A bank reference has output 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Transaction or bank reference.
    pub tx: String,
    /// Output of Bitcoin, or the number of the transfer in its transaction, from 0.
    pub output: u64,
}

impl Reference {
    /// The mark of a withdrawal: the same for every spelling; `None` without letters and digits.
    pub fn digest(&self) -> Option<Digest> {
        let plain: String = self.tx.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect();
        let plain = plain.strip_prefix("0X").unwrap_or(&plain);
        // Output 0 has no suffix, as before outputs were recorded.
        let text = if self.output == 0 { plain.to_owned() } else { format!("{plain}:{}", self.output) };
        (!plain.is_empty()).then(|| plain_digest(&text))
    }

    /// The text stored under the digest.
    pub fn text(&self) -> String {
        if self.output == 0 { self.tx.clone() } else { format!("{}:{}", self.tx, self.output) }
    }

    /// Parses the stored text of a payout on a chain.
    pub fn of_chain(text: &str) -> Reference {
        let read = |(tx, output): (&str, &str)| Some(Reference { tx: tx.to_owned(), output: output.parse().ok()? });
        text.rsplit_once(':').and_then(read).unwrap_or_else(|| Reference { tx: text.to_owned(), output: 0 })
    }
}

/// The payments with these digests.
pub async fn find(db: &Db, digests: &[Digest]) -> Result<HashMap<Digest, Payment>, DbError> {
    if digests.is_empty() {
        return Ok(HashMap::new());
    }
    let holes: Vec<String> = (1..=digests.len()).map(|at| format!("${at}")).collect();
    let text = format!("select digest, chain, tx, output, address from payments where digest in ({})", holes.join(","));
    let done = db.query(Sql::new(text, digests.iter().map(|digest| digest.0.into()).collect())).await?;
    let payment = |row: &Row| {
        let digest = row.blob(0)?.try_into().map(Digest).map_err(|_| DbError::Failed("digest".to_owned()))?;
        Ok((digest, Payment { chain: row.text(1)?, tx: row.text(2)?, output: row.id(3)?, address: row.text(4)? }))
    };
    done.rows.iter().map(payment).collect()
}

/// Digests of the other known payments of the same transaction.
pub async fn others(db: &Db, payment: &Payment) -> Result<Vec<Digest>, DbError> {
    let done = db.query(sql!("select digest from payments where chain = $1 and tx = $2", &payment.chain, &payment.tx)).await?;
    let digest = |row: &Row| row.blob(0)?.try_into().map(Digest).map_err(|_| DbError::Failed("digest".to_owned()));
    let all = done.rows.iter().map(digest).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().filter(|digest| *digest != payment.digest()).collect())
}

/// Where the watcher of a chain is.
pub async fn position(db: &Db, chain: &str) -> Result<Option<String>, DbError> {
    let done = db.query(sql!("select position from watch_cursors where chain = $1", chain)).await?;
    done.first().map(|row| row.text(0)).transpose()
}

/// The statement that moves it on, after everything before it is in the log.
pub fn move_on(chain: &str, position: &str) -> Sql {
    let text = "insert into watch_cursors (chain, position) values ($1, $2) on conflict (chain) do update set position = excluded.position";
    sql!(text, chain, position)
}
