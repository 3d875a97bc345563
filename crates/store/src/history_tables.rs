//! The tables of the history: derived from the log, rebuildable from it.

use crate::db::Migration;

/// The tables.
pub const MIGRATION: Migration = Migration {
    id: 2,
    name: "history",
    ddl: &[
        // One row: the tables below contain everything up to this entry. The costs have a mark of their own (`costs_seq`).
        "CREATE TABLE history (id INTEGER PRIMARY KEY, applied_seq INTEGER NOT NULL) STRICT",
        "INSERT INTO history (id, applied_seq) VALUES (1, 0)",
        "CREATE TABLE statement (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            seq INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            wallet INTEGER NOT NULL,
            held INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            change INTEGER NOT NULL,
            balance_after INTEGER NOT NULL,
            object TEXT NOT NULL,
            object_id INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX statement_by_wallet ON statement (user_id, wallet, asset, id)",
        // `body` is the order as in the engine's event; the other columns are those that lists filter by.
        "CREATE TABLE spot_orders (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            market INTEGER NOT NULL,
            side INTEGER NOT NULL,
            status INTEGER NOT NULL,
            client_order_id TEXT,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX spot_orders_by_user ON spot_orders (user_id, id)",
        "CREATE TABLE fills (
            id INTEGER PRIMARY KEY,
            trade_id INTEGER NOT NULL,
            order_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            market INTEGER NOT NULL,
            side INTEGER NOT NULL,
            maker INTEGER NOT NULL,
            price INTEGER NOT NULL,
            quantity INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            fee INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            time_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX fills_by_user ON fills (user_id, id)",
        "CREATE INDEX fills_by_order ON fills (order_id)",
        "CREATE TABLE trades (
            id INTEGER PRIMARY KEY,
            market INTEGER NOT NULL,
            side INTEGER NOT NULL,
            price INTEGER NOT NULL,
            quantity INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            time_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX trades_by_market ON trades (market, id)",
        "CREATE TABLE transfers (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            from_wallet INTEGER NOT NULL,
            to_wallet INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            time_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX transfers_by_user ON transfers (user_id, id)",
        "CREATE TABLE index_samples (
            market INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            price INTEGER NOT NULL,
            sandbox INTEGER NOT NULL,
            quotes BLOB NOT NULL,
            PRIMARY KEY (market, seq)
        ) WITHOUT ROWID, STRICT",
        "CREATE INDEX index_samples_by_time ON index_samples (market, time_ms)",
        // `minutes`: 1, 5, 15, 30, 60 or 1440. `simulated`: made at the genesis of a sandbox, not from samples of the log.
        "CREATE TABLE candles (
            market INTEGER NOT NULL,
            series INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            start_ms INTEGER NOT NULL,
            first INTEGER NOT NULL,
            high INTEGER NOT NULL,
            low INTEGER NOT NULL,
            last INTEGER NOT NULL,
            volume INTEGER NOT NULL,
            quote_volume INTEGER NOT NULL,
            trades INTEGER NOT NULL,
            simulated INTEGER NOT NULL,
            PRIMARY KEY (market, series, minutes, start_ms)
        ) WITHOUT ROWID, STRICT",
    ],
};

/// Marks public trades of the house liquidity.
pub const HOUSE_TRADES: Migration =
    Migration { id: 25, name: "trades of the house", ddl: &["ALTER TABLE trades ADD COLUMN house INTEGER NOT NULL DEFAULT 0"] };

/// Open orders are read from the engine: an order is a row when it has ended.
pub const ENDED_ORDERS: Migration = Migration { id: 13, name: "ended orders", ddl: &["DELETE FROM spot_orders WHERE status = 1"] };

/// Money that is held or released stays in its wallet: such a posting is one row for its two lines. `held` is then the part that paid, and
/// `other_after` the balance of the other part afterwards. Readers of lines use `statement_lines`, where `part` is 1 for the line that
/// received.
pub const LINES: Migration = Migration {
    id: 23,
    name: "two lines in a row",
    ddl: &[
        "ALTER TABLE statement ADD COLUMN two_lines INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE statement ADD COLUMN other_after INTEGER",
        // Counting lines reads only the index.
        "DROP INDEX statement_by_wallet",
        "CREATE INDEX statement_by_wallet ON statement (user_id, wallet, asset, time_ms, id, two_lines)",
        "CREATE VIEW statement_lines AS
            SELECT id, part, seq, time_ms, user_id, wallet, asset, kind, object, object_id,
                CASE part WHEN 0 THEN held ELSE 1 - held END AS held,
                CASE part WHEN 0 THEN change ELSE -change END AS change,
                CASE part WHEN 0 THEN balance_after ELSE other_after END AS balance_after
            FROM statement CROSS JOIN (SELECT 0 AS part UNION ALL SELECT 1) AS parts WHERE part <= two_lines",
    ],
};
