//! Guesses count where they are stored: a kill forgives none, and neither does another machine over the same database (A14, A16, A17).

use journal::testing::PostgresServer;

use crate::load::Member;
use crate::process::{Answer, Disk, Server, block_on, client, copy, write};

const MAIL: &str = "load0@example.com";

/// Wrong passwords, fund passwords and codes; then the right ones, sent to a server that was not there before.
fn counted_beyond_a_kill(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let (data, other) = (folder.path().join("data"), folder.path().join("other"));
    let store: Vec<&str> = database.map(|url| ["--database", url]).into_iter().flatten().collect();
    block_on(async {
        let client = client();
        let mut server = Server::start(&data, &store, Disk::Plain, &client).await;
        let ann = Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let post = async |url: &str, path: &str, form: &str| {
            Answer::to(write(&client, url, path, form, "").header("authorization", &ann.token)).await.unwrap()
        };
        let later = async |url: &str| post(url, "/sandbox/clock", "advance_ms=60000").await.ok();
        // A sandbox sends no second code within 1.2 s.
        let code = async |url: &str, path: &str, form: &str| {
            tokio::time::sleep(std::time::Duration::from_millis(1_300)).await;
            post(url, path, form).await.ok();
            let kept = Answer::to(client.get(format!("{url}/sandbox/outbox?to={MAIL}"))).await.unwrap().ok();
            kept["message"][0]["code"].as_str().unwrap().to_owned()
        };
        let url = &server.url;
        let fund = code(url, "/api/set/sms_other_mail", "type=fund").await;
        let form = format!("password=123456&re_password=123456&login_password=secret1&code={fund}");
        post(url, "/api/safe/update_password", &form).await.ok();
        let forgotten = code(url, "/api/sms_mail", &format!("user_string={MAIL}&type=forget")).await;

        let log_in =
            async |url: &str, password: &str| post(url, "/api/user/login", &format!("user_string={MAIL}&password={password}")).await;
        let change = async |url: &str, old: &str| post(url, "/api/user/e_pwd", &format!("type=2&old_password={old}&password=111111")).await;
        let recover = async |url: &str, code: &str| {
            let form = format!("account={MAIL}&code={code}&password=secret2&re_password=secret2&repassword=secret2");
            post(url, "/api/user/forget", &form).await
        };
        // The last of them makes the next one wait for half a minute, longer than the kill and the start below.
        for attempt in 1..=11 {
            if attempt > 6 {
                later(url).await;
            }
            assert_eq!(log_in(url, "wrong-1").await.error(), "E_CREDENTIALS", "attempt {attempt}");
        }
        for left in [4, 3, 2, 1, 0] {
            assert_eq!(change(url, "000000").await.json()["data"]["left"], left);
            assert_eq!(recover(url, "12345x").await.error(), "E_CODE");
        }
        let (waiting, locked) = (log_in(url, "secret1").await, change(url, "123456").await);
        assert_eq!((waiting.error().as_str(), locked.error().as_str()), ("E_LOGIN_WAIT", "E_FUNDPW_LOCKED"));
        server.kill();

        // With a shared database, the next server is another one.
        let data = if database.is_some() {
            copy(&data, &other);
            &other
        } else {
            &data
        };
        server = Server::start(data, &store, Disk::Plain, &client).await;
        let url = &server.url;
        assert_eq!(log_in(url, "secret1").await.error(), "E_LOGIN_WAIT");
        let still = change(url, "123456").await;
        assert_eq!((still.error(), &still.json()["data"]), ("E_FUNDPW_LOCKED".to_owned(), &locked.json()["data"]));
        assert_eq!(recover(url, &forgotten).await.error(), "E_CODE_LOCKED");

        // The waits end as they would have, and a right one is accepted.
        later(url).await;
        log_in(url, "secret1").await.ok();
        post(url, "/sandbox/clock", "advance_ms=10800000").await.ok();
        change(url, "123456").await.ok();
    });
}

#[test]
fn guesses_are_counted_beyond_a_kill_on_sqlite() {
    counted_beyond_a_kill(None);
}

#[test]
fn guesses_are_counted_on_the_next_machine_over_one_postgresql() {
    let postgres = PostgresServer::start();
    counted_beyond_a_kill(Some(&postgres.create_database("guesses")));
}
