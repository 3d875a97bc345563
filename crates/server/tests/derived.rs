//! Rows that are made from the log need no sync of their own: what a disk lost of them is made again at the next start.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "api/harness.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod harness;

use std::fs;
use std::path::Path;

use clap::Parser;
use harness::{both, token};
use serde_json::Value as Json;
use server::boot::{self, Running};
use server::config::{Cli, Command};

const LISTS: [&str; 4] =
    ["coin/list?limit=100", "coin/fills?limit=100", "wallet/hzhistory?limit=100", "wallet/legal_log?currency=3&type=2&limit=100"];

/// A member's orders, fills, transfers and statement, with what this entry brought.
async fn lists(running: &Running, who: &str, seq: &str) -> Vec<Json> {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut lists = Vec::new();
    for list in LISTS {
        let url = format!("http://{}/api/{list}", running.address);
        let answer = client.get(url).header("authorization", who).header("x-min-seq", seq).send().await.unwrap();
        let mut answer: Json = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(answer["type"], "ok", "{list}: {answer}");
        // Open objects include the entry of the state they were read from; ended ones, their last entry.
        for open in answer["message"].as_array_mut().into_iter().flatten().filter(|row| row["status"] == 1) {
            open["seq"].take();
        }
        lists.push(answer["message"].clone());
    }
    lists
}

/// The files of the people and the history, or all others.
fn copy(from: &Path, to: &Path, of_people: bool) {
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(file.file_name());
        if file.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&file.path(), &target, of_people);
        } else if file.file_name().to_string_lossy().starts_with("meridian.db") == of_people {
            fs::copy(file.path(), target).unwrap();
        }
    }
}

#[test]
fn history_that_never_reached_the_disk_is_made_again_from_the_journal() {
    both(|mut server| async move {
        if server.running.app.config.database.is_some() {
            // PostgreSQL syncs every transaction, so it loses nothing that was answered.
            return;
        }
        let data = server.running.app.config.data.clone();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let who = server.member("a@example.com").await;
        for (asset, amount) in [("USDT", "1000"), ("BTC", "1")] {
            server.post_as(token(&who), "/sandbox/faucet", &[("asset", asset), ("amount", amount)]).await.ok();
        }
        // The session is used once, so that everything it needs is loaded.
        server.get_as(token(&who), "/api/coin/list").await.ok();
        let lost = tempfile::tempdir().unwrap();
        copy(&data, lost.path(), true);

        let mut seq = String::new();
        for (side, price) in [("2", "100000.0"), ("1", "100000.0"), ("1", "99000.0")] {
            let form = [("legal_id", "3"), ("currency_id", "1"), ("type", side), ("amount", "0.00200"), ("target_price", price)];
            server.post_as(token(&who), "/api/coin/trade", &form).await.ok();
        }
        for amount in ["5", "7"] {
            let form = [("currency_id", "3"), ("number", amount), ("from_field", "change"), ("to_field", "lever")];
            let moved = server.post_as(token(&who), "/api/wallet/change", &form).await;
            moved.ok();
            seq = moved.header("x-seq").to_owned();
        }
        let known = lists(&server.running, &who, &seq).await;
        assert!(known[0].to_string().contains("99000.0") && known[2].to_string().contains("7.000000"), "{known:?}");
        server.running.stop().await;
        copy(&data, lost.path(), false);

        let words = ["meridian", "serve", "--listen", "127.0.0.1:0", "--house-liquidity", "off", "--genesis", "sandbox", "--data"];
        let Command::Serve(args) = Cli::parse_from(words.into_iter().chain(lost.path().to_str())).command else { panic!("not serve") };
        let mut again = boot::start(args.check().unwrap()).await.unwrap();
        assert_eq!(lists(&again, &who, &seq).await, known);
        again.stop().await;
    });
}
