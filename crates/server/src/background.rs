//! Work that may wait: a few threads that step back when others want the processor. Who trades never waits for a password or a picture.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use tokio::sync::oneshot;

/// A tenth of the weight of other work: it still goes on while every core is busy.
const NICE: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

/// The threads.
#[derive(Clone, Debug)]
pub struct Pool {
    jobs: mpsc::Sender<Job>,
}

impl Pool {
    /// Starts so many threads of this name.
    pub fn start(name: &str, threads: usize) -> io::Result<Pool> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let inbox = Arc::new(Mutex::new(inbox));
        for _ in 0..threads {
            let inbox = inbox.clone();
            let work = move || {
                step_back();
                while let Some(job) = next(&inbox) {
                    // Its caller sees that no answer comes; the thread takes the next one.
                    let _ = catch_unwind(AssertUnwindSafe(job));
                }
            };
            thread::Builder::new().name(name.to_owned()).spawn(work)?;
        }
        Ok(Pool { jobs })
    }

    /// Runs this in its turn; `None` if it panicked.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Work that nobody waits for any more is not begun, and its answer may be nobody's.
            if !answer.is_closed() {
                let _ = answer.send(work());
            }
        });
        self.jobs.send(job).ok()?;
        answered.await.ok()
    }
}

fn next(inbox: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// How many threads the heavy work of a machine may have: a core stays free, and more than two are never needed.
pub fn width() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).clamp(1, 2))
}

/// Lowers the priority of this thread. On Linux alone the call means a thread; elsewhere it would be the whole process.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!(%error, "a background thread keeps its priority");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_panics_ends_nothing_but_itself() {
        let pool = Pool::start("test", 1).unwrap();
        assert_eq!(
            pool.run(|| if thread::current().name() == Some("test") {
                panic!("on purpose")
            })
            .await,
            None
        );
        assert_eq!(pool.run(|| 7).await, Some(7));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_threads_step_back_and_nobody_else_does() {
        let pool = Pool::start("test", 2).unwrap();
        let nice = || rustix::process::getpriority_process(None).unwrap();
        let before = nice();
        assert_eq!(pool.run(nice).await, Some(NICE));
        assert_eq!(nice(), before, "nobody else's priority changes");
    }
}
