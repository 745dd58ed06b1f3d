import { z } from 'zod'

/** NIP-47. */
export const requestSchema = z.discriminatedUnion('method', [
  z.object({ method: z.literal('get_info') }),
  z.object({ method: z.literal('get_balance') }),
  z.object({ method: z.literal('get_budget') }),
  z.object({
    method: z.literal('pay_invoice'),
    params: z.object({ invoice: z.string().max(4096), amount: z.int().optional() }),
  }),
  z.object({
    method: z.literal('lookup_invoice'),
    params: z.object({
      payment_hash: z.string().max(64).optional(),
      invoice: z.string().max(4096).optional(),
    }),
  }),
])
export type WalletRequest = z.infer<typeof requestSchema>
export const methods = requestSchema.options.map(({ shape }) => shape.method.value)

export type ErrorCode =
  | 'OTHER'
  | 'NOT_IMPLEMENTED'
  | 'NOT_FOUND'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_ENCRYPTION'
  | 'INSUFFICIENT_BALANCE'
  | 'QUOTA_EXCEEDED'
  | 'PAYMENT_FAILED'

export interface WalletAnswer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: ErrorCode; readonly message: string }
}

export function failed(code: ErrorCode, message: string): WalletAnswer {
  return { error: { code, message } }
}
