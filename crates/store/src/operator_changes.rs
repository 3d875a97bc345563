//! Changes of operators that the machine announces until the log has them, and how operator rows differ from the log.

use std::collections::HashMap;

use engine::Engine;
use engine::ids::{Digest as Hash, OperatorId, UserId};
use engine::operators::Cause;
use engine::operators::roles::Roles;

use super::operators::{LINK_MS, digest, end_sessions, id, maybe};
use crate::db::{Db, DbError, Row, Sql};
use crate::secrets::{hex, random};
use crate::sql;

/// The machine's own announcement about an operator; the server logs it before they can log in.
#[derive(Clone, Debug)]
pub struct Announced {
    /// Number of the announcement.
    pub id: u64,
    /// The operator.
    pub operator: OperatorId,
    /// Their log-in name.
    pub name: String,
    /// Why.
    pub cause: Cause,
    /// What they may do.
    pub roles: Roles,
    /// The member account of the same person.
    pub member: Option<UserId>,
    link_hash: Vec<u8>,
    link_expires_ms: u64,
}

/// Announces a change with a fresh one-time link, and ends the operator's sessions: the link, shown once, and the statements.
pub fn announce(id: OperatorId, cause: Cause, roles: Roles, member: Option<UserId>, now_ms: u64) -> Result<(String, Vec<Sql>), DbError> {
    let link = hex(&random::<32>().map_err(|error| DbError::Failed(error.0))?);
    let text = "insert into operator_changes (operator_id, rescue, roles, member_id, link_hash, link_expires_ms, created_at_ms) \
                values ($1, $2, $3, $4, $5, $6, $7)";
    let member = member.map(|member| member.0);
    let row = sql!(text, id.0, cause == Cause::Rescue, roles.0, member, digest(&link), now_ms + LINK_MS, now_ms);
    Ok((link, vec![row, end_sessions(id)]))
}

/// Announcements that are not logged yet, oldest first.
pub async fn announced(db: &Db) -> Result<Vec<Announced>, DbError> {
    let text = "select operator_changes.id, operator_id, name, rescue, operator_changes.roles, operator_changes.member_id, \
                operator_changes.link_hash, operator_changes.link_expires_ms \
                from operator_changes join operators on operators.id = operator_id order by operator_changes.id";
    let done = db.query(Sql::new(text.to_owned(), vec![])).await?;
    let change = |row: &Row| {
        Ok(Announced {
            id: row.id(0)?,
            operator: id(row, 1)?,
            name: row.text(2)?,
            cause: if row.flag(3)? { Cause::Rescue } else { Cause::Machine },
            roles: Roles(u8::try_from(row.id(4)?).map_err(DbError::failed)?),
            member: maybe(row, 5)?.map(UserId),
            link_hash: row.blob(6)?,
            link_expires_ms: row.id(7)?,
        })
    };
    done.rows.iter().map(change).collect()
}

impl Announced {
    /// It is in the log: old secrets and sessions end, the link is good. The first statement misses if it was done meanwhile.
    pub fn done(&self) -> Vec<Sql> {
        let text = "update operators set link_hash = $1, link_expires_ms = $2, password = null, secret = null, last_step = 0 where id = $3";
        vec![self.drop().exactly(1), sql!(text, self.link_hash.clone(), self.link_expires_ms, self.operator.0), end_sessions(self.operator)]
    }

    /// The log refused it, or it is done.
    pub fn drop(&self) -> Sql {
        sql!("delete from operator_changes where id = $1", self.id)
    }
}

/// The differences between the rows and the log, in words: roles, state or link that no entry set.
pub async fn difference(db: &Db, engine: &Engine) -> Result<Option<String>, DbError> {
    let text = "select id, name, roles, active, member_id from operators where listed = 1 order by id";
    let done = db.query(Sql::new(text.to_owned(), vec![])).await?;
    let mut rows: HashMap<OperatorId, (Hash, u64, bool, Option<u64>)> = HashMap::new();
    for row in &done.rows {
        rows.insert(id(row, 0)?, (Hash(digest(&row.text(1)?)), row.id(2)?, row.flag(3)?, maybe(row, 4)?));
    }
    for known in engine.operators() {
        let logged = (known.name, u64::from(known.roles.0), known.active);
        let Some((name, roles, active, member)) = rows.remove(&known.id) else {
            return Ok(Some(format!("operator {} of the log has no row", known.id.0)));
        };
        if (name, roles, active) != logged || (known.member.is_some() && member != known.member.map(|member| member.0)) {
            return Ok(Some(format!("the row of operator {} is not what the log has", known.id.0)));
        }
    }
    Ok(rows.keys().min().map(|id| format!("operator {} is in no entry of the log", id.0)))
}
