//! Snapshots in PostgreSQL: rows of about 1 MiB under the number of their draft, and one row that names the draft once it is complete.
//!
//! The session is its own. It does not wait for standbys: a standby without the snapshot only has a longer replay.

use super::{LONG, Session, Warning};
use crate::address::Address;
use crate::error::Error;
use crate::group::Head;
use crate::snapshot::DraftStore;
use crate::store::sql_int;

const CLEAN: &str = "
    delete from journal_snapshot_piece p
    where not exists (select from journal_snapshot s where s.draft = p.draft)";

const PIECE: &str = "insert into journal_snapshot_piece (draft, number, content) values ($1, $2, $3)";

/// Only the state after an entry of this journal, and only with every piece: another writer may have considered the draft abandoned.
const PUBLISH: &str = "
    insert into journal_snapshot (seq, content, draft)
    select $1, $2, $3 from journal
    where seq = $1 and hash = $4 and (select count(*) from journal_snapshot_piece where draft = $3) = $5
    on conflict (seq) do update set content = excluded.content, draft = excluded.draft";

const PRUNE: &str = "
    delete from journal_snapshot
    where seq not in (select seq from journal_snapshot order by seq desc limit $1)";

/// One session, opened when it is needed.
#[derive(Debug)]
pub(crate) struct PostgresDrafts {
    address: Address,
    session: Option<Session>,
    draft: Option<PostgresDraft>,
}

#[derive(Clone, Copy, Debug)]
struct PostgresDraft {
    number: i64,
    head: Head,
    pieces: i64,
}

impl PostgresDrafts {
    pub(crate) fn new(mut address: Address) -> Self {
        let options = format!("{} -c synchronous_commit=local", address.config.get_options().unwrap_or(""));
        address.config.application_name("meridian snapshots").options(options.trim());
        Self { address, session: None, draft: None }
    }

    /// Sends a request to the server; a session that failed is not used again.
    fn ask<T>(&mut self, question: impl AsyncFnOnce(&tokio_postgres::Client) -> Result<T, tokio_postgres::Error>) -> Result<T, Error> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Session::connect(&self.address, Warning::default())?,
        };
        let answer = session.ask(LONG, question)?;
        self.session = Some(session);
        Ok(answer)
    }

    fn draft(&self) -> Result<PostgresDraft, Error> {
        self.draft.ok_or_else(|| Error::Invalid("no draft".into()))
    }
}

impl DraftStore for PostgresDrafts {
    fn clean(&mut self) -> Result<(), Error> {
        self.draft = None;
        self.ask(async |client| client.execute(CLEAN, &[]).await).map(drop)
    }

    fn begin(&mut self, head: Head) -> Result<(), Error> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|error| Error::Store(format!("no random number: {error}")))?;
        self.draft = Some(PostgresDraft { number: i64::from_be_bytes(random), head, pieces: 0 });
        Ok(())
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), Error> {
        let PostgresDraft { number, head, pieces } = self.draft()?;
        self.ask(async |client| client.execute(PIECE, &[&number, &pieces, &piece]).await)?;
        self.draft = Some(PostgresDraft { number, head, pieces: pieces + 1 });
        Ok(())
    }

    fn publish(&mut self, last: &[u8]) -> Result<(), Error> {
        let PostgresDraft { number, head, pieces } = self.draft()?;
        let (seq, hash) = (sql_int(head.seq).map_err(Error::Invalid)?, head.hash.as_slice());
        let published = self.ask(async |client| client.execute(PUBLISH, &[&seq, &last, &number, &hash, &pieces]).await)?;
        self.draft = None;
        if published == 1 { Ok(()) } else { Err(Error::Invalid("a snapshot of another history, or its pieces are gone".into())) }
    }

    fn prune(&mut self, kept: usize) -> Result<(), Error> {
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        self.ask(async |client| client.execute(PRUNE, &[&kept]).await)?;
        self.clean()
    }
}
