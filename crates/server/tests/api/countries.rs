//! Which products the countries have, and other texts of the catalog that two operators agree on.

use engine::backoffice::acts::{Decision, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::identity::KycLevel;
use engine::listing::change::{CatalogChange, TextKind};
use engine::product::Product;
use engine::time::Time;
use serde_json::{Value as Json, json};
use server::app::ROUTES;
use server::countries::defaults::LINES;
use server::countries::number;
use server::countries::policy::Rule;
use store::catalog_texts;
use store::documents::plain_digest;
use store::sql;

use crate::harness::{Answer, As, Server, both, both_with, token};
use crate::operator::operator;
use crate::people::{Member, decide_identity, operate};

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

/// Two operators of a sandbox agree on these values of the catalog.
pub async fn agree(server: &Server, kind: &str, id: &str, values: &Json) -> Json {
    let (one, two) = (operator(server, "one", &["market"]).await, operator(server, "two", &["market"]).await);
    let text = values.to_string();
    let proposed = post(server, &one, "catalog/propose", &[("kind", kind), ("id", id), ("values", &text), ("reason", "agreed")]).await.ok();
    let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
    assert_eq!(post(server, &one, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.error(), "E_SAME_OPERATOR");
    assert_eq!(post(server, &two, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok()["state"], "done");
    proposed
}

pub fn table(country: &str, changed: &[(&str, &str)]) -> Json {
    let mut values = json!({"country": country, "spot": "on", "deposit_coin": "on", "deposit_bank": "on", "withdraw_coin": "on",
        "withdraw_bank": "on", "option": "on", "contract": "on", "plan": "on", "subscription": "on", "loan": "on", "flash": "on"});
    changed.iter().for_each(|(product, rule)| values[*product] = json!(rule));
    values
}

const BUY: [(&str, &str); 5] = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "90000")];

async fn buy(server: &Server, who: &Member, key: &str) -> Answer {
    server.post_as(As { token: &who.token, key, ..As::default() }, "/api/coin/trade", &BUY).await
}

#[test]
fn what_a_country_forbids_is_refused_before_the_log_and_said_in_the_callers_words() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let address = ann.ready(&server, "AB123456").await;
        let bob = Member::new(&server, "bob@example.com").await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        server.post_as(token(&bob.token), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await.ok();
        buy(&server, &ann, "before").await.data();
        let germany = number("DE").unwrap();
        let off = [("spot", "off"), ("deposit_bank", "off"), ("deposit_coin", "off"), ("withdraw_coin", "off")];
        let proposed = agree(&server, "country", "", &table("DE", &off)).await;
        assert_eq!(
            (&proposed["values"]["spot"], &proposed["values"]["id"], &proposed["before"]),
            (&json!("off"), &json!(germany), &Json::Null)
        );

        let entries = server.running.app.sequencer.engine().open_withdrawals().count();
        let refused = buy(&server, &ann, "").await;
        assert_eq!((refused.error(), &refused.json()["data"]["product"]), ("E_COUNTRY".to_owned(), &json!("spot")));
        let german = server.post_as(As { token: &ann.token, lang: "deyu", ..As::default() }, "/api/coin/trade", &BUY).await;
        assert_eq!(german.json()["message"], "In Ihrem Land nicht verfügbar");
        // A first answer stays the answer; for another country it is a new request.
        let again = buy(&server, &ann, "before").await;
        assert_eq!((again.error(), again.header("x-idempotent-replay")), (String::new(), "1"));
        buy(&server, &bob, "").await.data();
        let proof = server.picture(&ann.token, "deposit").await;
        let claim = [("currency", "3"), ("netType", "TRC20"), ("amount", "25"), ("imgs", &proof)];
        assert_eq!(ann.post(&server, "/api/wallet/charge_req", &claim).await.error(), "E_COUNTRY");
        for coin in ["3", "9999"] {
            assert_eq!(ann.post(&server, "/api/wallet/get_in_address", &[("currency", coin)]).await.error(), "E_COUNTRY", "{coin}");
        }
        assert_eq!(ann.withdraw(&server, &address, "40").await.error(), "E_COUNTRY");
        assert_eq!(server.running.app.sequencer.engine().open_withdrawals().count(), entries);
        let switches = server.get_as(token(&ann.token), "/api/app/config").await.ok();
        let spot = &switches["products"][0];
        assert_eq!(
            (&switches["country"], &spot["on"], &spot["reason"]),
            (&json!("DE"), &json!(0), &json!("Not available in your country"))
        );
        // A sandbox does not use the list that live ships.
        let other = server.get("/api/app/config?country=CN").await.ok();
        assert_eq!((&other["products"][0]["on"], &other["products"][0]["reason"]), (&json!(1), &Json::Null));

        // A product paused for all is shown as paused.
        let desk = operator(&server, "one", &["market"]).await;
        let pause = |on: &'static str| [("product", "spot"), ("on", on), ("reason", "a test")];
        post(&server, &desk, "catalog/pause", &pause("1")).await.ok();
        assert_eq!(buy(&server, &ann, "").await.error(), "E_DISABLED");
        post(&server, &desk, "catalog/pause", &pause("0")).await.ok();

        // The table in force is shown with its version, and open orders can still be cancelled.
        let rows = server.get_as(token(&desk), "/operator/api/catalog?kind=country").await.ok();
        assert_eq!((&rows[0]["id"], &rows[0]["name"], &rows[0]["values"]), (&json!(germany), &json!("DE"), &table("DE", &off)));
        ann.post(&server, "/api/coin/cancel_all", &[]).await.ok();
        let proposed = agree(&server, "country", &germany.to_string(), &table("DE", &[])).await;
        assert_eq!(proposed["before"]["spot"], "off");
        buy(&server, &ann, "").await.data();
    });
}

#[test]
fn a_country_that_has_no_product_opens_none() {
    const BET: [(&str, &str); 5] = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "5")];
    const LONG: [(&str, &str); 5] = [("share", "1"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
    const SOLD: [(&str, &str); 3] = [("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "10")];
    type Fields = &'static [(&'static str, &'static str)];
    const CALLS: [(&str, &str, Fields); 7] = [
        ("option", "microtrade/submit", &BET),
        ("contract", "lever/submit", &LONG),
        ("flash", "wallet/flash_quote", &SOLD),
        ("flash", "wallet/flashAgainst", &SOLD),
        ("plan", "lh/deposit", &[("config_id", "2"), ("amount", "100"), ("agree", "1")]),
        ("subscription", "lh/send/order", &[("config_id", "1"), ("amount", "10")]),
        ("loan", "user/bossorder", &[("config_id", "1"), ("amount", "100"), ("collateral", "0.01")]),
    ];
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        for account in ["change", "micro", "lever", "trust"] {
            ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "500"), ("account", account)]).await.ok();
        }
        ann.post(&server, "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
        let products: Vec<_> = CALLS.iter().map(|(product, ..)| (*product, "off")).collect();
        agree(&server, "country", "", &table("DE", &products)).await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        for (product, path, fields) in CALLS {
            let refused = ann.post(&server, &format!("/api/{path}"), fields).await;
            assert_eq!((refused.error().as_str(), &refused.json()["data"]["product"]), ("E_COUNTRY", &json!(product)), "{path}");
        }
        agree(&server, "country", &number("DE").unwrap().to_string(), &table("DE", &[])).await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        for (_, path, fields) in CALLS {
            assert_eq!(ann.post(&server, &format!("/api/{path}"), fields).await.error(), "", "{path}");
        }
    });
}

#[test]
fn a_country_may_ask_for_the_advanced_level() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        agree(&server, "country", "", &table("DE", &[("deposit_bank", "advanced")])).await;
        let ask = async || ann.post(&server, "/api/wallet/get_in_address", &[("currency", "9999")]).await;
        let refused = ask().await;
        assert_eq!((refused.error(), &refused.json()["type"]), ("E_KYC_ADVANCED".to_owned(), &json!("998")));
        let picture = async || server.picture(&ann.token, "kyc").await;
        let (front, back, hand) = (picture().await, picture().await, picture().await);
        let form = [("front_pic", front.as_str()), ("reverse_pic", &back), ("hand_pic", &hand)];
        ann.post(&server, "/api/user/real_name2", &form).await.ok();
        for one in [1, 2] {
            decide_identity(&server, one, ann.id, KycLevel::Advanced, Decision::Approve).await;
        }
        assert_eq!(ask().await.ok()["bkname"], "SANDBOX BANK");
        // Another country in his documents applies at once.
        agree(&server, "country", "", &table("DE", &[("deposit_bank", "off")])).await;
        assert_eq!(ask().await.error(), "E_COUNTRY");
        let by =
            OperatorAct::Propose { proposed: Proposed::RevokeIdentity { user: ann.id, level: KycLevel::Basic }, reason: plain_digest("x") };
        operate(&server, 1, by).await.unwrap();
        let plan = server.running.app.sequencer.engine().proposals().next_back().map(|plan| (plan.id, plan.hash())).unwrap();
        operate(&server, 2, OperatorAct::Confirm { proposal: plan.0, hash: plan.1 }).await.unwrap();
        assert_eq!(ask().await.ok()["bkname"], "SANDBOX BANK", "he named none when he signed up");
    });
}

#[test]
fn tables_and_accounts_that_are_none_are_not_even_kept() {
    both(|server| async move {
        let desk = operator(&server, "one", &["market"]).await;
        let mut more = table("DE", &[]);
        more["savings"] = json!("on");
        let mut less = table("DE", &[]);
        less.as_object_mut().unwrap().remove("spot");
        let account = |number: &str| json!({"bank_name": "First", "account_number": number, "account_name": "House"});
        for (kind, id, values, field) in [
            ("country", "", more, "savings"),
            ("country", "", less, "spot"),
            ("country", "", table("DE", &[("spot", "maybe")]), "spot"),
            ("country", "", table("XX", &[]), "country"),
            ("country", "1", table("DE", &[]), "country"),
            ("network", "9998", json!({"bank_name": "First", "account_number": "1"}), "account_name"),
            ("network", "9998", account(""), "account_number"),
            ("network", "9998", account("1\u{202e}2"), "account_number"),
            ("network", "", json!({"bank_name": "First", "account_number": "1", "account_name": "x", "iban": "y"}), "iban"),
        ] {
            let text = values.to_string();
            let form = [("kind", kind), ("id", id), ("values", text.as_str()), ("reason", "a test")];
            let refused = post(&server, &desk, "catalog/propose", &form).await;
            assert_eq!((refused.error(), &refused.json()["data"]["field"]), ("E_CATALOG".to_owned(), &json!(field)), "{values}");
        }
        let kept = server.running.app.db.query(sql!("select count(*) from catalog_texts")).await.unwrap();
        assert_eq!(kept.rows[0].int(0), Ok(0));
    });
}

#[test]
fn a_lost_or_changed_table_opens_nothing() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "AB123456").await;
        agree(&server, "country", "", &table("DE", &[])).await;
        let forged = table("DE", &[("spot", "on")]).to_string() + " ";
        server.running.app.db.exec(sql!("update catalog_texts set content = $1", forged)).await.unwrap();
        server.restart().await;
        assert_eq!(ann.post(&server, "/api/wallet/get_in_address", &[("currency", "3")]).await.error(), "E_COUNTRY");
    });
}

#[test]
fn the_bank_account_that_members_pay_to_is_agreed_on_by_two() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let ask = async || ann.post(&server, "/api/wallet/get_in_address", &[("currency", "9999")]).await.ok();
        assert_eq!(ask().await["bkcardnumer"], "SANDBOX-0000-0000");
        let account = json!({"bank_name": "First Bank", "account_number": "DE02 1203 0000", "account_name": "Meridian House"});
        let proposed = agree(&server, "network", "9998", &account).await;
        assert_eq!((&proposed["values"]["account_number"], &proposed["before"]), (&json!("DE02 1203 0000"), &Json::Null));
        assert_eq!(ask().await, json!({"bkname": "First Bank", "bkcardnumer": "DE02 1203 0000", "cardname": "Meridian House"}));
        let desk = operator(&server, "one", &["market"]).await;
        let rows = server.get_as(token(&desk), "/operator/api/catalog?kind=network").await.ok();
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == 9998).unwrap().clone();
        assert_eq!((&row["name"], &row["version"], &row["values"]), (&json!("bank account"), &json!(2), &account));
    });
}

/// Two operators of a live journal agree on a text.
async fn agree_live(server: &Server, kind: TextKind, id: u32, text: &str) {
    server.running.app.db.exec(catalog_texts::keep(text)).await.unwrap();
    let change = CatalogChange::Text { kind, id, digest: plain_digest(text) };
    let proposed = Proposed::ChangeCatalog { change, effective: Time(0) };
    operate(server, 1, OperatorAct::Propose { proposed, reason: plain_digest("agreed") }).await.unwrap();
    let plan = server.running.app.sequencer.engine().proposals().next_back().map(|plan| (plan.id, plan.hash())).unwrap();
    operate(server, 2, OperatorAct::Confirm { proposal: plan.0, hash: plan.1 }).await.unwrap();
}

/// A member of a live journal who named this country, or none.
pub async fn live_member(server: &Server, country: &str) -> String {
    Member::quick(server, country).await.token
}

#[test]
fn in_live_an_unknown_country_has_nothing_and_there_is_no_bank_before_two_agree_on_one() {
    both_with(&["--genesis", "live"], |server| async move {
        let (nowhere, german) = (live_member(&server, "").await, live_member(&server, "DE").await);
        let ask = async |who: &str| server.post_as(token(who), "/api/wallet/get_in_address", &[("currency", "9999")]).await;
        let proof = server.picture(&german, "deposit").await;
        let claim = async |who: &str| {
            let form = [("currency", "9999"), ("amount", "500"), ("imgs", proof.as_str())];
            server.post_as(token(who), "/api/wallet/charge_req", &form).await
        };
        for who in [&nowhere, &german] {
            assert_eq!((ask(who).await.error(), claim(who).await.error()), ("E_DISABLED".to_owned(), "E_DISABLED".to_owned()));
        }
        let bank = |config: Json| config["products"][2]["on"].clone();
        assert_eq!(bank(server.get("/api/app/config?country=DE").await.ok()), 0);
        let account = json!({"bank_name": "First Bank", "account_number": "12 34", "account_name": "Meridian House"}).to_string();
        agree_live(&server, TextKind::BankAccount, 0, &account).await;
        assert_eq!(ask(&german).await.ok()["bkcardnumer"], "12 34");
        claim(&german).await.ok();
        assert_eq!((ask(&nowhere).await.error(), claim(&nowhere).await.error()), ("E_COUNTRY".to_owned(), "E_COUNTRY".to_owned()));
        let trade = server.post_as(token(&nowhere), "/api/coin/trade", &BUY).await;
        assert_eq!(trade.error(), "E_COUNTRY");
        assert_eq!(bank(server.get("/api/app/config?country=DE").await.ok()), 1);
        assert_eq!(bank(server.get("/api/app/config").await.ok()), 0, "a guest is from nowhere");
        // Both are there after a restart, from the log and the stored texts.
        let mut server = server;
        server.restart().await;
        assert_eq!(
            server.post_as(token(&german), "/api/wallet/get_in_address", &[("currency", "9999")]).await.ok()["bkname"],
            "First Bank"
        );
    });
}

#[test]
fn a_refusal_names_the_bound_that_is_in_force_now() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let desk = operator(&server, "one", &["market"]).await;
        let rows = server.get_as(token(&desk), "/operator/api/catalog?kind=market").await.ok();
        let mut values = rows.as_array().unwrap().iter().find(|row| row["id"] == 1).unwrap()["values"].clone();
        values["min_qty"] = json!("0.00500000");
        agree(&server, "market", "1", &values).await;
        let least = buy(&server, &ann, "").await;
        assert_eq!((least.error(), &least.json()["data"]["min"]), ("E_QTY_MIN".to_owned(), &json!("0.00500000")));
        server.restart().await;
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let least = buy(&server, &ann, "").await;
        assert_eq!((least.error(), &least.json()["data"]["min"]), ("E_QTY_MIN".to_owned(), &json!("0.00500000")));
    });
}

/// A product that exists is refused where the list forbids it, in the call itself; where it is no part of the list it is not.
async fn expect_listed(server: &Server, country: &str, off: &str) {
    let who = live_member(server, country).await;
    let who = token(&who);
    let address = "/api/wallet/get_in_address";
    for (product, answer) in [
        ("spot", server.post_as(who, "/api/coin/trade", &BUY).await),
        ("deposit_coin", server.post_as(who, address, &[("currency", "3")]).await),
        ("deposit_bank", server.post_as(who, address, &[("currency", "9999")]).await),
        ("option", server.post_as(who, "/api/microtrade/submit", &[]).await),
        ("contract", server.post_as(who, "/api/lever/submit", &[]).await),
        ("flash", server.post_as(who, "/api/wallet/flash_quote", &[]).await),
        ("plan", server.post_as(who, "/api/lh/deposit", &[]).await),
        ("subscription", server.post_as(who, "/api/lh/send/order", &[]).await),
    ] {
        let name = answer.error();
        assert_eq!(name == "E_COUNTRY", off.split(' ').any(|word| word == product), "{country} {product}: {name}");
    }
    let config = server.get_as(who, "/api/app/config").await.ok();
    for row in config["products"].as_array().unwrap() {
        let product = row["product"].as_str().unwrap();
        assert_eq!(row.get("reason").is_some(), off.split(' ').any(|word| word == product), "{country} {product}: {row}");
    }
}

#[test]
fn in_live_what_the_shipped_list_forbids_is_refused_until_two_agree_on_something_else() {
    both_with(&["--genesis", "live"], |server| async move {
        let bank = json!({"bank_name": "First Bank", "account_number": "12 34", "account_name": "Meridian House"}).to_string();
        agree_live(&server, TextKind::BankAccount, 0, &bank).await;
        let app = &server.running.app;
        for (countries, off) in LINES {
            for country in countries.split(' ') {
                for product in off.split(' ').map(|word| Product::named(word).unwrap()) {
                    assert_eq!(app.policy.rule(country, product).await, Ok(Rule::Off), "{country} {product:?}");
                }
            }
            expect_listed(&server, countries.split(' ').next().unwrap(), off).await;
        }
        expect_listed(&server, "JP", "").await;

        // Two operators opened a forbidden product and closed an allowed one: their table applies as a whole.
        let mut open = table("CN", &[]);
        open.as_object_mut().unwrap().remove("plan");
        agree_live(&server, TextKind::Country, number("CN").unwrap(), &open.to_string()).await;
        agree_live(&server, TextKind::Country, number("JP").unwrap(), &table("JP", &[("spot", "off")]).to_string()).await;
        // A product that their table does not name stays off.
        expect_listed(&server, "CN", "plan").await;
        expect_listed(&server, "JP", "spot").await;
        assert_eq!(app.policy.rule("CN", Product::Plan).await, Ok(Rule::Off));
    });
}

#[test]
fn the_shipped_list_is_the_one_in_the_documents_and_names_what_exists() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/country-defaults.md")).unwrap();
    let rows: Vec<(&str, &str)> = page
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.split(" | ").collect();
            Some((cells[0], cells[1])).filter(|(countries, _)| countries.starts_with(|first: char| first.is_ascii_uppercase()))
        })
        .collect();
    assert_eq!(rows, LINES);
    // The lower part of the page has a source for each line.
    for line in 1..=LINES.len() {
        assert!(page.contains(&format!("| [{line}] ")) && page.contains(&format!("\n{line}. **")), "line {line} has no source");
    }
    let words = server::http::openapi::document(&ROUTES)["components"]["schemas"]["Product"]["enum"].clone();
    let known: Vec<&str> = words.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let mut named: Vec<&str> = Product::ALL.map(Product::name).to_vec();
    named.sort_unstable();
    let mut sorted = known.clone();
    sorted.sort_unstable();
    assert_eq!(named, sorted);
    let mut seen = std::collections::HashSet::new();
    for (countries, off) in LINES {
        assert!(off.split(' ').all(|word| known.contains(&word)), "{off}");
        assert!(countries.split(' ').all(|country| number(country).is_some() && seen.insert(country)), "{countries}");
    }
}
