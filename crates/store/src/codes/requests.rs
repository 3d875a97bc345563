//! How often codes may be asked for: by one source, for one target, from one network address and site, and by SMS.

use engine::time::HOUR_MS;

use super::{Purpose, Source};
use crate::db::{DbError, Migration, Sql, Value};
use crate::handle::Store;
use crate::login_throttle;
use crate::sealed_columns::address_hash;
use crate::sealing::target_hash;
use crate::sql;

/// In a sandbox rates per address, site and target are this much higher.
pub const SANDBOX_FACTOR: u64 = 50;
/// A site may do as much as this number of its networks.
pub const SITE_FACTOR: u64 = 16;
pub(super) const RESEND_MS: u64 = 60_000;
pub(super) const WINDOW_MS: u64 = 12 * HOUR_MS;
/// Codes in 12 h of one source for a target and purpose.
const PER_SOURCE: u64 = 5;
/// Codes of strangers in 12 h at one address.
const PER_ADDRESS: u64 = 30;
/// The same at one site.
const PER_SITE: u64 = SITE_FACTOR * PER_ADDRESS;
/// In which the SMS of all, and of one country, are counted.
const SMS_WINDOW_MS: u64 = HOUR_MS;

/// The country of codes by SMS: its dial code. Each of them costs money, so all of them together are bounded.
pub const COUNTRIES: Migration = Migration {
    id: 42,
    name: "codes by country",
    ddl: &["ALTER TABLE code_requests ADD COLUMN country TEXT", "CREATE INDEX code_requests_by_country ON code_requests (country, at_ms)"],
};

/// Requests by site. Those of before count by their address alone, for the twelve hours in which they count.
pub const SITES: Migration = Migration {
    id: 102,
    name: "codes by site",
    ddl: &["ALTER TABLE code_requests ADD COLUMN site TEXT", "CREATE INDEX code_requests_by_site ON code_requests (site, at_ms)"],
};

/// The caller that requests a code, and its source.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The source that the request is counted for.
    pub source: &'a Source,
    /// The network address as limits count it.
    pub address: &'a str,
    /// Its site: of IPv6 the /48, of IPv4 the address.
    pub site: &'a str,
}

/// The statement that counts a request; it misses beyond a limit. It counts those before it if it runs between the statements of [`turn_statements`]
/// and after the one that stores the code, because requests of one site, and all by SMS, queue at the first, and those for one target at
/// the second.
pub(super) fn count(store: &Store, target: &str, purpose: Purpose, asker: &Asker<'_>) -> Sql {
    let counted = "insert into code_requests (target_hash, purpose, address, at_ms, country, source, known, site) \
                   select $1, $2, $3, cast($4 as bigint), cast($9 as text), $10, cast($11 as bigint), $13 where not exists \
                   (select 1 from code_requests where target_hash = $1 and purpose = $2 and known = $11 and at_ms > $5) \
                   and (select count(*) from code_requests where target_hash = $1 and purpose = $2 and source = $10 and at_ms > $6) < $7 \
                   and (select count(*) from code_requests where target_hash = $1 and purpose = $2 and known = $11 and at_ms > $6) < $12 \
                   and ($11 = 1 or (select count(*) from code_requests where known = 0 and address = $3 and at_ms > $6) < $8 \
                   and (select count(*) from code_requests where known = 0 and site = $13 and at_ms > $6) < $14)";
    let by_sms = " and (select count(*) from code_requests where country is not null and at_ms > $15) < $16 \
                  and (select count(*) from code_requests where country = $9 and at_ms > $15) < $17";
    let (wall, factor) = (store.wall_ms(), factor(store));
    let (resend, window) = (wall.saturating_sub(RESEND_MS / factor), wall.saturating_sub(WINDOW_MS));
    let Asker { source, address, site } = asker;
    let [address, site] = [address, site].map(|text| Value::from(address_hash(&store.vault, text)));
    let country = dial_code(target);
    let mut args: Vec<Value> = vec![target_hash(&store.vault, &as_counted(target)).into(), purpose.word().into(), address];
    args.extend([wall, resend, window, PER_SOURCE * factor, PER_ADDRESS * factor].map(Value::from));
    args.extend([country.into(), (&source.mark).into(), u64::from(source.known).into()]);
    args.extend([(source.requests_together() * factor).into(), site, (PER_SITE * factor).into()]);
    let mut counted = counted.to_owned();
    if country.is_some() {
        let caps = sms_caps(store);
        counted += by_sms;
        args.extend([wall.saturating_sub(SMS_WINDOW_MS), caps.all, caps.country].map(Value::from));
    }
    Sql::new(counted, args).exactly(1)
}

/// The first and the last statements of a request. All SMS have one turn, because the caps count those of all callers. Every request takes
/// its turns in this order, so no two wait for each other.
pub(super) fn turn_statements(store: &Store, target: &str, asker: &Asker<'_>) -> (Vec<Sql>, Vec<Sql>) {
    let site = format!("codes for {}", asker.site);
    let all = std::iter::once(site.as_str()).chain(dial_code(target).map(|_| "codes by SMS"));
    all.map(|what| login_throttle::in_turn(store, what)).unzip()
}

/// A target as it is counted: most networks drop zeros before a national number, so with and without them it is the same phone.
fn as_counted(target: &str) -> String {
    match dial_code(target) {
        Some(code) => format!("{code}-{}", target[code.len() + 1..].trim_start_matches('0')),
        None => target.to_owned(),
    }
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

fn sms_caps(store: &Store) -> Caps {
    let factor = factor(store);
    Caps { all: store.terms.sms_per_hour * factor, country: store.terms.sms_per_country_hour * factor }
}

/// When codes by SMS are sent again, if a cap has stopped them. Reaching a cap means SMS pumping, so it raises an alarm.
async fn capped(store: &Store, country: &str, wall: u64) -> Result<u64, DbError> {
    let since = wall.saturating_sub(SMS_WINDOW_MS);
    let count = |of: &str| format!("select count(*), coalesce(min(at_ms), cast(0 as bigint)) from code_requests where {of} and at_ms > $1");
    let all = Sql::new(count("country is not null"), vec![since.into()]);
    let own = Sql::new(count("country = $2"), vec![since.into(), country.into()]);
    let (rows, caps, mut free_at) = (store.db.read(vec![all, own]).await?, sms_caps(store), 0);
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

/// Why a code was not sent: the wait in ms until the next one may be requested.
pub async fn too_often(store: &Store, target: &str, purpose: Purpose, asker: &Asker<'_>) -> Result<u64, DbError> {
    let (wall, factor, target_hash) = (store.wall_ms(), factor(store), target_hash(&store.vault, &as_counted(target)));
    let (since, Asker { source, address, site }) = (wall.saturating_sub(WINDOW_MS), asker);
    let by_source = "select count(*), min(at_ms) from code_requests where target_hash = $1 and purpose = $2 and source = $3 and at_ms > $4";
    let together = "select count(*), min(at_ms), max(at_ms) from code_requests \
                    where target_hash = $1 and purpose = $2 and known = $3 and at_ms > $4";
    let by_address = "select count(*), min(at_ms) from code_requests where known = 0 and address = $1 and at_ms > $2";
    let by_site = "select count(*), min(at_ms) from code_requests where known = 0 and site = $1 and at_ms > $2";
    let mut read = vec![
        sql!(together, &target_hash, purpose.word(), u64::from(source.known), since),
        sql!(by_source, target_hash, purpose.word(), &source.mark, since),
    ];
    if !source.known {
        read.push(sql!(by_address, address_hash(&store.vault, address), since));
        read.push(sql!(by_site, address_hash(&store.vault, site), since));
    }
    let caps = [source.requests_together(), PER_SOURCE, PER_ADDRESS, PER_SITE].map(|cap| cap * factor);
    let mut free_at = 0;
    for (at, (done, cap)) in store.db.read(read).await?.iter().zip(caps).enumerate() {
        let Some(row) = done.first() else { continue };
        let time = |column| Ok::<u64, DbError>(row.maybe_int(column)?.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(0));
        if at == 0 {
            free_at = time(2)? + RESEND_MS / factor;
        }
        if row.id(0)? >= cap {
            free_at = free_at.max(time(1)? + WINDOW_MS);
        }
    }
    if let Some(country) = dial_code(target) {
        free_at = free_at.max(capped(store, country, wall).await?);
    }
    Ok(free_at.saturating_sub(wall).max(1))
}

pub(super) fn factor(store: &Store) -> u64 {
    if store.terms.sandbox { SANDBOX_FACTOR } else { 1 }
}
