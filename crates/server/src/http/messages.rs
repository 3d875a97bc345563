//! Tickets and the chat of a member with support.

use serde::Serialize;
use utoipa::ToSchema;

use super::code::Code;
use super::page::{Paginator, ts};
use super::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use super::{Call, wire};
use crate::db::DbError;
use crate::store::files::{self, FilePurpose};
use crate::store::messages::{self, Author, Draft, OPEN_TICKETS, Status};

const CATEGORIES: [&str; 5] = ["account", "deposit", "withdrawal", "trade", "other"];
const MOST_PICTURES: usize = 3;
const MOST_LETTERS: usize = 2_000;
/// Letters of the last message in a list.
const PREVIEW: usize = 100;

/// A ticket.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    id: u64,
    title: String,
    category: String,
    status: u8,
    last: String,
    created_at: String,
    created_at_ms: u64,
    updated_at: String,
    updated_at_ms: u64,
}

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    id: u64,
    #[schema(value_type = wire::MessageAuthor)]
    from: &'static str,
    content: String,
    imgs: Vec<String>,
    created_at: String,
    created_at_ms: u64,
}

/// A ticket with its messages, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Thread {
    ticket: Ticket,
    messages: Vec<Message>,
}

fn ticket_view(ticket: messages::Ticket) -> Ticket {
    Ticket {
        id: ticket.id,
        title: ticket.title,
        category: ticket.category,
        status: ticket.status as u8,
        last: ticket.last.chars().take(PREVIEW).collect(),
        created_at: ts(ticket.created_at_ms),
        created_at_ms: ticket.created_at_ms,
        updated_at: ts(ticket.updated_at_ms),
        updated_at_ms: ticket.updated_at_ms,
    }
}

/// A message as the wire shows it.
pub fn message_view(message: messages::Message) -> Message {
    Message {
        id: message.id,
        from: match message.author {
            Author::Member => "me",
            Author::Support => "support",
            Author::System => "system",
        },
        content: message.content,
        imgs: message.files.iter().map(|key| files::url(key)).collect(),
        created_at: ts(message.created_at_ms),
        created_at_ms: message.created_at_ms,
    }
}

fn content(call: &Call) -> Result<String, Refusal> {
    call.params.lines("content", 1..=MOST_LETTERS)?.ok_or_else(|| bad_field("content", "required"))
}

/// The keys of the pictures that came with a message.
async fn pictures(call: &Call, urls: Vec<String>) -> Result<Vec<String>, Refusal> {
    let mut keys: Vec<String> = Vec::new();
    for url in urls {
        let key = files::own(&call.app.db, call.user()?, &url, FilePurpose::Ticket).await?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

/// A picture was swept between its check and its use.
fn gone(error: DbError) -> Refusal {
    match error {
        DbError::Missed(_) => refuse(Code::BadFile).with("rule", "owner"),
        other => other.into(),
    }
}

/// `POST feedback/add`
pub async fn open_ticket(call: Call) -> Answer {
    let (app, params, me) = (&call.app, &call.params, call.user()?);
    params.complete()?;
    let title = params.text("title", 1..=100)?.ok_or_else(|| bad_field("title", "required"))?;
    let content = content(&call)?;
    let category = params.one_of("category", &CATEGORIES)?.unwrap_or("other");
    let files = pictures(&call, params.list("imgs", MOST_PICTURES)?).await?;
    let draft = Draft { user: me, author: Author::Member, content: &content, files: &files };
    let opened = messages::open_ticket(app, &title, category, draft).await;
    let id = opened.map_err(|error| match error {
        DbError::Missed(1) => refuse(Code::TooManyOpen).with("max", OPEN_TICKETS),
        other => gone(other),
    })?;
    let ticket = messages::find_ticket(app, me, id).await?.or_refuse(Code::Internal)?;
    Ok(Reply::ok(ticket_view(ticket)))
}

/// `GET feedback/list`
pub async fn tickets(call: Call) -> Answer {
    let (me, page) = (call.user()?, call.params.page()?);
    let (rows, total) = messages::tickets(&call.app, me, page).await?;
    Ok(Reply::ok(Paginator::new(rows.into_iter().map(ticket_view).collect(), total, page)))
}

/// `GET feedback/detail`
pub async fn ticket(call: Call) -> Answer {
    let ticket = messages::find_ticket(&call.app, call.user()?, call.params.id("id")?).await?.or_refuse(Code::NotFound)?;
    let messages = messages::thread(&call.app, &ticket).await?.into_iter().map(message_view).collect();
    Ok(Reply::ok(Thread { ticket: ticket_view(ticket), messages }))
}

/// `POST feedback/reply`
pub async fn reply(call: Call) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let content = content(&call)?;
    let urls = call.params.list("imgs", MOST_PICTURES)?;
    let ticket = messages::find_ticket(app, me, call.params.id("id")?).await?.or_refuse(Code::NotFound)?;
    let closed = || refuse(Code::WrongState).with("state", "closed");
    if ticket.status == Status::Closed {
        return Err(closed());
    }
    let files = pictures(&call, urls).await?;
    let draft = Draft { user: me, author: Author::Member, content: &content, files: &files };
    let written = messages::write(app, ticket.id, Status::Open, draft).await;
    let message = written.map_err(|error| if error == DbError::Missed(0) { closed() } else { gone(error) })?;
    Ok(Reply::ok(message_view(message)))
}

/// `GET chat/history`
pub async fn chat(call: Call) -> Answer {
    let before = call.params.int("before_id")?.unwrap_or(1 << 53);
    let rows = messages::chat(&call.app, call.user()?, before, call.params.bounded("limit", 10, 100)?).await?;
    Ok(Reply::ok(rows.into_iter().map(message_view).collect::<Vec<_>>()))
}

/// `POST chat/send`
pub async fn say(call: Call) -> Answer {
    let me = call.user()?;
    let content = content(&call)?;
    let files = pictures(&call, call.params.list("imgs", MOST_PICTURES)?).await?;
    let draft = Draft { user: me, author: Author::Member, content: &content, files: &files };
    let message = messages::say(&call.app, draft).await.map_err(gone)?;
    Ok(Reply::ok(message_view(message)))
}
