/** Who pays for a request: an account, by one of its keys or by its own id, or one invoice that was paid for this request alone. */
export type Payer = AccountPayer | InvoicePayer

export interface AccountPayer {
  readonly kind: 'account'
  readonly creditId: string
  /** Null where the account's own id was shown. */
  readonly keyId: string | null
}

export interface InvoicePayer {
  readonly kind: 'invoice'
  /** Hexadecimal. */
  readonly paymentHash: string
}
