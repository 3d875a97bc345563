//! Verification codes (`docs/api.md` 1.8): 6 digits, 10 minutes, one use, bound to purpose and target, stored as keyed hashes. Each source
//! has 5 wrong entries for a code and 5 requests in 12 h, so guessing or asking too often blocks only that source. Sources known to the
//! account and unknown ones get separate codes and separate counters, so no number of strangers can block a known source.
//!
//! **Why guessing fails.** For one code all sources together have 20 + 10 wrong entries, so the chance of a hit is 30 in 10^6. In 12 hours
//! at most 20 + 10 codes are made for a target and purpose, and strangers have 20 entries for each: with any number of addresses their
//! chance of hitting one is at most 600 in 10^6. The owner sees every attempt, because each code is sent to them unless it expires before
//! it can be sent.

mod requests;

use engine::time::MINUTE_MS;

use crate::db::{DbError, Migration, Sql, Value};
use crate::error::StoreError;
use crate::handle::Store;
use crate::sealing::target_hash;
use crate::secrets::{OpenError, hex, random, random_below};
use crate::{outbox, sql};

pub use requests::{Asker, COUNTRIES, SANDBOX_FACTOR, SITE_FACTOR, SITES, too_often};
use requests::{RESEND_MS, WINDOW_MS, factor};

/// How long a code is valid.
pub const VALID_MS: u64 = 10 * MINUTE_MS;
const TRIES: usize = 5;

/// Codes and requests by source. Codes are valid for ten minutes; a member waiting for one requests another.
pub const SOURCES: Migration = Migration {
    id: 62,
    name: "codes by source",
    ddl: &[
        "DROP TABLE codes",
        // `known`: 1 requested by a source that the account knows, 0 by a stranger. `wrong`: marks of the sources of wrong entries.
        "CREATE TABLE codes (
            target_hash TEXT NOT NULL,
            purpose TEXT NOT NULL,
            known INTEGER NOT NULL,
            hash BLOB NOT NULL,
            expires_ms INTEGER NOT NULL,
            wrong TEXT NOT NULL,
            PRIMARY KEY (target_hash, purpose, known)
        ) STRICT",
        // Mark of the requesting source; null in older rows, which count as strangers'.
        "ALTER TABLE code_requests ADD COLUMN source TEXT",
        "ALTER TABLE code_requests ADD COLUMN known INTEGER NOT NULL DEFAULT 0",
    ],
};

/// Letters of a mark.
const MARK: usize = 17;

/// The source of a request for a code or of an entered code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A letter for its kind, and a keyed hash; of fixed length, so concatenated marks can be counted.
    mark: String,
    known: bool,
}

impl Source {
    /// A network address as limits count it, unknown to the account.
    pub fn stranger(store: &Store, address: &str) -> Source {
        Source::new(store, false, "address", address)
    }

    /// A device that the account of the target knows.
    pub fn device(store: &Store, number: &str) -> Source {
        Source::new(store, true, "device", number)
    }

    /// A session of the member who owns the target.
    pub fn session(store: &Store, id: u64) -> Source {
        Source::new(store, true, "session", &id.to_string())
    }

    fn new(store: &Store, known: bool, kind: &str, text: &str) -> Source {
        let hash = store.secrets.keyed("source of codes", &[kind, text]);
        let mut mark = kind_letter(known).to_owned() + &hex(&hash);
        mark.truncate(MARK);
        Source { mark, known }
    }

    /// Wrong entries that all sources of this kind have together at one code.
    fn tries_together(&self) -> usize {
        if self.known { 10 } else { 20 }
    }

    /// Requests that they have together in 12 h, for one target and purpose.
    fn requests_together(&self) -> u64 {
        if self.known { 10 } else { 20 }
    }
}

/// No digit of a hash.
fn kind_letter(known: bool) -> &'static str {
    if known { "k" } else { "s" }
}

/// The purpose of a code; a code is valid only for its own purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sign-up.
    Register,
    /// New password without the old one.
    Forget,
    /// A new address of a member.
    Bind,
    /// Withdrawal and withdrawal address.
    Operation,
    /// Fund password.
    Fund,
    /// Contact address.
    Contact,
    /// Security setting.
    Security,
}

impl Purpose {
    /// The wire name.
    pub fn word(self) -> &'static str {
        self.words().0
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Purpose::Register => ("register", "message.code.register"),
            Purpose::Forget => ("forget", "message.code.forget"),
            Purpose::Bind => ("bind", "message.code.bind"),
            Purpose::Operation => ("operation", "message.code.operation"),
            Purpose::Fund => ("fund", "message.code.fund"),
            Purpose::Contact => ("contact", "message.code.contact"),
            Purpose::Security => ("security", "message.code.security"),
        }
    }

    /// The purpose with this wire name.
    pub fn parse(word: &str) -> Option<Purpose> {
        use Purpose::{Bind, Contact, Forget, Fund, Operation, Register, Security};
        [Register, Forget, Bind, Operation, Fund, Contact, Security].into_iter().find(|purpose| purpose.word() == word)
    }
}

/// The real recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The address gets the code.
    Code,
    /// The address already belongs to a member: its owner is told so, and no code will ever match.
    Owner,
    /// No recipient: the account does not exist. The answer and the work are the same.
    Nobody,
}

/// A code on its way: when the next one may be asked for, when this one ends, and the statements that store and send it.
#[derive(Debug)]
pub struct Sent {
    /// To be run in one transaction.
    pub statements: Vec<Sql>,
    /// Earliest next request, journal time.
    pub resend_ms: u64,
    /// End of validity, journal time.
    pub expires_ms: u64,
}

/// Creates a code; the work is the same for every recipient. Limits for each target and purpose: once a minute by all sources of a kind, 5
/// times in 12 h by one source, 20 times by all strangers and 10 times by all known sources; and 30 codes of strangers in 12 h per address,
/// 480 per IPv6 /48.
/// The statements miss beyond them, see [`too_often`]. `say` is the sentence of a key with a code in it.
pub fn send(
    store: &Store,
    target: &str,
    purpose: Purpose,
    to: Recipient,
    asker: &Asker<'_>,
    say: impl Fn(&'static str, &str) -> String,
) -> Result<Sent, DbError> {
    let no_random = |error: OpenError| DbError::Failed(error.0);
    let now = store.now_ms();
    let target_hash = target_hash(&store.vault, target);
    let code = format!("{:06}", random_below(1_000_000).map_err(no_random)?);
    let real = to == Recipient::Code;
    let (fits, never) = (hash(store, target, purpose, &code), random().map_err(no_random)?);
    let hash = if real { fits } else { never };
    let expires_ms = now + VALID_MS;
    let message = match to {
        Recipient::Code | Recipient::Nobody => outbox::Message {
            target,
            purpose: purpose.word(),
            subject: say("message.code.subject", &code),
            body: say(purpose.words().1, &code),
            code: real.then_some(code),
            expires_ms: Some(expires_ms),
        },
        Recipient::Owner => outbox::Message {
            target,
            purpose: "taken",
            subject: say("message.taken.subject", ""),
            body: say("message.taken.text", ""),
            code: None,
            expires_ms: Some(expires_ms),
        },
    };
    let (mut statements, end) = requests::turn_statements(store, target, asker);
    statements.extend([
        sql!(
            "insert into codes (target_hash, purpose, known, hash, expires_ms, wrong) values ($1, $2, $3, $4, $5, '') \
             on conflict (target_hash, purpose, known) do update set hash = excluded.hash, expires_ms = excluded.expires_ms, wrong = ''",
            &target_hash,
            purpose.word(),
            u64::from(asker.source.known),
            hash,
            expires_ms
        ),
        requests::count(store, target, purpose, asker),
        sql!("delete from code_requests where at_ms < $1", store.wall_ms().saturating_sub(WINDOW_MS)),
        outbox::insert(store, message, to == Recipient::Nobody)?,
    ]);
    statements.extend(end);
    Ok(Sent { statements, resend_ms: now + RESEND_MS / factor(store), expires_ms })
}

/// Checks a code without using it up; a wrong one is counted. The end of its validity.
pub async fn check(store: &Store, target: &str, purpose: Purpose, code: &str, source: &Source) -> Result<u64, StoreError> {
    let (target_hash, hash, now) = (target_hash(&store.vault, target), hash(store, target, purpose, code), store.now_ms());
    // Whether this source, and all sources of its kind together, have tries left.
    let left = |of: &str, most: usize| format!("length(wrong) - length(replace(wrong, cast({of} as text), '')) < {most}");
    let (own, together) = (left("$5", TRIES * MARK), left("$6", source.tries_together()));
    // One statement compares and counts, so guesses at the same time count like guesses in a row.
    let count = format!(
        "update codes set wrong = wrong || case when hash = $4 then '' else cast($5 as text) end \
         where target_hash = $1 and purpose = $2 and expires_ms > $3 and {own} and {together} \
         returning expires_ms, cast(case when hash = $4 then 1 else 0 end as bigint)"
    );
    let args: Vec<Value> = vec![(&target_hash).into(), purpose.word().into(), now.into(), hash.into()];
    let marks: [Value; 2] = [(&source.mark).into(), kind_letter(source.known).into()];
    let counted = store.db.exec(Sql::new(count, args.into_iter().chain(marks).collect())).await?;
    for row in &counted.rows {
        if row.flag(1)? {
            return Ok(row.id(0)?);
        }
    }
    let text = "select count(*) from codes where target_hash = $1 and purpose = $2 and expires_ms > $3";
    let there = store.db.query(sql!(text, target_hash, purpose.word(), now)).await?.first().map_or(Ok(0), |row| row.id(0))?;
    Err(if counted.rows.is_empty() && there > 0 { StoreError::CodeLocked } else { StoreError::Code })
}

/// The statement that uses up a code, for the transaction it authorises, once [`check`] found it right; misses if it is no longer valid.
pub fn consume(store: &Store, target: &str, purpose: Purpose, code: &str) -> Sql {
    let hash = hash(store, target, purpose, code);
    sql!(
        "delete from codes where target_hash = $1 and purpose = $2 and expires_ms > $3 and hash = $4",
        target_hash(&store.vault, target),
        purpose.word(),
        store.now_ms(),
        hash
    )
    .exactly(1)
}

/// The statement that makes a code of a known source valid again after [`consume`] used it up for nothing; misses if there is a newer one.
/// A caller with the right code need not be counted as guessing.
pub fn give_back(store: &Store, target: &str, purpose: Purpose, code: &str, expires_ms: u64) -> Sql {
    sql!(
        "insert into codes (target_hash, purpose, known, hash, expires_ms, wrong) values ($1, $2, 1, $3, $4, '') \
         on conflict (target_hash, purpose, known) do nothing",
        target_hash(&store.vault, target),
        purpose.word(),
        hash(store, target, purpose, code),
        expires_ms
    )
    .exactly(1)
}

/// The failure of a transaction whose first statement is [`consume`]: the code may have been used meanwhile.
pub fn used_up(error: DbError) -> StoreError {
    match error {
        DbError::Missed(0) | DbError::Unique => StoreError::Code,
        other => other.into(),
    }
}

fn hash(store: &Store, target: &str, purpose: Purpose, code: &str) -> [u8; 32] {
    store.secrets.keyed("code", &[target, purpose.word(), code])
}
