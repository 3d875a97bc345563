//! The composition root: it opens every part and passes it to those that need it. No module below refers to this file.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};

use engine::catalog::Catalog;
use engine::command::Mode;
use feed::market::Market;
use kernel::journal_clock::Clock;
use kernel::sequencer::Sequencer;
use store::db::Db;
use store::rows::first_answers::FirstAnswers;
use store::{Store, Terms};

use crate::config::Config;
use crate::countries::policy::CountryPolicy;
use crate::error::StartError;
use crate::exports::Exports;
use crate::files::Files;
use crate::hasher::Hasher;
use crate::http::answers::Answers;
use crate::http::auth::Sessions;
use crate::http::limits::Limits;
use crate::http::minute_cache::MinuteCache;
use crate::http::open_object_count::OpenObjectCount;
use crate::http::outgoing::Outgoing;
use crate::http::routes::{Table, table};
use crate::http::{App, Shared};
use crate::invariants::Invariants;
use crate::liabilities::Liabilities;
use crate::member_lock::MemberLocks;
use crate::notices::Notices;
use crate::poster::Posters;
use crate::proof::Proof;
use crate::wiring::{Answered, Present};
use crate::{api, databases, operator};

/// Every call: those of members and guests, then those of operators, area by area.
pub static ROUTES: LazyLock<Table> = LazyLock::new(|| table(api::AREAS.iter().chain(&operator::routes::AREAS).copied().flatten()));

/// Opens the database, migrates it and loads what is held in memory.
///
/// # Errors
/// When a part cannot be opened.
pub async fn open(
    config: Config,
    mode: Mode,
    market: Market,
    catalog: Catalog,
    sequencer: Sequencer,
    clock: Arc<Clock>,
) -> Result<App, StartError> {
    let db = match config.database.as_deref() {
        Some(url) => databases::postgres(url)?,
        None => Db::sqlite(&config.data.join("meridian.db"))?,
    };
    let sandbox = mode == Mode::Sandbox;
    let terms = Terms { sandbox, sms_per_hour: config.sms_per_hour, sms_per_country_hour: config.sms_per_country_hour };
    let present = Box::new(Present { clock: clock.clone(), sequencer: sequencer.clone() });
    let store = Arc::new(Store::open(db, &config.data, &config.key_file, terms, present).await?);
    sequencer.listed().begin(catalog);
    let answers = Answers::load(store.db.clone(), &store.vault, &clock).await?;
    sequencer.answer_from(Box::new(Answered(FirstAnswers::new(store.db.clone(), store.applied.clone()))));
    let exports = Exports::open(&config.data)?;
    store::exports::abandon(&store.db).await?;
    Ok(App::new(Shared {
        exports,
        files: Files::open(&config)?,
        notices: Notices::new(store.clone()),
        mode,
        market,
        catalog: sequencer.listed().clone(),
        policy: CountryPolicy::new(store.clone(), sequencer.clone()),
        sessions: Sessions::new(store.db.clone()),
        routes: &ROUTES,
        audit: operator::AUDIT_TRAIL,
        limits: Limits::new(sandbox),
        answers,
        hasher: Hasher::start(store.secrets.pepper())?,
        ready: AtomicBool::new(false),
        proof: Arc::new(Proof::open(&config.data, &store.db).await?),
        liabilities: Arc::new(Liabilities::start()?),
        sequencer,
        market_stats: Arc::default(),
        feed: OnceLock::new(),
        invariants: Invariants::default(),
        posters: Posters::start()?,
        stats: MinuteCache::default(),
        open_objects: OpenObjectCount::default(),
        member_locks: MemberLocks::default(),
        outgoing: Outgoing::default(),
        clock,
        store,
        config,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::compressed::is_open;

    #[test]
    fn every_call_is_listed_once() {
        for (url, entries) in ROUTES.iter() {
            let mut methods: Vec<_> = entries.iter().flat_map(|entry| entry.route.methods()).collect();
            let all = methods.len();
            methods.sort_unstable();
            methods.dedup();
            assert_eq!(methods.len(), all, "{url}");
        }
    }

    #[test]
    fn what_hands_out_secrets_is_not_compressed() {
        let open = |path: &str| api::AREAS.iter().copied().flatten().find(|route| route.path == path).map(is_open);
        assert_eq!((open("currency/quotation_new"), open("wallet/list")), (Some(true), Some(true)));
        for path in ["user/login", "user/totp/setup", "/sandbox/outbox"] {
            assert_eq!(open(path), Some(false), "{path}");
        }
    }
}
