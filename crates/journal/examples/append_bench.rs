//! The speed of the journal's appends, against bare SQLite and bare PostgreSQL that insert one blob per group.
//!
//! The rounds are interleaved; the result is the ratio of entries per second, journal over bare. Sealing is included: as in the server,
//! groups of the largest size are sealed while the one before commits, smaller ones right before their own commit. It fails when the
//! median beside SQLite is below the goal at any size.
//! `cargo run --release -p journal --example append_bench -- [rounds] [milliseconds a round]`

use journal::testing::PostgresServer;
use journal::{Journal, Record, Sealed};
use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const LARGEST: u64 = 512;
const BATCHES: [u64; 3] = [1, 32, LARGEST];
const ENTRY_BYTES: usize = 128;
/// Journal over bare SQLite, entries per second.
const GOAL: f64 = 0.85;

/// Appends one group of the given size, durably.
type Append = Box<dyn FnMut(u64) + Send>;

fn main() -> ExitCode {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    if threads.install(run) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// True if the goal is met.
fn run() -> bool {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse().expect("a number"));
    let rounds = arguments.next().unwrap_or(9);
    let round = Duration::from_millis(arguments.next().unwrap_or(300));
    let data = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| {
        let path = data.path().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        path
    };
    let kept = compare("SQLite", Some(GOAL), rounds, round, bare_sqlite(&folder("bare")), journal(Journal::sqlite(&folder("own"))));
    let server = PostgresServer::start();
    let (bare, own) = (server.create_database("bare"), server.create_database("own"));
    let own = journal(Journal::postgres(&own, &folder("high")));
    compare("PostgreSQL", None, rounds, round, bare_postgres(&bare), own) && kept
}

fn journal(opened: Result<Journal, journal::Error>) -> Append {
    let mut journal = opened.expect("opened");
    journal.lead("bench", 0).expect("led");
    let mut sealer = journal.sealer().expect("leads");
    // Made once, before the measurement.
    let mut entries = vec![entry(); LARGEST as usize];
    let mut seal = move |count: u64| {
        let group = &mut entries[..count as usize];
        for (seq, entry) in (sealer.head().seq + 1..).zip(group.iter_mut()) {
            (entry.seq, entry.time_ms) = (seq, seq);
        }
        sealer.seal(group).expect("sealed")
    };
    let mut next: Option<Sealed> = None;
    Box::new(move |count| {
        let sealed = next.take().unwrap_or_else(|| seal(count));
        if count < LARGEST {
            journal.commit(&sealed).expect("committed");
            return;
        }
        // As the server does when more entries wait than fit into one group.
        let (committed, sealed) = rayon::join(|| journal.commit(&sealed), || seal(count));
        committed.expect("committed");
        next = Some(sealed);
    })
}

fn entry() -> Record {
    Record { kind: 1, version: 1, public: vec![1; ENTRY_BYTES], ..Record::default() }
}

/// The yardstick: a log with full sync, one row per group, a prepared statement.
fn bare_sqlite(folder: &Path) -> Append {
    let file = rusqlite::Connection::open(folder.join("bare.db")).expect("opened");
    file.execute_batch(
        "pragma journal_mode = wal; pragma synchronous = full;
         create table log (seq integer primary key, body blob not null);",
    )
    .expect("a table");
    let mut seq = 0;
    Box::new(move |count| {
        seq += count;
        let body = vec![seq as u8; ENTRY_BYTES * count as usize];
        let mut insert = file.prepare_cached("insert into log values (?1, ?2)").expect("a statement");
        insert.execute((seq, body)).expect("inserted");
    })
}

fn bare_postgres(url: &str) -> Append {
    let mut client = postgres::Client::connect(url, postgres::NoTls).expect("connected");
    client
        .batch_execute("create table log (seq bigint primary key, body bytea not null); alter table log alter body set storage external")
        .expect("a table");
    let insert = client.prepare("insert into log values ($1, $2)").expect("a statement");
    let mut seq = 0;
    Box::new(move |count| {
        seq += count as i64;
        let body = vec![seq as u8; ENTRY_BYTES * count as usize];
        client.execute(&insert, &[&seq, &body]).expect("inserted");
    })
}

/// True if the goal is met at every group size.
fn compare(name: &str, goal: Option<f64>, rounds: u64, round: Duration, mut bare: Append, mut own: Append) -> bool {
    let mut all = true;
    for batch in BATCHES {
        // This round does not count: the files grow to the size at which they are reused.
        rate(&mut bare, batch, round);
        rate(&mut own, batch, round);
        let (mut ratios, mut rates) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (bare, own) = (rate(&mut bare, batch, round), rate(&mut own, batch, round));
            ratios.push(own / bare);
            rates.push(own);
        }
        let [low, middle, high] = spread(ratios);
        let [_, entries, _] = spread(rates);
        let kept = goal.is_none_or(|goal| middle >= goal);
        all &= kept;
        let verdict = goal.map_or_else(String::new, |goal| format!("  goal >= {goal} {}", if kept { "kept" } else { "MISSED" }));
        println!(
            "{name:<10} {batch:>4} entries a group: journal/bare min {low:.2} median {middle:.2} max {high:.2}  ({entries:.0} entries/s){verdict}"
        );
    }
    all
}

/// Entries per second over one round.
fn rate(append: &mut Append, batch: u64, round: Duration) -> f64 {
    let start = Instant::now();
    let mut entries = 0;
    while start.elapsed() < round {
        append(batch);
        entries += batch;
    }
    entries as f64 / start.elapsed().as_secs_f64()
}

fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [values[0], values[values.len() / 2], values[values.len() - 1]]
}
