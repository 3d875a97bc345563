//! No caller can hold the venue up.

use std::time::{Duration, Instant};

use futures_util::future::{join_all, join3};
use futures_util::{StreamExt, stream};

use crate::harness::{Answer, Server, both, on_threads_with};
use crate::operator::operator;
use crate::operator_money::first;
use crate::people::Member;

/// Simultaneous callers: an address may have a hundred connections, and each caller uses two.
const LANES: usize = 32;
/// Withdrawals that a member may request without a pause.
const EXITS: usize = 10;
/// Each operator may decide so much at once, and 10 a second.
const DECISIONS: usize = 128;
const OPERATORS: usize = 16;
/// Members whose withdrawals go through, and how many a day may.
const OWNERS: usize = 4;
const OF_A_DAY: usize = 3;
/// Far more than all of it takes; a node that stalls never ends it.
const PATIENCE: Duration = Duration::from_secs(240);

/// True if this came to the state and was refused there by this name; a call beyond its rate does not.
fn was_looked_up(answer: &Answer, name: &str) -> bool {
    let error = answer.error();
    assert!(error == name || error == "E_RATE", "{}", answer.text);
    error == name
}

/// Withdrawal requests of this many members, besides writes; returns how many of both reached the state.
async fn applications(server: &Server, members: usize) -> (usize, usize) {
    let asking = |_| async move {
        let member = Member::quick(server, "").await;
        let mut came = (0, 0);
        for _ in 0..EXITS {
            // No address, documents or money are needed to get as far as the look-up.
            let out = [("currency", "3"), ("address", "nowhere"), ("number", "1"), ("pay_password", "1")];
            let change = [("currency_id", "3"), ("from_field", "change"), ("to_field", "lever"), ("number", "1")];
            let (asked, moved) = (member.post(server, "/api/wallet/out", &out), member.post(server, "/api/wallet/change", &change));
            let (asked, moved) = tokio::join!(asked, moved);
            came.0 += usize::from(was_looked_up(&asked, "E_KYC_BASIC"));
            came.1 += usize::from(was_looked_up(&moved, "E_INSUFFICIENT"));
        }
        came
    };
    let all = stream::iter(0..members).map(asking).buffer_unordered(LANES);
    all.fold((0, 0), async |sum, came| (sum.0 + came.0, sum.1 + came.1)).await
}

/// Members who may withdraw, with their addresses.
async fn owners(server: &Server) -> Vec<(Member, String)> {
    let mut owners = Vec::new();
    for number in 0..OWNERS {
        let owner = Member::new(server, &format!("owner{number}@example.com")).await;
        let address = owner.ready(server, &format!("AB12345{number}")).await;
        owners.push((owner, address));
    }
    owners
}

/// Withdrawals that go through.
async fn exits(server: &Server, owners: &[(Member, String)]) {
    let leaving = owners.iter().map(|(owner, address)| async move {
        for _ in 0..OF_A_DAY {
            owner.withdraw(server, address, "30").await.ok();
        }
    });
    join_all(leaving).await;
}

/// Decisions that the engine refuses, so that their refusals are looked up. Each operator has an address of their own.
async fn decisions(server: &Server) {
    let hired = (0..OPERATORS).map(|number| async move { operator(server, &format!("operator{number}"), &["treasury"]).await });
    let operators = join_all(hired).await;
    let newest = first(server, &operators[0], "withdrawal").await;
    let form = format!("kind=withdrawal&id={}&version=0&hash={}&decision=approve", newest["id"], newest["hash"].as_str().unwrap());
    let work = operators.iter().enumerate().map(async |(number, who)| {
        let address = format!("192.0.2.{number}");
        let form_type = ("content-type", "application/x-www-form-urlencoded");
        let headers = [("authorization", who.as_str()), ("x-forwarded-for", address.as_str()), form_type];
        for _ in 0..DECISIONS {
            let answer = server.patient(async || server.request("POST", "/operator/api/decide", &headers, form.clone()).await).await;
            assert_eq!(answer.error(), "E_VERSION", "{}", answer.text);
        }
    });
    join_all(work).await;
}

#[test]
fn hundreds_of_applications_beside_writers_stall_nobody() {
    both(|server| async move {
        let came = tokio::time::timeout(PATIENCE, applications(&server, 40)).await.expect("the venue goes on");
        assert_eq!(came, (400, 400));
    });
}

#[test]
fn thousands_of_applications_and_decisions_beside_writers_on_four_threads_stall_nobody() {
    on_threads_with(4, &["--trusted-proxy", "127.0.0.1"], |server| async move {
        let owners = owners(&server).await;
        // What the operators decide on waits from the start.
        let ([(one, address)], others) = owners.split_first_chunk().unwrap();
        one.withdraw(&server, address, "40").await.ok();
        let begun = Instant::now();
        let all = join3(applications(&server, 200), decisions(&server), exits(&server, others));
        let (came, ..) = tokio::time::timeout(PATIENCE, all).await.expect("the venue goes on");
        println!("{} decisions and {:?} in {:?}", OPERATORS * DECISIONS, came, begun.elapsed());
        assert_eq!(came, (2_000, 2_000));
        assert_eq!(server.get("/readyz").await.status, 200);
    });
}

#[test]
fn a_read_whose_caller_has_gone_does_not_go_on_in_the_database() {
    both(|server| async move {
        let db = &server.running.app.db;
        if !db.is_shared() {
            return;
        }
        let slow = db.query(store::sql!("select 1 from pg_sleep(3600)"));
        tokio::time::timeout(Duration::from_millis(500), slow).await.unwrap_err();
        let running = "select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()";
        let gone = async {
            while !db.query(store::sql!(running)).await.unwrap().rows.is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), gone).await.expect("it was cancelled");
    });
}

#[test]
fn a_server_that_stopped_keeps_no_state() {
    both(|mut server| async move {
        Member::new(&server, "ann@example.com").await;
        let clock = std::sync::Arc::downgrade(&server.running.app.clock);
        server.running.stop().await;
        drop(server);
        let gone = async {
            while clock.strong_count() > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), gone).await.expect("its last parts go with it");
    });
}
