//! Access to every route except the console's: a guest, a new member, a verified one, the same member frozen, an operator.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use serde_json::Value as Json;
use server::app::ROUTES;
use server::http::routes::{Entry, Verb};

use crate::harness::{As, Server, both, token};
use crate::operator::operator;
use crate::owners::FORBIDDEN;
use crate::people::{FUND, Member, TRON};

/// Parameters with which a member in good standing gets through, `{address}` being their own. Without a row here a route is called bare.
pub const FORMS: &[(&str, &[(&str, &str)])] = &[
    ("/api/alert/add", &[("match_id", "1"), ("direction", "above"), ("price", "250000")]),
    ("/api/chat/send", &[("content", "Hello?")]),
    ("/api/coin/trade", &[("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.0001"), ("target_price", "95000")]),
    ("/api/favor/add", &[("match_id", "1")]),
    ("/api/feedback/add", &[("title", "Lost"), ("content", "Where is it?")]),
    ("/api/lh/deposit", &[("config_id", "2"), ("amount", "100"), ("agree", "1")]),
    ("/api/lever/submit", &[("share", "1"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")]),
    ("/api/lh/send/order", &[("config_id", "1"), ("amount", "10")]),
    ("/api/microtrade/submit", &[("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "5")]),
    ("/api/set/lang", &[("lang", "en")]),
    ("/api/user/bossorder", &[("config_id", "1"), ("amount", "100"), ("collateral", "0.002")]),
    ("/api/user/edit_profile", &[("nickname", "Ann")]),
    ("/api/user/limits", &[("leverage_max", "5")]),
    (
        "/api/wallet/addaddress",
        &[("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", FUND), ("code", "000000")],
    ),
    ("/api/wallet/change", &[("currency_id", "3"), ("number", "1"), ("from_field", "change"), ("to_field", "lever")]),
    ("/api/wallet/flashAgainst", &[("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "10")]),
    ("/api/wallet/flash_quote", &[("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "10")]),
    ("/api/wallet/get_in_address", &[("currency", "3")]),
    ("/api/wallet/out", &[("currency", "3"), ("number", "20"), ("address_id", "{address}"), ("pay_password", FUND)]),
    (
        "/api/user/cash_save",
        &[("bank_name", "Bank"), ("bank_account", "123456789"), ("real_name", "Ann Marie Lee"), ("bank_branch", "Main")],
    ),
    ("/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]),
];

/// These end the session that calls them, or another one: last.
const LAST: &[&str] = &["/api/user/freeze", "/api/user/sessions/revoke", "/api/user/logout"];

/// The addresses of this site in an answer: its paths, and its links.
fn addresses(value: &Json, site: &str, found: &mut BTreeSet<String>) {
    match value {
        Json::String(text) => {
            let path = text.strip_prefix(site).unwrap_or(text);
            if path.starts_with('/') {
                found.insert(path.split('#').next().unwrap_or_default().to_owned());
            }
        }
        Json::Array(items) => items.iter().for_each(|item| addresses(item, site, found)),
        Json::Object(fields) => fields.values().for_each(|field| addresses(field, site, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// Fetches the new addresses in an answer, as the caller who got it. Files of the app's build exist only once it was built.
async fn fetch_all(server: &Server, who: As<'_>, told: &Json, fetched: &mut BTreeSet<String>) {
    let (mut found, site) = (BTreeSet::new(), server.url(""));
    addresses(told, &site, &mut found);
    for address in found {
        // Sockets are requested in their own way.
        if address == "/socket.io/" {
            continue;
        }
        let is_built = address == "/h5/" || std::path::Path::new("../../web/public").join(address.trim_start_matches("/h5/")).is_file();
        if fetched.insert(address.clone()) && !is_built {
            let (answer, bytes) = server.bytes(who, &address).await;
            assert!(answer.status == 200 && !bytes.is_empty(), "{address} is {}", answer.status);
        }
    }
}

/// Calls a route, with forbidden field names besides its own, which must not change who gets what.
async fn answer(server: &Server, who: As<'_>, url: &str, entry: &Entry, address: &str, fetched: &mut BTreeSet<String>) -> String {
    let verb = entry.route.verb;
    let mut form: Vec<(&str, &str)> =
        FORMS.iter().find(|(path, _)| *path == url && verb == Verb::Post).map_or_else(Vec::new, |(_, form)| {
            form.iter().map(|(name, value)| (*name, if *value == "{address}" { address } else { *value })).collect()
        });
    let takes = |name: &str| entry.params.iter().any(|param| param.names.contains(&name));
    form.extend(FORBIDDEN.iter().filter(|name| !takes(name)).map(|name| (*name, "1")));
    loop {
        let asked = match verb {
            Verb::Get => server.get_as(who, url).await,
            Verb::Post => server.post_as(who, url, &form).await,
            Verb::Put => server.request("PUT", url, &[("authorization", who.token)], "").await,
        };
        // Some routes answer with text or a file.
        let json: Json = serde_json::from_str(&asked.text).unwrap_or_default();
        match json["data"]["error"].as_str() {
            Some("E_RATE") => tokio::time::sleep(Duration::from_millis(json["data"]["retry_ms"].as_u64().unwrap())).await,
            Some(name) => return name.to_owned(),
            None => {
                // The description names all paths of calls.
                if url != "/api/openapi.json" {
                    fetch_all(server, who, &json, fetched).await;
                }
                return asked.status.to_string();
            }
        }
    }
}

#[test]
fn every_route_answers_everybody_as_the_matrix_says() {
    both(|server| async move {
        let new = Member::new(&server, "new@example.com").await;
        let (verified, frozen) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let addresses = [verified.ready(&server, "X0000001").await, frozen.ready(&server, "X0000002").await];
        for member in [&verified, &frozen] {
            member.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100"), ("account", "micro")]).await.ok();
            member.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100"), ("account", "lever")]).await.ok();
            member.post(&server, "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
            member.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100"), ("account", "trust")]).await.ok();
        }
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        // Days have passed, so liabilities are recorded soon.
        for _ in 0..200 {
            if server.get("/api/proof/liabilities").await.json()["code"] == 1 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let desk = operator(&server, "tom", &["treasury"]).await;
        let freeze = [("id", &*frozen.id.0.to_string()), ("scope", "all"), ("reason", "matrix test")];
        server.post_as(token(&desk), "/operator/api/user/freeze", &freeze).await.ok();
        // The freeze ended their sessions.
        let again = server.login(&frozen.email, "secret1").await.ok();
        let frozen = Member { token: again.as_str().unwrap().to_owned(), ..frozen };
        let everybody = [
            ("guest", "", "1"),
            ("new", &*new.token, "1"),
            ("verified", &*verified.token, &*addresses[0]),
            ("frozen", &*frozen.token, &*addresses[1]),
            ("operator", &*desk, "1"),
        ];
        let all = ROUTES.iter().flat_map(|(url, entries)| entries.iter().map(move |entry| (url.as_str(), entry)));
        let mut routes: Vec<(&str, &Entry)> = all.filter(|(url, _)| !url.starts_with("/operator/") && *url != "/sandbox/clock").collect();
        let verb = |entry: &Entry| format!("{:?}", entry.route.verb).to_uppercase();
        routes.sort_by_key(|(url, entry)| (LAST.iter().position(|last| last == url), *url, verb(entry)));
        let rank = async |member: &Member| {
            let center = member.get(&server, "/api/user/center").await;
            ["review_status", "review_status2", "status", "role", "totp", "name", "withdraw_hold_until_ms"]
                .map(|field| center[field].to_string())
        };
        let before = rank(&verified).await;
        let (mut found, mut fetched) = (String::new(), BTreeSet::new());
        for (url, entry) in routes {
            if LAST.first() == Some(&url) {
                assert_eq!(rank(&verified).await, before, "a name that nobody may send has changed something");
            }
            write!(found, "{} {url}", verb(entry)).unwrap();
            for (name, session, address) in everybody {
                write!(found, " {name}={}", answer(&server, token(session), url, entry, address, &mut fetched).await).unwrap();
            }
            found.push('\n');
        }
        for told in ["/h5/coins/btc.svg", "/h5/icon.svg"] {
            assert!(fetched.contains(told), "{told}: {fetched:?}");
        }
        let golden = include_str!("matrix.txt");
        let (was, is): (BTreeSet<&str>, BTreeSet<&str>) = (golden.lines().collect(), found.lines().collect());
        assert!(found == golden, "no longer so: {:#?}\nnow: {:#?}", was.difference(&is), is.difference(&was));
    });
}
