//! Operators: accounts, secrets, one-time links and sessions. What they did is in [`super::audit`].

use std::collections::HashMap;

use engine::ids::{OperatorId, ProposalId, UserId};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::db::{Db, DbError, Row, Sql, Value};
use crate::secrets::{hex, random};
use crate::sql;
use crate::store::people::{self, Identity, Person};
use crate::vault::{Place, Vault};

/// Length of inactivity that ends a session (`api.md` 1.8).
pub const IDLE_MS: u64 = 15 * 60_000;
/// Length of a session in all.
pub const TOTAL_MS: u64 = 8 * 3_600_000;
/// How long a one-time link is good.
pub const LINK_MS: u64 = 24 * 3_600_000;

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
}

// Somebody whose log-in name is the account number of a member is that member; for a mail address see `known`.
const COLUMNS: &str = "id, name, coalesce(member_id, (select users.id from users where users.account_number = operators.name)), \
     roles, active, password, last_step, last_at_ms, cast(case when link_hash is null then 0 else 1 end as bigint)";

fn id(row: &Row, column: usize) -> Result<OperatorId, DbError> {
    u32::try_from(row.id(column)?).map(OperatorId).map_err(DbError::failed)
}

fn maybe(row: &Row, column: usize) -> Result<Option<u64>, DbError> {
    Ok(row.maybe_int(column)?.and_then(|value| u64::try_from(value).ok()))
}

fn operator(row: &Row) -> Result<Operator, DbError> {
    Ok(Operator {
        id: id(row, 0)?,
        name: row.text(1)?,
        member: maybe(row, 2)?.map(UserId),
        roles: u8::try_from(row.id(3)?).map_err(DbError::failed)?,
        active: row.flag(4)?,
        password: row.maybe_text(5)?,
        last_step: row.id(6)?,
        last_at_ms: maybe(row, 7)?,
        has_link: row.flag(8)?,
    })
}

async fn one(db: &Db, condition: &str, args: Vec<Value>) -> Result<Option<Operator>, DbError> {
    let text = format!("select {COLUMNS} from operators where {condition}");
    db.query(Sql::new(text, args)).await?.first().map(operator).transpose()
}

/// Somebody whose log-in name is the mail address of a member is that member, too.
async fn known(app: &App, found: Option<Operator>) -> Result<Option<Operator>, DbError> {
    match found {
        Some(operator) if operator.member.is_none() && operator.name.contains('@') => {
            let member = people::find(app, &Identity::Email(operator.name.clone())).await?;
            Ok(Some(Operator { member: member.map(|person| person.id), ..operator }))
        }
        found => Ok(found),
    }
}

/// The operator with this log-in name.
pub async fn named(app: &App, name: &str) -> Result<Option<Operator>, DbError> {
    known(app, one(&app.db, "name = $1", vec![name.into()]).await?).await
}

/// The operator with this number.
pub async fn get(app: &App, id: OperatorId) -> Result<Option<Operator>, DbError> {
    known(app, one(&app.db, "id = $1", vec![id.0.into()]).await?).await
}

/// All that two operators, or the machine, agreed on.
pub async fn all(db: &Db) -> Result<Vec<Operator>, DbError> {
    let done = db.query(Sql::new(format!("select {COLUMNS} from operators where listed = 1 order by id"), vec![])).await?;
    done.rows.iter().map(operator).collect()
}

/// The operator whom an unused link is for.
pub async fn invited(db: &Db, link: &str, now_ms: u64) -> Result<Option<Operator>, DbError> {
    one(db, "link_hash = $1 and link_expires_ms > $2 and active = 1", vec![digest(link).into(), now_ms.into()]).await
}

/// Adds one, or changes the roles of the one that has this name.
pub async fn put(db: &Db, name: &str, roles: u8, listed: bool, now_ms: u64) -> Result<OperatorId, DbError> {
    let text = "insert into operators (name, roles, active, listed, last_step, created_at_ms) values ($1, $2, $3, $3, 0, $4) \
                on conflict (name) do update set roles = excluded.roles, active = excluded.active, listed = excluded.listed returning id";
    let done = db.exec(sql!(text, name, roles, listed, now_ms)).await?;
    id(done.first().ok_or_else(|| DbError::Failed("no operator".to_owned()))?, 0)
}

/// Reserves a number and a name for one whom two others have not agreed on yet; `Unique` if the name is taken.
pub async fn reserve(db: &Db, name: &str, now_ms: u64) -> Result<OperatorId, DbError> {
    let text = "insert into operators (name, roles, active, listed, last_step, created_at_ms) values ($1, 0, 0, 0, 0, $2) \
                on conflict (name) do update set roles = 0 where operators.listed = 0 returning id";
    let done = db.exec(sql!(text, name, now_ms)).await?;
    done.first().map_or(Err(DbError::Unique), |row| id(row, 0))
}

/// What two operators agreed on by this proposal, unless it, or a later one, was written down before.
pub fn agree(id: OperatorId, proposal: ProposalId, roles: u8, active: bool) -> Vec<Sql> {
    let text = "update operators set roles = $1, active = $2, listed = 1, agreed = $4 where id = $3 and agreed < $4";
    let change = sql!(text, roles, active, id.0, proposal.0);
    let end = sql!("delete from operator_sessions where operator_id = $1 and cast($2 as bigint) = 0", id.0, active);
    vec![change, end]
}

/// The account of the same person as a member.
pub fn set_member(id: OperatorId, member: UserId) -> Sql {
    sql!("update operators set member_id = $1 where id = $2", member.0, id.0)
}

/// Before a member's mail address changes: an operator known as this member by it stays this member.
pub fn bind(member: &Person) -> Sql {
    sql!("update operators set member_id = $1 where member_id is null and name = $2", member.id.0, member.email.as_deref())
}

/// A fresh one-time link: its text, shown once, and the statement that stores it.
pub fn new_link(id: OperatorId, now_ms: u64) -> Result<(String, Sql), DbError> {
    let link = hex(&random::<32>().map_err(|error| DbError::Failed(error.0))?);
    let text = "update operators set link_hash = $1, link_expires_ms = $2, password = null, secret = null, last_step = 0 where id = $3";
    let statement = sql!(text, digest(&link), now_ms + LINK_MS, id.0);
    Ok((link, statement))
}

fn place(row: &str) -> Place<'_> {
    Place { column: "operators.secret", owner: UserId(0), row }
}

/// The authenticator's secret; made when it is first asked for.
pub async fn secret(app: &App, id: OperatorId) -> Result<Vec<u8>, DbError> {
    let row = id.0.to_string();
    let fresh: [u8; 20] = random().map_err(|error| DbError::Failed(error.0))?;
    let sealed = app.vault.seal(place(&row), &fresh)?;
    let text = "update operators set secret = coalesce(secret, $1) where id = $2 returning secret";
    let done = app.db.exec(sql!(text, sealed, id.0)).await?;
    stored(&app.vault, &row, done.first())
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

/// A code is used up; misses if it, or a later one, was used before.
pub fn use_step(id: OperatorId, step: u64) -> Sql {
    sql!("update operators set last_step = $1 where id = $2 and last_step < $1", step, id.0).exactly(1)
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
    /// Whose.
    pub operator: Operator,
}

/// A fresh session: its token, shown once, and the statement that stores it.
pub fn open(id: OperatorId, now_ms: u64) -> Result<(String, Vec<Sql>), DbError> {
    let token = hex(&random::<32>().map_err(|error| DbError::Failed(error.0))?);
    let statements = vec![
        sql!(
            "insert into operator_sessions (token_hash, operator_id, created_at_ms, last_at_ms) values ($1, $2, $3, $3)",
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
pub async fn session(app: &App, token: &str, now_ms: u64) -> Result<Option<OperatorSession>, DbError> {
    if token.len() != 64 {
        return Ok(None);
    }
    let text = "update operator_sessions set last_at_ms = $2 where token_hash = $1 and created_at_ms > $3 and last_at_ms > $4 \
                returning id, operator_id";
    let touch = sql!(text, digest(token), now_ms, now_ms.saturating_sub(TOTAL_MS), now_ms.saturating_sub(IDLE_MS));
    let done = app.db.exec(touch).await?;
    let Some(row) = done.first() else { return Ok(None) };
    let operator = get(app, id(row, 1)?).await?.filter(|operator| operator.active);
    Ok(operator.map(|operator| OperatorSession { id: row.id(0).unwrap_or_default(), operator }))
}

/// Ends a session.
pub fn close(id: u64) -> Sql {
    sql!("delete from operator_sessions where id = $1", id)
}

fn digest(token: &str) -> [u8; 32] {
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
