//! The schema, step by step.

use crate::db::Migration;
use crate::{
    account_changes, account_tables, alerts, balance_changes, codes, contract_stops, contracts, conversions, costs, exports, fee_days,
    files, first_answers, flows, history_tables, house_days, loans, notices, observations, operator_tables, options, outbox, payments,
    people_tables, plans, prices, proofs, queues, rebates, sealed_columns, sealing, source_candles, stats, subscriptions, volumes,
    withdraw_codes,
};

/// Every step of the schema, in order.
pub fn migrations() -> Vec<Migration> {
    vec![
        Migration { id: 1, name: "people, sessions, codes, messages, answers, content", ddl: FIRST },
        history_tables::MIGRATION,
        people_tables::MIGRATION,
        account_tables::MIGRATION,
        operator_tables::MIGRATION,
        history_tables::ENDED_ORDERS,
        payments::MIGRATION,
        balance_changes::MIGRATION,
        sealing::MIGRATION,
        queues::MIGRATION,
        people_tables::PASSWORD_CHANGES,
        queues::DECIDED,
        people_tables::LISTED,
        queues::DECIDED_DEPOSITS,
        history_tables::LINES,
        people_tables::BY_AGE,
        history_tables::HOUSE_TRADES,
        sealed_columns::DEVICES,
        operator_tables::AUDIT_SEARCH,
        files::SAME_PICTURES,
        notices::REFUSED_RESETS,
        account_changes::MIGRATION,
        codes::COUNTRIES,
        operator_tables::CHANGES,
        operator_tables::PROOFS,
        withdraw_codes::MIGRATION,
        first_answers::MIGRATION,
        observations::MIGRATION,
        queues::WAITING,
        codes::SOURCES,
        account_changes::BEFORE,
        proofs::MIGRATION,
        options::MIGRATION,
        contracts::MIGRATION,
        stats::MIGRATION,
        alerts::MIGRATION,
        volumes::MIGRATION,
        loans::MIGRATION,
        exports::MIGRATION,
        conversions::MIGRATION,
        subscriptions::MIGRATION,
        rebates::MIGRATION,
        plans::MIGRATION,
        proofs::LIABILITIES,
        costs::MIGRATION,
        source_candles::MIGRATION,
        house_days::MIGRATION,
        notices::LOOKED_UP,
        notices::KINDS,
        contract_stops::MIGRATION,
        flows::MIGRATION,
        fee_days::MIGRATION,
        subscriptions::BY_OFFERING,
        options::BY_END,
        codes::SITES,
        outbox::QUEUES,
        prices::PRUNED,
    ]
}

const FIRST: &[&str] = &[
    "CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT",
    // `phone` is the dial code and the number in one, `49-15112345678`.
    "CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account_number TEXT NOT NULL UNIQUE,
        invite_code TEXT NOT NULL UNIQUE,
        inviter_id INTEGER,
        nickname TEXT NOT NULL,
        email TEXT UNIQUE,
        phone TEXT UNIQUE,
        password TEXT NOT NULL,
        lang TEXT NOT NULL,
        country TEXT NOT NULL,
        withdraw_hold_until_ms INTEGER,
        registered_seq INTEGER,
        created_at_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token_hash BLOB NOT NULL UNIQUE,
        user_id INTEGER NOT NULL,
        device TEXT NOT NULL,
        address TEXT NOT NULL,
        created_at_ms INTEGER NOT NULL,
        last_at_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX sessions_by_user ON sessions (user_id)",
    // Consecutive wrong passwords of an account, known or not.
    "CREATE TABLE waits (
        account TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,
        until_ms INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT",
    // The newest code of each target and purpose; `hash` is keyed.
    "CREATE TABLE codes (
        target TEXT NOT NULL,
        purpose TEXT NOT NULL,
        hash BLOB NOT NULL,
        expires_ms INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (target, purpose)
    ) STRICT",
    // Each request for a code, counted per target and per address; wall clock.
    "CREATE TABLE code_requests (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,
        purpose TEXT NOT NULL,
        address TEXT NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX code_requests_by_target ON code_requests (target, purpose, at_ms)",
    "CREATE INDEX code_requests_by_address ON code_requests (address, at_ms)",
    "CREATE INDEX code_requests_by_time ON code_requests (at_ms)",
    // `state`: kept (sandbox), waiting, sent, failed, void (no recipient).
    "CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,
        purpose TEXT NOT NULL,
        code TEXT,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        time_ms INTEGER NOT NULL,
        state TEXT NOT NULL,
        tries INTEGER NOT NULL,
        next_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX outbox_by_target ON outbox (target, id)",
    "CREATE INDEX outbox_by_state ON outbox (state, next_ms)",
    "CREATE TABLE answers (
        caller TEXT NOT NULL,
        content BLOB NOT NULL,
        body BLOB NOT NULL,
        seq INTEGER,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (caller)
    ) STRICT",
    "CREATE INDEX answers_by_time ON answers (at_ms)",
    "CREATE TABLE articles (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        category INTEGER NOT NULL,
        slug TEXT NOT NULL,
        lang TEXT NOT NULL,
        title TEXT NOT NULL,
        content TEXT NOT NULL,
        sorts INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        UNIQUE (slug, lang)
    ) STRICT",
    "CREATE TABLE favourites (
        user_id INTEGER NOT NULL,
        market_id INTEGER NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (user_id, market_id)
    ) STRICT",
];
