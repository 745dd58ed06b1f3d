import { z } from 'zod'
import { readBytes } from '../../../../shared/limited-body.ts'
import {
  checked,
  jsonBody,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../http/perform.ts'

/** NIP-47, including the legacy spelling. Only the service can find out whether the wallet works. */
const walletConnection = z
  .string()
  .max(2048)
  .regex(/^nostr\+?walletconnect:(?:\/\/)?[0-9a-fA-F]{64}\?[\x21-\x7e]+$/, 'This is no wallet connection')

const inputSchema = z.object({
  /**
   * A spending key of a wallet. The service gets it, and can charge the wallet within the limits of this
   * connection.
   */
  connection: walletConnection,
  /** In dollars. */
  threshold: z.number().min(5, 'The threshold is at least 5 USD').optional(),
  amount: z.number().positive('The amount is more than nothing').optional(),
})
export type ConnectAutomaticTopupInput = z.input<typeof inputSchema>

/** The answer may repeat the connection, so it's discarded. The settings are read separately. */
const nothing: Pick<ServiceRequest<void>, 'read'> = {
  read: async ({ body }) => {
    await readBytes(body, 64 * 1024)
  },
}

/**
 * Gives the service a spending key, after the caller has confirmed it: `POST /nwc-auto-topup/connect`
 * (specification, `Automatic topup connection`). Amounts are in dollars. Sent once.
 * @throws {SottoError} request/invalid – before anything is sent; service/…
 */
export async function connectAutomaticTopup(
  service: Service,
  input: ConnectAutomaticTopupInput,
  options: CallOptions = {},
): Promise<void> {
  const { connection, threshold, amount } = checked(inputSchema, input)
  return perform(
    service,
    {
      method: 'POST',
      target: { path: '/nwc-auto-topup/connect' },
      auth: 'credit-id',
      body: jsonBody({ nwc_url: connection, threshold_usd: threshold, topup_amount_usd: amount }),
      ...nothing,
    },
    options,
  )
}

/**
 * Disconnects the wallet: `DELETE /nwc-auto-topup/connection`. The connection remains valid at the wallet
 * until it's removed there. Sent once.
 * @throws {SottoError} service/no-account, service/no-credit-id, service/…
 */
export function disconnectAutomaticTopup(service: Service, options: CallOptions = {}): Promise<void> {
  return perform(
    service,
    { method: 'DELETE', target: { path: '/nwc-auto-topup/connection' }, auth: 'credit-id', ...nothing },
    options,
  )
}
