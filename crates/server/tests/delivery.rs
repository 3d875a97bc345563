//! Live mode sends its messages: mail in a real SMTP conversation, SMS by one HTTP call, repeated until they are taken.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod log_sink;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Once;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use clap::Parser;
use log_sink::Log;
use server::boot::{self, Running};
use server::config::{Cli, Command};
use server::error::StartError;
use store::outbox::{self, Message};
use store::sql;

const PATIENCE: Duration = Duration::from_secs(20);

/// The lines of the log that say why a message was not delivered.
fn failures() -> String {
    let log = Log::text();
    log.lines().filter(|line| line.contains("not delivered")).collect()
}

async fn live(folder: &std::path::Path, smtp: u16, sms: u16) -> Running {
    static START: Once = Once::new();
    START.call_once(|| tracing_subscriber::fmt().with_writer(|| Log).with_ansi(false).init());
    let (smtp, sms) = (format!("smtp://127.0.0.1:{smtp}"), format!("http://127.0.0.1:{sms}/send?key=hidden"));
    let options = ["--genesis", "live", "--smtp-url", &smtp, "--sms-url", &sms, "--mail-from", "Meridian <post@meridian.example>"];
    start(folder, &options).await.unwrap()
}

async fn start(folder: &std::path::Path, options: &[&str]) -> Result<Running, StartError> {
    // No test contacts a real venue.
    let venues = feed::venues::VENUES.each_ref().map(|venue| format!("{}=ws://127.0.0.1:9", venue.name)).join(",");
    let words = ["meridian", "serve", "--listen", "127.0.0.1:0", "--data", folder.to_str().unwrap(), "--venue-address", &venues];
    let Command::Serve(args) = Cli::try_parse_from(words.iter().chain(options)).unwrap().command else { panic!("not serve") };
    boot::start(args.check().unwrap()).await
}

async fn post(running: &Running, path: &str, body: &'static str) -> String {
    let url = format!("http://{}{path}", running.address);
    let request = reqwest::Client::new().post(url).header("content-type", "application/x-www-form-urlencoded").body(body);
    request.send().await.unwrap().text().await.unwrap()
}

/// A mail server that turns away the first `busy` mails and hands on the text of the others.
fn mail_server(busy: usize) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (mails, received) = channel();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            if let Some(mail) = converse(stream.unwrap(), number < busy) {
                let _ = mails.send(mail);
            }
        }
    });
    (port, received)
}

fn converse(stream: TcpStream, busy: bool) -> Option<String> {
    let mut out = stream.try_clone().unwrap();
    let mut say = |line: &str| out.write_all(format!("{line}\r\n").as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    say("220 test ESMTP");
    let (mut envelope, mut mail) = (String::new(), None);
    while let Some(line) = lines.next() {
        match line.split([' ', ':']).next().unwrap_or("") {
            "EHLO" => say("250 test"),
            "RCPT" if busy => say("451 4.2.1 <ann@example.com>: try again later"),
            "MAIL" | "RCPT" => {
                envelope.push_str(&line);
                envelope.push('\n');
                say("250 ok");
            }
            "DATA" => {
                say("354 go on");
                let text: Vec<String> = lines.by_ref().take_while(|line| line != ".").collect();
                mail = Some(format!("{envelope}{}", text.join("\n")));
                say("250 taken");
            }
            "QUIT" => {
                say("221 bye");
                break;
            }
            _ => say("250 ok"),
        }
    }
    mail
}

/// A gateway that answers each request with the next of these statuses, and hands on what it was sent.
fn sms_gateway(statuses: &'static [u16]) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (requests, received) = channel();
    thread::spawn(move || {
        for (stream, status) in listener.incoming().zip(statuses) {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            // The header gives the length of the body; our messages are short.
            while !request.windows(4).any(|part| part == b"\r\n\r\n") || !request.ends_with(b"}") {
                match stream.read(&mut buffer).unwrap() {
                    0 => break,
                    read => request.extend_from_slice(&buffer[..read]),
                }
            }
            let _ = requests.send(String::from_utf8(request).unwrap());
            stream.write_all(format!("HTTP/1.1 {status} Answer\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
        }
    });
    (port, received)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_goes_out_by_mail_after_a_refusal_and_is_then_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let (smtp, mails) = mail_server(1);
    let running = live(folder.path(), smtp, 1).await;
    let answer = post(&running, "/api/sms_mail", "user_string=Ann%40example.com&type=register").await;
    assert!(answer.contains("Code sent"), "{answer}");
    let mail = tokio::task::spawn_blocking(move || mails.recv_timeout(PATIENCE)).await.unwrap().expect("the second attempt brings it");
    assert!(mail.contains("RCPT TO:<ann@example.com>") && mail.contains("From: Meridian <post@meridian.example>"), "{mail}");
    assert!(mail.contains("Message-ID: <outbox-1@meridian.example>"), "{mail}");
    assert!(mail.contains("MIME-Version: 1.0") && mail.contains("Content-Type: text/plain; charset=utf-8"), "{mail}");
    let log = failures();
    assert!(log.contains("the mail server answers 451") && !log.contains("ann@"), "{log}");
    let code: String = mail.split("code: ").nth(1).unwrap().chars().take(6).collect();
    let check = format!("user_string=ann%40example.com&type=register&code={code}");
    let answer = post(&running, "/api/user/check_email", check.leak()).await;
    assert!(answer.contains("The code is correct"), "{answer}");
    let mut left = String::new();
    for _ in 0..40 {
        let rows = running.app.db.query(sql!("select state, sealed from outbox")).await.unwrap();
        left = format!("{:?}", rows.rows);
        if left.contains("sent") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(left, r#"[Row([Text("sent"), Null])]"#, "to whom and what is forgotten");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_sms_is_one_post_repeated_under_the_same_key() {
    let folder = tempfile::tempdir().unwrap();
    let (sms, requests) = sms_gateway(&[503, 200]);
    let running = live(folder.path(), 1, sms).await;
    let answer = post(&running, "/api/sms_send", "user_string=15112345678&area_code=49&type=register").await;
    assert!(answer.contains("Code sent"), "{answer}");
    let both = tokio::task::spawn_blocking(move || [requests.recv_timeout(PATIENCE).unwrap(), requests.recv_timeout(PATIENCE).unwrap()]);
    for request in both.await.unwrap() {
        assert!(request.starts_with("POST /send?key=hidden HTTP/1.1"), "{request}");
        assert!(request.contains("idempotency-key: outbox-1") && request.contains(r#""to":"+4915112345678""#), "{request}");
    }
    let log = failures();
    assert!(log.contains("503") && !log.contains("hidden"), "{log}");
}

/// A gateway that takes connections, says so, and never answers.
fn silent_gateway() -> (u16, Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (taken, received) = channel();
    thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            held.push(stream.unwrap());
            let _ = taken.send(());
        }
    });
    (port, received)
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_codes_are_not_sent_and_delay_neither_a_fresh_one_nor_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    let (smtp, mails) = mail_server(0);
    let running = live(folder.path(), smtp, 1).await;
    let app = &running.app;
    let now = app.now_ms();
    let message = |target: &'static str, expires_ms| {
        let (subject, body) = ("x".to_owned(), "x".to_owned());
        outbox::insert(app, Message { target, purpose: "register", subject, body, code: None, expires_ms }, false).unwrap()
    };
    let expired = (0..100).map(|_| message("old@example.com", Some(now)));
    let mixed = [message("notice@example.com", None), message("fresh@example.com", Some(now + 60_000))];
    app.db.run(expired.chain(mixed).collect()).await.unwrap();
    let both = tokio::task::spawn_blocking(move || [mails.recv_timeout(PATIENCE).unwrap(), mails.recv_timeout(PATIENCE).unwrap()]);
    let both = both.await.unwrap().concat();
    assert!(both.contains("RCPT TO:<fresh@example.com>") && both.contains("RCPT TO:<notice@example.com>"), "{both}");
    let text = "select state, count(*), count(sealed) from outbox where expires_ms = $1 group by state";
    let dropped = app.db.query(sql!(text, now)).await.unwrap();
    assert_eq!(format!("{:?}", dropped.rows), r#"[Row([Text("failed"), Int(100), Int(0)])]"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_cannot_be_opened_delays_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (smtp, mails) = mail_server(0);
    let running = live(folder.path(), smtp, 1).await;
    let app = &running.app;
    let message = |target: &'static str| {
        let (subject, body) = ("x".to_owned(), "x".to_owned());
        outbox::insert(app, Message { target, purpose: "register", subject, body, code: None, expires_ms: None }, false).unwrap()
    };
    let spoil = sql!("update outbox set sealed = $1", vec![7_u8; 40]);
    let empty = sql!("update outbox set sealed = null where id = (select max(id) from outbox)");
    let both = [message("spoiled@example.com"), spoil, message("emptied@example.com"), empty];
    app.db.run(both.into_iter().chain([message("whole@example.com")]).collect()).await.unwrap();
    let sent = tokio::task::spawn_blocking(move || mails.recv_timeout(Duration::from_secs(20))).await.unwrap().expect("a mail");
    assert!(sent.contains("RCPT TO:<whole@example.com>"), "{sent}");
    let rows = app.db.query(sql!("select state from outbox order by id limit 2")).await.unwrap().rows;
    assert!(rows.iter().all(|row| row.text(0).as_deref() == Ok("failed")), "{rows:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_hangs_holds_up_no_mail_and_no_other_sms() {
    let folder = tempfile::tempdir().unwrap();
    let (smtp, mails) = mail_server(0);
    let (sms, taken) = silent_gateway();
    let running = live(folder.path(), smtp, sms).await;
    let soon = Duration::from_secs(10);
    let soon_taken = || taken.recv_timeout(soon);
    // As many as are sent at once, so that there is no place left.
    for at in 1..=8 {
        let body = format!("user_string=1511234567{at}&area_code=49&type=register");
        let answer = post(&running, "/api/sms_send", body.leak()).await;
        assert!(answer.contains("Code sent"), "{answer}");
        tokio::task::block_in_place(soon_taken).expect("an attempt while the one before is not answered");
    }
    let answer = post(&running, "/api/sms_mail", "user_string=ann%40example.com&type=register").await;
    assert!(answer.contains("Code sent"), "{answer}");
    tokio::task::block_in_place(|| mails.recv_timeout(soon)).expect("a mail while no SMS is answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn live_sends_nothing_in_plain_to_another_machine_unless_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let plain: [&[&str]; 4] = [
        &["--database", "postgres://meridian@db.example/a"],
        &["--smtp-url", "smtp://mail.example:25"],
        &["--sms-url", "http://sms.example/send"],
        &["--chain-ethereum", "http://node.example:8545"],
    ];
    let on = |more: &[&'static str], options: &[&'static str]| -> Vec<&'static str> { more.iter().chain(options).copied().collect() };
    for options in plain {
        let refused = start(folder.path(), &on(&["--genesis", "live"], options)).await.map(|_| ()).unwrap_err().0;
        assert!(refused.starts_with(options[0]) && refused.contains("--allow-plain"), "{refused}");
    }
    // A log keeps the mode of its genesis.
    let mut allowed = start(folder.path(), &on(&["--genesis", "live", "--allow-plain", "on"], plain[1])).await.unwrap();
    allowed.stop().await;
    assert!(start(folder.path(), &on(&["--genesis", "sandbox"], plain[2])).await.is_err());
    let folder = tempfile::tempdir().unwrap();
    start(folder.path(), &on(&["--genesis", "sandbox", "--chart-days", "1"], plain[1])).await.unwrap().stop().await;
}
