//! What one caller asks for never holds the venue up.

use std::time::Duration;

use futures_util::future::join_all;

use crate::harness::both;
use crate::people::Member;

const MEMBERS: usize = 6;
const ROUNDS: usize = 200;

#[test]
fn thousands_of_applications_beside_writers_stall_nobody() {
    both(|server| async move {
        let server = &server;
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
        tokio::time::timeout(Duration::from_secs(120), join_all(work)).await.expect("the venue goes on");
    });
}
