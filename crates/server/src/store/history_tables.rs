//! The tables of the history: derived from the log, rebuildable from it.

use crate::db::Migration;

/// The tables.
pub const MIGRATION: Migration = Migration {
    id: 2,
    name: "history",
    ddl: &[
        // One row: everything up to this entry is in the tables below.
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
        // `body` is the order as the engine told it; the other columns are what lists filter by.
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
        // `minutes`: 1, 60 or 1440. `simulated`: made at the genesis of a sandbox, not from samples of the log.
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

/// Open orders are read from the engine: an order is a row when it has ended.
pub const ENDED_ORDERS: Migration = Migration { id: 13, name: "ended orders", ddl: &["DELETE FROM spot_orders WHERE status = 1"] };
