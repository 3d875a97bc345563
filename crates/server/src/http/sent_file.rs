//! A file of ours as the body of an answer, however long it is.

use std::path::PathBuf;

use axum::body::Body;
use futures_util::stream;
use tokio::io::AsyncReadExt;

/// A file that is sent as it lies there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentFile {
    path: PathBuf,
    length: u64,
}

/// Bytes of a file that are read at once.
const PIECE: usize = 64 * 1024;

impl SentFile {
    /// A file of this length.
    pub fn new(path: PathBuf, length: u64) -> SentFile {
        SentFile { path, length }
    }

    /// Bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The body, read piece by piece as the caller takes it.
    pub fn body(self) -> Body {
        Body::from_stream(stream::try_unfold((self.path, None), |(path, file)| async move {
            let mut file = match file {
                Some(file) => file,
                None => tokio::fs::File::open(&path).await?,
            };
            let mut piece = vec![0; PIECE];
            let length = file.read(&mut piece).await?;
            piece.truncate(length);
            Ok::<_, std::io::Error>((length > 0).then_some((piece, (path, Some(file)))))
        }))
    }
}
