//! Sockets.
use axum::Router;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use crate::app::App;
use crate::sequencer::Batch;
pub fn open(_app: &App, mut published: mpsc::UnboundedReceiver<Batch>) -> (Router, JoinHandle<()>) {
    (Router::new(), tokio::spawn(async move { while published.recv().await.is_some() {} }))
}
