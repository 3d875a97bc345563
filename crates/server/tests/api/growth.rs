//! How much disk an order takes. The manual states it ("Growth"), and operators of a venue plan with it.

use std::ops::Range;

use engine::amount::Price;
use engine::catalog::Wallet;
use engine::command::{Command, Request};
use engine::ids::{AssetId, MarketId, UserId};
use engine::reply::Reply;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use futures_util::future::join_all;

use crate::harness::{Server, on_threads};
use crate::people::Member;

/// Orders that are sent together, each of another member.
const MEMBERS: u64 = 8;
const ROUNDS: u64 = 500;
const MARKET: MarketId = MarketId(1);
const PRICE: Price = Price(10_000_000_000_000);

/// Bytes of the pages in use by journal and history. The server is stopped meanwhile, because it alone may open its journal.
async fn used(server: &mut Server) -> [u64; 2] {
    server.running.stop().await;
    let pages = "select (page_count - freelist_count) * page_size from pragma_page_count, pragma_freelist_count, pragma_page_size";
    let used = ["journal.db", "meridian.db"].map(|file| {
        let database = rusqlite::Connection::open(server.folder().join(file)).unwrap();
        u64::try_from(database.query_row(pages, [], |row| row.get::<_, i64>(0)).unwrap()).unwrap()
    });
    server.restart().await;
    used
}

async fn done(server: &Server, command: Command, key: u128) -> (u64, Reply) {
    let applied = server.running.app.sequencer.submit(command, Some(Request { key, content: 1 })).await.unwrap();
    let reply = applied.outcome.result.clone().unwrap();
    (applied.seq.0, reply)
}

/// Members with money, at a price.
async fn members(server: &Server) -> Vec<UserId> {
    done(server, Command::SandboxPrice { market: MARKET, price: PRICE }, 1).await;
    let mut members = Vec::new();
    for _ in 0..MEMBERS {
        let user = Member::quick(server, "").await.id;
        for (asset, amount) in [(AssetId(1), 1_000_000_000), (AssetId(3), 1_000_000_000_000)] {
            let key = u128::from(user.0) * 10 + u128::from(asset.0);
            done(server, Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount }, key).await;
        }
        members.push(user);
    }
    members
}

/// A key for what this member sends in a round.
fn key(round: u64, place: u64) -> u128 {
    u128::from(round * MEMBERS + place) << 64
}

async fn place(server: &Server, user: UserId, side: Side, key: u128) -> (u64, Reply) {
    let kind = OrderKind::Limit { price: PRICE, quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
    let order = PlaceSpotOrder { user, market: MARKET, side, kind, client_order_id: None };
    done(server, Command::PlaceSpotOrder(order), key).await
}

/// Sends so many rounds of orders, every second of which trades with the one before, and waits until their rows are written.
async fn trade(server: &Server, members: &[UserId], rounds: Range<u64>) {
    let mut last = 0;
    for round in rounds {
        let order = async |(at, user): (u64, &UserId)| {
            let side = if at % 2 == 0 { Side::Sell } else { Side::Buy };
            place(server, *user, side, key(round, at)).await.0
        };
        last = join_all((0..).zip(members).map(order)).await.into_iter().max().unwrap();
    }
    server.running.app.wait_for(last).await.unwrap();
}

/// The same with orders that rest and are cancelled.
async fn cancel(server: &Server, members: &[UserId], rounds: Range<u64>) {
    let mut last = 0;
    for round in rounds {
        let order = async |(at, user): (u64, &UserId)| {
            let (_, placed) = place(server, *user, Side::Sell, key(2 * round, at)).await;
            let Reply::SpotOrderPlaced(order) = placed else { panic!("{placed:?}") };
            done(server, Command::CancelSpotOrder { user: *user, order: OrderRef::Id(order) }, key(2 * round + 1, at)).await.0
        };
        last = join_all((0..).zip(members).map(order)).await.into_iter().max().unwrap();
    }
    server.running.app.wait_for(last).await.unwrap();
}

/// What each order takes of journal and history, once the first have been sent.
async fn taken(server: &mut Server, send: impl AsyncFn(&Server, &[UserId], Range<u64>)) -> [u64; 2] {
    let members = members(server).await;
    send(server, &members, 0..ROUNDS / 10).await;
    let before = used(server).await;
    send(server, &members, ROUNDS / 10..ROUNDS).await;
    let after = used(server).await;
    [0, 1].map(|at| (after[at] - before[at]) / (MEMBERS * (ROUNDS - ROUNDS / 10)))
}

#[test]
fn an_order_that_trades_takes_no_more_disk_than_the_manual_says() {
    on_threads(2, |mut server| async move {
        let [journal, history] = taken(&mut server, trade).await;
        println!("an order that trades takes {journal} bytes of the journal and {history} of the history");
        // Orders that come one by one share no group and take up to twice the journal.
        assert!((50..165).contains(&journal) && (700..1_150).contains(&history), "{journal} and {history} bytes");
    });
}

#[test]
fn an_order_that_rests_and_is_cancelled_takes_no_more_disk_than_the_manual_says() {
    on_threads(2, |mut server| async move {
        let [journal, history] = taken(&mut server, cancel).await;
        println!("an order that rests and is cancelled takes {journal} bytes of the journal and {history} of the history");
        assert!((100..280).contains(&journal) && (500..900).contains(&history), "{journal} and {history} bytes");
    });
}
