//! Coins and pairs that two operators list while the server runs: from the proposal to an order, and every way it is refused.

use std::path::Path;

use engine::backoffice::acts::OperatorAct;
use engine::backoffice::proposals::Proposed;
use engine::catalog::funding::Chain;
use engine::catalog::{Asset, Wallet};
use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::ids::{AssetId, ProposalId};
use engine::listing::change::CatalogChange;
use engine::time::Time;
use serde_json::{Value as Json, json};
use store::documents::plain_digest;
use store::payments::Payment;

use crate::harness::{Answer, Server, both, both_with, on_threads, token};
use crate::live_prices::until;
use crate::operator::{operator, post};
use crate::outside::{at, verify};
use crate::people::{Member, operate};
use crate::socket::Client;

const DAY_MS: u64 = 86_400_000;

struct Operators<'a> {
    server: &'a Server,
    one: String,
    two: String,
}

impl Operators<'_> {
    async fn open(server: &Server) -> Operators<'_> {
        let (one, two) = (operator(server, "one", &["market", "treasury"]).await, operator(server, "two", &["market", "treasury"]).await);
        Operators { server, one, two }
    }

    async fn propose_at(&self, kind: &str, values: &Json, at: u64) -> Answer {
        let (text, at) = (values.to_string(), at.to_string());
        let form = [("kind", kind), ("values", &text), ("effective_ms", &at), ("reason", "members ask for it")];
        self.server.patient(async || post(self.server, &self.one, "catalog/propose", &form).await).await
    }

    async fn agree_on(&self, kind: &str, id: &str, values: &Json) -> Json {
        let form = [("kind", kind), ("id", id), ("values", &values.to_string()), ("reason", "members ask for it")];
        let proposed = self.server.patient(async || post(self.server, &self.one, "catalog/propose", &form).await).await.ok();
        self.confirm(&proposed).await.ok()
    }

    async fn propose(&self, kind: &str, values: &Json) -> Answer {
        self.propose_at(kind, values, 0).await
    }

    async fn confirm_as(&self, who: &str, proposed: &Json) -> Answer {
        let (id, hash) = (proposed["id"].to_string(), proposed["hash"].as_str().unwrap());
        post(self.server, who, "proposal/confirm", &[("id", &id), ("hash", hash)]).await
    }

    async fn confirm(&self, proposed: &Json) -> Answer {
        self.confirm_as(&self.two, proposed).await
    }

    async fn agree(&self, kind: &str, values: &Json) -> Json {
        let proposed = self.propose(kind, values).await.ok();
        self.confirm(&proposed).await.ok()
    }

    async fn list_pair(&self) {
        assert_eq!(self.agree("coin", &token_values()).await["state"], "done");
        assert_eq!(self.agree("pair", &pair_values()).await["state"], "done");
    }

    /// Why a proposal of these values is refused.
    async fn refusal(&self, kind: &str, values: &Json) -> String {
        let data = self.propose(kind, values).await.json()["data"].clone();
        let word = |name: &str| data[name].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}", word("error"), word("field"), word("rule"))
    }
}

fn token_values() -> Json {
    json!({"code": "TOK", "scale": 6, "accounts": ["change", "trust"], "faucet_max": "1000000"})
}

fn pair_values() -> Json {
    json!({
        "base": "TOK", "quote": "USDT", "tick": "0.0001", "step": "0.01", "min_qty": "0.01", "max_qty": "1000000",
        "min_notional": "1", "max_notional": "1000000", "maker_fee": "0.08", "taker_fee": "0.1",
        "band_buy": ["50", "105"], "band_sell": ["95", "200"], "issue_price": "0.5",
    })
}

fn with(values: Json, changed: &[(&str, Json)]) -> Json {
    let mut values = values;
    for (name, value) in changed {
        values[*name] = value.clone();
    }
    values
}

fn without(mut values: Json, name: &str) -> Json {
    values.as_object_mut().unwrap().remove(name);
    values
}

async fn fund(server: &Server, who: &Member, asset: &str, amount: &str) {
    who.post(server, "/sandbox/faucet", &[("asset", asset), ("amount", amount)]).await.ok();
}

async fn trade(server: &Server, who: &Member, side: &str, amount: &str, price: &str) -> Answer {
    let form = [("legal_id", "3"), ("currency_id", "5"), ("type", side), ("amount", amount), ("target_price", price)];
    who.post(server, "/api/coin/trade", &form).await
}

/// A read of what the history has, at least as new as all that was done.
async fn read(server: &Server, path: &str) -> Json {
    let newest = server.running.app.sequencer.engine().seq().0.to_string();
    server.request("GET", path, &[("x-min-seq", &newest)], "").await.ok()
}

/// The public data of the pair: its book, its ticker, its last candle and its last trade.
async fn shown(server: &Server) -> Json {
    let candles = read(server, "/api/currency/new_timeshar?symbol=TOK/USDT&period=1min").await;
    let trades = read(server, "/api/market/trades?symbol=TOK/USDT").await;
    let book = read(server, "/api/market/book?symbol=TOK/USDT").await;
    let ticker = read(server, "/api/market/ticker?symbol=TOK/USDT").await[0].clone();
    let candle = candles.as_array().unwrap().last().cloned().unwrap_or_default();
    json!({
        "bids": book["bids"], "asks": book["asks"], "last": ticker["last"], "volume": ticker["volume"],
        "close": candle["close"], "traded": trades[0]["price"],
    })
}

/// The value of one coin in the wallet list, and of the owner's whole balance.
fn valued(wallet: &Json) -> [String; 2] {
    let row = &wallet["change_wallet"]["balance"][0];
    ["usdt_price", "usdt_total"].map(|field| row[field].as_str().unwrap().to_owned())
}

#[test]
fn two_operators_list_a_coin_and_a_pair_and_members_trade_it_over_http_and_sockets() {
    both(|mut server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let mut client = Client::connect(&server, json!({"token": bob.token})).await;
        assert_eq!(client.ask("sub", json!({"channel": "book", "symbol": "TOK/USDT"})).await["error"], "E_MARKET");
        {
            let desk = Operators::open(&server).await;
            let proposed = desk.propose("coin", &token_values()).await.ok();
            assert_eq!(
                (&proposed["values"]["kind"], &proposed["values"]["id"], &proposed["before"]),
                (&json!("coin"), &json!(5), &Json::Null)
            );
            assert_eq!(proposed["values"]["accounts"], json!(["change", "trust"]));
            // The coin does not exist before a second operator agrees; then it is everywhere.
            assert_eq!(desk.refusal("pair", &pair_values()).await, "E_CATALOG base enum");
            assert_eq!(desk.confirm_as(&desk.one, &proposed).await.error(), "E_SAME_OPERATOR");
            assert_eq!(desk.confirm(&proposed).await.ok()["state"], "done");
            let rows = server.get_as(token(&desk.one), "/operator/api/catalog?kind=coin").await.ok();
            let row = rows.as_array().unwrap().last().unwrap();
            assert_eq!((&row["name"], &row["version"], &row["values"]["scale"]), (&json!("TOK"), &json!(2), &json!(6)));
            // A coin that never had a price is worth 0, and the line of the account continues.
            fund(&server, &ann, "TOK", "1000").await;
            assert_eq!(valued(&ann.get(&server, "/api/wallet/list?currency_name=TOK").await), ["0", "0.000000"]);
            let line = ann.get(&server, "/api/wallet/value_history").await["points"].as_array().unwrap().len();
            assert!(line > 90, "{line}");
            let proposed = desk.propose("pair", &pair_values()).await.ok();
            assert_eq!((&proposed["values"]["symbol"], &proposed["values"]["issue_price"]), (&json!("TOK/USDT"), &json!("0.50000000")));
            assert_eq!((&proposed["values"]["id"], &proposed["before"]), (&json!(7), &Json::Null));
            assert_eq!(desk.confirm_as(&desk.one, &proposed).await.error(), "E_SAME_OPERATOR");
            assert_eq!(desk.confirm(&proposed).await.ok()["state"], "done");
        }
        let config = server.get("/api/app/config").await.ok();
        let (coin, pair) = (&config["currencies"][4], &config["markets"][6]);
        assert_eq!((&coin["code"], &coin["scale"], &coin["is_trust"], &coin["is_lever"]), (&json!("TOK"), &json!(6), &json!(1), &json!(0)));
        assert_eq!(
            (&pair["symbol"], &pair["status"], &pair["tick"], &pair["index"]),
            (&json!("TOK/USDT"), &json!("open"), &json!("0.0001"), &json!(0))
        );
        let groups = server.get("/api/currency/quotation_new").await.ok();
        let listed = groups[0]["quotation"].as_array().unwrap().iter().find(|pair| pair["symbol"] == "TOK/USDT").unwrap().clone();
        // Until the first trade it is worth its issue price, which is never stale.
        let now = ["open_coin_trade", "stale", "now_price", "last_price"].map(|name| listed[name].clone());
        assert_eq!(now, [json!(1), json!(0), json!("0.5000"), Json::Null]);

        assert_eq!(valued(&ann.get(&server, "/api/wallet/list?currency_name=TOK").await), ["0.5000", "500.000000"]);
        fund(&server, &bob, "USDT", "1000").await;
        for (channel, more) in [
            ("book", json!({})),
            ("match_trade", json!({})),
            ("kline", json!({"period": "1min", "series": "trade"})),
            ("daymarket", json!({})),
        ] {
            let room = with(more, &[("channel", json!(channel)), ("symbol", json!("TOK/USDT"))]);
            assert_eq!(client.ask("sub", room).await["code"], 1, "{channel}");
        }
        let snapshot = client.event("book").await;
        assert_eq!((&snapshot["kind"], &snapshot["bids"], &snapshot["asks"]), (&json!("snapshot"), &json!([]), &json!([])));
        // The issue price is 0.5; less than 95 % of it is below the band of a sell.
        assert_eq!(trade(&server, &ann, "2", "100", "0.4").await.error(), "E_BAND");
        assert_eq!(trade(&server, &ann, "2", "100", "0.52001").await.error(), "E_TICK");
        // No sample would ever trigger a stop.
        let stop = [("legal_id", "3"), ("currency_id", "5"), ("type", "2"), ("amount", "100"), ("target_price", "0.48")];
        let stop: Vec<_> = stop.into_iter().chain([("order_type", "stop_limit"), ("stop_price", "0.49")]).collect();
        assert_eq!(ann.post(&server, "/api/coin/trade", &stop).await.error(), "E_TYPE");
        let order = trade(&server, &ann, "2", "100", "0.52").await.data()["order"].clone();
        let delta = client.event("book").await;
        assert_eq!((&delta["prev_seq"], &delta["asks"]), (&snapshot["seq"], &json!([["0.5200", "100.000000"]])));
        let book = server.get("/api/market/book?symbol=TOK/USDT").await.ok();
        assert_eq!((&book["checksum"], &book["seq"]), (&delta["checksum"], &delta["seq"]));
        trade(&server, &bob, "1", "40", "0.52").await.data();
        let candle = client.event("kline").await;
        let told = client.event("match_trade").await;
        assert_eq!((&told["data"][0]["price"], &told["data"][0]["amount"]), (&json!("0.5200"), &json!("40.000000")));
        let day = client.event("daymarket").await;
        // Its reference is the last trade of the last full minute (S-5).
        assert_eq!((candle["close"].as_f64(), &day["now_price"]), (Some(0.52), &json!("0.5000")));
        server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
        assert_eq!(server.get("/api/currency/deal?currency_id=5&legal_id=3").await.ok()["now_price"], "0.5200");

        let traded = shown(&server).await;
        let wanted = json!({
            "bids": [], "asks": [["0.5200", "60.000000"]], "last": "0.5200", "volume": "40.000000", "close": 0.52, "traded": "0.5200",
        });
        assert_eq!(traded, wanted);
        // 40, less the fee of 0.1 %.
        let wallet = bob.get(&server, "/api/wallet/list?currency_name=TOK").await;
        assert_eq!(wallet["change_wallet"]["balance"][0]["change_balance"], "39.960000");
        // A coin is valued at that reference, also in the line of the account.
        assert_eq!(valued(&wallet), ["0.5200", "20.779200"]);
        let line = bob.get(&server, "/api/wallet/value_history").await["points"].as_array().unwrap().clone();
        assert_eq!((line.len() > 90, &line.last().unwrap()["total_usdt"]), (true, &json!("999.979200")));
        let inside = [("currency_id", "5"), ("number", "10"), ("from_field", "change"), ("to_field", "trust")];
        bob.post(&server, "/api/wallet/change", &inside).await.ok();
        assert_eq!(
            bob.post(&server, "/api/wallet/change", &[inside[0], inside[1], inside[2], ("to_field", "lever")]).await.error(),
            "E_ASSET"
        );

        server.restart().await;
        assert_eq!(shown(&server).await, wanted);
        ann.post(&server, "/api/coin/cancel", &[("id", &order["id"].to_string())]).await.ok();
        let mut client = Client::connect(&server, json!({})).await;
        client.ask("sub", json!({"channel": "book", "symbol": "TOK/USDT"})).await;
        let again = client.event("book").await;
        assert!(again["seq"].as_u64() > delta["seq"].as_u64(), "numbers of the book go on");
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

#[test]
fn every_bad_value_is_refused_by_its_name() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let coin = |name: &str, value: Json| with(token_values(), &[(name, value)]);
        for (values, why) in [
            (coin("code", json!("tok")), "code format"),
            (coin("code", json!("T")), "code format"),
            (coin("code", json!("ABCDEFGHIJKLM")), "code format"),
            (coin("code", json!("TÖK")), "code format"),
            (coin("code", json!("BTC")), "code repeated"),
            (coin("code", json!(7)), "code format"),
            (without(token_values(), "code"), "code required"),
            (coin("scale", json!(9)), "scale range"),
            (coin("scale", json!("6")), "scale format"),
            (coin("scale", json!(-1)), "scale format"),
            (coin("scale", json!(260)), "scale range"),
            (coin("accounts", json!(["trust"])), "accounts required"),
            (coin("accounts", json!(["change", "change"])), "accounts repeated"),
            (coin("accounts", json!(["change", "legal"])), "accounts enum"),
            (coin("accounts", json!("change")), "accounts format"),
            (coin("faucet_max", json!("0.0000001")), "faucet_max scale"),
            (coin("faucet_max", json!("99999999999999999999999999")), "faucet_max range"),
            (coin("faucet_max", json!("-1")), "faucet_max format"),
            (coin("id", json!(77)), "id unknown"),
        ] {
            assert_eq!(desk.refusal("coin", &values).await, format!("E_CATALOG {why}"), "{values}");
        }
        desk.list_pair().await;
        assert_eq!(desk.refusal("coin", &token_values()).await, "E_CATALOG code repeated");
        let fresh = || with(pair_values(), &[("quote", json!("USDC"))]);
        let pair = |name: &str, value: Json| with(fresh(), &[(name, value)]);
        for (values, why) in [
            (pair_values(), "symbol repeated"),
            (pair("base", json!("DOGE")), "base enum"),
            (pair("base", json!("tok")), "base enum"),
            (pair("quote", json!("EUR")), "quote enum"),
            (pair("quote", json!("TOK")), "quote repeated"),
            (pair("symbol", json!("TOK/USDT")), "symbol format"),
            (pair("tick", json!("0")), "tick range"),
            (pair("tick", json!("0.000000001")), "tick scale"),
            (pair("tick", json!("")), "tick format"),
            (pair("step", json!("0")), "step range"),
            (pair("step", json!("0.0000001")), "step scale"),
            // One step at one tick would be worth a ten-millionth of a USDC.
            (with(fresh(), &[("tick", json!("0.00001")), ("issue_price", json!("0.5"))]), "step step"),
            (
                with(
                    fresh(),
                    &[("tick", json!("100000")), ("step", json!("100000")), ("min_qty", json!("100000")), ("issue_price", json!("100000"))],
                ),
                "step range",
            ),
            (pair("min_qty", json!("0.001")), "min_qty step"),
            (pair("max_qty", json!("1.001")), "max_qty step"),
            (pair("min_qty", json!("0")), "min_qty range"),
            (pair("min_qty", json!("2000000")), "min_qty range"),
            // Of so small a fee, the smallest order would pay less than an atom.
            (pair("maker_fee", json!("0.000001")), "min_qty range"),
            (pair("max_qty", json!("99999999999999999999")), "max_qty range"),
            (pair("min_notional", json!("0")), "min_notional range"),
            (pair("min_notional", json!("1000001")), "min_notional range"),
            (pair("max_notional", json!("99999999999999999999")), "max_notional range"),
            (pair("maker_fee", json!("100.1")), "maker_fee range"),
            (pair("taker_fee", json!("101")), "taker_fee range"),
            (pair("band_buy", json!(["105", "50"])), "band_buy range"),
            (pair("band_sell", json!(["95"])), "band_sell format"),
            (pair("issue_price", json!("0.50001")), "issue_price step"),
            (pair("issue_price", json!("0")), "issue_price range"),
            (without(fresh(), "issue_price"), "issue_price required"),
            (without(fresh(), "tick"), "tick required"),
            (pair("index_tick", json!("0.0001")), "index_tick unknown"),
            (pair("price", json!("1")), "price unknown"),
        ] {
            assert_eq!(desk.refusal("pair", &values).await, format!("E_CATALOG {why}"), "{values}");
        }
        let sources = |names: &[&str]| with(without(fresh(), "issue_price"), &[("index_tick", json!("0.0001")), ("sources", json!(names))]);
        for (values, why) in [
            (sources(&["alder", "birch"]), "sources length"),
            (sources(&["alder", "birch", "birch"]), "sources repeated"),
            (sources(&["alder", "birch", "nowhere"]), "sources enum"),
            (with(sources(&["alder", "birch", "cedar"]), &[("index_tick", json!("0"))]), "index_tick range"),
            (without(sources(&["alder", "birch", "cedar"]), "index_tick"), "index_tick required"),
        ] {
            assert_eq!(desk.refusal("pair", &values).await, format!("E_CATALOG {why}"), "{values}");
        }
        // The server assigns the number.
        let text = fresh().to_string();
        let form = [("kind", "pair"), ("id", "8"), ("values", &text), ("reason", "a number")];
        let numbered = server.patient(async || post(&server, &desk.one, "catalog/propose", &form).await).await;
        assert_eq!(numbered.error(), "E_NOT_FOUND");
        assert_eq!(desk.propose("listing", &fresh()).await.error(), "E_FIELD");
        let early = server.running.app.now_ms() + 3_600_000;
        let refused = desk.propose_at("pair", &sources(&["alder", "birch", "cedar"]), early).await;
        assert_eq!((refused.error(), &refused.json()["data"]["field"]), ("E_FIELD".to_owned(), &json!("effective_ms")));
        assert_eq!(server.patient(async || server.get_as(token(&desk.one), "/operator/api/proposals").await).await.ok()["total"], 0);
    });
}

#[test]
fn a_code_that_two_proposals_list_is_listed_once() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let found = async |id: &Json| {
            let refused = server.get_as(token(&desk.one), "/operator/api/proposals?state=refused").await.ok();
            refused["data"].as_array().unwrap().iter().find(|one| one["id"] == *id).cloned().unwrap()
        };
        // One after the other.
        let (first, second) = (desk.propose("coin", &token_values()).await.ok(), desk.propose("coin", &token_values()).await.ok());
        assert_eq!((&first["values"]["id"], &second["values"]["id"]), (&json!(5), &json!(6)));
        assert_eq!(desk.confirm(&first).await.ok()["state"], "done");
        let refused = desk.confirm(&second).await.json()["data"].clone();
        assert_eq!(
            [&refused["error"], &refused["field"], &refused["rule"], &refused["state"]],
            ["E_CATALOG", "code", "repeated", "refused"]
        );
        let kept = found(&second["id"]).await;
        assert_eq!([&kept["error"], &kept["error_field"], &kept["error_rule"]], ["E_CATALOG", "code", "repeated"]);

        // Both are confirmed before either acts: the later one is refused at its instant.
        let at = server.running.app.now_ms() + DAY_MS;
        let new = with(token_values(), &[("code", json!("NEW"))]);
        let (first, second) = (desk.propose_at("coin", &new, at).await.ok(), desk.propose_at("coin", &new, at + 1).await.ok());
        for proposed in [&first, &second] {
            assert_eq!(desk.confirm(proposed).await.ok()["state"], "waiting");
        }
        server.post("/sandbox/clock", &[("advance_ms", &(DAY_MS + 1_000).to_string())]).await.ok();
        let kept = found(&second["id"]).await;
        assert_eq!([&kept["error"], &kept["error_field"], &kept["error_rule"]], ["E_CATALOG", "code", "repeated"]);
        let codes: Vec<String> = server.running.app.catalog.assets.iter().map(|asset| asset.code.clone()).collect();
        assert_eq!(codes, ["BTC", "ETH", "USDT", "USDC", "TOK", "NEW"]);

        // Two proposed at the very same instant got the same number.
        let coin = |code: &str| Asset { id: AssetId(50), code: code.to_owned(), scale: 6, wallets: vec![Wallet::Spot], faucet_max: 0 };
        let mut ids = Vec::new();
        for code in ["AAA", "BBB"] {
            let proposed = Proposed::ChangeCatalog { change: CatalogChange::ListCoin(Box::new(coin(code))), effective: Time(0) };
            let act = OperatorAct::Propose { proposed, reason: plain_digest("at once") };
            ids.push(ProposalId(operate(&server, 3, act).await.unwrap()));
        }
        let hash = |id: usize| {
            let engine = server.running.app.sequencer.engine();
            json!({"id": ids[id].0, "hash": store::secrets::hex(&engine.proposal(ids[id]).unwrap().hash().0)})
        };
        assert_eq!(desk.confirm(&hash(0)).await.ok()["state"], "done");
        let refused = desk.confirm(&hash(1)).await.json()["data"].clone();
        assert_eq!([&refused["error"], &refused["field"], &refused["rule"]], ["E_CATALOG", "id", "repeated"]);
    });
}

#[test]
fn a_new_pair_is_closed_where_spot_is_closed() {
    both(|server| async move {
        let desk = Operators::open(&server).await;
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        ann.verify(&server, "AB123456").await;
        let table = json!({"country": "DE", "spot": "off", "deposit_coin": "on", "deposit_bank": "on", "withdraw_coin": "on", "withdraw_bank": "on",
            "option": "on", "contract": "on", "plan": "on", "subscription": "on", "loan": "on", "flash": "on"});
        desk.agree("country", &table).await;
        desk.list_pair().await;
        for who in [&ann, &bob] {
            fund(&server, who, "USDT", "100").await;
        }
        assert_eq!(trade(&server, &ann, "1", "10", "0.5").await.error(), "E_COUNTRY");
        trade(&server, &bob, "1", "10", "0.5").await.data();
        let status = async || server.get("/api/app/config").await.ok()["markets"][6]["status"].clone();
        let pause = async |market: &[(&str, &str)], on: &str| {
            let form: Vec<_> = [("product", "spot"), ("on", on), ("reason", "a test")].into_iter().chain(market.iter().copied()).collect();
            post(&server, &desk.one, "catalog/pause", &form).await.ok();
        };
        // A pause of the product applies to a pair that is listed under it, and a pair can be paused by itself.
        for market in [&[][..], &[("match_id", "7")]] {
            pause(market, "1").await;
            assert_eq!((trade(&server, &bob, "1", "10", "0.5").await.error(), status().await), ("E_DISABLED".to_owned(), json!("paused")));
            pause(market, "0").await;
            assert_eq!(status().await, "open");
        }
        pause(&[], "1").await;
        let other = with(pair_values(), &[("quote", json!("USDC"))]);
        desk.agree("pair", &other).await;
        assert_eq!(server.get("/api/app/config").await.ok()["markets"][7]["status"], "paused");
    });
}

#[test]
fn a_pair_with_an_index_opens_two_days_later_and_is_quoted_by_its_sources_and_the_house() {
    both_with(&["--house-liquidity", "on"], |mut server| async move {
        {
            let desk = Operators::open(&server).await;
            desk.agree("coin", &token_values()).await;
            let sources = json!(["alder", "birch", "cedar", "hazel"]);
            let values = with(without(pair_values(), "issue_price"), &[("index_tick", json!("0.0001")), ("sources", sources)]);
            let confirmed = desk.agree("pair", &values).await;
            assert_eq!((&confirmed["state"], confirmed["effective_ms"].is_u64()), (&json!("waiting"), true));
        }
        assert_eq!(server.get("/api/market/book?symbol=TOK/USDT").await.error(), "E_MARKET");
        server.post("/sandbox/clock", &[("advance_ms", &(2 * DAY_MS + 1_000).to_string())]).await.ok();
        let mut client = Client::connect(&server, json!({})).await;
        assert_eq!(client.ask("sub", json!({"channel": "index", "symbol": "TOK/USDT"})).await["code"], 1);
        for restarted in [false, true] {
            if restarted {
                assert!(client.event("index").await["data"]["price"].as_str().is_some());
                server.restart().await;
            }
            server.post("/sandbox/clock", &[("advance_ms", "1000")]).await.ok();
            let pair = server.get("/api/currency/deal?currency_id=5&legal_id=3").await.ok();
            let price: f64 = pair["index_price"].as_str().unwrap().parse().unwrap();
            assert!(pair["stale"] == 0 && price > 0.9 && price < 1.1, "{pair}");
            let to = server.running.app.now_ms();
            let samples = read(&server, &format!("/api/market/index?symbol=TOK/USDT&from_ms={}&to_ms={}", to - 5_000, to + 1_000)).await;
            let names = samples.as_array().unwrap().iter().rev().map(|sample| sample["sources"].as_array().unwrap());
            let named = |name: &&str| names.clone().flatten().any(|source| source["name"] == *name);
            // One may have been silent since the start.
            let own = ["alder", "birch", "cedar", "hazel"].iter().filter(|name| named(name)).count();
            assert!(own >= 3 && !named(&"maple"), "{samples}");
            let candles = read(&server, "/api/currency/new_timeshar?symbol=TOK/USDT&period=1min").await;
            assert!(!candles.as_array().unwrap().is_empty());
            // The house buys a coin that it does not have; all of it is below the index.
            let book = read(&server, "/api/market/book?symbol=TOK/USDT").await;
            assert!(!book["bids"].as_array().unwrap().is_empty() && book["asks"] == json!([]), "{book}");
        }
        // From outside, its prices are computed once more like those of the first entry, also by a source that was added since.
        let more = json!({"sources": ["alder", "birch", "cedar", "hazel", "maple"]});
        let desk = Operators::open(&server).await;
        assert_eq!(desk.agree_on("index_source", "7", &more).await["state"], "waiting");
        server.post("/sandbox/clock", &[("advance_ms", &(2 * DAY_MS).to_string())]).await.ok();
        until(&server, "TOK/USDT", |index| index["sources"].as_array().is_some_and(|all| all.iter().any(|one| one["name"] == "maple")))
            .await;
        let now = server.running.app.sequencer.engine().seq().0;
        while server.get("/api/proof/head").await.json()["message"]["seq"].as_u64() < Some(now) {
            server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
        let report = verify(at(&server.url("/"))).await.unwrap();
        assert!(report.unshown.is_empty(), "{report:?}");
        let settlement = server.get_as(token(&operator(&server, "one", &["market"]).await), "/operator/api/settlement").await.ok();
        let feed = settlement["feeds"].as_array().unwrap().iter().find(|feed| feed["symbol"] == "TOK/USDT").unwrap().clone();
        assert_eq!(feed["sources"].as_array().unwrap().len(), 5);
        // A tester pins it like any other; the house observes the filters of the pair.
        let pin = async |price: &str| server.post("/sandbox/price", &[("symbol", "TOK/USDT"), ("price", price)]).await;
        assert_eq!(pin("0.00002").await.error(), "E_TICK");
        assert_eq!(pin("0.0002").await.ok()["sample"]["price"], "0.0002");
        server.post("/sandbox/clock", &[("advance_ms", "1000")]).await.ok();
        let bids = read(&server, "/api/market/book?symbol=TOK/USDT").await["bids"].clone();
        assert_eq!(bids, json!([["0.0001", "8000000.000000"]]));
    });
}

#[test]
fn a_listed_coin_is_deposited_and_its_rows_are_made_again_under_the_catalog_that_it_was_listed_in() {
    on_threads(2, |mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        drop(Operators::open(&server).await);
        server.running.stop().await;
        let older = tempfile::tempdir().unwrap();
        copy_rows(server.folder(), older.path());
        server.try_restart().await.unwrap();
        {
            let desk = Operators::open(&server).await;
            desk.list_pair().await;
            assert_eq!(ann.post(&server, "/api/wallet/get_in_address", &[("currency", "5")]).await.error(), "E_DISABLED");
            let network = json!({"currency_id": 5, "chain": "TRC20", "confirmations": 20, "deposit_min": "1", "withdraw_min": "3",
                "withdraw_fee": "1", "deposit_on": 1, "withdraw_on": 1});
            assert_eq!(desk.agree("network", &network).await["state"], "done");
        }
        let address = ann.post(&server, "/api/wallet/get_in_address", &[("currency", "5")]).await.ok();
        assert!(address["TRC20"].as_str().unwrap().starts_with("SANDBOX-TRC20-"), "{address}");
        let app = server.running.app.clone();
        let payment = Payment { chain: "TRC20".into(), tx: "beef".into(), output: 0, address: "T".into() };
        app.db.exec(payment.keep()).await.unwrap();
        let observed = Observed { user: ann.id, asset: AssetId(5), chain: Chain::Trc20, amount: 25_000_000 };
        app.sequencer.submit(Command::ObserveDeposit { tx: payment.digest(), observed, confirmations: 20 }, None).await.unwrap();
        drop(app);
        {
            // Without a price it is unknown whether the amount is small enough, so an operator reviews it.
            let desk = Operators::open(&server).await;
            let newest = server.running.app.sequencer.engine().seq().0.to_string();
            let headers = [("authorization", desk.one.as_str()), ("x-min-seq", &newest)];
            let row = server.request("GET", "/operator/api/queue?kind=deposit", &headers, "").await.ok()["data"][0].clone();
            assert_eq!((&row["summary"], &row["value_usdt"]), (&json!("25.000000 TOK on TRC20, seen"), &Json::Null), "{row}");
            let (id, version, hash) = (row["id"].to_string(), row["version"].to_string(), row["hash"].as_str().unwrap());
            let form = [("kind", "deposit"), ("id", &id), ("version", &version), ("hash", hash), ("decision", "approve")];
            for who in [&desk.one, &desk.two].into_iter().take(usize::try_from(row["needs"].as_u64().unwrap()).unwrap()) {
                post(&server, who, "decide", &form).await.ok();
            }
        }
        let told = async |server: &Server| {
            let row = ann.get(server, "/api/charge_mention/log2").await["data"][0].clone();
            assert_eq!((&row["amount"], &row["credited"]), (&json!("25.000000"), &json!("25.000000")), "{row}");
            ann.get(server, "/api/notice/list?kind=deposit").await["data"][0]["content"].as_str().unwrap().to_owned()
        };
        let content = told(&server).await;
        assert!(content.starts_with("25 TOK "), "{content}");
        // The rows from before the listing: a start makes the later ones from the log.
        server.running.stop().await;
        copy_rows(older.path(), server.folder());
        server.try_restart().await.unwrap();
        assert_eq!(told(&server).await, content);
        // It can leave too: for the limit of the day it counts at its issue price (W-5).
        ann.verify(&server, "X0000001").await;
        let info = ann.get(&server, "/api/wallet/get_info?currency=5&netType=TRC20").await;
        assert_eq!(info["max_number"], "25.000000", "{info}");
    });
}

/// The rows of people and of the history, with what their log still has.
fn copy_rows(from: &Path, to: &Path) {
    for name in ["meridian.db", "meridian.db-wal", "meridian.db-shm"] {
        let _ = std::fs::remove_file(to.join(name));
        if from.join(name).exists() {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
}
