//! What operators saw and did, as rows in a chain. The journal has an entry for each; here are the words for it.

use engine::ids::{Digest, OperatorId, UserId};
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::db::{DbError, Row, Sql, Value};
use crate::http::form::Page;
use crate::sql;
use crate::store::security::log_access;
use crate::vault::Place;

/// What is written down before a call is done.
#[derive(Clone, Debug)]
pub struct Note<'a> {
    /// Who.
    pub operator: OperatorId,
    /// What, in a word.
    pub action: &'a str,
    /// Kind of object.
    pub kind: &'a str,
    /// Its number; 0 when it has none.
    pub object_id: u64,
    /// Why.
    pub reason: &'a str,
}

/// A row.
#[derive(Debug)]
pub struct Line {
    /// Number.
    pub id: u64,
    /// Entry of the journal; 0 while the outcome is not known.
    pub seq: u64,
    /// Who.
    pub operator: OperatorId,
    /// What.
    pub action: String,
    /// Kind of object.
    pub kind: String,
    /// Its number.
    pub object_id: u64,
    /// Why.
    pub reason: String,
    /// Hash of this row and the one before.
    pub hash: [u8; 32],
    /// Journal time.
    pub created_at_ms: u64,
}

const PLACE: Place<'_> = Place { column: "audit.reason", owner: UserId(0), row: "" };
/// What is found of the chain while others add to it.
const TRIES: usize = 64;

fn chained(prev: &[u8; 32], note: &Note<'_>, now_ms: u64) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(prev);
    for number in [u64::from(note.operator.0), note.object_id, now_ms] {
        hash.update(number.to_be_bytes());
    }
    for text in [note.action, note.kind, note.reason] {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    hash.finalize().into()
}

fn hash(row: &Row, column: usize) -> Result<[u8; 32], DbError> {
    row.blob(column)?.try_into().map_err(|_| DbError::Failed("audit hash".to_owned()))
}

/// Writes a row before its call is done: its number.
pub async fn begin(app: &App, note: &Note<'_>) -> Result<u64, DbError> {
    let (now, sealed) = (app.now_ms(), app.vault.seal(PLACE, note.reason.as_bytes())?);
    for _ in 0..TRIES {
        let last = app.db.query(sql!("select hash from audit order by id desc limit 1")).await?;
        let prev = last.first().map_or(Ok([0; 32]), |row| hash(row, 0))?;
        let text = "insert into audit (prev, hash, operator_id, action, kind, object_id, reason, created_at_ms) \
                    values ($1, $2, $3, $4, $5, $6, $7, $8) returning id";
        let own = chained(&prev, note, now);
        let row = sql!(text, prev, own, note.operator.0, note.action, note.kind, note.object_id, sealed.clone(), now);
        match app.db.exec(row).await {
            // Another row came between.
            Err(DbError::Unique) => {}
            done => return done?.first().ok_or_else(|| DbError::Failed("no audit row".to_owned()))?.id(0),
        }
    }
    Err(DbError::Failed("the audit log is too busy".to_owned()))
}

/// Its outcome is known; the members whom it was about can read of it.
pub async fn finish(app: &App, id: u64, seq: u64, role: &str, note: &Note<'_>, about: &[UserId]) -> Result<(), DbError> {
    let mut statements = vec![sql!("update audit set seq = $1 where id = $2", seq, id)];
    if !about.is_empty() {
        let why = reason_told(app, note).await?;
        statements.extend(about.iter().map(|user| log_access(*user, role, note.action, note.kind, &why, app.now_ms())));
    }
    app.db.run(statements).await.map(drop)
}

/// The reason that a member reads. A picture is seen for that of the look that showed the way to it; an answer has the number of its ticket.
async fn reason_told(app: &App, note: &Note<'_>) -> Result<String, DbError> {
    match note.kind {
        "file" => {
            let done = app.db.query(sql!("select reason from audit where id = $1", note.object_id)).await?;
            done.first().map_or(Ok(String::new()), |row| app.vault.unseal_text(PLACE, &row.blob(0)?))
        }
        "ticket" if note.reason.is_empty() => Ok(format!("#{}", note.object_id)),
        _ => Ok(note.reason.to_owned()),
    }
}

/// What a page of the log is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search {
    /// Of one operator.
    pub operator: Option<u64>,
    /// From this instant.
    pub from_ms: Option<u64>,
    /// To this instant.
    pub to_ms: Option<u64>,
}

/// One page, newest first, and how many rows there are.
pub async fn list(app: &App, search: Search, page: Page) -> Result<(Vec<Line>, u64), DbError> {
    let mut chosen = String::from("1 = 1");
    let mut args: Vec<Value> = Vec::new();
    for (condition, value) in [("operator_id =", search.operator), ("created_at_ms >=", search.from_ms), ("created_at_ms <=", search.to_ms)]
    {
        if let Some(value) = value {
            args.push(value.into());
            chosen += &format!(" and {condition} ${}", args.len());
        }
    }
    let count = Sql::new(format!("select count(*) from audit where {chosen}"), args.clone());
    let places = (args.len() + 1, args.len() + 2);
    args.extend([page.limit.into(), page.offset().into()]);
    let columns = "id, coalesce(seq, 0), operator_id, action, kind, object_id, reason, hash, created_at_ms";
    let rows = format!("select {columns} from audit where {chosen} order by id desc limit ${} offset ${}", places.0, places.1);
    let done = app.db.read(vec![Sql::new(rows, args), count]).await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(|row| line(app, row)).collect::<Result<_, _>>()?, total))
}

fn line(app: &App, row: &Row) -> Result<Line, DbError> {
    Ok(Line {
        id: row.id(0)?,
        seq: row.id(1)?,
        operator: OperatorId(u32::try_from(row.id(2)?).map_err(DbError::failed)?),
        action: row.text(3)?,
        kind: row.text(4)?,
        object_id: row.id(5)?,
        reason: app.vault.unseal_text(PLACE, &row.blob(6)?)?,
        hash: hash(row, 7)?,
        created_at_ms: row.id(8)?,
    })
}

/// The first of the newest `rows` whose hash does not follow from it and the one before, if there is one.
pub async fn broken(app: &App, rows: u64) -> Result<Option<u64>, DbError> {
    let before = "select id, hash from audit where id <= (select max(id) from audit) - cast($1 as bigint) order by id desc limit 1";
    let start = app.db.query(sql!(before, rows)).await?;
    let (mut after, mut prev) = start.first().map_or(Ok((0, [0; 32])), |row| Ok::<_, DbError>((row.id(0)?, hash(row, 1)?)))?;
    loop {
        let text = "select id, operator_id, action, kind, object_id, reason, hash, created_at_ms, prev from audit where id > $1 order by id limit 500";
        let done = app.db.query(sql!(text, after)).await?;
        for row in &done.rows {
            let (id, action, kind) = (row.id(0)?, row.text(2)?, row.text(3)?);
            let Ok(reason) = app.vault.unseal_text(PLACE, &row.blob(5)?) else { return Ok(Some(id)) };
            let operator = OperatorId(u32::try_from(row.id(1)?).map_err(DbError::failed)?);
            let note = Note { operator, action: &action, kind: &kind, object_id: row.id(4)?, reason: &reason };
            let own = hash(row, 6)?;
            if hash(row, 8)? != prev || chained(&prev, &note, row.id(7)?) != own {
                return Ok(Some(id));
            }
            (prev, after) = (own, id);
        }
        if done.rows.len() < 500 {
            return Ok(None);
        }
    }
}

/// Pictures that a view shows the way to.
pub fn show_files(view_id: u64, files: &[(String, UserId)]) -> Vec<Sql> {
    let insert = "insert into view_files (view_id, key, user_id) values ($1, $2, $3) on conflict (view_id, key) do nothing";
    files.iter().map(|(key, user)| sql!(insert, view_id, key, user.0)).collect()
}

/// The owner of a picture that this operator's view showed the way to, not longer than a session ago.
pub async fn shown_file(app: &App, view_id: u64, operator: OperatorId, key: &str, since_ms: u64) -> Result<Option<UserId>, DbError> {
    let text = "select view_files.user_id from view_files join audit on audit.id = view_files.view_id \
                where view_files.view_id = $1 and view_files.key = $2 and audit.operator_id = $3 and audit.created_at_ms >= $4";
    let done = app.db.query(sql!(text, view_id, key, operator.0, since_ms)).await?;
    done.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// What operators did to one object, oldest first.
pub async fn history(app: &App, kind: &str, object_id: u64) -> Result<Vec<Line>, DbError> {
    let text = "select id, coalesce(seq, 0), operator_id, action, kind, object_id, reason, hash, created_at_ms from audit \
                where kind = $1 and object_id = $2 order by id desc limit 100";
    let done = app.db.query(sql!(text, kind, object_id)).await?;
    done.rows.iter().rev().map(|row| line(app, row)).collect()
}

/// SHA-256 of a reason, as the journal knows it.
pub fn digest(reason: &str) -> Digest {
    Digest(Sha256::digest(reason).into())
}
