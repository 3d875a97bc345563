//! Lists that operators page through: decided deposits, withdrawals and submissions, and members waiting for support.

use engine::funding::deposits::Deposit;
use engine::funding::withdrawals::Withdrawal;
use engine::identity::Identity;
use engine::ids::UserId;
use engine::loans::loan::Loan;

use crate::account::StoredState;
use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::handle::Store;
use crate::messages::{self, Ticket};
use crate::page::Page;

/// Indices for lists of a million rows.
pub const MIGRATION: Migration = Migration {
    id: 18,
    name: "queues of a million rows",
    ddl: &[
        // 1: a bank transfer, 0: coins on a chain.
        "ALTER TABLE deposits ADD COLUMN bank INTEGER NOT NULL DEFAULT 0",
        "UPDATE deposits SET bank = 1 WHERE body LIKE '%\"claimed\":{\"Bank\"%'",
        "CREATE INDEX deposits_by_bank ON deposits (bank, id)",
        "CREATE INDEX deposits_by_bank_and_status ON deposits (bank, status, id)",
        "DROP INDEX tickets_by_status",
        "CREATE INDEX tickets_by_status ON tickets (status, updated_at_ms, id)",
        "CREATE INDEX tickets_by_time ON tickets (updated_at_ms, id)",
        // Chats get an increasing number, so that they can be counted.
        "ALTER TABLE chats RENAME TO chats_before",
        "CREATE TABLE chats (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL UNIQUE,
            last_id INTEGER NOT NULL,
            at_ms INTEGER NOT NULL,
            waits INTEGER NOT NULL
        ) STRICT",
        "INSERT INTO chats (user_id, last_id, at_ms, waits) SELECT user_id, last_id, at_ms, waits FROM chats_before",
        "DROP TABLE chats_before",
        "CREATE INDEX chats_by_wait ON chats (waits, at_ms, id)",
        "CREATE INDEX chats_by_time ON chats (at_ms, id)",
        // `counted`: number of rows of the queue up to `upto`.
        "CREATE TABLE queue_totals (name TEXT NOT NULL PRIMARY KEY, upto INTEGER NOT NULL, counted INTEGER NOT NULL) STRICT",
        "INSERT INTO queue_totals (name, upto, counted) VALUES ('deposits', 0, 0), ('bank deposits', 0, 0), ('withdrawals', 0, 0), \
         ('submissions', 0, 0), ('tickets', 0, 0), ('chats', 0, 0), ('fund resets', 0, 0)",
    ],
};

/// Waiting rows are often the newest: paging through the decided ones need not skip them.
pub const DECIDED: Migration = Migration {
    id: 20,
    name: "decided rows of queues",
    ddl: &[
        "CREATE INDEX deposits_decided ON deposits (bank, id) WHERE status <> 1",
        "CREATE INDEX withdrawals_decided ON withdrawals (id) WHERE status <> 1",
        "CREATE INDEX submissions_decided ON submissions (id) WHERE status <> 1",
        "CREATE INDEX tickets_decided ON tickets (updated_at_ms, id) WHERE status <> 1",
    ],
};

/// For PostgreSQL, which would scan past waiting rows in the primary key: only an index of one column is in the order of the table for it.
/// SQLite uses `deposits_decided`.
pub const DECIDED_DEPOSITS: Migration = Migration {
    id: 22,
    name: "decided deposits of each queue",
    ddl: &[
        "CREATE INDEX coin_deposits_decided ON deposits (id) WHERE bank = 0 AND status <> 1",
        "CREATE INDEX bank_deposits_decided ON deposits (id) WHERE bank = 1 AND status <> 1",
    ],
};

/// A withdrawal waits for operators until it is sent, longer than its wire state says.
pub const WAITING: Migration = Migration {
    id: 61,
    name: "withdrawals that wait",
    ddl: &[
        "ALTER TABLE withdrawals ADD COLUMN waits INTEGER NOT NULL DEFAULT 0",
        "UPDATE withdrawals SET waits = 1 WHERE status = 1 OR (status = 2 AND body LIKE '%\"status\":\"Passed\"%')",
        "CREATE INDEX withdrawals_waiting ON withdrawals (id) WHERE waits = 1",
    ],
};

/// Which items of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePart {
    /// Those that wait, oldest first.
    Open,
    /// Those that were decided, newest first.
    Done,
    /// All, newest first.
    All,
}

impl QueuePart {
    fn order(self) -> &'static str {
        if self == QueuePart::Open { "asc" } else { "desc" }
    }
}

/// A table that serves as a queue. Rows are never deleted and their numbers only grow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    /// Its row in `queue_totals`.
    pub(super) name: &'static str,
    pub(super) table: &'static str,
    /// Condition of its rows.
    pub(super) of: &'static str,
    /// Condition of those that wait.
    pub(super) open: &'static str,
    /// Condition of those that were decided.
    pub(super) done: &'static str,
    /// The sort column before the number.
    pub(super) by: Option<&'static str>,
}

/// A queue of rows reported by the engine.
const fn told(name: &'static str, table: &'static str, of: &'static str) -> Queue {
    Queue { name, table, of, open: "status = 1", done: "status <> 1", by: None }
}

const TICKETS: Queue =
    Queue { name: "tickets", table: "tickets", of: "1 = 1", open: "status = 1", done: "status <> 1", by: Some("updated_at_ms") };
const CHATS: Queue = Queue { name: "chats", table: "chats", of: "1 = 1", open: "waits = 1", done: "waits = 0", by: Some("at_ms") };

/// The newest rows are always recounted: another node may be about to add one among them.
const UNSETTLED: u64 = 64;

/// One page of a queue, and its total number of rows, in one statement. A million rows cost as much as ten: waiting rows are few, and the
/// others are counted once, up to a row that `queue_totals` names.
pub(super) async fn paged<T>(
    db: &Db,
    columns: &str,
    queue: Queue,
    which: QueuePart,
    page: Page,
    read: impl Fn(&Row) -> Result<T, DbError>,
) -> Result<(Vec<T>, u64), DbError> {
    let Queue { name, table, of, open, done, by } = queue;
    let chosen = match which {
        QueuePart::Open => open,
        QueuePart::Done => done,
        QueuePart::All => "1 = 1",
    };
    let order = by.map_or_else(String::new, |by| format!("{by} {}, ", which.order()));
    let kept = |what: &str| format!("(select {what} from queue_totals where name = '{name}')");
    let mut counts = Vec::new();
    if which != QueuePart::Open {
        // A subquery, where PostgreSQL knows `upto` as a column and starts no parallel workers to count.
        let newer = format!("(select count(*) from {table} where {of} and id > upto)");
        counts.extend([kept("counted"), kept("upto"), kept(&newer)]);
    }
    if which != QueuePart::All {
        counts.push(format!("(select count(*) from {table} where {of} and {open})"));
    }
    let (width, counts) = (counts.len(), counts.join(", "));
    let text =
        format!("select {columns}, {counts} from {table} where {of} and {chosen} order by {order}id {} limit $1 offset $2", which.order());
    let found = db.query(Sql::new(text, vec![page.limit.into(), page.offset().into()])).await?.rows;
    let last = match found.first() {
        Some(row) => row.clone(),
        // Past the last page no row carries the counts.
        None => db.query(Sql::new(format!("select {counts}"), vec![])).await?.rows.pop().unwrap_or_default(),
    };
    let count = |at: usize| last.id(last.0.len().saturating_sub(width) + at);
    let total = if which == QueuePart::Open {
        count(0)?
    } else {
        let (counted, upto, newer) = (count(0)?, count(1)?, count(2)?);
        if newer >= 2 * UNSETTLED {
            settle(db, queue, upto).await?;
        }
        let open = if which == QueuePart::Done { count(3)? } else { 0 };
        counted + newer - open
    };
    Ok((found.iter().map(read).collect::<Result<_, _>>()?, total))
}

/// Counts the rows after `upto` for good, but for the newest.
async fn settle(db: &Db, Queue { name, table, of, .. }: Queue, upto: u64) -> Result<(), DbError> {
    let last = format!("(select id from {table} where {of} order by id desc limit 1 offset {UNSETTLED})");
    let text = format!(
        "update queue_totals set upto = {last}, counted = counted + (select count(*) from {table} where {of} and id > $2 and id <= {last}) \
         where name = $1 and upto = $2"
    );
    db.exec(Sql::new(text, vec![name.into(), upto.into()])).await.map(drop)
}

fn body<T: StoredState>(row: &Row) -> Result<T, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(DbError::failed)
}

/// One page of withdrawals, and how many there are.
pub async fn withdrawals(db: &Db, which: QueuePart, page: Page) -> Result<(Vec<Withdrawal>, u64), DbError> {
    let all = told("withdrawals", "withdrawals", "1 = 1");
    let queue = if which == QueuePart::Open { Queue { open: "waits = 1", ..all } } else { all };
    paged(db, "body", queue, which, page, body).await
}

/// The same of submissions.
pub async fn submissions(db: &Db, which: QueuePart, page: Page) -> Result<(Vec<Identity>, u64), DbError> {
    paged(db, "body", told("submissions", "submissions", "1 = 1"), which, page, body).await
}

/// The same of deposits: by bank, or on chains.
pub async fn deposits(db: &Db, bank: bool, which: QueuePart, page: Page) -> Result<(Vec<Deposit>, u64), DbError> {
    let queue = if bank { told("bank deposits", "deposits", "bank = 1") } else { told("deposits", "deposits", "bank = 0") };
    paged(db, "body", queue, which, page, body).await
}

/// The same of loans.
pub async fn loans(db: &Db, which: QueuePart, page: Page) -> Result<(Vec<Loan>, u64), DbError> {
    paged(db, "body", told("loans", "loans", "1 = 1"), which, page, body).await
}

/// One page of tickets.
pub async fn tickets(store: &Store, which: QueuePart, page: Page) -> Result<(Vec<Ticket>, u64), DbError> {
    paged(&store.db, messages::TICKET, TICKETS, which, page, |row: &Row| messages::ticket(store, row)).await
}

/// A member's chat as its queue knows it.
#[derive(Debug)]
pub struct Chat {
    /// The member.
    pub user: UserId,
    /// Its last message.
    pub last_id: u64,
    /// When that was written, journal time.
    pub at_ms: u64,
    /// The member wrote it.
    pub waits: bool,
}

/// One page of chats.
pub async fn chats(db: &Db, which: QueuePart, page: Page) -> Result<(Vec<Chat>, u64), DbError> {
    let read = |row: &Row| Ok(Chat { user: UserId(row.id(0)?), last_id: row.id(1)?, at_ms: row.id(2)?, waits: row.flag(3)? });
    paged(db, "user_id, last_id, at_ms, waits", CHATS, which, page, read).await
}
