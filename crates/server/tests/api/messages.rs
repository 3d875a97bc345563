use std::time::Duration;

use engine::ids::UserId;
use serde_json::{Value as Json, json};
use store::db::Sql;
use store::messages::{self, Author, Draft, Status};
use store::notices::{INSERT, Topic, cells, insert};
use store::sql;

use crate::harness::{As, both, token};
use crate::socket::Client;

#[test]
fn a_ticket_is_a_thread_between_its_owner_and_support() {
    both(|server| async move {
        let ann = server.register("ann@example.com").await["user_id"].as_u64().unwrap();
        let who = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let bob = server.member("bob@example.com").await;
        let picture = server.picture(&who, "ticket").await;
        let form = [("title", "Where is it?"), ("content", "It left\r\nyesterday. <b>Help</b>"), ("category", "deposit")];
        let imgs = json!([picture, picture]).to_string();
        let ticket = server.post_as(token(&who), "/api/feedback/add", &[&form[..], &[("imgs", &imgs)]].concat()).await.ok();
        assert_eq!(
            (&ticket["status"], &ticket["last"], &ticket["category"]),
            (&json!(1), &json!("It left\nyesterday. <b>Help</b>"), &json!("deposit"))
        );
        let id = ticket["id"].to_string();

        // Support answers: the state changes, and the owner gets a notice.
        let app = &server.running.app;
        let draft = Draft { user: UserId(ann), author: Author::Support, content: "On its way.", files: &[] };
        let write = messages::write(app, ticket["id"].as_u64().unwrap(), Status::Answered, draft).unwrap();
        app.db.run(write.statements).await.unwrap();
        let detail = server.get_as(token(&who), &format!("/api/feedback/detail?id={id}")).await.ok();
        let said: Vec<(&Json, &Json)> = detail["messages"].as_array().unwrap().iter().map(|one| (&one["from"], &one["content"])).collect();
        assert_eq!(said, [(&json!("me"), &json!("It left\nyesterday. <b>Help</b>")), (&json!("support"), &json!("On its way."))]);
        assert_eq!((&detail["messages"][0]["imgs"], &detail["ticket"]["status"]), (&json!([picture]), &json!(2)));
        let reply = |who: &str, id: String, content: &'static str| {
            let (server, who) = (&server, who.to_owned());
            async move { server.post_as(token(&who), "/api/feedback/reply", &[("id", &id), ("content", content)]).await }
        };
        assert_eq!(reply(&who, id.clone(), "Thank you").await.ok()["from"], "me");
        let list = server.get_as(token(&who), "/api/feedback/list").await.ok();
        assert_eq!((&list["total"], &list["data"][0]["status"], &list["data"][0]["last"]), (&json!(1), &json!(1), &json!("Thank you")));

        // No other member can see it.
        assert_eq!(server.get_as(token(&bob), &format!("/api/feedback/detail?id={id}")).await.error(), "E_NOT_FOUND");
        assert_eq!(reply(&bob, id.clone(), "hello").await.error(), "E_NOT_FOUND");
        assert_eq!(server.get_as(token(&bob), "/api/feedback/list").await.ok()["total"], 0);
        let stored = app.db.query(sql!("select title, content from tickets, messages")).await.unwrap();
        for row in &stored.rows {
            assert!(!String::from_utf8_lossy(&[row.blob(0).unwrap(), row.blob(1).unwrap()].concat()).contains("it?"));
        }

        app.db.exec(sql!("update tickets set status = 3")).await.unwrap();
        assert_eq!(reply(&who, id, "still there?").await.error(), "E_STATE");
    });
}

#[test]
fn what_is_written_follows_the_rules_of_text_and_pictures() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let (foreign, avatar) = (server.picture(&bob, "ticket").await, server.picture(&ann, "avatar").await);
        let say = |fields: Vec<(&'static str, String)>| {
            let (server, ann) = (&server, &ann);
            async move {
                let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                server.post_as(token(ann), "/api/chat/send", &fields).await
            }
        };
        for (text, rule) in
            [(" \n ", "length"), ("a\u{202e}b", "chars"), ("a\u{7}b", "chars"), (&"x".repeat(2_001), "length"), ("", "required")]
        {
            let answer = say(vec![("content", text.to_owned())]).await;
            assert_eq!((answer.error().as_str(), &answer.json()["data"]["rule"]), ("E_FIELD", &json!(rule)), "{text:.20}");
        }
        for (imgs, error) in [
            (json!([foreign]), "E_FILE"),
            (json!([avatar]), "E_FILE"),
            (json!(["/files/x"]), "E_FILE"),
            (json!([1]), "E_FIELD"),
            (json!("x"), "E_FIELD"),
            (json!(["a", "b", "c", "d"]), "E_FIELD"),
        ] {
            assert_eq!(say(vec![("content", "x".to_owned()), ("imgs", imgs.to_string())]).await.error(), error, "{imgs}");
        }
        let longest = "ü".repeat(2_000);
        assert_eq!(say(vec![("content", longest.clone())]).await.ok()["content"], json!(longest));
        say(vec![("content", "second".to_owned())]).await.ok();
        let history = server.get_as(token(&ann), "/api/chat/history?limit=1").await.ok();
        assert_eq!((history.as_array().unwrap().len(), &history[0]["content"]), (1, &json!("second")));
        let before = history[0]["id"].to_string();
        let older = server.get_as(token(&ann), &format!("/api/chat/history?before_id={before}")).await.ok();
        assert_eq!((older.as_array().unwrap().len(), &older[0]["content"]), (1, &json!(longest)));
        assert_eq!(server.get_as(token(&bob), "/api/chat/history").await.ok(), json!([]));
    });
}

#[test]
fn a_member_has_at_most_ten_open_tickets() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let form = [("title", "a"), ("content", "b")];
        let eleven = futures_util::future::join_all((0..11).map(|_| server.post_as(token(&who), "/api/feedback/add", &form))).await;
        let opened = eleven.iter().filter(|answer| answer.error().is_empty()).count();
        assert_eq!((opened, eleven.iter().filter(|answer| answer.error() == "E_OPEN_LIMIT").count()), (10, 1));
        // Each has its own first message.
        let lasts = server.get_as(token(&who), "/api/feedback/list?limit=100").await.ok();
        assert!(lasts["data"].as_array().unwrap().iter().all(|ticket| ticket["last"] == "b"));
    });
}

#[test]
fn a_notice_reaches_the_open_connection_once_and_is_read_in_ones_language() {
    both(|server| async move {
        let ann = UserId(server.register("ann@example.com").await["user_id"].as_u64().unwrap());
        let who = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let bob = server.member("bob@example.com").await;
        let app = &server.running.app;
        let mut socket = Client::connect(&server, json!({"token": who})).await;
        socket.ask("sub", json!({"channel": "index", "symbol": "BTC/USDT"})).await;
        for (topic, object) in [(Topic::TicketAnswered, Some(7)), (Topic::ChatAnswered, None)] {
            app.db.exec(insert(ann, topic, &[], object, app.now_ms())).await.unwrap();
            app.notices.tell(ann).await;
        }
        let (first, second) = (socket.event("notification").await, socket.event("notification").await);
        assert_eq!((&first["data"]["kind"], &first["data"]["object_id"]), (&json!("ticket"), &json!(7)));
        assert_eq!((&second["data"]["kind"], second["pseq"].as_u64()), (&json!("chat"), first["pseq"].as_u64().map(|pseq| pseq + 1)));

        let unread = || async { server.get_as(token(&who), "/api/user/center").await.ok()["unread"].as_u64().unwrap() };
        assert_eq!(unread().await, 2);
        let german = As { token: &who, lang: "deyu", ..As::default() };
        let list = server.get_as(german, "/api/notice/list?kind=ticket").await.ok();
        assert_eq!((&list["total"], &list["data"][0]["title"]), (&json!(1), &json!("Antwort auf Ihre Anfrage")));
        let id = list["data"][0]["id"].to_string();
        let read = |who: &str, field: &'static str, value: String| {
            let (server, who) = (&server, who.to_owned());
            async move { server.post_as(token(&who), "/api/notice/read", &[(field, &value)]).await }
        };
        assert_eq!(read(&bob, "id", id.clone()).await.error(), "E_NOT_FOUND");
        assert_eq!(read(&who, "id", String::new()).await.error(), "E_FIELD");
        assert_eq!(read(&who, "id", id.clone()).await.data()["unread"], 1);
        assert_eq!(read(&who, "id", id).await.data()["unread"], 1);
        assert_eq!(read(&who, "all", "1".to_owned()).await.data()["unread"], 0);
        assert_eq!(unread().await, 0);
        assert_eq!(server.get_as(token(&bob), "/api/notice/list").await.ok()["total"], 0);
    });
}

#[test]
fn many_notices_of_one_member_send_nobody_else_back_to_read() {
    both(|server| async move {
        let ann = UserId(server.register("ann@example.com").await["user_id"].as_u64().unwrap());
        let bob = server.member("bob@example.com").await;
        let app = &server.running.app;
        let mut socket = Client::connect(&server, json!({"token": bob})).await;
        socket.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        // As many as an order that fills thousands leaves.
        let notices = (0..5_000).map(|object| cells(ann, Topic::OrderSold, &[], Some(object), app.now_ms())).collect();
        app.db.exec(Sql::bulk(INSERT, "", notices)).await.unwrap();
        app.notices.tell(ann).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.post_as(token(&bob), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1")]).await.ok();
        assert_eq!(socket.first_of(&["\"resync\"", "\"balance\""]).await, "\"balance\"");
    });
}
