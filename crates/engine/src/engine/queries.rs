//! Reading what the engine knows. Nothing here changes it.

use super::Engine;
use crate::amount::{Amount, Price};
use crate::backoffice::proposals::{Proposal, Proposed};
use crate::catalog::{Catalog, Wallet};
use crate::command::{Command, Mode, Request};
use crate::feature::Feature;
use crate::funding::deposits::{Claimed, Deposit, Deposits, Observation};
use crate::funding::destinations::{Address, Card};
use crate::funding::incidents::Incident;
use crate::funding::withdrawals::{Screen, Withdraw, Withdrawal, WithdrawalDay};
use crate::identity::status::Status;
use crate::identity::{Identity, KycLevel};
use crate::ids::{
    AddressId, AssetId, CardId, DepositId, Digest, MarketId, ObservationId, OperatorId, ProposalId, Seq, SubmissionId, UserId, WithdrawalId,
};
use crate::index::Index;
use crate::ledger::{Balance, HouseAccount};
use crate::liabilities::{CoinBalances, Cut};
use crate::listing::change::{CatalogChange, CatalogVersion};
use crate::operators::Operator;
use crate::operators::approval::{Approval, Reviewer};
use crate::operators::roles::Roles;
use crate::product::Product;
use crate::reject::Reject;
use crate::requests::{Earlier, MOST_KEYS};
use crate::security::{AccountControls, FreezeScope};
use crate::self_limits::SelfLimits;
use crate::spot::book::Book;
use crate::spot::{OrderRef, SpotOrder};
use crate::time::Time;
use crate::units::Grid;

impl Engine {
    /// Mode of the log.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// True if a command with other content was sent under this key, so this request would be refused.
    pub fn is_taken(&self, request: Request) -> bool {
        self.requests.is_taken(request)
    }

    /// True if this request was answered before, or its key was used for another.
    pub fn was_answered(&self, request: Request) -> bool {
        self.requests.knows(request.key)
    }

    /// The entry of the command that was sent under this key within 24 h.
    pub fn outcome(&self, key: u128) -> Option<Earlier> {
        self.requests.outcome(key)
    }

    /// True if a member may send a write under this key: a known key costs nothing more, and of others there are at most [`MOST_KEYS`]
    /// within 24 h, with some more for commands that only cancel, close, repay, secure, redeem or freeze.
    pub fn may_keep(&self, command: &Command, key: u128) -> bool {
        let member = command.member().and_then(|user| self.members.index(user));
        let kept = member.map_or(0, |member| self.requests.kept_of(member));
        kept < MOST_KEYS.saturating_add(command.spare_keys()) || self.requests.knows(key)
    }

    /// Why any new order of a member would be refused, for a pair if it is known.
    ///
    /// # Errors
    /// A pause or a freeze.
    pub fn may_trade(&self, user: UserId, market: Option<MarketId>) -> Result<(), Reject> {
        self.check_trading(self.member(user)?, market)
    }

    /// Number of the last entry; 0 before genesis.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Journal time: that of the last entry.
    pub fn time(&self) -> Time {
        self.time
    }

    /// The present catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Whether the member exists.
    pub fn is_member(&self, user: UserId) -> bool {
        self.members.index(user).is_some()
    }

    /// The highest member number in the log.
    pub fn newest_member(&self) -> Option<UserId> {
        self.members.list().iter().map(|member| member.user).max()
    }

    /// Balance of a wallet; `None` when the wallet does not admit the coin.
    pub fn balance(&self, user: UserId, wallet: Wallet, asset: AssetId) -> Option<Balance> {
        self.ledger.balance(self.members.index(user)?, wallet, self.ledger.asset(asset)?)
    }

    /// Balance of a house account other than the outside.
    pub fn house_balance(&self, account: HouseAccount, asset: AssetId) -> Amount {
        self.ledger.asset(asset).map_or(0, |asset| self.ledger.house(account, asset))
    }

    /// The index of a pair: its last sample and what feeds it.
    pub fn index(&self, market: MarketId) -> Option<&Index> {
        self.indices.get(market)
    }

    /// X-7 at journal time: the latest sample if it is fresh.
    pub fn fresh_price(&self, market: MarketId) -> Option<Price> {
        self.indices.fresh(market, self.time)
    }

    /// S-5: fresh index; for a pair without an index the last trade of the last full minute, before it the issue price.
    pub fn reference_price(&self, market: MarketId) -> Option<Price> {
        match self.indices.get(market) {
            Some(_) => self.fresh_price(market),
            None => self.spot.reference(market, self.time),
        }
    }

    /// S-5: the reference of a pair without an index before its first trade; `None` of one with an index.
    pub fn issue_price(&self, market: MarketId) -> Option<Price> {
        self.spot.issue_price(market)
    }

    /// Price of the last trade of a pair.
    pub fn last_trade(&self, market: MarketId) -> Option<Price> {
        self.spot.last_trade(market)
    }

    /// Book of a pair and its grid.
    pub fn book(&self, market: MarketId) -> Option<(&Book, &Grid)> {
        self.spot.book(market)
    }

    /// A member's order, live or recently finished.
    pub fn spot_order(&self, user: UserId, order: &OrderRef) -> Option<&SpotOrder> {
        self.spot.find(user, order)
    }

    /// A member's live orders, oldest first.
    pub fn live_spot_orders(&self, user: UserId) -> impl Iterator<Item = &SpotOrder> {
        self.members.index(user).into_iter().flat_map(|member| self.spot.live_of(member))
    }

    /// All members, in the order in which they joined.
    pub fn users(&self) -> impl Iterator<Item = UserId> {
        self.members.list().iter().map(|member| member.user)
    }

    /// The members that run the labelled house liquidity. What they have is public; the label exempts from nothing.
    pub fn house_members(&self) -> impl Iterator<Item = UserId> {
        self.members.house()
    }

    /// What everybody has of every coin now. Takes a moment for each member and coin.
    pub fn cut(&self) -> Cut {
        let users = self.members.list();
        let of = |(asset, coin)| {
            let totals = self.ledger.totals(coin).into_iter();
            let members = totals.filter_map(|(member, total)| Some((users.get(member.at())?.user, total)));
            CoinBalances { asset, came_in: self.ledger.came_in(coin), members: members.collect() }
        };
        let house = self.ledger.coins().flat_map(|(asset, coin)| {
            let of = move |account| (account, asset, self.ledger.house(account, coin));
            HouseAccount::POOLS.into_iter().map(of).filter(|(.., amount)| *amount > 0)
        });
        Cut { seq: self.seq, time: self.time, coins: self.ledger.coins().map(of).collect(), house: house.collect() }
    }

    /// Every coin that anybody can have: those listed, and those offered and not listed yet.
    pub fn coins(&self) -> impl Iterator<Item = AssetId> + '_ {
        self.ledger.coins().map(|(asset, _)| asset)
    }

    /// A member's fund password state, security hold, freezes and referral role; `None` for nobody.
    pub fn security(&self, user: UserId) -> Option<AccountControls> {
        self.members.index(user).map(|member| self.security.of(member))
    }

    /// A member's own limits; none for nobody.
    pub fn self_limits(&self, user: UserId) -> SelfLimits {
        self.members.index(user).map(|member| self.self_limits.of(member)).unwrap_or_default()
    }

    /// One level of a member, if they ever submitted it.
    pub fn identity(&self, user: UserId, level: KycLevel) -> Option<&Identity> {
        self.identities.of(self.members.index(user)?, level)
    }

    /// A submission that is the last of its level.
    pub fn submission(&self, id: SubmissionId) -> Option<&Identity> {
        self.identities.submission(id)
    }

    /// The highest verified level of a member.
    pub fn kyc_level(&self, user: UserId) -> Option<KycLevel> {
        self.verified_level(self.members.index(user)?)
    }

    /// A member's stored addresses, oldest first.
    pub fn addresses(&self, user: UserId) -> impl Iterator<Item = &Address> {
        self.funding.destinations.addresses_of(user)
    }

    /// One of a member's stored addresses.
    pub fn address(&self, user: UserId, id: AddressId) -> Option<&Address> {
        self.funding.destinations.address(user, id)
    }

    /// A member's stored bank cards, oldest first.
    pub fn cards(&self, user: UserId) -> impl Iterator<Item = &Card> {
        self.funding.destinations.cards_of(user)
    }

    /// One of a member's stored bank cards.
    pub fn card(&self, user: UserId, id: CardId) -> Option<&Card> {
        self.funding.destinations.card(user, id)
    }

    /// A deposit claim, open or recently decided.
    pub fn deposit(&self, id: DepositId) -> Option<&Deposit> {
        self.funding.deposits.get(id)
    }

    /// An observed payment that is not final.
    pub fn observation(&self, id: ObservationId) -> Option<&Observation> {
        self.funding.deposits.observation(id)
    }

    /// The observed payment with this key, if it is not final.
    pub fn observation_of(&self, tx: Digest) -> Option<&Observation> {
        self.funding.deposits.observation_of(tx)
    }

    /// A payment with this key is final and no longer here: it was credited, and nothing is said or done about it any more (D-3, D-7).
    pub fn is_final_payment(&self, tx: Digest) -> bool {
        self.funding.deposits.is_final(tx)
    }

    /// How many payments, bank references and payouts are final. Each keeps at most [`crate::funding::finals::FINAL_BYTES`].
    pub fn finals(&self) -> usize {
        let (credits, _) = self.funding.deposits.finals();
        credits.len().saturating_add(self.funding.withdrawals.finals().len())
    }

    /// All observed payments that are not final, oldest first.
    pub fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.funding.deposits.observations()
    }

    /// Those from this number on.
    pub fn observations_from(&self, first: ObservationId) -> impl Iterator<Item = &Observation> {
        self.funding.deposits.observations_from(first)
    }

    /// Credits that their chains contradict: all open incidents and the last closed ones, oldest first.
    pub fn incidents(&self) -> impl DoubleEndedIterator<Item = &Incident> {
        self.funding.deposits.incidents().all()
    }

    /// Atoms of a credit that two operators may take back now; `None` when it is final (D-7).
    pub fn reversible(&self, id: ObservationId) -> Option<Amount> {
        self.funding.deposits.reversible_part(id, self.time, self.active(Feature::Payments))
    }

    /// The last instant at which two operators may take back the mark of a sent withdrawal; `None` when it is final (W-8).
    pub fn unmark_until(&self, id: WithdrawalId) -> Option<Time> {
        self.funding.withdrawals.unmark_until(id).filter(|until| self.time <= *until)
    }

    /// A withdrawal, open or recently finished.
    pub fn withdrawal(&self, id: WithdrawalId) -> Option<&Withdrawal> {
        self.funding.withdrawals.get(id)
    }

    /// All withdrawals that wait for operators or for being sent.
    pub fn open_withdrawals(&self) -> impl Iterator<Item = &Withdrawal> {
        self.funding.withdrawals.open()
    }

    /// A member's accepted applications of the present UTC day (W-4, W-5).
    pub fn withdrawal_day(&self, user: UserId) -> WithdrawalDay {
        self.members.index(user).map(|member| self.funding.withdrawals.day(member, self.time)).unwrap_or_default()
    }

    /// Price of a coin in the coin of the bank terms: the latest sample of any age; 1 for that coin.
    pub fn value_price(&self, asset: AssetId) -> Option<Price> {
        self.latest_value_price(asset)
    }

    /// A proposal, open or recently finished.
    pub fn proposal(&self, id: ProposalId) -> Option<&Proposal> {
        self.operations.proposals.get(id)
    }

    /// All open and recently finished proposals, oldest first.
    pub fn proposals(&self) -> impl DoubleEndedIterator<Item = &Proposal> {
        self.operations.proposals.all()
    }

    /// An operator as the log knows them.
    pub fn operator(&self, id: OperatorId) -> Option<&Operator> {
        self.operators.get(id)
    }

    /// All operators that the log knows, by number.
    pub fn operators(&self) -> impl Iterator<Item = &Operator> {
        self.operators.all()
    }

    /// The roles of which one is needed to propose or confirm this.
    pub fn roles_of(&self, proposed: &Proposed) -> Roles {
        Roles::of_proposal(proposed, &self.operations.proposals)
    }

    /// Whether a change of the catalog acts a day after its confirmation at the earliest.
    pub fn acts_a_day_later(&self, change: &CatalogChange) -> bool {
        self.waits(change)
    }

    /// The approvals of a withdrawal that still count.
    pub fn counting_approvals(&self, withdrawal: &Withdrawal) -> Vec<Approval> {
        let changed = self.security(withdrawal.user).and_then(|security| security.changed);
        self.still_counting(&withdrawal.approvals, withdrawal.user, Roles::TREASURY, changed)
    }

    /// The approvals that still count, of those that take one of these roles and are about something of this owner; `changed`: the last change
    /// of the owner's security that ends them.
    pub fn still_counting(&self, approvals: &[Approval], owner: UserId, roles: Roles, changed: Option<Time>) -> Vec<Approval> {
        self.actor(Reviewer { operator: OperatorId(0), member: None }).counting(approvals, owner, roles, changed)
    }

    /// Every catalog change that ever acted, oldest first.
    pub fn catalog_versions(&self) -> &[CatalogVersion] {
        &self.operations.versions
    }

    /// What is paused now; a pair of `None` is the whole product.
    pub fn paused(&self) -> impl Iterator<Item = (Product, Option<MarketId>)> {
        self.operations.paused.iter().copied()
    }

    /// When a pair was retired.
    pub fn retired_at(&self, market: MarketId) -> Option<Time> {
        self.operations.retired_at(market)
    }

    /// When a pair will be retired, once two operators have agreed on it.
    pub fn retires_at(&self, market: MarketId) -> Option<Time> {
        self.operations.retires_at(market)
    }

    /// How many looks and acts without money are in the log.
    pub fn audited(&self) -> u64 {
        self.operations.audited
    }

    /// The guards of a new address that come before its coin (W-1), for a request that can become no command.
    ///
    /// # Errors
    /// What [`crate::command::Command::AddAddress`] would answer.
    pub fn check_address(&self, user: UserId) -> Result<(), Reject> {
        let security = self.security.of(self.members.index(user).ok_or(Reject::NotFound)?);
        security.freezes.check(self.time, FreezeScope::All)?;
        if security.fund_password.set { Ok(()) } else { Err(Reject::FundPasswordUnset) }
    }

    /// The guards of a new card that come before its fields (K-3), for a request that can become no command.
    ///
    /// # Errors
    /// What [`crate::command::Command::AddCard`] would answer.
    pub fn check_card(&self, user: UserId) -> Result<(), Reject> {
        let member = self.members.index(user).ok_or(Reject::NotFound)?;
        if self.active(Feature::FrozenCards) {
            self.security.check_freezes(member, self.time, FreezeScope::All)?;
        }
        if self.identities.status(member, KycLevel::Basic) == Status::Verified { Ok(()) } else { Err(Reject::KycBasic) }
    }

    /// The guards of a claim before the count of open ones (D-2, 10.2), for a request that can become no command.
    ///
    /// # Errors
    /// What [`crate::command::Command::ClaimDeposit`] would answer.
    pub fn check_claim(&self, user: UserId, claimed: Claimed) -> Result<(), Reject> {
        let member = self.members.index(user).ok_or(Reject::NotFound)?;
        self.check_open(claimed.product(), None, member)?;
        Deposits::check_claim(&self.catalog.funding, &self.ledger, claimed).map(drop)
    }

    /// The guards of a withdrawal before the fund password (W-3), for a request that can become no command.
    ///
    /// # Errors
    /// What [`crate::command::Command::Withdraw`] would answer.
    pub fn check_withdrawal(&self, wanted: &Withdraw) -> Result<(), Reject> {
        let member = self.members.index(wanted.user).ok_or(Reject::NotFound)?;
        let (security, level) = (self.security.of(member), self.verified_level(member));
        let Engine { catalog, ledger, funding, time, .. } = self;
        Screen { catalog, ledger, destinations: &funding.destinations, security: &security, level, now: *time }.check(wanted).map(drop)
    }
}
