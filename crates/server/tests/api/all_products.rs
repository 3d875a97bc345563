//! A member who uses every product: the value line shows for each instant what the calls gave then, each product changes it only by what it
//! earned or cost, the exit kit contains all of it, and no row of a product can be changed unnoticed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use server::verify::kit;
use store::db::Sql;

use crate::exit_kit::made;
use crate::harness::{Server, both, token};
use crate::loans::{ask, detail, lent};
use crate::operator::operator;
use crate::operator_money::{APPROVE, decide, first};
use crate::people::Member;
use crate::referral::invited;
use crate::subscriptions::{Operators, pay};
use crate::tie_out;

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;
/// Worths are rounded down coin by coin and flow by flow: so many millionths of a USDT may be lost between two instants.
const ROUNDED: i128 = 8;

/// All that there is after the conversion, atoms.
const BITCOIN: i128 = 100_998_001;

/// A decimal with all its digits, as atoms.
fn digits(text: &Json) -> i128 {
    text.as_str().unwrap_or_else(|| panic!("{text}")).replace('.', "").parse().unwrap()
}

/// The sum of all calls at an instant: the balances of the accounts, and what is open besides.
struct Seen {
    at: u64,
    accounts: i128,
    open: i128,
    /// By how much the line has moved since the instant before.
    moved: i128,
    what: &'static str,
}

/// A point of the line: accounts, open things, and what came in after it.
fn parts(point: &Json) -> [i128; 3] {
    ["total_usdt", "open_usdt", "net_in_usdt"].map(|field| digits(&point[field]))
}

/// The value that the line draws.
fn whole(point: &Json) -> i128 {
    parts(point).iter().sum()
}

struct Story<'a> {
    server: &'a Server,
    ann: &'a Member,
    /// The first midnight of it.
    midnight: u64,
    seen: Vec<Seen>,
}

impl Story<'_> {
    fn day(&self, day: u64, hour: u64) -> u64 {
        self.midnight + day * DAY_MS + hour * HOUR_MS
    }

    async fn to(&self, ms: u64) {
        self.server.post("/sandbox/clock", &[("to_ms", &ms.to_string())]).await.ok();
    }

    async fn pin(&self, price: &str) {
        self.server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Json {
        self.ann.post(self.server, path, form).await.data()
    }

    async fn get(&self, path: &str) -> Json {
        let newest = self.server.running.app.sequencer.engine().seq().0.to_string();
        let headers = [("authorization", self.ann.token.as_str()), ("x-min-seq", newest.as_str())];
        self.server.patient(async || self.server.request("GET", path, &headers, "").await).await.ok()
    }

    /// Right after an instant of the line: adds up what the calls say, as the app does.
    async fn look(&mut self, day: u64, hour: u64, moved: i128, what: &'static str) {
        let at = self.day(day, hour);
        self.to(at + 5).await;
        let wallet = self.get("/api/wallet/list").await;
        let options = self.get("/api/microtrade/lists?status=1").await["data"].clone();
        let paid = self.get("/api/lh/send/order_list?status=1").await["order_list"].clone();
        let staked: i128 = options.as_array().unwrap().iter().map(|option| digits(&option["number"])).sum();
        let committed = |row: &Json| digits(&row[if row["exam_status"] == 3 { "amount" } else { "charge" }]);
        let committed: i128 = paid.as_array().unwrap().iter().map(committed).sum();
        let loans = self.get("/api/user/bosslist?status=2").await["data"].clone();
        let owed: i128 = loans.as_array().unwrap().iter().map(|loan| digits(&loan["debt"])).sum();
        let open = staked + committed + digits(&wallet["lever_wallet"]["unrealised"]) - owed;
        self.seen.push(Seen { at, accounts: digits(&wallet["total_usdt"]), open, moved, what });
    }
}

/// The points of the line at the observed instants.
async fn points(story: &Story<'_>) -> Vec<[i128; 3]> {
    let history = story.get("/api/wallet/value_history?range=1m").await;
    let points = history["points"].as_array().unwrap();
    let of =
        |seen: &Seen| parts(points.iter().find(|point| point["time_ms"] == seen.at).unwrap_or_else(|| panic!("no point of {}", seen.what)));
    story.seen.iter().map(of).collect()
}

#[test]
fn every_product_moves_the_line_by_what_it_earned_or_cost_alone_and_is_in_the_exit_kit() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let bob = invited(&server, "bob@example.com", &ann).await;
        ann.submit_basic(&server, "AB123456").await.ok();
        let verifier = operator(&server, "eve", &["verifier"]).await;
        decide(&server, &verifier, &first(&server, &verifier, "identity").await, APPROVE).await.ok();
        let treasurer = operator(&server, "tom", &["treasury"]).await;
        let desk = Operators::open(&server).await;
        let midnight = (server.running.app.now_ms() / DAY_MS + 1) * DAY_MS;
        let mut story = Story { server: &server, ann: &ann, midnight, seen: Vec::new() };
        story.to(midnight + HOUR_MS).await;
        story.pin("100000").await;
        for (coin, amount, account) in [
            ("USDT", "5000", "change"),
            ("USDT", "2000", "trust"),
            ("USDT", "1000", "micro"),
            ("USDT", "1000", "lever"),
            ("BTC", "1", "change"),
        ] {
            let form = [("asset", coin), ("amount", amount), ("account", account)];
            ann.post(&server, "/sandbox/faucet", &form).await.ok();
        }
        bob.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        story.look(0, 4, 0, "what came in").await;

        let plan = |id: &'static str| [("config_id", id), ("amount", "1000"), ("agree", "1")];
        story.post("/api/lh/deposit", &plan("1")).await;
        let redeemed = story.post("/api/lh/deposit", &plan("2")).await["order"]["id"].to_string();
        story.look(0, 8, 0, "two plans bought").await;

        let close = json!(story.day(0, 13));
        let offering = desk.offer(&[("close_ms", close.clone()), ("launch_ms", close)]).await;
        for (who, amount) in [(&ann, "100"), (&bob, "50")] {
            pay(&server, who, &offering, amount).await.ok();
        }
        story.look(0, 12, 0, "committed").await;
        story.look(0, 16, 0, "allotted").await;
        // Nor at the very instant of the close, when the payment of 100 becomes a charge of 50.
        let day = story.get("/api/wallet/value_history").await["points"].clone();
        let at = |hour| whole(day.as_array().unwrap().iter().find(|point| point["time_ms"] == story.day(0, hour)).unwrap());
        assert_eq!((at(13), at(14)), (at(12), at(12)));
        let proposed = desk.launch(&offering).await.ok();
        assert_eq!(desk.confirm(&proposed).await["state"], "done");
        story.look(0, 20, 0, "launched").await;
        story.look(1, 4, 0, "released").await;

        let coin = server.running.app.sequencer.engine().catalog().markets.last().unwrap().base.0.to_string();
        for (who, side) in [(&ann, "2"), (&bob, "1")] {
            let form = [("legal_id", "3"), ("currency_id", coin.as_str()), ("type", side), ("amount", "20"), ("target_price", "0.51")];
            who.post(&server, "/api/coin/trade", &form).await.ok();
        }
        // 10.19184 for 20 tokens, and 80 that are worth a hundredth more.
        story.look(1, 8, 991_840, "traded").await;

        story.pin("100000").await;
        let sold = [("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "1000"), ("min_net", "0.00998001")];
        story.post("/api/wallet/flashAgainst", &sold).await;
        story.look(1, 12, -1_999_000, "converted").await;

        story.to(story.day(1, 16) - 30_000).await;
        story.pin("100000").await;
        let bet = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "100")];
        ann.post(&server, "/api/microtrade/submit", &bet).await.ok();
        story.look(1, 16, -500_000, "an option that runs").await;
        story.pin("100005.01").await;
        story.to(story.day(1, 16) + 60_000).await;
        story.pin("100000").await;
        let long = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
        let position = story.post("/api/lever/submit", &long).await["position"]["id"].to_string();
        let stops = [("id", position.as_str()), ("target_profit_price", "110000"), ("stop_loss_price", "95000")];
        story.post("/api/lever/setstop", &stops).await;
        // It won 70. Deducted are the contract's fee, and what the spread would cost now.
        story.look(1, 20, 70_000_000 - 500_050 - 100_000, "an option won, a contract open").await;
        story.pin("100000").await;
        story.post("/api/lever/close", &[("id", &position)]).await;

        // At midnight a fifth of bob's fee: 0.004 of the token.
        story.look(2, 4, -100_000 - 499_950 + 2_040, "a contract closed, a rebate").await;

        let first = lent(&server, &ann, &treasurer, &[]).await;
        // The interest of the first day.
        story.look(2, 8, -300_000, "borrowed").await;
        ask(&server, &ann, "bossrepay", &first, &[("all", "1")]).await.ok();
        story.look(2, 12, 0, "repaid with interest").await;
        let second = lent(&server, &ann, &treasurer, &[]).await;
        story.look(2, 16, -300_000, "borrowed again").await;
        story.to(story.day(2, 20) - HOUR_MS / 2).await;
        story.pin("72000").await;
        // All of the BTC lost value, and the fee is a fiftieth of a debt of 600.30. That part of it was sold for the debt changes nothing.
        story.look(2, 20, -28_000 * BITCOIN / 100 - 12_006_000, "collateral sold").await;
        let ended = detail(&server, &ann, &second).await;
        assert_eq!((&ended["status"], &ended["reason"]), (&json!(3), &json!("LIQUIDATED")));
        story.pin("100000").await;
        story.look(3, 4, 28_000 * (BITCOIN - digits(&ended["sold"])) / 100, "the price is back").await;

        story.post("/api/lh/deposit/order/cancel", &[("id", &redeemed)]).await;
        // 8 of interest, less 52 and 6.
        story.look(3, 8, -50_000_000, "a plan taken back").await;
        story.look(8, 4, 10_500_000, "a plan matured").await;

        let points = points(&story).await;
        for (seen, [accounts, open, _]) in story.seen.iter().zip(&points) {
            assert_eq!((accounts, open), (&seen.accounts, &seen.open), "{}", seen.what);
        }
        for (seen, pair) in story.seen[1..].iter().zip(points.windows(2)) {
            let [before, after] = [&pair[0], &pair[1]].map(|point| point.iter().sum::<i128>());
            let off = after - before - seen.moved;
            assert!(off.abs() <= ROUNDED, "{}: moved by {}, and not by {}", seen.what, after - before, seen.moved);
        }
        let runs: Vec<&str> = story.seen.iter().filter(|seen| seen.open != 0).map(|seen| seen.what).collect();
        let expected = ["committed", "allotted", "an option that runs", "an option won, a contract open", "borrowed", "borrowed again"];
        assert_eq!(runs, expected);

        is_in_the_kit(&server, &ann).await;
        movements_add_up(&server).await;
        is_held_against_the_log(&mut server).await;
    });
}

/// The movements of the house accounts, added up by account and coin, and their kinds.
async fn added_up(server: &Server) -> (BTreeMap<(String, String), i128>, BTreeSet<u64>) {
    let (mut sums, mut kinds, mut after) = (BTreeMap::new(), BTreeSet::new(), 0);
    loop {
        let rows = server.get(&format!("/api/public/movements?after={after}&limit=20")).await.ok();
        for row in rows.as_array().unwrap() {
            let of = ["account", "currency_name"].map(|field| row[field].as_str().unwrap().to_owned());
            *sums.entry(of.into()).or_default() += digits(&row["received"]) - digits(&row["paid"]);
            kinds.insert(row["kind"].as_u64().unwrap());
            assert!(row["id"].as_u64().unwrap() > after && row["seq"].as_u64().unwrap() > 0, "{row}");
            after = row["id"].as_u64().unwrap();
        }
        if rows.as_array().unwrap().len() < 20 {
            return (sums, kinds);
        }
    }
}

/// The movements of the house are all its balances, and of no movement can be silent.
async fn movements_add_up(server: &Server) {
    let pools = server.get("/api/public/pools").await;
    let mut balances: BTreeMap<(String, String), i128> = BTreeMap::new();
    for pool in pools.ok().as_array().unwrap() {
        let of = ["account", "currency_name"].map(|field| pool[field].as_str().unwrap().to_owned());
        balances.insert(of.into(), digits(&pool["balance"]));
    }
    for coin in pools.data()["liquidity"].as_array().unwrap() {
        balances.insert(("liquidity".to_owned(), coin["currency_name"].as_str().unwrap().to_owned()), digits(&coin["balance"]));
    }
    balances.retain(|_, balance| *balance != 0);
    let whole = async || {
        let (mut sums, kinds) = added_up(server).await;
        sums.retain(|_, sum| *sum != 0);
        (sums, kinds)
    };
    let (sums, kinds) = whole().await;
    assert_eq!(sums, balances);
    assert_eq!(balances.keys().map(|(account, _)| account).collect::<BTreeSet<_>>().len(), 10, "{balances:?}");
    let expected = [31, 33, 35, 44, 45, 53, 211, 213, 214, 502, 600, 601, 602, 2_022, 2_023, 3_003, 3_004, 3_005];
    let missing: Vec<_> = expected.iter().filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "no movement of {missing:?} in {kinds:?}");
    for bad in ["after=x", "after=-1", "limit=x"] {
        assert_eq!(server.get(&format!("/api/public/movements?{bad}")).await.error(), "E_FIELD", "{bad}");
    }
    assert_eq!(server.get("/api/public/movements?after=9007199254740991").await.ok(), json!([]));
    let db = &server.running.app.db;
    tie_out::change(db, "update house_days set received = received + 1 where kind = 502", Vec::new()).await;
    assert_ne!(whole().await.0, balances);
    tie_out::change(db, "update house_days set received = received - 1 where kind = 502", Vec::new()).await;
}

/// No row of any product can be changed unnoticed.
async fn is_held_against_the_log(server: &mut Server) {
    let db = server.running.app.db.clone();
    server.running.stop().await;
    server.verify().await.unwrap();
    for (table, key, cell) in [
        ("options", "id", "body"),
        ("option_minutes", "start_ms", "paid"),
        ("contracts", "id", "body"),
        ("contract_trades", "position", "quantity"),
        ("contract_stops", "seq", "market"),
        ("loans", "id", "body"),
        ("conversions", "id", "body"),
        ("commitments", "id", "body"),
        ("rebates", "id", "amount"),
        ("plan_orders", "id", "body"),
        ("house_days", "seq", "received"),
    ] {
        let found = db.query(Sql::new(format!("select {key}, {cell} from {table} order by {key} desc limit 1"), vec![])).await.unwrap();
        let [row, was] = found.rows.first().unwrap_or_else(|| panic!("no row of {table}")).0.as_slice() else { panic!("two cells") };
        let set = format!("update {table} set {cell} = $1 where {key} = $2");
        tie_out::change(&db, &set, vec![tie_out::other(cell, was), row.clone()]).await;
        let noticed = server.verify().await.expect_err(table).0;
        assert!(noticed.contains(&format!("{table} is not what the log gives")), "{table}: {noticed}");
        tie_out::change(&db, &set, vec![was.clone(), row.clone()]).await;
    }
    server.verify().await.unwrap();
}

/// The kit can be checked on its own, has a line of every kind the products make, and ends at the balances the accounts show.
async fn is_in_the_kit(server: &Server, ann: &Member) {
    let (_, url) = made(server, ann).await;
    let (mut head, mut bytes) = server.bytes(token(&ann.token), &url).await;
    // A busy node says so, and the app asks again.
    for _ in 0..60 {
        if head.status != 503 && head.status != 429 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        (head, bytes) = server.bytes(token(&ann.token), &url).await;
    }
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(head.status, 200, "{text}");
    let kit = kit::check(text.as_bytes(), None).unwrap();
    let line = |line: &str| serde_json::from_str::<Json>(line).unwrap()["line"]["kind"].as_u64();
    let kinds: BTreeSet<u64> = text.lines().filter_map(line).collect();
    let expected = [
        30, 31, 33, 35, 44, 45, 50, 51, 53, 210, 501, 502, 600, 601, 602, 1_004, 1_005, 2_022, 2_023, 2_024, 2_025, 3_001, 3_002, 3_003,
        3_004, 3_005,
    ];
    let missing: Vec<_> = expected.iter().filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "no line of {missing:?} in {kinds:?}");
    let wallet = ann.get(server, "/api/wallet/list").await;
    for account in ["change", "lever", "micro", "trust"] {
        for row in wallet[format!("{account}_wallet")]["balance"].as_array().unwrap() {
            for (part, field) in [("avail", "balance"), ("frozen", "lock_balance")] {
                let shown = digits(&row[field]);
                let place = (account.to_owned(), row["currency_name"].as_str().unwrap().to_owned(), part.to_owned());
                assert_eq!(i128::from(kit.balances.get(&place).copied().unwrap_or(0)), shown, "{place:?}");
            }
        }
    }
}
