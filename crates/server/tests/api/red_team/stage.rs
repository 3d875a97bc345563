//! The venue that is attacked: a member with something in every product, others on whom operators rightly act, and operators of every role.

use std::cell::{Cell, RefCell};

use engine::command::Command;
use engine::security::FundPasswordChange;
use serde_json::{Value as Json, json};
use server::operator::Roles;
use store::totp;

use crate::harness::{Answer, Server, token};
use crate::loans::lent;
use crate::operator::{OperatorLogin, PASSPHRASE, operator};
use crate::operator_money::{APPROVE, decide, first};
use crate::people::{Member, TRON};
use crate::subscriptions::{Operators, pay};

/// The price of a bitcoin all the while, in USDT.
pub const PINNED: &str = "100000";

/// The venue.
pub struct Stage<'a> {
    pub server: &'a Server,
    /// The one who has something in every product.
    pub ann: Member,
    /// On whom operators rightly act.
    pub bob: Member,
    /// Her objects by name.
    pub objects: Vec<(&'static str, String)>,
    /// Two operators with all roles.
    pub pair: [String; 2],
    /// An offering that has closed and waits for its launch.
    pub offering: String,
    /// Withdrawals of others that wait.
    pub waiting: RefCell<Vec<(String, u64)>>,
    /// Entries that came while an operator called: from, to.
    pub spans: RefCell<Vec<(u64, u64)>>,
    count: Cell<u32>,
    looks: Cell<u32>,
    reader: RefCell<String>,
}

/// The text of a number or a text.
pub fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Without what goes on by itself: the time that is left, the entry of the answer, and signed heads.
fn still(shown: &mut Json) {
    match shown {
        Json::Object(fields) => {
            fields.retain(|name, _| !["remain_milli_seconds", "seq", "proof"].contains(&name.as_str()));
            fields.values_mut().for_each(still);
        }
        Json::Array(items) => items.iter_mut().for_each(still),
        _ => {}
    }
}

async fn fund(server: &Server, who: &Member, coin: &str, amount: &str, account: &str) {
    who.post(server, "/sandbox/faucet", &[("asset", coin), ("amount", amount), ("account", account)]).await.ok();
}

async fn claim(server: &Server, who: &Member, coin: &str, amount: &str) -> Answer {
    let proof = server.picture(&who.token, "deposit").await;
    let form = [("currency", coin), ("netType", "TRC20"), ("amount", amount), ("imgs", &proof)];
    who.post(server, "/api/wallet/charge_req", &form).await
}

/// One object of each product: name and number.
async fn objects(server: &Server, ann: &Member, treasurer: &str, address: &str) -> Vec<(&'static str, String)> {
    for (coin, amount, account) in [
        ("USDT", "20000", "change"),
        ("BTC", "2", "change"),
        ("USDT", "1000", "micro"),
        ("USDT", "1000", "lever"),
        ("USDT", "2000", "trust"),
    ] {
        fund(server, ann, coin, amount, account).await;
    }
    let option = async |seconds: &str| {
        let bet = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", seconds), ("number", "100")];
        plain(&ann.post(server, "/api/microtrade/submit", &bet).await.ok()["id"])
    };
    let settled = option("60").await;
    server.post("/sandbox/clock", &[("advance_ms", "60001")]).await.ok();
    let long = [("share", "10"), ("multiple", "10"), ("legal_id", "3"), ("currency_id", "1"), ("type", "1")];
    let contract = plain(&ann.post(server, "/api/lever/submit", &long).await.data()["position"]["id"]);
    let plan = [("config_id", "2"), ("amount", "1000"), ("agree", "1")];
    let plan = plain(&ann.post(server, "/api/lh/deposit", &plan).await.data()["order"]["id"]);
    let commitment = plain(&pay(server, ann, "1", "100").await.data()["order"]["id"]);
    let loan = lent(server, ann, treasurer, &[]).await;
    let sold = [("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "1000"), ("min_net", "0.009")];
    ann.post(server, "/api/wallet/flashAgainst", &sold).await.data();
    let order = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.0001"), ("target_price", "95000")];
    let order = plain(&ann.post(server, "/api/coin/trade", &order).await.data()["order"]["id"]);
    let withdrawal = plain(&ann.withdraw(server, address, "20").await.data()["id"]);
    claim(server, ann, "3", "25").await.data();
    let ticket = [("title", "Lost"), ("content", "Where is it?")];
    let ticket = plain(&ann.post(server, "/api/feedback/add", &ticket).await.ok()["id"]);
    let open = option("3600").await;
    let member = ann.id.0.to_string();
    vec![
        ("member", member),
        ("settled option", settled),
        ("open option", open),
        ("contract", contract),
        ("plan", plan),
        ("commitment", commitment),
        ("loan", loan),
        ("order", order),
        ("withdrawal", withdrawal),
        ("ticket", ticket),
    ]
}

impl<'a> Stage<'a> {
    pub async fn open(server: &'a Server) -> Stage<'a> {
        let pair = [operator(server, "first", &Roles::WORDS).await, operator(server, "second", &Roles::WORDS).await];
        let (mut waiting, mut others, mut ready) = (Vec::new(), Vec::new(), Vec::new());
        for (mail, papers) in [("ann", "AB000001"), ("bob", "AB000002"), ("cid", "AB000003"), ("dan", "AB000004")] {
            let member = Member::new(server, &format!("{mail}@example.com")).await;
            member.submit_basic(server, papers).await.ok();
            decide(server, &pair[0], &first(server, &pair[0], "identity").await, APPROVE).await.ok();
            member.set_fund_password(server).await;
            fund(server, &member, "USDT", "100", "change").await;
            ready.push(plain(&member.add_address(server, TRON).await.data()["id"]));
            others.push(member);
        }
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        for (member, address) in others.iter().zip(&ready).skip(1) {
            for _ in 0..3 {
                let asked = member.withdraw(server, address, "20").await.data();
                waiting.push((plain(&asked["id"]), member.id.0));
            }
        }
        let ann = others.remove(0);
        let bob = others.remove(0);
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", PINNED)]).await.ok();
        let desk = Operators::open(server).await;
        let soon = json!(server.running.app.now_ms() + 30_000);
        let offering = desk.offer(&[("close_ms", soon.clone()), ("launch_ms", soon)]).await;
        fund(server, &bob, "USDT", "5000", "change").await;
        fund(server, &bob, "BTC", "1", "change").await;
        pay(server, &bob, &offering, "50").await.ok();
        let objects = objects(server, &ann, &pair[0], &ready[0]).await;
        Stage {
            server,
            ann,
            bob,
            objects,
            pair,
            offering,
            waiting: RefCell::new(waiting),
            spans: RefCell::default(),
            count: Cell::new(0),
            looks: Cell::new(0),
            reader: RefCell::default(),
        }
    }

    /// A number that was not used yet.
    pub fn next(&self) -> u32 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    pub fn newest(&self) -> u64 {
        self.server.running.app.sequencer.engine().seq().0
    }

    pub fn object(&self, name: &str) -> &str {
        &self.objects.iter().find(|(known, _)| *known == name).unwrap().1
    }

    /// Two operators who have not called yet, with these roles.
    pub async fn fresh_pair(&self, roles: &[&str]) -> [String; 2] {
        let number = self.next();
        [operator(self.server, &format!("one-{number}"), roles).await, operator(self.server, &format!("two-{number}"), roles).await]
    }

    /// An operator with a password and an authenticator; the name.
    pub async fn with_password(&self) -> (String, OperatorLogin) {
        let name = format!("llama-{}", self.next());
        let login = OperatorLogin::open(self.server, &name, "support").await;
        (name, login)
    }

    /// Somebody new, verified.
    pub async fn verified(&self) -> Member {
        let member = Member::quick(self.server, "").await;
        member.submit_basic(self.server, &format!("Z{:07}", self.next())).await.ok();
        decide(self.server, &self.pair[0], &self.row("identity", member.id.0, None).await, APPROVE).await.ok();
        member
    }

    /// An answer for an operator, as new as the log.
    pub async fn look(&self, path: &str) -> Json {
        // Each of them may ask so often.
        if self.looks.get().is_multiple_of(30) {
            self.reader.replace(operator(self.server, &format!("reader-{}", self.next()), &Roles::WORDS).await);
        }
        self.looks.set(self.looks.get() + 1);
        let reader = self.reader.borrow().clone();
        self.look_as(&reader, path).await
    }

    async fn look_as(&self, who: &str, path: &str) -> Json {
        let newest = self.newest().to_string();
        let headers = [("authorization", who), ("x-min-seq", newest.as_str())];
        let path = format!("/operator/api/{path}");
        self.server.patient(async || self.server.request("GET", &path, &headers, "").await).await.ok()
    }

    /// The line of a member's item in a queue, the newest one if no other is meant.
    pub async fn row(&self, kind: &str, user: u64, id: Option<&str>) -> Json {
        let rows = self.look(&format!("queue?kind={kind}&limit=100")).await;
        let rows = rows["data"].as_array().unwrap();
        let meant = rows.iter().filter(|row| row["user_id"] == user && id.is_none_or(|id| plain(&row["id"]) == id));
        meant.max_by_key(|row| row["id"].as_u64()).unwrap_or_else(|| panic!("no {kind} of {user} in {rows:?}")).clone()
    }

    pub async fn act(&self, by: usize, path: &str, form: &[(&str, &str)]) -> Answer {
        let url = format!("/operator/api/{path}");
        self.server.patient(async || self.server.post_as(token(&self.pair[by]), &url, form).await).await
    }

    /// Proposes and confirms.
    pub async fn agree(&self, path: &str, form: &[(&str, &str)]) -> Json {
        let proposed = self.act(0, path, form).await.ok();
        let (id, hash) = (plain(&proposed["id"]), plain(&proposed["hash"]));
        self.act(1, "proposal/confirm", &[("id", &id), ("hash", &hash)]).await.ok()
    }

    /// A withdrawal that waits for its approvals; its owner.
    pub fn withdrawal(&self) -> (String, u64) {
        self.waiting.borrow_mut().pop().expect("a withdrawal that waits")
    }

    /// One that two approved.
    pub async fn approved_withdrawal(&self) -> String {
        let (id, user) = self.withdrawal();
        for by in &self.pair {
            decide(self.server, by, &self.row("withdrawal", user, Some(&id)).await, APPROVE).await.ok();
        }
        id
    }

    /// What an operator enters for a payment to Bob that no watcher has seen.
    pub async fn payment(&self) -> Vec<(&'static str, String)> {
        let asked = self.bob.post(self.server, "/api/wallet/get_in_address", &[("currency", "3")]).await.ok();
        let tx = format!("{:064x}", 0xabc_0000 + self.next());
        let amount = format!("{}.5", 100 + self.next());
        vec![
            ("chain", "TRC20".to_owned()),
            ("tx", tx),
            ("output", "0".to_owned()),
            ("address", plain(&asked["TRC20"])),
            ("currency_id", "3".to_owned()),
            ("amount", amount),
            ("confirmations", "20".to_owned()),
        ]
    }

    /// One that two entered: its number, and that of the claim that it opened.
    pub async fn matched(&self) -> (String, Json) {
        let payment = self.payment().await;
        let form: Vec<(&str, &str)> = payment.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.act(0, "observation", &form).await.ok();
        let seen = self.act(1, "observation", &form).await.ok();
        assert_eq!(seen["state"], "matched", "{seen}");
        (plain(&seen["id"]), self.row("deposit", self.bob.id.0, None).await)
    }

    /// A claim of bob's by bank.
    pub async fn bank_claim(&self) -> Json {
        claim(self.server, &self.bob, "9999", "500").await.ok();
        self.row("bank_deposit", self.bob.id.0, None).await
    }

    /// An application of bob's.
    pub async fn application(&self) -> Json {
        let wanted = [("config_id", "1"), ("amount", "600"), ("collateral", "0.01")];
        self.bob.post(self.server, "/api/user/bossorder", &wanted).await.data();
        self.server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", PINNED)]).await.ok();
        self.row("loan", self.bob.id.0, None).await
    }

    /// Somebody new who submitted papers.
    pub async fn papers(&self) -> Json {
        let member = Member::quick(self.server, "").await;
        member.submit_basic(self.server, &format!("Y{:07}", self.next())).await.ok();
        self.row("identity", member.id.0, None).await
    }

    /// Somebody new who lost the fund password.
    pub async fn reset(&self) -> Json {
        let (app, member) = (&self.server.running.app, Member::quick(self.server, "").await);
        let first = Command::SetFundPassword { user: member.id, change: FundPasswordChange::First };
        app.sequencer.submit(first, None).await.unwrap();
        app.db.run(vec![store::fund_passwords::set(member.id, "first".to_owned())]).await.unwrap();
        app.db.run(store::fund_passwords::ask(app, member.id, "second".to_owned())).await.unwrap();
        self.row("fund_reset", member.id.0, None).await
    }

    /// A new colleague whom two appointed: number and link.
    pub async fn appointed(&self) -> (String, String) {
        let name = format!("new-{}", self.next());
        let mail = format!("{name}@example.com");
        let form = [("name", name.as_str()), ("roles", r#"["market"]"#), ("active", "1"), ("linked_member", "none"), ("mail", &mail)];
        let agreed = self.agree("operator/save", &[form.as_slice(), &[("reason", "new colleague")]].concat()).await;
        let link = plain(&self.server.newest_message(&mail).await["code"]);
        (plain(&agreed["values"]["id"]), link)
    }

    /// One who has set up, and whom the first operator may let in.
    pub async fn set_up(&self) -> String {
        let (id, link) = self.appointed().await;
        let setup = self.server.post("/operator/api/setup", &[("link", &link)]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(plain(&setup["secret"]).as_bytes()).unwrap();
        let code = totp::code(&secret, totp::step(self.server.running.app.clock.authenticator_ms()));
        let form = [("link", link.as_str()), ("password", PASSPHRASE), ("otp", &code)];
        self.server.patient(async || self.server.post("/operator/api/setup", &form).await).await.ok();
        id
    }

    /// A picture that the first operator may look at: its key, and the look.
    pub async fn picture(&self) -> (String, String) {
        let row = self.bank_claim().await;
        let item = self.look_as(&self.pair[0], &format!("item?kind=bank_deposit&id={}&reason=to+decide", plain(&row["id"]))).await;
        (plain(&item["files"][0]["key"]), plain(&item["view_id"]))
    }

    /// What her objects are, as she sees them.
    pub async fn figures(&self) -> Vec<(String, Json)> {
        // A freeze ends sessions.
        let session = self.server.patient(async || self.server.login(&self.ann.email, "secret1").await).await.ok();
        let ann = Member { id: self.ann.id, email: self.ann.email.clone(), token: plain(&session) };
        let mut figures = Vec::new();
        for path in [
            "microtrade/lists?status=1".to_owned(),
            "microtrade/lists?status=3".to_owned(),
            format!("microtrade/receipt?id={}", self.object("settled option")),
            "lever/my_trade?status=1".to_owned(),
            format!("lever/receipt?id={}", self.object("contract")),
            "lh/deposit/order?status=1".to_owned(),
            "lh/send/order_list?status=1".to_owned(),
            format!("user/bossdetail?id={}", self.object("loan")),
            "wallet/flash_history".to_owned(),
            format!("coin/order?id={}", self.object("order")),
        ] {
            let mut shown = ann.get(self.server, &format!("/api/{path}")).await;
            still(&mut shown);
            figures.push((path, shown));
        }
        figures
    }
}
