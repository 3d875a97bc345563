//! The tables of what members upload, prove and write. Columns that are `BLOB` and not hashes are sealed (see [`crate::vault`]).

use crate::db::Migration;

/// When the login password was last changed; null for one that still is the first.
pub const PASSWORD_CHANGES: Migration =
    Migration { id: 19, name: "changes of passwords", ddl: &["ALTER TABLE users ADD COLUMN password_changed_at_ms INTEGER"] };

/// Operators find members by the beginning of an account number: the columns of their lists are together in an index, not in a row each.
pub const LISTED: Migration = Migration {
    id: 21,
    name: "members listed by account number",
    ddl: &["CREATE INDEX users_listed ON users (account_number, id, email, phone, country, created_at_ms)"],
};

/// Old log-ins and notices are looked for every minute.
pub const BY_AGE: Migration = Migration {
    id: 24,
    name: "log-ins and notices by age",
    ddl: &["CREATE INDEX login_events_by_time ON login_events (created_at_ms)", "CREATE INDEX notices_by_time ON notices (created_at_ms)"],
};

/// The tables.
pub const MIGRATION: Migration = Migration {
    id: 10,
    name: "files, second factor, security, messages",
    ddl: &[
        "ALTER TABLE users ADD COLUMN avatar TEXT",
        // `state`: 0 being stored, 1 stored, 2 to be deleted. Unused files are deleted after a day.
        "CREATE TABLE files (
            key TEXT NOT NULL PRIMARY KEY,
            user_id INTEGER NOT NULL,
            purpose TEXT NOT NULL,
            state INTEGER NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL,
            used_at_ms INTEGER
        ) STRICT",
        "CREATE INDEX files_by_use ON files (used_at_ms, created_at_ms)",
        "CREATE INDEX files_by_state ON files (state, created_at_ms)",
        "CREATE TABLE upload_days (
            user_id INTEGER NOT NULL,
            day INTEGER NOT NULL,
            files INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (user_id, day)
        ) STRICT",
        "CREATE TABLE totp (
            user_id INTEGER PRIMARY KEY,
            secret BLOB NOT NULL,
            last_step INTEGER NOT NULL,
            enabled_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE TABLE totp_setups (
            user_id INTEGER PRIMARY KEY,
            setup_hash BLOB NOT NULL,
            secret BLOB NOT NULL,
            expires_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE TABLE recovery_codes (
            user_id INTEGER NOT NULL,
            hash BLOB NOT NULL,
            PRIMARY KEY (user_id, hash)
        ) STRICT",
        // A log-in with the right password that waits for its second factor.
        "CREATE TABLE login_challenges (
            hash BLOB NOT NULL PRIMARY KEY,
            user_id INTEGER NOT NULL,
            expires_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE TABLE login_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            ok INTEGER NOT NULL,
            method TEXT NOT NULL,
            device TEXT NOT NULL,
            address TEXT NOT NULL,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX login_events_by_user ON login_events (user_id, id)",
        // Operators' access to a member's data and actions on their account, which the member can read.
        "CREATE TABLE access_log (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            role TEXT NOT NULL,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            reason TEXT NOT NULL,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX access_log_by_user ON access_log (user_id, id)",
        // `topic` names the texts, and `args` (JSON) fills them, so that a notice is shown in the present language.
        "CREATE TABLE notices (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            topic TEXT NOT NULL,
            args TEXT NOT NULL,
            object_id INTEGER,
            read INTEGER NOT NULL,
            told INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX notices_by_user ON notices (user_id, id)",
        "CREATE INDEX notices_untold ON notices (told, user_id)",
        // `status`: 1 open, 2 answered, 3 closed. `token` lets the first message find its ticket in the same transaction.
        "CREATE TABLE tickets (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            token BLOB NOT NULL UNIQUE,
            title BLOB NOT NULL,
            category TEXT NOT NULL,
            status INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL,
            updated_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX tickets_by_user ON tickets (user_id, id)",
        "CREATE INDEX tickets_by_status ON tickets (status, updated_at_ms)",
        // Messages of a ticket, or of the member's only chat if `ticket_id` is null. `author`: member, support, system.
        "CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            ticket_id INTEGER,
            author TEXT NOT NULL,
            content BLOB NOT NULL,
            files TEXT NOT NULL,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX messages_by_user ON messages (user_id, ticket_id, id)",
    ],
};
