//! Locked plans over the wire: bought, matured by the clock of the sandbox, redeemed early, refused, reported.

use futures_util::future::join_all;
use serde_json::{Value as Json, json};

use crate::countries::{agree, table};
use crate::harness::{Answer, As, Server, both, on_threads, token};
use crate::operator::{operator, post};
use crate::people::Member;
use crate::socket::Client;

const DAY_MS: u64 = 86_400_000;
const BUY: [(&str, &str); 3] = [("config_id", "2"), ("amount", "1000"), ("agree", "1")];

fn but(field: &'static str, value: &'static str) -> Vec<(&'static str, &'static str)> {
    BUY.map(|(name, old)| (name, if name == field { value } else { old })).to_vec()
}

/// A member with so much USDT in the plan account.
async fn saver(server: &Server, email: &str, amount: &str) -> Member {
    server.far_from_midnight().await;
    let ann = Member::new(server, email).await;
    ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", amount), ("account", "trust")]).await.ok();
    ann
}

async fn buy(server: &Server, ann: &Member) -> Json {
    ann.post(server, "/api/lh/deposit", &BUY).await.data()["order"].clone()
}

/// Moves the clock to an instant.
async fn to(server: &Server, ms: u64) {
    server.post("/sandbox/clock", &[("to_ms", &ms.to_string())]).await.ok();
}

fn number(row: &Json, field: &str) -> u64 {
    row[field].as_u64().unwrap_or_else(|| panic!("{field} of {row}"))
}

fn texts<const N: usize>(row: &Json, fields: [&str; N]) -> [String; N] {
    fields.map(|field| row[field].as_str().unwrap_or_else(|| panic!("{field} of {row}")).to_owned())
}

async fn treasury(server: &Server) -> Json {
    let pools = server.get("/api/public/pools").await.ok();
    pools.as_array().unwrap().iter().find(|pool| pool["account"] == "plan_treasury" && pool["currency_id"] == 3).unwrap().clone()
}

#[test]
fn a_plan_is_bought_matures_by_itself_and_its_owner_is_told() {
    both(|mut server| async move {
        let ann = saver(&server, "ann@example.com", "1500").await;
        let mut client = Client::connect(&server, json!({"token": ann.token})).await;
        let bought = ann.post(&server, "/api/lh/deposit", &BUY).await;
        assert_eq!(bought.json()["message"], "Purchased");
        let order = bought.data()["order"].clone();
        let shown =
            texts(&order, ["amount", "day_rate", "day_percent", "interest_rate", "total_interest", "current_interest", "cancel_fee"]);
        assert_eq!(shown, ["1000.000000", "0.004", "0.4", "6", "60.000000", "0.000000", "66.000000"]);
        let counts = ["config_id", "day", "remain_day", "status", "is_cancel"].map(|field| number(&order, field));
        assert_eq!((counts, &order["returned"], &order["seq"]), ([2, 15, 15, 1, 0], &Json::Null, &order["id"]));
        // Interest begins with the next UTC day.
        let (bought_at, start, end) = (number(&order, "created_at_ms"), number(&order, "start_at_ms"), number(&order, "end_at_ms"));
        assert_eq!((start, end), ((bought_at / DAY_MS + 1) * DAY_MS, (bought_at / DAY_MS + 16) * DAY_MS));
        assert_eq!(
            client.event("balance").await["data"][0],
            json!({"currency_id": 3, "account": "trust", "avail": "500.000000", "frozen": "1000.000000"})
        );
        let pool = treasury(&server).await;
        assert_eq!((&pool["reserve"], &pool["open_objects"]), (&json!("60.000000"), &json!(1)));
        let full = pool["balance"].as_str().unwrap().to_owned();
        // The promise without its owner, under the number of its entry; promises add up to what is set aside.
        let promises = server.get("/api/public/promises").await;
        let [promise] = promises.ok().as_array().unwrap().clone().try_into().unwrap();
        let plan = json!([2, 3, "1000.000000", 15, "0.4", "60.000000", bought_at, end]);
        let fields = ["plan_id", "currency_id", "amount", "day", "day_percent", "interest", "bought_ms", "end_at_ms"];
        assert_eq!((json!(fields.map(|field| &promise[field])), &promise["seq"]), (plan, &order["id"]));
        let treasury_of = promises.data()["treasury"].as_array().unwrap().iter().find(|row| row["currency_id"] == 3).unwrap().clone();
        assert_eq!(texts(&treasury_of, ["balance", "reserve"]), [full.clone(), "60.000000".to_owned()]);
        assert_eq!(number(&treasury_of, "open_orders"), 1);
        assert_eq!(server.get(&format!("/api/public/promises?after={}", promise["seq"])).await.ok(), json!([]));
        for bad in ["after=x", "after=-1", "limit=x"] {
            assert_eq!(server.get(&format!("/api/public/promises?{bad}")).await.error(), "E_FIELD", "{bad}");
        }

        to(&server, start + 5 * DAY_MS).await;
        let running = ann.get(&server, "/api/lh/deposit/order?status=1").await;
        let row = &running["order_list"][0];
        assert_eq!((number(&running, "total"), number(row, "remain_day"), &row["current_interest"]), (1, 10, &json!("20.000000")));
        let report = ann.get(&server, "/api/lh/deposit/report").await;
        assert_eq!(texts(&report, ["total_profit", "today_profit", "total_deposit"]), ["0.000000", "4.000000", "1000.000000"]);
        assert_eq!(report["total_order"], 1);
        let usdt = json!({"currency_id": 3, "total_profit": "0.000000", "today_profit": "4.000000", "total_deposit": "1000.000000"});
        assert_eq!(report["by_currency"], json!([usdt]));

        to(&server, end - 600_000).await;
        assert_eq!(number(&ann.get(&server, "/api/lh/deposit/order?status=1").await["order_list"][0], "remain_day"), 1);
        to(&server, end).await;
        assert_eq!(client.event("balance").await["data"][0]["avail"], "1560.000000");
        let told = client.event("notification").await["data"].clone();
        assert_eq!((&told["kind"], &told["object_id"]), (&json!("plan"), &order["id"]));
        assert_eq!(told["content"], "1,060 USDT is back in your plan account, 60 USDT of it interest.");
        server.restart().await;
        let ended = ann.get(&server, "/api/lh/deposit/order?status=2&is_cancel=0").await;
        let row = &ended["order_list"][0];
        assert_eq!((&ended["total"], &row["id"], number(row, "updated_at_ms")), (&json!(1), &order["id"], end));
        assert_eq!(texts(row, ["current_interest", "cancel_fee", "returned"]), ["60.000000", "0.000000", "1060.000000"]);
        assert_eq!(["remain_day", "status", "is_cancel"].map(|field| number(row, field)), [0, 2, 0]);
        let report = ann.get(&server, "/api/lh/deposit/report").await;
        assert_eq!(texts(&report, ["total_profit", "today_profit", "total_deposit"]), ["60.000000", "4.000000", "0.000000"]);
        let pool = treasury(&server).await;
        assert_eq!((&pool["reserve"], &pool["open_objects"]), (&json!("0.000000"), &json!(0)));
        let paid = |text: &str| text.replace('.', "").parse::<u64>().unwrap();
        assert_eq!(paid(&full) - paid(pool["balance"].as_str().unwrap()), 60_000_000);
        let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", "3"), ("type", "5")]).await.ok();
        let kinds: Vec<&Json> = lines["list"].as_array().unwrap().iter().map(|line| &line["type"]).collect();
        assert_eq!(kinds, [&json!(44), &json!(1005), &json!(1005), &json!(1004), &json!(1004), &json!(210)]);
        let redeemed = ann.post(&server, "/api/lh/deposit/order/cancel", &[("id", &order["id"].to_string())]).await;
        assert_eq!((redeemed.error(), &redeemed.json()["data"]["state"]), ("E_STATE".to_owned(), &json!(2)));
        // Anyone can see what was promised, but not to whom.
        let entry = server.get(&format!("/api/proof/entries?from={}&limit=1", order["seq"])).await.ok()[0].clone();
        let said = json!({"plan": 2, "amount": 1_000_000_000, "agreed": true, "rule": null});
        assert_eq!((&entry["kind"], &entry["public"]), (&json!("buy_plan"), &said));
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

#[test]
fn an_early_redemption_pays_exactly_what_was_shown() {
    both(|server| async move {
        let (ann, eve) = (saver(&server, "ann@example.com", "1000").await, saver(&server, "eve@example.com", "100").await);
        let order = buy(&server, &ann).await;
        let id = order["id"].to_string();
        to(&server, number(&order, "start_at_ms") + 5 * DAY_MS + 1).await;
        let preview = ann.get(&server, &format!("/api/lh/deposit/order/preview?id={id}")).await;
        let figures = ["current_interest", "damages", "penalty", "cancel_fee", "returned"];
        assert_eq!(texts(&preview, figures), ["20.000000", "40.000000", "6.000000", "46.000000", "974.000000"]);
        assert_eq!(["accrued_days", "remain_day"].map(|field| number(&preview, field)), [5, 10]);
        let midnight = number(&preview, "valid_until_ms");
        assert_eq!((number(&preview, "day_index") + 1) * DAY_MS, midnight);
        let cancel = async |who: &Member, most: &str| {
            let form = [("id", id.as_str()), ("max_fee", most)];
            who.post(&server, "/api/lh/deposit/order/cancel", &form).await
        };
        for bad in ["x", "-1", "46.0000001", "1e3"] {
            let refused = cancel(&ann, bad).await;
            assert_eq!((refused.error(), &refused.json()["data"]["field"]), ("E_FIELD".to_owned(), &json!("max_fee")), "{bad}");
        }
        // Another member's order looks unknown, whatever else is wrong.
        assert_eq!(cancel(&eve, "46").await.error(), "E_NOT_FOUND");
        let refused = cancel(&ann, "45.999999").await;
        assert_eq!((refused.error(), &refused.json()["data"]["fee"]), ("E_PRICE_MOVED".to_owned(), &json!("46.000000")));
        assert_eq!(cancel(&ann, "0").await.error(), "E_PRICE_MOVED");
        // The deduction shown before midnight is higher than after it, so it is accepted.
        let redeemed = cancel(&ann, "46").await;
        assert_eq!(redeemed.json()["message"], "Redeemed");
        let row = redeemed.data()["order"].clone();
        assert_eq!(texts(&row, figures), texts(&preview, figures));
        assert_eq!(["remain_day", "status", "is_cancel"].map(|field| number(&row, field)), [10, 2, 1]);
        assert_eq!(ann.get(&server, "/api/lh/deposit/order?is_cancel=1").await["order_list"][0], row);
        assert_eq!(number(&ann.get(&server, "/api/lh/deposit/order?is_cancel=0").await, "total"), 0);
        assert_eq!(number(&ann.get(&server, "/api/lh/deposit/order?status=1&is_cancel=1").await, "total"), 0);
        let wallets = ann.post(&server, "/api/wallet/list", &[]).await.ok();
        let usdt = wallets["trust_wallet"]["balance"].as_array().unwrap().iter().find(|row| row["currency"] == 3).unwrap().clone();
        assert_eq!((&usdt["trust_balance"], &usdt["lock_trust_balance"]), (&json!("974.000000"), &json!("0.000000")));
        let again = cancel(&ann, "46").await;
        assert_eq!((again.error(), &again.json()["data"]["state"]), ("E_STATE".to_owned(), &json!(2)));
        let gone = server.get_as(token(&ann.token), &format!("/api/lh/deposit/order/preview?id={id}")).await;
        assert_eq!(gone.error(), "E_STATE");
        let notices = ann.get(&server, "/api/notice/list").await;
        assert!(!notices["data"].as_array().unwrap().iter().any(|notice| notice["kind"] == "plan"), "{notices}");
    });
}

#[test]
fn a_purchase_is_refused_in_the_order_of_the_contract() {
    both(|server| async move {
        let ann = saver(&server, "ann@example.com", "1000").await;
        for (form, name) in [
            (vec![], "E_AMOUNT"),
            (vec![("amount", "x"), ("config_id", "99")], "E_AMOUNT"),
            (but("amount", "0"), "E_AMOUNT"),
            (but("amount", "100.0000001"), "E_AMOUNT"),
            (but("amount", "1,000"), "E_AMOUNT"),
            (vec![("amount", "1")], "E_CYCLE"),
            (vec![("amount", "1"), ("config_id", "x")], "E_CYCLE"),
            (vec![("amount", "1"), ("config_id", "99999999999")], "E_CYCLE"),
            (vec![("amount", "1"), ("config_id", "2")], "E_AGREEMENT"),
            (but("agree", "0"), "E_AGREEMENT"),
            (but("agree", "yes"), "E_AGREEMENT"),
            (but("amount", "99.999999"), "E_PLAN_MIN"),
            (but("amount", "50000.000001"), "E_PLAN_MAX"),
            (but("amount", "1000.000001"), "E_INSUFFICIENT"),
        ] {
            assert_eq!(ann.post(&server, "/api/lh/deposit", &form).await.error(), name, "{form:?}");
        }
        let least = ann.post(&server, "/api/lh/deposit", &but("amount", "1")).await;
        assert_eq!(least.json()["data"]["min"], "100.000000");
        let short = ann.post(&server, "/api/lh/deposit", &but("amount", "1001")).await;
        assert_eq!((&short.json()["data"]["account"], &short.json()["data"]["available"]), (&json!("trust"), &json!("1000.000000")));
        for (path, name) in [
            ("/api/lh/deposit/product_info?id=x", "E_NOT_FOUND"),
            ("/api/lh/deposit/product_info?id=13", "E_NOT_FOUND"),
            ("/api/lh/deposit/order/preview?id=-1", "E_NOT_FOUND"),
            ("/api/lh/deposit/order/preview?id=1", "E_NOT_FOUND"),
            ("/api/lh/deposit/order?status=3", "E_FIELD"),
            ("/api/lh/deposit/order?is_cancel=2", "E_FIELD"),
        ] {
            assert_eq!(server.get_as(token(&ann.token), path).await.error(), name, "{path}");
        }
        for form in [vec![], vec![("id", "x")], vec![("id", "99999999999999999999")], vec![("id", "1")]] {
            assert_eq!(ann.post(&server, "/api/lh/deposit/order/cancel", &form).await.error(), "E_NOT_FOUND", "{form:?}");
        }
        // A pause comes before any other refusal.
        let tom = operator(&server, "tom", &["market"]).await;
        let pause = |on| [("product", "plan"), ("on", on), ("reason", "the rules are being read")];
        post(&server, &tom, "catalog/pause", &pause("1")).await.ok();
        assert_eq!(ann.post(&server, "/api/lh/deposit", &[]).await.error(), "E_DISABLED");
        post(&server, &tom, "catalog/pause", &pause("0")).await.ok();
        assert_eq!(ann.post(&server, "/api/lh/deposit", &[]).await.error(), "E_AMOUNT");
    });
}

#[test]
fn a_pause_and_a_country_that_forbids_plans_stop_no_redemption() {
    both(|server| async move {
        let ann = saver(&server, "ann@example.com", "2000").await;
        ann.verify(&server, "AB123456").await;
        let orders = [buy(&server, &ann).await, buy(&server, &ann).await];
        let redeem = async |order: &Json| ann.post(&server, "/api/lh/deposit/order/cancel", &[("id", &order["id"].to_string())]).await;
        agree(&server, "country", "", &table("DE", &[("plan", "off")])).await;
        let refused = ann.post(&server, "/api/lh/deposit", &BUY).await;
        assert_eq!((refused.error(), &refused.json()["data"]["product"]), ("E_COUNTRY".to_owned(), &json!("plan")));
        redeem(&orders[0]).await.data();
        let tom = operator(&server, "tom", &["market"]).await;
        post(&server, &tom, "catalog/pause", &[("product", "plan"), ("on", "1"), ("reason", "a test")]).await.ok();
        // The pause applies to all, and comes first.
        assert_eq!(ann.post(&server, "/api/lh/deposit", &BUY).await.error(), "E_DISABLED");
        redeem(&orders[1]).await.data();
        assert_eq!(number(&ann.get(&server, "/api/lh/deposit/report").await, "total_order"), 0);
    });
}

#[test]
fn many_threads_with_one_key_buy_and_redeem_once() {
    on_threads(8, |mut server| async move {
        let ann = saver(&server, "ann@example.com", "5000").await;
        let send = async |server: &Server, path: &str, key: &str, fields: &[(&str, &str)]| -> Vec<Answer> {
            let who = As { token: &ann.token, key, ..As::default() };
            join_all((0..12).map(|_| server.post_as(who, path, fields))).await
        };
        let bought = send(&server, "/api/lh/deposit", "one", &BUY).await;
        let ids: Vec<Json> = bought.iter().map(|answer| answer.data()["order"]["id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(bought.iter().filter(|answer| answer.header("x-idempotent-replay") == "1").count(), 11);
        server.restart().await;
        assert_eq!(send(&server, "/api/lh/deposit", "one", &BUY).await[0].data()["order"]["id"], ids[0]);
        assert_eq!(number(&ann.get(&server, "/api/lh/deposit/order").await, "total"), 1);
        let other = server.post_as(As { token: &ann.token, key: "one", ..As::default() }, "/api/lh/deposit", &but("amount", "2000")).await;
        assert_eq!(other.error(), "E_DUP_REQUEST");
        let id = ids[0].to_string();
        let redeemed = send(&server, "/api/lh/deposit/order/cancel", "two", &[("id", &id)]).await;
        assert!(redeemed.iter().all(|answer| answer.data()["order"]["returned"] == "934.000000"));
        // Without a key the second of two finds it gone.
        let order = buy(&server, &ann).await["id"].to_string();
        let form = [("id", order.as_str())];
        let both = join_all((0..2).map(|_| ann.post(&server, "/api/lh/deposit/order/cancel", &form))).await;
        let mut names: Vec<String> = both.iter().map(Answer::error).collect();
        names.sort();
        assert_eq!(names, ["", "E_STATE"]);
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

#[test]
fn plans_are_shown_and_changed_by_two_operators_for_orders_bought_later() {
    both(|server| async move {
        let ann = saver(&server, "ann@example.com", "5000").await;
        let old = buy(&server, &ann).await;
        let listed = server.get("/api/lh/deposit/config?limit=100").await.ok();
        let rows: Vec<(u64, u64)> =
            listed.as_array().unwrap().iter().map(|plan| (number(plan, "currency_id"), number(plan, "day"))).collect();
        let cycles = |coin| [(coin, 7), (coin, 15), (coin, 30)];
        assert_eq!(rows, [cycles(3), cycles(4), cycles(1), cycles(2)].concat());
        assert_eq!(server.get("/api/lh/deposit/config?page=2&limit=10").await.ok().as_array().unwrap().len(), 2);
        let plan = server.get("/api/lh/deposit/product_info?id=2").await.ok();
        assert_eq!(plan, listed[1]);
        let shown =
            texts(&plan, ["title", "day_percent", "day_rate", "interest_rate", "damage_rate", "penalty_days", "save_min", "save_max"]);
        assert_eq!(shown, ["USDT, 15 days", "0.4", "0.004", "6", "0.4", "1.5", "100.000000", "50000.000000"]);
        let text = plan["agreement"].as_str().unwrap();
        assert!(text.starts_with("<p>") && text.contains("0.4%") && text.contains("15 full UTC days") && !text.contains('{'), "{text}");
        let german = server.get_as(As { lang: "deyu", ..As::default() }, "/api/lh/deposit/product_info?id=2").await.ok();
        assert_eq!(german["title"], "USDT, 15 Tage");
        assert!(german["agreement"].as_str().unwrap().contains("bringt 0,4 % Ihres Betrags"), "{german}");

        let (tom, tim) = (operator(&server, "tom", &["market"]).await, operator(&server, "tim", &["market"]).await);
        let rows = server.get_as(token(&tom), "/operator/api/catalog?kind=plan").await.ok();
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == 2).unwrap().clone();
        assert_eq!((&row["name"], &row["version"]), (&json!("USDT 15 d"), &json!(1)));
        let change = |values: &Json, id: &str| {
            vec![("kind", "plan".to_owned()), ("id", id.to_owned()), ("values", values.to_string()), ("reason", "new terms".to_owned())]
        };
        let propose = async |values: &Json, id: &str| {
            let form = change(values, id);
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
            post(&server, &tom, "catalog/propose", &form).await
        };
        let agreed = async |values: &Json, id: &str| {
            let proposal = propose(values, id).await.ok();
            let form = [("id", proposal["id"].to_string()), ("hash", proposal["hash"].as_str().unwrap().to_owned())];
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
            post(&server, &tim, "proposal/confirm", &form).await.ok();
        };
        let with = |field: &str, value: Json| {
            let mut values = row["values"].clone();
            values[field] = value;
            values
        };
        for (field, value, rule) in [
            ("day", json!(0), "range"),
            ("day_percent", json!("34"), "range"),
            ("damage_rate", json!("3.4"), "range"),
            ("save_min", json!("0.000000"), "range"),
            ("save_max", json!("1.000000"), "range"),
            ("currency_id", json!(77), "enum"),
            ("currency_id", json!(4), "enum"),
            ("agreement_version", json!(2), "enum"),
            ("on", json!(2), "enum"),
            ("profit", json!("9"), "unknown"),
        ] {
            let refused = propose(&with(field, value), "2").await;
            let error = &refused.json()["data"];
            let found = if field == "save_max" { "save_min" } else { field };
            assert_eq!((&error["field"], &error["rule"]), (&json!(found), &json!(rule)), "{field}: {error}");
        }
        agreed(&with("day_percent", json!("0.5")), "2").await;
        // A member who was shown the earlier terms buys nothing under the present ones.
        let under = async |rule: &Json, changed: Vec<(&'static str, &'static str)>| {
            let rule = [("rule", rule.as_str().unwrap())];
            ann.post(&server, "/api/lh/deposit", &[&changed[..], &rule].concat()).await
        };
        for rule in [&plan["rule"], &json!("none")] {
            assert_eq!(under(rule, BUY.to_vec()).await.error(), "E_TERMS", "{rule}");
            assert_eq!(under(rule, but("agree", "0")).await.error(), "E_TERMS", "{rule}");
            assert_eq!(under(rule, but("amount", "x")).await.error(), "E_AMOUNT", "{rule}");
            assert_eq!(under(rule, but("config_id", "99")).await.error(), "E_CYCLE", "{rule}");
        }
        let rule = server.get("/api/lh/deposit/product_info?id=2").await.ok()["rule"].clone();
        assert_eq!(under(&rule, but("amount", "1")).await.error(), "E_PLAN_MIN");
        let new = under(&rule, BUY.to_vec()).await.data()["order"].clone();
        assert_eq!((&old["day_percent"], &new["day_percent"], &new["total_interest"]), (&json!("0.4"), &json!("0.5"), &json!("75.000000")));
        let kept = ann.get(&server, "/api/lh/deposit/order").await["order_list"][1].clone();
        assert_eq!(texts(&kept, ["day_percent", "total_interest", "cancel_fee"]), ["0.4", "60.000000", "66.000000"]);
        // A new one, and the end of an old one.
        let mut daily = with("day", json!(1));
        daily["id"] = json!(13);
        agreed(&daily, "").await;
        assert_eq!(server.get("/api/lh/deposit/product_info?id=13").await.ok()["title"], "USDT, 1 day");
        agreed(&with("on", json!(0)), "2").await;
        assert_eq!(ann.post(&server, "/api/lh/deposit", &BUY).await.error(), "E_CYCLE");
        let listed = server.get("/api/lh/deposit/config?limit=100").await.ok();
        assert_eq!((&listed[12]["id"], &listed[12]["status"]), (&json!(2), &json!(0)), "what is closed comes last");
        let rows = server.get_as(token(&tom), "/operator/api/catalog?kind=plan").await.ok();
        assert_eq!((rows.as_array().unwrap().len(), &rows[1]["version"], &rows[1]["values"]["on"]), (13, &json!(3), &json!(0)));
    });
}
