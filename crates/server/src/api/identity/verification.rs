//! Identity verification (13): two levels of documents, their states, and their history. The engine knows keyed digests; the fields are
//! sealed.

use std::collections::HashSet;

use engine::catalog::Wallet;
use engine::command::Command;
use engine::identity::status::Status;
use engine::identity::{Identity, KycLevel, SUBMISSIONS};
use engine::ids::{Digest, UserId};
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use kernel::sequencer::Applied;
use serde::Serialize;
use store::Page;
use store::account::{self, VersionedRow, identity_number};
use store::db::{DbError, Sql};
use store::documents::{self, AdvancedPaper, BasicPaper};
use store::files::{self, FilePurpose};
use store::login_throttle;
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

use crate::api::command::{answer, done, forget_refused};
use crate::api::pictures::{gone, swept};
use crate::countries::country_named;
use crate::http::code::Code;
use crate::http::page::{Paginator, ts};
use crate::http::params::Kind;
use crate::http::reply::{Answer, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::types::ObjectState;
use crate::http::units::About;
use crate::http::values::{Line, Value};
use crate::http::{App, Call, types};

/// A submission for an identity check.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerificationRow {
    id: u64,
    #[serde(rename = "type")]
    #[schema(value_type = types::KycLevel)]
    level: u8,
    name: String,
    card_id: String,
    country: String,
    #[schema(value_type = types::ReviewStatus)]
    review_status: u8,
    reason: String,
    create_time: String,
    create_time_ms: u64,
    review_time: Option<String>,
    review_time_ms: Option<u64>,
}

/// Fields of the basic level (V-1).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BasicPaper)]
pub struct Typed {
    /// Two-letter country code.
    country: String,
    /// Name as in the document.
    name: String,
    /// Document number.
    card_id: String,
    /// Contact address.
    address: String,
    /// Residence address.
    residence_address: String,
}

impl From<BasicPaper> for Typed {
    fn from(BasicPaper { country, name, card_id, address, residence_address }: BasicPaper) -> Typed {
        Typed { country, name, card_id, address, residence_address }
    }
}

/// Data returned with the submissions: what the member typed, while the basic level is rejected and has to be sent again.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToCorrect {
    typed: Option<Typed>,
}

/// The pictures of the advanced level, by the names of their fields.
const PICTURES: [&str; 3] = ["front_pic", "reverse_pic", "hand_pic"];

/// What members see of themselves.
#[derive(Debug, Default)]
pub(in crate::api) struct OwnIdentity {
    pub(in crate::api) name: String,
    pub(in crate::api) card_id: String,
    pub(in crate::api) country: String,
    pub(in crate::api) basic: (u8, String),
    pub(in crate::api) advanced: (u8, String),
}

/// The first letter of each word.
fn masked_name(name: &str) -> String {
    let word = |word: &str| word.chars().next().map(|first| format!("{first}***"));
    name.split_whitespace().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// First two and last two characters.
fn masked_id(number: &str) -> String {
    let all: Vec<char> = number.chars().collect();
    let hidden = |at: usize| at >= 2 && at + 2 < all.len();
    if all.len() <= 4 { "*".repeat(all.len()) } else { all.iter().enumerate().map(|(at, c)| if hidden(at) { '*' } else { *c }).collect() }
}

/// A number that identifies the same document again: capitals without signs, and one letter for those that look alike.
fn document_number(typed: &str) -> String {
    const ALIKE: [&str; 2] = ["АВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEKMHOPCTYXIJSABEZHIKMNOPTYX"];
    let latin = |c| ALIKE[0].chars().zip(ALIKE[1].chars()).find(|(other, _)| *other == c).map_or(c, |(_, latin)| latin);
    typed.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).map(latin).collect()
}

/// State word of a level.
fn state(status: Status) -> &'static str {
    match status {
        Status::Unverified => "unverified",
        Status::UnderReview => "under_review",
        Status::Verified => "verified",
        Status::Rejected => "rejected",
    }
}

fn level(app: &App, user: UserId, level: KycLevel) -> Option<Identity> {
    app.sequencer.engine().identity(user, level).cloned()
}

async fn basic(app: &App, identity: &Identity) -> Result<Option<BasicPaper>, DbError> {
    documents::one(app, identity.user, identity.content).await?.map(|text| documents::read(&text)).transpose()
}

/// Both levels for `user/center`.
pub(in crate::api) async fn shown(app: &App, user: UserId) -> Result<OwnIdentity, DbError> {
    let mut shown = OwnIdentity::default();
    if let Some(paper) = documents::verified(app, user).await? {
        (shown.name, shown.card_id, shown.country) = (masked_name(&paper.name), masked_id(&paper.card_id), paper.country);
    }
    shown.basic = review(app, level(app, user, KycLevel::Basic)).await?;
    shown.advanced = review(app, level(app, user, KycLevel::Advanced)).await?;
    Ok(shown)
}

async fn review(app: &App, identity: Option<Identity>) -> Result<(u8, String), DbError> {
    let Some(identity) = identity else { return Ok((0, String::new())) };
    let reason = match identity.reason.filter(|_| identity.status == Status::Rejected) {
        Some(reason) => documents::one(app, identity.user, reason).await?.unwrap_or_default(),
        None => String::new(),
    };
    Ok((identity_number(identity.status), reason))
}

/// A country by its name in any of the eleven languages, as its two letters.
#[derive(Clone, Copy, Debug)]
pub struct Country(&'static str);

impl Value for Country {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<Country, Refusal> {
        let Line(typed) = Line::<1, 100>::parse(name, text)?;
        country_named(&typed).map(Country).ok_or_else(|| bad_field(name, "enum"))
    }
}

request! {
    /// What `user/real_name` takes.
    pub struct SubmitBasic {
        required country: Country,
        required name: Line<1, 100>,
        required card_id: Line<1, 50>,
        required address: Result<Line<1, 300>, Refusal>,
        required residence_address: Result<Line<1, 300>, Refusal>,
    }
}

/// `POST user/real_name`
pub async fn submit_basic(call: Call, request: SubmitBasic) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let (Country(country), Line(name), Line(card_id)) = (request.country, request.name, request.card_id);
    let number = document_number(&card_id);
    if number.len() < 4 {
        return Err(bad_field("card_id", "length"));
    }
    let document = documents::keyed_digest(app, "identity document", &format!("{country}:{number}"));
    let (Line(address), Line(residence_address)) = (request.address?, request.residence_address?);
    let paper = BasicPaper { country: country.to_owned(), name, card_id, address, residence_address };
    let (text, content) = documents::written(app, "identity", &paper)?;
    let _lock = app.member_locks.of(me).await;
    let uncount = count_duplicate(&call, me).await?;
    let submitting = async {
        let stored = app.db.exec(documents::keep(app, me, content, &text)?).await?;
        Ok((stored, submit(&call, me, KycLevel::Basic, document, content).await?))
    };
    let outcome: Result<_, Refusal> = submitting.await;
    let counts = match &outcome {
        Ok((_, applied)) => matches!(applied.outcome.result, Err(Reject::KycDuplicate)),
        Err(refusal) => refusal.code == Code::OutcomeUnknown,
    };
    if let Some(uncount) = uncount.filter(|_| !counts) {
        app.db.exec(uncount).await?;
    }
    let (stored, applied) = outcome?;
    forget_refused(app, (me, content), &stored, &applied).await?;
    submitted(&call, me, KycLevel::Basic, &applied)
}

/// Three submissions of another's document within 24 h are the last (V-2), because each answer tells whether somebody has this document.
/// It counts before the engine is asked; the statement takes that back, for a submission that is none. The engine gives the refusals that
/// come before.
async fn count_duplicate(call: &Call, me: UserId) -> Result<Option<Sql>, Refusal> {
    let (app, what) = (&call.app, format!("identity duplicates of {}", me.0));
    let open = level(app, me, KycLevel::Basic).is_some_and(|basic| matches!(basic.status, Status::UnderReview | Status::Verified));
    if open || call.was_answered() {
        return Ok(None);
    }
    match app.db.exec(login_throttle::count_of_day(app, &what, SUBMISSIONS as u64)).await {
        Err(DbError::Missed(_)) => Err(refuse(Code::IdentityLimit)),
        counted => Ok(counted.map(|_| Some(login_throttle::uncount(app, &what)))?),
    }
}

request! {
    /// What `user/real_name2` takes.
    pub struct SubmitAdvanced checked by handler {
        optional card_id: Input<Line<1, 50>>,
        required front_pic: Input<String>,
        required reverse_pic: Input<String>,
        required hand_pic: Input<String>,
    }
}

/// `POST user/real_name2`
pub async fn submit_advanced(call: Call, request: SubmitAdvanced) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let Some(verified) = documents::verified(app, me).await? else { return Err(refuse(Code::BasicIdentityMissing)) };
    request.complete()?;
    if request.card_id.optional()?.is_some_and(|Line(card_id)| card_id != verified.card_id) {
        return Err(bad_field("card_id", "format"));
    }
    let mut keys = Vec::new();
    for picture in [&request.front_pic, &request.reverse_pic, &request.hand_pic] {
        keys.push(files::own(&app.db, me, &picture.required()?, FilePurpose::Kyc).await?);
    }
    check_different(app, me, &keys).await?;
    let [front_pic, reverse_pic, hand_pic] = <[String; 3]>::try_from(keys.clone()).map_err(|_| refuse(Code::Internal))?;
    let (text, content) = documents::written(app, "identity", &AdvancedPaper { front_pic, reverse_pic, hand_pic })?;
    let now_ms = app.now_ms();
    let mut statements: Vec<Sql> = keys.iter().map(|key| files::keep(me, key, now_ms)).collect();
    statements.push(documents::keep(app, me, content, &text)?);
    let _lock = app.member_locks.of(me).await;
    let kept = app.db.run(statements).await.map_err(swept)?;
    let document = documents::keyed_digest(app, "identity pictures", &text);
    let applied = submit(&call, me, KycLevel::Advanced, document, content).await?;
    if applied.outcome.result.is_err() {
        app.db.run(keys.iter().map(|key| files::unkeep(me, key, now_ms)).collect()).await?;
    }
    forget_refused(app, (me, content), &kept[keys.len()], &applied).await?;
    submitted(&call, me, KycLevel::Advanced, &applied)
}

/// `E_FILE` with rule `repeated` at the first picture that shows the same as an earlier one, even if uploaded again.
async fn check_different(app: &App, user: UserId, keys: &[String]) -> Result<(), Refusal> {
    let mut seen = HashSet::new();
    for (name, key) in PICTURES.into_iter().zip(keys) {
        if !seen.insert(app.files.digest(&app.store, user, key).await?.ok_or_else(gone)?) {
            let repeated = Refusal { sentence: Some("E_FILE.repeated"), ..refuse(Code::BadFile) };
            return Err(repeated.with("field", name).with("rule", "repeated"));
        }
    }
    Ok(())
}

async fn submit(call: &Call, user: UserId, level: KycLevel, document: Digest, content: Digest) -> Result<Applied, Refusal> {
    Ok(call.app.sequencer.submit(Command::SubmitIdentity { user, level, document, content }, call.request).await?)
}

fn submitted(call: &Call, me: UserId, of: KycLevel, applied: &Applied) -> Answer {
    let present = || level(&call.app, me, of).map(|identity| state(identity.status));
    let about = About { catalog: &call.app.catalog, market: None, asset: None, wallet: Wallet::Spot };
    let told = |reject: &Reject| about.refusal(reject).in_state(present());
    let EngineReply::Identity(identity) = done(applied, told)? else { return Err(refuse(Code::Internal)) };
    let data = ObjectState { id: identity.submission.0, seq: applied.answered_by(), state: state(identity.status) };
    Ok(answer("ok.identity_submitted", applied).data(data))
}

/// `GET charge_mention/verification_log`
pub async fn log(call: Call, page: Page) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let (rows, total) = account::list::<Identity>(&app.db, Some(me), None, page).await?;
    let digests: Vec<Digest> = rows.iter().flat_map(|row| [Some(row.item.content), row.item.reason]).flatten().collect();
    let texts = documents::find(app, me, &digests).await?;
    // The pictures have no name; the name is that of the level below.
    let newest = level(app, me, KycLevel::Basic);
    let below = match &newest {
        Some(identity) => basic(app, identity).await?,
        None => None,
    };
    let typed = below.clone().filter(|_| newest.is_some_and(|identity| identity.status == Status::Rejected));
    let row = |row: VersionedRow<Identity>| {
        let VersionedRow { item, changed_ms, .. } = row;
        let own: Option<BasicPaper> = match item.level {
            KycLevel::Basic => texts.get(&item.content).map(|text| documents::read(text)).transpose()?,
            KycLevel::Advanced => below.clone(),
        };
        let decided = (item.status != Status::UnderReview).then_some(changed_ms);
        let part = |of: fn(&BasicPaper) -> String| own.as_ref().map(of).unwrap_or_default();
        Ok(VerificationRow {
            id: item.submission.0,
            level: if item.level == KycLevel::Basic { 1 } else { 2 },
            name: part(|paper| masked_name(&paper.name)),
            card_id: part(|paper| masked_id(&paper.card_id)),
            country: part(|paper| paper.country.clone()),
            // A level that ended with the one below is no longer verified.
            review_status: if item.status == Status::Unverified { 3 } else { identity_number(item.status) },
            reason: item.reason.and_then(|reason| texts.get(&reason).cloned()).unwrap_or_default(),
            create_time: ts(item.submitted.0),
            create_time_ms: item.submitted.0,
            review_time: decided.map(ts),
            review_time_ms: decided,
        })
    };
    let rows = rows.into_iter().map(row).collect::<Result<_, DbError>>()?;
    Ok(Reply::ok(Paginator::new(rows, total, page)).data(ToCorrect { typed: typed.map(Typed::from) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_papers_does_not_give_them_away() {
        assert_eq!(masked_name("Ann Marie Lee"), "A*** M*** L***");
        assert_eq!((masked_id("AB123456"), masked_id("1234"), masked_id("é2345")), ("AB****56".into(), "****".into(), "é2*45".into()));
    }
}
