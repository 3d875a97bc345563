//! News, banners and help, written by operators. Their HTML is cleaned when it is saved.

use std::collections::HashSet;

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::content::{NewsDetail, news_detail};
use crate::http::page::Paginator;
use crate::http::reply::{Answer, Code, OrRefuse, Reply, bad_field, refuse};
use crate::store::content::{self, Article, Draft};

/// An article as whoever edits it must see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditedNews {
    #[serde(flatten)]
    article: NewsDetail,
    lang: String,
    link: Option<String>,
    sorts: u64,
}

fn edited(call: &Call, mut article: Article) -> EditedNews {
    let (lang, link, sorts) = (std::mem::take(&mut article.lang), article.link.take(), article.sorts);
    EditedNews { article: news_detail(call.lang, article), lang, link, sorts }
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

/// `GET /operator/api/news`
pub async fn list(call: Call) -> Answer {
    let params = &call.params;
    let (id, category, lang, page) = (params.int("id")?, params.int("c_id")?, params.lang("lang")?, params.page()?);
    let (articles, total) = content::all(&call.app.db, id, category, lang, page).await?;
    Ok(Reply::ok(Paginator::new(articles.into_iter().map(|article| edited(&call, article)).collect(), total, page)))
}

/// `POST /operator/api/news/save`
pub async fn save(call: Call) -> Answer {
    let params = &call.params;
    params.complete()?;
    let category = params.need_int("c_id")?;
    if !CATEGORIES.contains(&category) {
        return Err(bad_field("c_id", "enum"));
    }
    let lang = params.lang("lang")?.ok_or_else(|| bad_field("lang", "required"))?;
    let title = params.text("title", 1..=200)?.ok_or_else(|| bad_field("title", "required"))?;
    let html = params.lines("content", 0..=MOST_LETTERS)?.unwrap_or_default();
    let inside = |name: &str| {
        let text = params.text(name, 0..=300)?;
        let good = text.as_deref().is_none_or(self::inside);
        if good { Ok(text) } else { Err(bad_field(name, "format")) }
    };
    let (link, cover) = (inside("link")?, inside("cover").map_err(|_| refuse(Code::BadFile).with("rule", "type"))?);
    let draft = Draft {
        category,
        lang,
        title: &title,
        content: &cleaned(&html),
        cover: cover.as_deref(),
        link: link.as_deref(),
        sorts: params.int("sorts")?.unwrap_or(0),
        publish_ms: params.int("publish_ms")?.unwrap_or(call.app.now_ms()),
    };
    let id = match params.get("id") {
        Some(_) => Some(params.id("id")?),
        None => None,
    };
    let saved = content::save(&call.app.db, id, &draft).await?.or_refuse(Code::NotFound)?;
    Ok(Reply::ok(edited(&call, saved)))
}

/// `POST /operator/api/news/delete`
pub async fn delete(call: Call) -> Answer {
    let id = call.params.id("id")?;
    if content::delete(&call.app.db, id).await? { Ok(Reply::say("ok.saved")) } else { Err(refuse(Code::NotFound)) }
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
