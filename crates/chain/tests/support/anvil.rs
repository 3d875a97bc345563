//! A private Ethereum node for one test: `anvil`, from `e2e/node_modules` or from `ANVIL_PATH`. It ends with the test.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The running node.
pub struct Anvil {
    process: Child,
    pub url: String,
    client: reqwest::Client,
    /// Accounts that the node signs for, each with 10 000 ether.
    pub accounts: Vec<String>,
}

impl Drop for Anvil {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The program itself and not its launcher, so that ending it ends the node.
fn program() -> PathBuf {
    if let Some(path) = std::env::var_os("ANVIL_PATH") {
        return path.into();
    }
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../e2e/node_modules/@foundry-rs");
    let path = packages.join(format!("anvil-{system}-{machine}/bin/anvil"));
    assert!(path.exists(), "{} is missing: run `npm ci` in e2e, or set ANVIL_PATH", path.display());
    path
}

impl Anvil {
    /// Starts a node that makes blocks only on request.
    pub async fn start() -> Anvil {
        let path = program();
        let mut process = Command::new(&path)
            .args(["--host", "127.0.0.1", "--port", "0", "--no-mining", "--chain-id", "31337"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url =
            lines.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix("Listening on ").map(|place| format!("http://{place}")));
        // Later output must be read, because the process would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut anvil = Anvil { process, url: url.expect("the node listens"), client: reqwest::Client::new(), accounts: Vec::new() };
        anvil.accounts = serde_json::from_value(anvil.call("eth_accounts", json!([])).await).unwrap();
        anvil
    }

    pub async fn call(&self, method: &str, params: Value) -> Value {
        let question = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let answer = self.client.post(&self.url).header("content-type", "application/json").body(question).send().await.unwrap();
        let mut answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    pub async fn mine(&self, blocks: u64) {
        self.call("anvil_mine", json!([blocks])).await;
    }

    /// Sends a transaction into the pool; it has enough gas to be tried even if it fails. Returns its hash.
    pub async fn send(&self, to: Option<&str>, wei: u128, data: &str) -> String {
        let mut transaction = json!({"from": self.accounts[0], "value": format!("{wei:#x}"), "data": data, "gas": "0x1e8480"});
        if let Some(to) = to {
            transaction["to"] = to.into();
        }
        self.call("eth_sendTransaction", json!([transaction])).await.as_str().unwrap().to_owned()
    }

    /// Deploys the token and returns its address.
    pub async fn deploy_token(&self) -> String {
        let tx = self.send(None, 0, &format!("0x{}", include_str!("token.hex").trim())).await;
        self.mine(1).await;
        self.call("eth_getTransactionReceipt", json!([tx])).await["contractAddress"].as_str().unwrap().to_owned()
    }
}
