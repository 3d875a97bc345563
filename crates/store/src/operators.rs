//! Operators: accounts, secrets, one-time links and sessions. Their acts are in [`super::audit`].

mod links;

use std::collections::HashMap;

use engine::feature::Feature;
use engine::ids::{OperatorId, ProposalId, UserId};
use engine::operators::Operator as Logged;
use engine::operators::roles::Roles;
use engine::time::{DAY_MS, HOUR_MS, MINUTE_MS};
use sha2::{Digest, Sha256};

use crate::db::{Db, DbError, Row, Sql, Value};
use crate::handle::Store;
use crate::secrets::{hex, random};
use crate::sql;
use crate::vault::{Place, Vault};
pub use links::{another_has, bind, member_of, members_of, reserves, unlinked};

/// Length of inactivity that ends a session (`docs/api.md` 1.8).
pub const IDLE_MS: u64 = 15 * MINUTE_MS;
/// Length of a session in all.
pub const TOTAL_MS: u64 = 8 * HOUR_MS;
/// How long a one-time link is good.
pub const LINK_MS: u64 = DAY_MS;

/// An operator.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Number.
    pub id: OperatorId,
    /// Log-in name.
    pub name: String,
    /// The same person's account as a member, if it is known.
    pub member: Option<UserId>,
    /// Roles as bits.
    pub roles: u8,
    /// Enabled.
    pub active: bool,
    /// Stored form of the password; none before the set-up.
    pub password: Option<String>,
    /// Last used step of the authenticator.
    pub last_step: u64,
    /// Last use, session time.
    pub last_at_ms: Option<u64>,
    /// A one-time link was made and not used.
    pub has_link: bool,
    /// Where the one-time link went.
    pub mail: Option<String>,
    /// The operator who has to release the first log-in.
    pub waits_for: Option<OperatorId>,
}

const COLUMNS: &str = "id, name, member_id, roles, active, password, last_step, last_at_ms, \
     cast(case when link_hash is null then 0 else 1 end as bigint), mail";

pub(super) fn id(row: &Row, column: usize) -> Result<OperatorId, DbError> {
    u32::try_from(row.id(column)?).map(OperatorId).map_err(DbError::failed)
}

pub(super) fn maybe(row: &Row, column: usize) -> Result<Option<u64>, DbError> {
    Ok(row.maybe_int(column)?.and_then(|value| u64::try_from(value).ok()))
}

fn operator(vault: &Vault, row: &Row) -> Result<Operator, DbError> {
    let number = id(row, 0)?;
    let mail = row.maybe_blob(9)?.map(|sealed| vault.unseal_text(mail_place(&number.0.to_string()), &sealed)).transpose()?;
    Ok(Operator {
        id: number,
        name: row.text(1)?,
        member: maybe(row, 2)?.map(UserId),
        roles: u8::try_from(row.id(3)?).map_err(DbError::failed)?,
        active: row.flag(4)?,
        password: row.maybe_text(5)?,
        last_step: row.id(6)?,
        last_at_ms: maybe(row, 7)?,
        has_link: row.flag(8)?,
        mail,
        waits_for: None,
    })
}

async fn one(store: &Store, condition: &str, args: Vec<Value>) -> Result<Option<Operator>, DbError> {
    let text = format!("select {COLUMNS} from operators where {condition}");
    let found = store.db.query(Sql::new(text, args)).await?.first().map(|row| operator(&store.vault, row)).transpose()?;
    known(store, found).await
}

async fn rows(store: &Store) -> Result<Vec<Operator>, DbError> {
    let done = store.db.query(Sql::new(format!("select {COLUMNS} from operators order by id"), vec![])).await?;
    done.rows.iter().map(|row| operator(&store.vault, row)).collect()
}

/// The log's facts about an operator override the row. An operator whose log-in name or mail address is a member's is also that member.
async fn known(store: &Store, found: Option<Operator>) -> Result<Option<Operator>, DbError> {
    let Some(mut operator) = found else { return Ok(None) };
    let logged = {
        let engine = store.engine();
        engine.active(Feature::OperatorRegistry).then(|| engine.operator(operator.id).copied())
    };
    if let Some(logged) = logged {
        operator.roles = logged.map_or(0, |known| known.roles.0);
        operator.active = logged.is_some_and(|known| known.active);
        operator.waits_for = logged.and_then(|known| known.waits_for);
        operator.member = logged.and_then(|known| known.member).or(operator.member);
    }
    if operator.member.is_none() {
        operator.member = links::member(store, &operator).await?;
    }
    Ok(Some(operator))
}

/// The operator with this log-in name.
pub async fn named(store: &Store, name: &str) -> Result<Option<Operator>, DbError> {
    one(store, "name = $1", vec![name.into()]).await
}

/// The operator with this number.
pub async fn get(store: &Store, id: OperatorId) -> Result<Option<Operator>, DbError> {
    one(store, "id = $1", vec![id.0.into()]).await
}

/// All that the log knows; before it knows any, all that two operators, or the machine, agreed on.
pub async fn all(store: &Store) -> Result<Vec<Operator>, DbError> {
    let mut all = Vec::new();
    for found in rows(store).await? {
        if store.engine().operator(found.id).is_some() {
            all.extend(known(store, Some(found)).await?);
        }
    }
    Ok(all)
}

/// The number of the operator with this name.
pub async fn number_of(db: &Db, name: &str) -> Result<Option<OperatorId>, DbError> {
    db.query(sql!("select id from operators where name = $1", name)).await?.first().map(|row| id(row, 0)).transpose()
}

/// The member with this account number.
pub async fn member_with(db: &Db, account: &str) -> Result<Option<UserId>, DbError> {
    let done = db.query(sql!("select id from users where account_number = $1", account)).await?;
    done.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// An operator from before the log knew operators.
#[derive(Debug)]
pub struct Unlogged {
    /// Number.
    pub id: OperatorId,
    /// Log-in name.
    pub name: String,
    /// The same person's account as a member, if it was noted.
    pub member: Option<UserId>,
    /// What they may do.
    pub roles: Roles,
    /// Enabled.
    pub active: bool,
}

/// All that two operators, or the machine, agreed on before the log knew any.
pub async fn unlogged(db: &Db) -> Result<Vec<Unlogged>, DbError> {
    let text = "select id, name, member_id, roles, active from operators where listed = 1 order by id";
    let done = db.query(Sql::new(text.to_owned(), vec![])).await?;
    let known = |row: &Row| {
        let roles = Roles(u8::try_from(row.id(3)?).map_err(DbError::failed)?);
        Ok(Unlogged { id: id(row, 0)?, name: row.text(1)?, member: maybe(row, 2)?.map(UserId), roles, active: row.flag(4)? })
    };
    done.rows.iter().map(known).collect()
}

/// Records what two operators agreed on before the log knew operators, unless it, or a later agreement, is already recorded.
pub fn agree(id: OperatorId, proposal: ProposalId, roles: u8, active: bool) -> Sql {
    let text = "update operators set roles = $1, active = $2, listed = 1, agreed = $4 where id = $3 and agreed < $4";
    sql!(text, roles, active, id.0, proposal.0)
}

/// The operator of an unused link.
pub async fn invited(store: &Store, link: &str, now_ms: u64) -> Result<Option<Operator>, DbError> {
    let found = one(store, "link_hash = $1 and link_expires_ms > $2", vec![digest(link).into(), now_ms.into()]).await?;
    Ok(found.filter(|operator| operator.active))
}

/// The number of this name, which is reserved if no operator has it.
pub async fn number(db: &Db, name: &str, now_ms: u64) -> Result<OperatorId, DbError> {
    let text = "insert into operators (name, roles, active, listed, last_step, created_at_ms) values ($1, 0, 0, 0, 0, $2) \
                on conflict (name) do update set name = excluded.name returning id";
    let done = db.exec(sql!(text, name, now_ms)).await?;
    id(done.first().ok_or_else(|| DbError::Failed("no operator".to_owned()))?, 0)
}

/// Reserves a number and a name for an operator whom two others have not agreed on yet; `Unique` if the name is taken.
pub async fn reserve(db: &Db, name: &str, now_ms: u64) -> Result<OperatorId, DbError> {
    let text = "insert into operators (name, roles, active, listed, last_step, created_at_ms) values ($1, 0, 0, 0, 0, $2) \
                on conflict (name) do update set roles = 0 where operators.listed = 0 returning id";
    let done = db.exec(sql!(text, name, now_ms)).await?;
    done.first().map_or(Err(DbError::Unique), |row| id(row, 0))
}

/// The row as the log has it, for readers of the database; the log is authoritative.
pub fn logged(known: &Logged) -> Sql {
    let text = "update operators set roles = $1, active = $2, member_id = coalesce($3, member_id), listed = 1 where id = $4";
    sql!(text, known.roles.0, known.active, known.member.map(|member| member.0), known.id.0)
}

/// Ends every session of an operator.
pub fn end_sessions(id: OperatorId) -> Sql {
    sql!("delete from operator_sessions where operator_id = $1", id.0)
}

/// A fresh one-time link: its text, shown once, and the statement that stores it.
pub fn new_link(id: OperatorId, now_ms: u64) -> Result<(String, Sql), DbError> {
    let link = hex(&random::<32>().map_err(|error| DbError::Failed(error.0))?);
    let text = "update operators set link_hash = $1, link_expires_ms = $2, password = null, secret = null, last_step = 0 where id = $3";
    let statement = sql!(text, digest(&link), now_ms + LINK_MS, id.0);
    Ok((link, statement))
}

/// The mail address that two operators signed for the one-time link.
pub fn set_mail(store: &Store, id: OperatorId, mail: &str) -> Result<Sql, DbError> {
    let sealed = store.vault.seal(mail_place(&id.0.to_string()), mail.as_bytes())?;
    Ok(sql!("update operators set mail = $1 where id = $2", sealed, id.0))
}

fn mail_place(row: &str) -> Place<'_> {
    Place { column: "operators.mail", owner: UserId(0), row }
}

fn place(row: &str) -> Place<'_> {
    Place { column: "operators.secret", owner: UserId(0), row }
}

/// The authenticator's secret; made when it is first asked for.
pub async fn secret(store: &Store, id: OperatorId) -> Result<Vec<u8>, DbError> {
    let row = id.0.to_string();
    let fresh: [u8; 20] = random().map_err(|error| DbError::Failed(error.0))?;
    let sealed = store.vault.seal(place(&row), &fresh)?;
    let text = "update operators set secret = coalesce(secret, $1) where id = $2 returning secret";
    let done = store.db.exec(sql!(text, sealed, id.0)).await?;
    stored(&store.vault, &row, done.first())
}

fn stored(vault: &Vault, row: &str, found: Option<&Row>) -> Result<Vec<u8>, DbError> {
    vault.unseal(place(row), &found.ok_or_else(|| DbError::Failed("no operator".to_owned()))?.blob(0)?)
}

/// Set-up is done: password and first code; the link is used up. The first statement misses if it was used meanwhile.
pub fn set_up(id: OperatorId, link: &str, password: String, step: u64) -> Vec<Sql> {
    let text =
        "update operators set password = $1, last_step = $2, link_hash = null, link_expires_ms = null where id = $3 and link_hash = $4";
    vec![sql!(text, password, step, id.0, digest(link)).exactly(1)]
}

/// A code is used up; misses if it, or a later one, was used before, or the password that came with it is no longer in force.
pub fn use_step(id: OperatorId, step: u64, password: &str) -> Sql {
    let text = "update operators set last_step = $1 where id = $2 and last_step < $1 and password = $3";
    sql!(text, step, id.0, password).exactly(1)
}

/// Links from before the log knew operators: the confirming operator alone had the link, and such links are never released.
pub fn end_old_links() -> Sql {
    sql!("update operators set link_hash = null, link_expires_ms = null where password is null")
}

/// A new password; ends all sessions but one.
pub fn set_password(id: OperatorId, password: String, kept: u64) -> Vec<Sql> {
    vec![
        sql!("update operators set password = $1 where id = $2", password, id.0).exactly(1),
        sql!("delete from operator_sessions where operator_id = $1 and id <> $2", id.0, kept),
    ]
}

/// A live session.
#[derive(Clone, Debug)]
pub struct OperatorSession {
    /// Number.
    pub id: u64,
    /// The operator.
    pub operator: Operator,
    /// Session time of the last code of the authenticator.
    pub proved_ms: u64,
}

/// A fresh session: its token, shown once, and the statement that stores it.
pub fn open(id: OperatorId, now_ms: u64) -> Result<(String, Vec<Sql>), DbError> {
    let token = hex(&random::<32>().map_err(|error| DbError::Failed(error.0))?);
    let statements = vec![
        sql!(
            "insert into operator_sessions (token_hash, operator_id, created_at_ms, last_at_ms, proved_ms) values ($1, $2, $3, $3, $3)",
            digest(&token),
            id.0,
            now_ms
        ),
        sql!("update operators set last_at_ms = $1 where id = $2", now_ms, id.0),
        sql!(
            "delete from operator_sessions where created_at_ms <= $1 or last_at_ms <= $2",
            now_ms.saturating_sub(TOTAL_MS),
            now_ms.saturating_sub(IDLE_MS)
        ),
    ];
    Ok((token, statements))
}

/// The live session of a token, of an enabled operator; this is its newest use.
pub async fn session(store: &Store, token: &str, now_ms: u64) -> Result<Option<OperatorSession>, DbError> {
    if token.len() != 64 {
        return Ok(None);
    }
    let text = "update operator_sessions set last_at_ms = $2 where token_hash = $1 and created_at_ms > $3 and last_at_ms > $4 \
                returning id, operator_id, proved_ms";
    let touch = sql!(text, digest(token), now_ms, now_ms.saturating_sub(TOTAL_MS), now_ms.saturating_sub(IDLE_MS));
    let done = store.db.exec(touch).await?;
    let Some(row) = done.first() else { return Ok(None) };
    let operator = get(store, id(row, 1)?).await?.filter(|operator| operator.active);
    let (id, proved_ms) = (row.id(0)?, row.id(2)?);
    Ok(operator.map(|operator| OperatorSession { id, operator, proved_ms }))
}

/// A code of the authenticator was right in this session.
pub fn prove(id: u64, now_ms: u64) -> Sql {
    sql!("update operator_sessions set proved_ms = $1 where id = $2", now_ms, id)
}

/// Ends a session.
pub fn close(id: u64) -> Sql {
    sql!("delete from operator_sessions where id = $1", id)
}

pub(super) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Account numbers of these members.
pub async fn accounts(db: &Db, users: &[UserId]) -> Result<HashMap<UserId, String>, DbError> {
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    let holes: Vec<String> = (1..=users.len()).map(|at| format!("${at}")).collect();
    let text = format!("select id, account_number from users where id in ({})", holes.join(","));
    let done = db.query(Sql::new(text, users.iter().map(|user| user.0.into()).collect())).await?;
    done.rows.iter().map(|row| Ok((UserId(row.id(0)?), row.text(1)?))).collect()
}
