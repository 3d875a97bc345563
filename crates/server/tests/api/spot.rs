use engine::backoffice::acts::OperatorAct;
use engine::product::Product;
use serde_json::Value as Json;
use store::documents;

use crate::harness::{Answer, As, Server, both, token};
use crate::people::operate;

/// BTC/USDT pinned at 100 000, and a member with these paper funds in spot.
pub async fn trader(server: &Server, email: &str, funds: &[(&str, &str)]) -> String {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
    let who = server.member(email).await;
    for (asset, amount) in funds {
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", asset), ("amount", amount)]).await.ok();
    }
    who
}

pub async fn place(server: &Server, who: &str, side: &str, amount: &str, price: &str, more: &[(&str, &str)]) -> Answer {
    let mut form = vec![("legal_id", "3"), ("currency_id", "1"), ("type", side), ("amount", amount), ("target_price", price)];
    form.extend(more);
    server.post_as(token(who), "/api/coin/trade", &form).await
}

/// Available and frozen of a coin in spot.
pub async fn spot(server: &Server, who: &str, coin: &str) -> (String, String) {
    let answer = server.post_as(token(who), "/api/wallet/detail", &[("currency", coin), ("type", "change")]).await.ok();
    (text(&answer["balance"]), text(&answer["lock_balance"]))
}

pub fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_limit_buy_trades_at_the_resting_price_and_both_sides_see_it() {
    both(|server| async move {
        let seller = trader(&server, "seller@example.com", &[("BTC", "1")]).await;
        let buyer = trader(&server, "buyer@example.com", &[("USDT", "1000")]).await;
        place(&server, &seller, "2", "0.00200", "100000.0", &[]).await.ok();
        let bought = place(&server, &buyer, "1", "0.00123", "100500.0", &[]).await;
        let data = bought.data();
        let order = &data["order"];
        assert_eq!((&order["status"], text(&order["filled_value"])), (&Json::from(2), "123.000000".to_owned()));
        assert_eq!((text(&order["fee"]), text(&order["fee_currency"])), ("0.00000123".to_owned(), "BTC".to_owned()));
        assert_eq!(text(&data["fills"][0]["role"]), "taker");
        assert_eq!(spot(&server, &buyer, "1").await.0, "0.00122877");
        assert_eq!(spot(&server, &buyer, "3").await, ("877.000000".to_owned(), "0.000000".to_owned()));
        assert_eq!(spot(&server, &seller, "1").await, ("0.99800000".to_owned(), "0.00077000".to_owned()));

        let fresh = bought.header("x-seq").to_owned();
        let read = |path: &'static str, who: String| {
            let (server, fresh) = (&server, fresh.clone());
            async move { server.request("GET", path, &[("authorization", who.as_str()), ("x-min-seq", fresh.as_str())], "").await.ok() }
        };
        let open = read("/api/coin/list?status=1", seller.clone()).await;
        assert_eq!((open.as_array().map(Vec::len), text(&open[0]["left_amount"])), (Some(1), "0.00077000".to_owned()));
        assert_eq!(read("/api/coin/list?status=2", buyer.clone()).await[0]["id"], order["id"]);
        let fills = read("/api/coin/fills", seller.clone()).await;
        assert_eq!((&fills["total"], text(&fills["data"][0]["role"])), (&Json::from(1), "maker".to_owned()));
        let trades = read("/api/market/trades?symbol=BTC/USDT", buyer.clone()).await;
        assert_eq!((text(&trades[0]["direction"]), text(&trades[0]["price"])), ("buy".to_owned(), "100000.0".to_owned()));
        assert_eq!(trades[0]["house"], false);
        let ticker = read("/api/market/ticker?symbol=BTC/USDT", buyer).await;
        assert_eq!((text(&ticker[0]["last"]), text(&ticker[0]["volume"])), ("100000.0".to_owned(), "0.00123000".to_owned()));
    });
}

/// Side, amount, price, further fields, and the refusal they get.
type Refused<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)], &'a str);

#[test]
fn every_refusal_has_its_name_and_its_details() {
    both(|server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let refusals: [Refused<'_>; 17] = [
            ("3", "0.001", "100000", &[], "E_SIDE"),
            ("1", "0.001", "100000", &[("order_type", "iceberg")], "E_TYPE"),
            ("1", "0.001", "100000", &[("tif", "day")], "E_TIF"),
            ("1", "0.001", "100000", &[("order_type", "market"), ("tif", "ioc"), ("funds", "10")], "E_TIF"),
            ("1", "1e-3", "100000", &[], "E_AMOUNT"),
            ("1", "0.000000001", "100000", &[], "E_AMOUNT"),
            ("1", "0.001", "0", &[], "E_AMOUNT"),
            ("1", "0.001", "100000.05", &[], "E_TICK"),
            ("1", "0.000011", "100000", &[], "E_STEP"),
            ("1", "101", "100000", &[], "E_QTY_MAX"),
            ("1", "0.00004", "100000", &[], "E_NOTIONAL_MIN"),
            ("1", "11", "100000", &[], "E_NOTIONAL_MAX"),
            ("1", "0.001", "105000.1", &[], "E_BAND"),
            ("1", "0.001", "100000", &[("order_type", "stop_limit"), ("stop_price", "99000")], "E_STOP_SIDE"),
            ("1", "1", "100000", &[], "E_INSUFFICIENT"),
            ("1", "", "", &[("order_type", "market"), ("funds", "100")], "E_NO_LIQUIDITY"),
            ("1", "0.001", "100000", &[("client_order_id", "not allowed!")], "E_FIELD"),
        ];
        for (side, amount, price, more, name) in refusals {
            assert_eq!(place(&server, &who, side, amount, price, more).await.error(), name, "{amount} at {price} {more:?}");
        }
        let band = place(&server, &who, "1", "0.001", "105000.1", &[]).await.json()["data"].clone();
        assert_eq!(
            (text(&band["low"]), text(&band["high"]), text(&band["ref"])),
            ("50000.0".to_owned(), "105000.0".to_owned(), "100000.00".to_owned())
        );
        // Prices at the bounds of a band are accepted.
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000.01")]).await.ok();
        let band = place(&server, &who, "1", "0.001", "1000000", &[]).await.json()["data"].clone();
        assert_eq!((text(&band["low"]), text(&band["high"])), ("50000.1".to_owned(), "105000.0".to_owned()));
        for bound in ["low", "high"] {
            let order = place(&server, &who, "1", "0.001", band[bound].as_str().unwrap(), &[]).await.data()["order"]["id"].to_string();
            server.post_as(token(&who), "/api/coin/cancel", &[("id", &order)]).await.ok();
        }
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let short = place(&server, &who, "2", "1", "100000", &[]).await;
        assert_eq!(short.json()["message"], "Insufficient sellable balance");
        assert_eq!(short.json()["data"]["needed"], "1.00000000");
        assert_eq!(short.json()["data"]["currency"], "BTC");
        let unknown = [("legal_id", "1"), ("currency_id", "3"), ("type", "1"), ("amount", "1"), ("target_price", "1")];
        assert_eq!(server.post_as(token(&who), "/api/coin/trade", &unknown).await.error(), "E_MARKET");
        assert_eq!(server.post("/api/coin/trade", &unknown).await.json()["type"], "999");
        assert_eq!(spot(&server, &who, "3").await, ("1000.000000".to_owned(), "0.000000".to_owned()));

        place(&server, &who, "1", "0.001", "90000", &[("client_order_id", "mine-1")]).await.ok();
        assert_eq!(place(&server, &who, "1", "0.001", "90000", &[("client_order_id", "mine-1")]).await.error(), "E_CLIENT_ID");
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        server.post("/sandbox/clock", &[("advance_ms", "5000")]).await.ok();
        let stale = place(&server, &who, "1", "0.001", "90000", &[]).await;
        assert_eq!((stale.error(), text(&stale.json()["data"]["symbol"])), ("E_PRICE_STALE".to_owned(), "BTC/USDT".to_owned()));
    });
}

#[test]
fn a_cancelled_order_gives_its_hold_back_and_cannot_be_cancelled_twice() {
    both(|server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let stranger = server.member("bob@example.com").await;
        let id = place(&server, &who, "1", "0.001", "90000", &[]).await.data()["order"]["id"].to_string();
        assert_eq!(spot(&server, &who, "3").await, ("910.000000".to_owned(), "90.000000".to_owned()));
        assert_eq!(server.post_as(token(&stranger), "/api/coin/cancel", &[("id", &id)]).await.error(), "E_NOT_FOUND");
        let headers = [("authorization", who.as_str()), ("content-type", "application/json")];
        let cancelled = server.request("PUT", "/api/coin/trade", &headers, format!("{{\"id\":{id}}}")).await.data();
        assert_eq!((&cancelled["order"]["status"], text(&cancelled["order"]["reason"])), (&Json::from(3), "USER".to_owned()));
        assert_eq!(spot(&server, &who, "3").await, ("1000.000000".to_owned(), "0.000000".to_owned()));
        let twice = server.post_as(token(&who), "/api/coin/cancel", &[("id", &id)]).await;
        assert_eq!((twice.error(), text(&twice.json()["data"]["state"])), ("E_STATE".to_owned(), "cancelled".to_owned()));
        assert_eq!(server.post_as(token(&who), "/api/coin/cancel", &[]).await.error(), "E_FIELD");
        assert_eq!(server.post_as(token(&who), "/api/coin/cancel", &[("id", "x")]).await.error(), "E_NOT_FOUND");
    });
}

#[test]
fn a_refused_cancellation_by_name_is_repeated_as_it_was_when_another_order_has_the_name() {
    both(|mut server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000"), ("BTC", "1")]).await;
        let other = trader(&server, "bob@example.com", &[("USDT", "1000")]).await;
        let named = [("client_order_id", "mine")];
        let cancel = async |server: &Server, key: &str| {
            let mine = As { token: &who, key, ..As::default() };
            server.post_as(mine, "/api/coin/cancel", &[("client_order_id", "mine")]).await
        };
        let mut refused = vec![("none", cancel(&server, "none").await, ("E_NOT_FOUND", ""))];
        place(&server, &who, "1", "0.001", "90000", &named).await.ok();
        cancel(&server, "first").await.ok();
        refused.push(("cancelled", cancel(&server, "cancelled").await, ("E_STATE", "cancelled")));
        place(&server, &who, "2", "0.001", "100000", &named).await.ok();
        place(&server, &other, "1", "0.001", "100000", &[]).await.ok();
        refused.push(("completed", cancel(&server, "completed").await, ("E_STATE", "completed")));
        for (_, first, (name, state)) in &refused {
            assert_eq!((first.error().as_str(), text(&first.json()["data"]["state"]).as_str()), (*name, *state));
        }
        let again = async |server: &Server, when: &str| {
            for (key, first, _) in &refused {
                let again = cancel(server, key).await;
                assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")), "{key}, {when}");
                assert_eq!(again.header("x-idempotent-replay"), "1");
            }
        };
        place(&server, &who, "1", "0.001", "90000", &named).await.ok();
        again(&server, "another is open").await;
        cancel(&server, "last").await.ok();
        again(&server, "it has ended").await;
        server.restart().await;
        again(&server, "restarted").await;
    });
}

#[test]
fn an_order_that_the_engine_has_forgotten_is_still_known_to_its_owner() {
    both(|server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let id = place(&server, &who, "1", "0.001", "90000", &[]).await.data()["order"]["id"].to_string();
        server.post_as(token(&who), "/api/coin/cancel", &[("id", &id)]).await.ok();
        // So many orders end afterwards that the engine no longer keeps this one.
        let user = engine::ids::UserId(2);
        let sequencer = &server.running.app.sequencer;
        for _ in 0..=engine::spot::FINISHED_KEPT {
            let kind = engine::spot::OrderKind::Limit {
                price: engine::amount::Price(9_000_000_000_000),
                quantity: 100_000,
                time_in_force: engine::spot::TimeInForce::ImmediateOrCancel,
            };
            let order = engine::spot::PlaceSpotOrder {
                user,
                market: engine::ids::MarketId(1),
                side: engine::spot::Side::Buy,
                kind,
                client_order_id: None,
            };
            sequencer.submit(engine::command::Command::PlaceSpotOrder(order), None).await.unwrap();
        }
        assert!(sequencer.engine().spot_order(user, &engine::spot::OrderRef::Id(engine::ids::OrderId(id.parse().unwrap()))).is_none());
        assert_eq!(server.post_as(token(&who), "/api/coin/cancel", &[("id", &id)]).await.error(), "E_STATE");
        assert_eq!(server.get_as(token(&who), &format!("/api/coin/order?id={id}")).await.ok()["order"]["status"], 3);
    });
}

#[test]
fn a_repeated_order_is_placed_once_also_after_a_restart() {
    both(|mut server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "90000")];
        let mine = As { token: &who, key: "order-1", ..As::default() };
        let first = server.post_as(mine, "/api/coin/trade", &form).await;
        first.ok();
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            let again = server.post_as(mine, "/api/coin/trade", &form).await;
            assert_eq!((again.text.as_str(), again.header("x-seq")), (first.text.as_str(), first.header("x-seq")));
            assert_eq!(again.header("x-idempotent-replay"), "1");
        }
        let other = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.002"), ("target_price", "90000")];
        assert_eq!(server.post_as(mine, "/api/coin/trade", &other).await.error(), "E_DUP_REQUEST");
        assert_eq!(server.get_as(token(&who), "/api/coin/list?status=1").await.ok().as_array().map(Vec::len), Some(1));
    });
}

#[test]
fn a_market_order_is_repeated_without_a_price_too() {
    both(|mut server| async move {
        let seller = trader(&server, "seller@example.com", &[("BTC", "1")]).await;
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        place(&server, &seller, "2", "0.002", "100000", &[]).await.ok();
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("order_type", "market"), ("funds", "100")];
        let mine = As { token: &who, key: "order-1", ..As::default() };
        let first = server.post_as(mine, "/api/coin/trade", &form).await;
        first.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("halt", "1")]).await.ok();
        server.post("/sandbox/clock", &[("advance_ms", "5000")]).await.ok();
        for restart in [false, true] {
            if restart {
                server.restart().await;
            }
            let again = server.post_as(mine, "/api/coin/trade", &form).await;
            assert_eq!((again.text.as_str(), again.header("x-idempotent-replay")), (first.text.as_str(), "1"));
        }
        for more in [&[][..], &[("tif", "ioc")], &[("funds", "x")]] {
            let fresh: Vec<_> =
                form.into_iter().filter(|(name, _)| more.iter().all(|(other, _)| name != other)).chain(more.iter().copied()).collect();
            let stale = server.post_as(token(&who), "/api/coin/trade", &fresh).await;
            assert_eq!(
                (stale.error(), text(&stale.json()["data"]["symbol"])),
                ("E_PRICE_STALE".to_owned(), "BTC/USDT".to_owned()),
                "{more:?}"
            );
        }
    });
}

#[test]
fn a_pause_and_a_freeze_come_before_what_cannot_be_read() {
    both(|server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let unreadable = async |name: &str| {
            for (coin, side, amount, more) in [
                ("77", "1", "0.001", &[][..]),
                ("1", "3", "0.001", &[]),
                ("1", "1", "0.001", &[("order_type", "iceberg")]),
                ("1", "1", "0.001", &[("tif", "day")]),
                ("1", "1", "x", &[]),
            ] {
                let mut form =
                    vec![("legal_id", "3"), ("currency_id", coin), ("type", side), ("amount", amount), ("target_price", "90000")];
                form.extend(more);
                assert_eq!(server.post_as(token(&who), "/api/coin/trade", &form).await.error(), name, "{form:?}");
            }
        };
        server.post_as(token(&who), "/api/user/freeze", &[("password", "secret1"), ("days", "1")]).await.ok();
        unreadable("E_ACCOUNT_FROZEN").await;
        let pause = OperatorAct::Pause { product: Product::Spot, market: None, on: true, reason: documents::plain_digest("why") };
        operate(&server, 1, pause).await.unwrap();
        unreadable("E_DISABLED").await;
    });
}

#[test]
fn a_stop_order_waits_for_the_index_and_cancel_all_takes_what_it_is_asked_for() {
    both(|server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000"), ("BTC", "1")]).await;
        let stop = [("order_type", "stop_limit"), ("stop_price", "99000")];
        let waiting = place(&server, &who, "2", "0.01", "98000", &stop).await.data();
        assert_eq!(waiting["order"]["waiting_trigger"], 1);
        place(&server, &who, "1", "0.001", "60000", &[]).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "98500")]).await.ok();
        let open = server.get_as(token(&who), "/api/coin/list?status=1&type=2").await.ok();
        assert_eq!((&open[0]["waiting_trigger"], &open[0]["id"]), (&Json::from(0), &waiting["order"]["id"]));
        assert_eq!(server.post_as(token(&who), "/api/coin/cancel_all", &[("currency_id", "77")]).await.error(), "E_MARKET");
        let none = server.post_as(token(&who), "/api/coin/cancel_all", &[("currency_id", "2")]).await.data();
        assert_eq!(none["cancelled"].as_array().map(Vec::len), Some(0));
        let all = server.post_as(token(&who), "/api/coin/cancel_all", &[]).await.data();
        assert_eq!(all["cancelled"].as_array().map(Vec::len), Some(2));
    });
}

#[test]
fn open_orders_of_the_state_and_ended_ones_of_the_history_make_one_list() {
    both(|server| async move {
        let who = trader(&server, "ann@example.com", &[("USDT", "1000")]).await;
        let mut ids = Vec::new();
        for at in 1..=6 {
            let client_id = format!("order-{at}");
            let placed = place(&server, &who, "1", "0.001", &format!("9000{at}"), &[("client_order_id", client_id.as_str())]).await;
            ids.push(placed.data()["order"]["id"].to_string());
        }
        let mut seq = String::new();
        for ended in [1, 4] {
            let cancelled = server.post_as(token(&who), "/api/coin/cancel", &[("id", &ids[ended])]).await;
            cancelled.ok();
            seq = cancelled.header("x-seq").to_owned();
        }
        let list = |query: &str| {
            let url = format!("/api/coin/list?{query}");
            let (server, who) = (&server, &who);
            async move {
                let rows = server.get_as(token(who), &url).await.ok();
                let row = |row: &Json| format!("{} {}", text(&row["target_price"]), row["status"]);
                rows.as_array().unwrap().iter().map(row).collect::<Vec<_>>()
            }
        };
        assert_eq!(list("limit=2").await, ["90006.0 1", "90005.0 3"]);
        assert_eq!(list("limit=2&page=2").await, ["90004.0 1", "90003.0 1"]);
        assert_eq!(list("limit=2&page=3").await, ["90002.0 3", "90001.0 1"]);
        assert_eq!(list("limit=4&page=2").await, ["90002.0 3", "90001.0 1"]);
        assert!(list("limit=2&page=4").await.is_empty());
        assert_eq!(list("status=3").await, ["90005.0 3", "90002.0 3"]);
        assert_eq!(list("status=1&limit=3").await, ["90006.0 1", "90004.0 1", "90003.0 1"]);
        assert!(list("type=2").await.is_empty() && list("currency_id=2").await.is_empty());
        // Only the ended ones are rows.
        let head = [("authorization", who.as_str()), ("x-min-seq", seq.as_str())];
        server.request("GET", "/api/coin/fills", &head, "").await.ok();
        let rows = server.running.app.db.query(store::sql!("select count(*) from spot_orders")).await.unwrap();
        assert_eq!(rows.first().unwrap().int(0), Ok(2));
        for (find, status) in
            [(format!("id={}", ids[3]), 1), ("client_order_id=order-4".to_owned(), 1), ("client_order_id=order-5".to_owned(), 3)]
        {
            let found = server.get_as(token(&who), &format!("/api/coin/order?{find}")).await.ok();
            assert_eq!(found["order"]["status"], status, "{find}");
        }
    });
}

#[test]
fn an_order_names_the_entry_that_last_changed_it_however_often_it_is_read() {
    both(|server| async move {
        let seller = trader(&server, "seller@example.com", &[("BTC", "1")]).await;
        let buyer = trader(&server, "buyer@example.com", &[("USDT", "1000")]).await;
        let placed = place(&server, &seller, "2", "0.00200", "100000.0", &[]).await;
        let id = placed.data()["order"]["id"].to_string();
        let read = async || {
            // Entries that do not concern the order.
            server.post("/sandbox/clock", &[("advance_ms", "1000")]).await.ok();
            let open = server.get_as(token(&seller), "/api/coin/list?status=1").await.ok()[0]["seq"].clone();
            let one = server.get_as(token(&seller), &format!("/api/coin/order?id={id}")).await.ok()["order"]["seq"].clone();
            (open.as_u64().unwrap(), one.as_u64().unwrap())
        };
        let seq = placed.data()["order"]["seq"].as_u64().unwrap();
        assert_eq!((read().await, read().await), ((seq, seq), (seq, seq)));
        let filled = place(&server, &buyer, "1", "0.00100", "100000.0", &[]).await.data()["order"]["seq"].as_u64().unwrap();
        assert_eq!((read().await, read().await), ((filled, filled), (filled, filled)));

        // A triggered stop rests as a limit order from that sample on.
        server.post_as(token(&seller), "/api/coin/cancel", &[("id", &id)]).await.ok();
        let stop = [("order_type", "stop_limit"), ("stop_price", "99000")];
        let id = place(&server, &seller, "2", "0.00200", "101000.0", &stop).await.data()["order"]["id"].to_string();
        let pinned = server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "98000")]).await;
        let reached = pinned.ok()["sample"]["seq"].as_u64().unwrap();
        let order = server.get_as(token(&seller), &format!("/api/coin/order?id={id}")).await.ok()["order"].clone();
        assert_eq!(order["seq"].as_u64(), Some(reached), "{order}");
        for part in ["0.00150", "0.00050"] {
            place(&server, &buyer, "1", part, "101000.0", &[]).await.ok();
        }
        // A stop that is filled the moment it triggers had waited, too.
        place(&server, &buyer, "1", "0.00100", "96000.0", &[]).await.ok();
        place(&server, &seller, "2", "0.00100", "95500.0", &[("order_type", "stop_limit"), ("stop_price", "97000")]).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "96500")]).await.ok();
        place(&server, &seller, "2", "0.00100", "100000.0", &[]).await.ok();
        let last = place(&server, &seller, "1", "0.00050", "100000.0", &[]).await;
        assert_eq!(last.data()["order"]["status"], 1);
        let told = async |who: &str, lang: &str| {
            let head = [("authorization", who), ("language-mark", lang), ("x-min-seq", last.header("x-seq"))];
            let list = server.request("GET", "/api/notice/list?kind=order", &head, "").await.ok();
            list["data"].as_array().unwrap().iter().map(|row| text(&row["content"])).collect::<Vec<_>>()
        };
        // One for each order that had waited, when all of it is filled. The owner's own acts, and what the answer said, are not news.
        let met = "Your BTC/USDT order met another order of yours, so it was cancelled. 0 of 0.001 BTC was filled, the rest is free again.";
        let sold = ["0.001 BTC at an average price of 96,000", "0.002 BTC at an average price of 101,000"];
        let [later, first] = sold.map(|figures| format!("You sold {figures} USDT."));
        assert_eq!(told(&seller, "en").await, [met, &later, &first]);
        assert_eq!(told(&buyer, "deyu").await, ["Sie haben 0,001 BTC zum Durchschnittspreis von 96.000 USDT gekauft."]);
    });
}
