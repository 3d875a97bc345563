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
