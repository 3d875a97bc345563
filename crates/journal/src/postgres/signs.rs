//! The lease row as a sign of life.
//!
//! The session is its own, and does not wait for standbys: nothing is lost with a sign.

use super::{ANSWER, Session, Warning};
use crate::address::Address;
use crate::error::Error;
use crate::store::{Signs, sql_int};

/// Nothing depends on this time but that it changes.
const SIGN: &str = "update journal_lease set taken_ms = taken_ms + 1 where id = 1 and epoch = $1";

/// One session, opened when it is needed.
#[derive(Debug)]
pub(crate) struct PostgresSigns {
    address: Address,
    session: Option<Session>,
    epoch: u64,
}

impl PostgresSigns {
    pub(crate) fn new(mut address: Address, epoch: u64) -> Self {
        let options = format!("{} -c synchronous_commit=off", address.config.get_options().unwrap_or(""));
        address.config.application_name("meridian signs").options(options.trim());
        Self { address, session: None, epoch }
    }
}

impl Signs for PostgresSigns {
    fn give(&mut self) -> Result<(), Error> {
        let epoch = sql_int(self.epoch).map_err(Error::Invalid)?;
        let session = match self.session.take() {
            Some(session) => session,
            None => Session::connect(&self.address, Warning::default())?,
        };
        session.ask(ANSWER, async |client| client.execute(SIGN, &[&epoch]).await)?;
        // One that failed is not used again.
        self.session = Some(session);
        Ok(())
    }
}
