//! News, notices and help articles in eleven languages.

use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::app::StartError;
use crate::db::{Db, DbError, Row, Sql};
use crate::http::form::Page;
use crate::sql;
use crate::text::Lang;

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
}

/// When the articles that come with the release were written: 2025-11-20.
const SEED_MS: u64 = 1_763_596_800_000;

/// Puts the articles that come with the release into an empty table: one notice and the help, in every language there is.
pub async fn seed(db: &Db) -> Result<(), StartError> {
    if db.exec(sql!("select id from articles limit 1")).await?.first().is_some() {
        return Ok(());
    }
    let mut rows = Vec::new();
    for lang in Lang::ALL {
        let Some(file) = Files::get(&format!("{}.json", lang.code())) else { continue };
        let seeds: Vec<Seed> =
            serde_json::from_slice(&file.data).map_err(|error| StartError(format!("content/{}.json: {error}", lang.code())))?;
        for seed in seeds {
            rows.push(vec![
                seed.category.into(),
                seed.slug.into(),
                lang.code().into(),
                seed.title.into(),
                seed.content.into(),
                seed.sorts.into(),
                SEED_MS.into(),
            ]);
        }
    }
    let head = "insert into articles (category, slug, lang, title, content, sorts, created_at_ms) values";
    db.run(vec![Sql::bulk(head, "on conflict (slug, lang) do nothing", rows)]).await?;
    Ok(())
}

const COLUMNS: &str = "id, category, lang, title, content, sorts, created_at_ms";

fn article(row: &Row) -> Result<Article, DbError> {
    Ok(Article {
        id: row.id(0)?,
        category: row.id(1)?,
        lang: row.text(2)?,
        title: row.text(3)?,
        content: row.text(4)?,
        sorts: row.id(5)?,
        created_at_ms: row.id(6)?,
    })
}

/// One page of a category in a language, and how many there are. An article that the language lacks is shown in English.
pub async fn list(db: &Db, category: u64, lang: Lang, page: Page) -> Result<(Vec<Article>, u64), DbError> {
    let chosen = "category = $1 and (lang = $2 or (lang = 'en' and not exists \
                  (select 1 from articles own where own.slug = articles.slug and own.lang = $2)))";
    let rows = format!("select {COLUMNS} from articles where {chosen} order by sorts, id limit $3 offset $4");
    let count = format!("select count(*) from articles where {chosen}");
    let done = db
        .read(vec![
            Sql::new(rows, vec![category.into(), lang.code().into(), page.limit.into(), page.offset().into()]),
            Sql::new(count, vec![category.into(), lang.code().into()]),
        ])
        .await?;
    let articles = done[0].rows.iter().map(article).collect::<Result<_, _>>()?;
    Ok((articles, done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0)))
}

/// One article.
pub async fn get(db: &Db, id: u64) -> Result<Option<Article>, DbError> {
    let text = format!("select {COLUMNS} from articles where id = $1");
    db.query(Sql::new(text, vec![id.into()])).await?.first().map(article).transpose()
}
