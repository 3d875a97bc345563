use super::*;
use crate::conversions;
use crate::history;
use crate::notices;
use crate::page::Page;
use crate::prices;
use crate::sql;
use engine::amount::Price;
use engine::catalog::Wallet;
use engine::ids::{AssetId, Seq, UserId};
use engine::ledger::{HouseAccount, LineKind, ObjectKind, Owner, Part, Posting, PostingSide};
use std::time::Duration;

const USDT: AssetId = AssetId(3);
const AT_FIRST: Written = both_at(0);

const fn both_at(seq: u64) -> Written {
    Written { rows: seq, costs: seq }
}

fn side(user: u64, part: Part, after: u64, object_id: u64) -> PostingSide {
    PostingSide { owner: Owner::Member(UserId(user), Wallet::Spot, part), after, object_id }
}

fn hold(user: u64, order: u64) -> Posting {
    let (debit, credit) = (side(user, Part::Available, 100 - order, order), side(user, Part::Held, order, order));
    Posting { asset: USDT, amount: 1, kind: LineKind::SpotHold, object: ObjectKind::SpotOrder, debit, credit }
}

async fn migrated(folder: &tempfile::TempDir) -> Db {
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.migrate(&crate::migrations::migrations()).await.unwrap();
    db
}

/// How SQLite reads for a statement.
async fn plan(db: &Db, statement: Sql) -> Vec<String> {
    let plan = db.query(statement.explained()).await.unwrap();
    plan.rows.iter().map(|row| row.text(3).unwrap()).collect()
}

#[tokio::test]
async fn lines_of_each_member_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    let mut rows = Rows::default();
    for seq in 1..=40 {
        rows.statement.post(seq, seq, &hold(2 + seq % 3, seq));
    }
    db.run(rows.statements(AT_FIRST, 40, Vec::new())).await.unwrap();
    assert!(rows.is_empty());
    let done = db.query(sql!("select user_id, seq from statement order by id")).await.unwrap();
    let lines: Vec<(u64, u64)> = done.rows.iter().map(|row| (row.id(0).unwrap(), row.id(1).unwrap())).collect();
    assert_eq!(lines.len(), 40);
    assert!(lines.is_sorted(), "{lines:?}");
}

#[tokio::test]
async fn a_hold_is_one_row_and_two_lines() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    let mut rows = Rows::default();
    let external = PostingSide { owner: Owner::House(HouseAccount::External), after: 0, object_id: 1 };
    let deposit = Posting {
        kind: LineKind::Deposit,
        object: ObjectKind::Deposit,
        debit: external,
        credit: side(2, Part::Available, 100, 1),
        ..hold(2, 1)
    };
    rows.statement.post(1, 1, &deposit);
    rows.statement.post(2, 2, &hold(2, 1));
    rows.statement.post(3, 3, &hold(2, 2));
    db.run(rows.statements(AT_FIRST, 3, Vec::new())).await.unwrap();
    assert_eq!(db.query(sql!("select count(*) from statement")).await.unwrap().first().unwrap().int(0), Ok(3));

    // A page may end between the lines of a row.
    let mut lines = Vec::new();
    for page in 1..=2 {
        let (found, total) = history::statement(&db, UserId(2), USDT, Wallet::Spot, None, Page { page, limit: 3 }).await.unwrap();
        assert_eq!(total, 5);
        lines.extend(found.iter().map(|line| (line.seq, line.held, line.change, line.after)));
    }
    assert_eq!(lines, [(3, true, 1, 2), (3, false, -1, 98), (2, true, 1, 1), (2, false, -1, 99), (1, false, 1, 100)]);
    let newest = history::newest_lines(&db, UserId(2), 10).await.unwrap();
    assert!(newest.is_sorted_by(|newer, older| newer.id > older.id) && newest.len() == 5, "{newest:?}");
    let (mut oldest, mut after) = (Vec::new(), (0, 0));
    while oldest.len() < 5 {
        let found = history::statement_after(&db, UserId(2), (Wallet::Spot, USDT), 3, after, 2).await.unwrap();
        after = found.last().map(|line| (line.time_ms, line.id)).unwrap();
        oldest.extend(found);
    }
    oldest.reverse();
    assert_eq!(format!("{oldest:?}"), format!("{newest:?}"));
    let (holds, total) = history::statement(&db, UserId(2), USDT, Wallet::Spot, Some(50), Page { page: 2, limit: 3 }).await.unwrap();
    assert_eq!((holds.len(), total), (1, 4));
}

#[tokio::test]
async fn a_mark_that_has_moved_settles_the_doubt_or_ends_the_node() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    let write = async |from, to| {
        let statements = vec![both_at(from).advance(to)];
        tokio::time::timeout(Duration::from_secs(10), write(&db, statements, both_at(to))).await.unwrap()
    };
    assert_eq!(write(0, 40).await, Ok(()));
    // The answer to the write was lost; on the repetition the mark is already at the end.
    assert_eq!(write(0, 40).await, Ok(()));
    assert_eq!(write(0, 30).await, Ok(()));
    // Another node wrote part of it.
    assert!(write(0, 50).await.is_err());
    assert_eq!(Written::read(&db).await, Ok(both_at(40)));
    // Another node wrote part of the costs alone.
    db.exec(sql!("update history set costs_seq = 41")).await.unwrap();
    assert!(write(40, 50).await.is_err());
    assert_eq!(Written::read(&db).await, Ok(Written { rows: 40, costs: 41 }));
}

#[test]
fn an_entry_gives_only_those_rows_that_are_not_written() {
    let external = PostingSide { owner: Owner::House(HouseAccount::External), after: 0, object_id: 1 };
    let paper = Posting {
        asset: AssetId(1),
        kind: LineKind::Faucet,
        object: ObjectKind::Faucet,
        debit: external,
        credit: side(2, Part::Available, 1, 1),
        ..hold(2, 1)
    };
    let facts =
        Published { seq: Seq(5), time: Time(1), events: vec![Event::Posted(paper)], balances: Vec::new(), answer: None, stops: None };
    for (rows, costs) in [(4, 4), (4, 5), (5, 4), (5, 5)] {
        let mut gathered = Gathered::default();
        gathered.take(&Catalog::standard(), std::slice::from_ref(&facts), Written { rows, costs }).unwrap();
        assert_eq!((gathered.rows.statement.is_empty(), gathered.rows.costs.is_empty()), (rows == 5, costs == 5));
        assert_eq!(gathered.newest.is_none(), rows == 5 && costs == 5);
    }
}

#[test]
fn a_history_takes_nothing_behind_a_gap() {
    let entries = |seqs: std::ops::RangeInclusive<u64>| -> Vec<Published> {
        let entry = |seq| Published { seq: Seq(seq), time: Time(1), events: Vec::new(), balances: Vec::new(), answer: None, stops: None };
        seqs.map(entry).collect()
    };
    let catalog = Catalog::standard();
    let mut gathered = Gathered::default();
    // A start sends again what is written.
    for seqs in [3..=5, 5..=6, 7..=8, 9..=9] {
        assert_eq!(gathered.take(&catalog, &entries(seqs), both_at(6)), Ok(()));
    }
    assert!(gathered.take(&catalog, &entries(11..=11), both_at(6)).is_err());
    assert_eq!(gathered.newest, Some((9, Time(1))));
    assert!(Gathered::default().take(&catalog, &entries(8..=9), both_at(6)).is_err(), "the first that comes");
}

#[tokio::test]
async fn every_period_up_to_a_day_has_candles_of_its_own_and_an_older_history_gets_them() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    let mut rows = Rows::default();
    // Three days of samples and trades, some in each transaction, and a gap.
    for part in 0..30 {
        for minute in (part * 144..part * 144 + 144).filter(|minute| minute % 97 > 11) {
            let (time, price) = (Time(1_767_225_600_000 + minute * 60_000 + minute % 7), 1_000 + minute % 53);
            rows.candle(MarketId(1), Series::Index, time, |start| Candle::first(start, Price(price), 0, 0));
            rows.candle(MarketId(2), Series::Trade, time, |start| Candle::first(start, Price(price), minute, 2 * minute));
        }
        rows.statement.post(part + 1, part + 1, &hold(2, part + 1));
        db.run(rows.statements(both_at(part), part + 1, Vec::new())).await.unwrap();
    }
    let all = async || {
        let text = "select market, series, minutes, start_ms, first, high, low, last, volume, quote_volume, trades, simulated from candles
                    order by market, series, minutes, start_ms";
        db.query(sql!(text)).await.unwrap().rows
    };
    let stored = all().await;
    for (minutes, period) in STORED {
        let of = async |minutes| prices::candles(&db, MarketId(2), Series::Trade, minutes, Time(0), Time(u64::MAX / 2)).await.unwrap();
        assert_eq!(of(minutes).await, merge_candles(of(1).await, period), "{minutes}");
    }
    assert!(!prices::is_filled(&db).await.unwrap());
    db.exec(sql!("delete from candles where minutes in (5, 15, 30)")).await.unwrap();
    for _ in 0..2 {
        prices::fill(&db).await.unwrap();
        assert_eq!(all().await, stored);
    }
    assert!(prices::is_filled(&db).await.unwrap());
}

#[tokio::test]
async fn alerts_fire_once_and_a_sample_looks_at_none_that_it_does_not_reach() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    let mut waiting = db::Rows::default();
    for n in 1..=10_000u64 {
        let above = n % 2;
        // Alerts for `above` have levels from 10 001 up, those for `below` from 9 999 down.
        let level = if above == 1 { 10_000 + n } else { 10_000 - n / 2 };
        waiting.push([n.into(), 1u64.into(), above.into(), level.into(), "[]".into(), 5u64.into(), 1u64.into()]);
    }
    let head = "insert into alerts (user_id, market, above, level, args, after_seq, created_at_ms) values";
    db.run(vec![Sql::bulk(head, "", waiting)]).await.unwrap();
    let sampled = async |seq: u64, price: u64| {
        let sample = IndexSample { market: MarketId(1), time: Time(seq * 10), price: Price(price), quotes: Vec::new(), sandbox: false };
        let mut levels = alerts::Levels::default();
        levels.sample(seq, &sample);
        let statements = levels.statements();
        db.run(statements.clone()).await.unwrap();
        statements
    };
    let fired = async || {
        let told = db.query(sql!("select user_id from notices order by id")).await.unwrap();
        told.rows.iter().map(|row| row.id(0).unwrap()).collect::<Vec<_>>()
    };
    // Entries from before the alerts trigger none of them, however often they are read.
    sampled(5, 10_003).await;
    assert_eq!(fired().await, [0u64; 0]);
    for _ in 0..2 {
        sampled(6, 10_003).await;
        assert_eq!(fired().await, [1, 3]);
    }
    sampled(7, 9_998).await;
    sampled(8, 10_003).await;
    assert_eq!(fired().await, [1, 3, 2, 4]);
    assert_eq!(crate::alerts::owners_of_fired(&db, 6, 7).await.unwrap(), [UserId(2), UserId(4)]);

    let statements = sampled(9, 10_000).await;
    for statement in statements.into_iter().step_by(2) {
        let found = plan(&db, statement).await;
        assert!(found.iter().any(|line| line.contains("alerts_by_level (market=? AND above=? AND level")), "{found:?}");
    }
}

#[tokio::test]
async fn what_is_unread_of_a_kind_or_about_an_object_is_found_without_reading_all_of_a_member() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    let member = UserId(7);
    let mut many = db::Rows::default();
    for object in 0..2_000 {
        many.push(notices::cells(member, notices::Topic::OrderBought, &[], Some(object), object));
    }
    db.run(vec![Sql::bulk(notices::INSERT, "", many), notices::mark_all_read(member)]).await.unwrap();
    for _ in 0..2 {
        db.run(vec![notices::insert_once(member, notices::Topic::OrderBought, &[], 2_000, 1)]).await.unwrap();
    }
    assert_eq!(notices::unread(&db, member, None).await.unwrap(), 1);
    let page = Page { page: 1, limit: 10 };
    let ([of_kind, count], [of_all, _]) = (notices::page_of(member, Some("ticket"), page), notices::page_of(member, None, page));
    for (statement, index) in [
        (
            notices::insert_once(member, notices::Topic::OrderBought, &[], 2_001, 1),
            "notices_of_object (object_id=? AND topic=? AND user_id=?)",
        ),
        (notices::unread_but(member, 0), "notices_unread (user_id=?"),
        (notices::mark_all_read(member), "notices_unread (user_id=?"),
        (of_kind, "notices_by_kind (user_id=? AND kind=?"),
        (count, "COVERING INDEX notices_by_kind (user_id=? AND kind=?"),
        (of_all, "notices_by_user (user_id=?"),
    ] {
        let found = plan(&db, statement).await;
        assert!(found.iter().any(|line| line.contains(index)), "{found:?}");
    }
}

#[tokio::test]
async fn a_page_of_the_conversions_of_a_member_reads_and_sorts_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let db = migrated(&folder).await;
    for statement in conversions::listed(UserId(7), Page { page: 3, limit: 20 }) {
        let found = plan(&db, statement).await;
        assert!(matches!(found.as_slice(), [line] if line.contains("conversions_by_user (user_id=?)")), "{found:?}");
    }
}
