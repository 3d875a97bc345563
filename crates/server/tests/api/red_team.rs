//! Calls every operator route of the route table with honest and with hostile parameters, by each role, alone and with a second person:
//! none sets a price, an outcome, a term of an open object or a balance.

mod calls;
mod log;
mod stage;

use engine::ledger::LineKind;
use serde_json::Value as Json;
use server::app::ROUTES;
use server::http::routes::{Access, Entry, Verb};
use server::operator::Roles;
use server::verify::receipt;

use crate::harness::{Answer, As, Server, escape, on_threads, token};
use crate::receipts::covered;
use calls::{Form, Honest, attacks, catalog_attacks, honest};
use stage::{Stage, plain};

/// [`stage::PINNED`] in the units of a price.
const PINNED_UNITS: u64 = 100_000 * 100_000_000;

const DAY_MS: u64 = 86_400_000;

/// Makes one call and returns its answer.
async fn call(server: &Server, verb: Verb, url: &str, who: &str, form: &Form) -> Answer {
    let fields: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let who = if who.is_empty() { As::default() } else { token(who) };
    let query = fields.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect::<Vec<_>>().join("&");
    server
        .patient(async || {
            let answer = match verb {
                Verb::Get => server.get_as(who, &format!("{url}?{query}")).await,
                _ => server.post_as(who, url, &fields).await,
            };
            // Pictures are no JSON.
            if answer.text.starts_with('{') { answer } else { Answer { text: "{}".to_owned(), ..answer } }
        })
        .await
}

/// One person calls, and another confirms whatever needs two.
async fn strike(stage: &Stage<'_>, entry: &Entry, url: &str, [one, two]: [&str; 2], form: &Form) -> Json {
    let (server, before) = (stage.server, stage.newest());
    let answer = call(server, entry.route.verb, url, one, form).await;
    assert!(answer.status < 500 && answer.error() != "E_INTERNAL", "{url} {form:?}: {}", answer.text);
    let json = answer.json();
    let (message, data) = (&json["message"], &json["data"]);
    let second = if json["type"] != "ok" {
        None
    } else if message["state"] == "waiting" && message["hash"].is_string() {
        Some(("/operator/api/proposal/confirm", calls::form(&[("id", &plain(&message["id"])), ("hash", &plain(&message["hash"]))])))
    } else if data["done"] == 0 {
        let fresh = ["version", "hash"].map(|name| (name.to_owned(), plain(&data["row"][name])));
        let others = form.iter().filter(|(name, _)| name != "version" && name != "hash").cloned();
        Some((url, others.chain(fresh).collect()))
    } else if url.ends_with("/observation") {
        Some((url, form.clone()))
    } else {
        None
    };
    if let Some((url, form)) = second {
        let agreed = call(server, Verb::Post, url, two, &form).await;
        assert!(agreed.status < 500 && agreed.error() != "E_INTERNAL", "{url} {form:?}: {}", agreed.text);
    }
    let after = stage.newest();
    if after > before {
        stage.spans.borrow_mut().push((before + 1, after));
    }
    json
}

/// Honest calls must succeed, so each call is tried beyond its first checks; the attacks follow.
async fn attack(stage: &Stage<'_>, url: &str, entry: &Entry) -> Vec<Form> {
    let [first, second] = [&*stage.pair[0], &*stage.pair[1]];
    for Honest { by, form } in honest(stage, url).await {
        let by = by.as_deref().unwrap_or(first);
        let partner = if by == second { first } else { second };
        let answer = strike(stage, entry, url, [by, partner], &form).await;
        assert!(answer["type"] == "ok" || answer == Json::Object(serde_json::Map::new()), "{url} {form:?}: {answer}");
    }
    let forms: Vec<Form> = honest(stage, url).await.into_iter().map(|honest| honest.form).collect();
    let attacks = forms.iter().flat_map(|form| attacks(stage, form, entry.params));
    all_of(stage, entry, url, attacks).await;
    forms
}

/// Makes each of these calls, by fresh pairs of people because each person has a call limit.
async fn all_of(stage: &Stage<'_>, entry: &Entry, url: &str, forms: impl IntoIterator<Item = Form>) {
    let mut pair = stage.fresh_pair(&Roles::WORDS).await;
    for (at, form) in forms.into_iter().enumerate() {
        if at % 40 == 39 {
            pair = stage.fresh_pair(&Roles::WORDS).await;
        }
        strike(stage, entry, url, [&pair[0], &pair[1]], &form).await;
    }
}

/// Calls about her objects by people with a single role, by a member and by a guest.
async fn attack_by_role(stage: &Stage<'_>, url: &str, entry: &Entry, forms: &[Form]) {
    let mut roles = Vec::new();
    for role in Roles::WORDS {
        roles.push(stage.fresh_pair(&[role]).await);
    }
    for form in forms.iter().take(2) {
        let hers = attacks(stage, form, entry.params);
        for pair in &roles {
            for attack in hers.iter().rev().take(4).chain(hers.first()) {
                strike(stage, entry, url, [&pair[0], &pair[1]], attack).await;
            }
        }
        for nobody in ["", &stage.ann.token] {
            let answer = call(stage.server, entry.route.verb, url, nobody, form).await;
            assert!(entry.route.access == Access::Guest || answer.error() == "E_AUTH", "{url}: {}", answer.text);
        }
    }
}

#[test]
fn no_call_of_operators_sets_a_price_an_outcome_or_a_balance() {
    // Several thousand calls: one database is enough, because the database is not what is tested.
    on_threads(2, |mut server| async move {
        let mark;
        let (spans, option, contract, ann) = {
            let stage = Stage::open(&server).await;
            mark = stage.newest();
            let before = stage.figures().await;
            let mut routes: Vec<(&str, &Entry)> = ROUTES
                .iter()
                .flat_map(|(url, entries)| entries.iter().map(move |entry| (url.as_str(), entry)))
                .filter(|(url, entry)| url.starts_with("/operator/") || matches!(entry.route.access, Access::Operator(_)))
                .collect();
            routes.sort_by_key(|(url, _)| *url);
            assert!(routes.len() > 40, "{}", routes.len());
            for (url, entry) in &routes {
                let forms = attack(&stage, url, entry).await;
                if !url.ends_with("/logout") && !url.ends_with("/password") {
                    attack_by_role(&stage, url, entry, &forms).await;
                }
            }
            let (_, propose) = routes.iter().find(|(url, _)| *url == "/operator/api/catalog/propose").unwrap();
            all_of(&stage, propose, "/operator/api/catalog/propose", catalog_attacks(&stage).await).await;
            // Nobody moved the clock, so nothing of hers has changed.
            for (now, was) in stage.figures().await.iter().zip(&before) {
                assert_eq!(now, was);
            }
            let ids = ["open option", "contract"].map(|name| stage.object(name).to_owned());
            let [option, contract] = ids;
            (stage.spans.take(), option, contract, stage.ann)
        };
        // What two agreed on for later acts now: what was open ends by its own terms.
        for _ in 0..5 {
            server.post("/sandbox/clock", &[("advance_ms", &DAY_MS.to_string())]).await.ok();
        }
        let (told, end) = log::read(&server).await;
        log::check_entries(&told, &spans);
        log::check_prices(&told, &end);
        let moved = log::check_lines(&told, &end, mark);
        for kind in [
            LineKind::Deposit,
            LineKind::DepositCorrection,
            LineKind::WithdrawalDone,
            LineKind::WithdrawalBack,
            LineKind::LoanPaidOut,
            LineKind::TreasuryMove,
        ] {
            assert!(moved.contains_key(&kind), "no operator has made a line of {kind:?}: {moved:?}");
        }
        assert!(log::check_objects(&told, mark) > 4);
        end.check_invariants().unwrap();
        // Her receipts agree with the samples of the log.
        let session = plain(&server.login(&ann.email, "secret1").await.ok());
        let ann = crate::people::Member { token: session, ..ann };
        for (of, id) in [("microtrade", &option), ("lever", &contract)] {
            let receipt = covered(&server, &ann, of, id).await;
            receipt::check(&receipt, None).unwrap();
        }
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}
