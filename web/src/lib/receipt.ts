/** The object of a receipt, as a request for help names it in its address. */
export type ReceiptOf = 'withdrawal' | 'plan' | 'coin' | 'loan' | 'conversion' | 'order' | 'contract' | 'option';
