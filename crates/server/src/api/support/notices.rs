//! Notices of a member: the list and the unread count.

use serde::Serialize;
use store::Page;
use store::db::DbError;
use store::notices::{self, Notice};
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::{Call, types};
use crate::i18n::{Lang, day, figure, filled};

/// A notice.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Notification {
    id: u64,
    #[schema(value_type = types::NoticeKind)]
    kind: String,
    title: String,
    content: String,
    object_id: Option<u64>,
    #[schema(value_type = types::Flag)]
    read: u8,
    created_at: String,
    created_at_ms: u64,
}

/// Data returned when notices were marked as read.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unread {
    unread: u64,
}

/// The values of notices that are amounts and prices.
const FIGURES: [&str; 6] = ["amount", "price", "filled", "taken", "back", "interest"];

/// A notice in a language.
pub(crate) fn view(lang: Lang, notice: &Notice) -> Notification {
    let shown = |(name, value): &(String, String)| {
        let value = match name.as_str() {
            "day" => day(lang, value),
            name if FIGURES.contains(&name) => figure(lang, value),
            _ => value.clone(),
        };
        (name.clone(), value)
    };
    let values: Vec<_> = notice.args.iter().map(shown).collect();
    let sentence = |part: &str| filled(lang, &format!("notice.{}.{part}", notice.topic), &values);
    Notification {
        id: notice.id,
        kind: notice.kind.clone(),
        title: sentence("title"),
        content: sentence("text"),
        object_id: notice.object_id,
        read: notice.read.into(),
        created_at: ts(notice.created_at_ms),
        created_at_ms: notice.created_at_ms,
    }
}

request! {
    /// What `notice/list` takes.
    pub struct ListNotices {
        optional kind: Option<String>,
        optional page: Page,
    }
}

/// `GET notice/list`
pub async fn list(call: Call, request: ListNotices) -> Answer {
    let (me, page) = (call.user()?, request.page);
    let (rows, total) = notices::list(&call.app, me, request.kind.as_deref(), page).await?;
    Ok(Reply::ok(Paginator::new(rows.iter().map(|notice| view(call.lang, notice)).collect(), total, page)))
}

request! {
    /// What `notice/read` takes.
    pub struct ReadNotices checked by handler {
        optional id: Input<u64>,
        optional all: Option<bool>,
    }
}

/// `POST notice/read`
pub async fn read(call: Call, request: ReadNotices) -> Answer {
    let (me, db) = (call.user()?, &call.app.db);
    if request.all == Some(true) {
        return Ok(call.commit(vec![notices::mark_all_read(me)], Reply::say("ok.read").data(Unread { unread: 0 })).await?);
    }
    request.id.must_be_sent()?;
    let id = request.id.or(Code::NotFound)?;
    let unread = notices::unread(db, me, Some(id)).await?;
    let done = call.commit(vec![notices::mark_read(me, id)], Reply::say("ok.read").data(Unread { unread })).await;
    done.map_err(|error| if error == DbError::Missed(0) { refuse(Code::NotFound) } else { error.into() })
}
