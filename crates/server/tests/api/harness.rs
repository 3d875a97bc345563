//! A real server in this process, on a free port, with its own data.

use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Parser;
use engine::time::DAY_MS;
use journal::Address;
use journal::testing::PostgresServer;
use serde_json::Value as Json;
use server::app::ROUTES;
use server::boot::{self, Running};
use server::config::{Cli, Command, PublicArgs, VerifyArgs};
use server::error::StartError;
use server::verify::{self, Verified};
use store::db::Db;
use store::totp;
use tempfile::TempDir;

/// A running server and a client for it.
pub struct Server {
    pub running: Running,
    pub client: reqwest::Client,
    folder: TempDir,
    options: Vec<String>,
    _postgres: Option<Arc<PostgresServer>>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The payload of a successful answer.
    #[track_caller]
    pub fn ok(&self) -> Json {
        let json = self.json();
        assert_eq!(json["type"], "ok", "{}", self.text);
        json["message"].clone()
    }

    /// The extra fields of a successful answer.
    #[track_caller]
    pub fn data(&self) -> Json {
        self.ok();
        self.json()["data"].clone()
    }

    /// The name of a refusal; `""` when there is none.
    pub fn error(&self) -> String {
        self.json()["data"]["error"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Addresses without a venue.
pub const NO_VENUES: &str =
    "binance=ws://127.0.0.1:9,coinbase=ws://127.0.0.1:9,kraken=ws://127.0.0.1:9,okx=ws://127.0.0.1:9,bybit=ws://127.0.0.1:9";

/// One red pixel.
pub const SMALL_PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90,
    0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0,
    0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// A picture of one colour; another shade is another picture.
pub fn flat_jpeg(width: u32, height: u32, shade: u8) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(width, height, image::Rgb([shade.wrapping_mul(40), shade.wrapping_mul(100), 0]));
    let mut jpeg = Vec::new();
    image::codecs::jpeg::JpegEncoder::new(&mut jpeg).encode_image(&picture).unwrap();
    jpeg
}

/// The parts of a request besides its fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct As<'a> {
    pub token: &'a str,
    pub key: &'a str,
    pub lang: &'a str,
}

/// With this token.
pub fn token(token: &str) -> As<'_> {
    As { token, ..As::default() }
}

impl Server {
    /// The URL for a path on the first address; a whole URL stays as it is.
    pub fn url(&self, path: &str) -> String {
        if path.starts_with('/') { format!("http://{}{path}", self.running.address) } else { path.to_owned() }
    }

    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.post_as(As::default(), path, fields).await
    }

    pub async fn post_as(&self, who: As<'_>, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect();
        let request = self.client.post(self.url(path)).header("content-type", "application/x-www-form-urlencoded").body(form.join("&"));
        send(request, who).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.get_as(As::default(), path).await
    }

    pub async fn get_as(&self, who: As<'_>, path: &str) -> Answer {
        send(self.client.get(self.url(path)), who).await
    }

    /// Any method, headers and body.
    pub async fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<reqwest::Body>) -> Answer {
        let mut request = self.client.request(method.parse().unwrap(), self.url(path)).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        send(request, As::default()).await
    }

    /// The parts of an upload; a part with an empty name of its file is a plain field.
    pub async fn upload(&self, who: As<'_>, parts: &[(&str, &str, &[u8])]) -> Answer {
        let mut body = Vec::new();
        for (name, file, bytes) in parts {
            let file = if file.is_empty() { String::new() } else { format!("; filename=\"{file}\"\r\ncontent-type: image/svg+xml") };
            body.extend_from_slice(format!("--cut\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n").as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--cut--\r\n");
        let request = self.client.post(self.url("/api/upload")).header("content-type", "multipart/form-data; boundary=cut").body(body);
        send(request, who).await
    }

    /// Uploads a picture like no other, just large enough for papers: its address.
    pub async fn picture(&self, who: &str, purpose: &str) -> String {
        static COUNT: AtomicU8 = AtomicU8::new(0);
        let file = flat_jpeg(480, 480, COUNT.fetch_add(1, Ordering::Relaxed));
        let sent = self.upload(token(who), &[("purpose", "", purpose.as_bytes()), ("file", "a.jpg", &file)]).await;
        sent.ok().as_str().unwrap().to_owned()
    }

    /// An answer that is no text.
    pub async fn bytes(&self, who: As<'_>, path: &str) -> (Answer, Vec<u8>) {
        let response = self.client.get(self.url(path)).header("authorization", who.token).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        (Answer { status, headers, text: String::new() }, response.bytes().await.unwrap().to_vec())
    }

    /// Bytes as they are, on a fresh connection; what comes back until it closes.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.running.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
        // The server may close before everything is written.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The newest message kept for this address.
    pub async fn newest_message(&self, to: &str) -> Json {
        self.get(&format!("/sandbox/outbox?to={}", escape(to))).await.ok()[0].clone()
    }

    /// Moves journal time to just after a full minute whose head is signed, and until a further entry: for most of a minute no head
    /// covers what is new.
    pub async fn after_a_full_minute(&self) {
        let signed = async |since: u64| {
            loop {
                let head = self.get("/api/proof/head").await.json()["message"].take();
                if head["time_ms"].as_u64() >= Some(since) {
                    return head["seq"].as_u64().unwrap();
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        // Otherwise the first head of the minute that ends here could cover the next one, which would then soon have its own.
        signed(0).await;
        let minute = (self.running.app.now_ms() / 60_000 + 1) * 60_000;
        self.post("/sandbox/clock", &[("to_ms", &(minute + 500).to_string())]).await.ok();
        let covered = signed(minute).await;
        while self.running.app.sequencer.newest() <= covered {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Leaves the last minutes of a UTC day: at its end nights of contracts are paid for, and days of plans are counted.
    pub async fn far_from_midnight(&self) {
        let now = self.running.app.now_ms();
        if now % DAY_MS > DAY_MS - 600_000 {
            self.post("/sandbox/clock", &[("to_ms", &((now / DAY_MS + 1) * DAY_MS + 60_000).to_string())]).await.ok();
        }
    }

    /// Asks again while it was too often.
    pub async fn patient(&self, ask: impl AsyncFn() -> Answer) -> Answer {
        let mut asked = ask().await;
        while asked.error() == "E_RATE" {
            tokio::time::sleep(std::time::Duration::from_millis(asked.json()["data"]["retry_ms"].as_u64().unwrap())).await;
            asked = ask().await;
        }
        asked
    }

    /// Makes every wait an hour long: the first ones are over in the time that a busy machine takes for one password.
    pub async fn lengthen_waits(&self) {
        let text = "update waits set until_ms = at_ms + 3600000 where until_ms > 0";
        self.running.app.db.exec(store::sql!(text)).await.unwrap();
    }

    /// Asks for a code by mail and reads it.
    pub async fn mail_code(&self, email: &str, purpose: &str) -> String {
        self.patient(async || self.post("/api/sms_mail", &[("user_string", email), ("type", purpose)]).await).await.ok();
        self.newest_message(email).await["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Signs up with mail and the password `secret1`.
    pub async fn register(&self, email: &str) -> Json {
        let code = self.mail_code(email, "register").await;
        self.post("/api/user/register", &sign_up(email, &code)).await.data()
    }

    pub async fn login(&self, email: &str, password: &str) -> Answer {
        self.post("/api/user/login", &[("user_string", email), ("password", password)]).await
    }

    /// Signs up and logs in: the token.
    pub async fn member(&self, email: &str) -> String {
        self.register(email).await;
        self.login(email, "secret1").await.ok().as_str().unwrap().to_owned()
    }

    /// The database of people, if it is not in the data directory.
    pub fn database(&self) -> Option<String> {
        self.options.iter().skip_while(|option| *option != "--database").nth(1).cloned()
    }

    /// `meridian verify` of a stopped server.
    pub async fn verify(&self) -> Result<Verified, StartError> {
        let database = self.database();
        let args = VerifyArgs { data: self.folder().to_owned(), database, key_file: None, public: PublicArgs::default() };
        tokio::task::spawn_blocking(move || verify::run(&args)).await.unwrap()
    }

    /// The data directory.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Another node on the same database, which takes the lead. It has the secrets of this one, and a folder of its own.
    pub async fn second(&self) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("secrets")).unwrap();
        for entry in std::fs::read_dir(self.folder().join("secrets")).unwrap() {
            let name = entry.unwrap().file_name();
            std::fs::copy(self.folder().join("secrets").join(&name), folder.path().join("secrets").join(&name)).unwrap();
        }
        std::fs::copy(self.folder().join("journal.high"), folder.path().join("journal.high")).unwrap();
        let take_over = self.options.iter().cloned().chain(["--take-over".to_owned(), "on".to_owned()]);
        let running = start(folder.path(), &take_over.collect::<Vec<_>>()).await.unwrap();
        let (client, options) = (self.client.clone(), self.options.clone());
        Server { running, client, folder, options, _postgres: self._postgres.clone() }
    }

    /// Stops and starts again on the same data.
    pub async fn restart(&mut self) {
        self.try_restart().await.unwrap();
    }

    /// The same, or why it does not start.
    pub async fn try_restart(&mut self) -> Result<(), StartError> {
        self.restart_with(&[]).await
    }

    /// The same with further options.
    pub async fn restart_with(&mut self, options: &[&str]) -> Result<(), StartError> {
        self.running.stop().await;
        let options: Vec<String> = self.options.iter().cloned().chain(options.iter().map(|&option| option.to_owned())).collect();
        self.running = start(self.folder.path(), &options).await?;
        Ok(())
    }
}

/// The step of authenticators before the present one, while its code is good for some seconds yet: at the end of a step this waits.
pub async fn past_step() -> u64 {
    loop {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let step = totp::step(u64::try_from(now.as_millis()).unwrap());
        if totp::step(u64::try_from((now + Duration::from_secs(8)).as_millis()).unwrap()) == step {
            return step - 1;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The form of a sign-up by mail.
pub fn sign_up<'a>(email: &'a str, code: &'a str) -> [(&'a str, &'a str); 6] {
    [("type", "email"), ("user_string", email), ("code", code), ("password", "secret1"), ("re_password", "secret1"), ("agree", "1")]
}

async fn send(mut request: reqwest::RequestBuilder, who: As<'_>) -> Answer {
    for (name, value) in [("authorization", who.token), ("idempotency-key", who.key), ("language-mark", who.lang)] {
        if !value.is_empty() {
            request = request.header(name, value);
        }
    }
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, path) = (request.method().as_str().to_owned(), request.url().path().to_owned());
    let response = client.execute(request).await.unwrap();
    let answer = Answer { status: response.status().as_u16(), headers: response.headers().clone(), text: response.text().await.unwrap() };
    expect_listed(&method, &path, &answer);
    answer
}

/// A call refuses with the names of its row only.
fn expect_listed(method: &str, path: &str, answer: &Answer) {
    let Some(entries) = ROUTES.get(path) else { return };
    let Some(entry) = entries.iter().find(|entry| entry.route.methods().contains(&method)) else { return };
    let name = serde_json::from_str::<Json>(&answer.text).ok().and_then(|json| Some(json["data"]["error"].as_str()?.to_owned()));
    if let Some(name) = name.filter(|_| answer.status == 200) {
        // A code for a new address needs a session, unlike the call's other codes.
        let implied = name == "E_OVERFLOW" || (name == "E_AUTH" && path.starts_with("/api/sms_"));
        // A country may require more than a name (`docs/api.md` 11).
        let name = if name == "E_KYC_ADVANCED" { "E_COUNTRY".to_owned() } else { name };
        assert!(implied || entry.route.refusals().iter().any(|code| code.name() == name), "{method} {path} may not refuse with {name}");
    }
}

/// Percent-encodes everything but letters and digits.
pub fn escape(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Runs the body on a sandbox with SQLite, then on one with PostgreSQL.
pub fn both<F: Future<Output = ()>>(body: impl Fn(Server) -> F) {
    both_with(&[], body);
}

/// The same with further options of `meridian serve`.
pub fn both_with<F: Future<Output = ()>>(options: &[&str], body: impl Fn(Server) -> F) {
    on(&["SQLite", "PostgreSQL"], options, 2, body);
}

/// Runs the body on a sandbox with so many threads for HTTP and for the body.
pub fn on_threads<F: Future<Output = ()>>(threads: usize, body: impl Fn(Server) -> F) {
    on(&["SQLite"], &[], threads, body);
}

/// The same with further options of `meridian serve`.
pub fn on_threads_with<F: Future<Output = ()>>(threads: usize, options: &[&str], body: impl Fn(Server) -> F) {
    on(&["SQLite"], options, threads, body);
}

/// Runs the body where several nodes can share a database.
pub fn on_postgres<F: Future<Output = ()>>(body: impl Fn(Server) -> F) {
    on(&["PostgreSQL"], &[], 2, body);
}

fn on<F: Future<Output = ()>>(databases: &[&str], options: &[&str], threads: usize, body: impl Fn(Server) -> F) {
    for &database in databases {
        let postgres = (database == "PostgreSQL").then(shared_postgres);
        let mut options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        if let Some(postgres) = &postgres {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
            options.extend(["--database".to_owned(), postgres.copy_database(MIGRATED, &name)]);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let running = start(folder.path(), &options).await.unwrap();
            println!("on {database}");
            let client = client();
            body(Server { running, client, folder, options, _postgres: postgres }).await;
        });
    }
}

async fn start(folder: &Path, options: &[String]) -> Result<Running, StartError> {
    let data = folder.to_str().unwrap();
    let mut words = vec!["meridian", "serve", "--listen", "127.0.0.1:0", "--chart-days", "1", "--data", data];
    words.extend(options.iter().map(String::as_str));
    if !words.contains(&"--house-liquidity") {
        words.extend(["--house-liquidity", "off"]);
    }
    // No test contacts a real venue.
    if !words.contains(&"--venue-address") {
        words.extend(["--venue-address", NO_VENUES]);
    }
    if !words.contains(&"--genesis") {
        words.extend(["--genesis", "sandbox"]);
    }
    let Command::Serve(args) = Cli::try_parse_from(words).unwrap().command else { panic!("not serve") };
    boot::start(args.check().unwrap()).await
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    // The servers use plain HTTP; reading this machine's certificates takes longer than many a test.
    reqwest::Client::builder().tls_certs_only([]).redirect(reqwest::redirect::Policy::none()).no_proxy().build().unwrap()
}

/// Whether this is the process of one test alone. If not, it runs the test with this name in such a process.
pub fn in_a_process_of_its_own(test: &str) -> bool {
    const ALONE: &str = "MERIDIAN_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut run = std::process::Command::new(std::env::current_exe().unwrap());
    let ended = run.args([test, "--exact", "--nocapture"]).env(ALONE, "1").output().unwrap();
    let output = String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap();
    // Indented, because whoever counts results would count it twice.
    println!("    {}", output.replace('\n', "\n    "));
    assert!(ended.status.success() && output.contains("1 passed"), "{}", ended.status);
    false
}

/// The database with the schema and nothing else, which every test's is a copy of.
const MIGRATED: &str = "migrated";

/// One PostgreSQL for many tests: to make one takes as long as a short test. After so many databases there is a new one, so that the
/// disk need not hold those of all tests; the old one ends with its last test.
fn shared_postgres() -> Arc<PostgresServer> {
    const DATABASES: u32 = 40;
    static SHARED: Mutex<Option<(Arc<PostgresServer>, u32)>> = Mutex::new(None);
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let (server, used) = shared.take().filter(|(_, used)| *used < DATABASES).unwrap_or_else(|| (Arc::new(migrated_postgres()), 0));
    *shared = Some((server.clone(), used + 1));
    server
}

fn migrated_postgres() -> PostgresServer {
    let server = PostgresServer::start_in_memory();
    let url = server.create_database(MIGRATED);
    let Address { config, tls } = url.parse().unwrap();
    let migrate = async { Db::postgres(config, tls).unwrap().migrate(&store::migrations()).await.unwrap() };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(migrate);
    server
}
