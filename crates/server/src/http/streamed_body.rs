//! Bodies of any length that are not held in memory: a file of ours, or pages that are produced while sending.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use futures_util::Stream;
use futures_util::stream::{self, BoxStream, StreamExt};
use tokio::io::AsyncReadExt;

use super::outgoing::{PIECE, shared};

/// A body that is read or produced while it is being sent.
#[derive(Clone, Debug)]
pub enum StreamedBody {
    /// A file that is sent unchanged.
    File {
        /// Where.
        path: PathBuf,
        /// Bytes.
        length: u64,
    },
    /// Pages, each made when the one before was taken.
    Pages(Pages),
    /// What never changes, as it is and compressed: all answers share it.
    Fixed(&'static Fixed),
    /// The compressed form of it.
    FixedGzip(&'static Fixed),
}

/// Bytes that never change.
#[derive(Debug)]
pub struct Fixed {
    /// As they are.
    pub plain: Vec<u8>,
    /// Compressed.
    pub gzip: Vec<u8>,
}

/// Pages as they are produced.
type Made = BoxStream<'static, std::io::Result<Vec<u8>>>;

/// Pages of an answer, to be taken once. If one cannot be produced, the connection is cut: a partial answer must not pass for a complete
/// one.
#[derive(Clone)]
pub struct Pages(Arc<Mutex<Option<Made>>>);

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pages")
    }
}

impl Pages {
    /// Of these.
    pub fn new(pages: impl Stream<Item = std::io::Result<Vec<u8>>> + Send + 'static) -> Pages {
        Pages(Arc::new(Mutex::new(Some(pages.boxed()))))
    }
}

impl StreamedBody {
    /// Bytes, where they are known.
    pub fn length(&self) -> Option<u64> {
        match self {
            StreamedBody::File { length, .. } => Some(*length),
            StreamedBody::Pages(_) => None,
            StreamedBody::Fixed(fixed) => Some(fixed.plain.len() as u64),
            StreamedBody::FixedGzip(fixed) => Some(fixed.gzip.len() as u64),
        }
    }

    /// The body, read or made piece by piece as the caller takes it.
    pub fn body(self) -> Body {
        match self {
            StreamedBody::File { path, .. } => Body::from_stream(stream::try_unfold((path, None), |(path, file)| async move {
                let mut file = match file {
                    Some(file) => file,
                    None => tokio::fs::File::open(&path).await?,
                };
                let mut piece = vec![0; PIECE];
                let length = file.read(&mut piece).await?;
                piece.truncate(length);
                Ok::<_, std::io::Error>((length > 0).then_some((piece, (path, Some(file)))))
            })),
            StreamedBody::Pages(Pages(pages)) => {
                let pages = pages.lock().unwrap_or_else(PoisonError::into_inner).take();
                pages.map_or_else(Body::empty, Body::from_stream)
            }
            StreamedBody::Fixed(fixed) => shared(&fixed.plain),
            StreamedBody::FixedGzip(fixed) => shared(&fixed.gzip),
        }
    }
}
