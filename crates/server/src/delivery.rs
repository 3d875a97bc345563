//! Takes waiting messages out of the outbox and delivers them: mail by SMTP, SMS by one HTTP call. Live mode only.

use std::sync::Arc;
use std::time::Duration;

use lettre::message::{Mailbox, SinglePart};
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use serde_json::json;
use store::Store;
use store::outbox::{self, Waiting};

use crate::config::Config;
use crate::error::StartError;

const PAUSE: Duration = Duration::from_millis(500);
const PATIENCE: Duration = Duration::from_secs(20);
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
        let mail = mail.map(|builder| builder.timeout(Some(PATIENCE)).build());
        let sms = match config.sms_url.clone() {
            None => None,
            Some(url) => {
                // Another part of the process may have installed the provider already.
                let _ = rustls::crypto::ring::default_provider().install_default();
                let client = reqwest::Client::builder().timeout(PATIENCE).build();
                Some((client.map_err(|error| StartError(format!("--sms-url: {error}")))?, url))
            }
        };
        Ok(Delivery { mail, sms, from, store })
    }

    /// Delivers for ever.
    pub async fn run(self) {
        loop {
            match outbox::take_due(&self.store, self.store.wall_ms()).await {
                Ok(due) => {
                    for message in due {
                        self.deliver(message).await;
                    }
                }
                Err(error) => tracing::error!(%error, "outbox"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn deliver(&self, message: Waiting) {
        let result = if message.target.contains('@') { self.send_mail(&message).await } else { self.send_sms(&message).await };
        let stored = match result {
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
