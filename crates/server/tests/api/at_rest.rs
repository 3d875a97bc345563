//! What an attacker sees who has the database but not the keys beside it.

use std::path::Path;

use engine::backoffice::acts::Decision;
use engine::identity::KycLevel;
use store::db::{Db, Sql, Value};
use store::sql;

use crate::harness::{As, Server, both, sign_up, token};
use crate::operator::operator;
use crate::people::{FUND, Member, TRON, decide_identity, reason};

const MAIL: &str = "ann.lee@example.com";
const PHONE: &str = "15112345678";
/// Typed into a field that asks for a name.
const TYPED: &str = "grace-typed-her-secret";
const NICKNAME: &str = "Ann of the Hill";
/// Why an operator froze her.
const REASON: &str = "she phoned about a stolen card";
const DEVICE: &str = "Firefox";
const TICKET: &str = "my passport lies on the photo";
const CHAT: &str = "my balcony door is open";
/// The address of her requests and of guests.
const ADDRESS: &str = "127.0.0.1";
const CANARIES: [&str; 9] = [MAIL, PHONE, TYPED, NICKNAME, REASON, DEVICE, TICKET, CHAT, ADDRESS];

/// Every cell of every table that is text, or could be read as text.
async fn cells(db: &Db) -> Vec<String> {
    let names = match db {
        Db::Sqlite(_) => "select name from sqlite_master where type = 'table' and name not like 'sqlite%'",
        Db::Postgres(_) => "select cast(table_name as text) from information_schema.tables where table_schema = 'public'",
    };
    let mut cells = Vec::new();
    for name in db.query(sql!(names)).await.unwrap().rows.iter().map(|row| row.text(0).unwrap()) {
        // The journal contains no personal data, but the address of the server itself.
        if name.starts_with("journal") {
            continue;
        }
        let found = db.query(Sql::new(format!("select * from {name}"), vec![])).await.unwrap();
        for value in found.rows.iter().flat_map(|row| &row.0) {
            match value {
                Value::Text(text) => cells.push(format!("{name}: {text}")),
                Value::Blob(bytes) => cells.push(format!("{name}: {}", String::from_utf8_lossy(bytes))),
                Value::Int(_) | Value::Null => {}
            }
        }
    }
    assert!(cells.iter().any(|cell| cell.starts_with("users: ")) && cells.iter().any(|cell| cell.starts_with("outbox: ")));
    cells
}

async fn expect_sealed(server: &Server) {
    for cell in cells(&server.running.app.db).await {
        for plain in CANARIES {
            assert!(!cell.contains(plain), "{plain} in {cell}");
        }
        assert!(!cell.starts_with("outbox: ") || !cell.contains("code"), "{cell}");
    }
}

/// Ann with mail and phone, messages to her, and names that do not exist.
async fn people(server: &Server) -> Member {
    let ann = Member::new(server, MAIL).await;
    ann.post(server, "/api/sms_send", &[("user_string", PHONE), ("area_code", "49"), ("type", "bind")]).await.ok();
    let code = server.newest_message(&format!("49-{PHONE}")).await["code"].as_str().unwrap().to_owned();
    let form = [("mobile", PHONE), ("area_code", "49"), ("code", code.as_str()), ("password", "secret1")];
    ann.post(server, "/api/user/edit_mobile", &form).await.ok();
    server.mail_code(MAIL, "forget").await;
    assert_eq!(server.login(TYPED, "x").await.error(), "E_CREDENTIALS");
    server.post("/operator/api/login", &[("name", TYPED), ("password", "x"), ("otp", "1")]).await;
    ann.post(server, "/api/user/edit_profile", &[("nickname", NICKNAME)]).await.ok();
    with_firefox(server).await;
    // Answers stored for a repetition, to her and to a guest.
    let mine = As { token: &ann.token, key: "ticket", ..As::default() };
    let ticket = [("title", TICKET), ("content", TICKET), ("category", "other")];
    server.post_as(mine, "/api/feedback/add", &ticket).await.ok();
    server.post_as(As { key: "chat", ..mine }, "/api/chat/send", &[("content", CHAT)]).await.ok();
    let guest = As { key: "guest", ..As::default() };
    server.post_as(guest, "/api/sms_mail", &[("user_string", "bob@example.com"), ("type", "register")]).await.ok();
    assert_eq!(server.running.app.db.query(sql!("select count(*) from answers")).await.unwrap().rows[0].int(0), Ok(3));
    let desk = operator(server, "sue", &["support"]).await;
    let freeze = [("id", &*ann.id.0.to_string()), ("scope", "withdraw"), ("reason", REASON)];
    server.post_as(token(&desk), "/operator/api/user/freeze", &freeze).await.ok();
    // This ended her sessions.
    with_firefox(server).await;
    let again = server.login(MAIL, "secret1").await.ok();
    Member { token: again.as_str().unwrap().to_owned(), ..ann }
}

/// She logs in with another browser.
async fn with_firefox(server: &Server) {
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    ];
    server.request("POST", "/api/user/login", &headers, format!("user_string={MAIL}&password=secret1")).await.ok();
}

/// She reads all that is sealed; a browser that she used before is not a new one.
async fn expect_read(server: &Server, ann: &Member) {
    let news = async || ann.get(server, "/api/notice/list?limit=100").await["data"].to_string();
    let told = news().await;
    assert!(told.contains(REASON) && told.contains(DEVICE), "{told}");
    with_firefox(server).await;
    assert_eq!(news().await.matches(DEVICE).count(), told.matches(DEVICE).count());
    assert_eq!(ann.get(server, "/api/user/center").await["nickname"], NICKNAME);
    assert!(ann.get(server, "/api/user/access_log").await.to_string().contains(REASON));
    for list in ["sessions", "login_history"] {
        let rows = ann.get(server, &format!("/api/user/{list}")).await.to_string();
        assert!(rows.contains(DEVICE) && rows.contains("127.0.0.*"), "{rows}");
    }
}

/// She is found by every name she is known by, and no other member can take one.
async fn expect_found(server: &Server, ann: &Member) {
    let center = ann.get(server, "/api/user/center").await;
    assert_eq!(
        (center["email"].as_str(), center["phone"].as_str(), center["area_code"].as_str()),
        (Some("an***@example.com"), Some("15****78"), Some("49"))
    );
    server.login(MAIL, "secret1").await.ok();
    let by_phone = [("user_string", PHONE), ("area_code", "49"), ("password", "secret1")];
    server.post("/api/user/login", &by_phone).await.ok();
    let desk = operator(server, "sue", &["support"]).await;
    let account = center["account_number"].as_str().unwrap();
    for q in ["Ann.Lee@Example.com", "49%2015112345678", "4915112345678", account, &account[..4]] {
        let found = server.get_as(token(&desk), &format!("/operator/api/user/search?q={q}")).await.ok();
        assert_eq!((&found["total"], found["data"][0]["id"].as_u64()), (&1.into(), Some(ann.id.0)), "{q}");
    }
    for q in ["ann.le", "example.com", "5112345678"] {
        let found = server.get_as(token(&desk), &format!("/operator/api/user/search?q={q}")).await.ok();
        assert_eq!(found["total"], 0, "only a whole address or number finds: {q}");
    }
    // A person whose log-in name is her address counts as her. The name itself is in the rows only during this check.
    let name = async |from: &str, to: &str| {
        server.running.app.db.exec(sql!("update operators set name = $1 where name = $2", to, from)).await.unwrap();
    };
    name("herself", MAIL).await;
    let herself = operator(server, MAIL, &["support"]).await;
    let freeze = [("id", ann.id.0.to_string()), ("scope", "all".to_owned()), ("reason", "own account".to_owned())];
    let freeze: Vec<(&str, &str)> = freeze.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(server.post_as(token(&herself), "/operator/api/user/freeze", &freeze).await.error(), "E_NOT_FOUND");
    name(MAIL, "herself").await;
}

#[test]
fn nobody_is_named_in_the_database() {
    both(|mut server| async move {
        let ann = people(&server).await;
        expect_sealed(&server).await;
        expect_read(&server, &ann).await;
        expect_found(&server, &ann).await;
        server.restart().await;
        expect_found(&server, &ann).await;
        // Only the owner of a taken address is told, not the person who asks.
        assert_eq!(server.mail_code(MAIL, "register").await, "");
        let app = &server.running.app;
        let other = Member::new(&server, "bob@example.com").await;
        let bob = store::people::get(app, other.id).await.unwrap();
        let same = store::people::set_contact(app, &bob, &store::people::Identity::Email(MAIL.to_owned())).unwrap();
        assert_eq!(app.db.run(vec![same]).await, Err(store::db::DbError::Unique));
        expect_sealed(&server).await;
    });
}

#[test]
fn papers_cards_and_labels_cannot_be_read_in_the_database() {
    const CARD: [(&str, &str); 10] = [
        ("bank_name", "Nordlicht"),
        ("bank_account", "1234567812345678"),
        ("real_name", "Ann Marie Lee"),
        ("bank_branch", "Harbour Gate"),
        ("is_international", "1"),
        ("bank_address", "3 Mill Lane"),
        ("swift_code", "DEUTDEFF"),
        ("postal_code", "10115"),
        ("iban", "GB82WEST12345698765432"),
        ("residence_address", "4 Mill Lane"),
    ];
    both(|server| async move {
        let ann = Member::new(&server, MAIL).await;
        ann.submit_basic(&server, "XY-998877").await.ok();
        // What was typed is kept while it has to be corrected.
        let why = reason(&server, ann.id, "The name cannot be read").await;
        decide_identity(&server, 1, ann.id, KycLevel::Basic, Decision::Reject { reason: why }).await;
        let newest = server.running.app.sequencer.engine().seq().0.to_string();
        let headers = [("authorization", ann.token.as_str()), ("x-min-seq", &newest)];
        let kept = server.request("GET", "/api/charge_mention/verification_log", &headers, "").await.data()["typed"].to_string();
        let mut secrets = vec!["Ann Marie Lee", "XY-998877", "XY998877", "1 Road", "2 Road", "The name cannot be read"];
        assert!(secrets.iter().filter(|secret| kept.contains(**secret)).count() >= 4, "{kept}");
        let sealed = async |secrets: &[&str]| {
            for cell in cells(&server.running.app.db).await {
                assert!(!secrets.iter().any(|secret| cell.contains(secret)), "{cell}");
            }
        };
        sealed(&secrets).await;

        ann.verify(&server, "XY-998877").await;
        ann.set_fund_password(&server).await;
        let code = ann.code(&server, "operation").await;
        let address = [
            ("currency_id", "3"),
            ("netType", "TRC20"),
            ("address", TRON),
            ("pay_password", FUND),
            ("code", &*code),
            ("notes", "Oak chest"),
        ];
        ann.post(&server, "/api/wallet/addaddress", &address).await.ok();
        ann.post(&server, "/api/user/cash_save", &CARD).await.ok();
        assert_eq!(ann.get(&server, "/api/wallet/get_address").await[0]["notes"], "Oak chest");
        // Shorter ones may occur in any hash.
        secrets.extend(CARD.iter().map(|(_, typed)| *typed).filter(|typed| typed.len() > 5));
        secrets.push("Oak chest");
        sealed(&secrets).await;
        // The check itself: a copy outside the sealed columns is found.
        let plain = "insert into answers (caller, content, body, at_ms) values ('x', $1, $2, 1)";
        server.running.app.db.exec(sql!(plain, [7; 32], b"for Oak chest".to_vec())).await.unwrap();
        assert!(cells(&server.running.app.db).await.iter().any(|cell| cell.contains("Oak chest")));
    });
}

#[test]
fn what_is_no_longer_counted_is_forgotten() {
    both(|server| async move {
        people(&server).await;
        let app = &server.running.app;
        let rows = async || app.db.query(sql!("select count(*) from waits")).await.unwrap().rows[0].int(0).unwrap();
        // Two names, each by its source and by all sources.
        assert_eq!(rows().await, 4);
        server.post("/sandbox/clock", &[("advance_ms", "86400001")]).await.ok();
        store::tidy(app).await.unwrap();
        assert_eq!(rows().await, 0);
    });
}

/// Takes the tables back to what the release before had, with these people in it.
async fn age(server: &Server, ann: &Member) {
    let db = &server.running.app.db;
    let sms = format!("49-{PHONE}");
    for text in [
        "drop index users_listed",
        "alter table users drop column email",
        "alter table users drop column phone",
        "alter table users rename column email_hash to email",
        "alter table users rename column phone_hash to phone",
        "alter table outbox drop column sealed",
        "alter table outbox rename column target_hash to target",
        "alter table outbox add column code text",
        "alter table outbox add column subject text not null default ''",
        "alter table outbox add column body text not null default ''",
        "alter table codes rename column target_hash to target",
        "alter table code_requests rename column target_hash to target",
        "drop index waits_by_time",
        "delete from migrations where id in (14, 15, 21, 26, 27, 41)",
        "alter table login_events drop column device_hash",
        "update sessions set device = 'Firefox, Linux', address = '127.0.0.1'",
        "update login_events set device = 'Firefox, Linux', address = '127.0.0.1'",
        "update code_requests set address = '127.0.0.1'",
        "delete from waits",
        "delete from outbox where purpose <> 'bind'",
    ] {
        db.exec(Sql::new(text, vec![])).await.unwrap();
    }
    db.run(vec![
        sql!("update users set email = $1, phone = $2, nickname = $3 where id = $4", MAIL, &sms, NICKNAME, ann.id.0),
        sql!("update access_log set reason = $1", REASON),
        sql!("update notices set args = $1 where topic = 'frozen'", format!("[[\"reason\",\"{REASON}\"]]")),
        sql!("update notices set args = $1 where topic = 'new_device'", "[[\"device\",\"Firefox, Linux\"]]"),
        sql!("update outbox set target = $1, body = 'Your code is 123456', code = '123456'", &sms),
        sql!("update code_requests set target = $1 where purpose = 'bind'", &sms),
        sql!("update code_requests set target = $1 where purpose <> 'bind'", MAIL),
        sql!("delete from answers"),
        sql!(
            "insert into answers (caller, content, body, at_ms) values ($1, $2, $3, $4)",
            format!("user {} ticket", ann.id.0),
            [7; 32],
            TICKET.as_bytes().to_vec(),
            server.running.app.clock.wall_ms()
        ),
        sql!(
            "insert into answers (caller, content, body, at_ms) values ($1, $2, $3, $4)",
            "begun address 127.0.0.1 key",
            [7; 32],
            MAIL.as_bytes().to_vec(),
            server.running.app.clock.wall_ms()
        ),
        sql!("insert into waits (account, failures, until_ms, at_ms) values ($1, 9, 0, $2)", format!("operator {TYPED}"), 1),
    ])
    .await
    .unwrap();
}

/// All that the files of a data directory hold, as text.
fn files(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        text += &String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap());
    }
    text
}

#[test]
fn a_data_directory_of_the_release_before_is_sealed_at_its_first_start() {
    both(|mut server| async move {
        let ann = people(&server).await;
        age(&server, &ann).await;
        assert!(cells(&server.running.app.db).await.iter().any(|cell| cell.contains(MAIL)), "the test has nothing to seal");
        server.restart().await;
        expect_sealed(&server).await;
        if !server.running.app.db.is_shared() {
            let text = files(server.folder());
            assert!(
                [MAIL, PHONE, TYPED, NICKNAME, REASON, TICKET].iter().all(|plain| !text.contains(plain)),
                "a plain copy is left in the files"
            );
        }
        expect_read(&server, &ann).await;
        let kept = server.newest_message(&format!("49-{PHONE}")).await;
        assert_eq!((kept["code"].as_str(), kept["text"].as_str()), (Some("123456"), Some("Your code is 123456")));
        let limits = server.post("/api/sms_mail", &[("user_string", "new@example.com"), ("type", "register")]).await;
        limits.ok();
        let asked = "select count(*) from code_requests where length(target_hash) = 64";
        let all = server.running.app.db.query(sql!("select count(*) from code_requests")).await.unwrap().rows[0].int(0);
        assert_eq!(server.running.app.db.query(sql!(asked)).await.unwrap().rows[0].int(0), all);
        expect_found(&server, &ann).await;
        // The next start has nothing to do, and new members can join.
        server.restart().await;
        expect_found(&server, &ann).await;
        let code = server.mail_code("bob@example.com", "register").await;
        server.post("/api/user/register", &sign_up("bob@example.com", &code)).await.ok();
    });
}
