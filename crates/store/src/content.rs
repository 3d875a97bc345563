//! News, notices and help articles in eleven languages.

use rust_embed::RustEmbed;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

use crate::db::{Db, DbError, Done, Returning, Row, Rows, Sql, Value};
use crate::lang::Lang;
use crate::page::Page;
use crate::secrets::{OpenError, hex, random};
use crate::sql;

#[derive(RustEmbed)]
#[folder = "content"]
struct Files;

/// One article of `content/*.json`, in one language.
#[derive(Debug, Deserialize)]
struct Seed {
    slug: String,
    category: u64,
    sorts: u64,
    title: String,
    content: String,
    /// The page of the app that it is about: a topic of the help.
    link: Option<String>,
}

/// A stored article.
#[derive(Debug)]
pub struct Article {
    /// Number.
    pub id: u64,
    /// 4 notice, 5 banner, 19 help.
    pub category: u64,
    /// Language.
    pub lang: String,
    /// Title.
    pub title: String,
    /// HTML.
    pub content: String,
    /// Order.
    pub sorts: u64,
    /// Publication.
    pub created_at_ms: u64,
    /// Picture.
    pub cover: Option<String>,
    /// Target inside the app.
    pub link: Option<String>,
}

/// When the articles that come with the release were written: 2025-11-20.
const SEED_MS: u64 = 1_763_596_800_000;

/// Goes up with every release that brings new articles.
const SEED_VERSION: &str = "4";

/// Inserts the articles that come with the release, once: one notice and the help, in every language available. Existing articles are
/// unchanged, and what an operator deleted does not come back before the next release with new articles.
pub async fn seed(db: &Db) -> Result<(), OpenError> {
    let seeded = db.query(sql!("select value from facts where name = 'articles'")).await?;
    if seeded.first().map(|row| row.text(0)).transpose()?.as_deref() == Some(SEED_VERSION) {
        return Ok(());
    }
    let mut rows = Rows::default();
    for lang in Lang::ALL {
        let Some(file) = Files::get(&format!("{}.json", lang.code())) else { continue };
        let seeds: Vec<Seed> =
            serde_json::from_slice(&file.data).map_err(|error| OpenError(format!("content/{}.json: {error}", lang.code())))?;
        for seed in seeds {
            rows.push([
                seed.category.into(),
                seed.slug.into(),
                lang.code().into(),
                seed.title.into(),
                seed.content.into(),
                seed.sorts.into(),
                SEED_MS.into(),
                seed.link.into(),
            ]);
        }
    }
    let head = "insert into articles (category, slug, lang, title, content, sorts, created_at_ms, link) values";
    let done = "insert into facts (name, value) values ('articles', $1) on conflict (name) do update set value = excluded.value";
    db.run(vec![
        Sql::bulk(head, "on conflict (slug, lang) do update set link = coalesce(articles.link, excluded.link)", rows),
        sql!(done, SEED_VERSION),
    ])
    .await?;
    Ok(())
}

/// Articles of a category that a search looks through, in their order.
const SEARCHED: u64 = 500;

const COLUMNS: &str = "id, category, lang, title, content, sorts, created_at_ms, cover, link";

fn article(row: &Row) -> Result<Article, DbError> {
    Ok(Article {
        id: row.id(0)?,
        category: row.id(1)?,
        lang: row.text(2)?,
        title: row.text(3)?,
        content: row.text(4)?,
        sorts: row.id(5)?,
        created_at_ms: row.id(6)?,
        cover: row.maybe_text(7)?,
        link: row.maybe_text(8)?,
    })
}

/// One page of the published articles of a category in a language, and their count; with a search, of those that have each of its words.
/// An article missing in that language is shown in English.
pub async fn list(db: &Db, category: u64, lang: Lang, search: &str, now_ms: u64, page: Page) -> Result<(Vec<Article>, u64), DbError> {
    let wanted = plain(search);
    let words: Vec<&str> = wanted.split_whitespace().collect();
    // What a search finds is counted and cut into pages here: a database folds letters of one alphabet only, and not all alike.
    let (limit, offset) = if words.is_empty() { (page.limit, page.offset()) } else { (SEARCHED, 0) };
    let chosen = "category = $1 and created_at_ms <= $3 and (lang = $2 or (lang = 'en' and not exists \
                  (select 1 from articles own where own.slug = articles.slug and own.lang = $2)))";
    let rows = format!("select {COLUMNS} from articles where {chosen} order by sorts, created_at_ms desc, id desc limit $4 offset $5");
    let count = format!("select count(*) from articles where {chosen}");
    let done = db
        .read(vec![
            Sql::new(rows, vec![category.into(), lang.code().into(), now_ms.into(), limit.into(), offset.into()]),
            Sql::new(count, vec![category.into(), lang.code().into(), now_ms.into()]),
        ])
        .await?;
    let mut articles = done[0].rows.iter().map(article).collect::<Result<Vec<_>, _>>()?;
    if words.is_empty() {
        return Ok((articles, done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0)));
    }
    articles.retain(|article| has_all(article, &words));
    let count = articles.len() as u64;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Ok((articles.into_iter().skip(before).take(page.limit as usize).collect(), count))
}

/// Each word is in the title, or begins a word of the text. A word in a script that puts no spaces between words may be anywhere in it.
fn has_all(article: &Article, words: &[&str]) -> bool {
    let (title, text) = (plain(&article.title), plain(&without_tags(&article.content)));
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    words.iter().all(|word| title.contains(word) || text.match_indices(word).any(|(at, found)| !found.is_ascii() || begins(at)))
}

/// The words of clean HTML, without its tags. Entities stay as they are: nobody searches for the characters that they stand for.
fn without_tags(html: &str) -> String {
    let pieces = html.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    pieces.collect::<Vec<_>>().join(" ")
}

/// A text as it is compared: no case, no Latin accents, and both Turkish i are one.
fn plain(text: &str) -> String {
    let bare = |c: &char| !matches!(c, '\u{300}'..='\u{36f}');
    let latin = |c| match c {
        'ı' => 'i',
        'đ' => 'd',
        other => other,
    };
    text.to_lowercase().nfkd().filter(bare).map(latin).collect()
}

/// An operator's draft.
#[derive(Debug)]
pub struct Draft<'a> {
    /// 4 notice, 5 banner, 19 help.
    pub category: u64,
    /// Language.
    pub lang: Lang,
    /// Title.
    pub title: &'a str,
    /// Clean HTML.
    pub content: &'a str,
    /// Picture.
    pub cover: Option<&'a str>,
    /// Target inside the app.
    pub link: Option<&'a str>,
    /// Order.
    pub sorts: u64,
    /// Publication.
    pub publish_ms: u64,
}

/// Writes a new article, or that language of the article with this number; [`saved`] reads it. `None` if there is none.
pub async fn save(db: &Db, id: Option<u64>, draft: &Draft<'_>) -> Result<Option<Returning>, DbError> {
    let slug = match id {
        Some(id) => match db.query(sql!("select slug from articles where id = $1", id)).await?.first() {
            Some(row) => row.text(0)?,
            None => return Ok(None),
        },
        None => {
            let token: [u8; 8] = random().map_err(|error| DbError::Failed(error.0))?;
            format!("news-{}", hex(&token))
        }
    };
    let text = format!(
        "insert into articles (slug, lang, category, title, content, sorts, created_at_ms, cover, link) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (slug, lang) do update set category = excluded.category, \
         title = excluded.title, content = excluded.content, sorts = excluded.sorts, created_at_ms = excluded.created_at_ms, \
         cover = excluded.cover, link = excluded.link returning {COLUMNS}"
    );
    let args = vec![
        slug.into(),
        draft.lang.code().into(),
        draft.category.into(),
        draft.title.into(),
        draft.content.into(),
        draft.sorts.into(),
        draft.publish_ms.into(),
        draft.cover.into(),
        draft.link.into(),
    ];
    Ok(Some(Returning { statements: vec![Sql::new(text, args)], place: 0 }))
}

/// The article that [`save`] wrote.
pub fn saved(done: &Done) -> Result<Article, DbError> {
    article(done.row()?)
}

/// The statement that removes an article; misses if there is none.
pub fn delete(id: u64) -> Sql {
    sql!("delete from articles where id = $1", id).exactly(1)
}

/// One page of all articles, also those to come, newest first, and how many there are; of one article, its languages.
pub async fn all(db: &Db, id: Option<u64>, category: Option<u64>, lang: Option<Lang>, page: Page) -> Result<(Vec<Article>, u64), DbError> {
    let chosen = "($1 = '' or lang = $1) and (cast($2 as bigint) = 0 or category = $2) \
                  and (cast($3 as bigint) = 0 or slug = (select slug from articles one where one.id = $3))";
    let filter: Vec<Value> = vec![lang.map_or("", Lang::code).into(), category.unwrap_or(0).into(), id.unwrap_or(0).into()];
    let mut args = filter.clone();
    args.extend([page.limit.into(), page.offset().into()]);
    let rows = format!("select {COLUMNS} from articles where {chosen} order by created_at_ms desc, id desc limit $4 offset $5");
    let count = Sql::new(format!("select count(*) from articles where {chosen}"), filter);
    let done = db.read(vec![Sql::new(rows, args), count]).await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(article).collect::<Result<_, _>>()?, total))
}

/// One published article.
pub async fn get(db: &Db, id: u64, now_ms: u64) -> Result<Option<Article>, DbError> {
    let text = format!("select {COLUMNS} from articles where id = $1 and created_at_ms <= $2");
    db.query(Sql::new(text, vec![id.into(), now_ms.into()])).await?.first().map(article).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_language_has_every_article() {
        let seeds =
            |lang: Lang| -> Vec<Seed> { serde_json::from_slice(&Files::get(&format!("{}.json", lang.code())).unwrap().data).unwrap() };
        let slugs = |lang| seeds(lang).into_iter().map(|seed| (seed.category, seed.sorts, seed.slug, seed.link)).collect::<BTreeSet<_>>();
        for lang in Lang::ALL {
            assert_eq!(slugs(lang), slugs(Lang::En), "{}", lang.code());
            for seed in seeds(lang) {
                let paragraphs = seed.content.matches("<p>").count();
                let english = seeds(Lang::En).into_iter().find(|english| english.slug == seed.slug).unwrap();
                assert_eq!(paragraphs, english.content.matches("<p>").count(), "{} {}", lang.code(), seed.slug);
            }
        }
    }
}
