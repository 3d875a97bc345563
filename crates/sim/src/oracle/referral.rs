//! Referral by the rules (`docs/rules.md` 14): lists of invitations, of what is owed, and of credits.

use engine::catalog::Wallet;
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::security::ReferralRole;

use super::people::DAY;
use super::{Done, Oracle, Refusal, need};

/// Fees of one level of one referrer in one coin and day.
#[derive(Clone, Debug)]
struct Owed {
    day: u64,
    referrer: u64,
    level: u8,
    coin: u32,
    fees: Vec<i128>,
    /// The role at the end of the day, if it changed since.
    role: Option<ReferralRole>,
}

impl Owed {
    fn sum(&self) -> i128 {
        self.fees.iter().sum()
    }

    /// Percent of the fees.
    fn share(&self, role: ReferralRole) -> i128 {
        let rate = match (self.level, role) {
            (1, ReferralRole::User) => 20,
            (1, ReferralRole::Promoter) => 30,
            (1, ReferralRole::Partner) => 40,
            _ => 5,
        };
        self.sum() * rate / 100
    }
}

/// A credited rebate.
#[derive(Clone, Debug)]
struct Credit {
    user: u64,
    coin: u32,
    amount: i128,
    value: i128,
    at: u64,
}

/// Everything about referral.
#[derive(Debug, Default)]
pub(super) struct Referral {
    /// Invited and inviter, in the order in which they joined.
    invited: Vec<(u64, u64)>,
    owed: Vec<Owed>,
    credits: Vec<Credit>,
}

impl Oracle {
    /// G-5.
    pub(super) fn register_invited(&mut self, user: u64, inviter: u64) -> Result<Done, Refusal> {
        need(!self.members.contains(&user) && self.features.contains(&Feature::DueWork), "E_STATE")?;
        need(self.members.contains(&inviter), "E_INVITE")?;
        let now = self.now;
        let frozen = self.person(inviter)?.check_frozen(now, false).is_err();
        need(!frozen, "E_INVITE")?;
        self.members.push(user);
        self.referral.invited.push((user, inviter));
        Ok(Done::Nothing)
    }

    fn inviter(&self, user: u64) -> Option<u64> {
        self.referral.invited.iter().find(|(invited, _)| *invited == user).map(|(_, inviter)| *inviter)
    }

    /// G-1: a fee of spot, an option or a contract.
    pub(super) fn share_fee(&mut self, payer: u64, coin: u32, fee: i128) {
        if fee == 0 {
            return;
        }
        let day = self.now / DAY;
        let first = self.inviter(payer);
        for (level, referrer) in [(1, first), (2, first.and_then(|first| self.inviter(first)))] {
            let Some(referrer) = referrer else { continue };
            let same = |owed: &&mut Owed| (owed.day, owed.referrer, owed.level, owed.coin) == (day, referrer, level, coin);
            match self.referral.owed.iter_mut().find(same) {
                Some(owed) => owed.fees.push(fee),
                None => self.referral.owed.push(Owed { day, referrer, level, coin, fees: vec![fee], role: None }),
            }
        }
    }

    /// The instants of everything owed, with its place: the first of a day is settled first.
    pub(super) fn rebate_dues(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..).zip(&self.referral.owed).map(|(place, owed)| ((owed.day + 1) * DAY, place))
    }

    /// G-2.
    pub(super) fn settle_rebate(&mut self, place: u64) {
        let owed = self.referral.owed.remove(place as usize);
        let role = self.world.people.get(&owed.referrer).map_or(ReferralRole::User, |person| person.role);
        let amount = owed.share(owed.role.unwrap_or(role));
        if amount == 0 {
            return;
        }
        let (user, coin, at) = (owed.referrer, owed.coin, (owed.day + 1) * DAY);
        *self.fees.entry(coin).or_default() -= amount;
        self.add(user, Wallet::Spot, coin, amount);
        let value = self.value_at(coin, amount, at);
        self.referral.credits.push(Credit { user, coin, amount, value, at });
    }

    /// G-6: rounded down, at what was known at the instant.
    fn value_at(&self, coin: u32, amount: i128, at: u64) -> i128 {
        let (pair, scale) = match coin {
            3 => return amount,
            1 => (1, 100_000_000),
            2 => (2, 100_000_000),
            _ => (3, 1_000_000),
        };
        let known = self.options.samples.get(&pair).and_then(|all| all.iter().rev().find(|(made, ..)| *made <= at)).map(|known| known.2);
        let price = known.or(self.last_sample(pair).map(|(_, price)| price)).unwrap_or(0);
        amount * price * 1_000_000 / scale / 100_000_000
    }

    /// G-3: what was due before keeps the role that applied then.
    pub(super) fn set_role(&mut self, user: u64, role: ReferralRole) -> Result<(), Refusal> {
        let (today, before) = (self.now / DAY, self.person(user)?.role);
        let late = self.first_due().is_some_and(|(instant, ..)| instant < today * DAY);
        need(!(late && self.features.contains(&Feature::ProductCorrections)), "E_STATE")?;
        for owed in self.referral.owed.iter_mut().filter(|owed| owed.referrer == user && owed.day < today) {
            owed.role.get_or_insert(before);
        }
        self.person(user)?.role = role;
        Ok(())
    }

    /// L-3, G-4: the part of earlier days' fees that was paid as rebates, or may have to be.
    pub(super) fn shared_fees(&self, coin: u32) -> i128 {
        let today = self.now / DAY;
        let paid: i128 = self.referral.credits.iter().filter(|credit| credit.coin == coin).map(|credit| credit.amount).sum();
        let owed = self.referral.owed.iter().filter(|owed| owed.coin == coin && owed.day < today);
        paid + owed.map(|owed| owed.share(ReferralRole::Partner)).sum::<i128>()
    }

    /// The state of referral as text.
    pub(super) fn referral_summaries(&self) -> Vec<String> {
        let invited = |user: u64| self.referral.invited.iter().filter(move |(_, inviter)| *inviter == user).map(|(invited, _)| *invited);
        let verified = |user: u64| invited(user).filter(|invited| self.verified(*invited, KycLevel::Basic)).count();
        let own = |user: u64| self.referral.credits.iter().filter(move |credit| credit.user == user && credit.value > 0);
        let total = |user: u64| own(user).map(|credit| credit.value).sum::<i128>();
        let mut all: Vec<String> = self
            .members
            .iter()
            .map(|user| {
                let names: Vec<u64> = invited(*user).collect();
                format!("{user} invited {names:?} {} by {:?} got {}", verified(*user), self.inviter(*user), total(*user))
            })
            .collect();
        // Days without entries may lie between; the order within a day is that of the first fee.
        let mut owed = self.referral.owed.clone();
        owed.sort_by_key(|owed| owed.day);
        all.extend(
            owed.iter()
                .enumerate()
                .map(|(place, owed)| format!("owed {place}: {} {} {} {} {}", owed.day, owed.referrer, owed.level, owed.coin, owed.sum())),
        );
        let mut ranked: Vec<u64> = self.members.iter().copied().filter(|user| total(*user) > 0).collect();
        ranked.sort_by_key(|user| (-total(*user), -(verified(*user) as i64), own(*user).map(|credit| credit.at).max(), *user));
        all.push(format!("board {:?}", ranked.iter().take(10).collect::<Vec<_>>()));
        all
    }
}
