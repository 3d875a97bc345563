//! Verification codes (`api.md` 1.8): 6 digits, 10 minutes, one use, 5 wrong entries, bound to purpose and target, stored as keyed hashes.

use crate::app::App;
use crate::db::{DbError, Migration, Sql, Value};
use crate::http::limits::SANDBOX_FACTOR;
use crate::http::reply::{Refusal, refuse};
use crate::secrets::random_below;
use crate::sql;
use crate::store::cells::address_hash;
use crate::store::sealing::target_hash;
use crate::store::{outbox, waits};
use crate::text::{Lang, filled, text};

/// How long a code is valid.
pub const VALID_MS: u64 = 10 * 60_000;
const RESEND_MS: u64 = 60_000;
const WINDOW_MS: u64 = 12 * 3_600_000;
const PER_TARGET: u64 = 5;
const PER_ADDRESS: u64 = 30;
const TRIES: u64 = 5;
/// In which the SMS of all, and of one country, are counted.
const SMS_WINDOW_MS: u64 = 3_600_000;

/// The country of codes by SMS: its dial code. Each of them costs money, so all of them together are bounded.
pub const COUNTRIES: Migration = Migration {
    id: 42,
    name: "codes by country",
    ddl: &["ALTER TABLE code_requests ADD COLUMN country TEXT", "CREATE INDEX code_requests_by_country ON code_requests (country, at_ms)"],
};

/// What a code is for; a code of one purpose is worth nothing for another.
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
    /// The word on the wire.
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

    /// The purpose with this word.
    pub fn parse(word: &str) -> Option<Purpose> {
        use Purpose::{Bind, Contact, Forget, Fund, Operation, Register, Security};
        [Register, Forget, Bind, Operation, Fund, Contact, Security].into_iter().find(|purpose| purpose.word() == word)
    }
}

/// Who really gets something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The address gets the code.
    Code,
    /// The address belongs to a member already: its owner is told so, and no code will ever fit.
    Owner,
    /// Nobody: the account does not exist. The answer and the work are the same.
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

/// Makes a code; the same work whoever gets it. Limits: once a minute and 5 times in 12 h per target and purpose, 30 in 12 h per address;
/// the statements miss beyond them, see [`too_often`].
pub fn send(app: &App, target: &str, purpose: Purpose, to: Recipient, address: &str, lang: Lang) -> Result<Sent, Refusal> {
    let (wall, now, factor) = (app.clock.wall_ms(), app.now_ms(), factor(app));
    let target_hash = target_hash(&app.vault, target);
    let code = format!("{:06}", random_below(1_000_000).map_err(|_| refuse("E_INTERNAL"))?);
    let real = to == Recipient::Code;
    let (fits, never) = (hash(app, target, purpose, &code), crate::secrets::random().map_err(|_| refuse("E_INTERNAL"))?);
    let hash = if real { fits } else { never };
    let expires_ms = now + VALID_MS;
    let message = match to {
        Recipient::Code | Recipient::Nobody => outbox::Message {
            target,
            purpose: purpose.word(),
            subject: filled(lang, "message.code.subject", &[("code", &code)]),
            body: filled(lang, purpose.words().1, &[("code", &code)]),
            code: real.then_some(code),
        },
        Recipient::Owner => outbox::Message {
            target,
            purpose: "taken",
            subject: text(lang, "message.taken.subject").to_owned(),
            body: text(lang, "message.taken.text").to_owned(),
            code: None,
        },
    };
    // Requests of one address wait for one another here, those for one target at its code: each counts those before it.
    let counted = "insert into code_requests (target_hash, purpose, address, at_ms, country) \
                   select $1, $2, $3, cast($4 as bigint), cast($9 as text) \
                   where not exists (select 1 from code_requests where target_hash = $1 and purpose = $2 and at_ms > $5) \
                   and (select count(*) from code_requests where target_hash = $1 and purpose = $2 and at_ms > $6) < $7 \
                   and (select count(*) from code_requests where address = $3 and at_ms > $6) < $8";
    let by_sms = " and (select count(*) from code_requests where country is not null and at_ms > $10) < $11 \
                  and (select count(*) from code_requests where country = $9 and at_ms > $10) < $12";
    let (resend, window) = (wall.saturating_sub(RESEND_MS / factor), wall.saturating_sub(WINDOW_MS));
    let by = address_hash(&app.vault, address);
    let (per_target, per_address) = (PER_TARGET * factor, PER_ADDRESS * factor);
    let country = dial_code(target);
    let mut args: Vec<Value> = vec![(&target_hash).into(), purpose.word().into(), by.into()];
    args.extend([wall, resend, window, per_target, per_address].map(Value::from));
    args.push(country.into());
    let mut counted = counted.to_owned();
    if country.is_some() {
        let caps = sms_caps(app);
        counted += by_sms;
        args.extend([wall.saturating_sub(SMS_WINDOW_MS), caps.all, caps.country].map(Value::from));
    }
    let (lock, unlock) = waits::in_turn(app, &format!("codes for {address}"));
    let statements = vec![
        lock,
        sql!(
            "insert into codes (target_hash, purpose, hash, expires_ms, tries) values ($1, $2, $3, $4, 0) on conflict (target_hash, purpose) \
                 do update set hash = excluded.hash, expires_ms = excluded.expires_ms, tries = 0",
            &target_hash,
            purpose.word(),
            hash,
            expires_ms
        ),
        Sql::new(counted, args).exactly(1),
        sql!("delete from code_requests where at_ms < $1", window),
        outbox::insert(app, message, to == Recipient::Nobody)?,
        unlock,
    ];
    Ok(Sent { statements, resend_ms: now + RESEND_MS / factor, expires_ms })
}

/// The dial code of a phone; a mail address has none.
fn dial_code(target: &str) -> Option<&str> {
    target.split_once('-').filter(|_| !target.contains('@')).map(|(code, _)| code)
}

/// Most SMS an hour.
struct Caps {
    all: u64,
    country: u64,
}

fn sms_caps(app: &App) -> Caps {
    let factor = factor(app);
    Caps { all: app.config.sms_per_hour * factor, country: app.config.sms_per_country_hour * factor }
}

/// When codes by SMS are sent again, if a cap is what stops them. Somebody pumps SMS then, so it is an alarm.
async fn capped(app: &App, country: &str, wall: u64) -> Result<u64, DbError> {
    let since = wall.saturating_sub(SMS_WINDOW_MS);
    let count = |of: &str| format!("select count(*), coalesce(min(at_ms), cast(0 as bigint)) from code_requests where {of} and at_ms > $1");
    let all = Sql::new(count("country is not null"), vec![since.into()]);
    let own = Sql::new(count("country = $2"), vec![since.into(), country.into()]);
    let (rows, caps, mut free_at) = (app.db.read(vec![all, own]).await?, sms_caps(app), 0);
    for (done, cap, scope) in [(&rows[0], caps.all, "all"), (&rows[1], caps.country, "country")] {
        if let Some(row) = done.first()
            && row.id(0)? >= cap
        {
            free_at = free_at.max(row.id(1)? + SMS_WINDOW_MS);
            metrics::counter!("sms_capped_total", "scope" => scope).increment(1);
            tracing::error!(target: "security", event = "sms_capped", scope, country, cap, "no more codes by SMS within the hour");
        }
    }
    Ok(free_at)
}

/// Why a code was not sent: when the next one may be asked for.
pub async fn too_often(app: &App, target: &str, purpose: Purpose, address: &str) -> Result<Refusal, DbError> {
    let (wall, factor, target_hash) = (app.clock.wall_ms(), factor(app), target_hash(&app.vault, target));
    let since = wall.saturating_sub(WINDOW_MS);
    let by_target = "select count(*), min(at_ms), max(at_ms) from code_requests where target_hash = $1 and purpose = $2 and at_ms > $3";
    let by_address = "select count(*), min(at_ms) from code_requests where address = $1 and at_ms > $2";
    let rows = app
        .db
        .read(vec![sql!(by_target, target_hash, purpose.word(), since), sql!(by_address, address_hash(&app.vault, address), since)])
        .await?;
    let mut free_at = 0;
    if let (Some(by_target), Some(by_address)) = (rows[0].first(), rows[1].first()) {
        let at = |cell: Option<i64>| cell.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(0);
        free_at = at(by_target.maybe_int(2)?) + RESEND_MS / factor;
        if by_target.id(0)? >= PER_TARGET * factor {
            free_at = free_at.max(at(by_target.maybe_int(1)?) + WINDOW_MS);
        }
        if by_address.id(0)? >= PER_ADDRESS * factor {
            free_at = free_at.max(at(by_address.maybe_int(1)?) + WINDOW_MS);
        }
    }
    if let Some(country) = dial_code(target) {
        free_at = free_at.max(capped(app, country, wall).await?);
    }
    Ok(refuse("E_RATE").retry(free_at.saturating_sub(wall).max(1)))
}

fn factor(app: &App) -> u64 {
    if app.is_sandbox() { SANDBOX_FACTOR } else { 1 }
}

/// Checks a code without using it up; a wrong one is counted. The end of its validity.
pub async fn check(app: &App, target: &str, purpose: Purpose, code: &str) -> Result<u64, Refusal> {
    let (target_hash, hash, now) = (target_hash(&app.vault, target), hash(app, target, purpose, code), app.now_ms());
    // One statement compares and counts, so guesses at the same time are no more than guesses in a row.
    let count = "update codes set tries = tries + case when hash = $4 then 0 else 1 end \
                 where target_hash = $1 and purpose = $2 and expires_ms > $3 and tries < $5 \
                 returning expires_ms, cast(case when hash = $4 then 1 else 0 end as bigint)";
    let counted = app.db.exec(sql!(count, &target_hash, purpose.word(), now, hash, TRIES)).await?;
    if let Some(row) = counted.first() {
        return if row.flag(1)? { Ok(row.id(0)?) } else { Err(refuse("E_CODE")) };
    }
    let text = "select tries from codes where target_hash = $1 and purpose = $2 and expires_ms > $3 and tries >= $4";
    let locked = app.db.query(sql!(text, target_hash, purpose.word(), now, TRIES)).await?;
    Err(refuse(if locked.first().is_some() { "E_CODE_LOCKED" } else { "E_CODE" }))
}

/// The statement that uses a code up, for the transaction of what it allows; misses if the code is not (or no longer) good.
pub fn consume(app: &App, target: &str, purpose: Purpose, code: &str) -> Sql {
    let hash = hash(app, target, purpose, code);
    sql!(
        "delete from codes where target_hash = $1 and purpose = $2 and expires_ms > $3 and tries < 5 and hash = $4",
        target_hash(&app.vault, target),
        purpose.word(),
        app.now_ms(),
        hash
    )
    .exactly(1)
}

/// The statement that makes a code good again that [`consume`] has used up for nothing; misses if there is a newer one. Whoever had the right one
/// need not be counted as guessing.
pub fn give_back(app: &App, target: &str, purpose: Purpose, code: &str, expires_ms: u64) -> Sql {
    sql!(
        "insert into codes (target_hash, purpose, hash, expires_ms, tries) values ($1, $2, $3, $4, 0) \
         on conflict (target_hash, purpose) do nothing",
        target_hash(&app.vault, target),
        purpose.word(),
        hash(app, target, purpose, code),
        expires_ms
    )
    .exactly(1)
}

/// Turns a transaction whose first statement is [`consume`] into the refusal of a code that was used meanwhile.
pub fn used_up(error: DbError) -> Refusal {
    match error {
        DbError::Missed(0) | DbError::Unique => refuse("E_CODE"),
        other => other.into(),
    }
}

fn hash(app: &App, target: &str, purpose: Purpose, code: &str) -> [u8; 32] {
    app.secrets.keyed("code", &[target, purpose.word(), code])
}
