//! The tables of operators: accounts, sessions, the audit log, payments seen on chains.

use crate::db::Migration;

/// Auditors search by action and by object.
pub const AUDIT_SEARCH: Migration = Migration {
    id: 28,
    name: "audit by action and number",
    ddl: &["CREATE INDEX audit_by_action ON audit (action, id)", "CREATE INDEX audit_by_number ON audit (object_id, id)"],
};

/// Changes of operators that the machine announces until the log has them, and the addresses for one-time links.
pub const CHANGES: Migration = Migration {
    id: 31,
    name: "changes of operators on the machine, mail of operators, audit by entry",
    ddl: &[
        "CREATE TABLE operator_changes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            operator_id INTEGER NOT NULL,
            rescue INTEGER NOT NULL,
            roles INTEGER NOT NULL,
            member_id INTEGER,
            link_hash BLOB NOT NULL,
            link_expires_ms INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX audit_by_seq ON audit (seq)",
        // Sealed.
        "ALTER TABLE operators ADD COLUMN mail BLOB",
    ],
};

/// When a session last presented an authenticator code; older sessions have presented none.
pub const PROOFS: Migration = Migration {
    id: 47,
    name: "step-up of operators",
    ddl: &["ALTER TABLE operator_sessions ADD COLUMN proved_ms INTEGER NOT NULL DEFAULT 0"],
};

/// The tables.
pub const MIGRATION: Migration = Migration {
    id: 12,
    name: "operators, audit, observed payments",
    ddl: &[
        // `listed` is 0 until two other operators agree on a new one. `agreed` is the last proposal. `secret` is sealed; without a password
        // it is not in use yet.
        "CREATE TABLE operators (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            member_id INTEGER,
            roles INTEGER NOT NULL,
            active INTEGER NOT NULL,
            listed INTEGER NOT NULL,
            agreed INTEGER NOT NULL DEFAULT 0,
            password TEXT,
            secret BLOB,
            last_step INTEGER NOT NULL,
            link_hash BLOB,
            link_expires_ms INTEGER,
            created_at_ms INTEGER NOT NULL,
            last_at_ms INTEGER
        ) STRICT",
        "CREATE TABLE operator_sessions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            token_hash BLOB NOT NULL UNIQUE,
            operator_id INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL,
            last_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id)",
        // A chain: `hash` covers the row and `prev`, and each row has at most one successor. `reason` is sealed. `seq` is the journal entry
        // of the call, empty while its outcome is not known.
        "CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            prev BLOB NOT NULL UNIQUE,
            hash BLOB NOT NULL,
            seq INTEGER,
            operator_id INTEGER NOT NULL,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            object_id INTEGER NOT NULL,
            reason BLOB NOT NULL,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX audit_by_operator ON audit (operator_id, id)",
        "CREATE INDEX audit_by_time ON audit (created_at_ms)",
        "CREATE INDEX audit_by_object ON audit (kind, object_id, id)",
        // Pictures whose address an audited view revealed.
        "CREATE TABLE view_files (
            view_id INTEGER NOT NULL,
            key TEXT NOT NULL,
            user_id INTEGER NOT NULL,
            PRIMARY KEY (view_id, key)
        ) STRICT",
        // The payment behind the digest of an observation (D-3).
        "CREATE TABLE payments (
            digest BLOB NOT NULL PRIMARY KEY,
            chain TEXT NOT NULL,
            tx TEXT NOT NULL,
            output INTEGER NOT NULL,
            address TEXT NOT NULL
        ) STRICT",
        "CREATE TABLE watch_cursors (chain TEXT NOT NULL PRIMARY KEY, position TEXT NOT NULL) STRICT",
        // The newest message of each member's chat; `waits` is 1 while it is the member's.
        "CREATE TABLE chats (user_id INTEGER PRIMARY KEY, last_id INTEGER NOT NULL, at_ms INTEGER NOT NULL, waits INTEGER NOT NULL) STRICT",
        "CREATE INDEX chats_by_wait ON chats (waits, at_ms)",
        "ALTER TABLE articles ADD COLUMN cover TEXT",
        "ALTER TABLE articles ADD COLUMN link TEXT",
    ],
};
