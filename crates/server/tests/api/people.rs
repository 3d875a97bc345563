//! Steps that tests of money in and out share: verified members with fund password and address, and the acts of operators.

use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::command::Command;
use engine::identity::KycLevel;
use engine::ids::{Digest, OperatorId, UserId};
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};
use serde_json::Value as Json;
use server::i18n::Lang;
use store::people;

use crate::harness::{Answer, Server, token};

pub const FUND: &str = "482915";
/// A withdrawal address of Tron with a right checksum.
pub const TRON: &str = "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8";
const DAY_MS: &str = "86400000";

/// A member with a session.
pub struct Member {
    pub id: UserId,
    pub email: String,
    pub token: String,
}

impl Member {
    pub async fn new(server: &Server, email: &str) -> Member {
        let id = UserId(server.register(email).await["user_id"].as_u64().unwrap());
        let token = server.login(email, "secret1").await.ok().as_str().unwrap().to_owned();
        Member { id, email: email.to_owned(), token }
    }

    /// A member with a session and no password, so that thousands can be made without hashing.
    pub async fn quick(server: &Server, country: &str) -> Member {
        let app = &server.running.app;
        let number = people::account_number().unwrap();
        let email = format!("{number}@example.com");
        let identity = people::Identity::Email(email.clone());
        let (password, inviter, lang) = (String::new(), None, Lang::En);
        let new = people::NewPerson { identity: &identity, account_number: &number, password, inviter, country, lang };
        let id = people::add(app, vec![], new).await.unwrap();
        let seq = app.register_member(id, None).await.unwrap();
        // Otherwise upkeep would complete the sign-up after a minute.
        app.db.exec(people::registered(id, seq)).await.unwrap();
        let token = app.sessions.open(&app.vault, id, "", "", &app.clock, Vec::new()).await.unwrap().token;
        Member { id, email, token }
    }

    pub async fn post(&self, server: &Server, path: &str, fields: &[(&str, &str)]) -> Answer {
        server.post_as(token(&self.token), path, fields).await
    }

    pub async fn get(&self, server: &Server, path: &str) -> Json {
        let newest = server.running.app.sequencer.engine().seq().0.to_string();
        let headers = [("authorization", self.token.as_str()), ("x-min-seq", &newest)];
        server.patient(async || server.request("GET", path, &headers, "").await).await.ok()
    }

    /// A code of this purpose, sent to themselves.
    pub async fn code(&self, server: &Server, purpose: &str) -> String {
        // One code a minute, which is a little over a second in a sandbox.
        server.patient(async || self.post(server, "/api/set/sms_other_mail", &[("type", purpose)]).await).await.ok();
        server.newest_message(&self.email).await["code"].as_str().unwrap().to_owned()
    }

    pub async fn set_fund_password(&self, server: &Server) {
        let code = self.code(server, "fund").await;
        let form = [("password", FUND), ("re_password", FUND), ("login_password", "secret1"), ("code", &code)];
        self.post(server, "/api/safe/update_password", &form).await.ok();
    }

    pub async fn submit_basic(&self, server: &Server, number: &str) -> Answer {
        let form =
            [("country", "de"), ("name", "Ann Marie Lee"), ("card_id", number), ("address", "1 Road"), ("residence_address", "2 Road")];
        self.post(server, "/api/user/real_name", &form).await
    }

    /// Basic level, decided by operator 1.
    pub async fn verify(&self, server: &Server, number: &str) {
        self.submit_basic(server, number).await.ok();
        decide_identity(server, 1, self.id, KycLevel::Basic, Decision::Approve).await;
    }

    pub async fn add_address(&self, server: &Server, text: &str) -> Answer {
        let code = self.code(server, "operation").await;
        let form =
            [("currency_id", "3"), ("netType", "TRC20"), ("address", text), ("pay_password", FUND), ("code", &code), ("notes", "Cold")];
        self.post(server, "/api/wallet/addaddress", &form).await
    }

    /// Verified, with fund password, 100 USDT and an address that is old enough: the address.
    pub async fn ready(&self, server: &Server, number: &str) -> String {
        self.verify(server, number).await;
        self.set_fund_password(server).await;
        self.post(server, "/sandbox/faucet", &[("asset", "USDT"), ("amount", "100")]).await.ok();
        let id = self.add_address(server, TRON).await.data()["id"].to_string();
        server.post("/sandbox/clock", &[("advance_ms", DAY_MS)]).await.ok();
        id
    }

    pub async fn withdraw(&self, server: &Server, address: &str, amount: &str) -> Answer {
        let form = [("currency", "3"), ("number", amount), ("address_id", address), ("pay_password", FUND)];
        self.post(server, "/api/wallet/out", &form).await
    }
}

/// One act of an operator with all roles, straight into the journal: its entry, or the name of its refusal.
pub async fn operate(server: &Server, operator: u32, act: OperatorAct) -> Result<u64, &'static str> {
    let app = &server.running.app;
    let (operator, cause) = (OperatorId(1_000 + operator), Cause::Machine);
    if app.sequencer.engine().operator(operator).is_none() {
        let name = store::documents::plain_digest(&format!("operator {}", operator.0));
        let declared = Declared { operator, name, roles: Roles::ANY, active: true, member: None, cause };
        app.sequencer.submit(Command::DeclareOperator(declared), None).await.unwrap();
    }
    let by = Reviewer { operator, member: None };
    let applied = app.sequencer.submit(Command::Operate(Box::new(Operate { by, act })), None).await.unwrap();
    applied.outcome.result.as_ref().map(|_| applied.seq.0).map_err(|reject| reject.name())
}

pub async fn decide(server: &Server, operator: u32, item: Item, decision: Decision, seen: SignedVersion) -> Result<(), &'static str> {
    operate(server, operator, OperatorAct::Decide { item, decision, seen }).await.map(drop)
}

pub async fn decide_identity(server: &Server, operator: u32, user: UserId, level: KycLevel, decision: Decision) {
    let identity = server.running.app.sequencer.engine().identity(user, level).cloned().unwrap();
    decide(server, operator, Item::Identity(identity.submission), decision, identity.seen()).await.unwrap();
}

/// A reason of an operator, as the member will read it.
pub async fn reason(server: &Server, user: UserId, text: &str) -> Digest {
    let digest = store::documents::plain_digest(text);
    let app = &server.running.app;
    app.db.exec(store::documents::keep(app, user, digest, text).unwrap()).await.unwrap();
    digest
}
