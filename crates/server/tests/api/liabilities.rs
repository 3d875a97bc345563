//! What all members have of each coin, and the member's own part: checked with only the documented bytes, and by `meridian verify`. The
//! cases in `docs/leaves` are made here from a real server (`make receipts`) and also test the verifier of the app (`web/src/lib/verify`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::command::Command;
use engine::liabilities::RecordLiabilities;
use serde_json::{Value as Json, json};
use server::verify::leaf::check;
use sha2::{Digest, Sha256};
use store::secrets::{from_hex, hex};

use crate::harness::{Server, both, token};
use crate::people::Member;
use crate::spot::place;

const INTERVAL_MS: u64 = 600_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/leaves")
}

fn sha(parts: &[&[u8]]) -> [u8; 32] {
    parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize().into()
}

fn digest(value: &Json) -> [u8; 32] {
    from_hex(value.as_str().unwrap()).unwrap()
}

fn atoms(value: &Json) -> u64 {
    value.as_str().unwrap().replace('.', "").parse().unwrap()
}

/// The root and the total that the documented bytes of a leaf lead to.
fn led(leaf: &Json) -> ([u8; 32], u64) {
    let (user, balance) = (leaf["user_id"].as_u64().unwrap(), atoms(&leaf["balance"]));
    let mut hash = sha(&[&user.to_be_bytes(), &digest(&leaf["nonce"]), &balance.to_be_bytes()]);
    assert_eq!(hash, digest(&leaf["leaf"]));
    let mut sum = balance;
    for step in leaf["path"].as_array().unwrap() {
        let (beside, its) = (digest(&step["hash"]), atoms(&step["sum"]));
        hash = match step["side"].as_str().unwrap() {
            "left" => sha(&[&beside, &its.to_be_bytes(), &hash, &sum.to_be_bytes()]),
            _ => sha(&[&hash, &sum.to_be_bytes(), &beside, &its.to_be_bytes()]),
        };
        sum += its;
    }
    (hash, sum)
}

/// Moves journal time into the next interval of ten minutes, and on until a signed head covers its roots: the newest cut.
async fn next_cut(server: &Server) -> Json {
    let known = server.get("/api/proof/liabilities").await.json()["message"]["seq"].as_u64();
    let now = server.running.app.now_ms();
    let to = (now / INTERVAL_MS + 1) * INTERVAL_MS + 500;
    server.post("/sandbox/clock", &[("to_ms", &to.to_string())]).await.ok();
    for _ in 0..200 {
        let answer = server.get("/api/proof/liabilities").await.json();
        if answer["code"] == 1 && answer["message"]["seq"].as_u64() > known {
            server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
            return answer["message"].clone();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no liabilities are recorded");
}

/// A member's leaf, as soon as a signed head covers it.
async fn leaf(server: &Server, member: &Member, coin: &str) -> Json {
    for _ in 0..200 {
        let leaf = server.get_as(token(&member.token), &format!("/api/proof/my_leaf?currency_id={coin}")).await.ok();
        if !leaf["proof"].is_null() {
            return leaf;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no head covers the leaf");
}

fn of_coin(cut: &Json, coin: u64) -> &Json {
    cut["assets"].as_array().unwrap().iter().find(|asset| asset["currency_id"] == coin).unwrap()
}

/// All that a member has of USDT by their wallets, atoms.
async fn has(server: &Server, member: &Member) -> u64 {
    let app = &server.running.app;
    let engine = app.sequencer.engine();
    let asset = engine::ids::AssetId(3);
    let wallets = engine::catalog::Wallet::ALL.into_iter();
    wallets.filter_map(|wallet| engine.balance(member.id, wallet, asset)).map(engine::ledger::Balance::total).sum()
}

/// The alteration of a leaf, and the name of the check that must fail.
const ALTERED: &[(&str, &str)] = &[
    ("/balance", "leaf"),
    ("/nonce", "leaf"),
    ("/user_id", "leaf"),
    ("/leaf", "leaf"),
    ("/path/0/sum", "sum"),
    ("/path/1/sum", "sum"),
    ("/path", "sum"),
    ("/path/0/hash", "root"),
    ("/path/1/hash", "root"),
    ("/index", "root"),
    ("/root", "root"),
    ("/total", "root"),
    ("/seq", "cut"),
    ("/time_ms", "cut"),
    ("/currency_name", "terms"),
    ("/currency_id", "terms"),
    ("/path/0/side", "format"),
    ("/recorded_seq", "proof"),
    ("/proof", "proof"),
    ("/proof/runs", "proof"),
    ("/proof/head/signature", "signature"),
    ("/proof/head/root", "signature"),
    ("/proof/genesis/bytes", "genesis"),
    ("/proof/runs/0/entries/0/bytes", "chain"),
    ("/proof/runs/0/entries/0/sealed", "chain"),
    ("/proof/runs/0/path", "inclusion"),
];

/// Another value of the same form.
fn other(value: &Json) -> Json {
    match value {
        Json::Number(number) => json!(number.as_u64().unwrap() + 1),
        Json::String(text) => {
            let digit = if text.ends_with('1') { "2" } else { "1" };
            Json::from([&text[..text.len() - 1], digit].concat())
        }
        Json::Array(items) => Json::Array(items[..items.len() - 1].to_vec()),
        _ => Json::Null,
    }
}

/// An amount in the form of the wire.
fn shown(atoms: u64) -> Json {
    Json::from(format!("{}.{:06}", atoms / 1_000_000, atoms % 1_000_000))
}

fn cases(leaf: &Json) -> Vec<Json> {
    let one = |at: &str, value: Json, fails: &str| json!({ "set": [{ "at": at, "value": value }], "fails": fails });
    let mut cases: Vec<Json> = ALTERED.iter().map(|(at, fails)| one(at, other(leaf.pointer(at).unwrap()), fails)).collect();
    let turned = if leaf["path"][0]["side"] == "left" { "right" } else { "left" };
    cases.push(one("/path/0/side", json!(turned), "root"));
    for impossible in ["-1.000000", "1", "01.000000", "1.0000000", "1000000000000.000000", "1,000000", "", "1e6.000000"] {
        cases.push(one("/path/0/sum", json!(impossible), "format"));
    }
    // A leaf with one atom more that matches, and a sibling with one less: the total is right, but the root is not.
    let balance = atoms(&leaf["balance"]) + 1;
    let user = leaf["user_id"].as_u64().unwrap();
    let made = hex(&sha(&[&user.to_be_bytes(), &digest(&leaf["nonce"]), &balance.to_be_bytes()]));
    let beside = atoms(&leaf["path"][0]["sum"]) - 1;
    cases.push(json!({ "set": [
        { "at": "/balance", "value": shown(balance) }, { "at": "/leaf", "value": made }, { "at": "/path/0/sum", "value": shown(beside) },
    ], "fails": "root" }));
    cases
}

fn apply(leaf: &Json, case: &Json) -> Json {
    let mut altered = leaf.clone();
    for change in case["set"].as_array().unwrap() {
        *altered.pointer_mut(change["at"].as_str().unwrap()).unwrap() = change["value"].clone();
    }
    altered
}

fn compare(leaf: &Json, cases: &[Json], key: &str) {
    let known = from_hex::<32>(key).unwrap();
    let checked = check(leaf, Some(&known)).unwrap();
    assert_eq!((Json::from(checked.user), Json::from(checked.balance.0)), (leaf["user_id"].clone(), leaf["balance"].clone()));
    assert!(check(&json!({ "type": "ok", "message": leaf }), None).is_ok());
    assert_eq!(check(leaf, Some(&[7; 32])).unwrap_err().reason.name(), "key");
    for case in cases {
        let came = check(&apply(leaf, case), Some(&known)).map(drop).map_err(|fault| json!(fault.reason.name()));
        assert_eq!(came, Err(case["fails"].clone()), "{}", case["set"]);
    }
}

fn write(leaf: &Json, cases: &[Json], key: &str) {
    std::fs::create_dir_all(folder()).unwrap();
    std::fs::write(folder().join("leaf.json"), format!("{leaf}\n")).unwrap();
    let lines: Vec<String> = cases.iter().map(Json::to_string).collect();
    std::fs::write(folder().join("cases.json"), format!("{{\"key\": \"{key}\", \"cases\": [\n{}\n]}}\n", lines.join(",\n"))).unwrap();
}

#[test]
fn every_member_finds_what_they_have_in_what_the_venue_owes_and_one_altered_part_turns_it_red() {
    both(|mut server| async move {
        let first = server.get("/api/proof/liabilities").await.json();
        assert!(first["code"] == 1 || first["data"]["error"] == "E_NOT_FOUND", "{first}");
        let mut members = Vec::new();
        for (name, amount) in [("ann", "1000.5"), ("ben", "7"), ("cleo", "0.000001"), ("dan", "250")] {
            let member = Member::new(&server, &format!("{name}@example.org")).await;
            member.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", amount)]).await.ok();
            members.push(member);
        }
        let ann = &members[0];
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "20"), ("account", "lever")]).await.ok();
        // An order far below the price holds part of it.
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        place(&server, &ann.token, "1", "0.001", "95000", &[]).await.ok();

        let cut = next_cut(&server).await;
        let usdt = of_coin(&cut, 3);
        for member in &members {
            let leaf = leaf(&server, member, "3").await;
            assert_eq!((&leaf["seq"], &leaf["user_id"]), (&cut["seq"], &Json::from(member.id.0)));
            assert_eq!(atoms(&leaf["balance"]), has(&server, member).await);
            assert_eq!((&leaf["root"], &leaf["total"]), (&usdt["root"], &usdt["total"]));
            assert_eq!(led(&leaf), (digest(&usdt["root"]), atoms(&usdt["total"])));
        }
        // The roots are those of the log, whose seed is never shown.
        let call = format!("/api/proof/entries?from={}&limit=1", cut["recorded_seq"]);
        let entry = server.get_as(token(&ann.token), &call).await.ok()[0].clone();
        let roots = entry["public"]["coins"].as_array().unwrap().iter().find(|coin| coin["asset"] == 3).unwrap();
        assert_eq!((&entry["kind"], &roots["root"]), (&json!("record_liabilities"), &usdt["root"]));
        assert!(entry["sealed"].is_string() && entry.get("own").is_none(), "{entry}");
        let external = usdt["external"].as_str().unwrap().strip_prefix('-').unwrap();
        assert_eq!(Json::from(atoms(&json!(external))), roots["came_in"]);
        // House accounts at the same entry: with the members' balances they add up to all that came in.
        let pools = usdt["pools"].as_array().unwrap();
        let house: u64 = pools.iter().map(|pool| atoms(&pool["balance"])).sum();
        assert_eq!(house + atoms(&usdt["total"]), atoms(&json!(external)));
        let escrow = pools.iter().find(|pool| pool["account"] == "plan_treasury").unwrap();
        assert!(atoms(&escrow["balance"]) > 0 && pools.len() > 3, "{pools:?}");

        let own = leaf(&server, ann, "3").await;
        // A path of a single step: of five leaves the last has all others as its sibling.
        let mut deep = own.clone();
        if deep["path"].as_array().unwrap().len() < 2 {
            deep = leaf(&server, &members[1], "3").await;
        }
        let (cases, key) = (cases(&deep), deep["proof"]["head"]["key"].as_str().unwrap().to_owned());
        if std::env::var("MERIDIAN_RECEIPTS").is_ok_and(|wish| wish == "write") {
            write(&deep, &cases, &key);
        }
        compare(&deep, &cases, &key);

        // No request returns another member's leaf.
        let asked = format!("/api/proof/my_leaf?currency_id=3&user_id={0}&id={0}&index=0", members[1].id.0);
        assert_eq!(server.get_as(token(&ann.token), &asked).await.ok()["user_id"], ann.id.0);
        assert_eq!(server.get(&asked).await.json()["type"], "999");
        for (call, error) in
            [("?currency_id=99", "E_ASSET"), ("?currency_id=x", "E_ASSET"), ("", "E_ASSET"), ("?currency_id=1", "E_NOT_FOUND")]
        {
            let refused = server.get_as(token(&members[1].token), &format!("/api/proof/my_leaf{call}")).await;
            assert_eq!(refused.error(), error, "{call}");
        }
        for seq in [0, cut["seq"].as_u64().unwrap() - 1, cut["seq"].as_u64().unwrap() + 1, 1 << 52] {
            assert_eq!(server.get(&format!("/api/proof/liabilities?seq={seq}")).await.error(), "E_NOT_FOUND", "{seq}");
        }
        assert_eq!(server.get("/api/proof/liabilities?seq=x").await.error(), "E_FIELD");

        // The next cut names the previous one, which stays; its leaves are in a new order with new nonces.
        members[1].post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "3")]).await.ok();
        let later = next_cut(&server).await;
        assert_eq!(later["previous_seq"], cut["seq"]);
        assert_eq!(later["time_ms"].as_u64().unwrap() / INTERVAL_MS, cut["time_ms"].as_u64().unwrap() / INTERVAL_MS + 1);
        assert_eq!(server.get(&format!("/api/proof/liabilities?seq={}", cut["seq"])).await.ok(), cut);
        let anew = leaf(&server, ann, "3").await;
        assert_eq!(anew["balance"], own["balance"]);
        assert_ne!(anew["nonce"], own["nonce"]);
        assert_eq!(atoms(&of_coin(&later, 3)["total"]), atoms(&usdt["total"]) + 3_000_000);

        // After a start the roots are known, and the leaves and house balances again with the next cut.
        server.restart().await;
        let mut kept = later.clone();
        kept["assets"].as_array_mut().unwrap().iter_mut().for_each(|coin| coin["pools"] = Json::Null);
        assert_eq!(server.get("/api/proof/liabilities").await.ok(), kept);
        assert_eq!(server.get_as(token(&members[0].token), "/api/proof/my_leaf?currency_id=3").await.error(), "E_NOT_READY");
        next_cut(&server).await;
        assert!(check(&leaf(&server, &members[0], "3").await, None).is_ok());
        // The data suffices to make the trees again.
        server.running.stop().await;
        server.verify().await.unwrap();
    });
}

/// A full copy of the log reveals a cut that was recorded twice, and one taken at another moment than the rule requires.
#[test]
fn a_log_with_a_second_cut_or_one_of_another_moment_is_not_verified() {
    for chosen in [false, true] {
        both(|mut server| async move {
            let ann = Member::new(&server, "ann@example.org").await;
            ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10")]).await.ok();
            let cut = next_cut(&server).await;
            let sequencer = server.running.app.sequencer.clone();
            let mut made = sequencer.engine().cut();
            if !chosen {
                // Nothing has moved since: other roots for the same cut, with another seed.
                made.seq = engine::ids::Seq(cut["seq"].as_u64().unwrap());
                made.time = engine::time::Time(cut["time_ms"].as_u64().unwrap());
            }
            ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1")]).await.ok();
            let (_, record) = RecordLiabilities::of(made, engine::ids::Digest([7; 32]));
            sequencer.submit(Command::RecordLiabilities(Box::new(record)), None).await.unwrap().outcome.result.unwrap();
            server.running.stop().await;
            let refused = server.verify().await.unwrap_err().to_string();
            assert!(refused.contains(if chosen { "first entry of ten minutes" } else { "not newer than those recorded" }), "{refused}");
        });
    }
}

/// The same cases test the app's own verifier.
#[test]
fn the_shared_leaf_and_its_altered_forms_come_out_as_their_cases_say() {
    let read = |name: &str| -> Json { serde_json::from_str(&std::fs::read_to_string(folder().join(name)).unwrap()).unwrap() };
    let shared = read("cases.json");
    let cases = shared["cases"].as_array().unwrap();
    assert!(cases.len() > 30);
    compare(&read("leaf.json"), cases, shared["key"].as_str().unwrap());
}
