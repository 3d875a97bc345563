//! The tables of the journal.

/// Writes only when the tables are missing, so opening never waits for a standby. Two nodes may run it at once.
pub(super) const SCHEMA: &str = "
    do $$ begin
        perform pg_advisory_xact_lock(7308895159437258049);
        if to_regclass('journal_lease') is null then
            create table journal_lease (
                id bigint primary key check (id = 1),
                epoch bigint not null,
                last_seq bigint not null,
                node text not null,
                taken_ms bigint not null
            ) with (fillfactor = 10);
            insert into journal_lease values (1, 0, 0, '', 0);
            create table journal (
                seq bigint primary key,
                epoch bigint not null,
                prev_hash bytea not null,
                hash bytea not null,
                version bigint not null,
                time_ms bigint not null,
                durable_to bigint not null,
                body bytea not null
            );
            alter table journal alter body set storage external;
            create table journal_snapshot (
                seq bigint primary key,
                content bytea not null
            );
            alter table journal_snapshot alter content set storage external;
        end if;
        if to_regclass('journal_snapshot_piece') is null then
            create table journal_snapshot_piece (
                draft bigint,
                number bigint,
                content bytea not null,
                primary key (draft, number)
            );
            alter table journal_snapshot_piece alter content set storage external;
            alter table journal_snapshot add column draft bigint;
        end if;
    end $$";
