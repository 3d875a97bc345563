//! Callers who leave their answers unread.

use server::http::outgoing::Holder;

use crate::harness::{Server, both, flat_jpeg, token};
use crate::people::Member;

/// The address of a picture of some ten thousand bytes.
async fn picture(server: &Server, who: &Member) -> String {
    let parts: [(&str, &str, &[u8]); 2] = [("purpose", "", b"ticket"), ("file", "a.jpg", &flat_jpeg(2_000, 2_000, 5))];
    server.upload(token(&who.token), &parts).await.ok().as_str().unwrap().to_owned()
}

#[test]
fn who_leaves_answers_unread_gets_no_more_large_ones_until_some_are_read() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let (hers, his) = (picture(&server, &ann).await, picture(&server, &bob).await);
        let ask = async |who: &Member, picture: &str| server.get_as(token(&who.token), picture).await;
        let whole = ask(&ann, &hers).await.text;
        assert!(whole.len() > 20_000, "{}", whole.len());

        // As much as she may hold.
        let unread = server.running.app.outgoing.room(Holder::Member(ann.id), 32 << 20).unwrap();
        let refused = ask(&ann, &hers).await;
        assert_eq!((refused.status, refused.error().as_str(), refused.header("retry-after")), (429, "E_RATE", "1"));
        // Small answers, writes and other members go on.
        ann.get(&server, "/api/user/center").await;
        ann.post(&server, "/api/user/edit_profile", &[("nickname", "Ann")]).await.ok();
        assert_eq!(ask(&bob, &his).await.status, 200);

        drop(unread);
        assert_eq!(ask(&ann, &hers).await.text, whole, "in pieces, and whole");
    });
}
