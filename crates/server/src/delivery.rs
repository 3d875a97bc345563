//! Takes waiting messages out of the outbox and delivers them: mail by SMTP, SMS by one HTTP call. Live mode only. No queue of messages
//! waits for another one, and in each of them several messages are on their way at once.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use lettre::message::{Mailbox, SinglePart};
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use serde_json::json;
use store::Store;
use store::outbox::{self, Queue, Waiting};

use crate::config::Config;
use crate::error::StartError;

const PAUSE: Duration = Duration::from_millis(500);
/// For one attempt, from the connection to the answer. An outbox row is taken for longer, so there are no two attempts at once.
const PATIENCE: Duration = Duration::from_secs(20);
/// Messages of one queue on their way at once.
const AT_ONCE: usize = 8;
/// After this many attempts (2, 4, 8 ... seconds apart) the code inside is long over.
const TRIES: u64 = 10;

/// The ways out.
#[derive(Debug)]
pub struct Delivery {
    store: Arc<Store>,
    from: Mailbox,
    mail: Option<AsyncSmtpTransport<Tokio1Executor>>,
    sms: Option<(reqwest::Client, String)>,
}

impl Delivery {
    /// Reads the addresses of the gateways.
    pub fn new(config: &Config, store: Arc<Store>) -> Result<Delivery, StartError> {
        let from = config.mail_from.parse().map_err(|error| StartError(format!("--mail-from: {error}")))?;
        let mail = config.smtp_url.as_deref().map(AsyncSmtpTransport::<Tokio1Executor>::from_url).transpose();
        let mail = mail.map_err(|error| StartError(format!("--smtp-url: {error}")))?;
        let mail = mail.map(|builder| builder.build());
        let sms = match config.sms_url.clone() {
            None => None,
            Some(url) => {
                // Another part of the process may have installed the provider already.
                let _ = rustls::crypto::ring::default_provider().install_default();
                let client = reqwest::Client::builder().build();
                Some((client.map_err(|error| StartError(format!("--sms-url: {error}")))?, url))
            }
        };
        Ok(Delivery { mail, sms, from, store })
    }

    /// Delivers for ever.
    pub async fn run(self) {
        join_all(Queue::ALL.map(|queue| self.work_off(queue))).await;
    }

    /// Keeps this queue's places filled with messages, for ever.
    async fn work_off(&self, queue: Queue) {
        let mut sending = FuturesUnordered::new();
        loop {
            let free = AT_ONCE - sending.len();
            if free == 0 {
                sending.next().await;
                continue;
            }
            let due = match outbox::take_due(&self.store, queue, free as u64).await {
                Ok(due) => due,
                Err(error) => {
                    tracing::error!(%error, "outbox");
                    Vec::new()
                }
            };
            let more = due.len() == free;
            sending.extend(due.into_iter().map(|message| self.deliver(message)));
            // The next ones are taken after a pause, or earlier if there may be more and half of the places are free.
            let enough = if more { AT_ONCE / 2 } else { 0 };
            let progress = async {
                while sending.len() > enough {
                    sending.next().await;
                }
                if !more {
                    pending::<()>().await;
                }
            };
            let _ = tokio::time::timeout(PAUSE, progress).await;
        }
    }

    async fn deliver(&self, message: Waiting) {
        let sent = async { if message.target.contains('@') { self.send_mail(&message).await } else { self.send_sms(&message).await } };
        let late = |_| Err(format!("no answer within {PATIENCE:?}"));
        let stored = match tokio::time::timeout(PATIENCE, sent).await.unwrap_or_else(late) {
            Ok(()) => outbox::sent(&self.store.db, message.id).await,
            Err(why) => {
                tracing::warn!(id = message.id, tries = message.tries, why, "message not delivered");
                let wait = Duration::from_secs(1 << message.tries.min(10)).as_millis();
                let next = self.store.wall_ms() + u64::try_from(wait).unwrap_or(0);
                outbox::not_sent(&self.store.db, message.id, (message.tries < TRIES).then_some(next)).await
            }
        };
        if let Err(error) = stored {
            tracing::error!(%error, "outbox");
        }
    }

    async fn send_mail(&self, message: &Waiting) -> Result<(), String> {
        let transport = self.mail.as_ref().ok_or("no mail server is configured")?;
        let to: lettre::Address = message.target.parse().map_err(|error| format!("address: {error}"))?;
        let mail = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            // A repeated message keeps its number, so that receivers can drop the copy.
            .message_id(Some(format!("<outbox-{}@{}>", message.id, self.from.email.domain())))
            .subject(&message.subject)
            .singlepart(SinglePart::plain(message.body.clone()))
            .map_err(|error| error.to_string())?;
        // The text of a refusal may name the recipient, who must not appear in a log.
        let why = |error: smtp::Error| error.status().map_or_else(|| error.to_string(), |code| format!("the mail server answers {code}"));
        transport.send(mail).await.map(drop).map_err(why)
    }

    async fn send_sms(&self, message: &Waiting) -> Result<(), String> {
        let (client, url) = self.sms.as_ref().ok_or("no SMS gateway is configured")?;
        let body = json!({"id": message.id, "to": format!("+{}", message.target.replace('-', "")), "text": message.body});
        let request = client
            .post(url)
            .header("content-type", "application/json")
            .header("idempotency-key", format!("outbox-{}", message.id))
            .body(body.to_string());
        // The gateway's address may hold its secret.
        let answer = request.send().await.and_then(reqwest::Response::error_for_status);
        answer.map(drop).map_err(|error| error.without_url().to_string())
    }
}
