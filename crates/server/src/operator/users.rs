//! Members as operators see them: masked in lists, complete only with a reason, frozen by one operator and unfrozen by two.

use engine::Engine;
use engine::backoffice::acts::OperatorAct;
use engine::backoffice::proposals::Proposed;
use engine::catalog::Wallet;
use engine::identity::KycLevel;
use engine::ids::UserId;
use engine::security::{FreezeScope, ReferralRole};
use engine::time::Time;
use serde::Serialize;
use store::account::identity_number;
use store::db::{DbError, Done, Sql};
use store::notices::{Topic, insert_once};
use store::people::{self, HOUSE, Listed};
use store::sealed_columns::Cell;
use store::{Page, fund_passwords, history};
use utoipa::ToSchema;

use super::proposals::propose;
use super::{ByIdWithReason, Reason, act, keep_text, masked, named};
use crate::api::account::security::{self, Revoked, is_frozen_by_operator};
use crate::api::command::answer;
use crate::api::contact::{email, masked as masked_contact, phone};
use crate::api::wallet::balances::{self, WalletRow};
use crate::api::wallet::statement::{LogRow, log_row};
use crate::http::auth::Ended;
use crate::http::page::{Paginator, ts};
use crate::http::params::Kind;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request, words};
use crate::http::values::Value;
use crate::http::{App, Call, types};

/// Lines of the statement that a detail shows.
const LINES: u64 = 50;
/// Most digits of a phone with its dial code.
const PHONE_DIGITS: usize = 15;
/// Fewest characters of a search.
const SEARCH_MIN: usize = 4;

/// A member.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserRow {
    id: u64,
    account: String,
    phone: String,
    email: String,
    country: String,
    #[schema(value_type = types::ReviewStatus)]
    review_status: u8,
    #[schema(value_type = types::ReviewStatus)]
    review_status2: u8,
    #[schema(value_type = types::UserStatus)]
    status: u8,
    created_at: String,
    created_at_ms: u64,
}

/// A member with their wallets and the last lines of their statement.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserDetail {
    user: UserRow,
    wallets: Vec<WalletRow>,
    log: Vec<LogRow>,
}

/// 0 normal, 1 frozen by an operator, 2 frozen by the member.
pub(super) fn status(engine: &Engine, user: UserId) -> u8 {
    let freezes = engine.security(user).unwrap_or_default().freezes;
    if freezes.by_operator.is_some() {
        1
    } else if freezes.self_open || freezes.self_until.is_some_and(|until| engine.time() < until) {
        2
    } else {
        0
    }
}

/// State of a level: 0 none, 1 under review, 2 verified, 3 rejected.
pub(super) fn review_status(engine: &Engine, user: UserId, level: KycLevel) -> u8 {
    engine.identity(user, level).map_or(0, |identity| identity_number(identity.status))
}

fn row(engine: &Engine, member: &Listed, whole: bool) -> UserRow {
    let contact =
        |text: &Option<String>| text.as_deref().map_or_else(String::new, |text| if whole { text.to_owned() } else { masked_contact(text) });
    UserRow {
        id: member.id.0,
        account: if whole { member.account_number.clone() } else { masked(&member.account_number) },
        phone: contact(&member.phone),
        email: contact(&member.email),
        country: member.country.clone(),
        review_status: review_status(engine, member.id, KycLevel::Basic),
        review_status2: review_status(engine, member.id, KycLevel::Advanced),
        status: status(engine, member.id),
        created_at: ts(member.created_at_ms),
        created_at_ms: member.created_at_ms,
    }
}

request! {
    /// What `user/search` takes.
    pub struct SearchMembers {
        required q: String,
        optional page: Result<Page, Refusal>,
    }
}

/// `GET /operator/api/user/search`
pub async fn search(call: Call, request: SearchMembers) -> Answer {
    let text = request.q.trim();
    if text.chars().count() < SEARCH_MIN {
        return Err(bad_field("q", "length"));
    }
    let page = request.page?;
    let (found, total) = find(&call.app, text, page).await?;
    let engine = call.app.sequencer.engine();
    let rows: Vec<UserRow> = found.iter().map(|member| row(&engine, member, false)).collect();
    Ok(Reply::ok(Paginator::new(rows, total, page)).about(found.iter().map(|member| member.id)))
}

/// One page of members matching this text, newest first, and their count. Only the fields that a text of this form can be are searched.
pub async fn find(app: &App, text: &str, page: Page) -> Result<(Vec<Listed>, u64), DbError> {
    let digits: String = text.strip_prefix('+').unwrap_or(text).chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let plain = (1..=PHONE_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let digits = Some(digits.as_str()).filter(|_| plain);
    // No dial code is a prefix of another.
    let phone = digits.and_then(|digits| (1..digits.len()).find_map(|at| phone(&digits[..at], &digits[at..])));
    people::search(app, email(text).or(phone).as_ref(), digits, page).await
}

/// The member of a call.
async fn member(call: &Call, id: &Input<u64>) -> Result<Listed, Refusal> {
    let id = UserId(id.or(Code::NotFound)?);
    let known = id != HOUSE && call.app.sequencer.engine().is_member(id);
    if !known {
        return Err(refuse(Code::NotFound));
    }
    people::one_listed(&call.app, id).await?.or_refuse(Code::NotFound)
}

/// `GET /operator/api/user/detail`
pub async fn detail(call: Call, request: ByIdWithReason) -> Answer {
    let member = member(&call, &request.id).await?;
    let id = member.id;
    let lines = history::newest_lines(&call.app.db, id, LINES).await?;
    let log = lines.iter().map(|line| log_row(&call.app, call.lang, id, line)).collect();
    let engine = call.app.sequencer.engine();
    let wallets = engine.catalog().assets.iter().map(|asset| balances::row(&engine, id, asset, Wallet::Spot).0).collect();
    Ok(Reply::ok(UserDetail { user: row(&engine, &member, true), wallets, log }).about([id]))
}

words! {
    /// What a freeze keeps a member from.
    pub enum Scope {
        Withdraw = "withdraw",
        All = "all",
    }
}

request! {
    /// What `user/freeze` takes.
    pub struct FreezeMember checked by handler {
        required id: Input<u64>,
        required scope: Scope,
        required reason: Reason,
    }
}

/// `POST /operator/api/user/freeze`
pub async fn freeze(call: Call, request: FreezeMember) -> Answer {
    let Reason(why) = request.reason;
    let scope = match request.scope {
        Scope::Withdraw => FreezeScope::Withdrawals,
        Scope::All => FreezeScope::All,
    };
    let user = member(&call, &request.id).await?.id;
    let reason = keep_text(&call, user, &why).await?;
    let frozen = act(&call, OperatorAct::Freeze { user, scope, reason }, None).await;
    if frozen.as_ref().is_err_and(|refusal| refusal.code == Code::WrongState) && is_frozen_by_operator(&call.app, user) {
        // Whoever froze the member may have been interrupted before this.
        end_access(&call, user, None).await?;
    }
    let applied = frozen.map_err(|refusal| named(refusal, &[(Code::SelfReview, Code::NotFound)]))?;
    // Also on a repetition, because the first attempt may have been interrupted before this. If it was not, the member already has the
    // notice, and may have logged in again since.
    let why = Cell::NOTICE.seal(&call.app.vault, user, &why)?;
    let told = insert_once(user, Topic::Frozen, &[("reason", &why)], applied.answered_by(), call.app.now_ms()).exactly(1);
    match end_access(&call, user, Some(told)).await {
        Err(DbError::Missed(0)) => {}
        done => {
            done?;
            call.app.notices.tell(user).await;
        }
    }
    Ok(answer("ok.saved", &applied).about([user]))
}

/// Ends the sessions of a frozen member, in one transaction with a statement that comes first, and the resets of the fund password that
/// wait: a thief may have asked for one.
async fn end_access(call: &Call, user: UserId, first: Option<Sql>) -> Result<(), DbError> {
    let reset = fund_passwords::end_since(user, Time(0), call.app.now_ms());
    let ended = security::end_sessions(user).statements;
    call.app.db.run(first.into_iter().chain([reset]).chain(ended).collect()).await?;
    call.app.sessions.forget(Ended::AllBut(user, None));
    Ok(())
}

/// `POST /operator/api/user/end_sessions`
pub async fn end_sessions(call: Call, request: ByIdWithReason) -> Answer {
    let user = member(&call, &request.id).await?.id;
    let done = |ended: &Done| Ok(Reply::say("ok.sessions_ended").data(Revoked { revoked: ended.hit }));
    let reply = call.commit_with(security::end_sessions(user), done).await?;
    call.app.sessions.forget(Ended::AllBut(user, None));
    Ok(reply.about([user]))
}

/// `POST /operator/api/user/unfreeze`
pub async fn unfreeze(call: Call, request: ByIdWithReason) -> Answer {
    let user = member(&call, &request.id).await?.id;
    propose(&call, Proposed::Unfreeze { user }, None, &request.reason.0).await
}

/// A level of identity, by its number.
#[derive(Clone, Copy, Debug)]
pub struct Level(KycLevel);

impl Value for Level {
    const KIND: Kind = Kind::OneOf(&["1", "2"]);

    fn parse(name: &'static str, text: &str) -> Result<Level, Refusal> {
        match u64::parse(name, text)? {
            1 => Ok(Level(KycLevel::Basic)),
            2 => Ok(Level(KycLevel::Advanced)),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `user/kyc_revoke` takes.
    pub struct RevokeIdentity checked by handler {
        required id: Input<u64>,
        required level: Option<Level>,
        required reason: Reason,
    }
}

/// `POST /operator/api/user/kyc_revoke`
pub async fn revoke_identity(call: Call, request: RevokeIdentity) -> Answer {
    let Level(level) = request.level.ok_or_else(|| bad_field("level", "enum"))?;
    let user = member(&call, &request.id).await?.id;
    propose(&call, Proposed::RevokeIdentity { user, level }, None, &request.reason.0).await
}

words! {
    /// What a member is to those who come by their link.
    pub enum RoleWord {
        User = "user",
        Promoter = "promoter",
        Partner = "partner",
    }
}

request! {
    /// What `user/role` takes.
    pub struct SetReferralRole checked by handler {
        required id: Input<u64>,
        required role: RoleWord,
        required reason: Reason,
    }
}

/// `POST /operator/api/user/role`
pub async fn referral_role(call: Call, request: SetReferralRole) -> Answer {
    let role = match request.role {
        RoleWord::User => ReferralRole::User,
        RoleWord::Promoter => ReferralRole::Promoter,
        RoleWord::Partner => ReferralRole::Partner,
    };
    let user = member(&call, &request.id).await?.id;
    propose(&call, Proposed::SetReferralRole { user, role }, None, &request.reason.0).await
}
