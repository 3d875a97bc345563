//! Identity verification (13): levels, reviews and the uniqueness of documents. Documents are known only by keyed digests.

pub mod status;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::exact::{COUNTED, Exact};
use crate::ids::{Digest, MemberIndex, SubmissionId, UserId};
use crate::operators::approval::{Approval, SignedVersion, all_different};
use crate::reject::Reject;
use crate::time::{DAY_MS, Time};
use status::{Status, Trigger, next};

/// Submissions of one level in 24 h (V-2).
pub const SUBMISSIONS: usize = 3;

/// Levels of verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KycLevel {
    /// Name, number and addresses.
    Basic,
    /// Pictures of the document and its holder.
    Advanced,
}

impl KycLevel {
    /// Operators that must approve (V-4).
    pub fn approvals_needed(self) -> usize {
        match self {
            KycLevel::Basic => 1,
            KycLevel::Advanced => 2,
        }
    }
}

/// One level of one member, with its last submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The member.
    pub user: UserId,
    /// Which level.
    pub level: KycLevel,
    /// State.
    pub status: Status,
    /// The last submission.
    pub submission: SubmissionId,
    /// Keyed digest of country and number; unique while under review or verified (V-3). Of the pictures for the advanced level.
    pub document: Digest,
    /// Keyed digest of everything submitted: what a reviewer decides on.
    pub content: Digest,
    /// When it was submitted.
    pub submitted: Time,
    /// Operators who approved.
    pub approvals: Vec<Approval>,
    /// Digest of the reason of a rejection or revocation.
    pub reason: Option<Digest>,
    /// Rises with every change.
    pub version: u32,
    /// Earlier submissions of the last 24 h.
    recent: Vec<Time>,
}

impl Identity {
    /// Hash of what a reviewer must have seen.
    pub fn hash(&self) -> Digest {
        Digest::of("identity", &(self.submission, self.user, self.level, self.document, self.content, self.submitted))
    }

    /// Its version and hash.
    pub fn seen(&self) -> SignedVersion {
        SignedVersion { version: self.version, hash: self.hash() }
    }
}

/// All identities.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Identities {
    levels: BTreeMap<(MemberIndex, KycLevel), Identity>,
    submissions: BTreeMap<SubmissionId, (MemberIndex, KycLevel)>,
    documents: BTreeMap<Digest, MemberIndex>,
}

/// A new submission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Submission {
    pub(crate) id: SubmissionId,
    pub(crate) user: UserId,
    pub(crate) level: KycLevel,
    pub(crate) document: Digest,
    pub(crate) content: Digest,
}

impl Identities {
    pub(crate) fn of(&self, member: MemberIndex, level: KycLevel) -> Option<&Identity> {
        self.levels.get(&(member, level))
    }

    pub(crate) fn status(&self, member: MemberIndex, level: KycLevel) -> Status {
        self.of(member, level).map_or(Status::Unverified, |identity| identity.status)
    }

    pub(crate) fn submission(&self, id: SubmissionId) -> Option<&Identity> {
        let (member, level) = self.submissions.get(&id)?;
        self.of(*member, *level)
    }

    /// V-1 to V-3.
    pub(crate) fn submit(&mut self, member: MemberIndex, submission: Submission, now: Time) -> Result<Identity, Reject> {
        let Submission { id, user, level, document, content } = submission;
        if level == KycLevel::Advanced && self.status(member, KycLevel::Basic) != Status::Verified {
            return Err(Reject::KycBasic);
        }
        let present = self.of(member, level);
        let status = next(self.status(member, level), Trigger::Submit)?;
        let mut recent = present.map(|identity| identity.recent.clone()).unwrap_or_default();
        recent.retain(|time| now.since(*time) < DAY_MS);
        if recent.len() >= SUBMISSIONS {
            return Err(Reject::KycLimit);
        }
        if level == KycLevel::Basic && self.documents.get(&document).is_some_and(|owner| *owner != member) {
            return Err(Reject::KycDuplicate);
        }
        recent.push(now);
        let version = present.map_or(1, |identity| identity.version.plus(1, COUNTED));
        if let Some(before) = present.map(|identity| identity.submission) {
            self.submissions.remove(&before);
        }
        let identity = Identity {
            user,
            level,
            status,
            submission: id,
            document,
            content,
            submitted: now,
            approvals: Vec::new(),
            reason: None,
            version,
            recent,
        };
        if level == KycLevel::Basic {
            self.documents.insert(document, member);
        }
        self.submissions.insert(id, (member, level));
        self.levels.insert((member, level), identity.clone());
        Ok(identity)
    }

    /// Adds an approval to those that count; the last one required verifies (V-4). The caller has checked who approves.
    pub(crate) fn approve(&mut self, id: SubmissionId, counting: Vec<Approval>, by: Approval) -> Result<Identity, Reject> {
        self.change(id, |identity| {
            let verified = next(identity.status, Trigger::Approve)?;
            identity.approvals = counting;
            identity.approvals.push(by);
            if identity.approvals.len() >= identity.level.approvals_needed() {
                identity.status = verified;
            }
            Ok(())
        })
    }

    pub(crate) fn reject(&mut self, id: SubmissionId, reason: Digest) -> Result<Identity, Reject> {
        let rejected = self.change(id, |identity| {
            identity.status = next(identity.status, Trigger::Reject)?;
            identity.reason = Some(reason);
            Ok(())
        })?;
        self.free_document(&rejected);
        Ok(rejected)
    }

    /// Revocation by two operators; revoking basic resets advanced. Returns what changed.
    pub(crate) fn revoke(&mut self, member: MemberIndex, level: KycLevel, reason: Digest) -> Result<Vec<Identity>, Reject> {
        next(self.status(member, level), Trigger::Revoke)?;
        let id = self.of(member, level).map(|identity| identity.submission).ok_or(Reject::WrongState)?;
        let revoked = self.change(id, |identity| {
            identity.status = next(identity.status, Trigger::Revoke)?;
            identity.reason = Some(reason);
            Ok(())
        })?;
        self.free_document(&revoked);
        let advanced = self.of(member, KycLevel::Advanced).filter(|_| level == KycLevel::Basic).map(|identity| identity.submission);
        let mut changed = vec![revoked];
        if let Some(advanced) = advanced {
            changed.push(self.change(advanced, |identity| {
                identity.status = next(identity.status, Trigger::BasicRevoked)?;
                identity.approvals.clear();
                Ok(())
            })?);
        }
        Ok(changed)
    }

    /// Whether this submission may still be revoked: its level is verified.
    pub(crate) fn may_revoke(&self, member: MemberIndex, level: KycLevel) -> Result<(), Reject> {
        next(self.status(member, level), Trigger::Revoke).map(drop)
    }

    fn change(&mut self, id: SubmissionId, how: impl FnOnce(&mut Identity) -> Result<(), Reject>) -> Result<Identity, Reject> {
        let key = self.submissions.get(&id).ok_or(Reject::NotFound)?;
        let identity = self.levels.get_mut(key).ok_or(Reject::NotFound)?;
        how(identity)?;
        identity.version = identity.version.plus(1, COUNTED);
        Ok(identity.clone())
    }

    fn free_document(&mut self, identity: &Identity) {
        if identity.level == KycLevel::Basic {
            self.documents.remove(&identity.document);
        }
    }

    /// `docs/rules.md` 13: advanced is verified only while basic is, a live document belongs to exactly one member, approvals are different.
    pub(crate) fn fault(&self) -> Option<String> {
        for ((member, level), identity) in &self.levels {
            let verified = identity.status == Status::Verified;
            if *level == KycLevel::Advanced && verified && self.status(*member, KycLevel::Basic) != Status::Verified {
                return Some(format!("V: advanced without basic of member {}", identity.user.0));
            }
            let live = verified || identity.status == Status::UnderReview;
            let owned = self.documents.get(&identity.document) == Some(member);
            if *level == KycLevel::Basic && live != owned {
                return Some(format!("V-3: document of member {}", identity.user.0));
            }
            let needed = identity.level.approvals_needed();
            if verified && (identity.approvals.len() != needed || !all_different(&identity.approvals)) {
                return Some(format!("V-4: approvals of member {}", identity.user.0));
            }
        }
        None
    }
}
