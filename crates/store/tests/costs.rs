//! Costs of coins, flows and sums of the house that follow a log: of every journal that the engine keeps, which has all products in all their ends.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

use engine::Engine;
use engine::amount::Price;
use engine::catalog::{Catalog, Wallet};
use engine::codec::{self, Encoded};
use engine::command::Entry;
use engine::event::Event;
use engine::ids::{AssetId, MarketId, Seq, UserId};
use engine::index::IndexSample;
use engine::ledger::{HouseAccount, LineKind, ObjectKind, Owner, Part, Posting, PostingSide};
use engine::published::Published;
use engine::time::Time;
use store::db::{Db, Row, Sql};
use store::flows::{self, Flow};
use store::people::HOUSE;
use store::{Mark, Written, house_days, rows, sql, tie_out};
use tokio::sync::mpsc;

/// `seq time kind version public private = outcome`.
fn entry(line: &str) -> Entry {
    let words: Vec<&str> = line.split(" = ").next().unwrap().split(' ').collect();
    let [seq, time, kind, version, public, private] = words.as_slice() else { panic!("{line} is no entry") };
    let bytes = |text: &str| match text {
        "-" => Vec::new(),
        hex => (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect(),
    };
    let encoded =
        Encoded { kind: kind.parse().unwrap(), version: version.parse().unwrap(), public: bytes(public), private: bytes(private) };
    codec::decode(Seq(seq.parse().unwrap()), Time(time.parse().unwrap()), &encoded).unwrap()
}

/// The journals, each with the state at its end and the facts of its entries.
fn journals() -> Vec<(PathBuf, Engine, Vec<Published>)> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/golden");
    let releases = std::fs::read_dir(golden).unwrap().map(|entry| entry.unwrap().path().join("journals")).filter(|path| path.is_dir());
    let files = releases.flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let journal = |path: PathBuf| {
        let (mut engine, mut facts) = (Engine::default(), Vec::new());
        for entry in std::fs::read_to_string(&path).unwrap().lines().map(entry) {
            let mut events = Vec::new();
            engine.apply(&entry, &mut events);
            facts.push(Published { seq: entry.seq, time: entry.time, events, balances: Vec::new(), answer: None, stops: None });
        }
        (path, engine, facts)
    };
    files.map(journal).collect()
}

async fn database(folder: &tempfile::TempDir) -> Db {
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.migrate(&store::migrations()).await.unwrap();
    db
}

/// Follows these entries as a start does, to their end.
async fn follow(db: &Db, catalog: &Catalog, facts: &[Published]) {
    let (sender, inbox) = mpsc::channel(4);
    let feeding = async {
        for batch in facts.chunks(7) {
            sender.send(batch.into()).await.unwrap();
        }
        drop(sender);
    };
    let (ran, ()) = tokio::join!(rows::run(db.clone(), Mark::default(), catalog, inbox, |_| async {}), feeding);
    ran.unwrap();
}

const TABLES: [&str; 6] = ["costs", "costs_aside", "cost_prices", "house_days", "flows", "fee_days"];

/// The contents of the tables.
async fn found(db: &Db) -> Vec<Vec<Row>> {
    let mut found = Vec::new();
    for table in TABLES {
        // Numbers of days depend on how the entries were gathered.
        let (columns, order) = match table {
            "house_days" => ("day, account, asset, kind, received, paid, seq", "1, 2, 3, 4"),
            "flows" => ("*", "1, 2, 3, 4"),
            "fee_days" => ("*", "1, 2, 3"),
            _ => ("*", "1, 2"),
        };
        found.push(db.query(Sql::new(format!("select {columns} from {table} order by {order}"), Vec::new())).await.unwrap().rows);
    }
    found
}

/// The balances of the house accounts are what they received less what they paid.
async fn house_adds_up(db: &Db, engine: &Engine, name: &Path) {
    let days = house_days::list(db, 0, 100_000).await.unwrap();
    let liquidity = |asset| {
        let balances = engine.house_members().flat_map(|user| Wallet::ALL.map(|wallet| engine.balance(user, wallet, asset)));
        balances.flatten().map(|balance| balance.total()).sum::<u64>()
    };
    for asset in engine.catalog_with_tokens().assets.iter().map(|asset| asset.id) {
        // A node has one labelled member, the first; some journals have others.
        let labelled = engine.house_members().eq([HOUSE]).then_some(None);
        for account in HouseAccount::POOLS.map(Some).into_iter().chain(labelled) {
            let has = account.map_or_else(|| liquidity(asset), |account| engine.house_balance(account, asset));
            let of = days.iter().filter(|day| (day.account, day.asset) == (account, asset));
            let sum: i128 = of.map(|day| i128::from(day.received) - i128::from(day.paid)).sum();
            assert_eq!(sum, i128::from(has), "{}: {account:?} of {asset:?}", name.display());
        }
    }
}

/// Flows are the lines of statements with the outside on their other side: withdrawals done and returned, deposits, their corrections, paper
/// money. What is returned is worth what went out. How many there are, and how many of them are returned.
async fn flows_are_lines(db: &Db, name: &Path) -> (usize, usize) {
    let rows = async |text: &'static str| db.query(sql!(text)).await.unwrap().rows;
    let lines = "select user_id, time_ms, seq, asset, sum(change) from statement where kind in (100, 101, 200, 201, 210) and two_lines = 0
                 group by user_id, time_ms, seq, asset order by 1, 2, 3, 4";
    let flows = rows("select user_id, time_ms, seq, asset, atoms from flows order by 1, 2, 3, 4").await;
    assert_eq!(flows, rows(lines).await, "{}", name.display());
    let returned = rows(
        "select gone.atoms + back.atoms, coalesce(gone.usdt + back.usdt, 0) from flows back
         left join flows gone on gone.user_id = back.user_id and gone.withdrawal = back.withdrawal and gone.atoms < 0
         where back.withdrawal is not null and back.atoms > 0",
    )
    .await;
    assert!(returned.iter().all(|row| (row.int(0), row.int(1)) == (Ok(0), Ok(0))), "{}: {returned:?}", name.display());
    (flows.len(), returned.len())
}

/// Nothing was followed yet.
async fn clear(db: &Db) {
    let all = "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not in ('migrations', 'history')";
    let names = db.query(sql!(all)).await.unwrap().rows;
    let mut statements: Vec<Sql> = names.iter().map(|row| Sql::new(format!("delete from {}", row.text(0).unwrap()), Vec::new())).collect();
    statements.push(sql!("update history set applied_seq = 0, costs_seq = 0, pruned_ms = 0"));
    db.run_relaxed(statements.into()).await.unwrap();
}

async fn count(db: &Db, text: &'static str) -> u64 {
    db.query(sql!(text)).await.unwrap().rows[0].id(0).unwrap()
}

#[tokio::test]
async fn costs_are_of_what_the_ledger_says_that_members_have_however_entries_share_a_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(&folder).await;
    let (mut sold, mut lying, mut all, mut flows, mut returned) = (0, 0, 0, 0, 0);
    for (path, engine, facts) in journals() {
        follow(&db, engine.catalog(), &facts).await;
        assert_eq!(tie_out::fault(&db, &engine, |_, _| {}).await, Ok(None), "{}", path.display());
        house_adds_up(&db, &engine, &path).await;
        let of_journal = flows_are_lines(&db, &path).await;
        (flows, returned) = (flows + of_journal.0, returned + of_journal.1);
        sold += count(&db, "select count(*) from costs where realised <> 0").await;
        lying += count(&db, "select count(*) from costs_aside").await;
        let at_once = found(&db).await;
        all += at_once[0].len();

        clear(&db).await;
        for part in 1..=3 {
            // Each start continues from the rows.
            follow(&db, engine.catalog(), &facts[..facts.len() * part / 3]).await;
        }
        assert!(found(&db).await == at_once, "{}", path.display());
        clear(&db).await;
    }
    assert!(all > 30 && sold > 2 && lying > 0, "{all} costs, {sold} with sales, {lying} lie aside");
    assert!(flows > 50 && returned > 0, "{flows} flows, {returned} of them returned");
}

#[tokio::test]
async fn a_replay_that_begins_too_early_counts_nothing_twice_and_a_database_without_costs_gets_them() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(&folder).await;
    let mut with_costs = 0;
    for (path, engine, facts) in journals().into_iter().filter(|(.., facts)| facts.len() > 1) {
        let (name, catalog, end, half) = (path.display(), engine.catalog(), engine.seq().0, facts.len() / 2);
        let lines = async || count(&db, "select count(*) from statement").await;
        follow(&db, catalog, &facts).await;
        let (all, written) = (found(&db).await, lines().await);
        with_costs += usize::from(!all[0].is_empty() && written > 5);
        assert_eq!(Written::read(&db).await, Ok(Written { rows: end, costs: end }));
        follow(&db, catalog, &facts).await;
        assert!((found(&db).await, lines().await) == (all.clone(), written), "{name}: nothing is counted twice");

        // As an earlier release leaves it, at once and by an interrupted start.
        for parts in [vec![facts.len()], vec![half, facts.len()]] {
            db.run_relaxed(TABLES.map(|table| Sql::new(format!("delete from {table}"), Vec::new())).into()).await.unwrap();
            db.exec(sql!("update history set costs_seq = 0")).await.unwrap();
            for part in parts {
                follow(&db, catalog, &facts[..part]).await;
                assert_eq!(Written::read(&db).await, Ok(Written { rows: end, costs: facts[part - 1].seq.0 }));
            }
            assert!((found(&db).await, lines().await) == (all.clone(), written), "{name}: what was lost is made again, and nothing else");
        }
        clear(&db).await;
    }
    assert!(with_costs > 10, "{with_costs} journals have costs");
}

#[tokio::test]
async fn what_is_returned_is_worth_what_it_went_out_with_whichever_transaction_it_shares() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(&folder).await;
    let (ann, bitcoin, catalog) = (UserId(2), AssetId(1), Catalog::standard());
    let priced = |price: u64| {
        let price = Price(price * 100_000_000);
        Event::IndexSampled(IndexSample { market: MarketId(1), time: Time(1), price, quotes: Vec::new(), sandbox: false })
    };
    // This many coins leave with this withdrawal, or come in.
    let posted = |kind, id, coins: u64, comes: bool| {
        let ann = PostingSide { owner: Owner::Member(ann, Wallet::Spot, Part::Available), after: 0, object_id: id };
        let outside = PostingSide { owner: Owner::House(HouseAccount::External), after: 0, object_id: id };
        let (debit, credit) = if comes { (outside, ann) } else { (ann, outside) };
        Event::Posted(Posting { asset: bitcoin, amount: coins * 100_000_000, kind, object: ObjectKind::Withdrawal, debit, credit })
    };
    let facts: Vec<Published> = (1..)
        .zip([
            vec![priced(10), posted(LineKind::WithdrawalDone, 5, 2, false), posted(LineKind::WithdrawalFee, 5, 1, false)],
            vec![priced(20), posted(LineKind::WithdrawalDone, 6, 1, false)],
            vec![priced(30), posted(LineKind::WithdrawalBack, 5, 2, true), posted(LineKind::WithdrawalBack, 5, 1, true)],
        ])
        .map(|(seq, events)| Published { seq: Seq(seq), time: Time(seq * 10), events, balances: Vec::new(), answer: None, stops: None })
        .collect();
    for parts in [vec![3], vec![1, 2, 3]] {
        for part in parts {
            follow(&db, &catalog, &facts[..part]).await;
        }
        let flow = |stretch, usdt| Flow { stretch, asset: bitcoin, usdt, unpriced: 0 };
        let mut found = flows::since(&db, ann, (10, 10), 3).await.unwrap();
        found.sort_unstable_by_key(|flow| flow.stretch);
        assert_eq!(found, [flow(0, -30_000_000), flow(1, -20_000_000), flow(2, 30_000_000)]);
        clear(&db).await;
    }
}
