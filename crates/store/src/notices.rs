//! Notices to members: rows that name a text and its values, rendered in the reader's current language.

mod topic;

use engine::ids::UserId;

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::handle::Store;
use crate::page::Page;
use crate::sealed_columns::Cell;
use crate::sql;
use crate::vault::Vault;
pub use topic::Topic;

/// Refusals of resets whose notice was sent without a reason, before reasons were included.
pub const REFUSED_RESETS: Migration = Migration {
    id: 30,
    name: "refused resets have a reason",
    ddl: &["UPDATE notices SET args = '[[\"reason\",\"—\"]]' WHERE topic = 'fund_reset_rejected' AND args = '[]'"],
};

/// Very active members have very many. Few are unread, and one is about an object.
pub const LOOKED_UP: Migration = Migration {
    id: 95,
    name: "notices by object, and the unread ones",
    ddl: &[
        "CREATE INDEX notices_of_object ON notices (object_id, topic, user_id)",
        "CREATE INDEX notices_unread ON notices (user_id) WHERE read = 0",
    ],
};

/// Nor is one kind read through all the others.
pub const KINDS: Migration =
    Migration { id: 96, name: "notices by kind", ddl: &["CREATE INDEX notices_by_kind ON notices (user_id, kind, id)"] };

/// A stored notice.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Number.
    pub id: u64,
    /// Kind on the wire.
    pub kind: String,
    /// Name of its texts.
    pub topic: String,
    /// Values of its texts.
    pub args: Vec<(String, String)>,
    /// The object that it is about.
    pub object_id: Option<u64>,
    /// Read.
    pub read: bool,
    /// Journal time.
    pub created_at_ms: u64,
}

const COLUMNS: &str = "id, kind, topic, args, object_id, read, created_at_ms";

fn notice(vault: &Vault, user: UserId, row: &Row) -> Result<Notice, DbError> {
    let args: Vec<(String, String)> = serde_json::from_str(&row.text(3)?).map_err(DbError::failed)?;
    let open = |(name, value): (String, String)| Ok((name, Cell::NOTICE.open(vault, user, value)?));
    Ok(Notice {
        id: row.id(0)?,
        kind: row.text(1)?,
        topic: row.text(2)?,
        args: args.into_iter().map(open).collect::<Result<_, DbError>>()?,
        object_id: row.maybe_int(4)?.and_then(|id| u64::try_from(id).ok()),
        read: row.flag(5)?,
        created_at_ms: row.id(6)?,
    })
}

/// Leaves notices, of the rows of [`cells`].
pub const INSERT: &str = "insert into notices (user_id, kind, topic, args, object_id, read, told, created_at_ms) values";

/// The row of a notice. Values about a person are given sealed by [`Cell::NOTICE`].
pub fn cells(user: UserId, topic: Topic, args: &[(&str, &str)], object_id: Option<u64>, now_ms: u64) -> [Value; 8] {
    let (kind, name) = topic.words();
    let args = serde_json::json!(args).to_string();
    [user.0.into(), kind.into(), name.into(), args.into(), object_id.into(), false.into(), false.into(), now_ms.into()]
}

/// The statement that creates a notice, for the transaction that it reports; afterwards call `http::notices::tell`.
pub fn insert(user: UserId, topic: Topic, args: &[(&str, &str)], object_id: Option<u64>, now_ms: u64) -> Sql {
    Sql::bulk(INSERT, "", [cells(user, topic, args, object_id, now_ms)].into_iter().collect())
}

/// The same for an object that gets only one notice, for steps that a repetition runs again.
pub fn insert_once(user: UserId, topic: Topic, args: &[(&str, &str)], object_id: u64, now_ms: u64) -> Sql {
    let (kind, name) = topic.words();
    let text = "insert into notices (user_id, kind, topic, args, object_id, read, told, created_at_ms) \
                select cast($1 as bigint), cast($2 as text), cast($3 as text), cast($6 as text), cast($4 as bigint), 0, 0, cast($5 as bigint) \
                where not exists (select 1 from notices where user_id = $1 and topic = $3 and object_id = $4)";
    sql!(text, user.0, kind, name, object_id, now_ms, serde_json::json!(args).to_string())
}

/// One page of a member's notices, newest first, and how many there are.
pub async fn list(store: &Store, user: UserId, kind: Option<&str>, page: Page) -> Result<(Vec<Notice>, u64), DbError> {
    let done = store.db.read(page_of(user, kind, page).to_vec()).await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(|row| notice(&store.vault, user, row)).collect::<Result<_, _>>()?, total))
}

/// The rows of a page, and their count. A condition that matches any kind as well could not use the index.
pub(crate) fn page_of(user: UserId, kind: Option<&str>, page: Page) -> [Sql; 2] {
    let mut chosen = "user_id = $1".to_owned();
    let mut args: Vec<Value> = vec![user.0.into()];
    if let Some(kind) = kind.filter(|kind| !kind.is_empty()) {
        chosen += " and kind = $2";
        args.push(kind.into());
    }
    let next = args.len() + 1;
    let rows = format!("select {COLUMNS} from notices where {chosen} order by id desc limit ${next} offset ${}", next + 1);
    let count = Sql::new(format!("select count(*) from notices where {chosen}"), args.clone());
    args.extend([page.limit.into(), page.offset().into()]);
    [Sql::new(rows, args), count]
}

/// Unread notices of a member, but for one.
pub async fn unread(db: &Db, user: UserId, except: Option<u64>) -> Result<u64, DbError> {
    db.query(unread_but(user, except.unwrap_or(0))).await?.first().map_or(Ok(0), |row| row.id(0))
}

pub(crate) fn unread_but(user: UserId, except: u64) -> Sql {
    sql!("select count(*) from notices where user_id = $1 and read = 0 and id <> $2", user.0, except)
}

/// Marks one notice of a member; misses if it is not theirs.
pub fn mark_read(user: UserId, id: u64) -> Sql {
    sql!("update notices set read = 1 where id = $1 and user_id = $2", id, user.0).exactly(1)
}

/// Marks all notices of a member.
pub fn mark_all_read(user: UserId) -> Sql {
    sql!("update notices set read = 1 where user_id = $1 and read = 0", user.0)
}

/// Notices of these members that no connection has received yet, oldest first; each is returned once, unless the power fails before the
/// next sync.
pub async fn take_untold(store: &Store, users: &[UserId]) -> Result<Vec<(UserId, Notice)>, DbError> {
    let text = format!("update notices set told = 1 where user_id = $1 and told = 0 returning {COLUMNS}");
    let done = store.db.run_relaxed(users.iter().map(|user| sql!(text.clone(), user.0)).collect()).await?;
    let rows = users.iter().zip(&done).flat_map(|(user, done)| done.rows.iter().map(|row| (*user, row)));
    let mut notices: Vec<(UserId, Notice)> =
        rows.map(|(user, row)| Ok((user, notice(&store.vault, user, row)?))).collect::<Result<_, DbError>>()?;
    notices.sort_by_key(|(_, notice)| notice.id);
    Ok(notices)
}
