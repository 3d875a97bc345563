//! Sessions as their owner sees them, log-ins, and what operators viewed.

use engine::ids::UserId;

use crate::db::{Db, DbError, Row, Sql};
use crate::handle::Store;
use crate::page::Page;
use crate::people::Person;
use crate::sealed_columns::{Cell, device_hash};
use crate::sql;

/// An open session.
#[derive(Debug)]
pub struct OpenSession {
    /// Number.
    pub id: u64,
    /// Browser and system.
    pub device: String,
    /// Network address.
    pub address: String,
    /// Start, session time.
    pub created_at_ms: u64,
    /// Last use, session time.
    pub last_at_ms: u64,
}

/// Sessions of a member that started and were used after these instants; the last used first.
pub async fn sessions(store: &Store, user: UserId, created_after_ms: u64, used_after_ms: u64) -> Result<Vec<OpenSession>, DbError> {
    let text = "select id, device, address, created_at_ms, last_at_ms from sessions \
                where user_id = $1 and created_at_ms > $2 and last_at_ms > $3 order by last_at_ms desc, id desc limit 200";
    let row = |row: &Row| {
        Ok(OpenSession {
            id: row.id(0)?,
            device: Cell::SESSION_DEVICE.open(&store.vault, user, row.text(1)?)?,
            address: Cell::SESSION_ADDRESS.open(&store.vault, user, row.text(2)?)?,
            created_at_ms: row.id(3)?,
            last_at_ms: row.id(4)?,
        })
    };
    store.db.query(sql!(text, user.0, created_after_ms, used_after_ms)).await?.rows.iter().map(row).collect()
}

/// Ends one session of a member; misses if it is not theirs.
pub fn end_session(user: UserId, id: u64) -> Sql {
    sql!("delete from sessions where id = $1 and user_id = $2", id, user.0).exactly(1)
}

/// Misses if the password was changed since this person was read.
pub fn same_password(of: &Person) -> Sql {
    sql!("update users set password = password where id = $1 and password = $2", of.id.0, &of.password).exactly(1)
}

/// How a person authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Password alone.
    Password,
    /// Password and authenticator code.
    Totp,
    /// Password and recovery code.
    Recovery,
    /// Passkey.
    Passkey,
}

impl Method {
    fn word(self) -> &'static str {
        match self {
            Method::Password => "password",
            Method::Totp => "totp",
            Method::Recovery => "recovery",
            Method::Passkey => "passkey",
        }
    }
}

/// An attempt to log in.
#[derive(Debug)]
pub struct LoginEvent {
    /// Number.
    pub id: u64,
    /// It succeeded.
    pub ok: bool,
    /// How.
    pub method: String,
    /// Browser and system.
    pub device: String,
    /// Network address.
    pub address: String,
    /// Wall clock.
    pub created_at_ms: u64,
}

/// Writes an attempt down.
pub fn login_event(store: &Store, user: UserId, ok: bool, method: Method, device: &str, address: &str) -> Result<Sql, DbError> {
    Ok(sql!(
        "insert into login_events (user_id, ok, method, device, device_hash, address, created_at_ms) values ($1, $2, $3, $4, $5, $6, $7)",
        user.0,
        ok,
        method.word(),
        Cell::LOGIN_DEVICE.seal(&store.vault, user, device)?,
        device_hash(&store.vault, device),
        Cell::LOGIN_ADDRESS.seal(&store.vault, user, address)?,
        store.wall_ms()
    ))
}

/// True if the member logged in before, but never from this device.
pub async fn is_new_device(store: &Store, user: UserId, device: &str) -> Result<bool, DbError> {
    let text = "select count(*), coalesce(cast(sum(case when device_hash = $2 then 1 else 0 end) as bigint), cast(0 as bigint)) \
                from login_events where user_id = $1 and ok = 1";
    let done = store.db.query(sql!(text, user.0, device_hash(&store.vault, device))).await?;
    done.first().map_or(Ok(false), |row| Ok(row.id(0)? > 0 && row.id(1)? == 0))
}

/// When the most recently added device first logged in; `None` for a member with only one device.
pub async fn newest_device(db: &Db, user: UserId) -> Result<Option<u64>, DbError> {
    let text = "select min(created_at_ms) as since from login_events where user_id = $1 and ok = 1 and device_hash is not null \
                group by device_hash order by since desc limit 2";
    match &db.query(sql!(text, user.0)).await?.rows[..] {
        [newest, _] => newest.id(0).map(Some),
        _ => Ok(None),
    }
}

/// One page of a member's log-ins, newest first, and how many there are.
pub async fn login_events(store: &Store, user: UserId, page: Page) -> Result<(Vec<LoginEvent>, u64), DbError> {
    let row = |row: &Row| {
        Ok(LoginEvent {
            id: row.id(0)?,
            ok: row.flag(1)?,
            method: row.text(2)?,
            device: Cell::LOGIN_DEVICE.open(&store.vault, user, row.text(3)?)?,
            address: Cell::LOGIN_ADDRESS.open(&store.vault, user, row.text(4)?)?,
            created_at_ms: row.id(5)?,
        })
    };
    paged(&store.db, "login_events", "id, ok, method, device, address, created_at_ms", user, page, row).await
}

/// An operator's view of a member's data, or act on it.
#[derive(Debug)]
pub struct Access {
    /// Number.
    pub id: u64,
    /// Role of the operator.
    pub role: String,
    /// What was viewed or done.
    pub action: String,
    /// Kind of object.
    pub kind: String,
    /// Reason given.
    pub reason: String,
    /// Journal time.
    pub created_at_ms: u64,
}

/// The statement that lets a member see what an operator viewed or did, for its transaction (or before its answer).
pub fn log_access(store: &Store, user: UserId, role: &str, action: &str, kind: &str, reason: &str) -> Result<Sql, DbError> {
    Ok(sql!(
        "insert into access_log (user_id, role, action, kind, reason, created_at_ms) values ($1, $2, $3, $4, $5, $6)",
        user.0,
        role,
        action,
        kind,
        Cell::ACCESS_REASON.seal(&store.vault, user, reason)?,
        store.now_ms()
    ))
}

/// One page of it, newest first, and the total count.
pub async fn accesses(store: &Store, user: UserId, page: Page) -> Result<(Vec<Access>, u64), DbError> {
    let row = |row: &Row| {
        Ok(Access {
            id: row.id(0)?,
            role: row.text(1)?,
            action: row.text(2)?,
            kind: row.text(3)?,
            reason: Cell::ACCESS_REASON.open(&store.vault, user, row.text(4)?)?,
            created_at_ms: row.id(5)?,
        })
    };
    paged(&store.db, "access_log", "id, role, action, kind, reason, created_at_ms", user, page, row).await
}

/// A page of a table's rows that belong to a member, newest first, and their number.
async fn paged<T>(
    db: &Db,
    table: &str,
    columns: &str,
    user: UserId,
    page: Page,
    read: impl Fn(&Row) -> Result<T, DbError>,
) -> Result<(Vec<T>, u64), DbError> {
    let rows = format!("select {columns} from {table} where user_id = $1 order by id desc limit $2 offset $3");
    let count = format!("select count(*) from {table} where user_id = $1");
    let done = db
        .read(vec![Sql::new(rows, vec![user.0.into(), page.limit.into(), page.offset().into()]), Sql::new(count, vec![user.0.into()])])
        .await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(read).collect::<Result<_, _>>()?, total))
}
