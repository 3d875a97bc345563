//! News, banners and help, written by operators. Their HTML is sanitised when it is saved.

use std::collections::HashSet;

use serde::Serialize;
use store::Page;
use store::content::{self, Article, Draft};
use store::db::DbError;
use utoipa::ToSchema;

use crate::api::content::news::{NewsDetail, news_detail};
use crate::http::Call;
use crate::http::page::Paginator;
use crate::http::params::Kind;
use crate::http::reply::Refusal;
use crate::http::reply::{Answer, Code, OrRefuse, Reply, bad_field, refuse};
use crate::http::request::{ById, Input, request};
use crate::http::values::{Line, Lines, Value};
use crate::i18n::Lang;

/// An article as its editors see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditedNews {
    #[serde(flatten)]
    article: NewsDetail,
    lang: String,
    link: Option<String>,
    sorts: u64,
}

/// `shown_in` is the language of the editor.
fn edited(shown_in: Lang, mut article: Article) -> EditedNews {
    let (lang, link, sorts) = (std::mem::take(&mut article.lang), article.link.take(), article.sorts);
    EditedNews { article: news_detail(shown_in, article), lang, link, sorts }
}

/// Notice, banner, help.
const CATEGORIES: [u64; 3] = [4, 5, 19];
const MOST_LETTERS: usize = 50_000;

/// The tags that an article may have; no attributes but the target of a link inside this site.
const TAGS: [&str; 16] = ["p", "br", "b", "strong", "i", "em", "u", "ul", "ol", "li", "h2", "h3", "h4", "blockquote", "a", "hr"];

/// True for a place on this site. To a browser a backslash is a slash, and a tab or an end of line is nothing, so `/\\x` and `/<tab>/x` lead
/// to the host `x`.
fn inside(target: &str) -> bool {
    let path = || target.starts_with('/') && !target.starts_with("//") && !target.contains('\\');
    !target.contains(char::is_control) && (target.starts_with('#') || path())
}

/// HTML without anything that could act.
fn cleaned(html: &str) -> String {
    ammonia::Builder::empty()
        .tags(HashSet::from(TAGS))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes([("a", HashSet::from(["href"]))].into())
        .attribute_filter(move |_, _, value| (inside(value) || value.starts_with("https://")).then(|| value.into()))
        .link_rel(Some("noopener noreferrer"))
        .url_schemes(HashSet::from(["https"]))
        .url_relative(ammonia::UrlRelative::PassThrough)
        .clean(html)
        .to_string()
}

request! {
    /// What `news` takes.
    pub struct ListArticles checked by handler {
        optional id: Option<u64>,
        optional c_id: Option<u64>,
        optional lang: Option<Lang>,
        optional page: Page,
    }
}

/// `GET /operator/api/news`
pub async fn list(call: Call, request: ListArticles) -> Answer {
    let ListArticles { id, c_id, lang, page, .. } = request;
    let (articles, total) = content::all(&call.app.db, id, c_id, lang, page).await?;
    Ok(Reply::ok(Paginator::new(articles.into_iter().map(|article| edited(call.lang, article)).collect(), total, page)))
}

/// Number of a category that articles may have.
#[derive(Clone, Copy, Debug)]
pub struct Category(u64);

impl Value for Category {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Category, Refusal> {
        let number = u64::parse(name, text)?;
        if CATEGORIES.contains(&number) { Ok(Category(number)) } else { Err(bad_field(name, "enum")) }
    }
}

/// An address on this site.
#[derive(Clone, Debug)]
pub struct SitePath(String);

impl Value for SitePath {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<SitePath, Refusal> {
        let Line(url) = Line::<0, 300>::parse(name, text)?;
        if inside(&url) { Ok(SitePath(url)) } else { Err(bad_field(name, "format")) }
    }
}

request! {
    /// What `news/save` takes.
    pub struct SaveArticle {
        optional id: Input<u64>,
        required c_id: Category,
        required lang: Lang,
        required title: Line<1, 200>,
        optional content: Option<Lines<0, MOST_LETTERS>>,
        optional cover: Input<SitePath>,
        optional link: Option<SitePath>,
        optional sorts: Input<u64>,
        optional publish_ms: Input<u64>,
    }
}

/// `POST /operator/api/news/save`
pub async fn save(call: Call, request: SaveArticle) -> Answer {
    let cover = request.cover.optional().map_err(|_| refuse(Code::BadFile).with("rule", "type"))?;
    let draft = Draft {
        category: request.c_id.0,
        lang: request.lang,
        title: &request.title.0,
        content: &request.content.map_or_else(String::new, |Lines(html)| cleaned(&html)),
        cover: cover.as_ref().map(|SitePath(url)| url.as_str()),
        link: request.link.as_ref().map(|SitePath(url)| url.as_str()),
        sorts: request.sorts.optional()?.unwrap_or(0),
        publish_ms: request.publish_ms.optional()?.unwrap_or(call.app.now_ms()),
    };
    let id = match request.id.is_sent() {
        true => Some(request.id.or(Code::NotFound)?),
        false => None,
    };
    let (write, lang) = (content::save(&call.app.db, id, &draft).await?.or_refuse(Code::NotFound)?, call.lang);
    Ok(call.commit_with(write, move |done| Ok(Reply::ok(edited(lang, content::saved(done)?)))).await?)
}

/// `POST /operator/api/news/delete`
pub async fn delete(call: Call, request: ById) -> Answer {
    let id = request.id.or(Code::NotFound)?;
    let done = call.commit(vec![content::delete(id)], Reply::say("ok.saved")).await;
    done.map_err(|error| if error == DbError::Missed(0) { refuse(Code::NotFound) } else { error.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_that_could_act_is_taken_out() {
        for (typed, kept) in [
            ("<p onclick=\"x()\">a</p>", "<p>a</p>"),
            ("<script>alert(1)</script>b", "b"),
            ("<img src=x onerror=alert(1)>c", "c"),
            ("<svg/onload=alert(1)>d", "d"),
            ("<style>p{}</style>e", "e"),
            ("<iframe src=//evil></iframe>f", "f"),
        ] {
            assert_eq!(cleaned(typed), kept);
        }
        for target in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "http://evil.example",
            "\u{1}javascript:x",
            "/\\evil.example",
            "/\t/evil.example",
            "\\\\evil.example",
            "/\n/evil.example",
        ] {
            assert!(!cleaned(&format!("<a href=\"{target}\">g</a>")).contains("href"), "{target}");
        }
        assert!(cleaned("<a href=\"#/assets\">h</a>").contains("href=\"#/assets\""));
    }
}
