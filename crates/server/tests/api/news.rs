//! Articles that operators publish, as the app lists them.

use serde_json::{Value as Json, json};

use crate::harness::{Answer, Server, both, token};
use crate::operator::operator;

async fn save(server: &Server, who: &str, fields: &[(&str, &str)]) -> Answer {
    let form = [&[("c_id", "4"), ("content", "<p>x</p>")], fields].concat();
    server.post_as(token(who), "/operator/api/news/save", &form).await
}

async fn titles(server: &Server, lang: &str) -> Vec<Json> {
    let list = server.get(&format!("/api/news/list?c_id=4&limit=100&lang={lang}")).await.ok();
    list["list"].as_array().unwrap().iter().map(|row| row["title"].clone()).collect()
}

#[test]
fn the_newest_notice_stands_first_and_an_order_goes_before_the_age() {
    both(|server| async move {
        let sue = operator(&server, "sue", &["support"]).await;
        for (title, sorts) in [("first", ""), ("second", ""), ("last of all", "9")] {
            save(&server, &sue, &[("lang", "en"), ("title", title), ("sorts", sorts)]).await.ok();
            server.post("/sandbox/clock", &[("advance_ms", "1000")]).await.ok();
        }
        let listed = titles(&server, "en").await;
        assert_eq!((&listed[..2], listed.last()), (&[json!("second"), json!("first")][..], Some(&json!("last of all"))));
        let home = server.get("/api/news/list?c_id=4&limit=1").await.ok();
        assert_eq!(home["list"][0]["title"], "second");
    });
}

#[test]
fn an_article_in_two_languages_is_one_article() {
    both(|server| async move {
        let sue = operator(&server, "sue", &["support"]).await;
        let english = save(&server, &sue, &[("lang", "en"), ("title", "Pause")]).await.ok()["id"].to_string();
        let german = save(&server, &sue, &[("id", &english), ("lang", "deyu"), ("title", "Pausse")]).await.ok();
        assert_ne!(german["id"].to_string(), english);
        // Overwritten by its own number, or by that of another language.
        for (id, title) in [(german["id"].to_string(), "Pausen"), (english.clone(), "Unterbrechung")] {
            let again = save(&server, &sue, &[("id", &id), ("lang", "deyu"), ("title", title)]).await.ok();
            assert_eq!((&again["id"], &again["title"]), (&german["id"], &json!(title)));
        }
        save(&server, &sue, &[("lang", "deyu"), ("title", "Other")]).await.ok();
        let languages = server.get_as(token(&sue), &format!("/operator/api/news?id={english}")).await.ok();
        let found: Vec<_> = languages["data"].as_array().unwrap().iter().map(|row| row["lang"].as_str()).collect();
        assert_eq!((found, &languages["total"]), (vec![Some("deyu"), Some("en")], &json!(2)));
        let of = |titles: Vec<Json>| titles.into_iter().filter(|title| *title == "Pause" || *title == "Unterbrechung").collect::<Vec<_>>();
        for (lang, title) in [("en", "Pause"), ("deyu", "Unterbrechung"), ("kr", "Pause")] {
            assert_eq!(of(titles(&server, lang).await), [title], "{lang}");
        }
        assert_eq!(save(&server, &sue, &[("id", "99999"), ("lang", "kr"), ("title", "x")]).await.error(), "E_NOT_FOUND");
    });
}

#[test]
fn a_search_looks_into_articles_without_case_accents_or_tags() {
    both(|server| async move {
        let sue = operator(&server, "sue", &["support"]).await;
        let texts = [
            ("en", "Fees", "<p>What a <strong>withdrawal</strong> costs</p>"),
            ("en", "Late transfers", "<p>Ask when one was sent</p>"),
            ("fayu", "Frais", "<p>Un retrait coûte</p>"),
            ("teq", "İŞLEM ücreti", "<p>Kadıköy</p>"),
            ("zh", "手续费", "<p>提现需要费用</p>"),
        ];
        for (lang, title, content) in texts {
            let fields = [("c_id", "19"), ("lang", lang), ("title", title), ("content", content), ("sorts", "0")];
            server.post_as(token(&sue), "/operator/api/news/save", &fields).await.ok();
        }
        let server = &server;
        let found = async |lang: &str, search: &str| {
            let fields = [("c_id", "19"), ("lang", lang), ("search", search), ("limit", "100")];
            let list = server.post("/api/news/list", &fields).await.ok();
            let titles: Vec<_> = list["list"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect();
            assert_eq!(list["count"], titles.len());
            titles
        };
        let has = async |lang: &str, search: &str, title: &str| found(lang, search).await.iter().any(|found| found == title);
        for (lang, search, title) in [
            ("en", "WITHDRAW cost", "Fees"),
            ("en", "fees withdrawal", "Fees"),
            ("en", "  ate ", "Late transfers"),
            ("fayu", "coute", "Frais"),
            ("teq", "islem", "İŞLEM ücreti"),
            ("teq", "KADIKÖY", "İŞLEM ücreti"),
            ("zh", "费用", "手续费"),
        ] {
            assert!(has(lang, search, title).await, "{search}");
        }
        // Inside a word of the text, in a tag, in another language, or not at all.
        for (lang, search, title) in
            [("en", "drawal", "Fees"), ("en", "strong", "Fees"), ("en", "coute", "Frais"), ("en", "fees xyz", "Fees")]
        {
            assert!(!has(lang, search, title).await, "{search}");
        }
        assert_eq!(found("en", " ").await, found("en", "").await);
        let second = server.get("/api/news/list?c_id=19&lang=en&search=a&limit=1&page=2").await.ok();
        assert_eq!(second["list"][0]["title"].as_str(), found("en", "a").await.get(1).map(String::as_str));
        let far = server.get("/api/news/list?c_id=19&search=a&page=1000000000").await.ok();
        assert_eq!((&far["list"], far["count"].as_u64() > Some(0)), (&json!([]), true));
        assert_eq!(server.post("/api/news/list", &[("c_id", "19"), ("search", &"x".repeat(101))]).await.error(), "E_FIELD");
    });
}
