//! What one caller asks for never holds the venue up.

use std::time::Duration;

use futures_util::future::{join, join_all};

use crate::harness::{Server, both, on_threads};
use crate::operator::operator;
use crate::operator_money::{APPROVE, decide, first};
use crate::people::Member;

const MEMBERS: usize = 6;
const ROUNDS: usize = 200;
const OPERATORS: usize = 4;
const DECISIONS: usize = 60;
/// Far more than all of it takes; a node that stalls never ends it.
const PATIENCE: Duration = Duration::from_secs(240);

/// Applications to withdraw, beside writes.
async fn applications(server: &Server) {
    let signed_up = (0..MEMBERS).map(|number| async move { Member::new(server, &format!("m{number}@example.com")).await });
    let members = join_all(signed_up).await;
    let work = members.iter().map(|member| async move {
        for _ in 0..ROUNDS {
            // Neither an address nor papers nor money is needed to be looked up.
            let out = [("currency", "3"), ("address", "nowhere"), ("number", "1"), ("pay_password", "1")];
            let change = [("currency_id", "3"), ("from_field", "change"), ("to_field", "lever"), ("number", "1")];
            let (asked, moved) = (member.post(server, "/api/wallet/out", &out), member.post(server, "/api/wallet/change", &change));
            let (asked, moved) = tokio::join!(asked, moved);
            for answer in [asked, moved] {
                assert_ne!(answer.status, 500, "{}", answer.text);
            }
        }
    });
    join_all(work).await;
}

/// Decisions that the engine refuses, so that their refusals are looked up.
async fn decisions(server: &Server) {
    let ann = Member::new(server, "ann@example.com").await;
    let address = ann.ready(server, "AB123456").await;
    ann.withdraw(server, &address, "40").await.ok();
    let hired = (0..OPERATORS).map(|number| async move { operator(server, &format!("operator{number}"), &["treasury"]).await });
    let operators = join_all(hired).await;
    let mut row = first(server, &operators[0], "withdrawal").await;
    row["version"] = 0.into();
    let work = operators.iter().map(|who| async {
        for _ in 0..DECISIONS {
            let decided = decide(server, who, &row, APPROVE).await;
            assert!(matches!(decided.error().as_str(), "E_VERSION" | "E_RATE"), "{}", decided.text);
        }
    });
    join_all(work).await;
}

#[test]
fn thousands_of_applications_beside_writers_stall_nobody() {
    both(|server| async move {
        tokio::time::timeout(PATIENCE, applications(&server)).await.expect("the venue goes on");
    });
}

#[test]
fn applications_and_decisions_beside_writers_on_four_threads_stall_nobody() {
    on_threads(4, |server| async move {
        let all = join(applications(&server), decisions(&server));
        tokio::time::timeout(PATIENCE, all).await.expect("the venue goes on");
        assert_eq!(server.get("/readyz").await.status, 200);
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
