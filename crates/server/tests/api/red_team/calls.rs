//! Parameters of every call of operators: honest ones with which it gets through, and what an attacker would send in their place.

use serde_json::{Value as Json, json};
use server::http::params::{Kind, Param};
use server::operator::catalog_kinds::CatalogKind;

use super::stage::{Stage, plain};
use crate::operator::PASSPHRASE;

pub type Form = Vec<(String, String)>;

/// An honest call: by whom, if not by one of the pair, and with what.
pub struct Honest {
    pub by: Option<String>,
    pub form: Form,
}

const WHY: (&str, &str) = ("reason", "a good reason");

pub fn form(fields: &[(&str, &str)]) -> Form {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn plainly(fields: &[(&str, &str)]) -> Honest {
    Honest { by: None, form: form(fields) }
}

/// A decision about what this line says.
fn decision(row: &Json, more: &[(&str, &str)]) -> Honest {
    let of = ["kind", "id", "version", "hash"].map(|name| (name, plain(&row[name])));
    let of = of.each_ref().map(|(name, value)| (*name, value.as_str()));
    plainly(&[of.as_slice(), more].concat())
}

const APPROVE: &[(&str, &str)] = &[("decision", "approve")];

async fn decisions(stage: &Stage<'_>) -> Vec<Honest> {
    let (id, owner) = stage.withdrawal();
    let withdrawal = stage.row("withdrawal", owner, Some(&id)).await;
    let (observation, deposit) = stage.matched().await;
    let reject = &[("decision", "reject"), WHY];
    vec![
        decision(&withdrawal, APPROVE),
        decision(&deposit, &[APPROVE, &[("observation_id", observation.as_str())]].concat()),
        decision(&stage.bank_claim().await, &[APPROVE, &[("reference", "INV 1")]].concat()),
        decision(&stage.application().await, APPROVE),
        decision(&stage.papers().await, APPROVE),
        decision(&stage.reset().await, APPROVE),
        decision(&stage.application().await, reject),
    ]
}

/// Changes of the catalog that are allowed: of each kind one that only two more calls would make.
async fn changes(stage: &Stage<'_>) -> Vec<Honest> {
    let fee = stage.look("catalog?kind=fee").await[0]["values"].to_string();
    let code = format!("T{}", stage.next());
    let coin = json!({"code": code, "scale": 6, "accounts": ["change"], "faucet_max": "1000000"}).to_string();
    let paper = json!({"offering_id": 1, "url": "https://example.com/paper.pdf"}).to_string();
    let at = (stage.server.running.app.now_ms() + 3 * 86_400_000).to_string();
    vec![
        plainly(&[("kind", "fee"), ("id", "1"), ("values", &fee), ("effective_ms", &at), WHY]),
        plainly(&[("kind", "coin"), ("values", &coin), WHY]),
        plainly(&[("kind", "white_paper"), ("id", "1"), ("values", &paper), WHY]),
    ]
}

/// A call that a proposal of another kind precedes.
async fn retirement(stage: &Stage<'_>) -> [String; 2] {
    let at = (stage.server.running.app.now_ms() + 3 * 86_400_000).to_string();
    let amount = format!("{}", 10 + stage.next());
    let moved = [("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", amount.as_str()), WHY];
    let waits = stage.act(0, "treasury/move", &moved).await.ok();
    let fee = stage.look("catalog?kind=fee").await[0]["values"].to_string();
    let later = [("kind", "fee"), ("id", "1"), ("values", fee.as_str()), ("effective_ms", at.as_str()), WHY];
    let confirmed = stage.agree("catalog/propose", &later).await;
    [plain(&waits["id"]), plain(&confirmed["id"])]
}

/// Honest parameters of a call. One without is a failure: a new call of operators has to be tried.
pub async fn honest(stage: &Stage<'_>, url: &str) -> Vec<Honest> {
    let ann = stage.object("member");
    let later = (stage.server.running.app.now_ms() + 3 * 86_400_000).to_string();
    match url.strip_prefix("/operator/api/").unwrap_or(url) {
        "me" | "operators" | "observations" | "incidents" | "disputes" | "treasury" | "audit" | "settlement" | "sources" => {
            vec![plainly(&[])]
        }
        "login" => {
            let (name, login) = stage.with_password().await;
            let code = login.code(stage.server, 0);
            vec![plainly(&[("name", &name), ("password", PASSPHRASE), ("otp", &code)])]
        }
        "setup" => vec![plainly(&[("link", &stage.appointed().await.1)])],
        "logout" => vec![Honest { by: Some(stage.fresh_pair(&["support"]).await[0].clone()), form: Vec::new() }],
        "password" => {
            let (_, login) = stage.with_password().await;
            let session = login.log_in(stage.server, &login.code(stage.server, 0)).await;
            let code = login.code(stage.server, 1);
            let fields = [("old_password", PASSPHRASE), ("password", "eight dry llamas juggle"), ("otp", &code)];
            vec![Honest { by: Some(session), form: form(&fields) }]
        }
        "operator/save" => {
            let name = format!("new-{}", stage.next());
            let mail = format!("{name}@example.com");
            let fields = [("name", &*name), ("roles", r#"["market"]"#), ("active", "1"), ("linked_member", "none"), ("mail", &*mail), WHY];
            vec![plainly(&fields)]
        }
        "operator/release" => vec![plainly(&[("id", &stage.set_up().await)])],
        "queue" => KINDS.iter().map(|kind| plainly(&[("kind", kind)])).collect(),
        "item" => {
            let (id, owner) = stage.waiting.borrow()[0].clone();
            stage.row("withdrawal", owner, Some(&id)).await;
            vec![plainly(&[("kind", "withdrawal"), ("id", &id), WHY])]
        }
        "file" => {
            let (key, view) = stage.picture().await;
            vec![plainly(&[("key", &key), ("view_id", &view)])]
        }
        "decide" => decisions(stage).await,
        "withdrawal/sent" => {
            let (id, tx) = (stage.approved_withdrawal().await, format!("{:064x}", 0xdef_0000 + stage.next()));
            vec![plainly(&[("id", &id), ("tx", &tx), ("output", "0")])]
        }
        "withdrawal/returned" => vec![plainly(&[("id", &stage.approved_withdrawal().await), WHY])],
        "withdrawal/unmark" => {
            let (id, tx) = (stage.approved_withdrawal().await, format!("{:064x}", 0xfed_0000 + stage.next()));
            stage.act(0, "withdrawal/sent", &[("id", &id), ("tx", &tx)]).await.ok();
            vec![plainly(&[("id", &id), WHY])]
        }
        "observation" => {
            let payment = stage.payment().await;
            vec![Honest { by: None, form: payment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }]
        }
        "observation/reverse" => {
            let (id, row) = stage.matched().await;
            let honest = decision(&row, APPROVE).form;
            let fields: Vec<(&str, &str)> = honest.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            stage.act(0, "decide", &fields).await.ok();
            vec![plainly(&[("id", &id), WHY])]
        }
        "treasury/move" => {
            vec![plainly(&[("from", "external"), ("to", "insurance"), ("currency_id", "3"), ("amount", "12.5"), WHY])]
        }
        "proposals" => vec![plainly(&[("state", "waiting")])],
        "proposal/confirm" => {
            let id = retirement(stage).await[0].clone();
            let waiting = stage.look("proposals?state=waiting&limit=100").await;
            let found = waiting["data"].as_array().unwrap().iter().find(|one| plain(&one["id"]) == id).unwrap().clone();
            vec![Honest { by: Some(stage.pair[1].clone()), form: form(&[("id", &id), ("hash", &plain(&found["hash"]))]) }]
        }
        "proposal/cancel" => {
            let id = retirement(stage).await[0].clone();
            vec![Honest { by: Some(stage.pair[0].clone()), form: form(&[("id", &id)]) }]
        }
        "proposal/stop" => vec![plainly(&[("id", &retirement(stage).await[1]), WHY])],
        "catalog" => CatalogKind::ALL.iter().map(|kind| plainly(&[("kind", kind.word())])).collect(),
        "catalog/propose" => changes(stage).await,
        "catalog/pause" => vec![plainly(&[("product", "spot"), ("match_id", "6"), ("on", "1"), WHY])],
        "market/retire" => vec![plainly(&[("match_id", &unretired(stage).await), ("at_ms", &later), WHY])],
        "offering/launch" => vec![plainly(&[("id", &stage.offering), WHY])],
        "news" => vec![plainly(&[("c_id", "4")])],
        "news/save" => vec![plainly(&[("c_id", "4"), ("lang", "en"), ("title", "Soon"), ("content", "<p>Hi</p>")])],
        "news/delete" => {
            let fields = [("c_id", "4"), ("lang", "en"), ("title", "Gone"), ("content", "<p>Hi</p>")];
            vec![plainly(&[("id", &plain(&stage.act(0, "news/save", &fields).await.ok()["id"]))])]
        }
        "ticket/reply" => vec![plainly(&[("id", stage.object("ticket")), ("content", "Found it.")])],
        "chat/reply" => vec![plainly(&[("user_id", ann), ("content", "Yes?")])],
        "user/search" => vec![plainly(&[("q", &stage.ann.email)])],
        "user/detail" => vec![plainly(&[("id", ann), WHY])],
        "user/end_sessions" => vec![plainly(&[("id", ann), WHY])],
        "user/freeze" => vec![plainly(&[("id", &stage.verified().await.id.0.to_string()), ("scope", "all"), WHY])],
        "user/unfreeze" => {
            let id = stage.verified().await.id.0.to_string();
            stage.act(0, "user/freeze", &[("id", &id), ("scope", "all"), WHY]).await.ok();
            vec![plainly(&[("id", &id), WHY])]
        }
        "user/kyc_revoke" => vec![plainly(&[("id", &stage.verified().await.id.0.to_string()), ("level", "1"), WHY])],
        "user/role" => vec![plainly(&[("id", &stage.verified().await.id.0.to_string()), ("role", "promoter"), WHY])],
        _ => panic!("{url} has no parameters here: a new call of operators has to be tried"),
    }
}

/// Queues.
const KINDS: [&str; 8] = ["deposit", "bank_deposit", "withdrawal", "identity", "loan", "fund_reset", "ticket", "chat"];

/// A pair that has no date of retirement.
async fn unretired(stage: &Stage<'_>) -> String {
    let engine = stage.server.running.app.sequencer.engine();
    let mut pairs = engine.catalog().markets.iter().rev().map(|market| market.id);
    pairs.find(|id| engine.retires_at(*id).is_none()).unwrap().0.to_string()
}

/// Names that no call of operators takes: prices, outcomes, balances, and what members agreed to.
pub const SMUGGLED: [&str; 24] = [
    "price",
    "open_price",
    "end_price",
    "settle_price",
    "delivery_price",
    "entry_price",
    "index_price",
    "outcome",
    "result",
    "win",
    "strike",
    "sample",
    "quotes",
    "balance",
    "credit",
    "debit",
    "number",
    "stake",
    "profit",
    "interest",
    "income",
    "fee",
    "destination",
    "force",
];

/// What an attacker sends in the place of a value of this form.
pub fn hostile(stage: &Stage<'_>, kind: Kind) -> Vec<String> {
    let texts: Vec<&str> = match kind {
        Kind::Integer => {
            let numbers = stage.objects.iter().map(|(_, number)| number.as_str());
            numbers.chain(["0", "-1", "1", "999999999999999999"]).collect()
        }
        Kind::Decimal => vec!["-1", "0", "1e30", "999999999999999999", "0.000000001", "1000000"],
        Kind::OneOf(words) => words.iter().copied().chain(["won", "100000"]).collect(),
        Kind::Flag => vec!["0", "1", "-1"],
        Kind::Text => vec!["won", "100000", "-1", &stage.ann.email, "option_pool", "contract_pool", "fee", "external", "change", "spot"],
        Kind::Texts => vec![r#"["auditor","admin"]"#, r#"["won"]"#],
        Kind::Object => vec![r#"{"price":"1"}"#, r#"{"balance":"1000000"}"#, r#"{"outcome":"won"}"#],
        Kind::Language | Kind::Wallet => vec!["change", "micro", "xx"],
        Kind::OrNone(of) => return hostile(stage, *of).into_iter().chain(["none".to_owned()]).collect(),
        Kind::File => Vec::new(),
    };
    texts.into_iter().map(str::to_owned).collect()
}

/// The honest form with one hostile value, once for each parameter of the call, and with parameters that the call does not have.
pub fn attacks(stage: &Stage<'_>, honest: &Form, params: &[Param]) -> Vec<Form> {
    let mut all = Vec::new();
    let taken = |name: &str| params.iter().any(|param| param.names.contains(&name));
    for value in ["100000", "won"] {
        let more = SMUGGLED.iter().filter(|name| !taken(name)).map(|name| ((*name).to_owned(), value.to_owned()));
        all.push(honest.iter().cloned().chain(more).collect());
    }
    for param in params {
        for value in hostile(stage, param.kind) {
            let others = honest.iter().filter(|(name, _)| !param.names.contains(&name.as_str())).cloned();
            all.push(others.chain([(param.name().to_owned(), value)]).collect());
        }
    }
    // Everything that takes a number is about hers.
    for (_, number) in &stage.objects {
        let own = |(name, value): &(String, String)| {
            let is_number = params.iter().any(|param| param.kind == Kind::Integer && param.names.contains(&name.as_str()));
            (name.clone(), if is_number { number.clone() } else { value.clone() })
        };
        all.push(honest.iter().map(own).collect());
    }
    all
}

/// Changes of the catalog: every row with each of its values made absurd, and with keys that speak of what is open.
pub async fn catalog_attacks(stage: &Stage<'_>) -> Vec<Form> {
    let mut all = Vec::new();
    for kind in CatalogKind::ALL.map(CatalogKind::word) {
        let rows = stage.look(&format!("catalog?kind={kind}")).await;
        for row in rows.as_array().unwrap().iter().take(1) {
            let mut change = |values: Json| {
                let (id, text) = (plain(&row["id"]), values.to_string());
                all.push(form(&[("kind", kind), ("id", &id), ("values", &text), WHY]));
            };
            let Some(values) = row["values"].as_object() else { continue };
            for key in values.keys() {
                for bad in [json!(-1), json!("0"), json!("999999999"), json!("1e30")] {
                    let mut changed = row["values"].clone();
                    changed[key] = bad;
                    change(changed);
                }
            }
            for key in SMUGGLED.iter().filter(|key| !values.contains_key(**key)) {
                let mut changed = row["values"].clone();
                changed[*key] = json!("1");
                change(changed);
            }
        }
    }
    all
}
