//! The console's interface: who may call what, what two operators must agree on, and that everything is written down.

use clap::Parser;
use engine::ids::ObservationId;
use serde_json::{Value as Json, json};
use server::app::ROUTES;
use server::config::{Cli, Command, OperatorCommand};
use server::http::routes::{Access, Verb};
use server::operator::{Roles, invite};
use store::{sql, totp};

use crate::harness::{Answer, As, Server, both, both_with, escape, token};

/// A sandbox session of an operator with these roles.
pub async fn operator(server: &Server, name: &str, roles: &[&str]) -> String {
    let mut newest = String::new();
    for role in roles {
        let opened = server.post("/sandbox/operator", &[("role", role), ("name", name)]).await.ok();
        newest = opened["token"].as_str().unwrap().to_owned();
    }
    newest
}

async fn get(server: &Server, who: &str, path: &str) -> Answer {
    server.get_as(token(who), &format!("/operator/api/{path}")).await
}

pub async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

async fn user_id(server: &Server, who: &str) -> u64 {
    server.get_as(token(who), "/api/user/center").await.ok()["id"].as_u64().unwrap()
}

/// The answer of each operator route to a role, from the published table and not from the server's.
const PUBLISHED: &[(&str, &str)] = &[
    ("logout", "any"),
    ("me", "any"),
    ("password", "any"),
    ("queue", "support verifier treasury auditor"),
    ("item", "support verifier treasury auditor"),
    ("file", "support verifier treasury auditor"),
    ("decide", "verifier treasury"),
    ("observation", "treasury"),
    ("observations", "treasury auditor"),
    ("observation/reverse", "treasury"),
    ("incidents", "treasury auditor"),
    ("disputes", "treasury auditor"),
    ("withdrawal/sent", "treasury"),
    ("withdrawal/returned", "treasury"),
    ("withdrawal/unmark", "treasury"),
    ("treasury", "treasury auditor"),
    ("treasury/move", "treasury"),
    ("proposals", "any"),
    ("proposal/confirm", "verifier treasury market admin"),
    ("proposal/cancel", "any"),
    ("proposal/stop", "verifier treasury market admin"),
    ("catalog", "any"),
    ("catalog/propose", "market"),
    ("offering/launch", "market"),
    ("catalog/pause", "market admin"),
    ("market/retire", "market"),
    ("news", "support market auditor"),
    ("news/save", "support market"),
    ("news/delete", "support market"),
    ("user/search", "support verifier treasury auditor"),
    ("user/detail", "support verifier treasury auditor"),
    ("user/freeze", "support verifier treasury"),
    ("user/end_sessions", "support verifier treasury"),
    ("user/unfreeze", "verifier treasury"),
    ("user/kyc_revoke", "verifier"),
    ("user/role", "admin"),
    ("ticket/reply", "support"),
    ("chat/reply", "support"),
    ("operators", "admin auditor"),
    ("operator/save", "admin"),
    ("operator/release", "admin"),
    ("audit", "auditor admin"),
    ("settlement", "any"),
    ("sources", "any"),
];

#[test]
fn only_the_allowed_may_and_a_new_route_needs_a_row() {
    both(|server| async move {
        let (ann, bob, cid) =
            (server.member("ann@example.com").await, server.member("bob@example.com").await, server.member("cid@example.com").await);
        let frozen = user_id(&server, &cid).await.to_string();
        let treasury = operator(&server, "tom", &["treasury"]).await;
        post(&server, &treasury, "user/freeze", &[("id", &frozen), ("scope", "all"), ("reason", "matrix test")]).await.ok();
        // The freeze ended their session.
        let cid = server.login("cid@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let mut roles = Vec::new();
        for word in Roles::WORDS {
            roles.push((word, operator(&server, &format!("one-{word}"), &[word]).await));
        }
        let mut seen = Vec::new();
        for (url, entries) in ROUTES.iter() {
            for entry in entries {
                let call = async |who: &str| match entry.route.verb {
                    Verb::Get => server.get_as(token(who), url).await,
                    _ => server.post_as(token(who), url, &[]).await,
                };
                let Some(path) = url.strip_prefix("/operator/api/") else {
                    // Those are in `matrix.txt`.
                    assert!(!matches!(entry.route.access, Access::Operator(_)), "{url}");
                    continue;
                };
                if matches!(path, "login" | "setup") {
                    continue;
                }
                seen.push(path);
                for who in ["", &ann, &bob, &cid] {
                    assert_eq!(call(who).await.error(), "E_AUTH", "{url}");
                }
                let row = PUBLISHED.iter().find(|(row, _)| *row == path);
                let (_, may) = row.unwrap_or_else(|| panic!("{path} has no row in the matrix"));
                for (word, session) in roles.iter().filter(|_| path != "logout") {
                    let refused = call(session).await.error() == "E_ROLE";
                    let allowed = *may == "any" || may.split(' ').any(|role| role == *word);
                    assert_eq!(refused, !allowed, "{path} as {word}");
                }
            }
        }
        seen.sort_unstable();
        let mut published: Vec<&str> = PUBLISHED.iter().map(|(path, _)| *path).collect();
        published.sort_unstable();
        assert_eq!(seen, published);
    });
}

#[test]
fn an_operator_sets_up_by_a_link_and_logs_in_with_password_and_code_only() {
    both(|mut server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin"]).await, operator(&server, "bob", &["admin"]).await);
        let form = [
            ("name", "Cid"),
            ("roles", r#"["treasury","market"]"#),
            ("active", "1"),
            ("linked_member", "none"),
            ("mail", "cid@example.com"),
            ("reason", "new colleague"),
        ];
        let proposed = post(&server, &ann, "operator/save", &form).await.ok();
        assert_eq!((&proposed["values"]["linked_member"], &proposed["values"]["mail"]), (&json!("none"), &json!("cid@example.com")));
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        assert_eq!((&proposed["values"]["name"], &proposed["values"]["roles"]), (&json!("cid"), &json!(["treasury", "market"])));
        let confirm = [("id", id.as_str()), ("hash", hash.as_str())];
        assert_eq!(post(&server, &ann, "proposal/confirm", &confirm).await.error(), "E_SAME_OPERATOR");
        assert_eq!(post(&server, &bob, "proposal/confirm", &[("id", &id), ("hash", &"0".repeat(64))]).await.error(), "E_VERSION");
        let confirmed = post(&server, &bob, "proposal/confirm", &confirm).await;
        assert_eq!((&confirmed.ok()["state"], &confirmed.json()["data"]), (&json!("done"), &json!("")), "no link for the confirmer");
        let mailed = server.newest_message("cid@example.com").await;
        let link = mailed["code"].as_str().unwrap().to_owned();
        assert!(mailed["text"].as_str().unwrap().contains(&format!("/console/#/setup/{link}")), "{mailed}");

        let setup = server.post("/operator/api/setup", &[("link", &link)]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let now = || server.running.app.clock.wall_ms();
        let code = |offset: u64| totp::code(&secret, totp::step(now()) + offset);
        let with = async |password: &str, otp: &str| {
            server.post("/operator/api/setup", &[("link", &link), ("password", password), ("otp", otp)]).await
        };
        let short = with("short", "000000").await;
        assert_eq!((short.error().as_str(), &short.json()["data"]["min"]), ("E_PASSWORD_SHORT", &json!(15)));
        assert_eq!(short.json()["message"], "Password must be at least 15 characters");
        assert_eq!(with("passwordpassword", "000000").await.error(), "E_PASSWORD_COMMON");
        let good = "seven wet llamas juggle";
        assert_eq!(with(good, "000000").await.error(), "E_2FA_WRONG");
        // A code of this moment: a new time step may begin before the log-in.
        let first = code(0);
        with(good, &first).await.ok();
        assert_eq!(with(good, &code(1)).await.error(), "E_CHALLENGE");
        let login = async |password: &str, otp: &str| {
            server.post("/operator/api/login", &[("name", "CID"), ("password", password), ("otp", otp)]).await
        };
        assert_eq!(login(good, &first).await.error(), "E_CREDENTIALS", "the code of the set-up is used up");
        assert_eq!(login("seven wet llamas juggled", &code(1)).await.error(), "E_CREDENTIALS");
        // The holder of the link does not have the account yet: only the proposer can release it.
        let early = login(good, &code(1)).await;
        assert_eq!((early.error().as_str(), &early.json()["data"]["state"]), ("E_STATE", &json!("not_released")));
        let waiting = get(&server, &ann, "operators").await.ok()[2].clone();
        assert_eq!((&waiting["name"], &waiting["waits_for"], &waiting["totp"]), (&json!("cid"), &json!(1), &json!(1)));
        let number = waiting["id"].to_string();
        assert_eq!(post(&server, &bob, "operator/release", &[("id", &number)]).await.error(), "E_NOT_FOUND");
        assert_eq!(post(&server, &ann, "operator/release", &[("id", &number)]).await.ok()["waits_for"], Json::Null);
        assert_eq!(post(&server, &ann, "operator/release", &[("id", &number)]).await.error(), "E_STATE");
        // Also with a key: an answer that opens the console is given once.
        let with_key = async |otp: &str| {
            let keyed = As { key: "console", ..As::default() };
            server.post_as(keyed, "/operator/api/login", &[("name", "CID"), ("password", good), ("otp", otp)]).await
        };
        let answer = with_key(&code(1)).await;
        answer.ok();
        let again = with_key(&code(1)).await;
        assert_eq!((again.error().as_str(), again.header("x-idempotent-replay")), ("E_CREDENTIALS", ""));
        let session = answer.ok().as_str().unwrap().to_owned();
        assert_eq!(answer.data()["operator"]["roles"], json!(["treasury", "market"]));
        get(&server, &session, "treasury").await.ok();

        // 15 minutes without a call end it; so does a wait that outlasts a restart.
        server.post("/sandbox/clock", &[("advance_ms", "900001"), ("sessions", "1")]).await.ok();
        assert_eq!(get(&server, &session, "me").await.error(), "E_AUTH");
        // With the one before.
        for _ in 0..5 {
            assert_eq!(login("wrong", "000000").await.error(), "E_CREDENTIALS");
        }
        server.lengthen_waits().await;
        server.restart().await;
        let waits = server.post("/operator/api/login", &[("name", "cid"), ("password", good), ("otp", "000000")]).await;
        assert_eq!((waits.status, waits.error().as_str()), (429, "E_LOGIN_WAIT"));
    });
}

/// An operator with a password and an authenticator.
pub struct OperatorLogin {
    name: String,
    secret: Vec<u8>,
}

pub const PASSPHRASE: &str = "seven wet llamas juggle";

impl OperatorLogin {
    /// Sets up behind the link of the machine.
    pub async fn open(server: &Server, name: &str, roles: &str) -> OperatorLogin {
        let data = server.folder().to_str().unwrap().to_owned();
        let mut words = vec!["meridian", "operator", "add", "--name", name, "--roles", roles, "--member", "none", "--data", &data];
        let database = server.database();
        words.extend(database.iter().flat_map(|url| ["--database", url]));
        let Command::Operator(OperatorCommand::Add(asked)) = Cli::try_parse_from(words).unwrap().command else { panic!("not add") };
        let args = asked.check(|args| args.place.database.as_deref()).unwrap();
        let link = tokio::task::spawn_blocking(move || invite::add(&args)).await.unwrap().unwrap();
        let setup = server.post("/operator/api/setup", &[("link", &link)]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let desk = OperatorLogin { name: name.to_owned(), secret };
        let code = desk.code(server, 0);
        server.post("/operator/api/setup", &[("link", &link), ("password", PASSPHRASE), ("otp", &code)]).await.ok();
        // The set-up was long ago, so its code is no longer valid.
        server.running.app.db.exec(sql!("update operators set last_step = 0 where name = $1", name)).await.unwrap();
        desk
    }

    /// The code of a step around now.
    pub fn code(&self, server: &Server, offset: i64) -> String {
        let step = totp::step(server.running.app.clock.authenticator_ms());
        totp::code(&self.secret, step.checked_add_signed(offset).unwrap())
    }

    pub async fn log_in(&self, server: &Server, otp: &str) -> String {
        let form = [("name", self.name.as_str()), ("password", PASSPHRASE), ("otp", otp)];
        server.post("/operator/api/login", &form).await.ok().as_str().unwrap().to_owned()
    }
}

#[test]
fn an_approval_asks_for_a_fresh_code_that_works_once() {
    both_with(&["--step-up-grace", "0"], |server| async move {
        let (ann, bob) =
            (OperatorLogin::open(&server, "ann", "market").await, OperatorLogin::open(&server, "bob", "market,treasury").await);
        let proposer = ann.log_in(&server, &ann.code(&server, 0)).await;
        let logged_in_by = bob.code(&server, 0);
        let confirmer = bob.log_in(&server, &logged_in_by).await;
        let at = (server.running.app.now_ms() + 10 * 86_400_000).to_string();
        let retire = [("match_id", "1"), ("at_ms", at.as_str()), ("reason", "no longer traded")];
        let proposed = post(&server, &proposer, "market/retire", &retire).await.ok();
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        let confirm = async |who: &str, key: &str, otp: &str| {
            let mut form = vec![("id", id.as_str()), ("hash", hash.as_str())];
            form.extend((!otp.is_empty()).then_some(("otp", otp)));
            server.post_as(As { token: who, key, ..As::default() }, "/operator/api/proposal/confirm", &form).await
        };
        assert_eq!(confirm(&confirmer, "", "").await.error(), "E_2FA_REQUIRED");
        assert_eq!(confirm(&confirmer, "", "000000").await.error(), "E_2FA_WRONG");
        assert_eq!(confirm(&confirmer, "", &logged_in_by).await.error(), "E_2FA_WRONG", "the code of the log-in is used up");
        let fresh = bob.code(&server, 1);
        let done = confirm(&confirmer, "one", &fresh).await;
        assert_eq!(done.ok()["confirmer_id"], json!(2), "{}", done.text);
        assert_eq!(confirm(&confirmer, "one", &fresh).await.text, done.text, "a repetition is no second use");
        // Money as well: before the code, the approved object is not even checked.
        let approve = [("kind", "withdrawal"), ("id", "7"), ("decision", "approve"), ("version", "1"), ("hash", &"0".repeat(64))];
        assert_eq!(post(&server, &confirmer, "decide", &approve).await.error(), "E_2FA_REQUIRED");
        let mut reject = approve.to_vec();
        (reject[2].1, reject[1].1) = ("reject", "7");
        reject.push(("reason", "unknown case"));
        assert_eq!(post(&server, &confirmer, "decide", &reject).await.error(), "E_NOT_FOUND", "who refuses moves nothing");
    });
}

#[test]
fn one_code_is_good_for_approvals_for_some_minutes() {
    both(|server| async move {
        let bob = OperatorLogin::open(&server, "bob", "treasury").await;
        let who = bob.log_in(&server, &bob.code(&server, 0)).await;
        let approve = async |otp: &str| {
            let hash = "0".repeat(64);
            let mut form = vec![("kind", "withdrawal"), ("id", "7"), ("decision", "approve"), ("version", "1"), ("hash", hash.as_str())];
            form.extend((!otp.is_empty()).then_some(("otp", otp)));
            post(&server, &who, "decide", &form).await.error()
        };
        assert_eq!(approve("").await, "E_NOT_FOUND", "the log-in had one");
        for _ in 0..2 {
            // The session stays in use, and the code grows old.
            server.post("/sandbox/clock", &[("advance_ms", "480000"), ("sessions", "1")]).await.ok();
            get(&server, &who, "me").await.ok();
        }
        assert_eq!(approve("").await, "E_2FA_REQUIRED");
        assert_eq!(approve(&bob.code(&server, 1)).await, "E_NOT_FOUND");
        assert_eq!(approve("").await, "E_NOT_FOUND");
    });
}

#[test]
fn a_payment_that_two_operators_entered_is_credited_once_and_its_owner_reads_of_it() {
    both(|server| async move {
        let member = server.member("ann@example.com").await;
        server.post_as(token(&member), "/api/wallet/get_in_address", &[("currency", "3"), ("nettype", "TRC20")]).await.ok();
        let done = server.running.app.db.query(sql!("select address from deposit_addresses where chain = 'TRC20'")).await.unwrap();
        let address = done.rows[0].text(0).unwrap();
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let entry = |amount: &'static str| {
            [
                ("chain", "TRC20".to_owned()),
                ("tx", "ab".repeat(32)),
                ("output", "0".to_owned()),
                ("address", address.clone()),
                ("currency_id", "3".to_owned()),
                ("amount", amount.to_owned()),
                ("confirmations", "40".to_owned()),
            ]
        };
        let enter = async |who: &str, amount: &'static str| {
            let entry = entry(amount);
            let fields: Vec<(&str, &str)> = entry.iter().map(|(name, value)| (*name, value.as_str())).collect();
            post(&server, who, "observation", &fields).await
        };
        assert_eq!(enter(&one, "2000").await.ok()["state"], "entered");
        assert_eq!(enter(&one, "2000").await.error(), "E_SAME_OPERATOR");
        for (tx, answer) in
            [(format!(" 0X{} ", "AB".repeat(32)), "E_SAME_OPERATOR"), ("ab ab".repeat(13), "E_FIELD"), ("ab".to_owned(), "E_FIELD")]
        {
            let mut entry = entry("2000");
            entry[1].1 = tx;
            let fields: Vec<(&str, &str)> = entry.iter().map(|(name, value)| (*name, value.as_str())).collect();
            assert_eq!(post(&server, &one, "observation", &fields).await.error(), answer, "{}", entry[1].1);
        }
        let matched = enter(&two, "2000").await.ok();
        assert_eq!((&matched["state"], &matched["entries"].as_array().unwrap().len()), (&json!("matched"), &2));

        let queue = get(&server, &one, "queue?kind=deposit").await.ok();
        let row = queue["data"][0].clone();
        assert_eq!((&row["needs"], &row["value_usdt"], &queue["total"]), (&json!(1), &json!("2000.000000"), &json!(1)));
        assert!(row["user_mask"].as_str().unwrap().contains("****"), "{row}");
        let id = row["id"].to_string();
        let look = get(&server, &one, &format!("item?kind=deposit&id={id}&reason=ab")).await;
        assert_eq!(look.error(), "E_REASON");
        let item = get(&server, &one, &format!("item?kind=deposit&id={id}&reason=first%20look")).await.ok();
        assert!(item["checks"].as_array().unwrap().iter().all(|check| check["ok"] == 1), "{item}");
        assert_eq!(item["fields"]["observation"]["address"], address.as_str());

        let decide = async |version: &str, hash: &str| {
            let form = [("kind", "deposit"), ("id", &id), ("decision", "approve"), ("version", version), ("hash", hash)];
            post(&server, &one, "decide", &form).await
        };
        let (version, hash) = (item["row"]["version"].to_string(), item["row"]["hash"].as_str().unwrap().to_owned());
        assert_eq!(decide("77", &hash).await.error(), "E_VERSION");
        assert_eq!(decide(&version, &"0".repeat(64)).await.error(), "E_VERSION");
        let (first, second) = tokio::join!(decide(&version, &hash), decide(&version, &hash));
        let mut errors = [first.error(), second.error()];
        errors.sort();
        assert_eq!(errors, ["", "E_STATE"]);
        let wallet = server.post_as(token(&member), "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        assert_eq!(wallet["balance"], "2000.000000");
        assert_eq!(enter(&two, "2000").await.error(), "E_DUP_TX");

        let log = server.get_as(token(&member), "/api/user/access_log?limit=100").await.ok();
        let lines: Vec<(&str, &str)> = log["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| (line["action"].as_str().unwrap(), line["reason"].as_str().unwrap()))
            .collect();
        assert_eq!(lines.iter().filter(|line| **line == ("view", "first look")).count(), 1);
        assert_eq!(lines.iter().filter(|line| line.0 == "approve").count(), 1, "refused attempts did nothing of his: {lines:?}");
        assert!(!log.to_string().contains("\"one\""), "roles, not names");

        // Reversing it needs two as well.
        let engine_id = { server.running.app.sequencer.engine().observations().next().unwrap().id };
        assert_eq!(engine_id, ObservationId(matched["id"].as_u64().unwrap()));
        let reverse =
            post(&server, &one, "observation/reverse", &[("id", &engine_id.0.to_string()), ("reason", "gone from the chain")]).await;
        let (proposal, hash) = (reverse.ok()["id"].to_string(), reverse.ok()["hash"].as_str().unwrap().to_owned());
        let confirm = [("id", proposal.as_str()), ("hash", hash.as_str())];
        assert_eq!(post(&server, &one, "proposal/confirm", &confirm).await.error(), "E_SAME_OPERATOR");
        assert_eq!(post(&server, &two, "proposal/confirm", &confirm).await.ok()["state"], "done");
        let wallet = server.post_as(token(&member), "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        assert_eq!(wallet["balance"], "0.000000");
        let newest = server.running.app.sequencer.engine().seq().0.to_string();
        let fresh = [("authorization", member.as_str()), ("x-min-seq", &newest)];
        let told = server.request("GET", "/api/notice/list?kind=deposit", &fresh, "").await.ok()["data"][0].clone();
        assert_eq!(told["title"], "Deposit reversed");
        let text = "The network dropped your credited deposit of 2,000 USDT. 2,000 USDT was taken back from your spot account.";
        assert_eq!(told["content"], text);
    });
}

#[test]
fn capital_and_catalog_move_only_when_two_agree() {
    both(|server| async move {
        let (one, two) = (operator(&server, "one", &["treasury", "market"]).await, operator(&server, "two", &["treasury", "market"]).await);
        let free = async || {
            let pools = get(&server, &one, "treasury").await.ok();
            let pool = pools.as_array().unwrap().iter().find(|pool| pool["account"] == "insurance" && pool["currency_id"] == 3).unwrap();
            pool["balance"].as_str().unwrap().to_owned()
        };
        let before = free().await;
        let form = [("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", "12.5"), ("reason", "more cover")];
        assert_eq!(post(&server, &one, "treasury/move", &[("to", "insurance"), ("reason", "more cover")]).await.error(), "E_ACCOUNT");
        let proposed = post(&server, &one, "treasury/move", &form).await.ok();
        assert_eq!(free().await, before);
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        let key = As { token: &two, key: "confirm-1", lang: "" };
        let confirm = async || server.post_as(key, "/operator/api/proposal/confirm", &[("id", &id), ("hash", &hash)]).await;
        assert_eq!(confirm().await.ok()["state"], "done");
        let again = confirm().await;
        assert_eq!((again.ok()["state"].clone(), again.header("x-idempotent-replay")), (json!("done"), "1"));
        assert_ne!(free().await, before);

        let rows = get(&server, &one, "catalog?kind=network").await.ok();
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == 33).unwrap().clone();
        let mut values = row["values"].clone();
        values["deposit_min"] = json!("3.000000");
        let propose = async |values: &Json| {
            let text = values.to_string();
            post(&server, &one, "catalog/propose", &[("kind", "network"), ("id", "33"), ("values", &text), ("reason", "dust")]).await
        };
        let mut more = values.clone();
        more["price"] = json!("1");
        assert_eq!(propose(&more).await.json()["data"]["field"], "price");
        assert_eq!(propose(&json!({})).await.error(), "E_CATALOG");
        let mut zero = values.clone();
        zero["deposit_min"] = json!("0.000000");
        assert_eq!(propose(&zero).await.error(), "E_CATALOG");
        let proposed = propose(&values).await.ok();
        assert_eq!((&proposed["before"]["deposit_min"], &proposed["values"]["deposit_min"]), (&json!("1.000000"), &json!("3.000000")));
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        post(&server, &two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok();
        let rows = get(&server, &one, "catalog?kind=network").await.ok();
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == 33).unwrap().clone();
        assert_eq!((&row["version"], &row["values"]["deposit_min"]), (&json!(2), &json!("3.000000")));

        // A text that could be a private key is refused before it is stored anywhere.
        let secret = json!({"chain": "BTC", "receiving_key": format!("xprv{}", "9".repeat(107))}).to_string();
        let refused = post(&server, &one, "catalog/propose", &[("kind", "network"), ("values", &secret), ("reason", "custody")]).await;
        assert_eq!(refused.error(), "E_CATALOG");
        let kept = server.running.app.db.query(sql!("select count(*) from catalog_texts")).await.unwrap();
        assert_eq!(kept.rows[0].int(0), Ok(0));
        let pause = [("product", "deposit_coin"), ("on", "1"), ("reason", "a node is down")];
        post(&server, &one, "catalog/pause", &pause).await.ok();
        post(&server, &one, "catalog/pause", &pause).await.ok();
    });
}

#[test]
fn a_member_is_found_masked_frozen_by_one_and_freed_by_two() {
    both(|server| async move {
        let member = server.member("ann@example.com").await;
        let center = server.get_as(token(&member), "/api/user/center").await.ok();
        let (id, account) = (center["id"].to_string(), center["account_number"].as_str().unwrap().to_owned());
        let (one, two) = (operator(&server, "one", &["verifier", "support"]).await, operator(&server, "two", &["verifier"]).await);
        for q in [&account, &account[..5], "Ann@Example.com"] {
            let found = get(&server, &one, &format!("user/search?q={}", escape(q))).await.ok();
            assert_eq!(found["data"][0]["id"].to_string(), id, "{q}");
            assert!(!found.to_string().contains(&account) && !found.to_string().contains("ann@"), "{found}");
        }
        assert_eq!(get(&server, &one, "user/search?q=abc").await.error(), "E_FIELD");
        assert_eq!(get(&server, &one, "user/search?q=house").await.ok()["total"], 0);
        assert_eq!(get(&server, &one, &format!("user/detail?id={id}")).await.error(), "E_REASON");
        assert_eq!(get(&server, &one, "user/detail?id=1&reason=the+house").await.error(), "E_NOT_FOUND");
        let whole = get(&server, &one, &format!("user/detail?id={id}&reason=called+us")).await.ok();
        assert_eq!(whole["user"]["email"], "ann@example.com");

        let freeze = [("id", id.as_str()), ("scope", "all"), ("reason", "stolen phone")];
        post(&server, &one, "user/freeze", &freeze).await.ok();
        assert_eq!(post(&server, &one, "user/freeze", &freeze).await.error(), "E_STATE");
        let log_in = async || server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let member = log_in().await;
        let center = async || server.get_as(token(&member), "/api/user/center").await.ok();
        let frozen = center().await;
        assert_eq!((&frozen["status"], &frozen["freeze_scope"], &frozen["frozen_until_ms"]), (&json!(1), &json!("all"), &Json::Null));
        let told = server.get_as(token(&member), "/api/notice/list").await.ok();
        assert!(told["data"][0]["content"].as_str().unwrap().contains("stolen phone"), "{told}");
        let proposed = post(&server, &one, "user/unfreeze", &[("id", &id), ("reason", "phone is back")]).await.ok();
        let confirm = [("id", proposed["id"].to_string()), ("hash", proposed["hash"].as_str().unwrap().to_owned())];
        let confirm: Vec<(&str, &str)> = confirm.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(post(&server, &one, "proposal/confirm", &confirm).await.error(), "E_SAME_OPERATOR");
        post(&server, &two, "proposal/confirm", &confirm).await.ok();
        assert_eq!((&center().await["status"], &center().await["freeze_scope"]), (&json!(0), &json!("none")));
        let narrow = [("id", id.as_str()), ("scope", "withdraw"), ("reason", "stolen phone")];
        post(&server, &one, "user/freeze", &narrow).await.ok();
        assert_eq!(server.get_as(token(&member), "/api/user/center").await.error(), "E_AUTH");
        let member = log_in().await;
        let center = async || server.get_as(token(&member), "/api/user/center").await.ok();
        assert_eq!((&center().await["status"], &center().await["freeze_scope"]), (&json!(1), &json!("withdraw")));

        // An operator whose name is a member's mail address is that member.
        let own = operator(&server, "ann@example.com", &["verifier"]).await;
        assert_eq!(post(&server, &own, "user/freeze", &freeze).await.error(), "E_NOT_FOUND");
    });
}

#[test]
fn support_answers_and_what_it_writes_cannot_act() {
    both(|server| async move {
        let member = server.member("ann@example.com").await;
        let id = user_id(&server, &member).await.to_string();
        let support = operator(&server, "sue", &["support"]).await;
        let ticket = server.post_as(token(&member), "/api/feedback/add", &[("title", "Lost"), ("content", "Where is it?")]).await.ok();
        let picture = server.picture(&member, "ticket").await;
        let imgs = json!([picture]).to_string();
        server.post_as(token(&member), "/api/chat/send", &[("content", "Hello?"), ("imgs", &imgs)]).await.ok();
        let number = ticket["id"].to_string();
        for (kind, id) in [("ticket", &number), ("chat", &id)] {
            let queue = get(&server, &support, &format!("queue?kind={kind}")).await.ok();
            assert_eq!((queue["data"][0]["id"].to_string(), &queue["total"]), (id.clone(), &json!(1)), "{kind}");
        }
        let chat = get(&server, &support, &format!("item?kind=chat&id={id}&reason=to+answer")).await.ok();
        let (key, view) = (chat["files"][0]["key"].as_str().unwrap(), chat["view_id"].to_string());
        let (shown, bytes) = server.bytes(token(&support), &format!("/operator/api/file?key={key}&view_id={view}")).await;
        assert_eq!((shown.status, &bytes[..2]), (200, &[0xff, 0xd8][..]));
        let other = operator(&server, "sam", &["support"]).await;
        assert_eq!(get(&server, &other, &format!("file?key={key}&view_id={view}")).await.error(), "E_NOT_FOUND");
        assert_eq!(get(&server, &support, &format!("file?key={key}&view_id=1")).await.error(), "E_NOT_FOUND");
        assert_eq!(get(&server, &support, &format!("file?key=%00&view_id={view}")).await.error(), "E_NOT_FOUND");
        assert_eq!(get(&server, &support, "queue?kind=withdrawal").await.error(), "E_ROLE");
        // An operator who may not see the list of operators sees their names, and nothing else.
        assert_eq!(get(&server, &support, "operators").await.error(), "E_ROLE");
        let colleagues = get(&server, &support, "me").await.data()["colleagues"].clone();
        assert_eq!(colleagues, json!([{"id": 1, "name": "sue"}, {"id": 2, "name": "sam"}]));

        post(&server, &support, "ticket/reply", &[("id", &number), ("content", "Found it."), ("close", "1")]).await.ok();
        assert_eq!(post(&server, &support, "ticket/reply", &[("id", &number), ("content", "x")]).await.error(), "E_STATE");
        post(&server, &support, "chat/reply", &[("user_id", &id), ("content", "Yes?")]).await.ok();
        assert_eq!(post(&server, &support, "chat/reply", &[("user_id", "99999"), ("content", "x")]).await.error(), "E_NOT_FOUND");
        let log = server.get_as(token(&member), "/api/user/access_log?limit=100").await.ok();
        let told = |kind: &str, action: &str| {
            let mut lines = log["data"].as_array().unwrap().iter().filter(|line| line["kind"] == kind && line["action"] == action);
            lines.next().map(|line| line["reason"].clone())
        };
        // A picture is viewed for the reason of the chat's view; an answer has the number of its ticket.
        assert_eq!(told("file", "view"), Some(json!("to answer")));
        assert_eq!(told("ticket", "reply"), Some(json!(format!("#{number}"))));
        assert_eq!(get(&server, &support, "queue?kind=chat").await.ok()["total"], 0);
        assert_eq!(get(&server, &support, "queue?kind=chat&status=done").await.ok()["total"], 1);
        let newest = server.get_as(token(&member), "/api/chat/history").await.ok();
        assert_eq!((&newest[0]["from"], &newest[0]["content"]), (&json!("support"), &json!("Yes?")));

        let later = (server.running.app.now_ms() + 3_600_000).to_string();
        let form = [
            ("c_id", "4"),
            ("lang", "en"),
            ("title", "Soon"),
            ("content", "<p onclick=x>Hi<script>x</script></p>"),
            ("publish_ms", &later),
            ("link", "#/help"),
            ("sorts", "7"),
        ];
        let saved = post(&server, &support, "news/save", &form).await.ok();
        assert_eq!(saved["content"], "<p>Hi</p>");
        // An editor sees what saving it again would overwrite.
        let listed = get(&server, &support, "news?c_id=4&limit=100").await.ok();
        let listed = listed["data"].as_array().unwrap().iter().find(|one| one["id"] == saved["id"]).unwrap();
        for one in [&saved, listed] {
            assert_eq!((&one["lang"], &one["link"], &one["sorts"]), (&json!("en"), &json!("#/help"), &json!(7)));
        }
        let article = saved["id"].to_string();
        assert_eq!(server.post("/api/news/detail", &[("id", &article)]).await.error(), "E_NOT_FOUND");
        server.post("/sandbox/clock", &[("advance_ms", "3600001")]).await.ok();
        server.post("/api/news/detail", &[("id", &article)]).await.ok();
        post(&server, &support, "news/delete", &[("id", &article)]).await.ok();
        assert_eq!(post(&server, &support, "news/delete", &[("id", &article)]).await.error(), "E_NOT_FOUND");
    });
}
