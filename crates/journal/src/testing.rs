//! A private PostgreSQL server for tests: its own data, its own port, gone when dropped or when the test program ends.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub use postgres::Client;
use tempfile::TempDir;

/// Prefix of every folder's name.
const PREFIX: &str = "meridian-postgres-";
/// A folder younger than this may still get its server.
const YOUNG: Duration = Duration::from_secs(600);

/// Runs the server until it ends or until this shell's input closes, and removes its data. The input is a pipe from the test program, which
/// the system closes however that ends.
const UNTIL_THE_END: &str = r#"
data=$1; shift
exec 3<&0
"$@" </dev/null & server=$!
{ read -r _ <&3; kill -QUIT $server; } & watch=$!
wait $server
kill $watch 2>/dev/null
rm -rf "$data"
"#;

/// A running server. The test fails, it is not skipped, when PostgreSQL is not installed.
#[derive(Debug)]
pub struct PostgresServer {
    process: Child,
    port: u16,
    // The last field, so that the files are removed after the process ended.
    _folder: TempDir,
}

impl PostgresServer {
    /// Starts a server with data checksums and default durability.
    ///
    /// # Panics
    /// When PostgreSQL is missing or does not start.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server whose files are in memory if there is room: for tests that do not depend on the disk. Each database is hundreds of
    /// files, and creating them on a disk takes longer than many a test.
    ///
    /// # Panics
    /// As `start`.
    pub fn start_in_memory() -> Self {
        Self::start_in(folder_in(in_memory().unwrap_or(Path::new("/tmp"))), &["max_wal_size=128MB"])
    }

    /// Starts a server with further settings, each `name=value`.
    ///
    /// # Panics
    /// As `start`.
    pub fn start_with(settings: &[&str]) -> Self {
        Self::start_in(folder(), settings)
    }

    /// Starts a server that also speaks TLS, with its own certificate for `localhost`; trust [`Self::certificate`].
    ///
    /// # Panics
    /// As `start`, and when there is no openssl.
    pub fn start_with_tls() -> Self {
        let folder = folder();
        let (key, certificate) = (folder.path().join("key.pem"), folder.path().join("certificate.pem"));
        let made = as_plain_user(Path::new("openssl"))
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args(["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .expect("openssl runs");
        assert!(made.status.success(), "openssl: {}", String::from_utf8_lossy(&made.stderr));
        let (key, certificate) = (format!("ssl_key_file={}", key.display()), format!("ssl_cert_file={}", certificate.display()));
        Self::start_in(folder, &["ssl=on", &key, &certificate])
    }

    /// The file with the certificate of a server that speaks TLS.
    pub fn certificate(&self) -> PathBuf {
        self._folder.path().join("certificate.pem")
    }

    fn start_in(folder: TempDir, settings: &[&str]) -> Self {
        let bin = binaries();
        let data = folder.path().join("data");
        let made = as_plain_user(&bin.join("initdb"))
            .args(["-k", "-N", "-A", "trust", "-U", "meridian", "-E", "UTF8", "--locale=C", "-D"])
            .arg(&data)
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let port = free_port();
        let log = fs::File::create(folder.path().join("log")).expect("a log file");
        let mut command = as_plain_user(Path::new("sh"));
        command.args(["-c", UNTIL_THE_END, "sh"]).arg(&data).arg(bin.join("postgres")).arg("-D").arg(&data);
        let own =
            [format!("port={port}"), "listen_addresses=127.0.0.1".into(), "unix_socket_directories=".into(), "shared_buffers=16MB".into()];
        for setting in own.iter().map(String::as_str).chain(settings.iter().copied()) {
            command.args(["-c", setting]);
        }
        let process = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(log).spawn().expect("postgres starts");
        let mut server = Self { process, port, _folder: folder };
        server.wait_until_ready();
        server
    }

    /// Its port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of its first database.
    pub fn url(&self) -> String {
        self.database_url("postgres")
    }

    /// Makes another, empty database and returns its address.
    ///
    /// # Panics
    /// When the server refuses the name.
    pub fn create_database(&self, name: &str) -> String {
        self.connect().batch_execute(&format!("create database {name}")).expect("a new database");
        self.database_url(name)
    }

    /// Copies another database and returns the address of the copy. The original must have no open connections.
    ///
    /// # Panics
    /// When the server refuses the name or the copy.
    pub fn copy_database(&self, of: &str, name: &str) -> String {
        self.connect().batch_execute(&format!("create database {name} template {of}")).expect("a copy of a database");
        self.database_url(name)
    }

    /// A plain connection to its first database.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn connect(&self) -> Client {
        Client::connect(&self.url(), postgres::NoTls).expect("a connection")
    }

    fn database_url(&self, name: &str) -> String {
        format!("postgres://meridian@127.0.0.1:{}/{name}", self.port)
    }

    fn wait_until_ready(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while Client::connect(&self.url(), postgres::NoTls).is_err() {
            let ended = self.process.try_wait().expect("the process can be asked");
            let log = || fs::read_to_string(self._folder.path().join("log")).unwrap_or_default();
            assert!(ended.is_none(), "postgres ended: {}", log());
            assert!(Instant::now() < deadline, "postgres did not answer: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        // The server's shell sends SIGQUIT: the server ends its children and does not tidy up its data, which is deleted anyway.
        drop(self.process.stdin.take());
        drop(self.process.wait());
    }
}

/// How often a test repeats: `usual` in `make test`, `soak` in `make soak`.
#[must_use]
pub fn size<T>(usual: T, soak: T) -> T {
    if std::env::var_os("MERIDIAN_SOAK").is_some() { soak } else { usual }
}

/// Removes what killed runs left: folders in which no server runs any more. Without `/proc` this cannot be known.
fn sweep(within: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    let entries = fs::read_dir(within).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        if is_left_over(&entry.path()) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// True if no server runs on this folder, and none is about to start.
fn is_left_over(folder: &Path) -> bool {
    let changed = fs::metadata(folder).and_then(|facts| facts.modified());
    let old = changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > YOUNG));
    let Some(lock) = old.then(|| fs::read_to_string(folder.join("data/postmaster.pid"))) else { return false };
    let Ok(lock) = lock else { return true };
    // Another program may have this process id by now.
    let command = fs::read(format!("/proc/{}/cmdline", lock.lines().next().unwrap_or_default())).unwrap_or_default();
    !String::from_utf8_lossy(&command).contains(&*folder.to_string_lossy())
}

/// The folder with the newest installed server.
fn binaries() -> PathBuf {
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest =
        installed.map(|entry| entry.path().join("bin")).filter(|bin| bin.join("initdb").exists() && bin.join("postgres").exists()).max();
    newest.expect("PostgreSQL is needed: apt-get install -y --no-install-recommends postgresql")
}

/// `program`, run as `nobody` when this process is root: PostgreSQL refuses root.
fn as_plain_user(program: &Path) -> Command {
    let root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    let mut command = if root {
        let mut setpriv = Command::new("setpriv");
        setpriv.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(program);
        setpriv
    } else {
        Command::new(program)
    };
    command.current_dir("/tmp");
    command
}

/// A new folder for a server. It runs as another user when this process is root, and must reach its folder.
fn folder() -> TempDir {
    folder_in(Path::new("/tmp"))
}

fn folder_in(place: &Path) -> TempDir {
    sweep(place);
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place).expect("a temporary folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("permissions");
    folder
}

/// Where files are in memory, if there is room for the databases of many tests.
fn in_memory() -> Option<&'static Path> {
    const ROOM_KB: u64 = 4 << 20;
    let memory = Path::new("/dev/shm");
    let told = Command::new("df").args(["-k", "--output=avail"]).arg(memory).output().ok()?;
    let free: u64 = String::from_utf8_lossy(&told.stdout).lines().nth(1)?.trim().parse().ok()?;
    (free >= ROOM_KB).then_some(memory)
}

/// A port for a server that starts later, or returns to it. It is below the range that the system assigns to connections and to port 0, so
/// no concurrent test gets it meanwhile.
///
/// # Panics
/// When all of them are taken.
#[must_use]
pub fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 9_000;
    static USED: AtomicU32 = AtomicU32::new(0);
    // Programs that run at the same time begin far apart.
    let begin = std::process::id().wrapping_mul(97);
    let next = || FIRST + begin.wrapping_add(USED.fetch_add(1, Ordering::Relaxed)) % COUNT;
    let mut ports = (0..COUNT).filter_map(|_| u16::try_from(next()).ok());
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).expect("a free port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_servers_go_and_those_in_use_stay() {
        let place = tempfile::tempdir().unwrap();
        let folder = |name: &str, pid: Option<u32>| {
            let folder = place.path().join(format!("{PREFIX}{name}"));
            fs::create_dir_all(folder.join("data")).unwrap();
            if let Some(pid) = pid {
                fs::write(folder.join("data/postmaster.pid"), format!("{pid}\nmore\n")).unwrap();
            }
            folder
        };
        let mut ended = Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let used = folder("used", None);
        let mut running = Command::new("tail")
            .args(["-f", "/dev/null"])
            .arg(used.join("data"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        fs::write(used.join("data/postmaster.pid"), running.id().to_string()).unwrap();
        let (killed, reused, empty) = (folder("killed", Some(ended.id())), folder("reused", Some(running.id())), folder("empty", None));
        let other = place.path().join("another");
        fs::create_dir(&other).unwrap();
        for old in [&killed, &reused, &empty, &used, &other] {
            let past = std::time::SystemTime::now() - 2 * YOUNG;
            fs::File::open(old).unwrap().set_times(fs::FileTimes::new().set_modified(past)).unwrap();
        }
        // While a database is created, processes start and end in its folder.
        let young = folder("young", Some(ended.id()));
        sweep(place.path());
        let stay: Vec<bool> = [&killed, &reused, &empty, &used, &young, &other].iter().map(|folder| folder.exists()).collect();
        running.kill().unwrap();
        running.wait().unwrap();
        assert_eq!(stay, [false, false, false, true, true, true]);
    }
}
