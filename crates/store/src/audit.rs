//! The audit log: what operators viewed and did, as rows in a hash chain. The journal has an entry for each; the texts are here.

use std::collections::{BTreeMap, HashMap};

use engine::backoffice::acts::{AuditAction, AuditObject, Operate, OperatorAct};
use engine::ids::{Digest, OperatorId, UserId};
use sha2::{Digest as _, Sha256};

use crate::db::{Db, DbError, Row, Sql, Value};
use crate::handle::Store;
use crate::page::Page;
use crate::security::log_access;
use crate::sql;
use crate::vault::{Place, Vault};

/// What is recorded before a call is executed.
#[derive(Clone, Debug)]
pub struct Note<'a> {
    /// The operator.
    pub operator: OperatorId,
    /// The action, in one word.
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
    /// The operator.
    pub operator: OperatorId,
    /// The action.
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

/// The person at the machine itself, in place of an operator.
pub const MACHINE: OperatorId = OperatorId(0);

const PLACE: Place<'_> = Place { column: "audit.reason", owner: UserId(0), row: "" };
const COLUMNS: &str = "id, coalesce(seq, 0), operator_id, action, kind, object_id, reason, hash, created_at_ms";
/// How often another process, such as a leader that was replaced, may add to the chain in between.
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

/// The action that the audit log records for a refused call. The reason names the call and the refusal.
pub const REFUSED: &str = "refused";

/// Writes a row before its call is executed, and returns its number. An object whose number SQL cannot hold is refused, because the row
/// would differ from what was hashed.
pub async fn begin(store: &Store, note: &Note<'_>) -> Result<u64, DbError> {
    i64::try_from(note.object_id).map_err(DbError::failed)?;
    let (now, sealed) = (store.now_ms(), store.vault.seal(PLACE, note.reason.as_bytes())?);
    let _turn = store.audit_head.turn.lock().await;
    for _ in 0..TRIES {
        let last = store.db.query(sql!("select hash from audit order by id desc limit 1")).await?;
        let prev = last.first().map_or(Ok([0; 32]), |row| hash(row, 0))?;
        let text = "insert into audit (prev, hash, operator_id, action, kind, object_id, reason, created_at_ms) \
                    values ($1, $2, $3, $4, $5, $6, $7, $8) returning id";
        let own = chained(&prev, note, now);
        let row = sql!(text, prev, own, note.operator.0, note.action, note.kind, note.object_id, sealed.clone(), now);
        match store.db.exec(row).await {
            // Another process wrote a row in between.
            Err(DbError::Unique) => {}
            done => {
                let id = done?.first().ok_or_else(|| DbError::Failed("no audit row".to_owned()))?.id(0)?;
                store.audit_head.wrote(id, own);
                return Ok(id);
            }
        }
    }
    Err(DbError::Failed("the audit log is too busy".to_owned()))
}

/// Records the outcome; the affected members can then read about it.
pub async fn finish(store: &Store, id: u64, seq: u64, role: &str, note: &Note<'_>, about: &[UserId]) -> Result<(), DbError> {
    let mut statements = vec![sql!("update audit set seq = $1 where id = $2", seq, id)];
    if !about.is_empty() {
        let why = reason_told(store, note).await?;
        for user in about {
            statements.push(log_access(store, *user, role, note.action, note.kind, &why)?);
        }
    }
    store.db.run(statements).await.map(drop)
}

/// The reason shown to a member. A picture is viewed for the reason given when viewing the item that led to it; an answer has the number of
/// its ticket.
async fn reason_told(store: &Store, note: &Note<'_>) -> Result<String, DbError> {
    match note.kind {
        "file" => {
            let done = store.db.query(sql!("select reason from audit where id = $1", note.object_id)).await?;
            done.first().map_or(Ok(String::new()), |row| store.vault.unseal_text(PLACE, &row.blob(0)?))
        }
        "ticket" if note.reason.is_empty() => Ok(format!("#{}", note.object_id)),
        _ => Ok(note.reason.to_owned()),
    }
}

/// What a page of the audit log is filtered by.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Of one operator.
    pub operator: Option<u64>,
    /// The action, in one word.
    pub action: Option<String>,
    /// One kind of object.
    pub kind: Option<String>,
    /// Number of the object.
    pub object_id: Option<u64>,
    /// From this instant.
    pub from_ms: Option<u64>,
    /// To this instant.
    pub to_ms: Option<u64>,
}

/// One page, newest first, and how many rows there are.
pub async fn list(store: &Store, search: Search, page: Page) -> Result<(Vec<Line>, u64), DbError> {
    let mut chosen = String::from("1 = 1");
    let mut args: Vec<Value> = Vec::new();
    let filters_acts = search.action.as_deref().is_some_and(|action| action != REFUSED);
    let conditions: [(&str, Option<Value>); 6] = [
        ("operator_id =", search.operator.map(Value::from)),
        ("action =", search.action.map(Value::from)),
        ("kind =", search.kind.map(Value::from)),
        ("object_id =", search.object_id.map(Value::from)),
        ("created_at_ms >=", search.from_ms.map(Value::from)),
        ("created_at_ms <=", search.to_ms.map(Value::from)),
    ];
    for (condition, value) in conditions {
        if let Some(value) = value {
            args.push(value);
            chosen += &format!(" and {condition} ${}", args.len());
        }
    }
    if filters_acts {
        // Refused calls are found by that word, because they did nothing.
        chosen += " and not exists (select 1 from audit as refusal where refusal.seq = audit.seq and refusal.action = 'refused')";
    }
    let count = Sql::new(format!("select count(*) from audit where {chosen}"), args.clone());
    let places = (args.len() + 1, args.len() + 2);
    args.extend([page.limit.into(), page.offset().into()]);
    let rows = format!("select {COLUMNS} from audit where {chosen} order by id desc limit ${} offset ${}", places.0, places.1);
    let done = store.db.read(vec![Sql::new(rows, args), count]).await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(|row| line(&store.vault, row)).collect::<Result<_, _>>()?, total))
}

fn line(vault: &Vault, row: &Row) -> Result<Line, DbError> {
    Ok(Line {
        id: row.id(0)?,
        seq: row.id(1)?,
        operator: OperatorId(u32::try_from(row.id(2)?).map_err(DbError::failed)?),
        action: row.text(3)?,
        kind: row.text(4)?,
        object_id: row.id(5)?,
        reason: vault.unseal_text(PLACE, &row.blob(6)?)?,
        hash: hash(row, 7)?,
        created_at_ms: row.id(8)?,
    })
}

/// The first row that does not follow from the one before, if any: among the newest `rows`, or this process's newest row if it is missing.
pub async fn broken(store: &Store, rows: u64) -> Result<Option<u64>, DbError> {
    if let Some((id, own)) = store.audit_head.read() {
        let kept = store.db.query(sql!("select hash from audit where id = $1", id)).await?;
        if kept.first().map(|row| hash(row, 0)).transpose()? != Some(own) {
            return Ok(Some(id));
        }
    }
    let before = "select id, hash from audit where id <= (select max(id) from audit) - cast($1 as bigint) order by id desc limit 1";
    let start = store.db.query(sql!(before, rows)).await?;
    let start = start.first().map_or(Ok((0, [0; 32])), |row| Ok::<_, DbError>((row.id(0)?, hash(row, 1)?)))?;
    walk(&store.db, &store.vault, start, |_| {}).await
}

/// Reads the rows after `start`, a number and a hash: the first that does not follow from the one before.
async fn walk(db: &Db, vault: &Vault, start: (u64, [u8; 32]), mut each: impl FnMut(&Line)) -> Result<Option<u64>, DbError> {
    let (mut after, mut prev) = start;
    loop {
        let text = format!("select {COLUMNS}, prev from audit where id > $1 order by id limit 500");
        let done = db.query(Sql::new(text, vec![after.into()])).await?;
        for row in &done.rows {
            let id = row.id(0)?;
            let Ok(line) = line(vault, row) else { return Ok(Some(id)) };
            let (action, kind, reason) = (line.action.as_str(), line.kind.as_str(), line.reason.as_str());
            let note = Note { operator: line.operator, action, kind, object_id: line.object_id, reason };
            if row.blob(9)? != prev || chained(&prev, &note, line.created_at_ms) != line.hash {
                return Ok(Some(id));
            }
            each(&line);
            (prev, after) = (line.hash, id);
        }
        if done.rows.len() < 500 {
            return Ok(None);
        }
    }
}

/// The journal's record of an act: the operator, and for a view its object and the digest of its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    operator: OperatorId,
    note: Option<(u64, Digest)>,
    needs_row: bool,
    /// The entry that was answered first, of a repetition under its key.
    first: Option<u64>,
}

impl Act {
    /// From an entry that the engine accepted or refused. A refused act is recorded again, and so is a decision about a fund password that
    /// came too late: its note names the member, its row the request.
    pub fn of(operate: &Operate, accepted: bool) -> Act {
        let note = match &operate.act {
            OperatorAct::Record(note) => Some(note).filter(|note| (note.action, note.object) != (AuditAction::Save, AuditObject::Member)),
            _ => return Act { operator: operate.by.operator, note: None, needs_row: accepted, first: None },
        };
        Act { operator: operate.by.operator, note: note.map(|note| (note.id, note.reason)), needs_row: note.is_some(), first: None }
    }

    /// From an operator declared by the machine.
    pub fn of_machine(accepted: bool) -> Act {
        Act { operator: MACHINE, note: None, needs_row: accepted, first: None }
    }

    /// The same for an entry that repeats this one: its call has a row too, which names this entry, because it got its answer.
    pub fn repeated(&self, first: u64) -> Act {
        Act { first: Some(first), ..*self }
    }

    /// Whether the engine accepted it; of notes, whether they have a row.
    pub fn was_accepted(&self) -> bool {
        self.needs_row
    }

    fn fits(&self, line: &Line) -> bool {
        self.operator == line.operator && self.note.is_none_or(|note| note == (line.object_id, digest(&line.reason)))
    }
}

/// What is wrong with the whole audit log, if anything: its chain, or an accepted act of the journal, by its sequence, without its row. If
/// a writer died before the outcome of an act, its row has no sequence.
pub async fn fault(db: &Db, vault: &Vault, acts: &BTreeMap<u64, Act>) -> Result<Option<String>, DbError> {
    let (mut told, mut open, mut foreign) = (HashMap::<u64, usize>::new(), Vec::new(), None);
    let broken = walk(db, vault, (0, [0; 32]), |line| match acts.get(&line.seq) {
        _ if line.seq == 0 => open.push((line.operator, (line.object_id, digest(&line.reason)))),
        Some(act) if act.fits(line) => *told.entry(line.seq).or_default() += 1,
        // A refusal has a row of its own beside the row of its call.
        Some(act) if act.operator == line.operator && line.action == REFUSED => {}
        _ => foreign = foreign.or(Some(line.id)),
    });
    if let Some(id) = broken.await? {
        return Ok(Some(format!("row {id} of the audit log does not follow from the one before")));
    }
    if let Some(id) = foreign {
        return Ok(Some(format!("row {id} of the audit log is not what the journal has")));
    }
    // Each row accounts for one entry: its own, or one that repeats it.
    let mut taken = |seq: u64| told.get_mut(&seq).filter(|left| **left > 0).map(|left| *left -= 1).is_some();
    for (seq, act) in acts.iter().filter(|(_, act)| act.needs_row) {
        if taken(*seq) || act.first.is_some_and(&mut taken) {
            continue;
        }
        let begun = open.iter().position(|(who, what)| *who == act.operator && act.note.is_none_or(|note| note == *what));
        let Some(begun) = begun else { return Ok(Some(format!("the audit log has no row of entry {seq}"))) };
        open.swap_remove(begun);
    }
    Ok(None)
}

/// Pictures that a view shows the way to.
pub fn show_files(view_id: u64, files: &[(String, UserId)]) -> Vec<Sql> {
    let insert = "insert into view_files (view_id, key, user_id) values ($1, $2, $3) on conflict (view_id, key) do nothing";
    files.iter().map(|(key, user)| sql!(insert, view_id, key, user.0)).collect()
}

/// The owner of a picture that this operator's view showed the way to, not longer than a session ago.
pub async fn shown_file(store: &Store, view_id: u64, operator: OperatorId, key: &str, since_ms: u64) -> Result<Option<UserId>, DbError> {
    let text = "select view_files.user_id from view_files join audit on audit.id = view_files.view_id \
                where view_files.view_id = $1 and view_files.key = $2 and audit.operator_id = $3 and audit.created_at_ms >= $4";
    let done = store.db.query(sql!(text, view_id, key, operator.0, since_ms)).await?;
    done.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// What operators did to one object, oldest first.
pub async fn history(store: &Store, kind: &str, object_id: u64) -> Result<Vec<Line>, DbError> {
    let text = format!("select {COLUMNS} from audit where kind = $1 and object_id = $2 order by id desc limit 100");
    let done = store.db.query(Sql::new(text, vec![kind.into(), object_id.into()])).await?;
    done.rows.iter().rev().map(|row| line(&store.vault, row)).collect()
}

/// SHA-256 of a reason, as the journal knows it.
pub fn digest(reason: &str) -> Digest {
    Digest(Sha256::digest(reason).into())
}
