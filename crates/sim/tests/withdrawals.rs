//! Withdrawals that come all at once: never more than three a day, never more than the balance, never without two operators.

use engine::Engine;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::funding::Chain;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::Event;
use engine::funding::status::WithdrawalStatus;
use engine::funding::withdrawals::{Destination, Verification, Withdraw};
use engine::identity::KycLevel;
use engine::ids::{AddressId, AssetId, Digest, OperatorId, Seq, UserId, WithdrawalId};
use engine::ledger::HouseAccount;
use engine::operators::approval::{Reviewer, SignedVersion};
use engine::reply::Reply;
use engine::security::FundPasswordChange;
use engine::time::{DAY_MS, Time};
use proptest::collection::vec;
use proptest::prelude::*;

const ANN: UserId = UserId(5);
const USDT: AssetId = AssetId(3);
const RIGHT: Verification = Verification { fund_password_right: true, code: None };

struct Fixture {
    engine: Engine,
    address: AddressId,
}

impl Fixture {
    /// A verified member with an address that is old enough and this much money.
    fn new(balance: u64) -> Fixture {
        let mut fixture = Fixture { engine: Engine::default(), address: AddressId(0) };
        let start = Time(20_000 * DAY_MS);
        fixture
            .run(start, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() })));
        fixture.run(start, Command::RegisterMember { user: ANN, house: false });
        fixture.run(start, Command::SetFundPassword { user: ANN, change: FundPasswordChange::First });
        let (document, content) = (Digest([1; 32]), Digest([2; 32]));
        let Some(Reply::Identity(papers)) =
            fixture.run(start, Command::SubmitIdentity { user: ANN, level: KycLevel::Basic, document, content })
        else {
            panic!("no submission")
        };
        fixture.decide(1, Item::Identity(papers.submission), papers.seen());
        let add = Command::AddAddress { user: ANN, asset: USDT, chain: Chain::Trc20, destination: Digest([3; 32]), verification: RIGHT };
        let Some(Reply::Address(address)) = fixture.run(start, add) else { panic!("no address") };
        fixture.address = address.id;
        let later = start.plus(DAY_MS);
        fixture.run(later, Command::SandboxFaucet { user: ANN, asset: USDT, wallet: Wallet::Spot, amount: balance });
        fixture
    }

    fn run(&mut self, time: Time, command: Command) -> Option<Reply> {
        let mut events: Vec<Event> = Vec::new();
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time: time.max(self.engine.time()), request: None, command };
        self.engine.apply(&entry, &mut events).result.ok()
    }

    fn decide(&mut self, operator: u32, item: Item, seen: SignedVersion) -> bool {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        let act = OperatorAct::Decide { item, decision: Decision::Approve, seen };
        self.run(Time(0), Command::Operate(Box::new(Operate { by, act }))).is_some()
    }

    fn withdraw(&mut self, amount: u64, right: bool) -> Option<WithdrawalId> {
        let destination = Destination::Address { address: self.address, chain: Chain::Trc20 };
        let verification = Verification { fund_password_right: right, code: None };
        match self.run(Time(0), Command::Withdraw(Withdraw { user: ANN, asset: USDT, amount, destination, verification, arrives: None })) {
            Some(Reply::Withdrawal(made)) => Some(made.id),
            _ => None,
        }
    }

    fn approve(&mut self, operator: u32, id: WithdrawalId) -> bool {
        let seen = self.engine.withdrawal(id).map(|paper| paper.seen());
        seen.is_some_and(|seen| self.decide(operator, Item::Withdrawal(id), seen))
    }

    fn total(&self) -> u64 {
        self.engine.balance(ANN, Wallet::Spot, USDT).map_or(0, |balance| balance.total())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// W-4, W-5, W-6: two hundred at the same instant. The held amount is the requested one, and the balance is never exceeded.
    #[test]
    fn two_hundred_at_once_never_exceed_the_balance_or_three_a_day(
        balance in 1_000_000_u64..20_000_000_000,
        amounts in vec(prop_oneof![1_u64..60_000_000, 10_000_000_u64..12_000_000_000, Just(u64::MAX)], 200),
        moves in any::<bool>(),
    ) {
        let mut fixture = Fixture::new(balance);
        let mut accepted: Vec<u64> = Vec::new();
        for (at, amount) in amounts.iter().enumerate() {
            if fixture.withdraw(*amount, true).is_some() {
                accepted.push(*amount);
            }
            if moves && at % 10 == 9 {
                fixture.run(Time(0), Command::Transfer { user: ANN, asset: USDT, from: Wallet::Spot, to: Wallet::Earn, amount: balance / 50 });
            }
            let held = fixture.engine.balance(ANN, Wallet::Spot, USDT).map_or(0, |balance| balance.held);
            prop_assert_eq!(held, accepted.iter().sum::<u64>());
            prop_assert_eq!(fixture.engine.check_invariants(), Ok(()));
        }
        prop_assert!(accepted.len() <= 3 && accepted.iter().sum::<u64>() <= balance.min(10_000_000_000));
        prop_assert_eq!(fixture.engine.withdrawal_day(ANN).count as usize, accepted.len());
    }

    /// W-7: whatever operators try in any order, money leaves exactly once and only after two different ones approved.
    #[test]
    fn money_leaves_once_and_only_after_two_different_operators(acts in vec((1_u32..4, 0..5_u8), 1..40)) {
        let mut fixture = Fixture::new(1_000_000_000);
        let Some(id) = fixture.withdraw(100_000_000, true) else { return Err(TestCaseError::fail("not accepted")) };
        let mut approved: Vec<u32> = Vec::new();
        for (operator, act) in acts {
            let open = fixture.engine.withdrawal(id).map(|paper| paper.status) == Some(WithdrawalStatus::UnderReview);
            match act {
                0..=2 => {
                    let done = fixture.approve(operator, id);
                    prop_assert_eq!(done, open && !approved.contains(&operator));
                    if done {
                        approved.push(operator);
                    }
                }
                3 => {
                    let by = Reviewer { operator: OperatorId(operator), member: None };
                    fixture.run(Time(0), Command::Operate(Box::new(Operate { by, act: OperatorAct::MarkSent { withdrawal: id, tx: Digest([4; 32]) } })));
                }
                _ => drop(fixture.run(Time(0), Command::CancelWithdrawal { user: ANN, withdrawal: id })),
            }
            let gone = approved.len() == 2;
            let fee = fixture.engine.house_balance(HouseAccount::Fee, USDT);
            prop_assert_eq!((fixture.total(), fee), if gone { (900_000_000, 1_000_000) } else { (1_000_000_000, 0) });
            prop_assert_eq!(fixture.engine.check_invariants(), Ok(()));
        }
    }

    /// between two right entries or ends of a lock at most five entries are checked.
    #[test]
    fn at_most_five_wrong_fund_passwords_are_checked_in_three_hours(tries in vec((0_u64..4_000_000, any::<bool>()), 1..120)) {
        let mut fixture = Fixture::new(1_000_000);
        let (mut wrong, mut until) = (0, Time(0));
        for (wait, right) in tries {
            let now = fixture.engine.time().plus(wait);
            let locked = now < until;
            let change = FundPasswordChange::Change { old_right: right };
            let done = fixture.run(now, Command::SetFundPassword { user: ANN, change }).is_some();
            prop_assert_eq!(done, right && !locked);
            if !locked {
                wrong = if right { 0 } else { wrong + 1 };
                if wrong == 5 {
                    (wrong, until) = (0, now.plus(3 * 3_600_000));
                }
            }
        }
    }

    /// W-1: the twenty-first address is refused, whatever was stored before.
    #[test]
    fn nobody_stores_more_than_twenty_addresses(digests in vec(1_u8..60, 1..60)) {
        let mut fixture = Fixture::new(1_000_000);
        let mut stored = vec![3];
        for byte in digests {
            let add = Command::AddAddress { user: ANN, asset: USDT, chain: Chain::Trc20, destination: Digest([byte; 32]), verification: RIGHT };
            let new = !stored.contains(&byte) && stored.len() < 20;
            prop_assert_eq!(fixture.run(Time(0), add).is_some(), new);
            if new {
                stored.push(byte);
            }
        }
        prop_assert_eq!(fixture.engine.addresses(ANN).count(), stored.len());
    }
}
