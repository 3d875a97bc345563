//! The exit kit: made in the background, fetched by its owner alone, checked without the server, gone after a day.

use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::AssetId;
use futures_util::future::join_all;
use journal::merkle::BLOCK;
use serde_json::{Value as Json, json};
use server::api::account::exit_kit;
use server::verify::fault::Reason;
use server::verify::kit::{self, Kit};
use store::db::Sql;

use crate::harness::{Server, both, in_a_process_of_its_own, on_threads, token};
use crate::people::Member;

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

/// Requests a kit and waits for it; returns its number and its place.
pub async fn made(server: &Server, ann: &Member) -> (String, String) {
    let begun = ann.post(server, "/api/user/export", &[("password", "secret1")]).await.ok();
    assert_eq!(begun["status"], "working");
    let id = begun["id"].to_string();
    // At the next full minute a head is signed that covers it.
    advance(server, "60001").await;
    for _ in 0..6_000 {
        let state = ann.get(server, &format!("/api/user/export?id={id}")).await;
        if state["status"] == "ready" {
            return (id, state["url"].as_str().unwrap().to_owned());
        }
        assert_eq!((&state["status"], &state["url"]), (&json!("working"), &Json::Null));
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("no kit was made");
}

async fn trade(server: &Server, ann: &Member) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
    for (amount, account) in [("1000", "change"), ("500", "micro"), ("500", "lever")] {
        ann.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", amount), ("account", account)]).await.ok();
    }
    let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.0001"), ("target_price", "95000")];
    let order = ann.post(server, "/api/coin/trade", &form).await.data()["order"]["id"].to_string();
    ann.post(server, "/api/coin/cancel", &[("id", &order)]).await;
    let bet = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "5")];
    ann.post(server, "/api/microtrade/submit", &bet).await.ok();
    let long = [("share", "1"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
    let position = ann.post(server, "/api/lever/submit", &long).await.data()["position"]["id"].to_string();
    ann.post(server, "/api/lever/close", &[("id", &position)]).await.data();
    let moved = [("currency_id", "3"), ("number", "5"), ("from_field", "change"), ("to_field", "lever")];
    ann.post(server, "/api/wallet/change", &moved).await;
    // The option settles by itself: an entry without a request.
    advance(server, "60001").await;
    while ann.get(server, "/api/microtrade/lists?status=3").await["total"] == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

fn checked(text: &str, known: Option<&[u8]>) -> Result<Kit, Reason> {
    kit::check(text.as_bytes(), known).map_err(|fault| fault.reason)
}

/// The kit with a part of the first line that holds `of` in another form.
fn altered(text: &str, of: &str, change: impl Fn(&mut Json)) -> String {
    let mut done = false;
    let line = |line: &str| {
        if done || !line.contains(of) {
            return line.to_owned();
        }
        done = true;
        let mut json: Json = serde_json::from_str(line).unwrap();
        change(&mut json);
        json.to_string()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn without(text: &str, of: &str) -> String {
    let at = text.lines().position(|line| line.contains(of)).unwrap();
    text.lines().enumerate().filter(|(number, _)| *number != at).map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_member_takes_their_signed_history_along_and_one_altered_part_turns_it_red() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        ann.verify(&server, "X0000001").await;
        trade(&server, &ann).await;
        assert_eq!(ann.post(&server, "/api/user/export", &[("password", "secret2")]).await.error(), "E_PASSWORD_OLD");
        let (id, url) = made(&server, &ann).await;
        // A stranger finds neither its state nor the file, and a guest has to log in.
        assert_eq!(server.get_as(token(&bob.token), &format!("/api/user/export?id={id}")).await.error(), "E_NOT_FOUND");
        assert_eq!(server.get_as(token(&bob.token), &url).await.error(), "E_NOT_FOUND");
        assert_eq!(server.get(&url).await.error(), "E_AUTH");
        let (head, bytes) = server.bytes(token(&ann.token), &url).await;
        assert_eq!(
            (head.header("content-type"), head.header("content-length")),
            ("application/x-ndjson", bytes.len().to_string().as_str())
        );
        let text = String::from_utf8(bytes).unwrap();

        let key = serde_json::from_str::<Json>(text.lines().next().unwrap()).unwrap()["head"]["key"].as_str().unwrap().to_owned();
        let key: [u8; 32] = store::secrets::from_hex(&key).unwrap();
        let kit = checked(&text, Some(&key)).unwrap();
        assert_eq!(json!(kit.user), ann.get(&server, "/api/user/center").await["id"]);
        let (entries, own) = kit.entries;
        assert!(own >= 8 && entries > own && kit.lines >= 12, "{kit:?}");
        // The remaining balances are those that the venue shows.
        let wallets = ann.post(&server, "/api/wallet/detail", &[("currency", "3"), ("type", "lever")]).await.ok();
        let left = kit.balances[&("lever".to_owned(), "USDT".to_owned(), "avail".to_owned())];
        let shown = wallets["balance"].as_str().unwrap().replace('.', "");
        assert_eq!(left.to_string(), shown);
        // It is described as in the app. The decimals of a coin that the first entry does not list are unknown.
        let told = |kit: &Kit| kit::describe(kit).join("\n");
        assert!(told(&kit).contains(&format!("    lever avail: {} USDT", wallets["balance"].as_str().unwrap())), "{}", told(&kit));
        let stranger = Kit { decimals: Default::default(), ..kit.clone() };
        assert!(told(&stranger).contains(&format!("    lever avail: {left} atoms of USDT")), "{}", told(&stranger));

        let other = |text: &str| text.strip_prefix('0').map_or_else(|| format!("0{}", &text[1..]), |rest| format!("1{rest}"));
        let turned = |json: &mut Json, at: &str| {
            let place = json.pointer_mut(at).unwrap();
            *place = json!(other(place.as_str().unwrap()));
        };
        let entry = "\"entry\"";
        let own = "\"own\"";
        let last = |of: &str| text.lines().rfind(|line| line.contains(of)).unwrap();
        // The last line takes one atom more than the balance.
        let mut below: Json = serde_json::from_str(last("\"line\"")).unwrap();
        let [after, change] = ["after", "change"].map(|name| below["line"][name].as_i64().unwrap());
        (below["line"]["change"], below["line"]["after"]) = (json!(change - after - 1), json!(-1));
        let overdrawn = text.replace(last("\"line\""), &below.to_string());
        let other_entry: Json = serde_json::from_str(last(entry)).unwrap();
        let other_venue: Json = serde_json::from_str(include_str!("../../../../docs/receipts/open.json")).unwrap();
        let first = text.lines().find(|line| line.contains(entry)).unwrap();
        let twice = text.replacen(first, &format!("{first}\n{first}"), 1);
        let more = |json: &mut Json| json["end"]["entries"] = json!(json["end"]["entries"].as_u64().unwrap() + 1);
        for (text, reason) in [
            (overdrawn, Reason::Statement),
            (altered(&twice, "\"end\"", more), Reason::Statement),
            (altered(&text, "\"kit\"", |json| turned(json, "/genesis/bytes")), Reason::Genesis),
            (altered(&text, "\"kit\"", |json| json["genesis"] = other_entry["entry"].clone()), Reason::Genesis),
            (altered(&text, "\"kit\"", |json| json["genesis"] = other_venue["proof"]["genesis"].clone()), Reason::Genesis),
            (altered(&text, "\"kit\"", |json| turned(json, "/head/root")), Reason::Signature),
            (altered(&text, "\"kit\"", |json| turned(json, "/genesis/hash")), Reason::Genesis),
            (altered(&text, "\"kit\"", |json| json["user_id"] = json!(999)), Reason::Purchase),
            (altered(&text, "\"kit\"", |json| json["kit"] = json!(2)), Reason::Format),
            (altered(&text, own, |json| turned(json, "/entry/own/salt")), Reason::Purchase),
            (altered(&text, entry, |json| turned(json, "/entry/hash")), Reason::Chain),
            (altered(&text, entry, |json| turned(json, "/path/0/hash")), Reason::Inclusion),
            (altered(&text, "\"line\"", |json| json["line"]["change"] = json!(1)), Reason::Statement),
            (altered(&text, "\"line\"", |json| json["line"]["seq"] = json!(1)), Reason::Statement),
            (altered(&text, "\"end\"", |json| json["end"]["lines"] = json!(1)), Reason::Statement),
            (without(&text, entry), Reason::Statement),
            (without(&text, "\"line\""), Reason::Statement),
            (without(&text, "\"end\""), Reason::Statement),
            (format!("{text}\n{{}}"), Reason::Format),
            (String::new(), Reason::Format),
        ] {
            assert_eq!(checked(&text, None).map(|kit| kit.lines), Err(reason), "{}", &text[..text.len().min(200)]);
        }
        assert_eq!(checked(&text, Some(&[7; 32])).map(|kit| kit.lines), Err(Reason::Key));

        // A day later it is gone.
        for _ in 0..2 {
            advance(&server, "43200001").await;
        }
        let again = server.login(&ann.email, "secret1").await.ok();
        let ann = Member { token: again.as_str().unwrap().to_owned(), ..ann };
        let state = ann.get(&server, &format!("/api/user/export?id={id}")).await;
        assert_eq!((&state["status"], &state["url"]), (&json!("expired"), &Json::Null));
        assert_eq!(server.get_as(token(&ann.token), &url).await.error(), "E_NOT_FOUND");
        assert_eq!(std::fs::read_dir(server.folder().join("exports")).unwrap().count(), 0);
    });
}

#[test]
fn one_kit_is_made_at_a_time_and_what_a_restart_cut_off_is_over() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        // A kit waits for the next head.
        server.after_a_full_minute().await;
        let begin = async |server: &Server| ann.post(server, "/api/user/export", &[("password", "secret1")]).await;
        let first = begin(&server).await.ok()["id"].to_string();
        assert_eq!(begin(&server).await.error(), "E_OPEN_LIMIT");
        server.restart().await;
        assert_eq!(ann.get(&server, &format!("/api/user/export?id={first}")).await["status"], "expired");
        let (second, _) = made(&server, &ann).await;
        assert_ne!(first, second);
    });
}

#[test]
fn kits_whose_day_is_over_and_drafts_of_a_killed_server_are_deleted_unasked() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let (app, folder) = (server.running.app.clone(), server.folder().join("exports"));
        let (_, url) = made(&server, &ann).await;
        let left = || {
            let mut names: Vec<_> =
                std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        for name in ["kit-00.ndjson.part", "kit-01.ndjson"] {
            std::fs::write(folder.join(name), "somebody's balances").unwrap();
        }
        assert_eq!(left().len(), 3);
        exit_kit::sweep(&app).await.unwrap();
        assert_eq!(left(), [url.rsplit('/').next().unwrap()]);
        advance(&server, "90000000").await;
        exit_kit::sweep(&app).await.unwrap();
        assert_eq!(left(), [""; 0]);
    });
}

/// A client whose disk takes the first entry so slowly that the log grows meanwhile.
struct SlowDisk<F> {
    written: Vec<u8>,
    is_grown: F,
}

impl<F: Fn() -> bool> std::io::Write for SlowDisk<F> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        while !self.written.is_empty() && !(self.is_grown)() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        self.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_kit_is_made_although_the_log_grows_while_it_is_written() {
    on_threads(3, |server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "X0000001").await;
        trade(&server, &ann).await;
        let (app, last) = (server.running.app.clone(), server.running.app.sequencer.newest());
        let head = loop {
            advance(&server, "60001").await;
            let head = store::proofs::newest_head(&app.db, app.proof.size()).await.unwrap();
            match head.filter(|head| head.seq >= last) {
                Some(head) => break head,
                None => tokio::time::sleep(std::time::Duration::from_millis(100)).await,
            }
        };
        app.wait_for(head.seq).await.unwrap();
        // Enough entries to fill the block of the head and the one after it.
        let full = (head.seq / BLOCK + 2) * BLOCK;
        assert!(app.proof.size() < full - BLOCK, "the block of the head is not full yet");
        let (filling, user) = (app.clone(), ann.id);
        tokio::spawn(async move {
            let faucet = || Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount: 1 };
            join_all((0..2 * BLOCK).map(|_| filling.sequencer.submit(faucet(), None))).await;
        });
        let growing = app.clone();
        let mut disk = SlowDisk { written: Vec::new(), is_grown: move || growing.proof.size() >= full };
        exit_kit::write(&app, ann.id, &head, &mut disk).await.unwrap();
        let kit = kit::check(disk.written.as_slice(), None).unwrap();
        assert!(kit.lines >= 12, "{kit:?}");
    });
}

/// Lines of the statement that a kit is made of, and in `make soak`.
const FEW: u64 = 20_000;
fn many() -> u64 {
    if std::env::var_os("MERIDIAN_SOAK").is_some() { 1_000_000 } else { FEW }
}

/// The most memory that this process had, and from now on, bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    // Forgets it.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    kib * 1024
}

/// A kit and a table of a million lines in `make soak`, of some thousands else.
#[test]
fn a_kit_and_a_table_of_a_million_lines_are_made_and_fetched_in_little_memory() {
    // Other tests of this process would count.
    if !in_a_process_of_its_own("exit_kit::a_kit_and_a_table_of_a_million_lines_are_made_and_fetched_in_little_memory") {
        return;
    }
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let user = ann.get(&server, "/api/user/center").await["id"].to_string();
        for _ in 0..40 {
            ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1"), ("account", "change")]).await.ok();
        }
        let last = server.running.app.sequencer.newest();
        // One atom comes in and leaves.
        let lines = many();
        let fill = format!(
            "insert into statement (seq, time_ms, user_id, wallet, held, asset, kind, change, balance_after, object, object_id, two_lines)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < {lines})
             select 1 + i % {last}, i, {user}, 2, 0, 4, 1, (i % 2) * 2 - 1, i % 2, '', 0, 0 from n"
        );
        server.running.app.db.run_in_bulk([Sql::new(fill, vec![])].into()).await.unwrap();
        // As a database does by itself sooner or later; its plans change with it.
        server.running.app.db.run_in_bulk([Sql::new("analyze statement", vec![])].into()).await.unwrap();
        peak();
        let before = peak();
        let (_, url) = made(&server, &ann).await;
        let key = url.rsplit('/').next().unwrap();
        let file = std::fs::File::open(server.folder().join("exports").join(key)).unwrap();
        let length = file.metadata().unwrap().len();
        let kit = kit::check(std::io::BufReader::new(file), None).unwrap();
        assert!(kit.lines >= lines && length > lines * 100, "{kit:?}");
        let grown = peak().saturating_sub(before);
        println!("{lines} lines: {} MiB of file, {} MiB of memory more", length >> 20, grown >> 20);
        assert!(grown < 256 << 20, "{} MiB", grown >> 20);

        // The same lines as a table, which is read as it arrives.
        let before = peak();
        let path = server.url(&format!("/api/wallet/export?from_ms=0&to_ms={lines}"));
        let mut table = server.client.get(path).header("authorization", &ann.token).send().await.unwrap();
        let mut rows = 0;
        while let Some(piece) = table.chunk().await.unwrap() {
            rows += piece.iter().filter(|byte| **byte == b'\n').count() as u64;
        }
        assert_eq!(rows, lines + 1);
        let grown = peak().saturating_sub(before);
        println!("{lines} lines: {} MiB of memory more for a table", grown >> 20);
        assert!(grown < 64 << 20, "{} MiB", grown >> 20);
        if server.running.app.db.is_shared() {
            let read = rows_read(&server).await;
            println!("{lines} lines: {read} rows read");
            // The kit reads them as well. A page without a place in the index would read all rows before it.
            assert!((lines..8 * lines).contains(&read), "{read} rows were read");
        }
    });
}

/// Rows of statements that PostgreSQL has read. A connection reports it with its first action a second later.
async fn rows_read(server: &Server) -> u64 {
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let db = &server.running.app.db;
    join_all((0..32).map(|_| db.query(Sql::new("select pg_sleep(0.1)::text", vec![])))).await;
    let read = "select (idx_tup_fetch + seq_tup_read)::bigint from pg_stat_user_tables where relname = 'statement'";
    db.query(Sql::new(read, vec![])).await.unwrap().first().unwrap().id(0).unwrap()
}
