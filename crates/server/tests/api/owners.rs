//! Another member's objects are answered like unknown ones, and unexpected fields change nothing.

use serde_json::Value as Json;
use server::app::ROUTES;
use server::http::routes::Access;

use crate::harness::{Answer, Server, both, token};
use crate::people::{FUND, Member};

/// Calls that take the number of an object of the caller's: method, path, field, and whose object it names.
const TAKES: &[(&str, &str, &str, &str)] = &[
    ("POST", "/api/user/sessions/revoke", "id", "session"),
    ("POST", "/api/user/cash_del", "id", "card"),
    ("POST", "/api/wallet/deladdress", "address_id", "address"),
    ("POST", "/api/wallet/out_cancel", "id", "withdrawal"),
    ("PUT", "/api/coin/trade", "id", "order"),
    ("POST", "/api/coin/cancel", "id", "order"),
    ("POST", "/api/coin/move", "id", "order"),
    ("GET", "/api/coin/order", "id", "order"),
    ("GET", "/api/coin/fills", "order_id", "order"),
    ("POST", "/api/notice/read", "id", "notice"),
    ("GET", "/api/feedback/detail", "id", "ticket"),
    ("GET", "/api/microtrade/receipt", "id", "option"),
    ("GET", "/api/lever/receipt", "id", "contract"),
    ("POST", "/api/lever/close", "id", "contract"),
    ("POST", "/api/lever/setstop", "id", "contract"),
    ("POST", "/api/lever/cancel", "id", "contract"),
    ("GET", "/api/user/bossdetail", "id", "loan"),
    ("POST", "/api/user/bossrepay", "id", "loan"),
    ("POST", "/api/user/bosscollateral", "id", "loan"),
    ("POST", "/api/user/bosscancel", "id", "loan"),
    ("GET", "/api/user/export", "id", "export"),
    ("GET", "/api/lh/deposit/order/preview", "id", "plan"),
    ("POST", "/api/lh/deposit/order/cancel", "id", "plan"),
    ("POST", "/api/alert/del", "id", "alert"),
    ("POST", "/api/feedback/reply", "id", "ticket"),
    ("POST", "/api/wallet/flashAgainst", "quote_id", "quote"),
    ("POST", "/api/wallet/out", "address_id", "address"),
    ("POST", "/api/wallet/out", "card_id", "card"),
];

/// The same field of these is no object of a member's.
const NO_OBJECT: &[(&str, &str)] = &[("/api/user/real_name", "card_id"), ("/api/user/real_name2", "card_id")];

async fn call(server: &Server, who: &str, method: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    match method {
        "GET" => {
            let query: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
            server.get_as(token(who), &format!("{path}?{}", query.join("&"))).await
        }
        "PUT" => {
            let body: serde_json::Map<String, Json> = fields.iter().map(|(name, value)| ((*name).to_owned(), Json::from(*value))).collect();
            let headers = [("authorization", who), ("content-type", "application/json")];
            server.request("PUT", path, &headers, Json::Object(body).to_string()).await
        }
        _ => server.post_as(token(who), path, fields).await,
    }
}

/// One object of each kind: kind and number.
async fn objects(server: &Server, ann: &Member) -> Vec<(&'static str, String)> {
    let address = ann.ready(server, "AB123456").await;
    let withdrawal = ann.withdraw(server, &address, "10").await.data()["id"].to_string();
    let card = [("bank_name", "First"), ("bank_account", "1234567890"), ("real_name", "Ann Marie Lee"), ("bank_branch", "Main")];
    let card = ann.post(server, "/api/user/cash_save", &card).await.data()["id"].to_string();
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
    let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.0001"), ("target_price", "95000")];
    let order = ann.post(server, "/api/coin/trade", &form).await.data()["order"]["id"].to_string();
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10"), ("account", "micro")]).await.ok();
    let bet = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "5")];
    let option = ann.post(server, "/api/microtrade/submit", &bet).await.ok()["id"].to_string();
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "20"), ("account", "lever")]).await.ok();
    let long = [("share", "1"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
    let contract = ann.post(server, "/api/lever/submit", &long).await.data()["position"]["id"].to_string();
    ann.post(server, "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
    let borrow = [("config_id", "1"), ("amount", "100"), ("collateral", "0.01")];
    let loan = ann.post(server, "/api/user/bossorder", &borrow).await.data()["order"]["id"].to_string();
    let sold = [("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "10")];
    let quote = ann.post(server, "/api/wallet/flash_quote", &sold).await.ok()["quote_id"].to_string();
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100"), ("account", "trust")]).await.ok();
    let plan = [("config_id", "2"), ("amount", "100"), ("agree", "1")];
    let plan = ann.post(server, "/api/lh/deposit", &plan).await.data()["order"]["id"].to_string();
    let ticket = ann.post(server, "/api/feedback/add", &[("title", "Lost"), ("content", "Where is it?")]).await.ok()["id"].to_string();
    let level = [("match_id", "1"), ("direction", "above"), ("price", "200000")];
    let alert = ann.post(server, "/api/alert/add", &level).await.ok()["id"].to_string();
    let export = ann.post(server, "/api/user/export", &[("password", "secret1")]).await.ok()["id"].to_string();
    let notice = ann.get(server, "/api/notice/list").await["data"][0]["id"].to_string();
    let session = ann.get(server, "/api/user/sessions").await[0]["id"].to_string();
    vec![
        ("address", address),
        ("withdrawal", withdrawal),
        ("card", card),
        ("option", option),
        ("contract", contract),
        ("loan", loan),
        ("plan", plan),
        ("alert", alert),
        ("export", export),
        ("quote", quote),
        ("order", order),
        ("ticket", ticket),
        ("notice", notice),
        ("session", session),
    ]
}

/// Everything of hers that a stranger could have changed.
async fn state(server: &Server, ann: &Member) -> Vec<String> {
    let mut state = Vec::new();
    for path in [
        "user/sessions",
        "user/cash_list",
        "coin/list",
        "notice/list",
        "feedback/list",
        "charge_mention/log3",
        "user/center",
        "user/bosslist",
    ] {
        let mut answer = ann.get(server, &format!("/api/{path}")).await;
        // The time of last use or reading is not a change.
        for row in answer.as_array_mut().into_iter().flatten() {
            ["seq", "last_at", "last_at_ms", "expires_ms"].iter().for_each(|name| row[*name] = Json::Null);
        }
        state.push(answer.to_string());
    }
    state.push(ann.post(server, "/api/wallet/get_address", &[]).await.ok().to_string());
    state
}

#[test]
fn an_object_of_another_is_answered_like_one_that_does_not_exist() {
    // A new call with a number needs a row here.
    for (path, entries) in ROUTES.iter().filter(|(path, _)| path.starts_with("/api/")) {
        for entry in entries.iter().filter(|entry| entry.route.access == Access::User) {
            for name in entry.params.iter().map(|param| param.name()) {
                let takes =
                    name == "id" || ["order_id", "address_id", "card_id", "quote_id", "position_id", "plan_id", "loan_id"].contains(&name);
                let method = entry.route.methods().first().copied().unwrap_or("");
                let known = TAKES.iter().any(|row| (row.0, row.1, row.2) == (method, path, name));
                let other = NO_OBJECT.contains(&(path, name));
                assert!(!takes || known || other, "{method} {path} takes {name} and has no row");
            }
        }
    }
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let objects = objects(&server, &ann).await;
        // He has everything that it takes, too.
        bob.verify(&server, "CD123456").await;
        bob.set_fund_password(&server).await;
        let before = state(&server, &ann).await;
        for (method, path, field, kind) in TAKES {
            let (_, own) = objects.iter().find(|(known, _)| known == kind).unwrap();
            let asked = async |who: &str, number: &str| {
                let mut fields = vec![(*field, number)];
                match *path {
                    "/api/lever/setstop" => fields.extend([("target_profit_price", "0"), ("stop_loss_price", "0")]),
                    "/api/coin/move" => fields.push(("target_price", "90000")),
                    "/api/user/bossrepay" => fields.push(("all", "1")),
                    "/api/user/bosscollateral" => fields.push(("amount", "0.1")),
                    "/api/feedback/reply" => fields.push(("content", "x")),
                    "/api/wallet/out" => {
                        fields.extend([
                            ("currency", if *field == "card_id" { "9999" } else { "3" }),
                            ("number", "10"),
                            ("pay_password", FUND),
                        ]);
                    }
                    _ => {}
                }
                let answer = call(&server, who, method, path, &fields).await;
                (answer.status, answer.text)
            };
            let hers = asked(&bob.token, own).await;
            assert_eq!(hers, asked(&bob.token, "900000000").await, "{method} {path}");
            assert!(hers.1.contains("E_NOT_FOUND") || hers.1.contains("_UNSET") || hers.1.contains("\"total\":0"), "{path}: {}", hers.1);
            assert_eq!(asked("", own).await, asked("", "900000000").await, "{method} {path}");
        }
        assert_eq!(state(&server, &ann).await, before);
    });
}

/// Lists of what a member has, and where their number of rows is.
const LISTS: &[(&str, &str)] = &[
    ("/api/microtrade/lists", "/total"),
    ("/api/lever/my_trade", "/message/total"),
    ("/api/lh/deposit/order", "/total"),
    ("/api/lh/send/order_list", "/total"),
    ("/api/user/bosslist", "/total"),
    ("/api/wallet/flash_history", "/total"),
];

#[test]
fn what_has_ended_is_listed_and_shown_to_its_owner_alone() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let objects = objects(&server, &ann).await;
        let number = |kind: &str| objects.iter().find(|(known, _)| *known == kind).unwrap().1.as_str();
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        ann.post(&server, "/api/wallet/flashAgainst", &[("quote_id", number("quote"))]).await.data();
        ann.post(&server, "/api/lh/send/order", &[("config_id", "1"), ("amount", "10")]).await.data();
        ann.post(&server, "/api/lever/close", &[("id", number("contract"))]).await.data();
        ann.post(&server, "/api/user/bosscancel", &[("id", number("loan"))]).await.data();
        // Everything running ends long before that.
        server.post("/sandbox/clock", &[("advance_ms", &(300 * 86_400_000_u64).to_string())]).await.ok();
        let rows = async |who: &Member, (path, total): &(&str, &str)| {
            let all = call(&server, &who.token, if path.ends_with("my_trade") { "POST" } else { "GET" }, path, &[]).await.ok();
            all.pointer(total).and_then(Json::as_u64).unwrap()
        };
        for list in LISTS {
            assert!(rows(&ann, list).await > 0, "{list:?}");
            assert_eq!(rows(&bob, list).await, 0, "{list:?}");
        }
        let report = ann.get(&server, "/api/lh/deposit/report").await;
        assert_ne!(report, bob.get(&server, "/api/lh/deposit/report").await, "interest of hers");
        for (path, kind) in [
            ("/api/microtrade/receipt", "option"),
            ("/api/lever/receipt", "contract"),
            ("/api/lh/deposit/order/preview", "plan"),
            ("/api/user/bossdetail", "loan"),
        ] {
            let asked = async |who: &Member| call(&server, &who.token, "GET", path, &[("id", number(kind))]).await.error();
            assert_eq!(asked(&bob).await, "E_NOT_FOUND", "{path}");
            assert_ne!(asked(&ann).await, "E_NOT_FOUND", "{path}");
        }
    });
}

/// Fields that would be worth something if a handler took them over.
pub const FORBIDDEN: [&str; 40] = [
    "uid",
    "user_id",
    "owner",
    "owner_id",
    "member_id",
    "account_id",
    "from_user",
    "to_user",
    "inviter_id",
    "parent_id",
    "role",
    "roles",
    "admin",
    "is_admin",
    "operator",
    "operator_id",
    "status_id",
    "review_status",
    "review_status2",
    "verified",
    "kyc",
    "level",
    "approved",
    "passed",
    "balance",
    "available",
    "frozen",
    "credit",
    "debit",
    "fee",
    "fee_rate",
    "fill_price",
    "price_override",
    "result",
    "outcome",
    "profit",
    "seq",
    "version",
    "created_at_ms",
    "withdraw_hold_until_ms",
];

#[test]
fn fields_that_nobody_asked_for_change_nothing() {
    both(|server| async move {
        let extra: Vec<(&str, &str)> = FORBIDDEN.iter().map(|name| (*name, "1")).collect();
        let with = |fields: &[(&'static str, &'static str)]| {
            let taken: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            fields.iter().copied().chain(extra.iter().copied().filter(|(name, _)| !taken.contains(name))).collect::<Vec<_>>()
        };
        let code = server.mail_code("ann@example.com", "register").await;
        let mut form = crate::harness::sign_up("ann@example.com", &code).to_vec();
        form.extend(extra.iter().copied());
        server.post("/api/user/register", &form).await.ok();
        let who = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let (ann, bob) = (token(&who), Member::new(&server, "bob@example.com").await);
        let fresh = |center: &Json| {
            let fields = ["review_status", "review_status2", "status", "role", "fund_password", "totp", "withdraw_hold_until_ms", "name"];
            fields.map(|field| center[field].to_string())
        };
        let theirs =
            async || (fresh(&server.get_as(ann, "/api/user/center").await.ok()), fresh(&bob.get(&server, "/api/user/center").await));
        let (hers, his) = theirs().await;
        assert_eq!(hers, his);

        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        server.post_as(ann, "/sandbox/faucet", &with(&[("asset", "USDT"), ("amount", "100")])).await.ok();
        let order = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.0001"), ("target_price", "95000")];
        let placed = server.post_as(ann, "/api/coin/trade", &with(&order)).await.data();
        let terms = ["target_price", "trade_amount", "charge_fee", "filled_amount"].map(|field| placed["order"][field].as_str().unwrap());
        assert_eq!(terms, ["95000.0", "0.00010000", "0.001", "0.00000000"]);
        let moved = [("currency_id", "3"), ("number", "5"), ("from_field", "change"), ("to_field", "lever")];
        server.post_as(ann, "/api/wallet/change", &with(&moved)).await.ok();
        server.post_as(ann, "/api/user/edit_profile", &with(&[("nickname", "Ann")])).await.ok();
        server.post_as(ann, "/api/set/lang", &with(&[("lang", "en")])).await.ok();
        server.post_as(ann, "/api/feedback/add", &with(&[("title", "Lost"), ("content", "Where is it?")])).await.ok();
        assert_eq!(theirs().await, (hers, his));
        for list in ["coin/list", "feedback/list", "notice/list"] {
            let answer = bob.get(&server, &format!("/api/{list}")).await;
            let rows = answer.as_array().or(answer["data"].as_array()).unwrap();
            assert!(rows.is_empty(), "{list}: {answer}");
        }
    });
}
