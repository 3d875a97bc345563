//! Unreadable input is refused with a stable name and never reaches the log, whichever call it is sent to.

use std::cell::Cell;

use engine::backoffice::acts::{Operate, OperatorAct};
use engine::codec::{Encoded, decode};
use engine::command::Command;
use engine::ids::Seq;
use engine::security::FundPasswordChange;
use engine::time::Time;
use serde_json::{Map, Value as Json};
use server::app::ROUTES;
use server::http::code::Code;
use server::http::params::{Kind, Param};
use server::http::routes::{Access, Effect, Entry, Verb};
use store::{fund_passwords, people};

use crate::harness::{Answer, Server, escape, on_threads, token};
use crate::matrix::FORMS;
use crate::operator::operator;
use crate::people::Member;

/// A hash, and a transaction.
const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Further parameters with which a call gets as far as the log, whatever the engine answers. The parts in braces are filled in for each
/// caller. Without a row in either table, each required field gets a value that its form allows.
const MORE: &[(&str, &[(&str, &str)])] = &[
    ("/api/coin/cancel", &[("id", "1")]),
    ("/api/coin/move", &[("id", "1"), ("target_price", "95000")]),
    ("/api/lever/setstop", &[("id", "1"), ("target_profit_price", "120000"), ("stop_loss_price", "90000")]),
    ("/api/user/bosscollateral", &[("id", "{loan}"), ("amount", "0.1")]),
    ("/api/user/bossrepay", &[("id", "{loan}"), ("amount", "1")]),
    ("/api/user/freeze", &[("password", "secret1"), ("days", "1")]),
    ("/api/user/real_name", &[("country", "de"), ("name", "Ann"), ("card_id", "AB123456"), ("address", "1"), ("residence_address", "2")]),
    ("/api/user/real_name2", &[("front_pic", "{kyc}"), ("reverse_pic", "{kyc}"), ("hand_pic", "{kyc}")]),
    ("/api/wallet/charge_req", &[("currency", "3"), ("amount", "25"), ("netType", "TRC20"), ("imgs", "{deposit}")]),
    ("/operator/api/catalog/pause", &[("product", "spot"), ("on", "1"), ("reason", "a test")]),
    ("/operator/api/catalog/propose", &[("kind", "fee"), ("id", "1"), ("values", FEES), ("reason", "a test")]),
    ("/operator/api/decide", &[("kind", "identity"), ("id", "{paper}"), ("decision", "approve"), ("version", "9"), ("hash", HASH)]),
    ("/operator/api/market/retire", &[("match_id", "6"), ("at_ms", "{later}"), ("reason", "a test")]),
    (
        "/operator/api/observation",
        &[
            ("chain", "TRC20"),
            ("tx", HASH),
            ("output", "0"),
            ("address", "{receiving}"),
            ("currency_id", "3"),
            ("amount", "25"),
            ("confirmations", "20"),
        ],
    ),
    (
        "/operator/api/operator/save",
        &[
            ("name", "cid"),
            ("roles", r#"["market"]"#),
            ("active", "1"),
            ("linked_member", "none"),
            ("mail", "cid@example.com"),
            ("reason", "a test"),
        ],
    ),
    ("/operator/api/proposal/confirm", &[("id", "{proposal}"), ("hash", HASH)]),
    ("/operator/api/proposal/stop", &[("id", "{proposal}"), ("reason", "a test")]),
    (
        "/operator/api/treasury/move",
        &[("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", "12.5"), ("reason", "a test")],
    ),
    ("/operator/api/user/freeze", &[("id", "{member}"), ("scope", "all"), ("reason", "a test")]),
    ("/operator/api/user/kyc_revoke", &[("id", "{member}"), ("level", "1"), ("reason", "a test")]),
    ("/operator/api/user/role", &[("id", "{member}"), ("role", "promoter"), ("reason", "a test")]),
    ("/operator/api/user/unfreeze", &[("id", "{member}"), ("reason", "a test")]),
    ("/operator/api/withdrawal/sent", &[("id", "{withdrawal}"), ("tx", HASH)]),
];

const FEES: &str = r#"{"maker_fee":"0.001","taker_fee":"0.002"}"#;

/// The price of a bitcoin meanwhile, in USDT.
const PINNED: u64 = 100_000;

/// Guesses: a wrong one can be read, and the log counts it.
const GUESSES: &[&str] = &["pay_password", "code", "otp"];

/// Fields that the contract takes and never uses.
const UNUSED: &[(&str, &str)] =
    &[("/api/wallet/out", "rate"), ("/api/wallet/charge_req", "account"), ("/api/wallet/flashAgainst", "price")];

/// Fields in which a person may write what they like, so that markup is a text like another.
const FREE: &[&str] = &[
    "address",
    "bank_account",
    "bank_address",
    "bank_branch",
    "bank_name",
    "card_id",
    "hash",
    "iban",
    "name",
    "notes",
    "password",
    "postal_code",
    "real_name",
    "reason",
    "reference",
    "residence_address",
    "swift_code",
    "tx",
];

type Form = Vec<(String, String)>;

/// A fault of a request.
#[derive(Clone, Debug)]
enum Fault {
    Missing(&'static str),
    Text(&'static str, String),
    /// A value of JSON that is no text.
    Bare(&'static str, &'static str),
    /// A content type with an invalid body.
    Body(&'static str, &'static str),
}

/// Texts that are no value of this form.
fn unreadable(kind: Kind, is_free: bool) -> Vec<String> {
    let texts: &[&str] = match kind {
        Kind::Integer => &["x", "-1", "1e3", "1.5", "１", "99999999999999999999", "<b>1</b>", "1\0"],
        Kind::Decimal => &["x", "-1", "1e3", "1,5", "+1", "NaN", "9999999999999999999999", "<b>1</b>", "1\0"],
        Kind::Flag | Kind::OneOf(_) | Kind::Language | Kind::Wallet => &["x", "-1", "1e3", "99", "<b>1</b>", "1\0"],
        Kind::Texts => &["x", "-1", "{}", "[1]", r#"["a""#, "<b>1</b>"],
        Kind::Object => &["x", "-1", "[]", "{", "<b>1</b>"],
        Kind::Text if is_free => &["\0"],
        Kind::Text => &["\0", "<b>1</b>"],
        Kind::OrNone(of) => return unreadable(*of, is_free),
        Kind::File => &[],
    };
    let long = "x".repeat(5_000);
    texts.iter().copied().chain([long.as_str()]).map(str::to_owned).collect()
}

/// Values of JSON that are none of this form.
fn unreadable_json(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Integer | Kind::Decimal => &["true", "1e3", "[1]", r#"{"a":1}"#],
        Kind::Flag | Kind::OneOf(_) | Kind::Language | Kind::Wallet => &["1e3", "[1]", r#"{"a":1}"#],
        Kind::OrNone(of) => unreadable_json(*of),
        Kind::Text | Kind::Texts | Kind::Object | Kind::File => &[],
    }
}

fn faults(url: &str, params: &'static [Param]) -> Vec<Fault> {
    let mut all = vec![
        Fault::Body("application/json", "{\"a\":"),
        Fault::Body("application/json", "[1]"),
        Fault::Body("application/json", "{\"a\":1,\"a\":2}"),
        Fault::Body("application/x-www-form-urlencoded", "a=%zz"),
        Fault::Body("application/x-www-form-urlencoded", "a=1&a=2"),
        Fault::Body("text/plain", "a=1"),
    ];
    for param in params {
        let name = param.name();
        if UNUSED.contains(&(url, name)) {
            continue;
        }
        all.extend(param.required.then_some(Fault::Missing(name)));
        if !GUESSES.contains(&name) {
            // A number of lots that is merely too large can be read.
            let is_lots = |text: &String| name == "share" && text.len() == 20 && text.bytes().all(|byte| byte.is_ascii_digit());
            let texts = unreadable(param.kind, FREE.contains(&name)).into_iter().filter(|text| !is_lots(text));
            all.extend(texts.map(|text| Fault::Text(name, text)));
            all.extend(unreadable_json(param.kind).iter().map(|value| Fault::Bare(name, value)));
        }
    }
    all
}

/// The request with this fault in each way to send it: type of content and body.
fn requests(form: &Form, fault: &Fault) -> Vec<(&'static str, String)> {
    let (name, value) = match fault {
        Fault::Body(kind, body) => return vec![(kind, (*body).to_owned())],
        Fault::Missing(name) => (name, None),
        Fault::Text(name, text) => (name, Some(Json::from(text.as_str()))),
        Fault::Bare(name, value) => (name, Some(serde_json::from_str(value).unwrap())),
    };
    let others = form.iter().filter(|(other, _)| other != name).map(|(name, text)| (name.clone(), Json::from(text.as_str())));
    let fields: Map<String, Json> = others.chain(value.map(|value| ((*name).to_owned(), value))).collect();
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(&text(value)))).collect();
    let as_form = ("application/x-www-form-urlencoded", pairs.join("&"));
    match fault {
        Fault::Bare(name, value) => {
            // Unchanged, because a JSON number with other digits would be another one.
            let mark = format!("\"{name}\":{}", fields[*name]);
            vec![("application/json", Json::Object(fields).to_string().replace(&mark, &format!("\"{name}\":{value}")))]
        }
        _ => vec![as_form, ("application/json", Json::Object(fields).to_string())],
    }
}

/// The commands of callers after this entry: no time, no price, and no note of an operator's call.
async fn entered(server: &Server, after: u64) -> Vec<Command> {
    let app = &server.running.app;
    let newest = app.sequencer.engine().seq().0;
    if newest == after {
        return Vec::new();
    }
    let groups = app.sequencer.read_log(after + 1..=newest).await.unwrap();
    let records = groups.into_iter().flat_map(|group| group.records).filter(|record| (after + 1..=newest).contains(&record.seq));
    let commands = records.map(|record| {
        let encoded = Encoded { kind: record.kind, version: record.version, public: record.public, private: record.private };
        decode(Seq(record.seq), Time(record.time_ms), &encoded).unwrap().command
    });
    let is_noted = |command: &Command| match command {
        // The pinned price is published repeatedly.
        Command::SandboxPrice { price, .. } => price.0 == PINNED * 100_000_000,
        Command::Clock | Command::PublishQuotes(_) | Command::RecordState { .. } | Command::RecordLiabilities(_) => true,
        Command::Operate(operate) => matches!(&**operate, Operate { act: OperatorAct::Record(_), .. }),
        _ => false,
    };
    commands.filter(|command| !is_noted(command)).collect()
}

/// A series of callers, because each has a bucket of their own: verified members with a fund password, and operators.
struct Callers<'a> {
    server: &'a Server,
    ann: Member,
    /// The passwords of `ann`, which the others use as well, so that nothing is hashed for them.
    secrets: (String, String),
    withdrawal: String,
    count: Cell<u32>,
}

impl<'a> Callers<'a> {
    async fn new(server: &'a Server) -> Callers<'a> {
        let app = &server.running.app;
        let ann = Member::new(server, "ann@example.com").await;
        let address = ann.ready(server, "AB000000").await;
        let withdrawal = ann.withdraw(server, &address, "40").await.data()["id"].to_string();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", &PINNED.to_string())]).await.ok();
        let password = people::get(app, ann.id).await.unwrap().password;
        let fund_password = fund_passwords::hash(&app.db, ann.id).await.unwrap().unwrap();
        Callers { server, ann, secrets: (password, fund_password), withdrawal, count: Cell::new(0) }
    }

    fn number(&self) -> u32 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    /// A new caller: token, and the row of this call for them.
    async fn next(&self, url: &str, entry: &Entry) -> (String, Form) {
        match entry.route.access {
            Access::Operator(allowed) => {
                let roles: Vec<&str> = ["verifier", "treasury", "market", "admin", "support"]
                    .into_iter()
                    .filter(|role| allowed.words().contains(role))
                    .collect();
                let session = operator(self.server, &format!("operator{}", self.number()), &roles).await;
                (session, self.form(url, entry, &self.ann).await)
            }
            Access::User | Access::Guest => {
                let (app, member) = (&self.server.running.app, Member::quick(self.server, "").await);
                if url != "/api/user/real_name" {
                    member.verify(self.server, &format!("X{:07}", self.number())).await;
                }
                let (password, fund_password) = self.secrets.clone();
                let set = people::set_password(member.id, password, app.clock.wall_ms());
                app.db.run(vec![set, fund_passwords::set(member.id, fund_password)]).await.unwrap();
                let first = Command::SetFundPassword { user: member.id, change: FundPasswordChange::First };
                app.sequencer.submit(first, None).await.unwrap();
                let form = self.form(url, entry, &member).await;
                (member.token, form)
            }
        }
    }

    async fn form(&self, url: &str, entry: &Entry, member: &Member) -> Form {
        let row = FORMS.iter().chain(MORE).find(|(path, _)| *path == if entry.route.verb == Verb::Put { "/api/coin/cancel" } else { url });
        let mut form = Form::new();
        for (name, value) in row.map_or(&[][..], |(_, row)| *row) {
            form.push(((*name).to_owned(), self.made(value, member).await));
        }
        for param in entry.params.iter().filter(|param| param.required) {
            if !form.iter().any(|(name, _)| param.names.contains(&name.as_str())) {
                form.push((param.name().to_owned(), allowed(param)));
            }
        }
        // The name that a fault replaces, where the row has an alias of it.
        for (name, _) in &mut form {
            if let Some(param) = entry.params.iter().find(|param| param.names.contains(&name.as_str())) {
                *name = param.name().to_owned();
            }
        }
        form
    }

    async fn made(&self, value: &str, member: &Member) -> String {
        let server = self.server;
        match value {
            "{address}" => "1".to_owned(),
            "{deposit}" => server.picture(&member.token, "deposit").await,
            "{kyc}" => server.picture(&member.token, "kyc").await,
            "{later}" => (server.running.app.now_ms() + 3 * 86_400_000).to_string(),
            "{loan}" => {
                member.post(server, "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
                let borrow = [("config_id", "1"), ("amount", "100"), ("collateral", "0.01")];
                member.post(server, "/api/user/bossorder", &borrow).await.data()["order"]["id"].to_string()
            }
            "{member}" => Member::quick(server, "").await.id.0.to_string(),
            "{paper}" => {
                let other = Member::quick(server, "").await;
                other.submit_basic(server, &format!("Y{:07}", self.number())).await.data()["id"].to_string()
            }
            "{proposal}" => {
                let admin = operator(server, &format!("operator{}", self.number()), &["admin"]).await;
                let form = [("id", &*member.id.0.to_string()), ("role", "promoter"), ("reason", "a test")];
                server.post_as(token(&admin), "/operator/api/user/role", &form).await.ok()["id"].to_string()
            }
            "{receiving}" => {
                let asked = member.post(server, "/api/wallet/get_in_address", &[("currency", "3")]).await;
                asked.ok()["TRC20"].as_str().unwrap().to_owned()
            }
            "{withdrawal}" => self.withdrawal.clone(),
            plain => plain.to_owned(),
        }
    }
}

/// A value that the form of a field allows, and its name.
fn allowed(param: &Param) -> String {
    let of = |kind: Kind| match kind {
        Kind::Integer | Kind::Flag | Kind::Decimal | Kind::OrNone(_) => "1",
        Kind::OneOf(words) => words[0],
        Kind::Language => "en",
        Kind::Wallet => "change",
        Kind::Texts => "[]",
        Kind::Object => "{}",
        Kind::Text | Kind::File if param.name() == "hash" => HASH,
        Kind::Text | Kind::File => "a test",
    };
    of(param.kind).to_owned()
}

async fn send(server: &Server, who: &str, (url, entry): (&str, &Entry), (kind, body): (&str, String)) -> Answer {
    let method = if entry.route.verb == Verb::Put { "PUT" } else { "POST" };
    server.request(method, url, &[("authorization", who), ("content-type", kind)], body).await
}

/// Sends what is wrong with one call, in each way that it can be sent, and last what is right: what was not as it must be.
async fn swept(callers: &Callers<'_>, url: &str, entry: &Entry) -> Vec<String> {
    let (server, mut wrong) = (callers.server, Vec::new());
    let (mut who, mut form) = callers.next(url, entry).await;
    let transport = [Code::UnreadableBody, Code::MediaType, Code::TooLarge];
    let known: Vec<&str> = entry.route.refusals().iter().chain(&transport).map(|code| code.name()).collect();
    let right = Fault::Missing("");
    let mut reached = false;
    for fault in faults(url, entry.params).iter().chain([&right]) {
        let is_right = std::ptr::eq(fault, &right);
        let what: String = format!("{:?} {url} {fault:?}", entry.route.verb).chars().take(120).collect();
        let mut names = Vec::new();
        for at in 0..requests(&form, fault).len() {
            let (answer, commands) = loop {
                let (kind, body) = requests(&form, fault).swap_remove(at);
                let before = server.running.app.sequencer.engine().seq().0;
                let answer = send(server, &who, (url, entry), (kind, body)).await;
                if answer.error() != "E_RATE" {
                    break (answer, entered(server, before).await);
                }
                (who, form) = callers.next(url, entry).await;
            };
            let name = answer.error();
            let refused = known.contains(&&*name) && commands.is_empty();
            if answer.status >= 500 || !(is_right || refused) {
                let commands: String = format!("{commands:?}").chars().take(160).collect();
                wrong.push(format!("{what}: {} {name:?} {commands}", answer.status));
            }
            reached |= is_right && !commands.is_empty();
            names.push(name);
        }
        names.dedup();
        if names.len() > 1 && !is_right {
            wrong.push(format!("{what}: {names:?}"));
        }
        if is_right && !reached {
            wrong.push(format!("{what}: {names:?} is all right, and never reached the log: give it a row"));
        }
    }
    wrong
}

#[test]
fn nothing_that_cannot_be_read_reaches_the_log_whatever_call_it_is_sent_to() {
    // Refusals before the log reach no database.
    on_threads(2, |server| async move {
        let callers = Callers::new(&server).await;
        let all = ROUTES.iter().flat_map(|(url, entries)| entries.iter().map(move |entry| (url.as_str(), entry)));
        let mut routes: Vec<(&str, &Entry)> = all.filter(|(_, entry)| entry.route.effect == Effect::Command).collect();
        routes.sort_by_key(|(url, entry)| (*url, entry.route.verb as u8));
        let mut wrong = Vec::new();
        for (url, entry) in &routes {
            wrong.extend(swept(&callers, url, entry).await);
        }
        assert!(routes.len() > 45 && wrong.is_empty(), "{} calls\n{}", routes.len(), wrong.join("\n"));
    });
}
