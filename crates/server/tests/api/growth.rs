//! How much disk an order takes. The manual states it ("Growth"), and operators of a venue plan with it.

use engine::amount::Price;
use engine::catalog::Wallet;
use engine::command::{Command, Request};
use engine::ids::{AssetId, MarketId, UserId};
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use futures_util::future::join_all;

use crate::harness::{Server, on_threads};
use crate::people::Member;

/// Orders that are sent together, each of another member: every second trades with the one before.
const MEMBERS: u64 = 8;
const ROUNDS: u64 = 500;
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

async fn done(server: &Server, command: Command, key: u128) -> u64 {
    let applied = server.running.app.sequencer.submit(command, Some(Request { key, content: 1 })).await.unwrap();
    applied.outcome.result.unwrap();
    applied.seq.0
}

/// Sends so many rounds of orders, and waits until their rows are written.
async fn trade(server: &Server, members: &[UserId], rounds: std::ops::Range<u64>) {
    let mut last = 0;
    for round in rounds {
        let order = |(place, user): (u64, &UserId)| {
            let kind = OrderKind::Limit { price: PRICE, quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
            let side = if place % 2 == 0 { Side::Sell } else { Side::Buy };
            let place_order = PlaceSpotOrder { user: *user, market: MarketId(1), side, kind, client_order_id: None };
            done(server, Command::PlaceSpotOrder(place_order), u128::from(round * MEMBERS + place) << 64)
        };
        last = join_all((0..).zip(members).map(order)).await.into_iter().max().unwrap();
    }
    server.running.app.wait_for(last).await.unwrap();
}

#[test]
fn an_order_that_trades_takes_no_more_disk_than_the_manual_says() {
    on_threads(2, |mut server| async move {
        done(&server, Command::SandboxPrice { market: MarketId(1), price: PRICE }, 1).await;
        let mut members = Vec::new();
        for _ in 0..MEMBERS {
            let user = Member::quick(&server, "").await.id;
            for (asset, amount) in [(AssetId(1), 1_000_000_000), (AssetId(3), 1_000_000_000_000)] {
                let key = u128::from(user.0) * 10 + u128::from(asset.0);
                done(&server, Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount }, key).await;
            }
            members.push(user);
        }
        trade(&server, &members, 0..ROUNDS / 10).await;
        let before = used(&mut server).await;
        trade(&server, &members, ROUNDS / 10..ROUNDS).await;
        let after = used(&mut server).await;
        let orders = MEMBERS * (ROUNDS - ROUNDS / 10);
        let [journal, history] = [0, 1].map(|at| (after[at] - before[at]) / orders);
        println!("an order that trades takes {journal} bytes of the journal and {history} of the history");
        // Orders that come one by one share no group and take up to twice the journal.
        assert!((50..165).contains(&journal) && (700..1_150).contains(&history), "{journal} and {history} bytes");
    });
}
