//! `meridian verify --url` and `--receipt`: a stranger checks a running venue, and one that lies.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use serde_json::{Value as Json, json};
use server::config::PublicArgs;
use server::verify::venue::{self, Failed, Report};
use tempfile::TempDir;

use crate::harness::{Server, both};
use crate::people::Member;
use crate::receipts::stops::run;
use crate::receipts::{contract, covered, end};

pub async fn verify(args: PublicArgs) -> Result<Report, Failed> {
    tokio::task::spawn_blocking(move || venue::run(&args)).await.unwrap()
}

/// The check that failed; `""` when all stood.
pub fn red(came: Result<Report, Failed>) -> &'static str {
    match came {
        Ok(report) => {
            assert!(report.unshown.is_empty(), "{report:?}");
            ""
        }
        Err(Failed::Red(fault)) => fault.reason.name(),
        Err(Failed::Unread(why)) => panic!("{why}"),
    }
}

pub fn at(url: &str) -> PublicArgs {
    PublicArgs { url: Some(url.to_owned()), ..PublicArgs::default() }
}

pub fn file(folder: &TempDir, name: &str, content: &Json) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content.to_string()).unwrap();
    path
}

fn read(path: &Path) -> Json {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A venue in front of another that alters its answers: its address.
pub async fn lying(server: &Server, lie: impl Fn(&str, &mut Json) + Send + Sync + 'static) -> String {
    let (inner, lie, client) = (server.url("/"), Arc::new(lie), server.client.clone());
    let answer = move |request: Request| {
        let (inner, lie, client) = (inner.clone(), lie.clone(), client.clone());
        async move {
            let call = request.uri().path_and_query().unwrap().as_str().trim_start_matches('/').to_owned();
            let text = client.get(format!("{inner}{call}")).send().await.unwrap().text().await.unwrap();
            let mut json: Json = serde_json::from_str(&text).unwrap();
            lie(&call, &mut json["message"]);
            json.to_string()
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    format!("http://{address}/")
}

pub fn flip(text: &mut Json) {
    let old = text.as_str().unwrap();
    let last = if old.ends_with('1') { "2" } else { "1" };
    *text = Json::from([&old[..old.len() - 1], last].concat());
}

/// A head, once there is one.
async fn head(server: &Server) -> Json {
    loop {
        let answer = server.get("/api/proof/head").await.json();
        if answer["code"] == 1 {
            return answer["message"].clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

async fn advance(server: &Server) {
    server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
}

#[test]
fn a_venue_is_checked_from_outside_and_every_later_head_must_continue_the_saved_one() {
    both(|server| async move {
        let (first, folder, url) = (head(&server).await, TempDir::new().unwrap(), server.url("/"));
        let saved = folder.path().join("head.json");
        let with_head = || PublicArgs { head: Some(saved.clone()), ..at(&url) };
        assert_eq!(red(verify(with_head()).await), "");
        assert_eq!(read(&saved)["seq"], first["seq"]);
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        advance(&server).await;
        while head(&server).await["seq"] == first["seq"] {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let report = verify(with_head()).await.unwrap();
        assert!(report.lines.iter().any(|line| line.starts_with("ok  consistency")), "{report:?}");
        assert!(read(&saved)["seq"].as_u64() > first["seq"].as_u64());

        // The key as known from elsewhere.
        let key = first["key"].as_str().unwrap();
        assert_eq!(red(verify(PublicArgs { key: Some(key.to_owned()), ..at(&url) }).await), "");
        let other = PublicArgs { key: Some("00".repeat(32)), ..at(&url) };
        assert_eq!(red(verify(other).await), "key");
        // Heads that this log never had: an altered one, and one of a venue with the same key and another past.
        let mut altered = first.clone();
        flip(&mut altered["root"]);
        let args = PublicArgs { head: Some(file(&folder, "altered.json", &altered)), ..at(&url) };
        assert_eq!(red(verify(args).await), "signature");
        assert!(matches!(verify(at("http://127.0.0.1:9/")).await, Err(Failed::Unread(_))));
        assert!(matches!(verify(at("ftp://x")).await, Err(Failed::Unread(_))));
    });
}

#[test]
fn a_venue_that_lies_turns_red_with_the_name_of_its_lie() {
    both(|server| async move {
        let pinned = server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await;
        advance(&server).await;
        let mut first = head(&server).await;
        while first["seq"].as_u64().unwrap() < pinned.header("x-seq").parse().unwrap() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            first = head(&server).await;
        }
        let page = |call: &str| call.starts_with("api/proof/entries");
        type Lie = Box<dyn Fn(&str, &mut Json) + Send + Sync>;
        let lies: [(&str, Lie); 9] = [
            (
                "signature",
                Box::new(|call, answer| {
                    if call == "api/proof/head" {
                        answer["time_ms"] = json!(1)
                    }
                }),
            ),
            (
                "signature",
                Box::new(|call, answer| {
                    if call == "api/proof/head" {
                        flip(&mut answer["signature"])
                    }
                }),
            ),
            (
                "chain",
                Box::new(move |call, answer| {
                    if page(call) {
                        answer[1]["time_ms"] = json!(answer[1]["time_ms"].as_u64().unwrap() + 1)
                    }
                }),
            ),
            (
                "chain",
                Box::new(move |call, answer| {
                    if page(call) {
                        drop(answer.as_array_mut().unwrap().remove(1))
                    }
                }),
            ),
            (
                "genesis",
                Box::new(move |call, answer| {
                    if page(call) {
                        answer.as_array_mut().unwrap().truncate(1);
                        relabel(&mut answer[0])
                    }
                }),
            ),
            (
                "genesis",
                Box::new(|call, answer| {
                    if call == "api/proof/head" {
                        answer["mode"] = json!("live")
                    }
                }),
            ),
            (
                "genesis",
                Box::new(|call, answer| {
                    if call == "api/app/config" {
                        answer["mode"] = json!("live")
                    }
                }),
            ),
            (
                "price",
                Box::new(|call, answer| {
                    if call.starts_with("api/market/index") {
                        *answer = json!([])
                    }
                }),
            ),
            (
                "price",
                Box::new(|call, answer| {
                    if call.starts_with("api/market/index") {
                        for sample in answer.as_array_mut().unwrap() {
                            sample["price"] = json!("99999.00");
                        }
                    }
                }),
            ),
        ];
        for (name, lie) in lies {
            assert_eq!(red(verify(at(&lying(&server, lie).await)).await), name);
        }
        // Two logs: the head signed before is not in the past of this one.
        let folder = TempDir::new().unwrap();
        let saved = file(&folder, "head.json", &first);
        advance(&server).await;
        while head(&server).await["seq"] == first["seq"] {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let forked = lying(&server, |call, answer| {
            if call.starts_with("api/proof/inclusion") {
                flip(&mut answer["path"][0]["hash"]);
            }
        });
        assert_eq!(red(verify(PublicArgs { head: Some(saved), ..at(&forked.await) }).await), "consistency");
    });
}

/// Gives an entry the hash that its fields have after its time was changed.
fn relabel(entry: &mut Json) {
    let bytes = |text: &str| (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect();
    let time_ms = entry["time_ms"].as_u64().unwrap() + 1;
    let (kind, version) =
        (entry["kind_number"].as_u64().unwrap().try_into().unwrap(), entry["version"].as_u64().unwrap().try_into().unwrap());
    let public = bytes(entry["bytes"].as_str().unwrap());
    let record = journal::Record { seq: 1, time_ms, kind, version, public, ..journal::Record::default() };
    entry["time_ms"] = json!(time_ms);
    entry["hash"] = json!(store::secrets::hex(&journal::entry_hash(&[0; 32], &record)));
}

#[test]
fn stops_that_a_receipt_leaves_out_are_found_in_the_whole_log() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "lever")]).await.ok();
        let price = async |price: &str| server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
        price("100000").await;
        let form = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
        let id = ann.post(&server, "/api/lever/submit", &form).await.data()["position"]["id"].to_string();
        let set = async |who: &Member, profit: &str, stop: &str| {
            price("100000").await;
            let form = [("id", id.as_str()), ("target_profit_price", profit), ("stop_loss_price", stop)];
            who.post(&server, "/api/lever/setstop", &form).await.error()
        };
        assert_eq!(set(&ann, "110000", "95000").await, "");
        // A refused entry, or one that changes nothing, raises no doubt.
        assert_eq!(set(&ann, "110000", "100001").await, "E_SL");
        assert_eq!(set(&bob, "110000", "95000").await, "E_NOT_FOUND");
        let receipt = async || {
            let now = server.running.app.sequencer.engine().seq().0;
            advance(&server).await;
            while head(&server).await["seq"].as_u64() < Some(now) {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            covered(&server, &ann, "lever", &id).await
        };
        let folder = TempDir::new().unwrap();
        let against = async |receipt: &Json| {
            let saved = file(&folder, "receipt.json", receipt);
            verify(PublicArgs { receipt: Some(saved), ..at(&server.url("/")) }).await.unwrap()
        };
        let shown = receipt().await;
        let report = against(&shown).await;
        let by = format!("set by entry {}", shown["stop_seqs"][0]);
        assert!(report.unshown.is_empty() && report.lines.iter().any(|line| line.ends_with(&by)), "{report:?}");
        // A later one is left out, as in an earlier receipt; so is one whose member the log does not name.
        assert_eq!(set(&ann, "0", "96000").await, "");
        let newer = receipt().await;
        assert_eq!(against(&shown).await.unshown, ["stops"]);
        assert_eq!(against(&newer).await.unshown, Vec::<&str>::new());
        assert_eq!(set(&bob, "0", "90800").await, "E_NOT_FOUND");
        assert_eq!(against(&receipt().await).await.unshown, ["stops"]);
    });
}

#[test]
fn a_contract_that_an_earlier_sample_would_have_filled_or_closed_turns_red_with_the_whole_log() {
    both(|server| async move {
        let (ann, folder) = (Member::new(&server, "ann@example.com").await, TempDir::new().unwrap());
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "lever")]).await.ok();
        let price = async |price: &str| {
            server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.header("x-seq").parse::<u64>().unwrap()
        };
        price("100000").await;
        let filled = contract(&server, &ann, &[("status", "0"), ("target_price", "99000")]).await;
        let stopped = contract(&server, &ann, &[("stop_loss_price", "95000")]).await;
        price("98900").await;
        price("100000").await;
        let again = price("98900").await;
        price("95000").await;
        price("100000").await;
        let lower = price("95000").await;
        end(&server, &ann, "close", &filled).await;
        for _ in 0..2 {
            advance(&server).await;
            let (now, mut newest) = (server.running.app.sequencer.engine().seq().0, 0);
            while newest + 5 < now {
                newest = head(&server).await["seq"].as_u64().unwrap();
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
        let [filled, stopped] = [covered(&server, &ann, "lever", &filled).await, covered(&server, &ann, "lever", &stopped).await];
        let check = async |receipt: &Json, url: Option<String>| {
            let receipt = Some(file(&folder, "receipt.json", receipt));
            red(verify(PublicArgs { receipt, url, ..PublicArgs::default() }).await)
        };
        let sample = async |seq: u64, receipt: &Json| {
            let run = run(&server, &ann, seq, receipt).await;
            let at = run["entries"][0]["time_ms"].clone();
            let samples = ann.get(&server, &format!("/api/market/index?symbol=BTC%2FUSDT&from_ms={at}&to_ms={at}")).await;
            (run, at, samples.as_array().unwrap().iter().find(|sample| sample["seq"] == seq).unwrap().clone())
        };
        let url = || Some(server.url("/"));
        for honest in [&filled, &stopped] {
            assert_eq!(check(honest, url()).await, "");
        }
        // Filled and closed by a later sample of the same price.
        let mut late = filled.clone();
        let (run, at, shown) = sample(again, &filled).await;
        (late["open_sample"], late["position"]["transaction_time_ms"]) = (shown, at);
        late["proof"]["runs"].as_array_mut().unwrap().push(run);
        assert_eq!((check(&late, None).await, check(&late, url()).await), ("", "open_sample"));
        let mut late = stopped.clone();
        let (run, at, shown) = sample(lower, &stopped).await;
        (late["close_sample"], late["position"]["complete_time_ms"], late["end_seq"]) = (shown, at, json!(lower));
        late["proof"]["runs"].as_array_mut().unwrap().push(run);
        assert_eq!((check(&late, None).await, check(&late, url()).await), ("", "outcome"));
        // Open for ever.
        let mut open = stopped.clone();
        for name in ["reason", "fact_profits", "returned", "complete_time_ms"] {
            open["position"][name] = Json::Null;
        }
        (open["position"]["status"], open["close_sample"], open["end_seq"]) = (json!(1), Json::Null, Json::Null);
        assert_eq!((check(&open, None).await, check(&open, url()).await), ("", "outcome"));
    });
}

#[test]
fn a_saved_receipt_is_checked_alone_and_against_the_log_of_its_venue() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.verify(&server, "X0000001").await;
        ann.post(&server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000"), ("account", "micro")]).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        server.after_a_full_minute().await;
        let form = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "100")];
        let id = ann.post(&server, "/api/microtrade/submit", &form).await.ok()["id"].to_string();
        let call = format!("/api/microtrade/receipt?id={id}");
        assert_eq!(ann.get(&server, &call).await["proof"], Json::Null, "no head covers the purchase yet");
        advance(&server).await;
        tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
        advance(&server).await;
        let mut receipt = ann.get(&server, &call).await;
        while receipt["proof"].is_null() {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            receipt = ann.get(&server, &call).await;
        }
        let folder = TempDir::new().unwrap();
        let saved = file(&folder, "receipt.json", &receipt);
        let alone = PublicArgs { receipt: Some(saved.clone()), ..PublicArgs::default() };
        let report = verify(alone).await.unwrap();
        assert!(report.lines.iter().any(|line| line.ends_with("Pushed")) && report.unshown.is_empty(), "{report:?}");
        let both = PublicArgs { receipt: Some(saved), ..at(&server.url("/")) };
        let report = verify(both).await.unwrap();
        assert!(report.lines.iter().any(|line| line.starts_with("ok  receipt")), "{report:?}");
        receipt["order"]["payout"] = json!("170.000000");
        let altered = PublicArgs { receipt: Some(file(&folder, "altered.json", &receipt)), ..PublicArgs::default() };
        assert_eq!(red(verify(altered).await), "payout");
        let none = PublicArgs { receipt: Some(file(&folder, "none.json", &json!({}))), ..PublicArgs::default() };
        assert_eq!(red(verify(none).await), "format");
        let missing = PublicArgs { receipt: Some(folder.path().join("nothing")), ..PublicArgs::default() };
        assert!(matches!(verify(missing).await, Err(Failed::Unread(_))));
    });
}
