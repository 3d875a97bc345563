//! The topics of notices, with their kind on the wire and the name of their texts.

/// The topic of a notice. Its texts are `notice.<name>.title` and `notice.<name>.text` of the locale files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The log-in password was changed.
    Password,
    /// The mail address was changed.
    Email,
    /// A change of the mail address was stopped; `to`.
    EmailRestored,
    /// A log-in from a device that was not seen before; `device`, `address`.
    NewDevice,
    /// Two-factor log-in was switched on.
    TotpOn,
    /// Two-factor log-in was switched off.
    TotpOff,
    /// Withdrawals will ask for no code.
    WithdrawCodeOff,
    /// New recovery codes were made.
    RecoveryCodes,
    /// A recovery code was used; `left`.
    RecoveryUsed,
    /// Support answered a ticket.
    TicketAnswered,
    /// Support wrote in the chat.
    ChatAnswered,
    /// An operator froze the account; `reason`.
    Frozen,
    /// Two operators lifted a freeze.
    Unfrozen,
    /// The fund password was set, changed or reset.
    FundPassword,
    /// A reset of the fund password waits for an operator.
    FundResetAsked,
    /// A reset of the fund password was refused; `reason`.
    FundResetRejected,
    /// The phone was changed; `to`.
    Phone,
    /// A withdrawal address was stored.
    AddressAdded,
    /// A bank card was stored.
    CardAdded,
    /// A deposit was credited; `amount`, `coin`.
    DepositCredited,
    /// A deposit claim was rejected; `amount`, `coin`.
    DepositRejected,
    /// The network dropped a credited deposit (D-7); `amount`, `coin`, and `taken`, the part that was reversed.
    DepositReversed,
    /// The network holds less than was credited (D-7); `amount`, `coin`, and `taken`, the part that was reversed.
    DepositCorrected,
    /// A withdrawal was applied for; `amount`, `coin`.
    WithdrawalAsked,
    /// Two operators approved a withdrawal; `amount`, `coin`.
    WithdrawalPassed,
    /// A withdrawal was sent; `amount`, `coin`.
    WithdrawalSent,
    /// A withdrawal was marked as sent and was not; `amount`, `coin`.
    WithdrawalUnmarked,
    /// A withdrawal was rejected; `amount`, `coin`.
    WithdrawalRejected,
    /// A withdrawal could not be sent and came back; `amount`, `coin`.
    WithdrawalReturned,
    /// The basic level is verified.
    BasicVerified,
    /// The advanced level is verified.
    AdvancedVerified,
    /// A submission was rejected, or a level revoked.
    IdentityRejected,
    /// A price rose to the level of an alert; `symbol`, `price`.
    AlertAbove,
    /// A price fell to the level of an alert; `symbol`, `price`.
    AlertBelow,
    /// A buy order that had waited was filled; `symbol`, `amount`, `coin`, its average `price` in `quote`.
    OrderBought,
    /// A sell order that had waited was filled; the same.
    OrderSold,
    /// An order was cancelled by self-trade prevention (S-7); `symbol`, what was `filled` of `amount`, `coin`.
    OrderMet,
    /// An order ended with its pair (0.6); the same.
    OrderRetired,
    /// An order of a contract that waited became a position; `symbol`, `price`, its margin `amount`, `coin`.
    ContractOpened,
    /// A position closed at its take-profit; `symbol`, `price`, the returned `amount`, `coin`.
    ContractTakeProfit,
    /// A position closed at its stop-loss; the same.
    ContractStopLoss,
    /// A position was liquidated (C-9); the same.
    ContractLiquidated,
    /// A position won its cap (C-6); the same.
    ContractProfitCap,
    /// A position was closed to save the pool (4.9); the same.
    ContractDeleveraged,
    /// A position ended with its pair (0.6); the same.
    ContractRetired,
    /// An order of a contract waited for 30 days; `symbol`, the released `amount`, `coin`.
    ContractExpired,
    /// An order of a contract reached its limit and could not be opened (4.7); the same.
    ContractRefused,
    /// An order of a contract ended with its pair (0.6); the same.
    ContractOrderRetired,
    /// An option won; `symbol`, its payout `amount`, `coin`.
    OptionWon,
    /// An option lost; `symbol`, its stake and fee as `amount`, `coin`. Older rows have another name and only the stake.
    OptionLost,
    /// An option got its stake back; `symbol`, `amount`, `coin`.
    OptionPushed,
    /// An option got stake and fee back; the same.
    OptionRefunded,
    /// A loan was paid out; `amount`, `coin`.
    LoanPaidOut,
    /// An operator rejected a loan; `amount`, `coin`.
    LoanRejected,
    /// A loan was not decided in time, or its collateral was no longer enough; `amount`, `coin`.
    LoanNotGranted,
    /// The collateral of a loan lost so much value that its liquidation is near; the debt as `amount`, `coin`.
    LoanMarginCall,
    /// A loan is due within a day; the debt as `amount`, `coin`.
    LoanDueSoon,
    /// A loan was repaid automatically; `amount`, `coin`.
    LoanDebited,
    /// A loan was not repaid in time; the debt as `amount`, `coin`.
    LoanOverdue,
    /// The collateral of a loan was sold; the debt as `amount`, `coin`.
    LoanLiquidated,
    /// New coins were allotted; what was used and returned: `amount`, `back`, `coin`.
    TokensAllotted,
    /// A subscription came back as a whole; `amount`, `coin`.
    SubscriptionRefunded,
    /// A new coin is launched, and the member's are locked; `amount`, `coin`.
    TokensLaunched,
    /// New coins were released; `amount`, `coin`.
    TokensReleased,
    /// A plan order matured; `amount` with the `interest` in it, `coin`.
    PlanMatured,
    /// Rebates of a day were credited; `day`. One for all of them.
    RebatesCredited,
}

impl Topic {
    /// All.
    pub const ALL: [Topic; 66] = [
        Topic::Password,
        Topic::Email,
        Topic::EmailRestored,
        Topic::NewDevice,
        Topic::TotpOn,
        Topic::TotpOff,
        Topic::WithdrawCodeOff,
        Topic::RecoveryCodes,
        Topic::RecoveryUsed,
        Topic::TicketAnswered,
        Topic::ChatAnswered,
        Topic::Frozen,
        Topic::Unfrozen,
        Topic::FundPassword,
        Topic::FundResetAsked,
        Topic::FundResetRejected,
        Topic::Phone,
        Topic::AddressAdded,
        Topic::CardAdded,
        Topic::DepositCredited,
        Topic::DepositRejected,
        Topic::DepositReversed,
        Topic::DepositCorrected,
        Topic::WithdrawalAsked,
        Topic::WithdrawalPassed,
        Topic::WithdrawalSent,
        Topic::WithdrawalUnmarked,
        Topic::WithdrawalRejected,
        Topic::WithdrawalReturned,
        Topic::BasicVerified,
        Topic::AdvancedVerified,
        Topic::IdentityRejected,
        Topic::AlertAbove,
        Topic::AlertBelow,
        Topic::OrderBought,
        Topic::OrderSold,
        Topic::OrderMet,
        Topic::OrderRetired,
        Topic::ContractOpened,
        Topic::ContractTakeProfit,
        Topic::ContractStopLoss,
        Topic::ContractLiquidated,
        Topic::ContractProfitCap,
        Topic::ContractDeleveraged,
        Topic::ContractRetired,
        Topic::ContractExpired,
        Topic::ContractRefused,
        Topic::ContractOrderRetired,
        Topic::OptionWon,
        Topic::OptionLost,
        Topic::OptionPushed,
        Topic::OptionRefunded,
        Topic::LoanPaidOut,
        Topic::LoanRejected,
        Topic::LoanNotGranted,
        Topic::LoanMarginCall,
        Topic::LoanDueSoon,
        Topic::LoanDebited,
        Topic::LoanOverdue,
        Topic::LoanLiquidated,
        Topic::TokensAllotted,
        Topic::SubscriptionRefunded,
        Topic::TokensLaunched,
        Topic::TokensReleased,
        Topic::PlanMatured,
        Topic::RebatesCredited,
    ];

    /// Kind on the wire, and name of the texts.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Topic::Password => ("security", "password"),
            Topic::Email => ("security", "email"),
            Topic::EmailRestored => ("security", "email_restored"),
            Topic::NewDevice => ("security", "new_device"),
            Topic::TotpOn => ("security", "totp_on"),
            Topic::TotpOff => ("security", "totp_off"),
            Topic::WithdrawCodeOff => ("security", "withdraw_code_off"),
            Topic::RecoveryCodes => ("security", "recovery_codes"),
            Topic::RecoveryUsed => ("security", "recovery_used"),
            Topic::TicketAnswered => ("ticket", "ticket_answered"),
            Topic::ChatAnswered => ("chat", "chat_answered"),
            Topic::Frozen => ("security", "frozen"),
            Topic::Unfrozen => ("security", "unfrozen"),
            Topic::FundPassword => ("security", "fund_password"),
            Topic::FundResetAsked => ("security", "fund_reset_asked"),
            Topic::FundResetRejected => ("security", "fund_reset_rejected"),
            Topic::Phone => ("security", "phone"),
            Topic::AddressAdded => ("security", "address_added"),
            Topic::CardAdded => ("security", "card_added"),
            Topic::DepositCredited => ("deposit", "deposit_credited"),
            Topic::DepositRejected => ("deposit", "deposit_rejected"),
            Topic::DepositCorrected => ("deposit", "deposit_corrected"),
            Topic::DepositReversed => ("deposit", "deposit_reversed"),
            Topic::WithdrawalAsked => ("withdrawal", "withdrawal_asked"),
            Topic::WithdrawalPassed => ("withdrawal", "withdrawal_passed"),
            Topic::WithdrawalUnmarked => ("withdrawal", "withdrawal_unmarked"),
            Topic::WithdrawalSent => ("withdrawal", "withdrawal_sent"),
            Topic::WithdrawalRejected => ("withdrawal", "withdrawal_rejected"),
            Topic::WithdrawalReturned => ("withdrawal", "withdrawal_returned"),
            Topic::BasicVerified => ("identity", "basic_verified"),
            Topic::AdvancedVerified => ("identity", "advanced_verified"),
            Topic::IdentityRejected => ("identity", "identity_rejected"),
            Topic::AlertAbove => ("alert", "alert_above"),
            Topic::AlertBelow => ("alert", "alert_below"),
            Topic::OrderBought => ("order", "order_bought"),
            Topic::OrderSold => ("order", "order_sold"),
            Topic::OrderMet => ("order", "order_met"),
            Topic::OrderRetired => ("order", "order_retired"),
            Topic::ContractOpened => ("contract", "contract_opened"),
            Topic::ContractTakeProfit => ("contract", "contract_take_profit"),
            Topic::ContractStopLoss => ("contract", "contract_stop_loss"),
            Topic::ContractLiquidated => ("contract", "contract_liquidated"),
            Topic::ContractProfitCap => ("contract", "contract_profit_cap"),
            Topic::ContractDeleveraged => ("contract", "contract_deleveraged"),
            Topic::ContractRetired => ("contract", "contract_retired"),
            Topic::ContractExpired => ("contract", "contract_expired"),
            Topic::ContractRefused => ("contract", "contract_refused"),
            Topic::ContractOrderRetired => ("contract", "contract_order_retired"),
            Topic::OptionWon => ("option", "option_won"),
            Topic::OptionLost => ("option", "option_lost_whole"),
            Topic::OptionPushed => ("option", "option_pushed"),
            Topic::OptionRefunded => ("option", "option_refunded"),
            Topic::LoanPaidOut => ("loan", "loan_paid_out"),
            Topic::LoanRejected => ("loan", "loan_rejected"),
            Topic::LoanNotGranted => ("loan", "loan_not_granted"),
            Topic::LoanMarginCall => ("loan", "loan_margin_call"),
            Topic::LoanDueSoon => ("loan", "loan_due_soon"),
            Topic::LoanDebited => ("loan", "loan_debited"),
            Topic::LoanOverdue => ("loan", "loan_overdue"),
            Topic::LoanLiquidated => ("loan", "loan_liquidated"),
            Topic::TokensAllotted => ("subscription", "tokens_allotted"),
            Topic::SubscriptionRefunded => ("subscription", "subscription_refunded"),
            Topic::TokensLaunched => ("subscription", "tokens_launched"),
            Topic::TokensReleased => ("subscription", "tokens_released"),
            Topic::PlanMatured => ("plan", "plan_matured"),
            Topic::RebatesCredited => ("system", "rebates_credited"),
        }
    }
}
