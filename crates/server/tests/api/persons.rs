//! The people behind operators: one person never counts twice, and every change of an operator leaves a trace.

use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use serde_json::{Value as Json, json};
use server::config::{OperatorArgs, OperatorPlace, RescueArgs};
use server::operator::invite;
use store::{operators, sql, totp};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::frozen::steal;
use crate::harness::{Answer, Server, both, both_with, sign_up, token};
use crate::operator::operator;

async fn get(server: &Server, who: &str, path: &str) -> Answer {
    server.get_as(token(who), &format!("/operator/api/{path}")).await
}

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

async fn account(server: &Server, member: &str) -> (String, String) {
    let center = server.get_as(token(member), "/api/user/center").await.ok();
    (center["id"].to_string(), center["account_number"].as_str().unwrap().to_owned())
}

async fn confirm(server: &Server, who: &str, proposed: &Json) -> Answer {
    let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
    post(server, who, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await
}

#[test]
fn accounts_named_by_one_members_mail_and_number_are_one_person() {
    both(|server| async move {
        let (ann, cid) = (server.member("ann@example.com").await, server.member("cid@example.com").await);
        let ((own, number), (other, _)) = (account(&server, &ann).await, account(&server, &cid).await);
        let by_mail = operator(&server, "ann@example.com", &["treasury", "verifier"]).await;
        let by_number = operator(&server, &number, &["treasury", "verifier"]).await;
        let bob = operator(&server, "bob", &["treasury", "verifier"]).await;
        let proposed = post(&server, &by_mail, "treasury/move", &CAPITAL).await.ok();
        assert_eq!(confirm(&server, &by_number, &proposed).await.error(), "E_SAME_OPERATOR");
        assert_eq!(confirm(&server, &bob, &proposed).await.ok()["state"], "done");
        // Nor does either decide about the member.
        for who in [&by_mail, &by_number] {
            let freeze = [("id", own.as_str()), ("scope", "all"), ("reason", "stolen phone")];
            assert_eq!(post(&server, who, "user/freeze", &freeze).await.error(), "E_NOT_FOUND");
        }
        post(&server, &by_mail, "user/freeze", &[("id", &other), ("scope", "all"), ("reason", "stolen phone")]).await.ok();
        // A person who later becomes a member under an operator's name is that operator from then on.
        let dan = operator(&server, "dan@example.com", &["treasury"]).await;
        let (id, _) = account(&server, &server.member("dan@example.com").await).await;
        assert_eq!(post(&server, &dan, "user/freeze", &[("id", &id), ("scope", "all"), ("reason", "myself")]).await.error(), "E_NOT_FOUND");
    });
}

#[test]
fn name_and_mail_of_a_new_operator_are_of_the_member_who_is_stated_also_when_it_is_confirmed() {
    both(|server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin"]).await, operator(&server, "bob", &["admin"]).await);
        let (_, mia) = account(&server, &server.member("mia@example.com").await).await;
        server.member("nan@example.com").await;
        let appoint = async |name: &str, member: &str, mail: &str| {
            let form = [
                ("name", name),
                ("roles", r#"["treasury"]"#),
                ("active", "1"),
                ("linked_member", member),
                ("mail", mail),
                ("reason", "new colleague"),
            ];
            post(&server, &ann, "operator/save", &form).await
        };
        // Her number, with another member's mailbox.
        let refused = appoint(&mia, &mia, "nan@example.com").await;
        assert_eq!((refused.error(), &refused.json()["data"]["field"]), ("E_FIELD".to_owned(), &json!("linked_member")));
        // A free mailbox that becomes another member's before the second operator signs.
        let proposed = appoint("mia2", &mia, "late@example.com").await.ok();
        server.member("late@example.com").await;
        let refused = confirm(&server, &bob, &proposed).await;
        assert_eq!((refused.error(), &refused.json()["data"]["state"]), ("E_STATE".to_owned(), &json!("mailbox")));
        assert_ne!(server.newest_message("late@example.com").await["purpose"], "operator", "no link leaves");
        // The same with a name.
        let proposed = appoint("soon@example.com", &mia, "box@example.com").await.ok();
        server.member("soon@example.com").await;
        let refused = confirm(&server, &bob, &proposed).await;
        assert_eq!((refused.error(), &refused.json()["data"]["state"]), ("E_STATE".to_owned(), &json!("name")));
        // With an address that is still free it works.
        let proposed = appoint("mia3", &mia, "free@example.com").await.ok();
        assert_eq!(confirm(&server, &bob, &proposed).await.ok()["state"], "done");
        assert_eq!(server.newest_message("free@example.com").await["purpose"], "operator");
    });
}

#[test]
fn an_operator_who_is_known_as_a_member_becomes_nobody_else() {
    both(|server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin"]).await, operator(&server, "bob", &["admin"]).await);
        let (_, nan) = account(&server, &server.member("nan@example.com").await).await;
        let save = async |more: &[(&str, &str)], member: &str| {
            let form = [("name", "kay"), ("roles", r#"["treasury"]"#), ("linked_member", member), ("reason", "as agreed")];
            post(&server, &ann, "operator/save", &[&form, more].concat()).await
        };
        let enabled = [("active", "1"), ("mail", "kay@example.com")];
        let appointed = save(&enabled, "none").await.ok();
        assert_eq!(confirm(&server, &bob, &appointed).await.ok()["state"], "done");
        let id = appointed["values"]["id"].to_string();
        // The proposal names another member while the mailbox is free; Kay registers with it before the second operator signs.
        let stated = save(&[&enabled[..], &[("id", id.as_str())]].concat(), &nan).await.ok();
        let (_, kay) = account(&server, &server.member("kay@example.com").await).await;
        assert_eq!(confirm(&server, &bob, &stated).await.error(), "E_STATE");
        // Without the address in the form she is still the same person.
        let disabled = [("active", "0"), ("id", id.as_str())];
        for other in [nan.as_str(), "none"] {
            let refused = save(&disabled, other).await;
            assert_eq!((refused.error(), &refused.json()["data"]["field"]), ("E_FIELD".to_owned(), &json!("linked_member")));
        }
        let own = save(&disabled, &kay).await.ok();
        assert_eq!(confirm(&server, &bob, &own).await.ok()["state"], "done");
    });
}

/// A session of an operator whom the machine states to be this member, who sets up and logs in.
async fn stated(server: &Server, name: &str, roles: &str, member: &str) -> String {
    let place = OperatorPlace { data: server.folder().to_owned(), database: server.database() };
    let args = OperatorArgs { place, name: name.to_owned(), roles: roles.to_owned(), member: member.to_owned() };
    let link = tokio::task::spawn_blocking(move || invite::add(&args)).await.unwrap().unwrap();
    let setup = server.post("/operator/api/setup", &[("link", &link)]).await.ok();
    let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
    let step = totp::step(server.running.app.clock.authenticator_ms());
    let (first, second, password) = (totp::code(&secret, step), totp::code(&secret, step + 1), "seven wet llamas juggle");
    server.post("/operator/api/setup", &[("link", &link), ("password", password), ("otp", &first)]).await.ok();
    let login = [("name", name), ("password", password), ("otp", &second)];
    server.post("/operator/api/login", &login).await.ok().as_str().unwrap().to_owned()
}

const CAPITAL: [(&str, &str); 5] =
    [("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", "5"), ("reason", "capital")];

#[test]
fn whoever_became_a_member_under_an_operators_name_signed_as_that_member_before() {
    both(|server| async move {
        let (dan, bob) = (operator(&server, "dan@example.com", &["treasury"]).await, operator(&server, "bob", &["treasury"]).await);
        let eva = server.member("eva@example.com").await;
        server.post_as(token(&eva), "/api/wallet/get_in_address", &[("currency", "3"), ("nettype", "TRC20")]).await.ok();
        let done = server.running.app.db.query(sql!("select address from deposit_addresses where chain = 'TRC20'")).await.unwrap();
        let (address, tx) = (done.rows[0].text(0).unwrap(), "ab".repeat(32));
        let entry = [
            ("chain", "TRC20"),
            ("tx", &tx),
            ("output", "0"),
            ("address", &address),
            ("currency_id", "3"),
            ("amount", "2000"),
            ("confirmations", "40"),
        ];
        // Both first signatures come before the name is registered.
        let proposed = post(&server, &dan, "treasury/move", &CAPITAL).await.ok();
        assert_eq!(post(&server, &dan, "observation", &entry).await.ok()["state"], "entered");
        let (_, number) = account(&server, &server.member("dan@example.com").await).await;
        let own = stated(&server, "dee", "treasury", &number).await;
        for refused in join_all((0..8).map(|_| confirm(&server, &own, &proposed))).await {
            assert_eq!(refused.error(), "E_SAME_OPERATOR");
        }
        assert_eq!(post(&server, &own, "observation", &entry).await.error(), "E_SAME_OPERATOR");
        // The log has it, not only this answer, and so does the audit log.
        let ivy = operator(&server, "ivy", &["auditor", "admin"]).await;
        let all = get(&server, &ivy, "operators").await.ok();
        let known = all.as_array().unwrap().iter().find(|one| one["name"] == "dan@example.com").unwrap().clone();
        assert_eq!(known["linked_member"], number.as_str());
        let rows = get(&server, &ivy, "audit?object=operator&limit=100").await.ok();
        assert_eq!(rows["data"].as_array().unwrap().iter().filter(|row| row["action"] == "link").count(), 1, "{rows}");
        assert_eq!(confirm(&server, &bob, &proposed).await.ok()["state"], "done");
        assert_eq!(post(&server, &bob, "observation", &entry).await.ok()["state"], "matched");
    });
}

#[test]
fn a_member_whose_address_was_an_operators_for_a_moment_is_that_operator() {
    both(|server| async move {
        let (fay, bob) = (operator(&server, "fay", &["treasury"]).await, operator(&server, "bob", &["treasury"]).await);
        // Her one-time link went to this address.
        let app = &server.running.app;
        let number = operators::number_of(&app.db, "fay").await.unwrap().unwrap();
        app.db.exec(operators::set_mail(app, number, "fay@example.com").unwrap()).await.unwrap();
        let gus = server.member("gus@example.com").await;
        let (_, number) = account(&server, &gus).await;
        let own = stated(&server, "gee", "treasury", &number).await;
        let proposed = post(&server, &fay, "treasury/move", &CAPITAL).await.ok();
        // The address is taken and given up while no operator acts.
        for address in ["fay@example.com", "gus@example.com"] {
            steal(&server, &gus, address).await;
        }
        assert_eq!(confirm(&server, &own, &proposed).await.error(), "E_SAME_OPERATOR");
        assert_eq!(confirm(&server, &bob, &proposed).await.ok()["state"], "done");
        // The address is taken from now on: one operator cannot be two members.
        let zoe = server.member("zoe@example.com").await;
        assert_eq!(take(&server, &zoe, "fay@example.com").await.error(), "E_CODE");
        assert_eq!(sign_up_by(&server, "fay@example.com").await.error(), "E_CODE");
        steal(&server, &gus, "fay@example.com").await;
    });
}

#[test]
fn the_name_of_an_operator_who_is_another_member_is_nobodys_address() {
    both(|server| async move {
        let hal = server.member("hal@example.com").await;
        let (_, number) = account(&server, &hal).await;
        stated(&server, "hal@work.example", "treasury", &number).await;
        let ida = server.member("ida@example.com").await;
        assert_eq!(sign_up_by(&server, "hal@work.example").await.error(), "E_CODE");
        assert_eq!(take(&server, &ida, "hal@work.example").await.error(), "E_CODE");
        take(&server, &hal, "hal@work.example").await.ok();
        // The reverse: a statement of the machine against the name of a member has no effect.
        let place = OperatorPlace { data: server.folder().to_owned(), database: server.database() };
        let args = OperatorArgs { place, name: "ida@example.com".to_owned(), roles: "treasury".to_owned(), member: number };
        let link = tokio::task::spawn_blocking(move || invite::add(&args)).await.unwrap().unwrap();
        assert_eq!(server.post("/operator/api/setup", &[("link", &link)]).await.error(), "E_CHALLENGE");
    });
}

#[test]
fn an_address_that_a_member_takes_while_two_agree_on_it_is_one_persons() {
    both(|server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin"]).await, operator(&server, "bob", &["admin"]).await);
        let (_, mia) = account(&server, &server.member("mia@example.com").await).await;
        let nan = server.member("nan@example.com").await;
        for attempt in 0..8 {
            // In turn as the name of the new operator and as the mailbox.
            let (address, other) = (format!("late{attempt}@example.com"), format!("free{attempt}@example.com"));
            let (name, mail) = if attempt % 2 == 0 { (&address, &other) } else { (&other, &address) };
            let form = [("name", name.as_str()), ("roles", r#"["treasury"]"#), ("active", "1"), ("linked_member", &mia), ("mail", mail)];
            let proposed = post(&server, &ann, "operator/save", &[&form[..], &[("reason", "new colleague")]].concat()).await.ok();
            let code = code_for(&server, &nan, &address).await;
            // Later each time, so that the two meet at every step.
            let signed = async {
                tokio::time::sleep(Duration::from_millis(5 * attempt)).await;
                confirm(&server, &bob, &proposed).await
            };
            let (signed, moved) = tokio::join!(signed, take_by(&server, &nan, &address, &code));
            let outcome = (signed.error(), moved.error());
            let one_of_them = [("E_STATE".to_owned(), String::new()), (String::new(), "E_CODE".to_owned())];
            assert!(one_of_them.contains(&outcome), "{attempt}: {outcome:?}");
        }
    });
}

/// A member asks for this address, with a code that came there.
async fn take(server: &Server, who: &str, address: &str) -> Answer {
    let code = code_for(server, who, address).await;
    take_by(server, who, address, &code).await
}

async fn code_for(server: &Server, who: &str, address: &str) -> String {
    server.patient(async || server.post_as(token(who), "/api/sms_mail", &[("user_string", address), ("type", "bind")]).await).await.ok();
    server.newest_message(address).await["code"].as_str().unwrap_or_default().to_owned()
}

async fn take_by(server: &Server, who: &str, address: &str, code: &str) -> Answer {
    server.post_as(token(who), "/api/user/edit_email", &[("email", address), ("code", code), ("password", "secret1")]).await
}

async fn sign_up_by(server: &Server, address: &str) -> Answer {
    let code = server.mail_code(address, "register").await;
    server.post("/api/user/register", &sign_up(address, &code)).await
}

type Form = Vec<(&'static str, String)>;

/// Everything that two agree on about options and contracts: their terms, their pools, the sources of their prices, where they are
/// offered, and the end of their pair. Each is its call with its form.
async fn agreements(server: &Server, who: &str) -> Vec<(&'static str, Form)> {
    let mut all: Vec<(&str, Form)> = Vec::new();
    for (kind, id, field, value) in [
        ("option_duration", 60, "profit_ratio", json!("71")),
        ("option_duration", 0, "fee", json!("0.6")),
        ("contract", 1, "fee", json!("0.06")),
        ("index_source", 1, "sources", json!(["cedar", "hazel", "maple"])),
    ] {
        let rows = get(server, who, &format!("catalog?kind={kind}")).await.ok();
        let mut values = rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["values"].clone();
        values[field] = value;
        all.push(("catalog/propose", vec![("kind", kind.to_owned()), ("id", id.to_string()), ("values", values.to_string())]));
    }
    let offered = json!({"country": "DE", "spot": "on", "deposit_coin": "on", "deposit_bank": "on", "withdraw_coin": "on",
        "withdraw_bank": "on", "option": "off", "contract": "off", "plan": "on", "subscription": "on", "loan": "on", "flash": "on"});
    all.push(("catalog/propose", vec![("kind", "country".to_owned()), ("values", offered.to_string())]));
    for (from, to) in [
        ("external", "option_pool"),
        ("option_pool", "external"),
        ("external", "contract_pool"),
        ("contract_pool", "option_pool"),
        ("insurance", "contract_pool"),
    ] {
        let form = [("from", from), ("to", to), ("currency_id", "3"), ("amount", "5")];
        all.push(("treasury/move", form.map(|(name, value)| (name, value.to_owned())).to_vec()));
    }
    let at = server.running.app.now_ms() + 30 * 86_400_000;
    all.push(("market/retire", vec![("match_id", "1".to_owned()), ("at_ms", at.to_string())]));
    all
}

#[test]
fn one_person_agrees_with_nobody_but_others_on_options_and_contracts() {
    both(|server| async move {
        let (_, number) = account(&server, &server.member("ann@example.com").await).await;
        // One person under three names: the member's mail address, their number, and a name whose member the machine states.
        let roles = ["market", "treasury"];
        let by_mail = operator(&server, "ann@example.com", &roles).await;
        let by_number = operator(&server, &number, &roles).await;
        let by_statement = stated(&server, "cid", "market,treasury", &number).await;
        let bob = operator(&server, "bob", &roles).await;
        let own = [&by_mail, &by_number, &by_statement];
        let mut sources = Json::Null;
        for (at, (call, form)) in agreements(&server, &bob).await.into_iter().enumerate() {
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).chain([("reason", "agreed")]).collect();
            let proposed = post(&server, own[at % own.len()], call, &form).await.ok();
            // Neither the proposer, who has both roles, nor their other accounts.
            for who in own {
                assert_eq!(confirm(&server, who, &proposed).await.error(), "E_SAME_OPERATOR", "{call} {form:?}");
            }
            let agreed = confirm(&server, &bob, &proposed).await.ok();
            assert_eq!(agreed["id"], proposed["id"]);
            if form.contains(&("kind", "index_source")) {
                sources = agreed;
            }
        }
        // Nor can they together stop what they and another agreed on.
        let id = sources["id"].to_string();
        let halt = post(&server, &by_mail, "proposal/stop", &[("id", &id), ("reason", "on second thought")]).await.ok();
        for who in own {
            assert_eq!(confirm(&server, who, &halt).await.error(), "E_SAME_OPERATOR");
        }
        assert_eq!(confirm(&server, &bob, &halt).await.ok()["state"], "done");
    });
}

#[test]
fn an_operator_states_the_member_behind_the_account_and_two_sign_it() {
    both(|server| async move {
        let (ann, bob) = (operator(&server, "ann", &["admin", "verifier"]).await, operator(&server, "bob", &["admin"]).await);
        let member = server.member("cid@example.com").await;
        let (id, number) = account(&server, &member).await;
        let save = async |who: &str, name: &str, linked: &str, mail: &str| {
            let form = [
                ("name", name),
                ("roles", r#"["verifier"]"#),
                ("active", "1"),
                ("linked_member", linked),
                ("mail", mail),
                ("reason", "new colleague"),
            ];
            post(&server, who, "operator/save", &form).await
        };
        let wrong = |answer: &Answer| (answer.error(), answer.json()["data"]["field"].clone(), answer.json()["data"]["rule"].clone());
        let linked = |rule: &str| ("E_FIELD".to_owned(), json!("linked_member"), json!(rule));
        assert_eq!(wrong(&save(&ann, "cid", "", "c@work.example").await), linked("required"));
        assert_eq!(wrong(&save(&ann, "cid", "99999999", "c@work.example").await), linked("enum"));
        // A name or an address that belongs to a member states a link as well.
        assert_eq!(wrong(&save(&ann, "cid@example.com", "none", "c@work.example").await), linked("enum"));
        assert_eq!(wrong(&save(&ann, &number, "none", "c@work.example").await), linked("enum"));
        assert_eq!(wrong(&save(&ann, "cid", "none", "cid@example.com").await), linked("enum"));
        assert_eq!(wrong(&save(&ann, "cid", &number, "").await).1, "mail");
        // One mailbox is one person: no link goes to another operator's address.
        operator(&server, "dee@work.example", &["support"]).await;
        let taken = ("E_FIELD".to_owned(), json!("mail"), json!("enum"));
        assert_eq!(wrong(&save(&ann, "cid", &number, "dee@work.example").await), taken);
        // Of two who propose one at the same moment, one is refused.
        let (one, other) = tokio::join!(save(&ann, "oda", "none", "o@work.example"), save(&bob, "olaf", "none", "o@work.example"));
        let refused: Vec<_> = [&one, &other].into_iter().filter(|answer| answer.error() != "").map(wrong).collect();
        assert_eq!(refused, std::slice::from_ref(&taken));
        let proposed = save(&ann, "cid", &number, "c@work.example").await.ok();
        assert_eq!(proposed["values"]["linked_member"], number.as_str());
        let cid_id = proposed["values"]["id"].to_string();
        assert_eq!(wrong(&save(&ann, "cay", "none", "C@work.example ").await), taken);
        let named = ("E_FIELD".to_owned(), json!("name"), json!("enum"));
        assert_eq!(wrong(&save(&ann, "c@work.example", "none", "d@work.example").await), named);
        let release = [("id", cid_id.as_str())];
        confirm(&server, &bob, &proposed).await.ok();

        // Made in the console, the operator is known to be the member: no review of their own documents, and no second signature.
        let link = server.newest_message("c@work.example").await["code"].as_str().unwrap().to_owned();
        let setup = server.post("/operator/api/setup", &[("link", &link)]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let now = server.running.app.clock.wall_ms();
        let code = |ahead: u64| totp::code(&secret, totp::step(now) + ahead);
        let password = "seven wet llamas juggle";
        // The proposer waits for the set-up.
        let early = post(&server, &ann, "operator/release", &release).await;
        assert_eq!((early.error().as_str(), &early.json()["data"]["state"]), ("E_STATE", &json!("not_set_up")));
        server.post("/operator/api/setup", &[("link", &link), ("password", password), ("otp", &code(0))]).await.ok();
        post(&server, &ann, "operator/release", &release).await.ok();
        assert_eq!(wrong(&save(&ann, "cay", "none", "c@work.example").await), taken);
        assert_eq!(wrong(&save(&ann, "c@work.example", "none", "d@work.example").await), named);
        let login = server.post("/operator/api/login", &[("name", "cid"), ("password", password), ("otp", &code(1))]).await;
        let cid = login.ok().as_str().unwrap().to_owned();
        assert_eq!(login.data()["operator"]["linked_member"], number.as_str());
        let freeze = [("id", id.as_str()), ("scope", "all"), ("reason", "myself")];
        assert_eq!(post(&server, &cid, "user/freeze", &freeze).await.error(), "E_NOT_FOUND");
        post(&server, &ann, "user/freeze", &freeze).await.ok();
        let own = operator(&server, "cid@example.com", &["verifier"]).await;
        let proposed = post(&server, &ann, "user/unfreeze", &[("id", &id), ("reason", "phone is back")]).await.ok();
        assert_eq!(confirm(&server, &own, &proposed).await.error(), "E_SAME_OPERATOR", "about the member behind it");
    });
}

#[test]
fn a_change_on_the_machine_is_in_the_log_and_in_the_audit_log_and_ends_sessions() {
    both(|mut server| async move {
        let eve = operator(&server, "eve", &["auditor", "admin"]).await;
        let old = operator(&server, "ann", &["admin"]).await;
        let member = server.member("ann@example.com").await;
        let (_, number) = account(&server, &member).await;
        let database = server.database();
        let folder = server.folder().to_owned();
        let place = || OperatorPlace { data: folder.clone(), database: database.clone() };
        let add = async |roles: &str, member: &str| {
            let args = OperatorArgs { place: place(), name: "Ann".to_owned(), roles: roles.to_owned(), member: member.to_owned() };
            tokio::task::spawn_blocking(move || invite::add(&args)).await.unwrap()
        };
        assert!(add("treasury", "99999999").await.is_err(), "a member who does not exist");
        get(&server, &old, "me").await.ok();
        let link = add("treasury", &number).await.unwrap();
        assert_eq!(get(&server, &old, "me").await.error(), "E_AUTH", "old sessions end at once");
        // Logged before the link works.
        server.post("/operator/api/setup", &[("link", &link)]).await.ok();
        let known = async || {
            let all = get(&server, &eve, "operators").await.ok();
            let ann = all.as_array().unwrap().iter().find(|one| one["name"] == "ann").unwrap().clone();
            (ann["roles"].clone(), ann["linked_member"].clone())
        };
        assert_eq!(known().await, (json!(["treasury"]), json!(number)));
        let rescue = async |name: &'static str| {
            let args = RescueArgs { place: place(), name: name.to_owned() };
            tokio::task::spawn_blocking(move || invite::rescue(&args)).await.unwrap()
        };
        assert!(rescue("nobody").await.is_err());
        let again = rescue("ann").await.unwrap();
        server.post("/operator/api/setup", &[("link", &again)]).await.ok();
        assert_eq!(server.post("/operator/api/setup", &[("link", &link)]).await.error(), "E_CHALLENGE");
        assert_eq!(known().await, (json!(["treasury"]), json!(number)), "a rescue keeps roles and link");
        let rows = get(&server, &eve, "audit?object=operator&limit=100").await.ok();
        let words: Vec<&str> = rows["data"].as_array().unwrap().iter().rev().map(|row| row["action"].as_str().unwrap()).collect();
        let machine: Vec<&str> = words.into_iter().filter(|word| ["sandbox", "add", "rescue"].contains(word)).collect();
        assert_eq!(machine, ["sandbox", "sandbox", "sandbox", "add", "rescue"]);

        // A link that no log-in needs is logged at the next start.
        rescue("ann").await.unwrap();
        server.restart().await;
        let waiting = server.running.app.db.query(sql!("select count(*) from operator_changes")).await.unwrap();
        assert_eq!(waiting.rows[0].int(0), Ok(0));
    });
}

#[test]
fn roles_that_no_entry_gave_open_nothing_and_are_found_out() {
    both(|mut server| async move {
        let sue = operator(&server, "sue", &["support"]).await;
        let (app, db) = (server.running.app.clone(), server.running.app.db.clone());
        let reached = app.sequencer.engine().seq().0;
        app.wait_for(reached).await.unwrap();
        db.exec(sql!("update operators set roles = 63 where name = 'sue'")).await.unwrap();
        assert_eq!(get(&server, &sue, "operators").await.error(), "E_ROLE", "the log is what counts");
        server.running.stop().await;
        let found = server.verify().await.unwrap_err().0;
        assert_eq!(found, "the row of operator 1 is not what the log has");
        db.exec(sql!("update operators set roles = 1 where name = 'sue'")).await.unwrap();
        server.verify().await.unwrap();
        let text = "insert into operators (name, roles, active, listed, last_step, created_at_ms) values ('mallory', 32, 1, 1, 0, 0)";
        db.exec(sql!(text)).await.unwrap();
        assert_eq!(server.verify().await.unwrap_err().0, "operator 2 is in no entry of the log");
    });
}

#[test]
fn two_hundred_calls_at_once_are_all_written_down() {
    both_with(&["--trusted-proxy", "127.0.0.1"], |server| async move {
        let mut sessions = Vec::new();
        for number in 0..20 {
            sessions.push(operator(&server, &format!("eve-{number}"), &["auditor"]).await);
        }
        let count = async || {
            let done = server.running.app.db.query(sql!("select count(*) from audit where action = 'search'")).await.unwrap();
            done.rows[0].int(0).unwrap()
        };
        let before = count().await;
        // All requests are sent before the first answer is read, each over its own connection.
        let address = server.running.address;
        let mut calls = try_join_all((0..200).map(|_| TcpStream::connect(address))).await.unwrap();
        for (at, call) in calls.iter_mut().enumerate() {
            let head = format!(
                "GET /operator/api/user/search?q=0000 HTTP/1.1\r\nhost: {address}\r\nauthorization: {}\r\nconnection: close\r\n\r\n",
                sessions[at % sessions.len()]
            );
            call.write_all(head.as_bytes()).await.unwrap();
        }
        let answers = join_all(calls.into_iter().map(async |mut call| {
            let mut answer = String::new();
            call.read_to_string(&mut answer).await.map(|_| answer)
        }));
        for answer in answers.await {
            assert!(answer.as_ref().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200 ")), "{answer:?}");
        }
        assert_eq!(count().await - before, 200);
    });
}
