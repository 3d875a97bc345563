//! An option and a contract of a live journal, made ready as its operators do it: papers, countries, terms and capital by two people with
//! an authenticator each, prices of five venues on the loopback. Nothing here is a call of a sandbox.

use std::time::{Duration, Instant};

use feed::testing::FakeVenue;
use serde_json::{Value as Json, json};
use server::config::PublicArgs;
use tempfile::TempDir;

use crate::countries::table;
use crate::harness::{Answer, Server, both_with, token};
use crate::live_prices::{addresses, before, pay, until};
use crate::operator::{OperatorLogin, post};
use crate::operator_money::{APPROVE, decide, first};
use crate::outside::{at, file, red, verify};
use crate::people::Member;
use crate::receipts::covered;

/// Sessions of two operators.
struct Two {
    one: String,
    two: String,
}

impl Two {
    async fn open(server: &Server) -> Two {
        let log_in = async |name: &str| {
            let desk = OperatorLogin::open(server, name, "market,treasury,verifier").await;
            desk.log_in(server, &desk.code(server, 0)).await
        };
        Two { one: log_in("one").await, two: log_in("two").await }
    }

    /// One operator's proposal acts once another has confirmed it.
    async fn agree(&self, server: &Server, call: &str, form: &[(&str, &str)]) {
        let proposed = post(server, &self.one, call, &[form, &[("reason", "agreed")]].concat()).await.ok();
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
        let confirm = [("id", id.as_str()), ("hash", hash)];
        assert_eq!(post(server, &self.one, "proposal/confirm", &confirm).await.error(), "E_SAME_OPERATOR", "{call}");
        assert_eq!(post(server, &self.two, "proposal/confirm", &confirm).await.ok()["state"], "done", "{call}");
    }

    async fn agree_values(&self, server: &Server, kind: &str, id: &str, values: &Json) {
        self.agree(server, "catalog/propose", &[("kind", kind), ("id", id), ("values", &values.to_string())]).await;
    }

    async fn fund(&self, server: &Server, pool: &str) {
        let form = [("from", "external"), ("to", pool), ("currency_id", "3"), ("amount", "10000")];
        self.agree(server, "treasury/move", &form).await;
    }

    /// The values in force of an object of the catalog.
    async fn values(&self, server: &Server, kind: &str, id: u64) -> Json {
        let rows = server.get_as(token(&self.one), &format!("/operator/api/catalog?kind={kind}")).await.ok();
        rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["values"].clone()
    }
}

async fn ask(server: &Server, who: &Member, call: &str, form: &[(&str, &str)]) -> Answer {
    server.patient(async || who.post(server, &format!("/api/{call}"), form).await).await
}

const UP: [(&str, &str); 5] = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "5"), ("number", "100")];
const LONG: [(&str, &str); 5] = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];

/// All five move: the index follows.
async fn all_move(server: &Server, venues: &[FakeVenue], price: &'static str) {
    venues.iter().for_each(|venue| venue.set("BTC", "USDT", price));
    until(server, "BTC/USDT", |index| index["price"] == price).await;
}

/// The option, once it has ended.
async fn ended(server: &Server, who: &Member) -> Json {
    let began = Instant::now();
    loop {
        let list = who.get(server, "/api/microtrade/lists?status=3").await;
        if list["total"] == 1 {
            return list["data"][0].clone();
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{list}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[test]
fn a_live_genesis_before_five_venues_sells_an_option_and_opens_and_closes_a_contract() {
    both_with(&["--genesis", "live"], |mut server| async move {
        let venues = FakeVenue::all(Duration::from_millis(100)).await;
        before(&mut server, &venues).await;
        let desks = Two::open(&server).await;
        let ann = Member::quick(&server, "").await;
        pay(&server, &ann.token, 1, 3, 990_000_000).await;

        // Her country is unknown. Her documents state it, and what two operators agreed on for it applies as a whole.
        assert_eq!(ask(&server, &ann, "microtrade/submit", &UP).await.error(), "E_COUNTRY");
        let papers =
            [("country", "jp"), ("name", "Ann Lee"), ("card_id", "AB123456"), ("address", "1 Road"), ("residence_address", "2 Road")];
        ask(&server, &ann, "user/real_name", &papers).await.ok();
        decide(&server, &desks.one, &first(&server, &desks.one, "identity").await, APPROVE).await.ok();
        desks.agree_values(&server, "country", "", &table("JP", &[("loan", "off")])).await;
        assert_eq!(ask(&server, &ann, "user/bossorder", &[]).await.error(), "E_COUNTRY");
        for account in ["micro", "lever"] {
            let form = [("currency_id", "3"), ("number", "300"), ("from_field", "change"), ("to_field", account)];
            ask(&server, &ann, "wallet/change", &form).await.ok();
        }

        // Other terms: a new option duration and a smaller fee.
        assert_eq!(ask(&server, &ann, "microtrade/submit", &UP).await.error(), "E_DURATION");
        let mut length = desks.values(&server, "option_duration", 60).await;
        (length["seconds"], length["profit_ratio"]) = (json!(5), json!("75"));
        desks.agree_values(&server, "option_duration", "", &length).await;
        let mut contract = desks.values(&server, "contract", 1).await;
        contract["fee"] = json!("0.04");
        desks.agree_values(&server, "contract", "1", &contract).await;

        // The pools of a live journal begin empty, and promise nothing.
        for (call, form) in [("microtrade/submit", &UP), ("lever/submit", &LONG)] {
            assert_eq!(ask(&server, &ann, call, form).await.error(), "E_POOL_SHORT", "{call}");
        }
        desks.fund(&server, "option_pool").await;
        desks.fund(&server, "contract_pool").await;

        let bought = ask(&server, &ann, "microtrade/submit", &UP).await.ok();
        assert_eq!((&bought["open_price"], &bought["profit"]), (&json!("97432.15"), &json!("75.000000")), "{bought}");
        let opened = ask(&server, &ann, "lever/submit", &LONG).await.data()["position"].clone();
        // 0.01 BTC at the price of the venues and 0.01 % more, up to the next cent: 97,441.90.
        let figures = ["origin_price", "price", "trade_fee"].map(|field| opened[field].as_str().unwrap());
        assert_eq!(figures, ["97432.15", "97441.90", "0.389768"], "{opened}");
        all_move(&server, &venues, "97500.00").await;
        let option = ended(&server, &ann).await;
        let figures = ["result", "end_price", "payout"].map(|field| option[field].as_str().unwrap());
        assert_eq!(figures, ["won", "97500.00", "175.000000"], "{option}");
        // The pool had nothing at 00:00, so the first winner takes a fifth of that (O-11).
        assert_eq!(ask(&server, &ann, "microtrade/submit", &UP).await.error(), "E_POOL_LOSS_LIMIT");
        all_move(&server, &venues, "98000.00").await;
        // So it is with contracts (C-13). Closing continues.
        assert_eq!(ask(&server, &ann, "lever/submit", &LONG).await.error(), "E_POOL_LOSS_LIMIT");
        let position = opened["id"].to_string();
        let closed = ask(&server, &ann, "lever/close", &[("id", &position)]).await.data()["position"].clone();
        // Down to the cent: 97,990.20.
        let figures = ["reason", "update_price", "fact_profits"].map(|field| closed[field].as_str().unwrap());
        assert_eq!(figures, ["USER", "97990.20", "5.483000"], "{closed}");

        // A head is signed after the start; an outside verifier recomputes everything, including the receipts of both.
        server.restart_with(&["--venue-address", &addresses(&venues)]).await.unwrap();
        let folder = TempDir::new().unwrap();
        // The contract's terms differ from those of a new venue: the log has the change that two operators signed.
        for (of, id, unshown) in [("microtrade", &bought["id"], &[][..]), ("lever", &opened["id"], &["terms"][..])] {
            let receipt = covered(&server, &ann, of, &id.to_string()).await;
            let names: Vec<&Json> = receipt["open_sample"]["sources"].as_array().unwrap().iter().map(|source| &source["name"]).collect();
            assert!(
                names.len() >= 3 && venues.iter().filter(|venue| names.contains(&&json!(venue.name))).count() == names.len(),
                "{names:?}"
            );
            let saved = file(&folder, of, &receipt);
            let report = verify(PublicArgs { receipt: Some(saved), ..at(&server.url("/")) }).await.unwrap();
            assert_eq!(report.unshown, unshown, "{of}: {report:?}");
        }
        assert_eq!(red(verify(at(&server.url("/"))).await), "");
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}
