use serde_json::{Value as Json, json};

use crate::harness::{Answer, As, both, token};

#[test]
fn an_answer_names_a_state_that_is_as_new_as_what_it_shows() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let seq = |answer: &Answer| answer.header("x-seq").parse::<u64>().unwrap();
        for round in 1..=20_u64 {
            let paid = server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await;
            paid.ok();
            // No `x-min-seq`: the present state is shown.
            let list = server.get_as(token(&who), "/api/wallet/list").await;
            assert_eq!(list.ok()["total_usdt"], format!("{}.000000", round * 100));
            assert!(seq(&list) >= seq(&paid), "shows {} and names {}", seq(&paid), seq(&list));
            let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.0001"), ("target_price", "60000")];
            let placed = server.post_as(token(&who), "/api/coin/trade", &form).await;
            let open = server.get_as(token(&who), "/api/coin/list?status=1").await;
            assert_eq!(open.ok()[0]["id"], placed.data()["order"]["id"]);
            assert!(seq(&open) >= seq(&placed), "shows {} and names {}", seq(&placed), seq(&open));
        }
    });
}

#[test]
fn a_transfer_moves_money_between_wallets_and_is_told_in_every_list() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await.ok();
        let form = [("currency_id", "3"), ("number", "5"), ("from_field", "change"), ("to_field", "lever")];
        let moved = server.post_as(token(&who), "/api/wallet/change", &form).await;
        assert_eq!((&moved.data()["from_balance"], &moved.data()["to_balance"]), (&Json::from("95.000000"), &Json::from("5.000000")));
        assert_eq!(moved.data()["seq"].to_string(), moved.header("x-seq"));

        let fresh = [("authorization", who.as_str()), ("x-min-seq", moved.header("x-seq"))];
        let list = server.request("GET", "/api/wallet/list", &fresh, "").await.ok();
        assert_eq!((&list["lever_wallet"]["totle"], &list["total_usdt"]), (&Json::from("5.000000"), &Json::from("100.000000")));
        let transfers = server.request("GET", "/api/wallet/hzhistory", &fresh, "").await.ok();
        assert_eq!((&transfers["total"], &transfers["data"][0]["from_field"]), (&Json::from(1), &Json::from("change")));
        let lines = server.request("GET", "/api/wallet/legal_log?currency=3&type=2", &fresh, "").await.ok();
        let line = &lines["list"][0];
        assert_eq!((&line["value"], &line["type"], &line["object"]), (&Json::from("-5.000000"), &Json::from(12), &Json::from("transfer")));
        assert_eq!((&line["before"], &line["after"]), (&Json::from("100.000000"), &Json::from("95.000000")));
        let into = server.request("GET", "/api/wallet/legal_log?currency=3&type=3&kind=15", &fresh, "").await.ok();
        assert_eq!((&into["count"], &into["list"][0]["value"]), (&Json::from(1), &Json::from("5.000000")));
    });
}

#[test]
fn transfers_are_refused_by_wallet_then_coin_then_amount_then_balance() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "5")]).await.ok();
        for (coin, number, from, to, name) in [
            ("3", "1", "change", "change", "E_ACCOUNT"),
            ("3", "1", "change", "legal", "E_ACCOUNT"),
            ("9", "1", "change", "lever", "E_ASSET"),
            ("1", "1", "change", "lever", "E_ASSET"),
            ("3", "0", "change", "lever", "E_AMOUNT"),
            ("3", "1.0000001", "change", "lever", "E_AMOUNT"),
            ("3", "", "change", "lever", "E_AMOUNT"),
            ("3", "6", "change", "lever", "E_INSUFFICIENT"),
        ] {
            let form = [("currency_id", coin), ("number", number), ("from_field", from), ("to_field", to)];
            assert_eq!(server.post_as(token(&who), "/api/wallet/change", &form).await.error(), name, "{coin} {number} {from} {to}");
        }
        let scale = server
            .post_as(
                token(&who),
                "/api/wallet/change",
                &[("currency_id", "3"), ("number", "1.0000001"), ("from_field", "change"), ("to_field", "micro")],
            )
            .await;
        assert_eq!((&scale.json()["data"]["reason"], &scale.json()["data"]["scale"]), (&Json::from("scale"), &Json::from(6)));
        assert_eq!(server.post_as(token(&who), "/api/wallet/detail", &[("currency", "1"), ("type", "lever")]).await.error(), "E_ASSET");
        assert_eq!(server.post_as(token(&who), "/api/wallet/detail", &[("currency", "1"), ("type", "vault")]).await.error(), "E_ACCOUNT");
        assert_eq!(server.post_as(token(&who), "/api/wallet/legal_log", &[("currency", "3"), ("type", "1")]).await.error(), "E_ACCOUNT");
        // A field that the list does not name comes first.
        for wrong in [("kind", "x"), ("page", "x")] {
            assert_eq!(
                server.post_as(token(&who), "/api/wallet/legal_log", &[("currency", "9"), ("type", "1"), wrong]).await.error(),
                "E_FIELD"
            );
        }
        let fields = |path: &'static str| server.get_as(token(&who), path);
        assert_eq!(fields("/api/coin/fills?currency_id=9&order_id=x").await.error(), "E_FIELD");
        for query in ["limit=x", "before_id=x", "before_ms=x"] {
            assert_eq!(server.get(&format!("/api/market/trades?symbol=NO/ONE&{query}")).await.error(), "E_FIELD", "{query}");
        }
        assert_eq!(server.post("/api/wallet/list", &[]).await.json()["type"], "999");
    });
}

#[test]
fn the_same_transfer_in_parallel_happens_once() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await.ok();
        let form = [("currency_id", "3"), ("number", "7"), ("from_field", "change"), ("to_field", "trust")];
        let mine = As { token: &who, key: "move-1", ..As::default() };
        let all = futures_util::future::join_all((0..8).map(|_| server.post_as(mine, "/api/wallet/change", &form))).await;
        assert!(all.iter().all(|answer| answer.text == all[0].text));
        let earn = server.post_as(token(&who), "/api/wallet/detail", &[("currency", "3"), ("type", "trust")]).await.ok();
        assert_eq!(earn["balance"], "7.000000");
    });
}

#[test]
fn a_table_of_many_pages_is_whole_and_in_the_order_of_what_happened() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        for (coin, account) in [("USDT", "change"), ("USDT", "trust"), ("BTC", "change")] {
            let form = [("asset", coin), ("amount", "5"), ("account", account)];
            server.post_as(token(&who), "/sandbox/faucet", &form).await.ok();
        }
        let id = server.get_as(token(&who), "/api/user/center").await.ok()["id"].as_u64().unwrap();
        let app = &server.running.app;
        let export = async |from: u64, to: u64, more: &str| {
            server.get_as(token(&who), &format!("/api/wallet/export?from_ms={from}&to_ms={to}{more}")).await
        };
        // Copies of the first lines, in turn among the accounts, several at each instant from 1,000 on.
        let copies = async |many: u64, coin: &str| {
            let columns = "user_id, wallet, held, asset, kind, change, balance_after, object, object_id";
            let text = format!(
                "with recursive n (i) as (select 1 union all select i + 1 from n where i < {many}) \
                 insert into statement (seq, time_ms, {columns}) \
                 select seq, 1000 + i / 3, {columns} from n, (select * from statement where user_id = {id} {coin}) as first order by i"
            );
            app.db.exec(store::db::Sql::new(text, vec![])).await.unwrap();
        };
        app.wait_for(app.sequencer.newest()).await.unwrap();
        copies(700, "").await;
        // And one account with more than a page of its own.
        copies(2_500, "and asset = 1 and time_ms > 9999").await;
        // A year and a day at most, however few or many lines there are.
        let year = 366 * 86_400_000_u64;
        let whole = export(5, year + 5, "").await;
        let rows: Vec<Vec<&str>> = whole.text.split_terminator("\r\n").skip(1).map(|line| line.split(',').collect()).collect();
        assert_eq!(rows.len(), 3 * 700 + 2_500);
        let places: Vec<(u64, u64)> = rows.iter().map(|row| (row[2].parse().unwrap(), row[0].parse().unwrap())).collect();
        assert!(places.is_sorted_by(|one, next| one < next), "each line once, in order");
        let parts = |account: &str, coin: &str| rows.iter().filter(|row| row[3] == account && row[5] == coin).count();
        assert_eq!((parts("change", "USDT"), parts("trust", "USDT"), parts("change", "BTC")), (700, 700, 3_200));
        // Both ends are included, and one coin is a part of it.
        let between =
            |from: u64, to: u64| rows.iter().filter(|row| (from..=to).contains(&row[2].parse().unwrap()) && row[5] == "BTC").count();
        assert!(between(1_010, 1_010) > 1 && between(1_800, 1_800) > 1);
        assert_eq!(export(1_010, 1_800, "&currency=1").await.text.lines().count(), between(1_010, 1_800) + 1);
        let refused = export(5, year + 6, "").await;
        assert_eq!((refused.error().as_str(), &refused.json()["data"]["rule"]), ("E_FIELD", &json!("range")));
    });
}
