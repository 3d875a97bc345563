//! Totals of the operators' queues are counted once and stay exact.

use engine::identity::Identity;
use engine::ids::Digest;
use serde_json::json;
use server::http::App;
use store::Page;
use store::account::{NEWER, StoredState, cells};
use store::db::Sql;
use store::queues::{self, QueuePart};
use store::sql;

use crate::harness::both;

const PAGE: Page = Page { page: 1, limit: 10 };

async fn submit(app: &App, ids: std::ops::Range<u64>, status: &str) {
    let row = |id: u64| {
        let digest = Digest([7; 32]);
        let identity: Identity = serde_json::from_value(json!({
            "user": id, "level": "Basic", "status": status, "submission": id, "document": digest, "content": digest, "submitted": id,
            "approvals": [], "reason": null, "version": 1, "recent": [],
        }))
        .unwrap();
        cells(id, id, &identity)
    };
    app.db.run(vec![Sql::bulk(Identity::INSERT, NEWER, ids.map(row).collect())]).await.unwrap();
}

/// How many wait, are decided and are there in all.
async fn totals(app: &App) -> [u64; 3] {
    let mut totals = [0; 3];
    for (total, which) in totals.iter_mut().zip([QueuePart::Open, QueuePart::Done, QueuePart::All]) {
        *total = queues::submissions(&app.db, which, PAGE).await.unwrap().1;
    }
    totals
}

#[test]
fn totals_of_a_long_queue_stay_exact_while_it_grows_and_is_decided() {
    both(|server| async move {
        // The whole server moves in here, because its database would otherwise end before the test.
        let server = &server;
        let app = &server.running.app;
        submit(app, 1..1_001, "Verified").await;
        assert_eq!(totals(app).await, [0, 1_000, 1_000]);
        // All except the newest are in the stored count.
        let settled = app.db.query(sql!("select upto, counted from queue_totals where name = 'submissions'")).await.unwrap();
        assert_eq!((settled.rows[0].id(0), settled.rows[0].id(1)), (Ok(936), Ok(936)));

        submit(app, 1_001..1_031, "UnderReview").await;
        assert_eq!(totals(app).await, [30, 1_000, 1_030]);
        submit(app, 1_001..1_011, "Rejected").await;
        // Decided again, long after it was counted.
        submit(app, 5..6, "UnderReview").await;
        assert_eq!(totals(app).await, [21, 1_009, 1_030]);
        submit(app, 1_031..1_500, "Verified").await;
        for _ in 0..2 {
            assert_eq!(totals(app).await, [21, 1_478, 1_499]);
        }

        let (open, _) = queues::submissions(&app.db, QueuePart::Open, PAGE).await.unwrap();
        let (done, _) = queues::submissions(&app.db, QueuePart::Done, PAGE).await.unwrap();
        assert_eq!((open[0].submission.0, open[1].submission.0, done[0].submission.0), (5, 1_011, 1_499));
        // Other pages have the same totals, and so does one past the last.
        for (page, which, first, total) in [
            (3, QueuePart::Open, Some(1_030), 21),
            (4, QueuePart::Open, None, 21),
            (2, QueuePart::Done, Some(1_489), 1_478),
            (149, QueuePart::Done, None, 1_478),
            (150, QueuePart::All, Some(9), 1_499),
            (151, QueuePart::All, None, 1_499),
        ] {
            let (found, counted) = queues::submissions(&app.db, which, Page { page, limit: 10 }).await.unwrap();
            assert_eq!((found.first().map(|row| row.submission.0), counted), (first, total), "{which:?} {page}");
        }
    });
}
