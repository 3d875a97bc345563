//! Work that may wait: a few threads that run while no other work wants their core. Trading never waits for a password or a picture.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use tokio::sync::oneshot;

/// A tenth of the weight of other work: of threads that must come forward, and where the system knows no better way.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// When a thread works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// While no other work wants its core.
    Idle,
    /// Also on a busy machine, but only a quarter of the time.
    Quarter,
}

/// Jobs in progress.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// True while such a thread may hold a core. A thread that yields then yields to it, and waits some milliseconds for the system's next
/// tick: only a waking thread gets the core at once.
pub fn is_busy() -> bool {
    RUNNING.load(Ordering::Relaxed) > 0
}

type Job = Box<dyn FnOnce() + Send>;

/// The threads.
#[derive(Clone, Debug)]
pub struct Pool {
    jobs: mpsc::Sender<Job>,
}

impl Pool {
    /// Starts this many threads with this name.
    pub fn start(name: &str, threads: usize, turn: Turn) -> io::Result<Pool> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let inbox = Arc::new(Mutex::new(inbox));
        for _ in 0..threads {
            let inbox = inbox.clone();
            let work = move || {
                step_back(turn);
                while let Some(job) = next(&inbox) {
                    RUNNING.fetch_add(1, Ordering::Relaxed);
                    // If the job panics, its caller sees that no answer comes, and the thread takes the next job.
                    let started = Instant::now();
                    let _ = catch_unwind(AssertUnwindSafe(job));
                    RUNNING.fetch_sub(1, Ordering::Relaxed);
                    if turn == Turn::Quarter {
                        thread::sleep(started.elapsed() * 3);
                    }
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
            // A job whose caller has gone is not begun. If the caller goes later, the answer is dropped.
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

/// Cores of this machine but one, and at least one.
pub fn cores_but_one() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1))
}

/// How many threads the heavy work of a machine may have: a core stays free, and more than two are never needed.
pub fn width() -> usize {
    cores_but_one().min(2)
}

/// Lowers the priority of this thread. A thread that is merely nice finishes its time slice of some milliseconds before a waking thread may
/// run. An idle one yields at once, unless the last microseconds of its share are owed to it: then it stays until the next tick. Only on
/// Linux do these calls apply to a thread; elsewhere they would apply to the whole process.
fn step_back(turn: Turn) {
    #[cfg(target_os = "linux")]
    if turn == Turn::Quarter {
        let _ = rustix::process::setpriority_process(None, NICE);
    } else if let Err(refused) = make_idle() {
        let nice = rustix::process::setpriority_process(None, NICE);
        tracing::warn!(%refused, ?nice, "a background thread is not idle");
    }
}

#[cfg(target_os = "linux")]
fn make_idle() -> Result<(), thread_priority::Error> {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    thread_priority::set_thread_priority_and_policy(thread_priority::thread_native_id(), ThreadPriority::Min, idle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_panics_ends_nothing_but_itself() {
        let pool = Pool::start("test", 1, Turn::Idle).unwrap();
        assert_eq!(
            pool.run(|| if thread::current().name() == Some("test") {
                panic!("on purpose")
            })
            .await,
            None
        );
        assert_eq!(pool.run(|| 7).await, Some(7));
        assert_eq!(pool.run(is_busy).await, Some(true));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_threads_step_back_and_nobody_else_does() {
        use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy, thread_schedule_policy};
        let pool = Pool::start("test", 2, Turn::Idle).unwrap();
        let policy = || thread_schedule_policy().unwrap();
        let before = policy();
        assert_eq!(pool.run(policy).await, Some(ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle)));
        let forward = Pool::start("test", 1, Turn::Quarter).unwrap();
        assert_eq!(forward.run(policy).await, Some(before));
        assert_eq!(policy(), before, "nobody else's priority changes");
    }
}
