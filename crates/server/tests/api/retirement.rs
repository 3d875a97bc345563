//! The end of a pair.

use serde_json::json;

use crate::harness::{Answer, As, Server, both, token};
use crate::operator::operator;
use crate::people::Member;

async fn post(server: &Server, who: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    server.post_as(token(who), &format!("/operator/api/{path}"), fields).await
}

async fn status(server: &Server) -> (serde_json::Value, serde_json::Value) {
    let config = server.get("/api/app/config").await.ok();
    let pair = server.get("/api/currency/deal?currency_id=1&legal_id=3").await.ok();
    (config["markets"][0]["status"].clone(), pair["open_coin_trade"].clone())
}

#[test]
fn a_pair_is_retired_by_two_with_a_days_notice_and_gives_its_orders_back() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        server.post_as(token(&ann.token), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "90000")];
        ann.post(&server, "/api/coin/trade", &form).await.ok();
        let (one, two) = (operator(&server, "one", &["market"]).await, operator(&server, "two", &["market"]).await);
        let support = operator(&server, "sue", &["support"]).await;
        let at = |hours: u64| (server.running.app.now_ms() + hours * 3_600_000).to_string();
        let (soon, late) = (at(23), at(30));
        let propose = async |who: &str, market: &str, at: &str, reason: &str| {
            post(&server, who, "market/retire", &[("match_id", market), ("at_ms", at), ("reason", reason)]).await
        };
        for (who, market, at, reason, name) in [
            (&support, "1", &late, "no volume", "E_ROLE"),
            (&one, "1", &late, "", "E_REASON"),
            (&one, "77", &late, "no volume", "E_MARKET"),
            (&one, "", &late, "no volume", "E_MARKET"),
            (&one, "1", &soon, "no volume", "E_FIELD"),
            (&one, "1", &"x".to_owned(), "no volume", "E_FIELD"),
        ] {
            assert_eq!(propose(who, market, at, reason).await.error(), name, "{market} {at}");
        }
        let (mine, next) = (As { token: &one, key: "retire", lang: "" }, at(25));
        let form = [("match_id", "6"), ("at_ms", next.as_str()), ("reason", "no volume")];
        let first = server.post_as(mine, "/operator/api/market/retire", &form).await;
        first.ok();
        // Less than a day is left, but this key was answered before.
        server.post("/sandbox/clock", &[("advance_ms", "7200000")]).await.ok();
        let again = server.post_as(mine, "/operator/api/market/retire", &form).await;
        assert_eq!((again.text.as_str(), again.header("x-idempotent-replay")), (first.text.as_str(), "1"));
        let proposed = propose(&one, "1", &late, "no volume").await.ok();
        assert_eq!(
            (&proposed["kind"], &proposed["values"]["symbol"], &proposed["before"]),
            (&json!("market_retire"), &json!("BTC/USDT"), &json!({"status": "open"}))
        );
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap().to_owned());
        let confirm = [("id", id.as_str()), ("hash", hash.as_str())];
        assert_eq!(post(&server, &one, "proposal/confirm", &confirm).await.error(), "E_SAME_OPERATOR");
        assert_eq!(status(&server).await, (json!("open"), json!(1)));
        post(&server, &two, "proposal/confirm", &confirm).await.ok();
        assert_eq!(status(&server).await, (json!("retiring"), json!(1)));
        assert_eq!(propose(&one, "1", &late, "again").await.error(), "E_STATE");

        let passed = server.post("/sandbox/clock", &[("advance_ms", "108000000")]).await.ok();
        assert!(passed["events"].as_u64() > Some(1), "the order ended and its money came back: {passed}");
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        assert_eq!(status(&server).await, (json!("retired"), json!(0)));
        let order = &ann.get(&server, "/api/coin/list").await[0];
        assert_eq!((&order["status"], &order["reason"], &order["frozen"]), (&json!(3), &json!("RETIRED"), &json!("0.000000")));
        let told = &ann.get(&server, "/api/notice/list?kind=order").await["data"][0];
        let text = "BTC/USDT is no longer traded, so your order was cancelled. 0 of 0.001 BTC was filled, the rest is free again.";
        assert_eq!((&told["content"], &told["object_id"]), (&json!(text), &order["id"]));
        let wallet = ann.get(&server, "/api/wallet/list").await;
        assert_eq!(wallet["change_wallet"]["balance"][2]["change_balance"], "100.000000", "{wallet}");
        assert_eq!(ann.post(&server, "/api/coin/trade", &form).await.error(), "E_MARKET");
        server.restart().await;
        assert_eq!(status(&server).await, (json!("retired"), json!(0)));
    });
}
