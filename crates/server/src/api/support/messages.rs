//! A member's tickets and chat with support.

use engine::ids::UserId;
use serde::Serialize;
use store::Page;
use store::db::{DbError, Done};
use store::files::{self, FilePurpose};
use store::messages::{self, Author, Draft, OPEN_TICKETS, Status};
use utoipa::ToSchema;

use crate::api::pictures::swept;
use crate::http::code::Code;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{ById, Input, request, words};
use crate::http::values::{Count, Line, Lines, Texts};
use crate::http::{App, Call, types};

const MOST_PICTURES: usize = 3;
const MOST_LETTERS: usize = 2_000;
/// Letters of the last message in a list.
const PREVIEW: usize = 100;

/// A support ticket.
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

/// A message of a ticket or of the chat.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    id: u64,
    #[schema(value_type = types::MessageAuthor)]
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

/// The answer to a message that was written in a ticket or the chat of this member.
pub fn written(app: &App, user: UserId) -> impl Fn(&Done) -> Answer + use<> {
    let app = app.clone();
    move |done| Ok(Reply::ok(message_view(messages::written(&app, user, done)?)))
}

fn message_view(message: messages::Message) -> Message {
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

words! {
    /// What a ticket is about.
    pub enum Category {
        Account = "account",
        Deposit = "deposit",
        Withdrawal = "withdrawal",
        Trade = "trade",
        Other = "other",
    }
}

request! {
    /// What `feedback/add` takes.
    pub struct OpenTicket {
        required title: Line<1, 100>,
        required content: Lines<1, MOST_LETTERS>,
        optional category: Option<Category>,
        optional imgs: Texts<MOST_PICTURES>,
    }
}

request! {
    /// What `feedback/reply` takes.
    pub struct WriteInTicket checked by handler {
        required id: Input<u64>,
        required content: Lines<1, MOST_LETTERS>,
        optional imgs: Texts<MOST_PICTURES>,
    }
}

request! {
    /// What `chat/history` takes.
    pub struct ReadChat checked by handler {
        optional before_id: Option<u64>,
        optional limit: Option<Count<100>>,
    }
}

request! {
    /// What `chat/send` takes.
    pub struct Say checked by handler {
        required content: Lines<1, MOST_LETTERS>,
        optional imgs: Texts<MOST_PICTURES>,
    }
}

/// The keys of the pictures that came with a message.
async fn pictures(call: &Call, Texts(urls): Texts<MOST_PICTURES>) -> Result<Vec<String>, Refusal> {
    let mut keys: Vec<String> = Vec::new();
    for url in urls {
        let key = files::own(&call.app.db, call.user()?, &url, FilePurpose::Ticket).await?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

/// `POST feedback/add`
pub async fn open_ticket(call: Call, request: OpenTicket) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let OpenTicket { title, content, category, imgs } = request;
    let files = pictures(&call, imgs).await?;
    let draft = Draft { user: me, author: Author::Member, content: &content.0, files: &files };
    let write = messages::open_ticket(app, &title.0, category.unwrap_or(Category::Other).word(), draft)?;
    let store = app.clone();
    let opened = call.commit_with(write, move |done| Ok(Reply::ok(ticket_view(messages::opened(&store, done)?)))).await;
    opened.map_err(|error| match error {
        DbError::Missed(1) => refuse(Code::TooManyOpen).with("max", OPEN_TICKETS),
        other => swept(other),
    })
}

/// `GET feedback/list`
pub async fn tickets(call: Call, page: Page) -> Answer {
    let me = call.user()?;
    let (rows, total) = messages::tickets(&call.app, me, page).await?;
    Ok(Reply::ok(Paginator::new(rows.into_iter().map(ticket_view).collect(), total, page)))
}

/// `GET feedback/detail`
pub async fn ticket(call: Call, request: ById) -> Answer {
    let ticket = messages::find_ticket(&call.app, call.user()?, request.id.or(Code::NotFound)?).await?.or_refuse(Code::NotFound)?;
    let messages = messages::thread(&call.app, &ticket).await?.into_iter().map(message_view).collect();
    Ok(Reply::ok(Thread { ticket: ticket_view(ticket), messages }))
}

/// `POST feedback/reply`
pub async fn reply(call: Call, request: WriteInTicket) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let ticket = messages::find_ticket(app, me, request.id.or(Code::NotFound)?).await?.or_refuse(Code::NotFound)?;
    let closed = || refuse(Code::WrongState).with("state", "closed");
    if ticket.status == Status::Closed {
        return Err(closed());
    }
    let files = pictures(&call, request.imgs).await?;
    let draft = Draft { user: me, author: Author::Member, content: &request.content.0, files: &files };
    let write = messages::write(app, ticket.id, Status::Open, draft)?;
    let done = call.commit_with(write, written(app, me)).await;
    done.map_err(|error| if error == DbError::Missed(0) { closed() } else { swept(error) })
}

/// `GET chat/history`
pub async fn chat(call: Call, request: ReadChat) -> Answer {
    let (before, limit) = (request.before_id.unwrap_or(1 << 53), request.limit.map_or(10, |limit| limit.0));
    let rows = messages::chat(&call.app, call.user()?, before, limit).await?;
    Ok(Reply::ok(rows.into_iter().map(message_view).collect::<Vec<_>>()))
}

/// `POST chat/send`
pub async fn say(call: Call, request: Say) -> Answer {
    let me = call.user()?;
    let files = pictures(&call, request.imgs).await?;
    let draft = Draft { user: me, author: Author::Member, content: &request.content.0, files: &files };
    let write = messages::say(&call.app, draft)?;
    call.commit_with(write, written(&call.app, me)).await.map_err(swept)
}
