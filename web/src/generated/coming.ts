// Calls of products whose server has not landed, written after the contract of the wire. Each goes when `make types` brings its own.
/* oxlint-disable */
export {};

declare module "./api" {
  export interface LoanCollateral { currency_id: number; currency_name: string; price: string; balance: string }
  export interface LoanProduct { id: number; currency_id: number; currency_name: string; currency_logo: string; day: number; interest_rate: string; overdue_multiplier: number; min_amount: string; max_amount: string; start_ltv: string; call_ltv: string; liquidation_ltv: string; liquidation_fee: string; grace_hours: number; collateral: LoanCollateral[]; status: Flag }
  export type LoanReason = "REPAID" | "AUTO_DEBIT" | "LIQUIDATED" | "USER" | "REJECTED" | "EXPIRED" | "LTV";
  export interface Loan { id: number; config_id: number; currency_id: number; currency_name: string; amount: string; outstanding: string; day: number; interest_rate: string; interest: string; interest_due: string; penalty_due: string; debt: string; paid: string; total_return: string; collateral_currency_id: number; collateral_currency_name: string; collateral: string; ltv: string | null; margin_call: Flag; status: number; reason: LoanReason | null; note: string; sold: string | null; created_at: string; created_at_ms: number; start_at: string | null; start_at_ms: number | null; end_at: string | null; end_at_ms: number | null; finished_at: string | null; finished_at_ms: number | null }
  export interface Invite { extension_code: string; authorization_code: string; invite_num: number; invite_return_total: string; role: "user" | "promoter" | "partner"; return_rate1: string; return_rate2: string; return_rate3: string; total_return_rate: string; share_url: string; ad: { image: string } }
  export interface Invitee { id: number; account: string; account_number: string; phone: string; email: string; verified: Flag; time: string; time_ms: number }
  export interface RebateRow { id: number; value: string; currency_id: number; currency_name: string; level: number; day: string; from_account_number: string; created_time: string; created_time_ms: number }
  export interface Rank { rank: number; user_id: number; account: string; total: string; invitees: number }
  export interface Offering { id: number; new_currency_id: number; new_currency_name: string; currency_id: number; currency_name: string; pay_currencies: { id: number; name: string; price: string }[]; num: string; last_num: string; committed_value: string; oversub_factor: number; buy_num: string; user_cap: string; change_rate: string; day: number; release: { day: number; share: string }[]; interest_rate: string; predict_rate: string; send_start: string; send_start_ms: number; send_end: string; send_end_ms: number; online_time: string; online_time_ms: number; introduction: string; status: 1 | 2 | 3; state: "upcoming" | "open" | "sold_out" | "allocated" | "launched" | "ended" | "cancelled"; is_recommend: 1 | 2; recommend_title: string; recommend_content: string; created_at: string; created_at_ms: number; }
  export interface Commitment { id: number; config_id: number; new_currency_name: string; currency_name: string; currency_id: number; amount: string; value: string; new_currency_num: string; released_num: string; cost: string; charge: string; refund: string; change_rate: string; interest: string; original_interest: string; interest_rate: string; day: number; status: 1 | 2 | 3; exam_status: 3 | 1 | 2; online_time: string; online_time_ms: number; next_release_ms: number | null; complete_at: string | null; complete_at_ms: number | null; created_at: string; created_at_ms: number; updated_at: string; updated_at_ms: number; }
  export interface CommitmentPage { order_list: Commitment[]; total: number; total_interest: string; page: number; limit: number; }
  export interface PageC<T> { order_list: T[]; total: number; page: number; limit: number; }

  interface Calls {
    "GET user/bossconfig": { params: Record<string, never>; message: LoanProduct[]; data: "" };
    "POST user/bossorder": { params: { config_id: number; amount: string; collateral: string; collateral_currency_id?: number }; message: string; data: { order: Loan } };
    "GET user/bosslist": { params: { status?: number; page?: number; limit?: number }; message: Paginator<Loan>; data: "" };
    "GET user/bossdetail": { params: { id: number }; message: Loan; data: "" };
    "POST user/bossrepay": { params: { id: number; amount?: string; all?: Flag }; message: string; data: { order: Loan; taken: string; penalty: string; interest: string; principal: string } };
    "POST user/bosscollateral": { params: { id: number; amount: string }; message: string; data: { order: Loan } };
    "POST user/bosscancel": { params: { id: number }; message: string; data: { order: Loan } };
    "GET user/invite": { params: Record<string, never>; message: Invite; data: "" };
    "POST user/my_invite_list": { params: { page?: number; limit?: number }; message: Paginator<Invitee>; data: "" };
    "POST user/my_account_return": { params: { time?: string; page?: number; limit?: number }; message: Paginator<RebateRow>; data: "" };
    "POST user/invite_list": { params: Record<string, never>; message: Rank[]; data: { from_seq: number; to_seq: number } };
    "GET user/my_poster": { params: Record<string, never>; message: { extension_code: string; share_url: string; pics: string[] }; data: "" };
    "GET user/my_share": { params: Record<string, never>; message: { share_title: string; share_content: string; share_url: string; extension_code: string }; data: "" };
    "GET lh/send/config": { params: { page?: number; limit?: number }; message: Offering[]; data: ""; };
    "GET lh/send/product_info": { params: { id: number }; message: Offering; data: ""; };
    "POST lh/send/order": { params: { config_id: number; amount: string; currency_id?: number }; message: string; data: { order: Commitment }; };
    "GET lh/send/order_list": { params: { status?: number; page?: number; limit?: number }; message: CommitmentPage; data: ""; };
    "GET lh/send/get_recommend": { params: Record<string, never>; message: Offering | Record<string, never>; data: ""; };
  }
}
