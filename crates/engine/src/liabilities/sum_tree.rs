//! A Merkle tree whose nodes carry sums. A leaf is `SHA-256(member ‖ nonce ‖ balance)`, a node `SHA-256(left ‖ left sum ‖ right ‖ right sum)`;
//! whole numbers have 8 bytes, big-endian. A leaf is made of 48 bytes and a node of 80, so neither can pass for the other. The shape is that
//! of RFC 9162: the left part of a tree holds the largest power of two below its size.

use sha2::{Digest as _, Sha256};

use super::nonce;
use crate::amount::Amount;
use crate::exact::Exact;
use crate::ids::{AssetId, Digest, UserId};

/// Leaves of one block. The tree keeps only the root of a block, and rebuilds the rest when a path is requested: a million members cost 16
/// MB a coin.
const BLOCK: usize = 256;
const SUMS: &str = "all that members have of a coin is below 10^18 (I-1)";

/// A hash and the sum of all leaves below it, atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its hash.
    pub hash: Digest,
    /// The sum.
    pub sum: Amount,
}

/// On which side of the node computed so far its sibling is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before it.
    Left,
    /// Behind it.
    Right,
}

/// One step from a leaf to the root.
pub type Step = (Side, Node);

impl Node {
    /// A member's leaf.
    pub fn leaf(user: UserId, nonce: &Digest, balance: Amount) -> Node {
        let mut hasher = Sha256::new();
        hasher.update(user.0.to_be_bytes());
        hasher.update(nonce.0);
        hasher.update(balance.to_be_bytes());
        Node { hash: Digest(hasher.finalize().into()), sum: balance }
    }

    /// The node over two others; `None` when no amount can hold their sum.
    fn over(left: Node, right: Node) -> Option<Node> {
        let sum = left.sum.checked_add(right.sum)?;
        let mut hasher = Sha256::new();
        for Node { hash, sum } in [left, right] {
            hasher.update(hash.0);
            hasher.update(sum.to_be_bytes());
        }
        Some(Node { hash: Digest(hasher.finalize().into()), sum })
    }

    /// The root of a tree without leaves: the hash of nothing.
    fn empty() -> Node {
        Node { hash: Digest(Sha256::digest([]).into()), sum: 0 }
    }
}

/// The root that a path leads to from a leaf; `None` when a sum on the way is none that an amount can hold.
pub fn fold(leaf: Node, path: &[Step]) -> Option<Node> {
    path.iter().try_fold(leaf, |below, (side, beside)| match side {
        Side::Left => Node::over(*beside, below),
        Side::Right => Node::over(below, *beside),
    })
}

/// The sides of the nodes on the path from a leaf in a tree with this many leaves, the nearest first; `None` when it has no such leaf.
pub fn sides(index: u64, leaves: u64) -> Option<Vec<Side>> {
    if index >= leaves {
        return None;
    }
    let (mut first, mut end, mut sides) = (0u64, leaves, Vec::new());
    while end.abs_diff(first) > 1 {
        let middle = first.plus(split(end.abs_diff(first)), SUMS);
        if index < middle {
            sides.push(Side::Right);
            end = middle;
        } else {
            sides.push(Side::Left);
            first = middle;
        }
    }
    sides.reverse();
    Some(sides)
}

/// The largest power of two below `size`, which is two or more.
fn split(size: u64) -> u64 {
    1 << size.saturating_sub(1).max(1).ilog2()
}

/// The two parts of a tree of two or more nodes.
fn halves(nodes: &[Node]) -> (&[Node], &[Node]) {
    let size = u64::try_from(nodes.len()).unwrap_or(u64::MAX);
    nodes.split_at(usize::try_from(split(size)).unwrap_or(usize::MAX))
}

fn root_over(nodes: &[Node]) -> Node {
    match nodes {
        [] => Node::empty(),
        [node] => *node,
        _ => {
            let (left, right) = halves(nodes);
            Node::over(root_over(left), root_over(right)).expect(SUMS)
        }
    }
}

/// The way from a node to the root over all of them, the nearest first.
fn path_to(mut nodes: &[Node], mut at: usize, path: &mut Vec<Step>) {
    let began = path.len();
    while nodes.len() > 1 {
        let (left, right) = halves(nodes);
        if at < left.len() {
            path.push((Side::Right, root_over(right)));
            nodes = left;
        } else {
            path.push((Side::Left, root_over(left)));
            at = at.less(left.len(), SUMS);
            nodes = right;
        }
    }
    path.get_mut(began..).unwrap_or_default().reverse();
}

/// The tree of one coin.
#[derive(Clone, Debug)]
pub struct SumTree {
    asset: AssetId,
    seed: Digest,
    /// Ordered by the hashes of the leaves: unpredictable, and different in every cut.
    leaves: Vec<(UserId, Amount)>,
    /// Roots of the blocks of leaves.
    blocks: Vec<Node>,
    root: Node,
}

/// A member's leaf and the way from it to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Index of the leaf.
    pub index: u64,
    /// Its blinding value.
    pub nonce: Digest,
    /// The leaf; its sum is the balance.
    pub leaf: Node,
    /// The way.
    pub path: Vec<Step>,
}

impl SumTree {
    /// The tree over these balances.
    pub(super) fn new(asset: AssetId, seed: Digest, members: Vec<(UserId, Amount)>) -> SumTree {
        let leaf = |(user, balance): (UserId, Amount)| (Node::leaf(user, &nonce(&seed, asset, user), balance), user);
        let mut ordered: Vec<(Node, UserId)> = members.into_iter().map(leaf).collect();
        ordered.sort_unstable_by_key(|(leaf, user)| (leaf.hash.0, user.0));
        let mut nodes = Vec::with_capacity(BLOCK);
        let blocks: Vec<Node> = ordered
            .chunks(BLOCK)
            .map(|block| {
                nodes.clear();
                nodes.extend(block.iter().map(|(leaf, _)| *leaf));
                root_over(&nodes)
            })
            .collect();
        let leaves = ordered.into_iter().map(|(leaf, user)| (user, leaf.sum)).collect();
        SumTree { asset, seed, leaves, root: root_over(&blocks), blocks }
    }

    /// Its coin.
    pub fn asset(&self) -> AssetId {
        self.asset
    }

    /// Leaves.
    pub fn users(&self) -> u64 {
        u64::try_from(self.leaves.len()).unwrap_or(u64::MAX)
    }

    /// The root; its sum is the total.
    pub fn root(&self) -> Node {
        self.root
    }

    /// A member's leaf and the path to the root; `None` for a member who has none of the coin. Reads every leaf.
    pub fn proven(&self, user: UserId) -> Option<Proven> {
        let at = self.leaves.iter().position(|(member, _)| *member == user)?;
        let block = at.checked_div(BLOCK)?;
        let in_block = at.checked_rem(BLOCK)?;
        let leaf = |(user, balance): &(UserId, Amount)| Node::leaf(*user, &nonce(&self.seed, self.asset, *user), *balance);
        let nodes: Vec<Node> = self.leaves.chunks(BLOCK).nth(block)?.iter().map(leaf).collect();
        let mut path = Vec::new();
        path_to(&nodes, in_block, &mut path);
        path_to(&self.blocks, block, &mut path);
        let index = u64::try_from(at).unwrap_or(u64::MAX);
        Some(Proven { index, nonce: nonce(&self.seed, self.asset, user), leaf: *nodes.get(in_block)?, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COIN: AssetId = AssetId(3);

    fn tree(members: u64) -> SumTree {
        SumTree::new(COIN, Digest([7; 32]), (1..=members).map(|user| (UserId(user), user * user)).collect())
    }

    #[test]
    fn every_leaf_of_trees_of_many_sizes_leads_to_the_root_and_its_sum() {
        for members in [1, 2, 3, 4, 5, 7, 8, 255, 256, 257, 512, 513, 800, 1_025] {
            let tree = tree(members);
            assert_eq!(tree.root().sum, (1..=members).map(|user| user * user).sum::<u64>());
            let mut places: Vec<u64> = Vec::new();
            for user in (1..=members).map(UserId) {
                let Proven { index, nonce, leaf, path } = tree.proven(user).unwrap();
                assert_eq!(leaf, Node::leaf(user, &nonce, user.0 * user.0));
                assert_eq!(fold(leaf, &path), Some(tree.root()), "member {} of {members}", user.0);
                assert_eq!(sides(index, members).unwrap(), path.iter().map(|(side, _)| *side).collect::<Vec<_>>());
                places.push(index);
            }
            places.sort_unstable();
            assert!(places.into_iter().eq(0..members), "each has a place of their own");
            assert_eq!(tree.proven(UserId(members + 1)), None);
            assert_eq!(sides(members, members), None);
        }
    }

    #[test]
    fn another_seed_gives_another_order_and_another_root_over_the_same_sum() {
        let members: Vec<_> = (1..=100).map(|user| (UserId(user), 5)).collect();
        let one = SumTree::new(COIN, Digest([1; 32]), members.clone());
        let two = SumTree::new(COIN, Digest([2; 32]), members.clone());
        assert_eq!(one.root().sum, two.root().sum);
        assert_ne!(one.root().hash, two.root().hash);
        assert_ne!(one.leaves, two.leaves);
        // The order of the input does not matter.
        let turned = SumTree::new(COIN, Digest([1; 32]), members.into_iter().rev().collect());
        assert_eq!(one.root(), turned.root());
    }

    #[test]
    fn a_path_whose_sums_no_amount_can_hold_leads_nowhere() {
        let leaf = Node::leaf(UserId(1), &Digest([0; 32]), 5);
        let beside = |sum| (Side::Left, Node { hash: Digest([1; 32]), sum });
        assert_eq!(fold(leaf, &[beside(u64::MAX - 5)]).map(|root| root.sum), Some(u64::MAX));
        assert_eq!(fold(leaf, &[beside(u64::MAX - 4)]), None);
    }

    #[test]
    fn a_tree_without_members_has_the_hash_of_nothing() {
        let root = tree(0).root();
        assert_eq!(root.sum, 0);
        assert_eq!(root.hash.0[..4], [0xe3, 0xb0, 0xc4, 0x42]);
    }
}
