//! News, notices and help.

use serde::Serialize;
use store::Page;
use store::content::{self, Article};
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::code::Code;
use crate::http::page::{PageB, ts};
use crate::http::reply::{Answer, OrRefuse, Reply, bad_field};
use crate::http::request::{ById, Input, request};
use crate::i18n::{Lang, text};

/// Longest search, characters.
const SEARCH: usize = 100;

/// A row of a list of articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct News {
    id: u64,
    c_id: u64,
    title: String,
    cover: Option<String>,
    thumbnail: Option<String>,
    link: Option<String>,
    lang: String,
    sorts: u64,
    create_time: String,
    create_time_ms: u64,
}

/// An article.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewsDetail {
    id: u64,
    c_id: u64,
    title: String,
    content: String,
    author: &'static str,
    cover: Option<String>,
    create_time: String,
    create_time_ms: u64,
}

request! {
    /// What `news/list` takes.
    pub struct ListNews {
        required c_id: u64,
        optional lang: Input<Lang>,
        optional search: Option<String>,
        optional page: Page,
    }
}

/// `POST news/list`
pub async fn list(call: Call, request: ListNews) -> Answer {
    let (page, lang) = (request.page, request.lang.optional()?.unwrap_or(call.lang));
    let search = request.search.unwrap_or_default();
    if search.chars().count() > SEARCH {
        return Err(bad_field("search", "length"));
    }
    let (articles, count) = content::list(&call.app.db, request.c_id, lang, &search, call.app.now_ms(), page).await?;
    Ok(Reply::ok(PageB::new(articles.into_iter().map(news).collect(), count, page)))
}

/// `POST news/detail`
pub async fn detail(call: Call, request: ById) -> Answer {
    let id = request.id.or(Code::NotFound)?;
    let article = content::get(&call.app.db, id, call.app.now_ms()).await?.or_refuse(Code::NotFound)?;
    Ok(Reply::ok(news_detail(call.lang, article)))
}

/// An article as the wire shows it.
pub fn news_detail(lang: Lang, article: Article) -> NewsDetail {
    NewsDetail {
        id: article.id,
        c_id: article.category,
        title: article.title,
        content: article.content,
        author: text(lang, "site.title"),
        cover: article.cover,
        create_time: ts(article.created_at_ms),
        create_time_ms: article.created_at_ms,
    }
}

fn news(article: Article) -> News {
    News {
        id: article.id,
        c_id: article.category,
        title: article.title,
        cover: article.cover.clone(),
        thumbnail: article.cover,
        link: article.link,
        lang: article.lang,
        sorts: article.sorts,
        create_time: ts(article.created_at_ms),
        create_time_ms: article.created_at_ms,
    }
}
