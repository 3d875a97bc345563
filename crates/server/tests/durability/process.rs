//! The real binary as a process of its own: started, slowed down, cut off from its disk, killed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use journal::testing::free_port;
use serde_json::Value as Json;

pub const BINARY: &str = env!("CARGO_BIN_EXE_meridian");
pub const PATIENCE: Duration = Duration::from_secs(90);
/// `/readyz` takes at most 2 s; the rest is for a busy machine.
const PROMPT: Duration = Duration::from_secs(60);

pub const SYNCS: &str = "fdatasync,fsync";
pub const WRITES: &str = "pwrite64";

/// The behaviour of the disk under a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disk {
    /// The machine's own disk.
    Plain,
    /// Each of these calls takes this long, for all files or for the one with this name in the data directory. An answer that does not
    /// wait for a slow write is lost by a kill right behind it; one that does not wait for a slow sync comes sooner than that.
    Slow { calls: &'static str, ms: u32, file: Option<&'static str> },
    /// It may become full: a write beyond the limit of [`Server::limit_files`] fails and does not end the process.
    Limited,
}

/// One process of `meridian serve`. When a test fails, its output is shown.
pub struct Server {
    process: Child,
    disk: Disk,
    pub url: String,
    log: PathBuf,
}

impl Server {
    /// Starts a sandbox, unless the options say otherwise, on this data and waits until it is ready.
    pub async fn start(data: &Path, options: &[&str], disk: Disk, client: &reqwest::Client) -> Server {
        Server::start_with(data, options, &[], disk, client).await
    }

    /// The same with these variables.
    pub async fn start_with(data: &Path, options: &[&str], variables: &[(&str, &str)], disk: Disk, client: &reqwest::Client) -> Server {
        let mut server = Server::launch(data, options, variables, disk);
        server.wait_for(200, client).await;
        server
    }

    /// Starts it and waits for nothing.
    pub fn launch(data: &Path, options: &[&str], variables: &[(&str, &str)], disk: Disk) -> Server {
        let (listen, log) = (format!("127.0.0.1:{}", free_port()), data.with_extension("log"));
        let mut command = match disk {
            Disk::Plain => Command::new(BINARY),
            Disk::Slow { calls, ms, file } => slowed(calls, ms, file.map(|file| data.join(file))),
            Disk::Limited => {
                let mut command = Command::new("sh");
                command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", BINARY]);
                command
            }
        };
        command.args(["serve", "--chart-days", "1", "--listen", &listen, "--data"]).arg(data).args(options);
        if !options.contains(&"--genesis") {
            command.args(["--genesis", "sandbox"]);
        }
        // No test contacts a real venue.
        let venues = ["binance", "coinbase", "kraken", "okx", "bybit"].map(|name| format!("{name}=ws://127.0.0.1:9")).join(",");
        command.env("MERIDIAN_VENUE_ADDRESS", venues);
        command.envs(variables.iter().copied());
        let output = File::create(&log).unwrap();
        let process = command.stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
        Server { process, disk, url: format!("http://{listen}"), log }
    }

    /// What it logged.
    pub fn logged(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Waits until `/readyz` has this status. A server that is there answers at once, or that it is not ready after 2 s.
    pub async fn wait_for(&mut self, status: u16, client: &reqwest::Client) {
        let (begun, mut seen) = (Instant::now(), Vec::<(Duration, String)>::new());
        loop {
            let asked = client.get(format!("{}/readyz", self.url)).timeout(PROMPT).send().await;
            if asked.as_ref().is_ok_and(|answer| answer.status() == status) {
                return;
            }
            let late = asked.as_ref().is_err_and(reqwest::Error::is_timeout);
            let what = asked.map_or_else(|error| format!("{error:?}"), |answer| answer.status().to_string());
            if seen.last().is_none_or(|(_, last)| *last != what) {
                seen.push((begun.elapsed(), what));
            }
            self.expect_alive();
            if late || begun.elapsed() > PATIENCE {
                panic!("/readyz is not {status} after {:?}: {seen:#?}\n{}", begun.elapsed(), self.threads());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The state of each thread of the server, as the system sees it.
    fn threads(&self) -> String {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid())).into_iter().flatten().flatten();
        let of = |task: &Path, name: &str| std::fs::read_to_string(task.join(name)).unwrap_or_default().trim().to_owned();
        let line = |task: &Path| {
            let state = of(task, "status").lines().find(|line| line.starts_with("State:")).unwrap_or_default().to_owned();
            format!("{:<16} {state} in {} {}", of(task, "comm"), of(task, "wchan"), of(task, "syscall"))
        };
        tasks.map(|task| line(&task.path())).collect::<Vec<_>>().join("\n")
    }

    pub fn expect_alive(&mut self) {
        let ended = self.process.try_wait().unwrap();
        assert!(ended.is_none(), "the server ended by itself: {ended:?}");
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        self.expect_alive();
        self.end();
    }

    /// Any other signal by its name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.pid()]).status().unwrap();
        assert!(sent.success(), "kill -s {name}");
    }

    /// SIGTERM, and the orderly end.
    pub fn stop(&mut self) {
        self.signal("TERM");
        let ended = wait(&mut self.process);
        assert!(ended.success(), "stopped with {ended}");
    }

    /// Waits until it has ended by itself; returns how, and its output.
    pub fn ended(&mut self) -> (std::process::ExitStatus, String) {
        let ended = wait(&mut self.process);
        (ended, std::fs::read_to_string(&self.log).unwrap())
    }

    /// From now on no file, the log included, can be written beyond so many bytes; `None` lifts the limit.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let soft = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let set = Command::new("prlimit").args(["--pid", &self.pid(), &format!("--fsize={soft}:unlimited")]).status();
        assert!(set.expect("prlimit is needed: apt-get install -y --no-install-recommends util-linux").success());
    }

    /// Number of the server's own process.
    fn pid(&self) -> String {
        let own = self.process.id();
        let traced = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
        let traced = traced.split_whitespace().next().filter(|_| matches!(self.disk, Disk::Slow { .. }));
        traced.map_or(own.to_string(), str::to_owned)
    }

    fn end(&mut self) {
        // A tracer ends with the process it traces; in the reverse order the server would live on.
        let _ = Command::new("kill").args(["-s", "KILL", &self.pid()]).status();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            self.end();
        }
        if std::thread::panicking() {
            eprintln!("---- output of the server\n{}", std::fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

fn slowed(calls: &str, ms: u32, file: Option<PathBuf>) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}"), "-e"]);
    command.arg(format!("inject={calls}:delay_enter={}", u64::from(ms) * 1_000));
    if let Some(file) = file {
        command.arg("-P").arg(file);
    }
    command.arg(BINARY);
    command
}

/// Runs the binary to its end.
pub fn run(arguments: &[&str]) -> Output {
    let mut process = Command::new(BINARY).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait(&mut process);
    process.wait_with_output().unwrap()
}

/// Waits for the end of a process that must come soon.
fn wait(process: &mut Child) -> std::process::ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = process.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            process.kill().unwrap();
            panic!("not ended after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An answer to a write or a read.
pub struct Answer {
    pub status: u16,
    pub seq: u64,
    pub replay: bool,
    pub text: String,
}

impl Answer {
    /// The answer to a request; `None` when it did not come whole.
    pub async fn to(request: reqwest::RequestBuilder) -> Option<Answer> {
        let answer = request.send().await.ok()?;
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let (status, seq, replay) = (answer.status().as_u16(), header("x-seq").parse().unwrap_or(0), header("x-idempotent-replay") == "1");
        Some(Answer { status, seq, replay, text: answer.text().await.ok()? })
    }

    pub fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    pub fn error(&self) -> String {
        self.json()["data"]["error"].as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    pub fn ok(&self) -> Json {
        let json = self.json();
        assert_eq!(json["type"], "ok", "{}", self.text);
        json
    }
}

/// A write with a form and, unless it is empty, a key.
pub fn write(client: &reqwest::Client, url: &str, path: &str, form: &str, key: &str) -> reqwest::RequestBuilder {
    let request = client.post(format!("{url}{path}")).body(form.to_owned()).header("content-type", "application/x-www-form-urlencoded");
    if key.is_empty() { request } else { request.header("idempotency-key", key) }
}

/// A client without a proxy and with a timeout for everything.
pub fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap()
}

/// Runs a test on two more threads.
pub fn block_on<F: Future>(body: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(body)
}

/// Runs what blocks in a thread of its own, where a client of PostgreSQL works.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

/// Copies a data directory.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}
