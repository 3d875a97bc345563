//! An answer that is computed once a minute, however many callers ask.

use engine::time::Time;
use serde_json::Value as Json;
use tokio::sync::Mutex;

/// The answer of the last requested minute. Concurrent callers wait for the first of them.
#[derive(Debug, Default)]
pub struct MinuteCache(Mutex<Option<(Time, Json)>>);

impl MinuteCache {
    /// The answer of this minute, made now if there is none yet.
    ///
    /// # Errors
    /// Those of `make`; then the next caller tries again.
    pub async fn get<E>(&self, minute: Time, make: impl Future<Output = Result<Json, E>>) -> Result<Json, E> {
        let mut kept = self.0.lock().await;
        if let Some((_, answer)) = kept.as_ref().filter(|(of, _)| *of == minute) {
            return Ok(answer.clone());
        }
        let answer = make.await?;
        *kept = Some((minute, answer.clone()));
        Ok(answer)
    }
}
