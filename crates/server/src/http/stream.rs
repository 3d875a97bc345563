//! The byte stream of a connection: its deadlines. A socket also has a rate limit for what it may send, and can be closed from our side.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::Sleep;

use super::framing::Framing;

/// Bytes a second that a socket may send, and the burst. The excess is read later, so it waits on the sender's side.
const SOCKET_PACE: u64 = 32 * 1024;
const SOCKET_BURST: u64 = 128 * 1024;
/// The part of the burst that is read in one go: about as many messages as a connection may send at once.
const SOCKET_TURN: u64 = 8 * 1024;

/// How long a closed WebSocket is still read and its data dropped: closing with unread bytes would discard what was written.
const LINGER: Duration = Duration::from_millis(500);
/// The maximum number of reads then.
const LINGER_READS: usize = 64;

/// The handle of a connection that requests carry along.
#[derive(Debug)]
pub struct Wire {
    socket: AtomicBool,
    cut: AtomicBool,
    reader: AtomicWaker,
    writer: AtomicWaker,
    /// A request is in progress.
    busy: AtomicBool,
    /// A request showed a session.
    known: AtomicBool,
    /// When it last began or ended a request, or its reader read part of an answer; nanoseconds.
    since: AtomicU64,
    end: Notify,
}

impl Default for Wire {
    fn default() -> Wire {
        let (socket, cut, busy, known) = Default::default();
        let (reader, writer, end) = Default::default();
        Wire { socket, cut, reader, writer, busy, known, since: AtomicU64::new(now()), end }
    }
}

/// Nanoseconds since the first connection.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl Wire {
    /// A request begins.
    pub fn begin(&self) {
        self.busy.store(true, Ordering::Relaxed);
        self.since.store(now(), Ordering::Relaxed);
    }

    /// It is answered; `known`: it showed a session.
    pub fn done(&self, known: bool) {
        self.busy.store(false, Ordering::Relaxed);
        self.since.store(now(), Ordering::Relaxed);
        if known {
            self.known.store(true, Ordering::Relaxed);
        }
    }

    /// How much the connection is needed, least first: idle guests, guests with a request in progress, idle members, and within each the
    /// longest in that state. `None`: a member's request is in progress.
    pub fn rank(&self) -> Option<(u8, u64)> {
        let class = match (self.known.load(Ordering::Relaxed), self.busy.load(Ordering::Relaxed)) {
            (false, false) => 0,
            (false, true) => 1,
            (true, false) => 2,
            (true, true) => return None,
        };
        Some((class, self.since.load(Ordering::Relaxed)))
    }

    /// Ends the connection, whatever it does.
    pub fn end(&self) {
        self.end.notify_one();
    }

    /// Waits until another one ends it.
    pub async fn ends(&self) {
        self.end.notified().await;
    }

    #[cfg(test)]
    pub(super) fn is_ended(&self) -> bool {
        futures_util::FutureExt::now_or_never(self.ends()).is_some_and(|()| {
            self.end();
            true
        })
    }

    /// From now on this connection is a WebSocket: its last request is answered so.
    pub fn becomes_socket(&self) {
        self.socket.store(true, Ordering::Release);
    }

    /// True from the moment it becomes a WebSocket.
    pub fn is_socket(&self) -> bool {
        self.socket.load(Ordering::Acquire)
    }

    /// Closes a WebSocket: nothing it sends counts any more, and what its reader takes without waiting is still written.
    pub fn cut(&self) {
        if self.is_socket() {
            self.cut.store(true, Ordering::Release);
            self.reader.wake();
            self.writer.wake();
        }
    }

    fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Acquire)
    }
}

/// A stream that ends when its reader takes nothing for too long.
#[derive(Debug)]
pub struct Stream<S> {
    stream: S,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    wire: Arc<Wire>,
    framing: Framing,
    pace: Pace,
    /// Others have their turn before a WebSocket is read again.
    rests: bool,
    lingering: Option<Pin<Box<Sleep>>>,
}

impl<S> Stream<S> {
    /// The stream of this connection.
    pub fn new(stream: S, patience: Duration, wire: Arc<Wire>) -> Stream<S> {
        let pace = Pace { left: SOCKET_BURST, at: None, wait: None };
        Stream { stream, patience, stalled: None, wire, framing: Framing::default(), pace, rests: false, lingering: None }
    }
}

/// A bucket of bytes. It may be overdrawn by one read, which is small.
#[derive(Debug)]
struct Pace {
    left: u64,
    at: Option<Instant>,
    wait: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    /// Ready when something may be read.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let now = Instant::now();
            let passed = now.saturating_duration_since(*self.at.get_or_insert(now));
            let gained = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX).saturating_mul(SOCKET_PACE) / 1_000;
            if gained > 0 {
                self.left = self.left.saturating_add(gained).min(SOCKET_BURST);
                self.at = Some(now);
            }
            if self.left > 0 {
                self.wait = None;
                return Poll::Ready(());
            }
            // Longer than one byte takes, so that a flood is read in a few large pieces.
            let wait = self.wait.get_or_insert_with(|| Box::pin(tokio::time::sleep(Duration::from_millis(100))));
            ready!(wait.as_mut().poll(cx));
            self.wait = None;
        }
    }
}

impl<S: AsyncRead + Unpin> Stream<S> {
    /// Ready at the end of a WebSocket that was closed.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let lingering = self.lingering.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        if lingering.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let mut unread = [0; 4_096];
        for _ in 0..LINGER_READS {
            let mut buffer = ReadBuf::new(&mut unread);
            match Pin::new(&mut self.stream).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
        // A flood is not read any further until the time is over.
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        if !this.wire.is_socket() {
            let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
            this.framing.read(buffer.filled_mut().get_mut(before..).unwrap_or_default());
            return read;
        }
        this.wire.reader.register(cx.waker());
        if this.wire.is_cut() {
            return this.poll_linger(cx).map(Ok);
        }
        // The library makes a task of each packet, whatever its cost. These tasks run before more packets are read, or a burst of packets
        // of a few bytes would need twenty times its size in memory.
        if std::mem::take(&mut this.rests) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        ready!(this.pace.poll(cx));
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        let more = u64::try_from(buffer.filled().len() - before).unwrap_or(u64::MAX);
        this.pace.left = this.pace.left.saturating_sub(more);
        this.rests = more > 0 && this.pace.left < SOCKET_BURST - SOCKET_TURN;
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        if written.is_ready() {
            this.wire.since.store(now(), Ordering::Relaxed);
            this.stalled = None;
            return written;
        }
        this.wire.writer.register(cx.waker());
        let patience = this.patience;
        let stalled = this.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        if this.wire.is_cut() || stalled.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn socket(stream: tokio::io::DuplexStream) -> (Stream<tokio::io::DuplexStream>, Arc<Wire>) {
        let wire = Arc::new(Wire::default());
        wire.becomes_socket();
        (Stream::new(stream, Duration::from_secs(30), wire.clone()), wire)
    }

    #[tokio::test]
    async fn a_socket_is_read_no_faster_than_its_pace() {
        let (mut client, server) = tokio::io::duplex(4_096);
        let (mut server, _) = socket(server);
        tokio::spawn(async move { while client.write_all(&[0; 4_096]).await.is_ok() {} });
        let (started, mut read, mut buffer) = (Instant::now(), 0, [0; 4_096]);
        let reading = async {
            while let Ok(more @ 1..) = server.read(&mut buffer).await {
                read += u64::try_from(more).unwrap_or_default();
            }
        };
        assert!(tokio::time::timeout(Duration::from_secs(1), reading).await.is_err());
        let most = SOCKET_BURST + SOCKET_PACE * (1 + started.elapsed().as_secs()) + 4_096;
        assert!((SOCKET_BURST..=most).contains(&read), "{read} bytes");
    }

    #[tokio::test]
    async fn what_a_socket_brought_is_done_before_more_is_read() {
        const PACKETS: u64 = 10;
        let (mut client, server) = tokio::io::duplex(SOCKET_BURST as usize);
        client.write_all(&[0; SOCKET_BURST as usize]).await.unwrap();
        let (mut server, _) = socket(server);
        let (waiting, mut most, mut buffer) = (Arc::new(AtomicU64::new(0)), 0, [0; 4_096]);
        for _ in 0..SOCKET_BURST / 4_096 {
            server.read_exact(&mut buffer).await.unwrap();
            // One task for each packet, as the library does.
            for _ in 0..PACKETS {
                most = most.max(1 + waiting.fetch_add(1, Ordering::Relaxed));
                let waiting = waiting.clone();
                tokio::spawn(async move { waiting.fetch_sub(1, Ordering::Relaxed) });
            }
        }
        assert_eq!(most, (SOCKET_TURN / 4_096 + 1) * PACKETS);
    }

    #[tokio::test]
    async fn a_cut_socket_ends_without_a_look_at_what_comes_and_does_not_wait_for_its_reader() {
        let (mut client, server) = tokio::io::duplex(16);
        let (server, wire) = socket(server);
        let (mut reader, mut writer) = tokio::io::split(server);
        let reading = tokio::spawn(async move { reader.read(&mut [0; 16]).await.unwrap() });
        let writing = tokio::spawn(async move { writer.write_all(&[7; 64]).await.is_err() });
        tokio::task::yield_now().await;
        wire.cut();
        client.write_all(&[7; 16]).await.unwrap();
        let both = async { (reading.await.unwrap(), writing.await.unwrap()) };
        assert_eq!(tokio::time::timeout(Duration::from_secs(5), both).await.unwrap(), (0, true));
        let mut taken = [0; 16];
        client.read_exact(&mut taken).await.unwrap();
        assert_eq!(taken, [7; 16]);
    }

    #[tokio::test]
    async fn a_connection_that_is_no_socket_is_neither_slowed_nor_cut() {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let wire = Arc::new(Wire::default());
        let mut server = Stream::new(server, Duration::from_secs(30), wire.clone());
        wire.cut();
        client.write_all(&vec![1; 1 << 20]).await.unwrap();
        let mut all = vec![0; 1 << 20];
        tokio::time::timeout(Duration::from_secs(5), server.read_exact(&mut all)).await.unwrap().unwrap();
    }
}
