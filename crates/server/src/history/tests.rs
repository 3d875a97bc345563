use super::*;
use crate::sql;
use crate::store;
use engine::ids::AssetId;
use engine::ledger::{LineKind, ObjectKind};

#[tokio::test]
async fn lines_of_each_member_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.migrate(&store::migrations()).await.unwrap();
    let mut rows = Rows::default();
    for seq in 1..=40 {
        let owner = Owner::Member(UserId(2 + seq % 3), Wallet::Spot, Part::Available);
        let (kind, object) = (LineKind::SpotHold, ObjectKind::SpotOrder);
        rows.line(seq, seq, Line { owner, asset: AssetId(3), credit: true, amount: 1, after: seq, kind, object, object_id: seq });
    }
    db.run(rows.statements(0, 40)).await.unwrap();
    let done = db.query(sql!("select user_id, seq from statement order by id")).await.unwrap();
    let lines: Vec<(u64, u64)> = done.rows.iter().map(|row| (row.id(0).unwrap(), row.id(1).unwrap())).collect();
    assert_eq!(lines.len(), 40);
    assert!(lines.is_sorted(), "{lines:?}");
}
