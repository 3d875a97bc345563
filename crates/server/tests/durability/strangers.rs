//! Strangers cannot find out who has an account: known and unknown names get the same answers for the same work.

use serde_json::Value as Json;

use crate::load::Member;
use crate::process::{Answer, Disk, SYNCS, Server, block_on, client, write};

/// Passwords that the server has hashed, the costly part of every attempt.
async fn hashes(client: &reqwest::Client, url: &str) -> u64 {
    let metrics = Answer::to(client.get(format!("{url}/metrics"))).await.unwrap().text;
    let line = metrics.lines().find_map(|line| line.strip_prefix("password_hashes_total "));
    line.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap()
}

/// An answer without what follows from the instant or from the asked name itself.
fn shape(answer: &Answer) -> (u16, Json) {
    let mut json = answer.json();
    if let Some(data) = json["data"].as_object_mut() {
        for (name, value) in data.iter_mut() {
            if name.ends_with("_ms") || name == "sent_to" {
                *value = Json::Null;
            }
        }
    }
    (answer.status, json)
}

#[test]
fn known_and_unknown_names_get_the_same_answers_for_the_same_work() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let server = Server::start(&data, &[], Disk::Plain, &client).await;
        let known = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let center = client.get(format!("{}/api/user/center", server.url)).header("authorization", &known.token);
        let number = Answer::to(center).await.unwrap().ok()["message"]["account_number"].as_str().unwrap().to_owned();
        let (known, unknown) = ("load0@example.com".to_owned(), "load9@example.com".to_owned());

        // The same attempt at both names gets the same answer, with the same number of hashes.
        let compare = async |path: &str, forms: [String; 2]| -> (String, u64) {
            let mut seen = Vec::new();
            for form in forms {
                let before = hashes(&client, &server.url).await;
                let answer = Answer::to(write(&client, &server.url, path, &form, "")).await.unwrap();
                seen.push((shape(&answer), answer.error(), hashes(&client, &server.url).await - before));
            }
            assert_eq!(seen[0], seen[1], "{path}");
            let (_, error, work) = seen.remove(0);
            (error, work)
        };
        let log_in = |name: &String, more: &str| format!("user_string={name}&password=wrong-1{more}");
        let later = async || Answer::to(write(&client, &server.url, "/sandbox/clock", "advance_ms=60000", "")).await.unwrap().ok();
        // Ten in a row make a wait that outlasts what a busy machine needs for the next attempt.
        for attempt in 1..=10 {
            if attempt > 6 {
                later().await;
            }
            let found = compare("/api/user/login", [log_in(&known, ""), log_in(&unknown, "")]).await;
            assert_eq!(found, ("E_CREDENTIALS".to_owned(), 1), "attempt {attempt}");
        }
        // Even the wait is the same, and costs no hash.
        assert_eq!(compare("/api/user/login", [log_in(&known, ""), log_in(&unknown, "")]).await, ("E_LOGIN_WAIT".to_owned(), 0));
        later().await;
        let by_number = [log_in(&number, "&user_type=username"), log_in(&"100000000".to_owned(), "&user_type=username")];
        assert_eq!(compare("/api/user/login", by_number).await, ("E_CREDENTIALS".to_owned(), 1));

        // A sandbox sends no second code within 1.2 s, and the known one got theirs at sign-up.
        tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
        for purpose in ["register", "forget"] {
            let ask = |name: &String| format!("user_string={name}&type={purpose}");
            assert_eq!(compare("/api/sms_mail", [ask(&known), ask(&unknown)]).await, (String::new(), 0), "{purpose}");
        }
        let passwords = "password=secret2&re_password=secret2&repassword=secret2";
        let sign_up = |name: &String| format!("type=email&user_string={name}&code=12345x&{passwords}&agree=1");
        assert_eq!(compare("/api/user/register", [sign_up(&known), sign_up(&unknown)]).await, ("E_CODE".to_owned(), 0));
        let recover = |name: &String| format!("account={name}&code=12345x&{passwords}");
        assert_eq!(compare("/api/user/forget", [recover(&known), recover(&unknown)]).await, ("E_CODE".to_owned(), 0));
        let check = |name: &String| format!("user_string={name}&code=12345x");
        assert_eq!(compare("/api/user/check_email", [check(&known), check(&unknown)]).await, ("E_CODE".to_owned(), 0));
    });
}

#[test]
fn a_guess_waits_for_no_disk_and_is_counted_beyond_a_kill() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        server.kill();
        let slow = Disk::Slow { calls: SYNCS, ms: 3_000, file: Some("meridian.db-wal") };
        server = Server::start(&data, &[], slow, &client).await;
        let log_in = async |name: &str, password: &str| {
            let form = format!("user_string={name}@example.com&password={password}");
            let started = std::time::Instant::now();
            let answer = Answer::to(write(&client, &server.url, "/api/user/login", &form, "")).await.unwrap();
            (answer.error(), started.elapsed().as_millis())
        };
        for name in ["load0", "load9"].repeat(3) {
            let (error, ms) = log_in(name, "wrong-1").await;
            assert!(error == "E_CREDENTIALS" && ms < 3_000, "{name}: {error} after {ms} ms");
        }
        server.kill();
        let people = rusqlite::Connection::open(data.join("meridian.db")).unwrap();
        let count = |query: &str| people.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(count("select count(*) from waits where failures = 3"), 4);
        assert_eq!(count("select count(*) from login_events where ok = 0"), 3);
    });
}
