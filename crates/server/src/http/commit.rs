//! Writes outside the log: a call's changes to people or content, and the answer under its key, are one transaction.

use std::sync::Arc;

use store::answers;
use store::db::{DbError, Done, Returning, Sql};

use super::Call;
use super::reply::{Answer, Reply};

impl Call {
    /// Runs the statements of a write and stores its answer in one transaction: a kill leaves both or nothing.
    ///
    /// # Errors
    /// [`DbError::Unknown`] also when the key was answered meanwhile, by an attempt that ended without an answer: nothing was done, and a
    /// repetition gets the answer of that attempt.
    pub async fn commit(&self, statements: Vec<Sql>, reply: Reply) -> Result<Reply, DbError> {
        self.transact(statements, move |_| Ok(reply.clone())).await
    }

    /// The same when the answer contains what only the database knows: an assigned number, a count, a list. `answer` builds the answer from
    /// that, inside the transaction and again after it; so it only reads, and must be deterministic.
    ///
    /// # Errors
    /// As above; and a refusal of `answer`, which undoes everything, is [`DbError::Failed`].
    pub async fn commit_with(&self, write: Returning, answer: impl Fn(&Done) -> Answer + Send + Sync + 'static) -> Result<Reply, DbError> {
        let Returning { statements, place } = write;
        let made = move |done: &[Done]| {
            let told = done.get(place).ok_or_else(|| DbError::Failed("no statement says what was done".to_owned()))?;
            answer(told).map_err(|refusal| DbError::failed(refusal.code))
        };
        self.transact(statements, made).await
    }

    async fn transact<A>(&self, mut statements: Vec<Sql>, answer: A) -> Result<Reply, DbError>
    where
        A: Fn(&[Done]) -> Result<Reply, DbError> + Send + Sync + 'static,
    {
        let Some(write) = &self.write else { return answer(&self.app.db.run(statements).await?) };
        let (last, lang, answer) = (statements.len(), self.lang, Arc::new(answer));
        let made = Arc::clone(&answer);
        let stored = move |done: &[Done]| made(done).map(|reply| (reply.body(lang).1, reply.seq));
        let (store, caller) = (Arc::clone(&self.app.store), write.caller.clone());
        statements.push(answers::insert_last(store, caller, write.content, self.app.clock.wall_ms(), stored));
        let done = self.app.db.run(statements).await.map_err(|error| match error {
            DbError::Missed(at) if at == last => DbError::Unknown("the key was answered meanwhile".to_owned()),
            other => other,
        })?;
        let mut reply = answer(&done)?;
        reply.stored = true;
        Ok(reply)
    }
}
