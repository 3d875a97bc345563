//! Request ids, for finding a request in the server's log.

use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of a request of this process.
#[derive(Clone, Copy, Debug)]
pub struct RequestId(u64);

impl RequestId {
    pub(super) fn next() -> RequestId {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        RequestId(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Read once, because it is a system call.
        static PROCESS: LazyLock<u32> = LazyLock::new(std::process::id);
        write!(f, "{:x}-{:x}", *PROCESS, self.0)
    }
}
