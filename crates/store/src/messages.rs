//! Tickets and chats between members and support. Titles and texts are sealed.

use engine::ids::UserId;

use crate::db::{DbError, Done, Returning, Row, Sql, Value};
use crate::files;
use crate::handle::Store;
use crate::page::Page;
use crate::secrets::random;
use crate::sql;
use crate::vault::Place;

/// Tickets of a member that are not closed.
pub const OPEN_TICKETS: u64 = 10;
/// Messages that one ticket shows, the newest.
const SHOWN: u64 = 500;

/// The author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The member.
    Member,
    /// An operator.
    Support,
    /// The server.
    System,
}

impl Author {
    fn word(self) -> &'static str {
        match self {
            Author::Member => "member",
            Author::Support => "support",
            Author::System => "system",
        }
    }

    fn parse(word: &str) -> Author {
        [Author::Member, Author::Support].into_iter().find(|author| author.word() == word).unwrap_or(Author::System)
    }
}

/// State of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waiting for support.
    Open = 1,
    /// Waiting for the member.
    Answered = 2,
    /// Over.
    Closed = 3,
}

impl Status {
    fn parse(code: i64) -> Status {
        match code {
            1 => Status::Open,
            2 => Status::Answered,
            _ => Status::Closed,
        }
    }
}

/// A stored ticket.
#[derive(Debug)]
pub struct Ticket {
    /// Number.
    pub id: u64,
    /// The member.
    pub user: UserId,
    /// Subject.
    pub title: String,
    /// Category.
    pub category: String,
    /// State.
    pub status: Status,
    /// Its last message.
    pub last: String,
    /// Opened, journal time.
    pub created_at_ms: u64,
    /// Last change, journal time.
    pub updated_at_ms: u64,
}

/// A stored message.
#[derive(Debug)]
pub struct Message {
    /// Number.
    pub id: u64,
    /// The author.
    pub author: Author,
    /// Text.
    pub content: String,
    /// Keys of its pictures.
    pub files: Vec<String>,
    /// Journal time.
    pub created_at_ms: u64,
}

/// The content of a message.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The member who owns the ticket or chat.
    pub user: UserId,
    /// The author.
    pub author: Author,
    /// Text.
    pub content: &'a str,
    /// Keys of pictures that the member uploaded for it.
    pub files: &'a [String],
}

fn title_place(user: UserId) -> Place<'static> {
    Place { column: "tickets.title", owner: user, row: "" }
}

fn content_place(user: UserId) -> Place<'static> {
    Place { column: "messages.content", owner: user, row: "" }
}

/// Columns of a ticket.
pub const TICKET: &str = "id, user_id, title, category, status, created_at_ms, updated_at_ms, \
                      (select content from messages where ticket_id = tickets.id order by id desc limit 1)";
const MESSAGE: &str = "id, author, content, files, created_at_ms";

/// A ticket of [`TICKET`].
pub fn ticket(store: &Store, row: &Row) -> Result<Ticket, DbError> {
    let user = UserId(row.id(1)?);
    Ok(Ticket {
        id: row.id(0)?,
        user,
        title: store.vault.unseal_text(title_place(user), &row.blob(2)?)?,
        category: row.text(3)?,
        status: Status::parse(row.int(4)?),
        created_at_ms: row.id(5)?,
        updated_at_ms: row.id(6)?,
        last: store.vault.unseal_text(content_place(user), &row.blob(7)?)?,
    })
}

fn message(store: &Store, user: UserId, row: &Row) -> Result<Message, DbError> {
    Ok(Message {
        id: row.id(0)?,
        author: Author::parse(&row.text(1)?),
        content: store.vault.unseal_text(content_place(user), &row.blob(2)?)?,
        files: serde_json::from_str(&row.text(3)?).map_err(DbError::failed)?,
        created_at_ms: row.id(4)?,
    })
}

/// Pictures of a draft are kept for good with it; a statement that misses means that one was swept.
fn keep_files(draft: &Draft<'_>, now_ms: u64) -> Vec<Sql> {
    draft.files.iter().map(|key| files::keep(draft.user, key, now_ms)).collect()
}

fn insert(store: &Store, draft: &Draft<'_>, ticket_id: &str, arg: Option<Value>) -> Result<Sql, DbError> {
    let text = format!(
        "insert into messages (user_id, ticket_id, author, content, files, created_at_ms) \
         values ($1, {ticket_id}, $2, $3, $4, $5) returning {MESSAGE}"
    );
    let files = serde_json::json!(draft.files).to_string();
    let sealed = store.vault.seal(content_place(draft.user), draft.content.as_bytes())?;
    let mut args = vec![draft.user.0.into(), draft.author.word().into(), sealed.into(), files.into(), store.now_ms().into()];
    args.extend(arg);
    Ok(Sql::new(text, args).exactly(1))
}

/// Opens a ticket with its first message, which [`opened`] reads. `Missed(1)`: too many are open; another miss: a picture is gone.
pub fn open_ticket(store: &Store, title: &str, category: &str, draft: Draft<'_>) -> Result<Returning, DbError> {
    let token: [u8; 32] = random().map_err(|error| DbError::Failed(error.0))?;
    let open = "insert into tickets (user_id, token, title, category, status, created_at_ms, updated_at_ms) \
                select $1, $2, $3, $4, 1, cast($5 as bigint), cast($5 as bigint) \
                where (select count(*) from tickets where user_id = $1 and status <> 3) < $6";
    let sealed = store.vault.seal(title_place(draft.user), title.as_bytes())?;
    let now = store.now_ms();
    let mut statements = vec![
        // Serialises the calls of a member, so that the count below sees the previous call.
        sql!("update users set lang = lang where id = $1", draft.user.0),
        sql!(open, draft.user.0, token, sealed, category, now, OPEN_TICKETS).exactly(1),
        insert(store, &draft, "(select id from tickets where token = $6)", Some(token.into()))?,
        Sql::new(format!("select {TICKET} from tickets where token = $1"), vec![token.into()]),
    ];
    statements.extend(keep_files(&draft, now));
    Ok(Returning { statements, place: 3 })
}

/// The ticket that [`open_ticket`] opened.
pub fn opened(store: &Store, done: &Done) -> Result<Ticket, DbError> {
    ticket(store, done.row()?)
}

/// Writes into a ticket and sets its state; [`written`] reads the message. `Missed(0)`: it is closed; another miss: a picture is gone.
pub fn write(store: &Store, ticket_id: u64, status: Status, draft: Draft<'_>) -> Result<Returning, DbError> {
    let now = store.now_ms();
    let touch = "update tickets set status = $1, updated_at_ms = $2 where id = $3 and user_id = $4 and status <> 3";
    let mut statements =
        vec![sql!(touch, status as i64, now, ticket_id, draft.user.0).exactly(1), insert(store, &draft, "$6", Some(ticket_id.into()))?];
    statements.extend(keep_files(&draft, now));
    Ok(Returning { statements, place: 1 })
}

/// Writes into the chat of a member; [`written`] reads the message. A miss: a picture is gone.
pub fn say(store: &Store, draft: Draft<'_>) -> Result<Returning, DbError> {
    let newest = "insert into chats (user_id, last_id, at_ms, waits) \
                  select user_id, id, created_at_ms, cast($2 as bigint) from messages where user_id = $1 and ticket_id is null order by id desc limit 1 \
                  on conflict (user_id) do update set last_id = excluded.last_id, at_ms = excluded.at_ms, waits = excluded.waits";
    let mut statements = vec![insert(store, &draft, "null", None)?, sql!(newest, draft.user.0, draft.author == Author::Member)];
    statements.extend(keep_files(&draft, store.now_ms()));
    Ok(Returning { statements, place: 0 })
}

/// The message that [`write`] or [`say`] wrote in a ticket or the chat of this member.
pub fn written(store: &Store, user: UserId, done: &Done) -> Result<Message, DbError> {
    message(store, user, done.row()?)
}

/// One page of a member's tickets, newest first, and how many there are.
pub async fn tickets(store: &Store, user: UserId, page: Page) -> Result<(Vec<Ticket>, u64), DbError> {
    let rows = format!("select {TICKET} from tickets where user_id = $1 order by id desc limit $2 offset $3");
    let done = store
        .db
        .read(vec![
            Sql::new(rows, vec![user.0.into(), page.limit.into(), page.offset().into()]),
            sql!("select count(*) from tickets where user_id = $1", user.0),
        ])
        .await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(|row| ticket(store, row)).collect::<Result<_, _>>()?, total))
}

/// A ticket, if it is this member's.
pub async fn find_ticket(store: &Store, user: UserId, id: u64) -> Result<Option<Ticket>, DbError> {
    let text = format!("select {TICKET} from tickets where id = $1 and user_id = $2");
    store.db.query(Sql::new(text, vec![id.into(), user.0.into()])).await?.first().map(|row| ticket(store, row)).transpose()
}

/// A ticket of any member.
pub async fn any_ticket(store: &Store, id: u64) -> Result<Option<Ticket>, DbError> {
    let text = format!("select {TICKET} from tickets where id = $1");
    store.db.query(Sql::new(text, vec![id.into()])).await?.first().map(|row| ticket(store, row)).transpose()
}

/// The messages of a ticket, oldest first.
pub async fn thread(store: &Store, of: &Ticket) -> Result<Vec<Message>, DbError> {
    let text = format!("select {MESSAGE} from messages where user_id = $1 and ticket_id = $2 order by id desc limit $3");
    let done = store.db.query(Sql::new(text, vec![of.user.0.into(), of.id.into(), SHOWN.into()])).await?;
    done.rows.iter().rev().map(|row| message(store, of.user, row)).collect()
}

/// Messages of a member's chat before this one, newest first.
pub async fn chat(store: &Store, user: UserId, before_id: u64, limit: u64) -> Result<Vec<Message>, DbError> {
    let text = format!("select {MESSAGE} from messages where user_id = $1 and ticket_id is null and id < $2 order by id desc limit $3");
    let done = store.db.query(Sql::new(text, vec![user.0.into(), before_id.into(), limit.into()])).await?;
    done.rows.iter().map(|row| message(store, user, row)).collect()
}
