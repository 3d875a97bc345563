//! Tests of parts that need the whole schema. It names every table, so a part below it cannot ask for it.

use std::fs;

use engine::ids::UserId;

use super::*;
use crate::db::Sql;
use crate::people::{Identity, few, ways};
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
    let (ways, args) = ways(&vault, Some(&Identity::Phone("7-12345".to_owned())), Some("712345"));
    let plan = db.query(Sql::new(format!("explain query plan {}", few(&ways)), args)).await.unwrap();
    let steps: Vec<String> = plan.rows.iter().map(|row| row.text(3).unwrap()).filter(|step| step.contains("users")).collect();
    assert_eq!(steps.len(), 3, "{steps:?}");
    assert!(steps[0].contains("(phone_hash=?)") && steps[1].contains("PRIMARY KEY (rowid=?)"), "{steps:?}");
    assert!(steps[2].contains("COVERING INDEX users_listed (account_number>? AND account_number<?)"), "{steps:?}");
}
