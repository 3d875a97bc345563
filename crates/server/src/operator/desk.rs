//! Answers of support: in tickets and chats.

use engine::ids::UserId;

use crate::db::DbError;
use crate::http::messages::message_view;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::{Call, notices};
use crate::store::messages::{self, Author, Draft, Status};
use crate::store::notices::{Topic, insert as notice};
use crate::store::people::HOUSE;

fn content(call: &Call) -> Result<String, Refusal> {
    call.params.lines("content", 1..=2_000)?.ok_or_else(|| bad_field("content", "required"))
}

/// `POST /operator/api/ticket/reply`
pub async fn ticket(call: Call) -> Answer {
    let app = &call.app;
    let text = content(&call)?;
    let close = call.params.flag("close")?.unwrap_or(false);
    let known = messages::any_ticket(app, call.params.id("id")?).await?.or_refuse(Code::NotFound)?;
    let closed = || refuse(Code::WrongState).with("state", "closed");
    if known.status == Status::Closed {
        return Err(closed());
    }
    let draft = Draft { user: known.user, author: Author::Support, content: &text, files: &[] };
    let status = if close { Status::Closed } else { Status::Answered };
    let written = messages::write(app, known.id, status, draft).await;
    let message = written.map_err(|error| if error == DbError::Missed(0) { closed() } else { error.into() })?;
    app.db.exec(notice(known.user, Topic::TicketAnswered, &[], Some(known.id), app.now_ms())).await?;
    notices::tell(app, known.user).await;
    Ok(Reply::ok(message_view(message)).about([known.user]))
}

/// `POST /operator/api/chat/reply`
pub async fn chat(call: Call) -> Answer {
    let app = &call.app;
    let text = content(&call)?;
    let user = UserId(call.params.id("user_id")?);
    if user == HOUSE || !app.sequencer.engine().is_member(user) {
        return Err(refuse(Code::NotFound));
    }
    let message = messages::say(app, Draft { user, author: Author::Support, content: &text, files: &[] }).await?;
    app.db.exec(notice(user, Topic::ChatAnswered, &[], None, app.now_ms())).await?;
    notices::tell(app, user).await;
    Ok(Reply::ok(message_view(message)).about([user]))
}
