//! The Merkle tree of RFC 9162 (section 2.1) over the chain hashes of all entries: its root identifies the whole log, and a path of a few
//! dozen hashes proves that an entry is in it.
//!
//! A leaf is `SHA-256(0x00 || chain hash of the entry)`, a node `SHA-256(0x01 || left || right)`.

use sha2::{Digest, Sha256};

use crate::record::Hash;

/// Leaves per block. The tree keeps one hash of a full block, so a thousand million entries cost 250 MB of memory.
pub const BLOCK: u64 = 256;

/// The side on which a hash of a path joins the hash computed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before it.
    Left,
    /// After it.
    Right,
}

/// A proof that an entry is in the log of a head: hashes from the leaf up to the root.
pub type Path = Vec<(Side, Hash)>;

/// The leaf of an entry.
pub fn leaf(entry: &Hash) -> Hash {
    hash(&[&[0], entry])
}

/// The root that a path leads to from a leaf.
pub fn root_of(leaf: Hash, path: &[(Side, Hash)]) -> Hash {
    path.iter().fold(leaf, |below, (side, beside)| match side {
        Side::Left => node(beside, &below),
        Side::Right => node(&below, beside),
    })
}

fn node(left: &Hash, right: &Hash) -> Hash {
    hash(&[&[1], left, right])
}

fn hash(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// The largest power of two below `leaves`, which are two or more.
fn split(leaves: u64) -> u64 {
    1 << (leaves - 1).ilog2()
}

fn at(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Root over some leaves; without leaves, the hash of the empty string.
fn root_over(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => hash(&[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(at(split(leaves.len() as u64)));
            node(&root_over(left), &root_over(right))
        }
    }
}

/// The tree as it grows.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Roots of full blocks, then of pairs of them, of pairs of pairs, and so on.
    levels: Vec<Vec<Hash>>,
    /// Leaves after the last full block.
    rest: Vec<Hash>,
}

impl Tree {
    /// The tree of the full blocks with these roots.
    pub fn of_blocks(roots: impl IntoIterator<Item = Hash>) -> Tree {
        let mut tree = Tree::default();
        roots.into_iter().for_each(|root| tree.push_block(root));
        tree
    }

    /// Number of leaves.
    pub fn size(&self) -> u64 {
        self.blocks() * BLOCK + self.rest.len() as u64
    }

    /// Number of full blocks.
    pub fn blocks(&self) -> u64 {
        self.levels.first().map_or(0, |blocks| blocks.len() as u64)
    }

    /// Adds the entry with this chain hash. Returns the root of its block, if the block is now full.
    pub fn push(&mut self, entry: &Hash) -> Option<Hash> {
        self.rest.push(leaf(entry));
        if (self.rest.len() as u64) < BLOCK {
            return None;
        }
        let root = root_over(&std::mem::take(&mut self.rest));
        self.push_block(root);
        Some(root)
    }

    fn push_block(&mut self, mut root: Hash) {
        for height in 0.. {
            if self.levels.len() == height {
                self.levels.push(Vec::new());
            }
            let level = &mut self.levels[height];
            level.push(root);
            if !level.len().is_multiple_of(2) {
                return;
            }
            root = node(&level[level.len() - 2], &root);
        }
    }

    /// Root of the whole tree.
    pub fn root(&self) -> Hash {
        let whole: Result<Hash, std::convert::Infallible> = self.over(0, self.size(), &mut |_| Ok(self.rest.clone()));
        whole.unwrap_or_else(|never| match never {})
    }

    /// The path from a leaf to the root of the first `size` leaves. `entries` returns the chain hashes of a block other than the last.
    ///
    /// # Errors
    /// Those of `entries`; `None` when the tree has no such leaf or is smaller.
    pub fn path<E>(&self, leaf: u64, size: u64, mut entries: impl FnMut(u64) -> Result<Vec<Hash>, E>) -> Result<Option<Path>, E> {
        if leaf >= size || size > self.size() {
            return Ok(None);
        }
        let mut leaves = |block: u64| -> Result<Vec<Hash>, E> {
            if block == self.blocks() {
                return Ok(self.rest.clone());
            }
            Ok(entries(block)?.iter().map(self::leaf).collect())
        };
        let (mut first, mut end, mut path) = (0, size, Path::new());
        // From the root down; the leaf's own sibling comes last.
        while end - first > 1 {
            let middle = first + split(end - first);
            if leaf < middle {
                path.push((Side::Right, self.over(middle, end, &mut leaves)?));
                end = middle;
            } else {
                path.push((Side::Left, self.over(first, middle, &mut leaves)?));
                first = middle;
            }
        }
        path.reverse();
        Ok(Some(path))
    }

    /// Root over the leaves from `first` to before `end`, a range that the tree splits into.
    fn over<E>(&self, first: u64, end: u64, leaves: &mut impl FnMut(u64) -> Result<Vec<Hash>, E>) -> Result<Hash, E> {
        let count = end - first;
        if count.is_power_of_two() && count >= BLOCK {
            let level = &self.levels[at(u64::from((count / BLOCK).ilog2()))];
            return Ok(level[at(first / count)]);
        }
        if count <= BLOCK {
            let all = leaves(first / BLOCK)?;
            let from = at(first % BLOCK);
            return Ok(root_over(all.get(from..from + at(count)).unwrap_or_default()));
        }
        let middle = first + split(count);
        Ok(node(&self.over(first, middle, leaves)?, &self.over(middle, end, leaves)?))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn entries(count: u64) -> Vec<Hash> {
        (0..count).map(|number| hash(&[&number.to_be_bytes()])).collect()
    }

    fn hex(hash: Hash) -> String {
        hash.map(|byte| format!("{byte:02x}")).concat()
    }

    #[test]
    fn roots_are_those_of_the_standard() {
        // The root of no leaves is SHA-256 of the empty string. That of three was computed with another implementation.
        assert_eq!(hex(Tree::default().root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let mut tree = Tree::default();
        entries(3).iter().for_each(|entry| _ = tree.push(entry));
        assert_eq!(hex(tree.root()), THREE);
    }

    const THREE: &str = "cc23a6e05f95099459e4b62703c223236972a78997b072a65500b30e26bb6ef3";

    #[test]
    fn every_path_leads_to_the_root_of_every_size_and_from_no_other_leaf() {
        let all = entries(3 * BLOCK + 5);
        let mut tree = Tree::default();
        let mut roots = vec![tree.root()];
        let mut blocks = Vec::new();
        for entry in &all {
            blocks.extend(tree.push(entry));
            roots.push(tree.root());
            let naive: Vec<Hash> = all[..at(tree.size())].iter().map(leaf).collect();
            assert_eq!(tree.root(), root_over(&naive));
        }
        let block = |block: u64| -> Result<Vec<Hash>, Infallible> { Ok(all[at(block * BLOCK)..at((block + 1) * BLOCK)].to_vec()) };
        for size in (1..=tree.size()).filter(|size| size % 37 < 2 || size % BLOCK < 2 || *size == tree.size()) {
            for entry in (0..size).filter(|entry| entry % 19 < 2 || size - entry < 3) {
                let Ok(Some(path)) = tree.path(entry, size, block) else { panic!("{entry} of {size}") };
                assert_eq!(root_of(leaf(&all[at(entry)]), &path), roots[at(size)], "{entry} of {size}");
                assert_ne!(root_of(leaf(&all[at((entry + 1) % 773)]), &path), roots[at(size)], "{entry} of {size}");
                assert!(path.len() <= 10, "{}", path.len());
            }
        }
        assert_eq!(tree.path(5, 5, block), Ok(None));
        assert_eq!(tree.path(5, tree.size() + 1, block), Ok(None));
        // A restart knows the roots of full blocks and reads the entries after them again.
        let mut again = Tree::of_blocks(blocks);
        all[at(again.size())..].iter().for_each(|entry| _ = again.push(entry));
        assert_eq!((again.root(), again.size()), (tree.root(), tree.size()));
    }

    #[test]
    fn an_error_of_the_reader_is_handed_on() {
        let mut tree = Tree::default();
        entries(BLOCK + 1).iter().for_each(|entry| _ = tree.push(entry));
        assert_eq!(tree.path(3, BLOCK, |_| Err("gone")), Err("gone"));
    }
}
