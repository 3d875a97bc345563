//! Starts that must be refused, with their messages, and when a server is ready.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::load::{Member, atoms};
use crate::process::{Answer, BINARY, Disk, Server, block_on, client, copy, run, write};

fn serve(data: &Path) -> Output {
    run(&["serve", "--genesis", "sandbox", "--chart-days", "1", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()])
}

/// Ended by itself, not by a panic, with this reason.
#[track_caller]
fn refused(ended: &Output, reason: &str) {
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains(reason) && !said.contains("panicked"), "wanted {reason:?}: {said}");
}

fn remove(data: &Path, prefix: &str) {
    let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(prefix);
    let gone: Vec<_> = fs::read_dir(data).unwrap().flatten().filter(named).collect();
    assert!(!gone.is_empty(), "no {prefix}");
    gone.iter().for_each(|entry| fs::remove_file(entry.path()).unwrap());
}

async fn member(server: &Server, client: &reqwest::Client, number: usize) -> Member {
    Member::new(client, &server.url, number, fastrand::Rng::with_seed(1)).await
}

#[test]
fn people_that_were_lost_or_are_older_than_the_journal_are_refused() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, older) = (folder.path().join("data"), folder.path().join("older"));
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        member(&server, &client, 0).await;
        server.stop();
        copy(&data, &older);
        server = Server::start(&data, &[], Disk::Plain, &client).await;
        member(&server, &client, 1).await;
        server.stop();

        remove(&data, "meridian.db");
        // A stop may or may not have written the database's log into it.
        for file in ["meridian.db", "meridian.db-wal"].into_iter().filter(|file| older.join(file).exists()) {
            fs::copy(older.join(file), data.join(file)).unwrap();
        }
        refused(&serve(&data), "the journal has member 3, the people end at 2: restore the database that belongs to it");
        remove(&data, "meridian.db");
        // The second attempt finds the database that the first one began.
        for _ in 0..2 {
            refused(&serve(&data), "the journal has member 3, the people end at 1");
        }
    });
}

#[test]
fn a_lost_journal_is_refused() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        server.stop();
        remove(&data, "journal.db");
        refused(&serve(&data), "the journal ends here but had reached");
        // Even the marks are gone; only what was made from the journal is left.
        remove(&data, "journal.");
        fs::remove_dir_all(data.join("snapshots")).unwrap();
        for _ in 0..2 {
            refused(&serve(&data), "the journal is empty, but what was made from it is there: restore the journal");
        }
    });
}

#[test]
fn an_empty_variable_is_none() {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--genesis", "other"]);
    for option in ["LISTEN", "DATABASE", "FILES", "HOUSE_LIQUIDITY", "WORKERS", "SMTP_URL", "SMS_URL", "CHAIN_TRON", "MAIL_FROM"] {
        command.env(format!("MERIDIAN_{option}"), "");
    }
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert_eq!(said, "meridian: --genesis: other is neither sandbox nor live\n");
}

#[test]
fn nothing_to_verify_is_said_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, empty) = (folder.path().join("missing"), folder.path().join("empty"));
    fs::create_dir(&empty).unwrap();
    let verify = |data: &Path, more: &[&str]| run(&[&["verify", "--data", data.to_str().unwrap()], more].concat());
    for data in [&missing, &empty] {
        refused(&verify(data, &[]), &format!("no journal.db in {}", data.display()));
        // Refused before the database is asked, so none is needed here.
        refused(&verify(data, &["--database", "postgres://nobody@127.0.0.1:1/none"]), &format!("no journal.high in {}", data.display()));
    }
    assert!(!missing.exists() && fs::read_dir(&empty).unwrap().next().is_none(), "made something");
    fs::write(empty.join("journal.db"), []).unwrap();
    refused(&verify(&empty, &[]), "the journal is empty");
}

#[test]
fn output_that_nobody_reads_ends_a_program_without_a_word() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        Server::start(&data, &[], Disk::Plain, &client).await.stop();
        for arguments in [&["openapi"][..], &["verify", "--data", data.to_str().unwrap()]] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let ended = Command::new(BINARY).args(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
            assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(1), ""), "{arguments:?}");
        }
        let head = Command::new("sh").args(["-c", "\"$0\" openapi | head -1", BINARY]).output().unwrap();
        assert_eq!((head.stdout.as_slice(), head.stderr.as_slice()), (&b"{\n"[..], &b""[..]));
    });
}

#[test]
fn readiness_follows_a_full_disk_and_nothing_answered_is_lost() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Limited, &client).await;
        let member = member(&server, &client, 0).await;
        let move_one = async |url: &str, key: &str| {
            let request = write(&client, url, "/api/wallet/change", "currency_id=3&number=1&from_field=change&to_field=lever", key);
            Answer::to(request.header("authorization", &member.token)).await.unwrap()
        };
        move_one(&server.url, "before").await.ok();

        server.limit_files(Some(1));
        server.wait_for(503, &client).await;
        let full = move_one(&server.url, "full").await;
        assert_eq!(full.status, 503, "{}", full.text);
        assert!(["E_NOT_READY", "E_OUTCOME_UNKNOWN"].contains(&full.error().as_str()), "{}", full.text);
        assert_eq!(Answer::to(client.get(format!("{}/healthz", server.url))).await.unwrap().text, "ok");

        server.limit_files(None);
        server.wait_for(200, &client).await;
        move_one(&server.url, "full").await.ok();
        move_one(&server.url, "before").await.ok();
        server.kill();
        server = Server::start(&data, &[], Disk::Plain, &client).await;
        let wallet = write(&client, &server.url, "/api/wallet/detail", "currency=3&type=lever", "").header("authorization", &member.token);
        let wallet = Answer::to(wallet).await.unwrap().ok();
        assert_eq!(atoms(&wallet["message"]["lever_balance"]), 2_000_000, "each of the two moves once");
    });
}
