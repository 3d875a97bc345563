//! Subscriptions of new coins by the rules (`docs/rules.md` 6): lists of offerings and of commitments, each searched for the other.

use engine::catalog::Wallet;
use engine::command::Mode;
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::subscriptions::offering::{Commit, Terms};

use super::people::DAY;
use super::{AMOUNT_LIMIT, Done, Oracle, PRICE_LIMIT, Refusal, need, refuse};

const ESCROW: HouseAccount = HouseAccount::SubEscrow;
const MONTH: u64 = 30 * DAY;

/// An offering.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    id: u32,
    coin: u32,
    pair: u32,
    code: String,
    supply: i128,
    price: i128,
    pays: Vec<u32>,
    opens: u64,
    closes: u64,
    launch: u64,
    schedule: Vec<(u64, i128)>,
    least: i128,
    most: i128,
    times: i128,
    state: &'static str,
    launched: Option<u64>,
    tranches: usize,
    due: Option<u64>,
    /// The step in progress, and the commitments for which it is not done yet.
    work: Option<(&'static str, Vec<u64>)>,
}

/// A commitment.
#[derive(Clone, Debug)]
pub(super) struct Pledge {
    id: u64,
    user: u64,
    offer: u32,
    coin: u32,
    paid: i128,
    value: i128,
    state: &'static str,
    tokens: i128,
    charge: i128,
    released: i128,
}

impl Pledge {
    fn summary(&self) -> String {
        let Pledge { id, user, offer, coin, paid, value, state, tokens, charge, released } = self;
        format!("commitment {id} of {user} to {offer} {state} {paid} of {coin} worth {value}: {tokens} for {charge}, {released} released")
    }
}

/// Everything about new coins.
#[derive(Debug, Default)]
pub(super) struct SubscriptionModel {
    on: bool,
    offers: Vec<Offer>,
    pledges: Vec<Pledge>,
}

impl Offer {
    fn of(terms: &Terms, now: u64) -> Offer {
        let opens = terms.start.0;
        Offer {
            id: terms.id.0,
            coin: terms.token.id.0,
            pair: terms.market.id.0,
            code: terms.token.code.clone(),
            supply: i128::from(terms.supply),
            price: i128::from(terms.price.0),
            pays: terms.pay.iter().map(|coin| coin.0).collect(),
            opens,
            closes: terms.close.0,
            launch: terms.launch.0,
            schedule: terms.release.iter().map(|(day, share)| (u64::from(*day), i128::from(share.0))).collect(),
            least: i128::from(terms.min),
            most: i128::from(terms.user_cap),
            times: i128::from(terms.oversub),
            state: "Upcoming",
            launched: None,
            tranches: 0,
            due: Some(if opens > now { opens } else { terms.close.0 }),
            work: None,
        }
    }

    /// 10^8 atoms of the token at the price, in USDT atoms.
    fn worth(&self) -> i128 {
        self.supply * self.price / 10_i128.pow(10)
    }

    fn wanted(&self, value: i128) -> i128 {
        value * 10_i128.pow(10) / self.price
    }

    fn summary(&self, committed: i128) -> String {
        let Offer { id, state, tranches, due, .. } = self;
        format!("offering {id} {state} {committed} {tranches} {due:?}")
    }
}

fn up(amount: i128, by: i128) -> i128 {
    (amount + by - 1) / by
}

impl Oracle {
    /// From here on new coins can be offered; a sandbox starts with two of them.
    pub(super) fn begin_subscriptions(&mut self) {
        self.subscriptions.on = true;
        if self.mode != Some(Mode::Sandbox) {
            return;
        }
        let paper = |id: u32, code: &str, supply: i128, price, from, schedule: &[(u64, i128)]| Offer {
            id,
            coin: 1_000 + id,
            pair: 1_000 + id,
            code: code.to_owned(),
            supply: supply * 100_000_000,
            price,
            pays: vec![3, 1, 2],
            opens: self.now + from * MONTH,
            closes: self.now + (from + 1) * MONTH,
            launch: self.now + (from + 1) * MONTH + DAY,
            schedule: schedule.to_vec(),
            least: 10_000_000,
            most: 10_000_000_000,
            times: 10,
            state: if from == 0 { "Open" } else { "Upcoming" },
            launched: None,
            tranches: 0,
            due: Some(self.now + MONTH),
            work: None,
        };
        let quarters = [(30, 25_000_000), (60, 50_000_000), (90, 75_000_000), (120, 100_000_000)];
        let both = [paper(1, "NOVA", 200_000, 50_000_000, 0, &[(7, 100_000_000)]), paper(2, "AURUM", 500_000, 20_000_000, 1, &quarters)];
        for offer in both {
            *self.outside.entry(offer.coin).or_default() += offer.supply;
            *self.world.pools.entry((ESCROW, offer.coin)).or_default() += offer.supply;
            self.subscriptions.offers.retain(|known| known.id != offer.id);
            self.subscriptions.offers.push(offer);
        }
    }

    pub(super) fn check_offering(&self, terms: &Terms) -> Result<(), Refusal> {
        let offers = &self.subscriptions.offers;
        need(self.subscriptions.on, "E_STATE")?;
        need(terms.market.quote.0 == 3 && terms.pay.iter().all(|coin| (1..=4).contains(&coin.0)), "E_ASSET")?;
        if let Some(known) = offers.iter().find(|offer| offer.id == terms.id.0) {
            need(known.state == "Upcoming", "E_STATE")?;
            need(known.coin == terms.token.id.0 && known.pair == terms.market.id.0 && known.code == terms.token.code, "E_CATALOG")?;
        }
        let same = |offer: &&Offer| {
            let living = !matches!(offer.state, "Ended" | "Cancelled");
            let clash = offer.coin == terms.token.id.0 || offer.pair == terms.market.id.0 || (living && offer.code == terms.token.code);
            offer.id != terms.id.0 && clash
        };
        let listed = terms.token.id.0 <= 4 || self.world.coins.contains(&terms.token.id.0) || self.world.pairs.contains(&terms.market.id.0);
        let offer = Offer::of(terms, self.now);
        let times = offer.opens < offer.closes && offer.closes > self.now;
        let launch = (offer.closes..offer.closes + MONTH).contains(&offer.launch);
        let on_tick = offer.price % i128::from(terms.market.tick.0) == 0;
        let figures = on_tick && offer.supply > 0 && offer.price > 0 && offer.price < PRICE_LIMIT && (1..=100).contains(&offer.times);
        let bounds = offer.least > 0 && offer.least <= offer.most && offer.least <= offer.worth() * offer.times;
        let schedule = offer.schedule.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1);
        let whole =
            offer.schedule.first().is_some_and(|first| first.0 > 0) && offer.schedule.last().is_some_and(|last| last.1 == 100_000_000);
        let good = times && launch && figures && bounds && schedule && whole && !terms.pay.is_empty();
        need(good && !listed && self.fees_fit(&terms.market) && offers.iter().find(same).is_none(), "E_CATALOG")
    }

    /// A coin or pair of another offering cannot be listed separately.
    pub(super) fn is_offered(&self, change: &CatalogChange) -> bool {
        let offers = &self.subscriptions.offers;
        match change {
            CatalogChange::ListCoin(coin) => offers.iter().any(|offer| offer.coin == coin.id.0),
            CatalogChange::ListMarket { market, .. } => offers.iter().any(|offer| offer.pair == market.id.0),
            _ => false,
        }
    }

    pub(super) fn list_offering(&mut self, terms: &Terms) {
        let mut offer = Offer::of(terms, self.now);
        self.fund(&mut offer);
        self.subscriptions.offers.retain(|known| known.id != offer.id);
        self.subscriptions.offers.push(offer);
    }

    /// It opens if the escrow has its tokens.
    fn fund(&self, offer: &mut Offer) {
        let there = self.world.pools.get(&(ESCROW, offer.coin)).copied().unwrap_or(0);
        if offer.state == "Upcoming" && offer.opens <= self.now && self.now < offer.closes && there >= offer.supply {
            offer.state = "Open";
        }
    }

    /// The escrow received something.
    pub(super) fn escrow_moved(&mut self, coin: u32) {
        let mut offers = std::mem::take(&mut self.subscriptions.offers);
        offers.iter_mut().filter(|offer| offer.coin == coin).for_each(|offer| self.fund(offer));
        self.subscriptions.offers = offers;
    }

    pub(super) fn is_token(&self, coin: u32) -> bool {
        self.subscriptions.offers.iter().any(|offer| offer.coin == coin)
    }

    /// Tokens of offerings, launched or not, with their coins.
    pub fn offered_coins(&self) -> impl Iterator<Item = (u32, bool)> {
        self.subscriptions.offers.iter().map(|offer| (offer.coin, offer.launched.is_some()))
    }

    fn committed(&self, id: u32) -> impl Iterator<Item = &Pledge> {
        self.subscriptions.pledges.iter().filter(move |pledge| pledge.offer == id)
    }

    /// Value of everything ever committed to it.
    fn committed_value(&self, id: u32) -> i128 {
        self.committed(id).map(|pledge| pledge.value).sum()
    }

    fn value_down(&self, coin: u32, amount: i128) -> Option<i128> {
        let (scale, pair) = match coin {
            3 => return Some(amount),
            1 | 2 => (8, coin),
            4 => (6, 3),
            _ => return None,
        };
        let (_, price) = self.last_sample(pair)?;
        // An invalid amount is above every cap.
        let scaled = amount.checked_mul(price).and_then(|product| product.checked_mul(1_000_000));
        Some(scaled.map_or(AMOUNT_LIMIT, |scaled| scaled / 10_i128.pow(scale + 8)))
    }

    /// N-1, N-2.
    pub(super) fn commit(&mut self, id: u64, commit: &Commit) -> Result<Done, Refusal> {
        let (user, coin, paid, now) = (commit.user.0, commit.asset.0, i128::from(commit.amount), self.now);
        self.member(user)?;
        need(self.subscriptions.on, "E_DISABLED")?;
        self.check_pause("subscription", None)?;
        self.person(user)?.check_frozen(now, true)?;
        let found = self.subscriptions.offers.iter().find(|offer| offer.id == commit.offering.0).cloned();
        let Some(offer) = found else { return refuse("E_NOT_FOUND") };
        need(paid > 0 && paid < AMOUNT_LIMIT, "E_AMOUNT")?;
        need(matches!(offer.state, "Open" | "SoldOut") && (offer.opens..offer.closes).contains(&now), "E_WINDOW")?;
        need(offer.pays.contains(&coin), "E_PAY_CURRENCY")?;
        let Some(value) = self.value_down(coin, paid) else { return refuse("E_PRICE_STALE") };
        need(value >= offer.least, "E_SUB_MIN")?;
        let own: i128 = self.committed(offer.id).filter(|pledge| pledge.user == user).map(|pledge| pledge.value).sum();
        need(own + value <= offer.most, "E_USER_CAP")?;
        let (all, most) = (self.committed_value(offer.id) + value, offer.worth() * offer.times);
        need(all <= most, "E_SOLD_OUT")?;
        let pair = [0, 1, 2, 0, 3][coin as usize];
        need(pair == 0 || self.fresh(pair).is_some(), "E_PRICE_STALE")?;
        let available = self.balance(user, Wallet::Spot, coin).map_or(0, |(available, _)| available);
        if available < paid {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((coin, available, paid)) });
        }
        self.add(user, Wallet::Spot, coin, -paid);
        *self.world.pools.entry((ESCROW, coin)).or_default() += paid;
        let pledge = Pledge { id, user, offer: offer.id, coin, paid, value, state: "Review", tokens: 0, charge: 0, released: 0 };
        let done = Done::Object(pledge.summary());
        self.subscriptions.pledges.push(pledge);
        if most - all < offer.least
            && let Some(offer) = self.subscriptions.offers.iter_mut().find(|known| known.id == offer.id)
        {
            offer.state = "SoldOut";
        }
        Ok(done)
    }

    pub(super) fn check_launch(&self, id: u32) -> Result<(), Refusal> {
        let Some(offer) = self.subscriptions.offers.iter().find(|offer| offer.id == id) else { return refuse("E_NOT_FOUND") };
        need(offer.state == "Allocated" && offer.work.is_none() && offer.due.is_none_or(|due| due > self.now), "E_STATE")?;
        need((offer.launch..offer.closes + MONTH).contains(&self.now), "E_WINDOW")
    }

    /// Coin and pair are listed.
    pub(super) fn launch(&mut self, id: u32) -> Result<(), Refusal> {
        self.check_launch(id)?;
        let now = self.now;
        let Some(at) = self.subscriptions.offers.iter().position(|offer| offer.id == id) else { return Ok(()) };
        let mut offer = self.subscriptions.offers[at].clone();
        (offer.state, offer.launched) = ("Launched", Some(now));
        self.begin_step(&mut offer, "deliver", "Passed");
        self.world.coins.insert(offer.coin);
        self.world.pairs.insert(offer.pair);
        self.world.versions += 2;
        self.subscriptions.offers[at] = offer;
        Ok(())
    }

    /// Planned work of offerings: instant and number.
    pub(super) fn offering_dues(&self) -> impl Iterator<Item = (u64, u64)> {
        self.subscriptions.offers.iter().filter_map(|offer| Some((offer.due?, u64::from(offer.id))))
    }

    /// 6.2, N-3 to N-6: the next state, or one commitment of a step.
    pub(super) fn run_offering(&mut self, id: u64) {
        let Some(at) = self.subscriptions.offers.iter().position(|offer| u64::from(offer.id) == id) else { return };
        let mut offer = self.subscriptions.offers[at].clone();
        if let Some((step, mut left)) = offer.work.take() {
            let pledge = left.remove(0);
            self.settle(&offer, step, pledge);
            self.go_on(&mut offer, step, left);
        } else {
            match offer.state {
                "Upcoming" if self.now < offer.closes => {
                    self.fund(&mut offer);
                    offer.due = Some(offer.closes);
                }
                "Upcoming" => (offer.state, offer.due) = ("Cancelled", None),
                "Open" | "SoldOut" => {
                    offer.state = "Allocated";
                    self.begin_step(&mut offer, "allot", "Review");
                }
                "Allocated" => {
                    offer.state = "Cancelled";
                    self.begin_step(&mut offer, "return", "Passed");
                }
                _ => self.begin_step(&mut offer, "release", "Locked"),
            }
        }
        self.subscriptions.offers[at] = offer;
    }

    fn begin_step(&self, offer: &mut Offer, step: &'static str, state: &str) {
        let wanted = |pledge: &&Pledge| pledge.offer == offer.id && pledge.state == state;
        let ids = self.subscriptions.pledges.iter().filter(wanted).map(|pledge| pledge.id).collect();
        offer.due = Some(self.now);
        self.go_on(offer, step, ids);
    }

    /// Continues with the rest of a step, or with the next one.
    fn go_on(&self, offer: &mut Offer, step: &'static str, left: Vec<u64>) {
        if !left.is_empty() {
            offer.work = Some((step, left));
            return;
        }
        match step {
            "allot" => offer.due = Some(offer.closes + MONTH),
            "return" => offer.due = None,
            _ => {
                offer.tranches += usize::from(step == "release");
                let day = offer.launched.unwrap_or(0) / DAY;
                offer.due = offer.schedule.get(offer.tranches).map(|(days, _)| (day + days) * DAY);
                if offer.due.is_none() {
                    offer.state = "Ended";
                }
            }
        }
    }

    fn settle(&mut self, offer: &Offer, step: &str, id: u64) {
        let all: i128 = self.committed(offer.id).map(|pledge| offer.wanted(pledge.value)).sum();
        let Some(pledge) = self.subscriptions.pledges.iter_mut().find(|pledge| pledge.id == id) else { return };
        let (user, coin) = (pledge.user, pledge.coin);
        match step {
            "allot" => {
                let wanted = offer.wanted(pledge.value);
                pledge.tokens = if all <= offer.supply { wanted } else { offer.supply * wanted / all };
                let cost = up(pledge.tokens * offer.price, 10_i128.pow(10));
                pledge.charge = up(pledge.paid * cost, pledge.value);
                pledge.state = if pledge.tokens > 0 { "Passed" } else { "Refunded" };
                let back = pledge.paid - pledge.charge;
                self.pay_back(user, coin, back);
            }
            "return" => {
                let back = pledge.charge;
                (pledge.state, pledge.tokens, pledge.charge) = ("Refunded", 0, 0);
                self.pay_back(user, coin, back);
            }
            "deliver" => {
                pledge.state = "Locked";
                let (charge, tokens) = (pledge.charge, pledge.tokens);
                *self.world.pools.entry((ESCROW, coin)).or_default() -= charge;
                *self.world.pools.entry((HouseAccount::SubProceeds, coin)).or_default() += charge;
                *self.world.pools.entry((ESCROW, offer.coin)).or_default() -= tokens;
                self.add(user, Wallet::Spot, offer.coin, tokens);
            }
            _ => {
                let Some((_, share)) = offer.schedule.get(offer.tranches).copied() else { return };
                pledge.released = pledge.tokens * share / 100_000_000;
                if share == 100_000_000 {
                    pledge.state = "Released";
                }
            }
        }
    }

    fn pay_back(&mut self, user: u64, coin: u32, atoms: i128) {
        self.add(user, Wallet::Spot, coin, atoms);
        *self.world.pools.entry((ESCROW, coin)).or_default() -= atoms;
    }

    /// Tokens of a member: the total, and the locked part.
    pub fn tokens(&self, user: u64, coin: u32) -> (i128, i128) {
        let locked = self.subscriptions.pledges.iter().filter(|pledge| {
            let of_coin = self.subscriptions.offers.iter().any(|offer| offer.id == pledge.offer && offer.coin == coin);
            of_coin && pledge.user == user && pledge.state == "Locked"
        });
        let held: i128 = locked.map(|pledge| pledge.tokens - pledge.released).sum();
        (self.money.get(&(user, Wallet::Spot, coin)).copied().unwrap_or(0) - held, held)
    }

    /// I-8.
    pub(super) fn bound_by_subscriptions(&self, account: HouseAccount, coin: u32) -> i128 {
        if account != ESCROW {
            return 0;
        }
        let tokens = self.subscriptions.offers.iter().filter(|offer| offer.coin == coin).map(|offer| match offer.state {
            "Open" | "SoldOut" => offer.supply,
            "Allocated" if matches!(offer.work, Some(("allot", _))) => offer.supply,
            "Allocated" | "Launched" => self.committed(offer.id).filter(|one| one.state == "Passed").map(|one| one.tokens).sum(),
            _ => 0,
        });
        let payments = self.subscriptions.pledges.iter().filter(|pledge| pledge.coin == coin).map(|pledge| match pledge.state {
            "Review" => pledge.paid,
            "Passed" => pledge.charge,
            _ => 0,
        });
        tokens.sum::<i128>() + payments.sum::<i128>()
    }

    pub(super) fn subscription_summaries(&self) -> impl Iterator<Item = String> {
        let open = self.subscriptions.pledges.iter().filter(|pledge| matches!(pledge.state, "Review" | "Passed" | "Locked"));
        let offers = self.subscriptions.offers.iter().map(|offer| offer.summary(self.committed_value(offer.id)));
        offers.chain(open.map(Pledge::summary))
    }
}
