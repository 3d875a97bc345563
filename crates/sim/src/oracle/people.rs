//! Protection, identity and destinations of members by the rules (12, 13, 15, W-1, W-2, 0.6).

use engine::catalog::funding::Chain;
use engine::feature::Feature;
use engine::funding::withdrawals::Verification;
use engine::identity::KycLevel;
use engine::ids::Digest;
use engine::reject::CodeFault;
use engine::security::{FreezeScope, FundPasswordChange, ReferralRole};

use super::operators::{Approvals, Object, who};
use super::{Done, Oracle, Refusal, need, refuse};

/// 24 h, ms.
pub(super) const DAY: u64 = 86_400_000;

/// One member.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    set: bool,
    wrong: u8,
    locked_until: Option<u64>,
    pub(super) changed: Option<u64>,
    by_operator: Option<FreezeScope>,
    self_until: Option<u64>,
    self_open: bool,
    pub(super) role: ReferralRole,
}

impl Person {
    /// Everything as text, as on the engine's side.
    pub(super) fn summary(&self) -> String {
        let Person { set, wrong, locked_until, changed, by_operator, self_until, self_open, role } = self;
        format!("{set} {wrong} {locked_until:?} {changed:?} {by_operator:?} {self_until:?} {self_open} {role:?}")
    }

    pub(super) fn has_fund_password(&self) -> bool {
        self.set
    }

    ///
    pub(super) fn enter(&mut self, now: u64, right: bool) -> Result<(), Refusal> {
        need(self.locked_until.is_none_or(|until| now >= until), "E_FUNDPW_LOCKED")?;
        self.locked_until = None;
        if right {
            self.wrong = 0;
            return Ok(());
        }
        self.wrong += 1;
        if self.wrong == 5 {
            self.wrong = 0;
            self.locked_until = Some(now + 3 * 3_600_000);
        }
        refuse("E_FUNDPW_WRONG")
    }

    /// Whether the freeze does not end by itself.
    pub(super) fn needs_two(&self) -> bool {
        self.by_operator.is_some() || self.self_open
    }

    pub(super) fn check_frozen(&self, now: u64, opening: bool) -> Result<(), Refusal> {
        let by_operator = if opening { self.by_operator == Some(FreezeScope::All) } else { self.by_operator.is_some() };
        let by_self = self.self_open || self.self_until.is_some_and(|until| now < until);
        need(!by_operator && !by_self, "E_ACCOUNT_FROZEN")
    }
}

/// One level of one member.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) id: u64,
    pub(super) state: &'static str,
    document: Digest,
    pub(super) approvals: Approvals,
    pub(super) version: u32,
    recent: Vec<u64>,
}

/// A stored address or card.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) id: u64,
    pub(super) user: u64,
    /// Coin and chain; `None` for a card.
    pub(super) way: Option<(u32, Chain)>,
    pub(super) digest: Digest,
    pub(super) created: u64,
}

pub(super) fn code_name(fault: CodeFault) -> &'static str {
    match fault {
        CodeFault::Wrong => "E_CODE",
        CodeFault::Locked => "E_CODE_LOCKED",
        CodeFault::SecondFactorMissing => "E_2FA_REQUIRED",
        CodeFault::SecondFactorWrong => "E_2FA_WRONG",
    }
}

impl Oracle {
    pub(super) fn person(&mut self, user: u64) -> Result<&mut Person, Refusal> {
        self.member(user)?;
        Ok(self.world.people.entry(user).or_default())
    }

    pub(super) fn security_done(&mut self, user: u64) -> Result<Done, Refusal> {
        Ok(Done::Object(self.person(user)?.summary()))
    }

    ///
    pub(super) fn set_fund_password(&mut self, user: u64, change: FundPasswordChange) -> Result<Done, Refusal> {
        let now = self.now;
        let person = self.person(user)?;
        match change {
            FundPasswordChange::First => need(!person.set, "E_STATE")?,
            FundPasswordChange::Change { old_right } => {
                need(person.set, "E_FUNDPW_UNSET")?;
                person.enter(now, old_right)?;
                person.changed = Some(now);
            }
            FundPasswordChange::Reset => {
                need(person.set, "E_FUNDPW_UNSET")?;
                person.changed = Some(now);
            }
        }
        (person.set, person.wrong, person.locked_until) = (true, 0, None);
        self.security_done(user)
    }

    pub(super) fn freeze_self(&mut self, user: u64, until: Option<u64>) -> Result<Done, Refusal> {
        let now = self.now;
        let person = self.person(user)?;
        match until {
            None => {
                need(!person.self_open, "E_STATE")?;
                person.self_open = true;
            }
            Some(until) => {
                need(until > now, "E_TIME")?;
                need(person.self_until.is_none_or(|present| until >= present), "E_STATE")?;
                person.self_until = Some(until);
            }
        }
        self.end_outdated(Object::Freezes(user), None);
        self.security_done(user)
    }

    pub(super) fn freeze(&mut self, user: u64, scope: FreezeScope) -> Result<Done, Refusal> {
        let person = self.person(user)?;
        need(!(person.by_operator == Some(FreezeScope::All) || person.by_operator == Some(scope)), "E_STATE")?;
        person.by_operator = Some(scope);
        self.end_outdated(Object::Freezes(user), None);
        self.security_done(user)
    }

    pub(super) fn may_unfreeze(&mut self, user: u64) -> Result<(), Refusal> {
        need(self.person(user)?.needs_two(), "E_STATE")
    }

    pub(super) fn unfreeze(&mut self, user: u64) -> Result<(), Refusal> {
        self.may_unfreeze(user)?;
        let person = self.person(user)?;
        (person.by_operator, person.self_open) = (None, false);
        Ok(())
    }

    /// The order of `wallet/addaddress`.
    pub(super) fn add_address(
        &mut self,
        id: u64,
        user: u64,
        way: (u32, Chain),
        digest: Digest,
        verification: Verification,
    ) -> Result<Done, Refusal> {
        let now = self.now;
        self.person(user)?.check_frozen(now, true)?;
        need(self.person(user)?.set, "E_FUNDPW_UNSET")?;
        need((1..=4).contains(&way.0), "E_ASSET")?;
        need(self.world.networks.contains_key(&way), "E_CHAIN")?;
        self.person(user)?.enter(now, verification.fund_password_right)?;
        if let Some(fault) = verification.code {
            return refuse(code_name(fault));
        }
        let own: Vec<&Stored> = self.world.stored.iter().filter(|stored| stored.user == user && stored.way.is_some()).collect();
        need(!own.iter().any(|stored| stored.way == Some(way) && stored.digest == digest), "E_ADDRESS_DUP")?;
        need(own.len() < self.world.limits.addresses as usize, "E_ADDRESS_MAX")?;
        self.world.stored.push(Stored { id, user, way: Some(way), digest, created: now });
        Ok(Done::Object(format!("address {id}")))
    }

    pub(super) fn add_card(&mut self, id: u64, user: u64, number: Digest) -> Result<Done, Refusal> {
        self.member(user)?;
        let now = self.now;
        if self.features.contains(&Feature::FrozenCards) {
            self.person(user)?.check_frozen(now, true)?;
        }
        need(self.verified(user, KycLevel::Basic), "E_KYC_BASIC")?;
        let own: Vec<&Stored> = self.world.stored.iter().filter(|stored| stored.user == user && stored.way.is_none()).collect();
        need(own.len() < self.world.limits.cards as usize, "E_CARD_MAX")?;
        need(!own.iter().any(|stored| stored.digest == number), "E_CARD_DUP")?;
        self.world.stored.push(Stored { id, user, way: None, digest: number, created: self.now });
        Ok(Done::Object(format!("card {id}")))
    }

    /// W-9 and K-3: not while a withdrawal to it is open.
    pub(super) fn remove_stored(&mut self, user: u64, id: u64, card: bool) -> Result<Done, Refusal> {
        self.member(user)?;
        let at = self.world.stored.iter().position(|stored| stored.id == id && stored.user == user && stored.way.is_none() == card);
        let Some(at) = at else { return refuse("E_NOT_FOUND") };
        let used = self.world.papers.iter().any(|paper| paper.to == id && matches!(paper.state, "UnderReview" | "Passed"));
        need(!used, "E_STATE")?;
        self.world.stored.remove(at);
        Ok(Done::Nothing)
    }

    pub(super) fn verified(&self, user: u64, level: KycLevel) -> bool {
        self.world.levels.get(&(user, level)).is_some_and(|level| level.state == "Verified")
    }

    /// V-1 to V-3.
    pub(super) fn submit(&mut self, id: u64, user: u64, level: KycLevel, document: Digest) -> Result<Done, Refusal> {
        self.member(user)?;
        need(level == KycLevel::Basic || self.verified(user, KycLevel::Basic), "E_KYC_BASIC")?;
        let now = self.now;
        let mut next = self.world.levels.get(&(user, level)).cloned().unwrap_or(Level {
            id,
            state: "Unverified",
            document,
            approvals: Vec::new(),
            version: 0,
            recent: Vec::new(),
        });
        need(matches!(next.state, "Unverified" | "Rejected"), "E_STATE")?;
        need(next.recent.iter().filter(|time| now - **time < DAY).count() < 3, "E_KYC_LIMIT")?;
        let taken = self.world.levels.iter().any(|((other, at), theirs)| {
            *at == KycLevel::Basic && *other != user && theirs.document == document && matches!(theirs.state, "UnderReview" | "Verified")
        });
        need(level == KycLevel::Advanced || !taken, "E_KYC_DUP")?;
        next.recent.push(now);
        (next.id, next.state, next.document, next.version) = (id, "UnderReview", document, next.version + 1);
        next.approvals.clear();
        self.world.levels.insert((user, level), next);
        Ok(self.level_done(user, level))
    }

    pub(super) fn level_done(&self, user: u64, level: KycLevel) -> Done {
        Done::Object(self.level_summary(user, level).unwrap_or_default())
    }

    /// One level as text, as on the engine's side.
    pub(super) fn level_summary(&self, user: u64, level: KycLevel) -> Option<String> {
        let Level { id, state, version, approvals, .. } = self.world.levels.get(&(user, level))?;
        let approvals = who(approvals);
        Some(format!("identity {id} {level:?} {state} {approvals:?} {version}"))
    }

    /// Revoking basic resets advanced.
    pub(super) fn revoke(&mut self, user: u64, level: KycLevel) -> Result<(), Refusal> {
        self.member(user)?;
        need(self.verified(user, level), "E_STATE")?;
        if let Some(basic) = self.world.levels.get_mut(&(user, level)) {
            (basic.state, basic.version) = ("Rejected", basic.version + 1);
        }
        if let Some(advanced) = self.world.levels.get_mut(&(user, KycLevel::Advanced)).filter(|_| level == KycLevel::Basic) {
            (advanced.state, advanced.version) = ("Unverified", advanced.version + 1);
            advanced.approvals.clear();
        }
        Ok(())
    }
}
