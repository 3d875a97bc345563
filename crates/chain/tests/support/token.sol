// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The least token that the tests of the watcher need. Its compiled form is token.hex, made by solc 0.8.37 with these settings:
/// optimizer on with 200 runs, evmVersion "paris", metadata.appendCBOR false.
contract Token {
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        balanceOf[msg.sender] = type(uint256).max;
        emit Transfer(address(0), msg.sender, type(uint256).max);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        balanceOf[msg.sender] -= value;
        unchecked {
            balanceOf[to] += value;
        }
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Two transfers in one transaction.
    function pay(address first, address second, uint256 value) external {
        transfer(first, value);
        transfer(second, value);
    }

    /// Ether that a contract sends along: an internal transfer.
    function forward(address payable to) external payable {
        (bool done, ) = to.call{value: msg.value}("");
        require(done);
    }
}
