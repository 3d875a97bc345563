//! Loans over the wire: quoted, applied for, decided, repaid, called, sold, listed, refused, reported.

use serde_json::{Value as Json, json};

use crate::costs::cost;
use crate::harness::{Answer, As, Server, both, on_threads, token};
use crate::operator::{operator, post};
use crate::people::Member;

const WEEK_MS: u64 = 7 * 86_400_000;

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

/// A verified member with one BTC in spot, and a price.
async fn borrower(server: &Server, email: &str, papers: &str) -> Member {
    server.far_from_midnight().await;
    let who = Member::new(server, email).await;
    who.verify(server, papers).await;
    pin(server, "100000").await;
    who.post(server, "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
    who
}

const SIX_HUNDRED: [(&str, &str); 3] = [("config_id", "1"), ("amount", "600"), ("collateral", "0.01")];

/// The plain application with these fields replaced or added; `-` omits one.
fn with<'a>(changed: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = SIX_HUNDRED.into_iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
    kept.chain(changed.iter().copied()).filter(|(_, value)| *value != "-").collect()
}

async fn apply(server: &Server, who: &Member, changed: &[(&str, &str)]) -> Answer {
    server.patient(async || who.post(server, "/api/user/bossorder", &with(changed)).await).await
}

async fn applied(server: &Server, who: &Member, changed: &[(&str, &str)]) -> String {
    apply(server, who, changed).await.data()["order"]["id"].to_string()
}

pub async fn ask(server: &Server, who: &Member, call: &str, id: &str, more: &[(&str, &str)]) -> Answer {
    let form: Vec<(&str, &str)> = [("id", id)].into_iter().chain(more.iter().copied()).collect();
    server.patient(async || who.post(server, &format!("/api/user/{call}"), &form).await).await
}

async fn row(server: &Server, desk: &str, id: &str) -> Json {
    let path = format!("/operator/api/item?kind=loan&id={id}&reason=decision");
    server.patient(async || server.get_as(token(desk), &path).await).await.ok()["row"].clone()
}

async fn decide(server: &Server, desk: &str, id: &str, decision: &str) -> Answer {
    let row = row(server, desk, id).await;
    let (version, hash) = (row["version"].to_string(), row["hash"].as_str().unwrap().to_owned());
    let form = [("kind", "loan"), ("id", id), ("decision", decision), ("reason", "too risky"), ("version", &version), ("hash", &hash)];
    server.patient(async || post(server, desk, "decide", &form).await).await
}

/// A loan that is paid out.
pub async fn lent(server: &Server, who: &Member, desk: &str, changed: &[(&str, &str)]) -> String {
    let id = applied(server, who, changed).await;
    pin(server, "100000").await;
    decide(server, desk, &id, "approve").await.ok();
    id
}

pub async fn detail(server: &Server, who: &Member, id: &str) -> Json {
    who.get(server, &format!("/api/user/bossdetail?id={id}")).await
}

/// These fields as one text.
fn shown(of: &Json, fields: &[&str]) -> String {
    let text = |field: &&str| of[*field].as_str().map_or_else(|| of[*field].to_string(), str::to_owned);
    fields.iter().map(text).collect::<Vec<_>>().join(" ")
}

async fn spot(server: &Server, who: &Member, coin: &str) -> String {
    let row = who.post(server, "/api/wallet/detail", &[("currency", coin), ("type", "change")]).await.ok();
    shown(&row, &["balance", "lock_balance"])
}

async fn treasury(server: &Server) -> String {
    let pools = server.get("/api/public/pools").await.ok();
    let pool = pools.as_array().unwrap().iter().find(|pool| pool["account"] == "loan_treasury" && pool["currency_id"] == 3).unwrap();
    shown(pool, &["reserve", "open_objects"])
}

async fn titles(server: &Server, who: &Member) -> Vec<String> {
    let notices = who.get(server, "/api/notice/list?limit=50").await;
    let loans = notices["data"].as_array().unwrap().iter().filter(|notice| notice["kind"] == "loan");
    loans.map(|notice| notice["title"].as_str().unwrap().to_owned()).collect()
}

const OWED: [&str; 6] = ["status", "outstanding", "interest_due", "penalty_due", "debt", "paid"];

#[test]
fn a_loan_is_quoted_approved_repaid_and_listed() {
    both(|mut server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        // 7.4, example 1, as the contract shows it.
        let path = "/api/user/bossorder?config_id=1&amount=600&collateral=0.01&collateral_currency_id=1&preview=1";
        let quote = ann.get(&server, path).await;
        let fields = ["config_id", "amount", "day", "interest", "total_return", "collateral", "min_collateral", "collateral_value", "ltv"];
        assert_eq!(shown(&quote, &fields), "1 600.000000 7 2.100000 602.100000 0.01000000 0.01000000 1000.000000 60");
        assert_eq!(shown(&quote, &["accepted", "error", "price", "liquidation_price"]), "1 null 100000.00 72542.16");
        let smallest = ann.get(&server, "/api/user/bossorder?config_id=1&amount=600&preview=1").await;
        assert_eq!(shown(&smallest, &["collateral", "accepted"]), "0.01000000 1");
        let little = ann.get(&server, &path.replace("=0.01&", "=0.009&")).await;
        assert_eq!(shown(&little, &["accepted", "error", "ltv"]), "0 E_LTV 66.666667");

        let answer = apply(&server, &ann, &[]).await;
        let order = answer.data()["order"].clone();
        assert_eq!(
            (answer.ok(), shown(&order, &["status", "amount", "collateral"])),
            (json!("Submitted"), "1 600.000000 0.01000000".into())
        );
        assert_eq!(shown(&order, &["reason", "note", "ltv", "start_at", "end_at", "debt"]), "null  null null null 0.000000");
        assert_eq!(spot(&server, &ann, "1").await, "0.99000000 0.01000000");
        assert_eq!(treasury(&server).await, "600.000000 1");
        let id = order["id"].to_string();
        let queue = server.get_as(token(&desk), "/operator/api/queue?kind=loan").await.ok();
        let line = &queue["data"][0];
        assert_eq!(shown(line, &["kind", "id", "needs", "value_usdt", "status"]), format!("loan {id} 1 600.000000 under_review"));
        assert_eq!(line["failed_checks"], json!([]));
        let decided = decide(&server, &desk, &id, "approve").await;
        assert_eq!(shown(&decided.data()["row"], &["status"]), "in_loan");
        assert_eq!((decided.data()["done"].clone(), treasury(&server).await), (json!(1), "0.000000 0".to_owned()));
        assert_eq!(spot(&server, &ann, "3").await, "600.000000 0.000000");
        let loan = detail(&server, &ann, &id).await;
        assert_eq!(shown(&loan, &OWED), "2 600.000000 0.300000 0.000000 600.300000 0.000000");
        assert_eq!(
            shown(&loan, &["ltv", "margin_call", "interest", "total_return", "interest_rate", "day"]),
            "60.03 0 2.100000 602.100000 0.05 7"
        );
        let start = loan["start_at_ms"].as_u64().unwrap();
        assert_eq!(loan["end_at_ms"].as_u64(), Some(start + WEEK_MS));

        // 7.4, example 4: a part in the third period; then the rest.
        advance(&server, "172800001").await;
        server.restart().await;
        let part = ask(&server, &ann, "bossrepay", &id, &[("amount", "300")]).await;
        assert_eq!(shown(&part.data(), &["taken", "penalty", "interest", "principal"]), "300.000000 0.000000 0.900000 299.100000");
        assert_eq!(shown(&part.data()["order"], &OWED), "2 300.900000 0.000000 0.000000 300.900000 300.000000");
        // On the third day after the payout; no other field shows it.
        assert_eq!(shown(&part.data()["order"], &["periods", "day"]), "3 7");
        let repaid_ms = part.data()["time_ms"].as_u64().unwrap();
        assert!((start + 172_800_001..start + 259_200_000).contains(&repaid_ms), "{repaid_ms} after {start}");
        // What is still to be paid, without what was repaid: 300.90 and four more days of interest on it.
        let case = server.get_as(token(&desk), &format!("/operator/api/item?kind=loan&id={id}&reason=a+look")).await.ok();
        assert_eq!(shown(&case["fields"], &["total_return", "debt"]), "301.501800 300.900000");
        pin(&server, "100000").await;
        let more = ask(&server, &ann, "bosscollateral", &id, &[("amount", "0.002")]).await;
        assert_eq!(
            (more.ok(), shown(&more.data()["order"], &["collateral", "ltv"])),
            (json!("Collateral added"), "0.01200000 25.075".into())
        );
        assert!(more.data()["time_ms"].as_u64().unwrap() >= repaid_ms);
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10")]).await.ok();
        let whole = ask(&server, &ann, "bossrepay", &id, &[("all", "1")]).await;
        assert_eq!((whole.ok(), shown(&whole.data(), &["taken", "principal"])), (json!("Repaid"), "300.900000 300.900000".into()));
        assert_eq!(shown(&whole.data()["order"], &["status", "reason", "collateral", "paid"]), "3 REPAID 0.00000000 600.900000");
        assert_eq!(whole.data()["time_ms"], whole.data()["order"]["finished_at_ms"]);
        let case = server.get_as(token(&desk), &format!("/operator/api/item?kind=loan&id={id}&reason=a+look")).await.ok();
        assert_eq!(shown(&case["fields"], &["total_return", "state"]), "null finished");
        assert_eq!(
            (spot(&server, &ann, "1").await, spot(&server, &ann, "3").await),
            ("1.00000000 0.00000000".into(), "9.100000 0.000000".into())
        );

        let second = applied(&server, &ann, &[]).await;
        let taken_back = ask(&server, &ann, "bosscancel", &second, &[]).await;
        assert_eq!((taken_back.ok(), shown(&taken_back.data()["order"], &["status", "reason"])), (json!("Cancelled"), "4 USER".into()));
        for (status, count) in [("", 2), ("?status=1", 0), ("?status=2", 0), ("?status=3", 1), ("?status=4", 1), ("?status=5", 0)] {
            assert_eq!(ann.get(&server, &format!("/api/user/bosslist{status}")).await["total"], count, "{status}");
        }
        let mut kinds: Vec<u64> = Vec::new();
        for coin in ["1", "3"] {
            let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", coin), ("type", "2"), ("limit", "50")]).await.ok();
            kinds.extend(lines["list"].as_array().unwrap().iter().map(|line| line["type"].as_u64().unwrap()));
        }
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds, [210, 3_001, 3_002, 3_003, 3_004]);
        assert_eq!(titles(&server, &ann).await, ["Loan paid out"]);
    });
}

#[test]
fn products_are_shown_to_everybody_and_balances_to_their_owner() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let products = server.get("/api/user/bossconfig").await.ok();
        assert_eq!(products.as_array().unwrap().len(), 6);
        let fields = ["id", "currency_name", "day", "interest_rate", "overdue_multiplier", "min_amount", "max_amount", "status"];
        assert_eq!(shown(&products[0], &fields), "1 USDT 7 0.05 3 100.000000 50000.000000 1");
        let fields = ["start_ltv", "call_ltv", "liquidation_ltv", "liquidation_fee", "grace_hours"];
        assert_eq!(shown(&products[0], &fields), "60 75 83 2 72");
        assert_eq!(shown(&products[0]["collateral"][0], &["currency_id", "price", "balance"]), "1 100000.00 0.00000000");
        let own = ann.get(&server, "/api/user/bossconfig").await;
        assert_eq!(shown(&own[0]["collateral"][0], &["currency_name", "balance"]), "BTC 1.00000000");
        let config = server.get("/api/app/config").await.ok();
        assert!(config["products"].as_array().unwrap().iter().any(|product| product["product"] == "loan"));
    });
}

#[test]
fn what_is_wrong_with_an_application_is_refused_in_the_documented_order() {
    both(|server| async move {
        let new = Member::new(&server, "new@example.com").await;
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let kyc = apply(&server, &new, &[("amount", "x"), ("config_id", "99")]).await;
        assert_eq!((kyc.error(), kyc.json()["type"].clone()), ("E_KYC_BASIC".to_owned(), json!("998")));
        for (changed, code, detail) in [
            (&[("amount", "x"), ("config_id", "99")][..], "E_AMOUNT", "amount"),
            (&[("amount", "-1")], "E_AMOUNT", "amount"),
            (&[("amount", "0")], "E_AMOUNT", "amount"),
            (&[("amount", "600.0000001")], "E_AMOUNT", "amount"),
            (&[("amount", "-")], "E_AMOUNT", "amount"),
            (&[("amount", "9999999999999999999999")], "E_AMOUNT", "amount"),
            (&[("collateral", "-")], "E_AMOUNT", "collateral"),
            (&[("collateral", "0.000000001")], "E_AMOUNT", "collateral"),
            (&[("config_id", "99"), ("amount", "1")], "E_CYCLE", ""),
            (&[("config_id", "x")], "E_CYCLE", ""),
            (&[("config_id", "-")], "E_CYCLE", ""),
            (&[("config_id", "4294967297")], "E_CYCLE", ""),
            (&[("amount", "99.999999"), ("collateral_currency_id", "77")], "E_LOAN_MIN", "100.000000"),
            (&[("amount", "50000.000001"), ("collateral_currency_id", "77")], "E_LOAN_MAX", "50000.000000"),
            (&[("collateral_currency_id", "77")], "E_ASSET", ""),
            (&[("collateral_currency_id", "x")], "E_ASSET", ""),
            (&[("collateral_currency_id", "3"), ("collateral", "1")], "E_ASSET", ""),
            (&[("amount", "600.000001")], "E_LTV", "0.01000001"),
            (&[("amount", "600"), ("collateral", "1.00000001")], "E_INSUFFICIENT", "1.00000001"),
        ] {
            let refused = apply(&server, &ann, changed).await;
            let data = &refused.json()["data"];
            let found = ["field", "min", "max", "min_collateral", "needed"].iter().find_map(|name| data[*name].as_str()).unwrap_or("");
            assert_eq!((refused.error().as_str(), found), (code, detail), "{changed:?}");
            // The preview agrees as far as it goes, and shows whether the rest would be accepted.
            let query: Vec<String> = with(changed).iter().map(|(name, value)| format!("{name}={value}")).collect();
            let path = format!("/api/user/bossorder?preview=1&{}", query.join("&"));
            let preview = server.patient(async || server.get_as(token(&ann.token), &path).await).await;
            match code {
                "E_LTV" | "E_INSUFFICIENT" => assert_eq!(shown(&preview.ok(), &["accepted", "error"]), format!("0 {code}"), "{changed:?}"),
                _ if changed == [("collateral", "-")] => assert_eq!(shown(&preview.ok(), &["accepted"]), "1"),
                _ => assert_eq!(preview.error(), code, "{changed:?}"),
            }
        }
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        advance(&server, "3001").await;
        assert_eq!(apply(&server, &ann, &[]).await.error(), "E_PRICE_STALE");
        pin(&server, "100000").await;
        for _ in 0..5 {
            applied(&server, &ann, &[("amount", "100")]).await;
        }
        let full = apply(&server, &ann, &[("amount", "100")]).await;
        assert_eq!((full.error(), full.json()["data"]["max"].clone()), ("E_OPEN_LIMIT".to_owned(), json!(5)));
        assert_eq!(server.get_as(token(&ann.token), "/api/user/bosslist?status=6").await.error(), "E_FIELD");
        assert_eq!(server.get_as(token(&ann.token), "/api/user/bossdetail?id=x").await.error(), "E_NOT_FOUND");
    });
}

#[test]
fn an_older_client_applies_by_a_read_that_carries_a_key() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let path = "/api/user/bossorder?config_id=1&amount=600&collateral=0.01";
        let read = async |key: &str, path: &str| {
            server.request("GET", path, &[("authorization", ann.token.as_str()), ("idempotency-key", key)], "").await
        };
        assert_eq!(server.get_as(token(&ann.token), path).await.error(), "E_IDEM_KEY");
        let preview = read("one", &format!("{path}&preview=1")).await;
        assert_eq!((preview.ok()["accepted"].clone(), preview.header("cache-control").to_owned()), (json!(1), "no-store".to_owned()));
        let first = read("one", path).await;
        assert_eq!((first.ok(), first.data()["order"]["status"].clone()), (json!("Submitted"), json!(1)));
        let again = read("one", path).await;
        assert_eq!((again.data()["order"]["id"].clone(), again.ok()), (first.data()["order"]["id"].clone(), json!("Submitted")));
        assert_eq!(read("one", &path.replace("600", "500")).await.error(), "E_DUP_REQUEST");
        assert_eq!(ann.get(&server, "/api/user/bosslist").await["total"], 1);
        // Without a session nothing is read or written.
        assert_eq!(server.request("GET", path, &[("idempotency-key", "two")], "").await.error(), "E_AUTH");
    });
}

#[test]
fn two_decide_above_the_limit_and_a_reason_is_shown() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let (one, two) = (operator(&server, "one", &["treasury"]).await, operator(&server, "two", &["treasury"]).await);
        let id = applied(&server, &ann, &[("amount", "5000.000001"), ("collateral", "0.1")]).await;
        let first = decide(&server, &one, &id, "approve").await;
        assert_eq!((first.data()["done"].clone(), first.data()["row"]["approvals"].as_array().unwrap().len()), (json!(0), 1));
        assert_eq!(decide(&server, &one, &id, "approve").await.error(), "E_SAME_OPERATOR");
        pin(&server, "100000").await;
        assert_eq!(decide(&server, &two, &id, "approve").await.data()["done"], 1);
        assert_eq!(decide(&server, &two, &id, "approve").await.error(), "E_STATE");

        let id = applied(&server, &ann, &[]).await;
        let bare = [("kind", "loan"), ("id", &*id), ("decision", "reject"), ("version", "1"), ("hash", "00")];
        assert_eq!(post(&server, &one, "decide", &bare).await.error(), "E_REASON");
        decide(&server, &one, &id, "reject").await.ok();
        assert_eq!(shown(&detail(&server, &ann, &id).await, &["status", "reason", "note"]), "4 REJECTED too risky");
        // The collateral is checked again.
        let id = applied(&server, &ann, &[]).await;
        pin(&server, "99999.99").await;
        let decided = decide(&server, &one, &id, "approve").await;
        assert_eq!(shown(&decided.data()["row"], &["status"]), "cancelled");
        assert_eq!(shown(&detail(&server, &ann, &id).await, &["status", "reason", "note"]), "4 LTV ");
        // No operator decides.
        pin(&server, "100000").await;
        let id = applied(&server, &ann, &[]).await;
        advance(&server, "259200001").await;
        assert_eq!(shown(&detail(&server, &ann, &id).await, &["status", "reason"]), "4 EXPIRED");
        let told = titles(&server, &ann).await;
        assert_eq!(told, ["Loan not granted", "Loan not granted", "Loan rejected", "Loan paid out"]);
        let queue = server.get_as(token(&one), "/operator/api/queue?kind=loan&status=done").await.ok();
        assert_eq!(queue["total"], 4);
    });
}

#[test]
fn a_loan_is_called_due_debited_overdue_and_sold_and_its_owner_is_told() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        let called = lent(&server, &ann, &desk, &[]).await;
        pin(&server, "80040").await;
        assert_eq!(shown(&detail(&server, &ann, &called).await, &["margin_call", "ltv"]), "1 75");
        pin(&server, "72000").await;
        let sold = detail(&server, &ann, &called).await;
        assert_eq!(shown(&sold, &["status", "reason", "sold", "collateral", "debt"]), "3 LIQUIDATED 0.00850425 0.00000000 0.000000");
        assert_eq!(shown(&sold["sale"], &["price", "debt", "fee", "returned"]), "72000.00 600.300000 12.006000 0.00149575");
        // It paid 600.3 of debt and had cost 850.425.
        assert_eq!(cost(&server, &ann, 1).await, "0.99149575 0.00000000 99149.575000 100000.00000000 -250.125000");
        assert_eq!(spot(&server, &ann, "1").await, "0.99149575 0.00000000");
        pin(&server, "100000").await;
        let debited = lent(&server, &ann, &desk, &[]).await;
        advance(&server, &WEEK_MS.to_string()).await;
        let ended = detail(&server, &ann, &debited).await;
        assert_eq!(shown(&ended, &["status", "reason", "paid"]), "3 AUTO_DEBIT 602.100000");
        pin(&server, "100000").await;
        let overdue = lent(&server, &ann, &desk, &[]).await;
        let all = spot(&server, &ann, "3").await.split(' ').next().unwrap().to_owned();
        let away = [("currency_id", "3"), ("number", all.as_str()), ("from_field", "change"), ("to_field", "trust")];
        ann.post(&server, "/api/wallet/change", &away).await.ok();
        advance(&server, &(WEEK_MS + 1).to_string()).await;
        assert_eq!(shown(&detail(&server, &ann, &overdue).await, &OWED), "5 600.000000 2.100000 0.900000 603.000000 0.000000");
        // The operator who decides about the next one sees how the others went.
        advance(&server, "86400000").await;
        pin(&server, "100000").await;
        // Withdrawn applications push none of them out of view.
        for _ in 0..21 {
            let id = applied(&server, &ann, &[]).await;
            ask(&server, &ann, "bosscancel", &id, &[]).await.ok();
        }
        let next = applied(&server, &ann, &[]).await;
        let case = server.get_as(token(&desk), &format!("/operator/api/item?kind=loan&id={next}&reason=a+look")).await.ok();
        let past = case["fields"]["past_loans"].as_array().unwrap();
        let lines: Vec<String> = past.iter().map(|one| shown(one, &["id", "amount", "day", "state", "end", "overdue_days"])).collect();
        let expected = [
            format!("{overdue} 600.000000 7 overdue null 2"),
            format!("{debited} 600.000000 7 finished AUTO_DEBIT 0"),
            format!("{called} 600.000000 7 finished LIQUIDATED 0"),
        ];
        assert_eq!(lines, expected);
        let check = case["checks"].as_array().unwrap().iter().find(|check| check["name"] == "no_overdue_loan").unwrap();
        assert_eq!(shown(check, &["ok", "detail"]), "0 1 of 3");
        // Its own dates: a waiting one is due this long after its payout.
        let (fields, week) = (&case["fields"], WEEK_MS);
        assert_eq!(shown(fields, &["total_return", "due_at_ms", "start_at_ms", "overdue_days", "grace_days"]), "602.100000 null null 0 3");
        let applied_ms = fields["applied_at_ms"].as_u64().unwrap();
        assert!((applied_ms + week..applied_ms + week + 60_000).contains(&fields["due_if_paid_out_now_ms"].as_u64().unwrap()), "{fields}");
        let late = server.get_as(token(&desk), &format!("/operator/api/item?kind=loan&id={overdue}&reason=a+look")).await.ok();
        let (start, due) = (late["fields"]["start_at_ms"].as_u64().unwrap(), late["fields"]["due_at_ms"].as_u64().unwrap());
        assert_eq!((due - start, late["fields"]["sold_from_ms"].as_u64().unwrap() - due), (week, 259_200_000));
        assert_eq!(shown(&late["fields"], &["overdue_days", "due_if_paid_out_now_ms"]), "2 null");
        ask(&server, &ann, "bosscancel", &next, &[]).await.ok();
        advance(&server, "259200000").await;
        pin(&server, "100000").await;
        assert_eq!(shown(&detail(&server, &ann, &overdue).await, &["status", "reason"]), "3 LIQUIDATED");
        let told = titles(&server, &ann).await;
        let expected = [
            "Collateral sold",
            "Loan overdue",
            "Loan due soon",
            "Loan paid out",
            "Loan repaid automatically",
            "Loan due soon",
            "Loan paid out",
            "Collateral sold",
            "Margin call",
            "Loan paid out",
        ];
        assert_eq!(told, expected);
    });
}

#[test]
fn repaying_adding_and_taking_back_stay_possible_when_opening_is_not() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury", "market"]).await;
        let id = lent(&server, &ann, &desk, &[]).await;
        let waiting = applied(&server, &ann, &[]).await;
        let pause = [("product", "loan"), ("on", "1"), ("reason", "too many")];
        post(&server, &desk, "catalog/pause", &pause).await.ok();
        assert_eq!(apply(&server, &ann, &[]).await.error(), "E_DISABLED");
        let preview = server.get_as(token(&ann.token), "/api/user/bossorder?config_id=1&amount=600&preview=1").await;
        assert_eq!(preview.error(), "E_DISABLED");
        let freeze = [("id", &*ann.id.0.to_string()), ("scope", "withdraw"), ("reason", "a look")];
        post(&server, &desk, "user/freeze", &freeze).await.ok();
        let again = server.login(&ann.email, "secret1").await.ok();
        let ann = Member { token: again.as_str().unwrap().to_owned(), ..ann };
        ask(&server, &ann, "bosscancel", &waiting, &[]).await.ok();
        ask(&server, &ann, "bosscollateral", &id, &[("amount", "0.1")]).await.ok();
        for (form, code) in [
            (&[][..], "E_FIELD"),
            (&[("all", "0")], "E_FIELD"),
            (&[("all", "1"), ("amount", "5")], "E_FIELD"),
            (&[("all", "yes")], "E_FIELD"),
            (&[("amount", "5"), ("max_debt", "600.3")], "E_FIELD"),
            (&[("amount", "0")], "E_AMOUNT"),
            (&[("amount", "0.0000001")], "E_AMOUNT"),
            (&[("amount", "1000000000000000000000")], "E_AMOUNT"),
            (&[("all", "1"), ("max_debt", "x")], "E_AMOUNT"),
            (&[("all", "1"), ("max_debt", "600.299999")], "E_DEBT_MOVED"),
            (&[("all", "1"), ("max_debt", "600.3")], "E_INSUFFICIENT"),
            (&[("all", "1")], "E_INSUFFICIENT"),
        ] {
            assert_eq!(ask(&server, &ann, "bossrepay", &id, form).await.error(), code, "{form:?}");
        }
        assert_eq!(ask(&server, &ann, "bosscollateral", &id, &[("amount", "1")]).await.error(), "E_INSUFFICIENT");
        assert_eq!(ask(&server, &ann, "bosscollateral", &id, &[("amount", "x")]).await.error(), "E_AMOUNT");
        assert_eq!(ask(&server, &ann, "bosscancel", &id, &[]).await.json()["data"]["state"], "in_loan");
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1")]).await.ok();
        ask(&server, &ann, "bossrepay", &id, &[("all", "1")]).await.ok();
        for (call, form) in [("bossrepay", ("amount", "x")), ("bossrepay", ("all", "1")), ("bosscollateral", ("amount", "1"))] {
            let refused = ask(&server, &ann, call, &id, &[form]).await;
            assert_eq!((refused.error(), refused.json()["data"]["state"].clone()), ("E_STATE".to_owned(), json!("finished")), "{call}");
        }
    });
}

#[test]
fn a_debt_that_grew_since_it_was_shown_is_not_repaid() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        let id = lent(&server, &ann, &desk, &[]).await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10")]).await.ok();
        let debt = async || detail(&server, &ann, &id).await["debt"].as_str().unwrap().to_owned();
        // A repetition repeats the first answer. Only the loan-to-value ratio is computed at the current price.
        let keyed = As { token: &ann.token, key: "part", ..As::default() };
        let part = async || server.post_as(keyed, "/api/user/bossrepay", &[("id", &id), ("amount", "100")]).await.data();
        let mut first = part().await;
        pin(&server, "90000").await;
        let mut again = part().await;
        assert_eq!((first["order"]["ltv"].take(), again["order"]["ltv"].take()), (json!("50.03"), json!("55.588889")));
        assert_eq!(first, again);
        let (before, had) = (debt().await, spot(&server, &ann, "3").await);
        advance(&server, "86400001").await;
        let refused = ask(&server, &ann, "bossrepay", &id, &[("all", "1"), ("max_debt", &before)]).await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["debt"]), ("E_DEBT_MOVED", &json!("500.550150")));
        assert_eq!((debt().await.as_str(), spot(&server, &ann, "3").await), ("500.550150", had));
        let whole = ask(&server, &ann, "bossrepay", &id, &[("all", "1"), ("max_debt", &debt().await)]).await;
        assert_eq!(shown(&whole.data(), &["taken"]), "500.550150");
    });
}

#[test]
fn a_country_forbids_borrowing_and_not_repaying() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        let id = lent(&server, &ann, &desk, &[]).await;
        let waiting = applied(&server, &ann, &[]).await;
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let others = [
            "spot",
            "deposit_coin",
            "deposit_bank",
            "withdraw_coin",
            "withdraw_bank",
            "option",
            "contract",
            "plan",
            "subscription",
            "flash",
        ];
        let mut table = json!({"country": "DE", "loan": "off"});
        others.into_iter().for_each(|product| table[product] = json!("on"));
        let form = [("kind", "country"), ("reason", "agreed"), ("values", &*table.to_string())];
        let proposed = post(&server, &one, "catalog/propose", &form).await.ok();
        let (number, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
        post(&server, &two, "proposal/confirm", &[("id", &number), ("hash", hash)]).await.ok();
        assert_eq!(apply(&server, &ann, &[]).await.error(), "E_COUNTRY");
        ask(&server, &ann, "bosscancel", &waiting, &[]).await.ok();
        ask(&server, &ann, "bosscollateral", &id, &[("amount", "0.1")]).await.ok();
        ask(&server, &ann, "bossrepay", &id, &[("amount", "600")]).await.ok();
        assert_eq!(shown(&detail(&server, &ann, &id).await, &["status", "debt"]), "2 0.300000");
    });
}

#[test]
fn many_repayments_at_once_take_the_debt_once() {
    on_threads(4, |server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        let id = lent(&server, &ann, &desk, &[]).await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10000")]).await.ok();
        let repay = |at: usize| {
            let (server, ann, id) = (&server, &ann, &id);
            async move {
                let body = if at.is_multiple_of(2) { format!("id={id}&all=1") } else { format!("id={id}&amount=70") };
                let key = format!("key-{at}");
                let headers = [
                    ("authorization", ann.token.as_str()),
                    ("idempotency-key", key.as_str()),
                    ("content-type", "application/x-www-form-urlencoded"),
                ];
                server.request("POST", "/api/user/bossrepay", &headers, body).await
            }
        };
        let answers = futures_util::future::join_all((0..24).map(repay)).await;
        let mut taken = 0_u64;
        for answer in &answers {
            match answer.json()["data"]["taken"].as_str() {
                Some(text) => taken += text.replace('.', "").parse::<u64>().unwrap(),
                None => assert_eq!(answer.error(), "E_STATE", "{}", answer.text),
            }
        }
        assert_eq!(taken, 600_300_000, "the debt, once");
        assert_eq!(shown(&detail(&server, &ann, &id).await, &["status", "reason", "paid"]), "3 REPAID 600.300000");
        assert_eq!(spot(&server, &ann, "3").await, "9999.700000 0.000000");
        assert_eq!(spot(&server, &ann, "1").await, "1.00000000 0.00000000");
    });
}

#[test]
fn two_operators_change_terms_for_later_loans() {
    both(|server| async move {
        let ann = borrower(&server, "ann@example.com", "AB123456").await;
        let desk = operator(&server, "tom", &["treasury"]).await;
        let old = applied(&server, &ann, &[]).await;
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let before = server.get("/api/user/bossconfig").await.ok()[0]["rule"].clone();
        let rows = server.get_as(token(&one), "/operator/api/catalog?kind=loan_product").await.ok();
        let values = |id: u64| rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["values"].clone();
        for (id, field, value) in [
            (1, "interest_rate", json!("100")),
            (1, "min_amount", json!("50001")),
            (1, "day", json!(0)),
            (0, "start_ltv", json!("75")),
            (0, "call_ltv", json!("83")),
        ] {
            let mut wrong = values(id);
            wrong[field] = value;
            let (id, values) = (id.to_string(), wrong.to_string());
            let form = [("kind", "loan_product"), ("id", &*id), ("values", &*values), ("reason", "other terms")];
            let refused = post(&server, &one, "catalog/propose", &form).await;
            assert_eq!((refused.error().as_str(), &refused.json()["data"]["field"]), ("E_CATALOG", &json!(field)), "{}", refused.text);
        }
        for (id, field, value) in [(1, "interest_rate", json!("0.1")), (0, "start_ltv", json!("50"))] {
            let mut changed = values(id);
            changed[field] = value;
            let (id, values) = (id.to_string(), changed.to_string());
            let form = [("kind", "loan_product"), ("id", &*id), ("values", &*values), ("reason", "other terms")];
            let proposed = post(&server, &one, "catalog/propose", &form).await.ok();
            let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
            assert_eq!(post(&server, &two, "proposal/confirm", &[("id", &id), ("hash", hash)]).await.ok()["state"], "done");
        }
        let products = server.get("/api/user/bossconfig").await.ok();
        assert_eq!(shown(&products[0], &["interest_rate", "start_ltv"]), "0.1 50");
        pin(&server, "100000").await;
        assert_eq!(apply(&server, &ann, &[]).await.error(), "E_LTV");
        // A member who was shown the earlier terms does not get a loan under the present ones.
        let preview = async |rule: &Json| {
            let rule = rule.as_str().unwrap();
            server.get_as(token(&ann.token), &format!("/api/user/bossorder?config_id=1&amount=600&preview=1&rule={rule}")).await
        };
        for rule in [&before, &json!("none")] {
            assert_eq!(apply(&server, &ann, &[("rule", rule.as_str().unwrap())]).await.error(), "E_TERMS", "{rule}");
            assert_eq!(preview(rule).await.error(), "E_TERMS", "{rule}");
        }
        let now = products[0]["rule"].clone();
        assert_eq!((preview(&now).await.ok()["rule"].clone(), preview(&before).await.error().as_str()), (now.clone(), "E_TERMS"));
        assert_eq!(apply(&server, &ann, &[("rule", now.as_str().unwrap())]).await.error(), "E_LTV");
        let enough = [("rule", now.as_str().unwrap()), ("amount", "500")];
        assert_eq!(apply(&server, &ann, &enough).await.error(), "");
        decide(&server, &desk, &old, "approve").await.ok();
        assert_eq!(shown(&detail(&server, &ann, &old).await, &["interest_rate", "debt"]), "0.05 600.300000");
        let own = ["start_ltv", "call_ltv", "liquidation_ltv", "liquidation_fee", "overdue_multiplier", "grace_hours"];
        assert_eq!(shown(&detail(&server, &ann, &old).await, &own), "60 75 83 2 3 72");
        // Still its first period.
        advance(&server, "86000000").await;
        assert_eq!(shown(&detail(&server, &ann, &old).await, &["debt"]), "600.300000");
    });
}
