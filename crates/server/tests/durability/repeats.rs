//! A02: every call that moves money, sent ten times under its key, five of them at once on each side of a `kill -9`: one effect, and one
//! answer for all who get one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value as Json;
use server::app::ROUTES;
use server::http::routes::Effect;
use tempfile::TempDir;
use tokio::sync::Notify;

use crate::bucket::upload;
use crate::process::{Answer, Disk, PATIENCE, Server, block_on, client, write};

const FUND: &str = "482915";
const TRON: &str = "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8";
const DAY_MS: u64 = 86_400_000;
const AT_ONCE: usize = 5;

/// Commands that move no money: they identify a person, forbid something, or wait for a second operator.
const NO_MONEY: [&str; 18] = [
    "/api/user/freeze",
    "/api/user/limits",
    "/api/user/real_name",
    "/api/user/real_name2",
    "/operator/api/operator/save",
    "/operator/api/operator/release",
    "/operator/api/withdrawal/returned",
    "/operator/api/observation/reverse",
    "/operator/api/proposal/cancel",
    "/operator/api/proposal/stop",
    "/operator/api/catalog/propose",
    "/operator/api/catalog/pause",
    "/operator/api/market/retire",
    "/operator/api/offering/launch",
    "/operator/api/user/freeze",
    "/operator/api/user/unfreeze",
    "/operator/api/user/kyc_revoke",
    "/operator/api/user/role",
];

/// The caller: the member, or one of two operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Who {
    Ann,
    One,
    Two,
}

#[derive(Clone, Debug)]
struct Call {
    who: Who,
    path: &'static str,
    form: String,
}

fn call(who: Who, path: &'static str, form: &str) -> Call {
    Call { who, path, form: form.to_owned() }
}

/// A server that is killed again and again, and three people who do not give up.
struct Scene {
    client: reqwest::Client,
    server: Option<Server>,
    data: PathBuf,
    _folder: TempDir,
    tokens: BTreeMap<Who, String>,
    /// Groups so far; keys are numbered by them.
    groups: usize,
    /// The last group, with the answers that came before the kill, for the repetition.
    told: Vec<(Call, String, Vec<Answer>)>,
    covered: BTreeSet<&'static str>,
    /// Requests that a kill cut off.
    cut: usize,
    seq: u64,
}

impl Scene {
    fn url(&self) -> &str {
        &self.server.as_ref().unwrap().url
    }

    async fn post(&mut self, who: Option<Who>, path: &str, form: &str) -> Json {
        let mut request = write(&self.client, self.url(), path, form, "");
        if let Some(who) = who {
            request = request.header("authorization", &self.tokens[&who]);
        }
        let answer = Answer::to(request).await.unwrap();
        self.seq = self.seq.max(answer.seq);
        answer.ok()
    }

    /// A read that shows everything that was answered.
    async fn get(&self, who: Who, path: &str) -> Json {
        let request = self.client.get(format!("{}{path}", self.url())).header("authorization", &self.tokens[&who]);
        Answer::to(request.header("x-min-seq", self.seq.to_string())).await.unwrap().ok()["message"].take()
    }

    async fn code(&mut self, purpose: &str) -> String {
        let path = "/api/set/sms_other_mail";
        loop {
            let request = write(&self.client, self.url(), path, &format!("type={purpose}"), "");
            let asked = Answer::to(request.header("authorization", &self.tokens[&Who::Ann])).await.unwrap();
            if asked.error() != "E_RATE" {
                asked.ok();
                break;
            }
            tokio::time::sleep(Duration::from_millis(asked.json()["data"]["retry_ms"].as_u64().unwrap())).await;
        }
        let kept = Answer::to(self.client.get(format!("{}/sandbox/outbox?to=ann@example.com", self.url()))).await.unwrap().ok();
        kept["message"][0]["code"].as_str().unwrap().to_owned()
    }

    fn request(&self, call: &Call, key: &str) -> reqwest::RequestBuilder {
        write(&self.client, self.url(), call.path, &call.form, key).header("authorization", &self.tokens[&call.who])
    }

    /// Sends each call five times at once and kills the server right behind the first answer.
    async fn cut_off(&mut self, calls: Vec<Call>) {
        self.groups += 1;
        let heard = Arc::new(Notify::new());
        let mut sent = Vec::new();
        for (number, call) in calls.into_iter().enumerate() {
            let key = format!("group{}-{number}", self.groups);
            let mut five = Vec::new();
            for _ in 0..AT_ONCE {
                let (request, heard) = (self.request(&call, &key), heard.clone());
                five.push(tokio::spawn(async move {
                    let answer = Answer::to(request).await;
                    if answer.is_some() {
                        heard.notify_one();
                    }
                    answer
                }));
            }
            sent.push((call, key, five));
        }
        tokio::time::timeout(PATIENCE, heard.notified()).await.unwrap();
        self.restart().await;
        for (call, key, five) in sent {
            let answers: Vec<Answer> = join_all(five).await.into_iter().filter_map(|answer| answer.unwrap()).collect();
            self.cut += AT_ONCE - answers.len();
            self.covered.insert(call.path);
            self.told.push((call, key, answers));
        }
    }

    /// A kill and a new start; the new server remembers no rates.
    async fn restart(&mut self) {
        self.server.as_mut().unwrap().kill();
        self.server = None;
        self.server = Some(Server::start(&self.data, &["--house-liquidity", "off"], Disk::Plain, &self.client).await);
    }

    /// Sends the last group again, five times at once: the answers of each call, which are all the same.
    async fn repeat(&mut self) -> Vec<Json> {
        let told = std::mem::take(&mut self.told);
        let all: Vec<_> = told.iter().map(|(call, key, _)| join_all((0..AT_ONCE).map(|_| Answer::to(self.request(call, key))))).collect();
        let mut done = Vec::new();
        for ((call, _, before), again) in told.iter().zip(join_all(all).await) {
            let again: Vec<Answer> = again.into_iter().map(Option::unwrap).collect();
            let first = before.first().unwrap_or(&again[0]);
            let what = format!("{} {}", call.path, call.form);
            done.push(first.ok());
            for other in before.iter().chain(&again) {
                assert_eq!((&other.text, other.seq), (&first.text, first.seq), "{what}");
            }
            let anew = again.iter().filter(|answer| !answer.replay).count();
            assert!(anew <= usize::from(before.is_empty()), "{what}: done {anew} times after the kill");
            self.seq = self.seq.max(first.seq);
        }
        done
    }

    /// The approval of the case of this kind whose summary has these words, as an operator sees it now.
    async fn approval(&self, who: Who, kind: &str, words: &str) -> String {
        let mut rows = self.get(who, &format!("/operator/api/queue?kind={kind}")).await["data"].take();
        let row = rows.as_array_mut().unwrap().iter().find(|row| row["summary"].as_str().unwrap().contains(words)).unwrap();
        format!("kind={kind}&id={}&version={}&hash={}&decision=approve", row["id"], row["version"], row["hash"].as_str().unwrap())
    }

    /// A fresh price: a server that has just started may not have one.
    async fn pin(&mut self) {
        self.post(None, "/sandbox/price", "symbol=BTC/USDT&price=100000").await;
    }

    /// A balance of the member in a wallet, and what is held of it.
    async fn usdt(&mut self, account: &str) -> (String, String) {
        let wallet = self.post(Some(Who::Ann), "/api/wallet/detail", &format!("currency=3&type={account}")).await["message"].take();
        let text = |name: &str| wallet[name].as_str().unwrap_or_else(|| panic!("{name}: {wallet}")).to_owned();
        (text("balance"), text("lock_balance"))
    }
}

/// A verified member with a fund password and 1,000 USDT, two operators, a pinned price.
async fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let (data, client) = (folder.path().join("data"), client());
    let server = Server::start(&data, &["--house-liquidity", "off"], Disk::Plain, &client).await;
    let (told, covered) = (Vec::new(), BTreeSet::new());
    let mut scene =
        Scene { client, server: Some(server), data, _folder: folder, tokens: BTreeMap::new(), groups: 0, told, covered, cut: 0, seq: 0 };
    // Early in a UTC day: at its end a night of contracts is paid for.
    let config = Answer::to(scene.client.get(format!("{}/api/app/config", scene.url()))).await.unwrap().ok();
    let today = config["message"]["server_time_ms"].as_u64().unwrap() / DAY_MS;
    scene.post(None, "/sandbox/clock", &format!("to_ms={}", (today + 1) * DAY_MS + 60_000)).await;
    for (who, name) in [(Who::One, "one"), (Who::Two, "two")] {
        for role in ["verifier", "treasury"] {
            let opened = scene.post(None, "/sandbox/operator", &format!("role={role}&name={name}")).await;
            scene.tokens.insert(who, opened["message"]["token"].as_str().unwrap().to_owned());
        }
    }
    scene.post(None, "/api/sms_mail", "user_string=ann@example.com&type=register").await;
    let kept = Answer::to(scene.client.get(format!("{}/sandbox/outbox?to=ann@example.com", scene.url()))).await.unwrap().ok();
    let code = kept["message"][0]["code"].as_str().unwrap().to_owned();
    let form = format!("type=email&user_string=ann@example.com&code={code}&password=secret1&re_password=secret1&agree=1");
    scene.post(None, "/api/user/register", &form).await;
    let login = scene.post(None, "/api/user/login", "user_string=ann@example.com&password=secret1").await;
    scene.tokens.insert(Who::Ann, login["message"].as_str().unwrap().to_owned());
    let ann = Some(Who::Ann);
    scene.post(ann, "/sandbox/faucet", "asset=USDT&amount=1000").await;
    scene.post(ann, "/sandbox/faucet", "asset=USDT&amount=20&account=micro").await;
    scene.post(ann, "/sandbox/faucet", "asset=USDT&amount=500&account=lever").await;
    scene.post(ann, "/sandbox/faucet", "asset=USDT&amount=200&account=trust").await;
    scene.pin().await;
    let papers = "country=de&name=Ann Marie Lee&card_id=AB123456&address=1 Road&residence_address=2 Road";
    scene.post(ann, "/api/user/real_name", papers).await;
    let row = scene.approval(Who::One, "identity", "").await;
    scene.post(Some(Who::One), "/operator/api/decide", &row).await;
    let code = scene.code("fund").await;
    let form = format!("password={FUND}&re_password={FUND}&login_password=secret1&code={code}");
    scene.post(ann, "/api/safe/update_password", &form).await;
    scene
}

/// The number of what a call made.
fn id(answer: &Json) -> String {
    answer["data"]["id"].to_string()
}

/// Two applications: one is taken back, the other paid out, secured better and repaid with its interest of 0.3.
async fn loans(scene: &mut Scene) {
    let ann = Who::Ann;
    scene.post(Some(ann), "/sandbox/faucet", "asset=BTC&amount=1").await;
    let asked = ["amount=600&collateral=0.01", "amount=100&collateral=0.002"];
    scene.cut_off(asked.map(|form| call(ann, "/api/user/bossorder", &format!("config_id=1&{form}"))).into()).await;
    scene.pin().await;
    let made = scene.repeat().await;
    let [loan, wanted] = [0, 1].map(|at: usize| made[at]["data"]["order"]["id"].to_string());
    let decide = scene.approval(Who::One, "loan", "600").await;
    scene.cut_off(vec![call(ann, "/api/user/bosscancel", &format!("id={wanted}")), call(Who::One, "/operator/api/decide", &decide)]).await;
    scene.pin().await;
    scene.repeat().await;
    let part = call(ann, "/api/user/bossrepay", &format!("id={loan}&amount=100"));
    scene.cut_off(vec![call(ann, "/api/user/bosscollateral", &format!("id={loan}&amount=0.001")), part]).await;
    scene.pin().await;
    scene.repeat().await;
    scene.cut_off(vec![call(ann, "/api/user/bossrepay", &format!("id={loan}&all=1"))]).await;
    scene.pin().await;
    scene.repeat().await;
}

#[test]
fn every_call_that_moves_money_has_one_effect_however_often_it_is_sent_and_whatever_is_killed() {
    block_on(async {
        let mut scene = scene().await;
        let ann = Who::Ann;
        let given = scene.post(Some(ann), "/api/wallet/get_in_address", "currency=3").await["message"]["TRC20"].take();
        let given = given.as_str().unwrap().to_owned();
        let observed = format!("chain=TRC20&tx={}&output=0&address={given}&currency_id=3&amount=200&confirmations=40", "ab".repeat(32));
        let code = scene.code("operation").await;
        let long = "share=1&multiple=10&legal_id=3&currency_id=1&type=1";
        let buy = "legal_id=3&currency_id=1&type=1&amount=0.001&target_price=90000";
        let address = format!("currency_id=3&netType=TRC20&address={TRON}&notes=Cold&pay_password={FUND}&code={code}");
        let card = "bank_name=First&bank_account=1234567890&real_name=Ann Marie Lee&bank_branch=Main";
        let capital = "from=external&to=insurance&currency_id=3&amount=12.5&reason=more for the pool";
        scene
            .cut_off(vec![
                call(ann, "/sandbox/faucet", "asset=USDT&amount=100"),
                call(ann, "/api/wallet/change", "currency_id=3&number=5&from_field=change&to_field=lever"),
                call(ann, "/api/coin/trade", buy),
                call(ann, "/api/coin/trade", "legal_id=3&currency_id=1&type=1&amount=0.002&target_price=90000"),
                call(ann, "/api/wallet/addaddress", &address),
                call(ann, "/api/user/cash_save", card),
                call(Who::One, "/operator/api/observation", &observed),
                call(Who::One, "/operator/api/treasury/move", capital),
                call(ann, "/api/microtrade/submit", "match_id=1&currency_id=3&type=1&seconds=3600&number=5"),
                call(ann, "/api/lever/submit", &format!("{long}&status=1")),
                call(ann, "/api/lever/submit", &format!("{long}&status=0&target_price=90000")),
            ])
            .await;
        scene.pin().await;
        let made = scene.repeat().await;
        // A restart forgets the rate limits.
        scene.restart().await;
        scene.pin().await;
        scene
            .cut_off(vec![
                call(ann, "/api/wallet/flash_quote", "l_currency_id=3&r_currency_id=1&num=10"),
                call(ann, "/api/wallet/flashAgainst", "l_currency_id=3&r_currency_id=1&num=10"),
                call(ann, "/api/lh/send/order", "config_id=1&amount=10"),
                call(ann, "/api/lh/deposit", "config_id=2&amount=100&agree=1"),
            ])
            .await;
        scene.pin().await;
        let put_away = scene.repeat().await;
        // 505 less margin and fee of the position, 10.001 and 0.050005, and less what the order holds of both, 9.045.
        assert_eq!(scene.usdt("lever").await, ("485.903995".into(), "19.046000".into()));
        assert_eq!(scene.usdt("trust").await, ("100.000000".into(), "100.000000".into()));
        let locked = put_away[3]["data"]["order"]["id"].to_string();
        let [position, waiting] = [9, 10].map(|at: usize| made[at]["data"]["position"]["id"].to_string());
        // 20 less the stake and its fee of 0.5 %.
        assert_eq!(scene.usdt("micro").await.0, "14.975000");
        // 1,100 less these 5, the 10 that were converted and 10 for a new coin; 90 and 180 are held for the orders.
        assert_eq!(scene.usdt("change").await, ("805.000000".into(), "270.000000".into()));
        assert_eq!(scene.get(ann, "/api/wallet/flash_history").await["total"], 1);
        assert_eq!(scene.get(ann, "/api/coin/list?status=1").await.as_array().unwrap().len(), 2);
        assert_eq!(scene.get(ann, "/api/wallet/get_address").await.as_array().unwrap().len(), 1);
        assert_eq!(scene.get(ann, "/api/user/cash_list").await.as_array().unwrap().len(), 1);
        let [order, moved] = [2, 3].map(|at: usize| made[at]["data"]["order"]["id"].to_string());
        let (stored, card) = (id(&made[4]), id(&made[5]));
        let (plan, hash) = (made[7]["message"]["id"].to_string(), made[7]["message"]["hash"].as_str().unwrap().to_owned());

        loans(&mut scene).await;
        // Those 805 less the interest of 0.3.
        assert_eq!(scene.usdt("change").await, ("804.700000".into(), "270.000000".into()));

        let picture = upload(&scene.client, scene.url(), &scene.tokens[&ann], "proof").await.ok()["message"].take();
        let picture = picture.as_str().unwrap();
        scene.post(None, "/sandbox/clock", &format!("advance_ms={DAY_MS}")).await;
        let out = format!("currency=3&number=30&address_id={stored}&pay_password={FUND}");
        // Ten withdrawals in a row are allowed.
        scene.restart().await;
        scene.pin().await;
        scene
            .cut_off(vec![
                call(ann, "/api/wallet/out", &out),
                call(ann, "/api/wallet/charge_req", &format!("currency=2&netType=ERC20&amount=1&imgs={picture}")),
                call(ann, "/api/coin/cancel", &format!("id={order}")),
                call(ann, "/api/coin/move", &format!("id={moved}&target_price=80000")),
                call(ann, "/api/lever/cancel", &format!("id={waiting}")),
                call(ann, "/api/lever/setstop", &format!("id={position}&target_profit_price=110000&stop_loss_price=95000")),
                call(Who::Two, "/operator/api/observation", &observed),
                call(Who::Two, "/operator/api/proposal/confirm", &format!("id={plan}&hash={hash}")),
            ])
            .await;
        scene.pin().await;
        let made = scene.repeat().await;
        assert_eq!(scene.get(ann, "/api/charge_mention/log3").await["total"], 1);
        // Her deposit notice, and the payment that the two saw.
        assert_eq!(scene.get(ann, "/api/charge_mention/log2").await["total"], 2);
        let orders = scene.get(ann, "/api/coin/list").await;
        let rows = |status: u8| orders.as_array().unwrap().iter().filter(move |order| order["status"] == status);
        assert_eq!(rows(1).map(|order| order["frozen"].as_str().unwrap()).collect::<Vec<_>>(), ["160.000000"]);
        assert_eq!(rows(3).filter(|order| order["reason"] == "MOVED").count(), 1);
        let withdrawal = id(&made[0]);

        let decide = scene.approval(Who::One, "deposit", "USDT").await;
        scene
            .cut_off(vec![
                call(ann, "/api/wallet/out_cancel", &format!("id={withdrawal}")),
                call(ann, "/api/user/cash_del", &format!("id={card}")),
                call(ann, "/api/coin/cancel_all", ""),
                call(ann, "/api/lever/close", &format!("id={position}")),
                call(ann, "/api/lh/deposit/order/cancel", &format!("id={locked}")),
                call(Who::One, "/operator/api/decide", &decide),
            ])
            .await;
        scene.pin().await;
        scene.repeat().await;
        // 505 less both fees, the spread of both ways and one night: 0.050005, 0.049995, 0.02 and 0.03.
        assert_eq!(scene.usdt("lever").await, ("504.850000".into(), "0.000000".into()));
        // 6.6 were deducted once: 15 days of damages and the penalty, before the first earning day.
        assert_eq!(scene.usdt("trust").await, ("193.400000".into(), "0.000000".into()));
        // Everything held is free, and 200 came in once.
        assert_eq!(scene.usdt("change").await, ("1274.700000".into(), "0.000000".into()));

        scene.cut_off(vec![call(ann, "/api/wallet/out", &out)]).await;
        scene.repeat().await;
        for who in [Who::One, Who::Two] {
            let decide = scene.approval(who, "withdrawal", "").await;
            scene.post(Some(who), "/operator/api/decide", &decide).await;
        }
        let second = scene.get(ann, "/api/charge_mention/log3").await["data"][0]["id"].to_string();
        scene.cut_off(vec![call(Who::One, "/operator/api/withdrawal/sent", &format!("id={second}&tx={}", "cd".repeat(32)))]).await;
        scene.repeat().await;
        assert_eq!(scene.usdt("change").await, ("1244.700000".into(), "0.000000".into()));
        scene.cut_off(vec![call(ann, "/api/wallet/deladdress", &format!("address_id={stored}"))]).await;
        scene.repeat().await;
        assert_eq!(scene.get(ann, "/api/wallet/get_address").await.as_array().unwrap().len(), 0);
        scene.cut_off(vec![call(Who::One, "/operator/api/withdrawal/unmark", &format!("id={second}&reason=Another+output"))]).await;
        scene.repeat().await;
        assert_eq!(scene.get(Who::One, "/operator/api/proposals?state=waiting").await["total"], 1);

        println!("{} requests cut off", scene.cut);
        assert!(scene.cut > 0, "no kill came in between");
        // A new command needs a line here.
        for (path, entries) in ROUTES.iter() {
            if entries.iter().any(|entry| entry.route.effect == Effect::Command) {
                assert!(scene.covered.contains(path.as_str()) != NO_MONEY.contains(&path.as_str()), "{path} is sent once only");
            }
        }
    });
}
