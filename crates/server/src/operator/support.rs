//! Support's answers in tickets and chats.

use engine::ids::UserId;
use store::db::DbError;
use store::messages::{self, Author, Draft, Status};
use store::notices::{Topic, insert as notice};
use store::people::HOUSE;

use crate::api::support::messages::written;
use crate::http::Call;
use crate::http::reply::{Answer, Code, OrRefuse, refuse};
use crate::http::request::{Input, request};
use crate::http::values::Lines;

request! {
    /// What `ticket/reply` takes.
    pub struct AnswerTicket checked by handler {
        required id: Input<u64>,
        required content: Lines<1, 2_000>,
        optional close: Option<bool>,
    }
}

/// `POST /operator/api/ticket/reply`
pub async fn ticket(call: Call, request: AnswerTicket) -> Answer {
    let (app, Lines(text)) = (&call.app, request.content);
    let known = messages::any_ticket(app, request.id.or(Code::NotFound)?).await?.or_refuse(Code::NotFound)?;
    let closed = || refuse(Code::WrongState).with("state", "closed");
    if known.status == Status::Closed {
        return Err(closed());
    }
    let draft = Draft { user: known.user, author: Author::Support, content: &text, files: &[] };
    let status = if request.close == Some(true) { Status::Closed } else { Status::Answered };
    let mut write = messages::write(app, known.id, status, draft)?;
    write.statements.push(notice(known.user, Topic::TicketAnswered, &[], Some(known.id), app.now_ms()));
    let done = call.commit_with(write, written(app, known.user)).await;
    let reply = done.map_err(|error| if error == DbError::Missed(0) { closed() } else { error.into() })?;
    app.notices.tell(known.user).await;
    Ok(reply.about([known.user]))
}

request! {
    /// What `chat/reply` takes.
    pub struct AnswerChat checked by handler {
        required user_id: Input<u64>,
        required content: Lines<1, 2_000>,
    }
}

/// `POST /operator/api/chat/reply`
pub async fn chat(call: Call, request: AnswerChat) -> Answer {
    let (app, Lines(text)) = (&call.app, request.content);
    let user = UserId(request.user_id.or(Code::NotFound)?);
    if user == HOUSE || !app.sequencer.engine().is_member(user) {
        return Err(refuse(Code::NotFound));
    }
    let mut write = messages::say(app, Draft { user, author: Author::Support, content: &text, files: &[] })?;
    write.statements.push(notice(user, Topic::ChatAnswered, &[], None, app.now_ms()));
    let reply = call.commit_with(write, written(app, user)).await?;
    app.notices.tell(user).await;
    Ok(reply.about([user]))
}
