//! Shutdown in bounded time, whatever is blocked: one thread receives the signals, another hears that the node failed, and if the orderly
//! shutdown takes too long they exit the process.

use std::io::{self, Write};
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use kernel::sequencer::Sequencer;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// After a signal the orderly end may take this long. A second signal does not wait for it.
const AFTER_SIGNAL: Duration = Duration::from_secs(20);
/// After a failure there is nothing left to finish.
const AFTER_FAILURE: Duration = Duration::from_secs(3);
/// Time for writing the reason; a log reader that does not read must not keep the process alive.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Receives `SIGTERM` and `SIGINT` from now on; the receiver reports whether one came.
///
/// # Errors
/// When the system gives no thread or no signals.
pub fn on_signal() -> io::Result<watch::Receiver<bool>> {
    let (ask, asked) = watch::channel(false);
    let runtime = small_runtime()?;
    let (mut terminate, mut interrupt) = {
        let _inside = runtime.enter();
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    let work = async move {
        let mut received = async || {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        received().await;
        ask.send_replace(true);
        let again = tokio::time::timeout(AFTER_SIGNAL, received()).await.is_ok();
        exit(if again { "ended by a second signal" } else { "the orderly end took too long after a signal" });
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || runtime.block_on(work))?;
    Ok(asked)
}

/// Ends the process a moment after this node has failed, if it has not ended by then.
///
/// # Errors
/// When the system gives no thread.
pub fn on_failure(sequencer: Sequencer) -> io::Result<()> {
    let runtime = small_runtime()?;
    let work = async move {
        let reason = sequencer.failure().await;
        tokio::time::sleep(AFTER_FAILURE).await;
        exit(&reason);
    };
    thread::Builder::new().name("last-resort".to_owned()).spawn(move || runtime.block_on(work))?;
    Ok(())
}

/// A runtime of one thread that shares nothing with the one that serves.
fn small_runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Writes the reason, if possible, and ends the process with code 1.
fn exit(reason: &str) -> ! {
    let (reason, (written, done)) = (reason.to_owned(), mpsc::channel());
    let say = move || {
        // If the reason cannot be written, the exit code must do.
        let _ = writeln!(io::stderr(), "meridian: {reason}");
        let _ = written.send(());
    };
    if thread::Builder::new().spawn(say).is_ok() {
        // Whether or not this succeeds, the process ends.
        let _ = done.recv_timeout(LAST_WORDS);
    }
    process::exit(1)
}
