//! Subscriptions of new coins over the wire: committed, allotted, launched, traded and released; refused in their order; at many threads.

use serde_json::{Value as Json, json};

use crate::costs::cost;
use crate::harness::{Answer, Server, both, token};
use crate::operator::{operator, post};
use crate::people::Member;
use crate::socket::Client;

const DAY_MS: u64 = 86_400_000;

async fn advance(server: &Server, ms: u64) {
    server.post("/sandbox/clock", &[("advance_ms", &ms.to_string())]).await.ok();
}

async fn member(server: &Server, mail: &str, usdt: &str) -> Member {
    let member = Member::new(server, mail).await;
    member.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", usdt)]).await.ok();
    member
}

async fn commit(server: &Server, who: &Member, form: &[(&str, &str)]) -> Answer {
    who.post(server, "/api/lh/send/order", form).await
}

pub async fn pay(server: &Server, who: &Member, offering: &str, amount: &str) -> Answer {
    commit(server, who, &[("config_id", offering), ("amount", amount)]).await
}

fn name(answer: &Answer) -> String {
    answer.json()["data"]["error"].as_str().unwrap_or("-").to_owned()
}

/// Two operators who list what is new.
pub struct Operators<'a> {
    server: &'a Server,
    one: String,
    two: String,
}

impl Operators<'_> {
    pub async fn open(server: &Server) -> Operators<'_> {
        let roles = ["market", "treasury"];
        Operators { server, one: operator(server, "one", &roles).await, two: operator(server, "two", &roles).await }
    }

    pub async fn confirm(&self, proposed: &Json) -> Json {
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
        post(self.server, &self.two, "proposal/confirm", &[("id", &id), ("hash", hash)]).await.ok()
    }

    pub async fn launch(&self, id: &str) -> Answer {
        post(self.server, &self.one, "offering/launch", &[("id", id), ("reason", "all is ready")]).await
    }

    async fn propose(&self, values: &Json) -> Answer {
        let text = values.to_string();
        let form = [("kind", "offering"), ("values", text.as_str()), ("reason", "a new coin")];
        post(self.server, &self.one, "catalog/propose", &form).await
    }

    /// An offering that runs from now on for an hour; its number.
    pub async fn offer(&self, changed: &[(&str, Json)]) -> String {
        let values = values(self.server.running.app.now_ms(), changed);
        let proposed = self.propose(&values).await.ok();
        let id = proposed["values"]["id"].to_string();
        assert_eq!(self.confirm(&proposed).await["state"], "done");
        let coin = self.server.get(&format!("/api/lh/send/product_info?id={id}")).await.ok()["new_currency_id"].to_string();
        let supply = values["supply"].as_str().unwrap();
        let form =
            [("from", "external"), ("to", "sub_escrow"), ("currency_id", coin.as_str()), ("amount", supply), ("reason", "from its issuer")];
        let moved = post(self.server, &self.one, "treasury/move", &form).await.ok();
        assert_eq!(
            (&moved["values"]["currency_name"], &moved["values"]["amount"]),
            (&values["code"], &json!(format!("{supply}.00000000")))
        );
        assert_eq!(self.confirm(&moved).await["state"], "done");
        id
    }
}

fn values(now: u64, changed: &[(&str, Json)]) -> Json {
    let mut values = json!({
        "code": "TOK", "scale": 8, "supply": "150", "price": "0.5", "pay": ["USDT", "BTC"],
        "start_ms": now - 1_000, "close_ms": now + 3_600_000, "launch_ms": now + 3_600_000, "release": [{"day": 1, "share": "100"}],
        "min": "10", "user_cap": "10000", "oversub_factor": 10,
        "tick": "0.0001", "step": "0.01", "min_qty": "0.01", "max_qty": "1000000", "min_notional": "1", "max_notional": "1000000",
        "maker_fee": "0.08", "taker_fee": "0.1", "band_buy": ["50", "105"], "band_sell": ["95", "200"],
    });
    for (name, value) in changed {
        values[*name] = value.clone();
    }
    values
}

#[test]
fn a_new_member_commits_to_the_offering_of_a_sandbox_and_sees_it() {
    both(|server| async move {
        let ann = member(&server, "ann@example.com", "1000").await;
        let all = server.get("/api/lh/send/config").await.ok();
        let rows = all.as_array().unwrap();
        let told = rows.iter().map(|row| (row["new_currency_name"].as_str().unwrap(), row["state"].as_str().unwrap())).collect::<Vec<_>>();
        assert_eq!(told, [("NOVA", "open"), ("AURUM", "upcoming")]);
        assert_eq!(server.get("/api/lh/send/get_recommend").await.ok()["id"], rows[0]["id"]);
        let nova = server.get("/api/lh/send/product_info?id=1").await.ok();
        let figures = ["num", "last_num", "committed_value", "buy_num", "user_cap", "change_rate", "interest_rate", "state"];
        let figures = figures.map(|field| nova[field].as_str().unwrap().to_owned());
        assert_eq!(figures, ["200000.00000000", "200000.00000000", "0.000000", "10.000000", "10000.000000", "0.5000", "0", "open"]);
        assert_eq!(
            (&nova["oversub_factor"], &nova["day"], &nova["is_recommend"], &nova["status"]),
            (&json!(10), &json!(7), &json!(1), &json!(1))
        );
        assert_eq!(nova["release"], json!([{"day": 7, "share": "100"}]));
        assert_eq!(nova["pay_currencies"][0], json!({"id": 3, "name": "USDT", "price": "0.5000"}));
        assert_eq!(server.get("/api/lh/send/product_info?id=99").await.error(), "E_NOT_FOUND");
        let coins = server.get("/api/app/config").await.ok()["currencies"].to_string();
        assert!(!coins.contains("NOVA"), "a coin is listed at its launch");

        let order = pay(&server, &ann, "1", "100").await.json()["data"]["order"].clone();
        let shown = ["amount", "value", "new_currency_num", "charge", "refund", "interest"].map(|field| order[field].as_str().unwrap());
        assert_eq!(shown, ["100.000000", "100.000000", "0.00000000", "0.000000", "0.000000", "0.000000"]);
        assert_eq!((&order["status"], &order["exam_status"], &order["complete_at"]), (&json!(1), &json!(3), &Json::Null));
        let nova = server.get("/api/lh/send/product_info?id=1").await.ok();
        assert_eq!((&nova["last_num"], &nova["committed_value"]), (&json!("199800.00000000"), &json!("100.000000")));
        let page = ann.get(&server, "/api/lh/send/order_list?status=1").await;
        assert_eq!((&page["total"], &page["order_list"][0], &page["total_interest"]), (&json!(1), &order, &json!("0.000000")));
        let log = ann.post(&server, "/api/wallet/legal_log", &[("currency", "3"), ("type", "2")]).await.ok();
        assert_eq!(log["list"][0]["type"], 2022);
        let pools = server.get("/api/public/pools").await.ok();
        let escrow = |coin: u64| {
            let found = pools.as_array().unwrap().iter().find(|pool| pool["account"] == "sub_escrow" && pool["currency_id"] == coin);
            found.map(|pool| (pool["balance"].clone(), pool["free"].clone(), pool["open_objects"].clone())).unwrap()
        };
        assert_eq!(escrow(3), (json!("100.000000"), json!("0.000000"), json!(1)));
        assert_eq!(escrow(1001), (json!("200000.00000000"), json!("0.00000000"), json!(0)));
    });
}

/// Each point of the value line: the balances of the accounts, and what is open besides.
async fn line(server: &Server, who: &Member) -> Vec<(String, String)> {
    let points = who.get(server, "/api/wallet/value_history?range=1d").await["points"].clone();
    let texts = |point: &Json| ["total_usdt", "open_usdt"].map(|field| point[field].as_str().unwrap().to_owned());
    points.as_array().unwrap().iter().map(texts).map(|[total, open]| (total, open)).collect()
}

#[test]
fn an_offering_is_listed_funded_allotted_launched_traded_and_released() {
    both(|mut server| async move {
        let (ann, bob) = (member(&server, "ann@example.com", "1000").await, member(&server, "bob@example.com", "1000").await);
        let at = |total: &str, open: &str| (total.to_owned(), open.to_owned());
        let (id, launched) = {
            let desk = Operators::open(&server).await;
            let id = desk.offer(&[]).await;
            pay(&server, &ann, &id, "100").await.json();
            assert_eq!(line(&server, &ann).await.last().unwrap(), &at("900.000000", "100.000000"), "nothing is lost");
            pay(&server, &bob, &id, "50").await.json();
            assert_eq!(name(&desk.launch(&id).await), "E_STATE");
            assert_eq!(name(&desk.launch("99").await), "E_NOT_FOUND");
            (id, ann.get(&server, "/api/lh/send/order_list").await["total"].clone())
        };
        assert_eq!(launched, json!(1));
        advance(&server, 3_600_000).await;
        let row = ann.get(&server, "/api/lh/send/order_list").await["order_list"][0].clone();
        let shown = ["new_currency_num", "cost", "charge", "refund", "released_num"].map(|field| row[field].as_str().unwrap());
        assert_eq!(shown, ["100.00000000", "50.000000", "50.000000", "50.000000", "0.00000000"]);
        assert_eq!((&row["status"], &row["exam_status"]), (&json!(1), &json!(1)));
        assert_eq!(line(&server, &ann).await.last().unwrap(), &at("950.000000", "50.000000"), "what came back is in the account");
        let desk = Operators::open(&server).await;
        let proposed = desk.launch(&id).await.ok();
        assert_eq!((&proposed["kind"], &proposed["values"]["sold"]), (&json!("offering_launch"), &json!("150.00000000")));
        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        assert_eq!(desk.confirm(&proposed).await["state"], "done");
        advance(&server, 1).await;
        let told = client.event("notification").await["data"].clone();
        assert_eq!((&told["kind"], told["title"].as_str()), (&json!("subscription"), Some("TOK is launched")));
        server.restart().await;
        let row = ann.get(&server, "/api/lh/send/order_list?status=2").await["order_list"][0].clone();
        assert_eq!((&row["status"], &row["released_num"]), (&json!(2), &json!("0.00000000")));
        assert!(row["next_release_ms"].as_u64().is_some_and(|at| at % DAY_MS == 0));
        assert_eq!(server.get(&format!("/api/lh/send/product_info?id={id}")).await.ok()["state"], "launched");
        let coin = row["new_currency_name"].as_str().unwrap();
        assert!(server.get("/api/app/config").await.ok()["currencies"].to_string().contains(coin), "coin and pair are listed");
        let points = line(&server, &ann).await;
        // 100 at the issue price: the paid-for value is still there.
        assert_eq!(points.last().unwrap(), &at("1000.000000", "0.000000"), "no loss from the launch on");
        let wallet = ann.get(&server, "/api/wallet/list").await;
        let rows = wallet["change_wallet"]["balance"].as_array().unwrap();
        let token = rows.iter().find(|row| row["currency_name"] == coin).unwrap();
        assert_eq!(
            ["usdt_price", "usdt_total", "price_stale"].map(|field| token[field].clone()),
            [json!("0.5000"), json!("50.000000"), json!(0)]
        );
        assert_eq!(wallet["total_usdt"], "1000.000000");
        assert!(points.contains(&at("900.000000", "100.000000")), "the past stays as it was: {points:?}");

        advance(&server, DAY_MS).await;
        let row = ann.get(&server, "/api/lh/send/order_list?status=3").await["order_list"][0].clone();
        assert_eq!((&row["status"], &row["released_num"], &row["next_release_ms"]), (&json!(3), &json!("100.00000000"), &Json::Null));
        assert!(row["complete_at_ms"].as_u64().is_some_and(|at| at % DAY_MS == 0));
        assert_eq!(server.get(&format!("/api/lh/send/product_info?id={id}")).await.ok()["state"], "ended");
        // Bought at 0.5, sold at 0.51: the reference is the last trade.
        let pair = server.running.app.sequencer.engine().catalog().markets.last().unwrap().clone();
        let base = pair.base.0.to_string();
        let order = |side: &'static str| {
            [
                ("legal_id", "3".to_owned()),
                ("currency_id", base.clone()),
                ("type", side.to_owned()),
                ("amount", "20".to_owned()),
                ("target_price", "0.51".to_owned()),
            ]
        };
        for (who, side) in [(&ann, "2"), (&bob, "1")] {
            let form = order(side);
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
            who.post(&server, "/api/coin/trade", &form).await.ok();
        }
        advance(&server, 1_800_000).await;
        // 20 sold for 10.19184, and 80 worth a hundredth more each from then on; the past keeps its price.
        let points = line(&server, &ann).await;
        let (before, after) = (at("1000.000000", "0.000000"), at("1000.991840", "0.000000"));
        assert_eq!((points.last(), points.iter().filter(|point| **point == after).count() > 1), (Some(&after), true));
        assert!(points.iter().all(|point| *point == before || *point == after) && points.contains(&before), "{points:?}");
        assert_eq!(ann.get(&server, "/api/wallet/list").await["total_usdt"], "1000.991840");
        let page = ann.get(&server, "/api/lh/send/order_list").await;
        assert_eq!((&page["order_list"][0]["interest"], &page["order_list"][0]["interest_rate"]), (&json!("1.000000"), &json!("2")));
        assert_eq!(page["total_interest"], "1.000000");
        // Bought at the issue price, and sold after a fee.
        let listed = pair.base.0;
        assert_eq!(cost(&server, &ann, listed).await, "80.00000000 0.00000000 40.000000 0.50000000 0.191840");
        assert_eq!(cost(&server, &bob, listed).await, "69.98000000 0.00000000 35.200000 0.50300085 0.000000");
        let kinds = async |currency: &str| {
            let log = ann.post(&server, "/api/wallet/legal_log", &[("currency", currency), ("type", "2"), ("limit", "50")]).await.ok();
            log["list"].as_array().unwrap().iter().map(|line| line["type"].as_u64().unwrap()).collect::<Vec<_>>()
        };
        assert!(kinds("3").await.contains(&2023));
        let of_token = kinds(&base).await;
        assert!(of_token.contains(&2024) && of_token.contains(&2025), "{of_token:?}");
        let notices = ann.get(&server, "/api/notice/list").await;
        let topics: Vec<&str> = notices["data"].as_array().unwrap().iter().map(|notice| notice["title"].as_str().unwrap()).collect();
        assert_eq!(topics, ["Order filled: TOK/USDT", "TOK released", "TOK is launched", "Subscription allotted"]);
    });
}

#[test]
fn refusals_come_in_the_order_of_the_contract() {
    both(|server| async move {
        let ann = member(&server, "ann@example.com", "1000000").await;
        let desk = Operators::open(&server).await;
        let id = desk.offer(&[("oversub_factor", json!(1)), ("supply", json!("200")), ("user_cap", json!("60"))]).await;
        let id = id.as_str();
        let refused = async |form: &[(&str, &str)]| name(&commit(&server, &ann, form).await);
        for (form, expected) in [
            (vec![("config_id", "99"), ("amount", "x")], "E_NOT_FOUND"),
            (vec![("config_id", "-1"), ("amount", "10")], "E_NOT_FOUND"),
            (vec![("amount", "10")], "E_NOT_FOUND"),
            (vec![("config_id", id), ("amount", "x"), ("currency_id", "99")], "E_AMOUNT"),
            (vec![("config_id", id), ("amount", "0")], "E_AMOUNT"),
            (vec![("config_id", id), ("amount", "10.0000001")], "E_AMOUNT"),
            (vec![("config_id", id), ("amount", "99999999999999999999999")], "E_AMOUNT"),
            (vec![("config_id", id)], "E_AMOUNT"),
            (vec![("config_id", "2"), ("amount", "1"), ("currency_id", "99")], "E_WINDOW"),
            (vec![("config_id", id), ("amount", "1"), ("currency_id", "99")], "E_PAY_CURRENCY"),
            (vec![("config_id", id), ("amount", "1"), ("currency_id", "4")], "E_PAY_CURRENCY"),
            (vec![("config_id", id), ("amount", "1"), ("currency_id", "USDT")], "E_PAY_CURRENCY"),
            (vec![("config_id", id), ("amount", "9.999999")], "E_SUB_MIN"),
            (vec![("config_id", id), ("amount", "60.000001")], "E_USER_CAP"),
        ] {
            assert_eq!(refused(&form).await, expected, "{form:?}");
        }
        let data = commit(&server, &ann, &[("config_id", id), ("amount", "1"), ("currency_id", "4")]).await.json()["data"].clone();
        assert_eq!(data["currencies"], json!(["USDT", "BTC"]));
        let data = pay(&server, &ann, id, "9").await.json()["data"].clone();
        assert_eq!(data["min"], "10.000000");
        pay(&server, &ann, id, "45").await.json();
        let data = pay(&server, &ann, id, "20").await.json()["data"].clone();
        assert_eq!((&data["error"], &data["left"]), (&json!("E_USER_CAP"), &json!("15.000000")));
        let bob = member(&server, "bob@example.com", "20").await;
        assert_eq!(name(&pay(&server, &bob, id, "56").await), "E_SOLD_OUT");
        assert_eq!(pay(&server, &bob, id, "56").await.json()["data"]["left"], "55.000000");
        assert_eq!(name(&pay(&server, &bob, id, "30").await), "E_INSUFFICIENT");
        // Another member's commitments stay hidden, and a pause stops only payments.
        assert_eq!(bob.get(&server, "/api/lh/send/order_list").await["total"], 0);
        let form = [("product", "subscription"), ("on", "1"), ("reason", "looking into it")];
        post(&server, &desk.one, "catalog/pause", &form).await.ok();
        assert_eq!(name(&pay(&server, &bob, "99", "x").await), "E_DISABLED");
        assert_eq!(ann.get(&server, "/api/lh/send/order_list").await["total"], 1);
        let status = server.get_as(token(&ann.token), "/api/lh/send/order_list?status=4").await;
        assert_eq!(status.error(), "E_FIELD");
        advance(&server, 3_600_000).await;
        let row = ann.get(&server, "/api/lh/send/order_list").await["order_list"][0].clone();
        assert_eq!(
            (&row["exam_status"], &row["new_currency_num"]),
            (&json!(1), &json!("90.00000000")),
            "what was paid is settled all the same"
        );
    });
}

#[test]
fn many_at_once_never_pass_the_cap_of_a_member_nor_the_bound_of_the_offering() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let id = desk.offer(&[("oversub_factor", json!(1)), ("supply", json!("400")), ("user_cap", json!("50"))]).await;
        let ann = member(&server, "ann@example.com", "1000").await;
        let answers = futures_util::future::join_all((0..12).map(|_| pay(&server, &ann, &id, "10"))).await;
        let (done, refused): (Vec<_>, Vec<_>) = answers.iter().map(name).partition(|name| name == "-");
        assert_eq!(done.len(), 5);
        assert!(refused.iter().all(|name| name == "E_USER_CAP" || name == "E_RATE"), "{refused:?}");
        let mut others = Vec::new();
        for number in 0..6 {
            others.push(member(&server, &format!("m{number}@example.com"), "1000").await);
        }
        let all = others.iter().flat_map(|who| (0..5).map(|_| pay(&server, who, &id, "10")).collect::<Vec<_>>());
        let answers = futures_util::future::join_all(all).await;
        let done = answers.iter().map(name).filter(|name| name == "-").count();
        assert_eq!(done, 15, "150 of 200 were left");
        let offering = server.get(&format!("/api/lh/send/product_info?id={id}")).await.ok();
        assert_eq!(
            (&offering["state"], &offering["committed_value"], &offering["last_num"]),
            (&json!("sold_out"), &json!("200.000000"), &json!("0.00000000"))
        );
        server.running.app.sequencer.engine().check_invariants().unwrap();
    });
}

#[test]
fn values_of_an_offering_that_are_not_allowed_are_named() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let now = server.running.app.now_ms();
        for (changed, expected) in [
            (("code", json!("tok")), "E_CATALOG code format"),
            (("code", json!("BTC")), "E_CATALOG code repeated"),
            (("supply", json!("0")), "E_CATALOG supply range"),
            (("price", json!("0.50005")), "E_CATALOG price step"),
            (("close_ms", json!(now - 1_000)), "E_CATALOG close_ms range"),
            (("launch_ms", json!(now + 31 * DAY_MS)), "E_CATALOG launch_ms range"),
            (("release", json!([{"day": 0, "share": "100"}])), "E_CATALOG release range"),
            (("release", json!([{"day": 3, "share": "99"}])), "E_CATALOG release range"),
            (("min", json!("20000")), "E_CATALOG min range"),
            (("oversub_factor", json!(101)), "E_CATALOG oversub_factor range"),
            (("pay", json!(["DOGE"])), "E_CATALOG pay enum"),
            (("start_ms", json!("soon")), "E_CATALOG start_ms format"),
            (("more", json!(1)), "E_CATALOG more unknown"),
        ] {
            let data = desk.propose(&values(now, std::slice::from_ref(&changed))).await.json()["data"].clone();
            let word = |name: &str| data[name].as_str().unwrap_or("-").to_owned();
            let field = word("field").rsplit('.').next().unwrap_or_default().to_owned();
            assert_eq!(format!("{} {field} {}", word("error"), word("rule")), expected, "{changed:?}");
        }
        let id = desk.offer(&[]).await;
        let row = server.get_as(token(&desk.one), "/operator/api/catalog?kind=offering").await.ok();
        let row = row.as_array().unwrap().iter().find(|row| row["id"].as_u64() == id.parse().ok()).unwrap().clone();
        assert_eq!((&row["values"]["code"], &row["values"]["supply"]), (&json!("TOK"), &json!("150.00000000")));
        let again = desk.propose(&values(now, &[])).await;
        assert_eq!(name(&again), "E_CATALOG", "a code is offered once");
    });
}

#[test]
fn an_offering_that_has_opened_keeps_its_terms_and_the_refusal_names_its_state() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let rows = server.get_as(token(&desk.one), "/operator/api/catalog?kind=offering").await.ok();
        let (id, mut values) = (rows[0]["id"].to_string(), rows[0]["values"].clone());
        values["price"] = json!("0.6");
        let text = values.to_string();
        let form = [("kind", "offering"), ("id", id.as_str()), ("values", &text), ("reason", "it is worth more")];
        let refused = post(&server, &desk.one, "catalog/propose", &form).await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["state"]), ("E_STATE", &json!("open")));
        assert_eq!(server.get("/api/lh/send/product_info?id=1").await.ok()["change_rate"], "0.5000");
    });
}

#[test]
fn two_operators_agree_on_where_a_white_paper_is() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let propose = async |id: &str, values: &Json| {
            let text = values.to_string();
            let form = [("kind", "white_paper"), ("values", text.as_str()), ("reason", "the issuer sent it"), ("id", id)];
            post(&server, &desk.one, "catalog/propose", &form[..if id.is_empty() { 3 } else { 4 }]).await
        };
        let paper = async |url: &str| propose("", &json!({"offering_id": 1, "url": url})).await;
        let shown = async || {
            let one = server.get("/api/lh/send/product_info?id=1").await.ok()["white_paper"].clone();
            assert_eq!(server.get("/api/lh/send/config").await.ok()[0]["white_paper"], one);
            assert_eq!(server.get("/api/lh/send/get_recommend").await.ok()["white_paper"], one);
            one
        };
        assert_eq!(shown().await, Json::Null);
        let url = "https://nova.example/papers/1.pdf?v=2#start";
        let proposed = paper(url).await.ok();
        let signed = ["subject", "before"].map(|field| proposed[field].clone());
        assert_eq!((signed, &proposed["values"]["url"]), ([json!("NOVA"), Json::Null], &json!(url)));
        assert_eq!(shown().await, Json::Null, "one person is not enough");
        assert_eq!(desk.confirm(&proposed).await["state"], "done");
        assert_eq!(shown().await, url);
        let rows = server.get_as(token(&desk.one), "/operator/api/catalog?kind=white_paper").await.ok();
        assert_eq!(
            (&rows[0]["id"], &rows[0]["name"], &rows[0]["values"]),
            (&json!(1), &json!("NOVA"), &json!({"offering_id": 1, "url": url}))
        );
        let long = format!("https://nova.example/{}", "a".repeat(300));
        for bad in [
            "http://nova.example/",
            "javascript:alert(1)",
            "nova.example",
            "https://nova",
            "https://me@nova.example/",
            "https://nova.example:8443/",
            "https://n\u{f6}va.example/",
            "https://nova.example/a b",
            "https://nova.example/#a b",
            "https://nova.example/\u{202e}fdp",
            "https://nova.example/#\nb",
            "https://127.0.0.1/",
            "https://-.example/",
            "https://nova..example/",
            &long,
        ] {
            let data = paper(bad).await.json()["data"].clone();
            assert_eq!((&data["error"], &data["field"], &data["rule"]), (&json!("E_CATALOG"), &json!("url"), &json!("format")), "{bad}");
        }
        for (id, values, expected) in [
            ("", json!({"offering_id": 99, "url": url}), "offering_id enum"),
            ("2", json!({"offering_id": 1, "url": url}), "offering_id enum"),
            ("", json!({"offering_id": "1", "url": url}), "offering_id format"),
            ("", json!({"url": url}), "offering_id required"),
            ("", json!({"offering_id": 1}), "url required"),
            ("", json!({"offering_id": 1, "url": url, "more": 1}), "more unknown"),
        ] {
            let data = propose(id, &values).await.json()["data"].clone();
            assert_eq!(format!("{} {}", data["field"].as_str().unwrap(), data["rule"].as_str().unwrap()), expected, "{values}");
        }
        // Another one replaces it, and none removes it.
        for (next, told) in [("https://nova.example/2", json!("https://nova.example/2")), ("", Json::Null)] {
            let proposed = paper(next).await.ok();
            assert_eq!(proposed["before"]["url"], if next.is_empty() { "https://nova.example/2" } else { url });
            assert_eq!(desk.confirm(&proposed).await["state"], "done");
            assert_eq!(shown().await, told);
        }
    });
}
