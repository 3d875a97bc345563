//! Tests of parts that need the whole schema. The schema names every table, so a part below it cannot ask for it.

use std::fs;

use engine::amount::Price;
use engine::candles::{Candle, Period, Series};
use engine::ids::{MarketId, UserId};
use engine::time::{DAY_MS, HOUR_MS, MINUTE_MS, Time};

use super::*;
use crate::db::Sql;
use crate::people::{Identity, conditions, few};
use crate::prices;
use crate::source_candles::{are_kept, before_log, first_of_log, put};
use crate::vault::Place;

async fn opened(folder: &Path) -> Result<Vault, OpenError> {
    let db = Db::sqlite(&folder.join("meridian.db"))?;
    db.migrate(&migrations()).await?;
    let secrets = Secrets::open(folder, &db).await?;
    Vault::open(&folder.join("keys"), &secrets, &db).await
}

fn place(owner: u64) -> Place<'static> {
    Place { column: "test.cell", owner: UserId(owner), row: "" }
}

#[tokio::test]
async fn a_sealed_cell_opens_in_its_place_only() {
    let folder = tempfile::tempdir().unwrap();
    let vault = opened(folder.path()).await.unwrap();
    let cell = vault.seal(place(7), b"Ann Lee").unwrap();
    assert!(!cell.windows(3).any(|part| part == b"Ann"));
    assert_ne!(cell, vault.seal(place(7), b"Ann Lee").unwrap());
    assert_eq!(vault.unseal_text(place(7), &cell), Ok("Ann Lee".to_owned()));
    assert!(vault.unseal(place(8), &cell).is_err());
    assert!(vault.unseal(Place { column: "test.other", ..place(7) }, &cell).is_err());
    assert!(vault.unseal(Place { row: "2", ..place(7) }, &cell).is_err());
    for at in 0..cell.len() {
        let mut bent = cell.clone();
        bent[at] ^= 1;
        assert!(vault.unseal(place(7), &bent).is_err(), "byte {at}");
        assert!(vault.unseal(place(7), &cell[..at]).is_err(), "cut at {at}");
    }
}

#[tokio::test]
async fn a_new_key_seals_and_the_old_one_still_opens_but_may_not_be_lost() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys");
    let old = opened(folder.path()).await.unwrap().seal(place(7), b"x").unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let first = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{first}2 {}\n", "5a".repeat(32))).unwrap();
    let vault = opened(folder.path()).await.unwrap();
    assert_eq!(vault.unseal(place(7), &old), Ok(b"x".to_vec()));
    assert_eq!(vault.seal(place(7), b"x").unwrap()[1..5], [0, 0, 0, 2]);
    for bad in [first.as_str(), &format!("1 {}\n", "77".repeat(32)), "", "one key\n"] {
        fs::write(&file, bad).unwrap();
        assert!(opened(folder.path()).await.is_err(), "{bad}");
    }
    fs::remove_file(&file).unwrap();
    assert!(opened(folder.path()).await.is_err());
}

#[tokio::test]
async fn equal_texts_of_a_column_have_one_index() {
    let folder = tempfile::tempdir().unwrap();
    let vault = opened(folder.path()).await.unwrap();
    assert_eq!(vault.index("a.b", "x"), vault.index("a.b", "x"));
    assert_ne!(vault.index("a.b", "x"), vault.index("a.c", "x"));
    assert_ne!(vault.index("a.b", "x"), vault.index("a.b", "y"));
}

#[tokio::test]
async fn the_beginning_of_an_account_number_is_looked_up_in_an_index_that_holds_all_that_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("meridian.db")).unwrap();
    db.migrate(&migrations()).await.unwrap();
    let secrets = Secrets::open(folder.path(), &db).await.unwrap();
    let vault = Vault::open(&folder.path().join("keys"), &secrets, &db).await.unwrap();
    let (conditions, args) = conditions(&vault, Some(&Identity::Phone("7-12345".to_owned())), Some("712345"));
    let plan = db.query(Sql::new(format!("explain query plan {}", few(&conditions)), args)).await.unwrap();
    let steps: Vec<String> = plan.rows.iter().map(|row| row.text(3).unwrap()).filter(|step| step.contains("users")).collect();
    assert_eq!(steps.len(), 3, "{steps:?}");
    assert!(steps[0].contains("(phone_hash=?)") && steps[1].contains("PRIMARY KEY (rowid=?)"), "{steps:?}");
    assert!(steps[2].contains("COVERING INDEX users_listed (account_number>? AND account_number<?)"), "{steps:?}");
}

/// A Monday, 00:00 UTC.
const MONDAY: u64 = 1_767_571_200_000;
const BTC: MarketId = MarketId(1);

fn flat(start_ms: u64, price: u64) -> Candle {
    Candle::flat(Time(start_ms), Price(price))
}

async fn sampled(db: &Db, start_ms: u64) {
    let cells = prices::candle_cells(BTC, Series::Index, 1, &Candle::first(Time(start_ms), Price(7), 0, 0), false);
    db.exec(prices::simulated(vec![cells].into_iter().collect())).await.unwrap();
}

#[tokio::test]
async fn the_past_ends_before_the_first_candle_of_the_log_and_never_covers_one() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.migrate(&migrations()).await.unwrap();
    let first = MONDAY + 9 * DAY_MS + 10 * HOUR_MS + 7 * MINUTE_MS;
    let starts = async |period, from: u64, to: u64| -> Vec<(u64, u64)> {
        let all = before_log(&db, BTC, period, Time(from), Time(to)).await.unwrap();
        all.iter().map(|candle| (candle.start.0, candle.close.0)).collect()
    };
    let mut told: Vec<(u64, Candle)> = [20, 19, 4, 3, 1, 0].map(|back| (1, flat(first - back * MINUTE_MS, 100 + back))).into();
    // What a venue would report for a time that the log covers.
    told.push((1, flat(first + MINUTE_MS, 999)));
    told.extend([2, 1, 0].map(|back| (60, flat(Period::Hour1.start(Time(first)).0 - back * HOUR_MS, 200 + back))));
    told.extend((0..=9).map(|day| (1_440, flat(MONDAY + DAY_MS + day * DAY_MS, 300 + day))));
    assert!(!are_kept(&db, BTC).await.unwrap());
    put(&db, BTC, &told).await.unwrap();
    put(&db, BTC, &[]).await.unwrap();
    assert!(are_kept(&db, BTC).await.unwrap() && !are_kept(&db, MarketId(2)).await.unwrap());
    let far = first + DAY_MS;
    // Without a sample there is nothing to precede.
    assert_eq!(starts(Period::Minute1, 0, far).await, []);
    sampled(&db, first + HOUR_MS).await;
    sampled(&db, first).await;
    assert_eq!(first_of_log(&db, BTC).await.unwrap(), Some(Time(first)));

    let minutes = starts(Period::Minute1, 0, far).await;
    assert_eq!((minutes.len(), minutes[0], minutes[19]), (20, (first - 20 * MINUTE_MS, 120), (first - MINUTE_MS, 101)));
    // A minute that no venue reported repeats the one before it, also at the start of an answer.
    assert_eq!(minutes[5], (first - 15 * MINUTE_MS, 119));
    assert_eq!(starts(Period::Minute1, first - 2 * MINUTE_MS, far).await, [(first - 2 * MINUTE_MS, 103), (first - MINUTE_MS, 101)]);
    assert_eq!(starts(Period::Minute1, 0, first - 19 * MINUTE_MS).await, [(first - 20 * MINUTE_MS, 120)]);
    assert_eq!(starts(Period::Minute1, first, far).await, []);
    // Minutes are known from 09:47 on, so the first five minutes are incomplete, and again at 10:03. The five minutes from 10:05 contain
    // our first sample.
    assert_eq!(starts(Period::Minute5, 0, far).await, [(first - 7 * MINUTE_MS, 103)]);
    // Hours, days, weeks and months that the log partly covers come from the log.
    let hour = Period::Hour1.start(Time(first)).0;
    assert_eq!(starts(Period::Hour1, 0, far).await, [(hour - 2 * HOUR_MS, 202), (hour - HOUR_MS, 201)]);
    assert_eq!(starts(Period::Day1, 0, far).await.len(), 8);
    // Days are known from Tuesday on, so the first week is incomplete.
    assert_eq!(starts(Period::Week1, 0, far).await, []);
    assert_eq!(starts(Period::Month1, 0, far).await, []);
    put(&db, BTC, &[(1_440, flat(MONDAY, 300))]).await.unwrap();
    assert_eq!(starts(Period::Week1, 0, far).await, [(MONDAY, 305)]);
}
