//! Secrets stay secret: nothing that a member types or receives as a secret is in the log, at any level, or in the figures.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{SystemTime, UNIX_EPOCH};

#[allow(dead_code, reason = "shared with the tests of the interface")]
#[path = "api/harness.rs"]
mod harness;
mod log_sink;

use engine::ids::UserId;
use harness::{Answer, As, Server, both, token};
use log_sink::Log;
use server::http::idempotency::caller_of;
use store::totp;

/// A withdrawal address of Tron with a right checksum.
const TRON: &str = "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8";

/// Everything secret that one member types and is given, each once right and once wrong.
async fn secrets(server: &Server) -> Vec<String> {
    let email = "canary@example.com";
    let (first, second, wrong, fund) = ("canary-first", "canary-second", "canary-wrong", "738291");
    let mut seen: Vec<String> = [email, first, second, wrong, fund, TRON].map(str::to_owned).to_vec();
    let code = server.mail_code(email, "register").await;
    let form = [("type", "email"), ("user_string", email), ("code", &code), ("password", first), ("re_password", first), ("agree", "1")];
    server.post("/api/user/register", &form).await.ok();
    assert_eq!(server.login(email, wrong).await.error(), "E_CREDENTIALS");
    let who = server.login(email, first).await.ok().as_str().unwrap().to_owned();
    let post = async |path: &str, fields: &[(&str, &str)]| -> Answer { server.post_as(token(&who), path, fields).await };
    let own_code = async |purpose: &str| {
        server.patient(async || post("/api/set/sms_other_mail", &[("type", purpose)]).await).await.ok();
        server.newest_message(email).await["code"].as_str().unwrap().to_owned()
    };

    assert_eq!(post("/api/user/e_pwd", &[("old_password", wrong), ("password", second)]).await.error(), "E_PASSWORD_OLD");
    post("/api/user/e_pwd", &[("old_password", first), ("password", second)]).await.ok();
    let fund_code = own_code("fund").await;
    let form = [("password", fund), ("re_password", fund), ("login_password", second), ("code", &fund_code)];
    post("/api/safe/update_password", &form).await.ok();

    let setup = post("/api/user/totp/setup", &[("password", second)]).await.ok();
    let (id, secret) = (setup["setup_id"].as_str().unwrap(), setup["secret"].as_str().unwrap());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let digits = totp::code(&data_encoding::BASE32_NOPAD.decode(secret.as_bytes()).unwrap(), totp::step(u64::try_from(now).unwrap()));
    let on = post("/api/user/totp/enable", &[("setup_id", id), ("code", &digits)]).await.ok();
    let recovery: Vec<String> = serde_json::from_value(on["recovery_codes"].clone()).unwrap();

    let papers = ("Canary Person", "CANARY77", "7 Canary Road");
    let form = [("country", "de"), ("name", papers.0), ("card_id", papers.1), ("address", papers.2), ("residence_address", papers.2)];
    post("/api/user/real_name", &form).await.ok();
    let out_code = own_code("operation").await;
    let form = [("currency_id", "3"), ("netType", "TRC20"), ("address", TRON), ("pay_password", fund), ("code", &out_code)];
    // Refused or not, the text was sent.
    post("/api/wallet/addaddress", &form).await;
    let out = [("currency", "3"), ("number", "20"), ("address_id", "1"), ("pay_password", fund), ("otp", &recovery[0])];
    post("/api/wallet/out", &out).await;

    seen.extend([papers.0, papers.1, papers.2, id, secret, &code, &fund_code, &out_code, &digits].map(str::to_owned));
    seen.extend(recovery);
    seen.push(who);
    seen
}

/// A command that the engine cannot apply: its caller gets a named refusal, and the log gets a line with the kind of the command.
async fn poisoned(server: &Server, logged: usize) {
    let who = server.member("poisoned@example.com").await;
    let user = server.get_as(token(&who), "/api/user/center").await.ok()["id"].as_u64().unwrap();
    let pay = async |key: &str| {
        let form = [("asset", "USDT"), ("amount", "5")];
        server.post_as(As { token: &who, key, ..As::default() }, "/sandbox/faucet", &form).await
    };
    let known_by = server.running.app.secrets.keyed("key", &[&caller_of(UserId(user), "bad")]);
    kernel::sequencer::poison(u128::from_be_bytes(known_by[..16].try_into().unwrap()));
    let refused = pay("bad").await;
    assert_eq!((refused.status, refused.error().as_str()), (500, "E_INTERNAL"), "{}", refused.text);
    let told = server.post_as(token(&who), "/api/user/outcome", &[("key", "bad")]).await.ok();
    assert!(told["seq"].is_null(), "nothing of it was written: {told}");
    pay("good").await.ok();
    let log = Log::text();
    let line = log[logged..].lines().find(|line| line.contains("the engine cannot apply a command of this kind: refused"));
    assert!(line.is_some_and(|line| line.contains("ERROR") && line.contains("kind=") && line.contains("seq=")), "{line:?}");
}

#[test]
fn no_secret_of_a_member_stands_in_the_log_or_the_figures() {
    tracing_subscriber::fmt().with_env_filter("server=trace,info").with_writer(|| Log).with_ansi(false).init();
    both(|server| async move {
        let secrets = secrets(&server).await;
        tracing::info!("the log is heard");
        let log = Log::text();
        assert!(log.contains("/api/user/register") && log.contains("the log is heard"), "{log}");
        // What a monitor must see is there all the same: which kind, where, and how often.
        for event in ["log_in_failed", "password_wrong"] {
            let line = log.lines().find(|line| line.contains(" security: ") && line.contains(&format!("event=\"{event}\"")));
            assert!(line.is_some_and(|line| line.contains("path=") && line.contains("source=")), "{event}: {line:?}");
        }
        let figures = server.get("/metrics").await.text;
        for figure in [
            "security_events_total{event=\"log_in_failed\"}",
            "refusals_total{name=\"E_CREDENTIALS\"}",
            "hash_backlog{lane=\"guests\"} 0",
            "hash_backlog{lane=\"known\"} 0",
            "commands_waiting ",
            "pictures_decoding 0",
            "messages{state=\"waiting\"} 0",
        ] {
            assert!(figures.contains(figure), "{figure} is missing: {figures}");
        }
        for (place, text) in [("log", &log), ("figures", &figures)] {
            // Codes of six digits may occur within longer numbers by chance.
            let stands = |secret: &str| {
                text.match_indices(secret).any(|(at, _)| {
                    let around = [text[..at].chars().next_back(), text[at + secret.len()..].chars().next()];
                    !around.into_iter().flatten().any(|sign| sign.is_ascii_alphanumeric() || sign == '.')
                })
            };
            let found: Vec<_> = secrets.iter().filter(|secret| stands(secret)).collect();
            assert!(found.is_empty(), "{found:?} in the {place}");
        }
        poisoned(&server, log.len()).await;
    });
}
