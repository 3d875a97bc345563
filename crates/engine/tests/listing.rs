//! Coins and pairs that two operators list after genesis.

#![allow(clippy::unwrap_used, reason = "a state that cannot be reached has failed")]
use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::backoffice::proposals::status::Status;
use engine::catalog::funding::{Chain, Network};
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::Event;
use engine::feature::Feature;
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{AddressId, AssetId, Digest, MarketId, OperatorId, ProposalId, Seq, UserId};
use engine::ledger::Balance;
use engine::listing::change::{CatalogChange, FirstReference};
use engine::operators::approval::Reviewer;
use engine::reject::Reject;
use engine::reply::Reply;
use engine::security::FundPasswordChange;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{DAY_MS, Time};

const TOKEN: AssetId = AssetId(101);
const USDT: AssetId = AssetId(3);
const PAIR: MarketId = MarketId(101);
const WHY: Digest = Digest([7; 32]);

struct Venue(Engine);

impl Venue {
    fn new(members: u64) -> Venue {
        let mut venue = Venue(Engine::default());
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        venue.run(Command::Genesis(Box::new(genesis))).unwrap();
        for user in 1..=members {
            venue.run(Command::RegisterMember { user: UserId(user), house: false }).unwrap();
        }
        venue
    }

    fn run_at(&mut self, time: Time, command: Command) -> Result<Reply, Reject> {
        let mut events = Vec::new();
        let entry = Entry { seq: Seq(self.0.seq().0 + 1), time, request: None, command };
        self.0.apply(&entry, &mut events).result
    }

    fn run(&mut self, command: Command) -> Result<Reply, Reject> {
        self.run_at(self.0.time(), command)
    }

    fn act(&mut self, operator: u32, act: OperatorAct) -> Result<Reply, Reject> {
        self.run(Command::Operate(Box::new(Operate { by: Reviewer { operator: OperatorId(operator), member: None }, act })))
    }

    fn agree(&mut self, change: CatalogChange) -> Result<Status, Reject> {
        let proposed = Proposed::ChangeCatalog { change, effective: Time(0) };
        self.act(1, OperatorAct::Propose { proposed, reason: WHY })?;
        let id = ProposalId(self.0.seq().0);
        let hash = self.0.proposal(id).unwrap().hash();
        self.act(2, OperatorAct::Confirm { proposal: id, hash })?;
        Ok(self.0.proposal(id).unwrap().status)
    }

    fn list(&mut self) {
        assert_eq!(self.agree(CatalogChange::ListCoin(Box::new(token()))), Ok(Status::Done));
        let reference = FirstReference::IssuePrice(Price(50_000_000));
        assert_eq!(self.agree(CatalogChange::ListMarket { market: Box::new(pair()), reference }), Ok(Status::Done));
    }

    fn give(&mut self, user: u64, asset: AssetId, amount: u64) {
        self.run(Command::SandboxFaucet { user: UserId(user), asset, wallet: Wallet::Spot, amount }).unwrap();
    }

    fn order(&mut self, user: u64, side: Side, price: Price, quantity: u64) -> Result<Reply, Reject> {
        let kind = OrderKind::Limit { price, quantity, time_in_force: TimeInForce::GoodTillCancelled };
        self.run(Command::PlaceSpotOrder(PlaceSpotOrder { user: UserId(user), market: PAIR, side, kind, client_order_id: None }))
    }

    /// It holds all invariants, and a restart gives the same state.
    fn check(&mut self) {
        self.0.check_invariants().unwrap();
        let bytes = self.0.snapshot();
        self.0 = Engine::restore(&bytes).unwrap();
        assert_eq!(self.0.snapshot(), bytes);
        self.0.check_invariants().unwrap();
    }
}

fn token() -> Asset {
    let wallets = vec![Wallet::Spot, Wallet::Earn];
    Asset { id: TOKEN, code: "TOK".to_owned(), scale: 6, wallets, faucet_max: 1_000_000_000_000 }
}

fn pair() -> Market {
    Market {
        id: PAIR,
        symbol: "TOK/USDT".to_owned(),
        base: TOKEN,
        quote: USDT,
        tick: Price(10_000),
        step: 10_000,
        min_quantity: 10_000,
        max_quantity: 1_000_000_000_000,
        min_notional: 1_000_000,
        max_notional: 1_000_000_000_000,
        maker_fee: Rate(80_000),
        taker_fee: Rate(100_000),
        band_buy: (Rate(50_000_000), Rate(105_000_000)),
        band_sell: (Rate(95_000_000), Rate(200_000_000)),
    }
}

#[test]
fn a_listed_pair_trades_from_its_issue_price_on_and_survives_a_restart() {
    let mut venue = Venue::new(3);
    assert_eq!(venue.order(1, Side::Sell, Price(50_000_000), 20_000_000), Err(Reject::UnknownMarket));
    venue.list();
    venue.check();
    venue.give(1, TOKEN, 100_000_000);
    venue.give(2, USDT, 100_000_000);
    // The issue price is 0.5, so 0.4 is below the band of a sell.
    assert!(matches!(venue.order(1, Side::Sell, Price(40_000_000), 20_000_000), Err(Reject::Band { reference: Price(50_000_000), .. })));
    assert!(venue.order(1, Side::Sell, Price(52_000_000), 20_000_000).is_ok());
    venue.check();
    assert!(venue.order(2, Side::Buy, Price(52_000_000), 20_000_000).is_ok());
    venue.check();
    assert_eq!(venue.0.last_trade(PAIR), Some(Price(52_000_000)));
    // 20 tokens, less the fee of 0.1 %.
    let bought = venue.0.balance(UserId(2), Wallet::Spot, TOKEN);
    assert_eq!(bought, Some(Balance { available: 19_980_000, held: 0 }));
    assert_eq!(venue.0.balance(UserId(3), Wallet::Spot, TOKEN), Some(Balance::default()));
    assert_eq!(venue.0.balance(UserId(3), Wallet::Futures, TOKEN), None);
    // From now on the last trade is the reference.
    assert!(matches!(venue.order(1, Side::Sell, Price(49_000_000), 20_000_000), Err(Reject::Band { reference: Price(52_000_000), .. })));
}

#[test]
fn a_stop_is_refused_in_a_pair_that_no_sample_triggers() {
    let mut venue = Venue::new(1);
    let stop = |market| {
        let kind = OrderKind::StopLimit {
            stop: Price(40_000_000),
            price: Price(48_000_000),
            quantity: 20_000_000,
            time_in_force: TimeInForce::GoodTillCancelled,
        };
        Command::PlaceSpotOrder(PlaceSpotOrder { user: UserId(1), market, side: Side::Sell, kind, client_order_id: None })
    };
    assert_eq!(venue.run(stop(PAIR)), Err(Reject::UnknownMarket));
    venue.list();
    venue.give(1, TOKEN, 100_000_000);
    assert_eq!(venue.run(stop(PAIR)), Err(Reject::OrderType));
    assert_ne!(venue.run(stop(MarketId(1))), Err(Reject::OrderType), "a pair with an index");
    venue.check();
}

/// A verified member with an address of the token that is a day old.
fn withdrawing(venue: &mut Venue) -> AddressId {
    let (user, chain) = (UserId(1), Chain::Trc20);
    let (deposit_min, withdraw_min, withdraw_fee) = (1_000_000, 2_000_000, 1_000_000);
    let (confirmations, deposit_on, withdraw_on) = (20, true, true);
    let network = Network { asset: TOKEN, chain, deposit_min, confirmations, withdraw_min, withdraw_fee, deposit_on, withdraw_on };
    assert_eq!(venue.agree(CatalogChange::Network(network)), Ok(Status::Done));
    venue.run(Command::SetFundPassword { user, change: FundPasswordChange::First }).unwrap();
    let submit = Command::SubmitIdentity { user, level: KycLevel::Basic, document: WHY, content: WHY };
    let Ok(Reply::Identity(papers)) = venue.run(submit) else { panic!("no papers") };
    let (item, seen) = (Item::Identity(papers.submission), papers.seen());
    venue.act(1, OperatorAct::Decide { item, decision: Decision::Approve, seen }).unwrap();
    let verification = Verification { fund_password_right: true, code: None };
    let Ok(Reply::Address(address)) = venue.run(Command::AddAddress { user, asset: TOKEN, chain, destination: WHY, verification }) else {
        panic!("no address")
    };
    venue.run_at(venue.0.time().plus(DAY_MS), Command::Clock).unwrap();
    address.id
}

#[test]
fn a_coin_without_an_index_is_withdrawn_at_the_higher_of_its_issue_price_and_its_last_trade_also_after_its_pair_ended() {
    let mut venue = Venue::new(2);
    venue.list();
    let address = withdrawing(&mut venue);
    venue.give(1, TOKEN, 100_000_000_000);
    venue.give(2, USDT, 100_000_000);
    let withdraw = |venue: &mut Venue, amount| {
        let verification = Verification { fund_password_right: true, code: None };
        let destination = Destination::Address { address, chain: Chain::Trc20 };
        let wanted = Withdraw { user: UserId(1), asset: TOKEN, amount, destination, verification, arrives: None };
        venue.run(Command::Withdraw(wanted)).map(|_| venue.0.withdrawal_day(UserId(1)).value)
    };
    let trade = |venue: &mut Venue, price| {
        venue.order(1, Side::Sell, price, 20_000_000).unwrap();
        venue.order(2, Side::Buy, price, 20_000_000).unwrap();
    };
    assert_eq!(withdraw(&mut venue, 20_000_000), Err(Reject::PriceStale));
    venue.run(Command::Activate(Feature::ProductCorrections)).unwrap();
    assert_eq!(venue.0.value_price(TOKEN), None, "what needs an index has none");
    // The issue price is 0.5. A lower trade does not widen the limit of 10,000 USDT.
    trade(&mut venue, Price(48_000_000));
    assert!(matches!(withdraw(&mut venue, 20_000_000_001), Err(Reject::WithdrawLimit { left: 10_000_000_000, .. })));
    assert_eq!(withdraw(&mut venue, 20_000_000), Ok(10_000_000));
    trade(&mut venue, Price(50_000_000));
    trade(&mut venue, Price(52_000_000));
    assert_eq!(withdraw(&mut venue, 20_000_000), Ok(20_400_000));
    venue.check();
    let at = venue.0.time().plus(2 * DAY_MS);
    let proposed = Proposed::RetireMarket { market: PAIR, at };
    venue.act(1, OperatorAct::Propose { proposed, reason: WHY }).unwrap();
    let id = ProposalId(venue.0.seq().0);
    let hash = venue.0.proposal(id).unwrap().hash();
    venue.act(2, OperatorAct::Confirm { proposal: id, hash }).unwrap();
    venue.run_at(at, Command::Clock).unwrap();
    assert!(venue.0.retired_at(PAIR).is_some());
    assert_eq!(withdraw(&mut venue, 20_000_000), Ok(10_400_000));
    venue.check();
}

#[test]
fn trades_between_two_accounts_move_a_coin_without_an_index_by_one_band_a_minute_and_its_withdrawals_little() {
    let mut venue = Venue::new(2);
    venue.run_at(Time(20_000 * DAY_MS), Command::Clock).unwrap();
    venue.list();
    venue.run(Command::Activate(Feature::ProductCorrections)).unwrap();
    venue.give(1, TOKEN, 1_000_000_000);
    venue.give(2, USDT, 1_000_000_000);
    let trade = |venue: &mut Venue, price, quantity| {
        venue.order(1, Side::Sell, price, quantity)?;
        venue.order(2, Side::Buy, price, quantity)
    };
    // Five USDT each, within one instant.
    assert!(trade(&mut venue, Price(52_500_000), 10_000_000).is_ok());
    assert!(trade(&mut venue, Price(55_120_000), 10_000_000).is_ok());
    assert_eq!((venue.0.reference_price(PAIR), venue.0.limit_price(TOKEN)), (Some(Price(55_120_000)), Some(Price(55_120_000))));
    venue.run(Command::Activate(Feature::RiskBounds)).unwrap();
    venue.check();
    assert_eq!((venue.0.reference_price(PAIR), venue.0.limit_price(TOKEN)), (Some(Price(55_120_000)), Some(Price(55_120_000))));
    assert!(trade(&mut venue, Price(57_870_000), 10_000_000).is_ok());
    assert_eq!(venue.0.reference_price(PAIR), Some(Price(55_120_000)), "the minute is not over");
    assert!(matches!(venue.order(2, Side::Buy, Price(57_880_000), 10_000_000), Err(Reject::Band { .. })));
    venue.check();
    let next_minute = Time((venue.0.time().0 / 60_000 + 1) * 60_000);
    venue.run_at(Time(next_minute.0 - 1), Command::Clock).unwrap();
    assert_eq!(venue.0.reference_price(PAIR), Some(Price(55_120_000)));
    venue.run_at(next_minute, Command::Clock).unwrap();
    assert_eq!(venue.0.reference_price(PAIR), Some(Price(57_870_000)));
    assert!(trade(&mut venue, Price(60_760_000), 10_000_000).is_ok());
    // Ten each at 0.5787 and 0.6076.
    assert_eq!(venue.0.limit_price(TOKEN), Some(Price(59_315_000)));
    // A pair that is listed later has the same rule from its first trade on.
    let mut later = Venue::new(2);
    later.run_at(Time(20_000 * DAY_MS), Command::Clock).unwrap();
    later.run(Command::Activate(Feature::RiskBounds)).unwrap();
    later.list();
    later.give(1, TOKEN, 1_000_000_000);
    later.give(2, USDT, 1_000_000_000);
    assert!(trade(&mut later, Price(52_500_000), 10_000_000).is_ok());
    assert_eq!(later.0.reference_price(PAIR), Some(Price(50_000_000)), "the issue price until a minute is over");
    later.check();
}

#[test]
fn a_token_costs_cells_for_its_holders_and_none_for_other_members() {
    let mut venue = Venue::new(5_000);
    let before = venue.0.snapshot().len();
    venue.list();
    let listed = venue.0.snapshot().len() - before;
    for holder in 1..=100 {
        venue.give(holder * 50, TOKEN, 100_000_000);
    }
    let held = venue.0.snapshot().len() - before - listed;
    assert!(listed < 1_000, "a token without holders takes {listed} bytes");
    assert!(held < 100 * 12, "100 holders take {held} bytes");
    // A member who gives the last atom away has no cell any more.
    for holder in 1..=100 {
        let transfer =
            Command::Transfer { user: UserId(holder * 50), asset: TOKEN, from: Wallet::Spot, to: Wallet::Earn, amount: 100_000_000 };
        venue.run(transfer).unwrap();
    }
    assert_eq!(venue.0.snapshot().len() - before - listed, held);
    venue.check();
}

#[test]
fn a_pair_with_an_index_is_listed_a_day_later_and_is_priced_by_its_sources() {
    let mut venue = Venue::new(1);
    venue.agree(CatalogChange::ListCoin(Box::new(token()))).unwrap();
    let sources = ["alder", "birch", "cedar"].map(str::to_owned).to_vec();
    let change = CatalogChange::ListMarket { market: Box::new(pair()), reference: FirstReference::Index { tick: Price(10_000), sources } };
    assert_eq!(venue.agree(change), Ok(Status::Confirmed));
    let day_later = venue.0.time().plus(DAY_MS);
    venue.run_at(Time(day_later.0 - 1), Command::Clock).unwrap();
    assert_eq!(venue.0.catalog().market(PAIR), None);
    venue.run_at(day_later, Command::Clock).unwrap();
    venue.check();
    venue.run(Command::SandboxPrice { market: PAIR, price: Price(60_000_000) }).unwrap();
    assert_eq!(venue.0.reference_price(PAIR), Some(Price(60_000_000)));
    venue.check();
}

#[test]
fn a_coin_is_not_listed_whose_smallest_order_is_eaten_by_its_fee() {
    let whole = |wallets: &[Wallet]| Asset { scale: 0, wallets: wallets.to_vec(), ..token() };
    let listed = |min_quantity, min_notional, taker_fee| {
        let market = Market { step: 1, tick: Price(100_000_000), min_quantity, min_notional, taker_fee: Rate(taker_fee), ..pair() };
        let market = Market { maker_fee: Rate(0), ..market };
        CatalogChange::ListMarket { market: Box::new(market), reference: FirstReference::IssuePrice(Price(10_000_000_000)) }
    };
    let mut venue = Venue::new(2);
    venue.agree(CatalogChange::ListCoin(Box::new(whole(&[Wallet::Spot])))).unwrap();
    let mut before = Venue(Engine::restore(&venue.0.snapshot()).unwrap());
    venue.run(Command::Activate(Feature::RiskBounds)).unwrap();
    // 0.1 % of 999 coins is less than one, and of 999 atoms of USDT too.
    for refused in [listed(1, 1_000_000, 100_000), listed(999, 1_000_000, 100_000), listed(1_000, 999, 100_000)] {
        assert_eq!(venue.agree(refused), Err(Reject::BadCatalog));
    }
    assert_eq!(venue.agree(listed(1_000, 1_000, 100_000)), Ok(Status::Done));
    venue.check();
    // Before, one coin for 100 USDT was bought, and was its own fee.
    before.agree(listed(1, 1_000_000, 100_000)).unwrap();
    before.give(1, TOKEN, 10);
    before.give(2, USDT, 100_000_000);
    before.order(1, Side::Sell, Price(10_000_000_000), 1).unwrap();
    before.order(2, Side::Buy, Price(10_000_000_000), 1).unwrap();
    assert_eq!(before.0.balance(UserId(2), Wallet::Spot, TOKEN), Some(Balance { available: 0, held: 0 }));
    // A pair without fees has no smallest order for them.
    let mut free = Venue::new(1);
    free.run(Command::Activate(Feature::RiskBounds)).unwrap();
    free.agree(CatalogChange::ListCoin(Box::new(whole(&[Wallet::Spot])))).unwrap();
    assert_eq!(free.agree(listed(1, 1, 0)), Ok(Status::Done));
}

#[test]
fn a_coin_whose_atoms_are_too_coarse_is_not_converted() {
    let mut venue = Venue::new(1);
    venue.run(Command::Activate(Feature::Conversions)).unwrap();
    venue.agree(CatalogChange::ListCoin(Box::new(Asset { scale: 2, ..token() }))).unwrap();
    let market = Market { tick: Price(1_000_000), step: 1, min_quantity: 10_000, ..pair() };
    let sources = ["alder", "birch", "cedar"].map(str::to_owned).to_vec();
    let reference = FirstReference::Index { tick: Price(1), sources };
    venue.agree(CatalogChange::ListMarket { market: Box::new(market), reference }).unwrap();
    venue.run_at(venue.0.time().plus(DAY_MS), Command::Clock).unwrap();
    // Its atom is worth 0.01 USDT, a thousandth of the smallest conversion, then one part in 10^8 more.
    venue.run(Command::SandboxPrice { market: PAIR, price: Price(100_000_001) }).unwrap();
    assert_eq!(venue.0.check_conversion_coins(TOKEN, USDT), Ok(()));
    venue.run(Command::Activate(Feature::RiskBounds)).unwrap();
    assert_eq!(venue.0.check_conversion_coins(TOKEN, USDT), Err(Reject::BadAsset));
    assert_eq!(venue.0.check_conversion_coins(USDT, TOKEN), Err(Reject::BadAsset));
    venue.run(Command::SandboxPrice { market: PAIR, price: Price(100_000_000) }).unwrap();
    assert_eq!(venue.0.check_conversion_coins(TOKEN, USDT), Ok(()));
    for other in [1, 2, 4] {
        assert_eq!(venue.0.check_conversion_coins(AssetId(other), USDT), Ok(()));
    }
}

#[test]
fn what_is_listed_twice_or_misnamed_is_refused() {
    let mut venue = Venue::new(1);
    let coin = |change: &dyn Fn(&mut Asset)| {
        let mut coin = token();
        change(&mut coin);
        CatalogChange::ListCoin(Box::new(coin))
    };
    let market = |change: &dyn Fn(&mut Market)| {
        let mut market = pair();
        change(&mut market);
        CatalogChange::ListMarket { market: Box::new(market), reference: FirstReference::IssuePrice(Price(50_000_000)) }
    };
    assert_eq!(venue.agree(market(&|_| {})), Err(Reject::BadAsset));
    for refused in [
        coin(&|coin| coin.id = AssetId(1)),
        coin(&|coin| coin.id = AssetId(0)),
        coin(&|coin| coin.code = "BTC".to_owned()),
        coin(&|coin| coin.code = "tok".to_owned()),
        coin(&|coin| coin.scale = 9),
        coin(&|coin| coin.wallets = vec![Wallet::Earn]),
        coin(&|coin| coin.wallets = vec![Wallet::Spot, Wallet::Spot]),
    ] {
        assert_eq!(venue.agree(refused.clone()), Err(Reject::BadCatalog), "{refused:?}");
    }
    venue.list();
    assert_eq!(venue.agree(coin(&|_| {})), Err(Reject::BadCatalog));
    for refused in [
        market(&|_| {}),
        market(&|market| market.id = MarketId(1)),
        market(&|market| (market.id, market.symbol) = (MarketId(102), "TOK/BTC".to_owned())),
        market(&|market| (market.id, market.quote) = (MarketId(102), TOKEN)),
        market(&|market| {
            (market.id, market.symbol) = (MarketId(102), "USDT/TOK".to_owned());
            (market.base, market.quote, market.step) = (USDT, TOKEN, 1);
        }),
    ] {
        assert_eq!(venue.agree(refused.clone()), Err(Reject::BadCatalog), "{refused:?}");
    }
    venue.check();
}

#[test]
fn two_proposals_of_one_coin_list_it_once() {
    let mut venue = Venue::new(1);
    let change = CatalogChange::ListCoin(Box::new(token()));
    let propose = |effective| OperatorAct::Propose { proposed: Proposed::ChangeCatalog { change: change.clone(), effective }, reason: WHY };
    let mut ids = Vec::new();
    for effective in [Time(1_000), Time(1_001)] {
        venue.act(1, propose(effective)).unwrap();
        let id = ProposalId(venue.0.seq().0);
        let hash = venue.0.proposal(id).unwrap().hash();
        venue.act(2, OperatorAct::Confirm { proposal: id, hash }).unwrap();
        ids.push(id);
    }
    venue.run_at(Time(2_000), Command::Clock).unwrap();
    let found = |id| venue.0.proposal(id).map(|proposal| (proposal.status, proposal.refused.clone())).unwrap();
    assert_eq!(found(ids[0]), (Status::Done, None));
    assert_eq!(found(ids[1]), (Status::Refused, Some(Reject::BadCatalog)));
    assert_eq!(venue.0.catalog().assets.iter().filter(|asset| asset.id == TOKEN).count(), 1);
    let mut events: Vec<Event> = Vec::new();
    venue.0.apply(&Entry { seq: Seq(venue.0.seq().0 + 1), time: Time(2_000), request: None, command: Command::Clock }, &mut events);
    assert_eq!(events, []);
}
