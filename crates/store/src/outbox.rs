//! Outgoing messages. In a sandbox they are kept for `/sandbox/outbox`; in live they wait here until delivered.

use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::handle::Store;
use crate::sealing::{Letter, target_hash};
use crate::sql;

/// Messages by queue. Codes that wait now are valid for ten minutes like all; SMS that wait now are sent among the mails.
pub const QUEUES: Migration = Migration {
    id: 103,
    name: "messages by queue",
    ddl: &[
        "ALTER TABLE outbox ADD COLUMN sms INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE outbox ADD COLUMN expires_ms INTEGER",
        "UPDATE outbox SET expires_ms = time_ms + 600000 WHERE state = 'waiting' \
         AND purpose IN ('register', 'forget', 'bind', 'operation', 'fund', 'contact', 'security', 'taken')",
    ],
};

/// A message to one address.
#[derive(Debug)]
pub struct Message<'a> {
    /// Mail address, or dial code and number.
    pub target: &'a str,
    /// Its purpose.
    pub purpose: &'static str,
    /// Subject of a mail.
    pub subject: String,
    /// Text.
    pub body: String,
    /// The code inside, shown apart in a sandbox.
    pub code: Option<String>,
    /// When it is no longer worth sending, journal time; notices always are.
    pub expires_ms: Option<u64>,
}

/// The statement that queues a message; `void` does the same work without a recipient.
pub fn insert(store: &Store, message: Message<'_>, void: bool) -> Result<Sql, DbError> {
    let state = match (void, store.terms.sandbox) {
        (true, _) => "void",
        (false, true) => "kept",
        (false, false) => "waiting",
    };
    let hash = target_hash(&store.vault, message.target);
    let letter = Letter { target: message.target.to_owned(), subject: message.subject, body: message.body, code: message.code };
    let sealed = letter.seal(&store.vault, &hash)?;
    let text = "insert into outbox (target_hash, purpose, sealed, time_ms, state, tries, next_ms, sms, expires_ms) \
                values ($1, $2, $3, $4, $5, 0, 0, $6, $7)";
    Ok(sql!(text, hash, message.purpose, sealed, store.now_ms(), state, !message.target.contains('@'), message.expires_ms))
}

/// How many messages are in this state.
pub async fn count(db: &Db, state: &str) -> Result<u64, DbError> {
    db.query(sql!("select count(*) from outbox where state = $1", state)).await?.first().map_or(Ok(0), |row| row.id(0))
}

/// A stored message of a sandbox.
#[derive(Debug)]
pub struct OutboxRow {
    /// Number.
    pub id: u64,
    /// Its purpose.
    pub purpose: String,
    /// The code inside.
    pub code: Option<String>,
    /// Text.
    pub body: String,
    /// Journal time.
    pub time_ms: u64,
}

/// The newest messages to any of these targets.
pub async fn kept(store: &Store, targets: &[String], limit: u64) -> Result<Vec<OutboxRow>, DbError> {
    let holes: Vec<String> = (0..targets.len()).map(|at| format!("${}", at + 2)).collect();
    let text = format!(
        "select id, target_hash, sealed, purpose, time_ms from outbox where state = 'kept' and target_hash in ({}) order by id desc limit $1",
        holes.join(", ")
    );
    let args = std::iter::once(limit.into()).chain(targets.iter().map(|target| target_hash(&store.vault, target).into())).collect();
    let done = store.db.query(Sql::new(text, args)).await?;
    let row = |row: &Row| {
        let Letter { body, code, .. } = Letter::open(&store.vault, &row.text(1)?, &row.blob(2)?)?;
        Ok(OutboxRow { id: row.id(0)?, purpose: row.text(3)?, code, body, time_ms: row.id(4)? })
    };
    done.rows.iter().map(row).collect()
}

/// A message that waits for delivery.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Number, also the key under which a gateway may drop a repetition.
    pub id: u64,
    /// Mail address, or dial code and number.
    pub target: String,
    /// Subject of a mail.
    pub subject: String,
    /// Text.
    pub body: String,
    /// Attempts so far, including this one.
    pub tries: u64,
}

/// Messages that wait for each other and for no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// SMS, else mails.
    pub sms: bool,
    /// Those that expire, which strangers can ask for, else notices.
    pub codes: bool,
}

impl Queue {
    /// All of them: no way out waits for the other, and no flood of codes hides a notice.
    pub const ALL: [Queue; 4] = [
        Queue { sms: false, codes: true },
        Queue { sms: true, codes: true },
        Queue { sms: false, codes: false },
        Queue { sms: true, codes: false },
    ];
}

/// Takes at most so many due messages, for one minute: if this process dies, another attempt follows then. Expired ones fail before. The
/// newest codes come first: when more are asked for than can be sent, these still arrive in time. Of notices the oldest come first.
pub async fn take_due(store: &Store, queue: Queue, most: u64) -> Result<Vec<Waiting>, DbError> {
    let (wall, (null, order)) = (store.wall_ms(), if queue.codes { ("is not null", "desc") } else { ("is null", "asc") });
    let due = format!("state = 'waiting' and next_ms <= $1 and sms = $2 and expires_ms {null}");
    // Most of the time there are none, and a read is cheaper.
    if store
        .db
        .query(Sql::new(format!("select 1 from outbox where {due} limit 1"), vec![wall.into(), queue.sms.into()]))
        .await?
        .rows
        .is_empty()
    {
        return Ok(Vec::new());
    }
    let expire = format!("update outbox set state = 'failed', sealed = null where {due} and expires_ms <= $3");
    let take = format!(
        "update outbox set tries = tries + 1, next_ms = cast($1 as bigint) + cast(60000 as bigint) where id in \
         (select id from outbox where {due} order by id {order} limit $3) and {due} returning id, target_hash, sealed, tries"
    );
    let args = |last: u64| vec![wall.into(), queue.sms.into(), last.into()];
    let done = store.db.run(vec![Sql::new(expire, args(store.now_ms())), Sql::new(take, args(most))]).await?;
    let [expired, taken] = &done[..] else { return Err(DbError::failed("two statements have two results")) };
    if expired.hit > 0 {
        tracing::warn!(count = expired.hit, sms = queue.sms, "codes expired before they could be sent");
    }
    let mut waiting = Vec::with_capacity(taken.rows.len());
    for row in &taken.rows {
        match opened(store, row) {
            Ok(message) => waiting.push(message),
            // The others do not wait for one that can never be sent.
            Err(error) => give_up(&store.db, row, error).await,
        }
    }
    Ok(waiting)
}

fn opened(store: &Store, row: &Row) -> Result<Waiting, DbError> {
    let Letter { target, subject, body, .. } = Letter::open(&store.vault, &row.text(1)?, &row.blob(2)?)?;
    Ok(Waiting { id: row.id(0)?, target, subject, body, tries: row.id(3)? })
}

async fn give_up(db: &Db, row: &Row, error: DbError) {
    tracing::error!(id = ?row.id(0), %error, "a message cannot be opened");
    let marked = match row.id(0) {
        Ok(id) => not_sent(db, id, None).await,
        Err(error) => Err(error),
    };
    if let Err(error) = marked {
        tracing::error!(%error, "a message that cannot be opened is not given up yet");
    }
}

/// Marks a message as delivered: recipient and content, which may include a code, are deleted.
pub async fn sent(db: &Db, id: u64) -> Result<(), DbError> {
    db.exec(sql!("update outbox set state = 'sent', sealed = null where id = $1", id)).await?;
    Ok(())
}

/// Not delivered: tried again at `next_ms`, or given up.
pub async fn not_sent(db: &Db, id: u64, next_ms: Option<u64>) -> Result<(), DbError> {
    let statement = match next_ms {
        Some(next_ms) => sql!("update outbox set next_ms = $1 where id = $2", next_ms, id),
        None => sql!("update outbox set state = 'failed', sealed = null where id = $1", id),
    };
    db.exec(statement).await?;
    Ok(())
}
