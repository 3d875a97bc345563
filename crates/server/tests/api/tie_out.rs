//! A24, I-12: statements that are not those of the log are noticed.

use server::db::{Db, Sql, Value};
use server::sql;

use crate::harness::{Server, both, token};
use crate::spot::{place, trader};

/// Holds, releases, fees, a trade and a transfer.
async fn work(server: &Server) {
    let ann = trader(server, "ann@example.com", &[("USDT", "1000")]).await;
    let bob = trader(server, "bob@example.com", &[("BTC", "1")]).await;
    place(server, &ann, "1", "0.002", "100100", &[]).await.ok();
    place(server, &bob, "2", "0.001", "100000", &[]).await.ok();
    let form = [("currency_id", "3"), ("number", "5"), ("from_field", "change"), ("to_field", "lever")];
    server.post_as(token(&ann), "/api/wallet/change", &form).await.ok();
}

async fn change(db: &Db, text: &str, args: Vec<Value>) {
    db.exec(Sql::new(text.to_owned(), args)).await.unwrap();
}

#[test]
fn a_statement_that_was_edited_is_not_verified() {
    both(|mut server| async move {
        work(&server).await;
        let db = server.running.app.db.clone();
        server.running.stop().await;
        server.verify().await.unwrap();
        let text = "select id, user_id, balance_after, change, wallet, asset from statement order by id";
        let rows = db.query(sql!(text)).await.unwrap().rows;
        assert!(rows.len() > 8, "{rows:?}");
        for row in &rows {
            let (id, user) = (row.0[0].clone(), row.0[1].clone());
            for (column, other) in [(1, "user_id"), (2, "balance_after"), (3, "change"), (5, "asset")] {
                change(&db, &format!("update statement set {other} = {other} + 1 where id = $1"), vec![id.clone()]).await;
                let found = server.verify().await.unwrap_err().0;
                assert!(found.contains(" statement of user "), "{found}");
                change(&db, &format!("update statement set {other} = $2 where id = $1"), vec![id.clone(), row.0[column].clone()]).await;
            }
            // To somebody who does not exist.
            change(&db, "update statement set user_id = 987654 where id = $1", vec![id.clone()]).await;
            server.verify().await.unwrap_err();
            change(&db, "update statement set user_id = $2 where id = $1", vec![id, user]).await;
        }
        server.verify().await.unwrap();
        // All of somebody's: nothing is left that could contradict.
        change(&db, "delete from statement where user_id = $1", vec![rows[0].0[1].clone()]).await;
        let found = server.verify().await.unwrap_err().0;
        assert!(found.ends_with(" does not end with the balance of the log"), "{found}");
    });
}

#[test]
fn rows_ahead_of_the_journal_are_not_verified_and_rows_behind_it_are() {
    both(|mut server| async move {
        work(&server).await;
        let db = server.running.app.db.clone();
        server.running.stop().await;
        let written = db.query(sql!("select applied_seq from history")).await.unwrap().rows[0].id(0).unwrap();
        change(&db, "update history set applied_seq = applied_seq + 100000", Vec::new()).await;
        let found = server.verify().await.unwrap_err().0;
        assert!(found.starts_with("the rows are written up to entry "), "{found}");
        let newest = db.query(sql!("select max(seq) from statement")).await.unwrap().rows[0].id(0).unwrap();
        assert!(newest <= written);
        // A mark that was moved back hides nothing.
        change(&db, "update history set applied_seq = 0", Vec::new()).await;
        let found = server.verify().await.unwrap_err().0;
        assert!(found.starts_with("the rows are written up to entry 0, a statement has entry "), "{found}");
        // As a kill leaves them.
        change(&db, "delete from statement where seq = $1", vec![newest.into()]).await;
        change(&db, "update history set applied_seq = $1", vec![(newest - 1).into()]).await;
        server.verify().await.unwrap();
    });
}
