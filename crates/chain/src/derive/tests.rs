//! The vectors of BIP-32 that need only public keys. Each key is followed by its child, the number of the child between them.

use super::{ExtendedKey, KeyError, XPUB};

const CHAINS: [(&str, u32, &str); 3] = [
    (
        "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
        1,
        "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
    ),
    (
        "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
        1_000_000_000,
        "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
    ),
    (
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
        0,
        "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
    ),
];

#[test]
fn children_are_those_of_the_published_vectors() {
    for (parent, number, child) in CHAINS {
        let (version, parent) = ExtendedKey::parse(parent).unwrap();
        assert_eq!(version, XPUB);
        // Depth, parent fingerprint, number, chain code and point: everything in the text.
        assert_eq!(parent.child(number).unwrap(), ExtendedKey::parse(child).unwrap().1);
    }
}

#[test]
fn a_hardened_child_needs_the_private_key() {
    let (_, parent) = ExtendedKey::parse(CHAINS[0].0).unwrap();
    assert_eq!(parent.child(1 << 31), Err(KeyError::Index));
    assert!(parent.child((1 << 31) - 1).is_ok());
}

#[test]
fn a_key_at_the_greatest_depth_has_no_children() {
    let (_, mut parent) = ExtendedKey::parse(CHAINS[0].0).unwrap();
    parent.depth = u8::MAX;
    assert_eq!(parent.child(0), Err(KeyError::Depth));
}
