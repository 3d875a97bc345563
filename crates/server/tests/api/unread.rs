//! Callers who leave their answers unread.

use server::http::outgoing::Holder;

use crate::evidence::upload;
use crate::harness::{both, token};
use crate::people::Member;

#[test]
fn who_leaves_answers_unread_gets_no_more_large_ones_until_some_are_read() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let (hers, his) = (upload(&server, &ann, "ticket", 2_000).await, upload(&server, &bob, "ticket", 2_000).await);
        let ask = async |who: &Member, picture: &str| server.bytes(token(&who.token), picture).await;
        let (_, whole) = ask(&ann, &hers).await;
        assert!(whole.len() > 20_000, "{}", whole.len());

        // As much as she may hold.
        let unread = server.running.app.outgoing.room(Holder::Member(ann.id), 32 << 20).unwrap();
        let refused = server.get_as(token(&ann.token), &hers).await;
        assert_eq!((refused.status, refused.error().as_str(), refused.header("retry-after")), (429, "E_RATE", "1"));
        // Small answers, writes and other members go on.
        ann.get(&server, "/api/user/center").await;
        ann.post(&server, "/api/user/edit_profile", &[("nickname", "Ann")]).await.ok();
        assert_eq!(ask(&bob, &his).await.0.status, 200);

        drop(unread);
        assert!(ask(&ann, &hers).await.1 == whole, "in pieces, and whole");
    });
}
