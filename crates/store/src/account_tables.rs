//! The tables of identity, cards, addresses, deposits and withdrawals.

use crate::db::Migration;

/// The tables.
pub const MIGRATION: Migration = Migration {
    id: 11,
    name: "papers, fund passwords, deposits, withdrawals, identity",
    ddl: &[
        // The journal keeps it since.
        "ALTER TABLE users DROP COLUMN withdraw_hold_until_ms",
        // Texts whose digest alone is in the journal; `sealed` is in the vault.
        "CREATE TABLE papers (
            user_id INTEGER NOT NULL,
            digest BLOB NOT NULL,
            sealed BLOB NOT NULL,
            created_at_ms INTEGER NOT NULL,
            PRIMARY KEY (user_id, digest)
        ) STRICT",
        // A member's name for an address, or remark on a withdrawal. `id` is the number of the object, `sealed` is in the vault.
        "CREATE TABLE labels (
            kind TEXT NOT NULL,
            id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            sealed BLOB NOT NULL,
            PRIMARY KEY (kind, id)
        ) STRICT",
        "CREATE TABLE fund_passwords (user_id INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT",
        // Resets that wait for an operator. `status`: 1 waiting, 2 done, 3 rejected, 4 approved but not yet done.
        "CREATE TABLE fund_resets (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            hash TEXT NOT NULL,
            status INTEGER NOT NULL,
            version INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL,
            decided_at_ms INTEGER
        ) STRICT",
        "CREATE INDEX fund_resets_by_user ON fund_resets (user_id, status)",
        "CREATE INDEX fund_resets_by_status ON fund_resets (status, id)",
        // D-1: one address per member, coin and chain. `source` is the digest of the key that it was derived from at `place`.
        "CREATE TABLE deposit_addresses (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            chain TEXT NOT NULL,
            address TEXT NOT NULL UNIQUE,
            source BLOB,
            place INTEGER,
            created_at_ms INTEGER NOT NULL,
            UNIQUE (user_id, asset, chain)
        ) STRICT",
        "CREATE INDEX deposit_addresses_by_chain ON deposit_addresses (chain, id)",
        // Derivation indices of addresses that were given out.
        "CREATE TABLE deposit_places (chain TEXT NOT NULL PRIMARY KEY, next INTEGER NOT NULL) STRICT",
        "CREATE TABLE catalog_texts (digest BLOB NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT",
        // History: `body` is the object as in the engine's event; the other columns are those that lists filter by.
        "CREATE TABLE deposits (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            status INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            changed_ms INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX deposits_by_user ON deposits (user_id, id)",
        "CREATE INDEX deposits_by_status ON deposits (status, id)",
        "CREATE TABLE withdrawals (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            status INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            changed_ms INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX withdrawals_by_user ON withdrawals (user_id, id)",
        "CREATE INDEX withdrawals_by_status ON withdrawals (status, id)",
        "CREATE TABLE submissions (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            status INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            changed_ms INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX submissions_by_user ON submissions (user_id, id)",
        "CREATE INDEX submissions_by_status ON submissions (status, id)",
    ],
};
