//! A24, I-12: rows that are not those of the log are noticed.

use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::ids::{AssetId, Digest};
use store::db::{Db, Sql, Value};
use store::sql;

use crate::harness::{As, Server, both};
use crate::operator::operator;
use crate::operator_money::{APPROVE, decide, first};
use crate::people::{Member, TRON};
use crate::spot::{place, trader};

/// The tables of the history, and the columns that identify their rows.
pub const TABLES: [(&str, &[&str]); 15] = [
    ("costs", &["user_id", "asset"]),
    ("cost_prices", &["asset"]),
    ("flows", &["user_id", "time_ms", "seq", "asset"]),
    ("statement", &["id"]),
    ("spot_orders", &["id"]),
    ("fills", &["id"]),
    ("trades", &["id"]),
    ("transfers", &["id"]),
    ("deposits", &["id"]),
    ("withdrawals", &["id"]),
    ("submissions", &["id"]),
    ("observations", &["id"]),
    ("first_answers", &["seq"]),
    ("index_samples", &["market", "seq"]),
    ("candles", &["market", "series", "minutes", "start_ms"]),
];

/// Holds, releases, fees, a trade and a transfer: the member who made it.
async fn work(server: &Server) -> String {
    let ann = trader(server, "ann@example.com", &[("USDT", "1000")]).await;
    let bob = trader(server, "bob@example.com", &[("BTC", "1")]).await;
    place(server, &ann, "1", "0.002", "100100", &[]).await.ok();
    place(server, &bob, "2", "0.001", "100000", &[]).await.ok();
    transfer(server, &ann, "moved").await;
    ann
}

async fn transfer(server: &Server, who: &str, key: &str) {
    let form = [("currency_id", "3"), ("number", "5"), ("from_field", "change"), ("to_field", "lever")];
    server.post_as(As { token: who, key, ..As::default() }, "/api/wallet/change", &form).await.ok();
}

/// Runs one statement.
pub async fn change(db: &Db, text: &str, args: Vec<Value>) {
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
            // Assigned to an unknown member.
            change(&db, "update statement set user_id = 987654 where id = $1", vec![id.clone()]).await;
            server.verify().await.unwrap_err();
            change(&db, "update statement set user_id = $2 where id = $1", vec![id, user]).await;
        }
        server.verify().await.unwrap();
        // All rows of a member, so nothing is left that could contradict.
        change(&db, "delete from statement where user_id = $1", vec![rows[0].0[1].clone()]).await;
        let found = server.verify().await.unwrap_err().0;
        assert!(found.ends_with(" does not end with the balance of the log"), "{found}");
    });
}

#[test]
fn rows_ahead_of_the_journal_are_not_verified_and_rows_behind_it_are() {
    both(|mut server| async move {
        let ann = work(&server).await;
        let db = server.running.app.db.clone();
        let feed = server.running.app.feed.get().unwrap().clone();
        // A sample after the transfer would have rows, too.
        let last = async {
            transfer(&server, &ann, "last").await;
            server.running.stop().await;
        };
        feed.between_ticks(last).await;
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
        // As after a kill: the transfer was the last.
        change(&db, "delete from statement where seq = $1", vec![newest.into()]).await;
        change(&db, "delete from transfers where id = $1", vec![newest.into()]).await;
        change(&db, "delete from first_answers where seq = $1", vec![newest.into()]).await;
        change(&db, "update history set applied_seq = $1, costs_seq = $1", vec![(newest - 1).into()]).await;
        server.verify().await.unwrap();
    });
}

async fn columns(db: &Db, table: &str) -> Vec<String> {
    let text = if db.is_shared() {
        "select column_name::text from information_schema.columns where table_schema = current_schema() and table_name::text = $1 order by ordinal_position"
    } else {
        "select name from pragma_table_info($1) order by cid"
    };
    db.query(sql!(text, table)).await.unwrap().rows.iter().map(|row| row.text(0).unwrap()).collect()
}

/// Another value that such a column can hold.
pub fn other(column: &str, value: &Value) -> Value {
    match value {
        Value::Int(value) => Value::Int(value + 1),
        Value::Text(text) => format!("{text}x").into(),
        Value::Blob(bytes) => [bytes.as_slice(), &[0]].concat().into(),
        Value::Null if column == "client_order_id" => "x".into(),
        Value::Null => 7.into(),
    }
}

#[test]
fn a_cell_of_the_history_that_was_changed_is_not_verified_nor_a_row_that_came_or_went() {
    both(|mut server| async move {
        let carol = Member::new(&server, "carol@example.com").await;
        carol.submit_basic(&server, "AB123456").await.ok();
        let desk = operator(&server, "one", &["verifier"]).await;
        decide(&server, &desk, &first(&server, &desk, "identity").await, APPROVE).await.ok();
        carol.set_fund_password(&server).await;
        carol.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await.ok();
        let address = carol.add_address(&server, TRON).await.data()["id"].to_string();
        // The address is old enough then, and later candles come from the log alone.
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        carol.withdraw(&server, &address, "30").await.data();
        work(&server).await;
        let observed = Observed { user: carol.id, asset: AssetId(3), chain: Chain::Trc20, amount: 25_000_000 };
        let paid = Command::ObserveDeposit { tx: Digest([7; 32]), observed, confirmations: 20 };
        server.running.app.sequencer.submit(paid, None).await.unwrap();
        let db = server.running.app.db.clone();
        server.running.stop().await;
        server.verify().await.unwrap();
        let noticed = async |what: String| {
            let found = server.verify().await.expect_err(&what).0;
            let said = ["is not what the log gives", " statement of user ", " costs of user ", "database: column "];
            assert!(said.iter().any(|said| found.contains(said)), "{what}: {found}");
        };
        for (table, key) in TABLES {
            let (columns, newest) = (columns(&db, table).await, key.join(" desc, "));
            let rows =
                db.query(Sql::new(format!("select {} from {table} order by {newest} desc limit 1", columns.join(", ")), vec![])).await;
            let rows = rows.unwrap().rows;
            let row = rows.first().unwrap_or_else(|| panic!("no row of {table}"));
            let at = |name: &str| row.0[columns.iter().position(|column| column == name).unwrap()].clone();
            let that =
                |from: usize| key.iter().zip(from..).map(|(name, place)| format!("{name} = ${place}")).collect::<Vec<_>>().join(" and ");
            for (column, value) in columns.iter().zip(&row.0) {
                // Statement rows are numbered as they were gathered.
                if (table, column.as_str()) == ("statement", "id") {
                    continue;
                }
                let changed = other(column, value);
                let set = async |from: &Value, to: &Value| {
                    let keys = key.iter().map(|name| if name == column { from.clone() } else { at(name) });
                    let args = std::iter::once(to.clone()).chain(keys).collect();
                    change(&db, &format!("update {table} set {column} = $1 where {}", that(2)), args).await;
                };
                set(value, &changed).await;
                noticed(format!("{table}.{column}")).await;
                set(&changed, value).await;
            }
            let delete = format!("delete from {table} where {}", that(1));
            change(&db, &delete, key.iter().map(|name| at(name)).collect()).await;
            noticed(format!("a row of {table} that went")).await;
            let places: Vec<String> = (1..=columns.len()).map(|place| format!("${place}")).collect();
            let insert = format!("insert into {table} ({}) values ({})", columns.join(", "), places.join(", "));
            change(&db, &insert, row.0.clone()).await;
            server.verify().await.unwrap();
            let more: Vec<Value> = columns
                .iter()
                .zip(&row.0)
                .map(|(column, value)| if key.contains(&column.as_str()) { other("", value) } else { value.clone() })
                .collect();
            change(&db, &insert, more).await;
            noticed(format!("a row of {table} that came")).await;
            change(&db, &delete, key.iter().map(|name| other("", &at(name))).collect()).await;
        }
        // A simulated past of the chart is allowed if it is marked.
        let imagined = "insert into candles (market, series, minutes, start_ms, first, high, low, last, volume, quote_volume, trades, simulated) \
                        values (1, 0, 1, 60000, 1, 1, 1, 1, 0, 0, 0, 1)";
        change(&db, imagined, Vec::new()).await;
        server.verify().await.unwrap();
        change(&db, "update candles set simulated = 0 where start_ms = 60000", Vec::new()).await;
        let found = server.verify().await.unwrap_err().0;
        assert_eq!(found, "1 candles of before the log do not say that they were imagined");
    });
}
