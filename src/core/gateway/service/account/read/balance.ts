import { z } from 'zod'
import { msg } from '../../../../../shared/localized-text.ts'
import { jsonAnswer, jsonBody, perform, type CallOptions, type Service } from '../../http/perform.ts'
import { isUsd, renamed, wrapped } from '../../http/shapes.ts'
import { usd } from '../../http/wire.ts'

/** In another currency than dollars, the balance is unreadable, because no rate is known here. */
const amountSchema = z
  .object({ balance: usd, currency: z.unknown().optional().refine(isUsd) })
  .transform(({ balance }) => balance)
const balanceSchema = wrapped(renamed(amountSchema, { balance: ['balance_usd'] }))

/**
 * Reads the balance in pico-USD; it may be negative: `POST /credits/balance` (specification, Account funding
 * and balance), by the credit ID if it's known, otherwise by the key. The service answers 0 for an unknown
 * credit ID.
 */
export function readBalance(service: Service, options: CallOptions = {}): Promise<bigint> {
  const { creditId } = service.access()
  return perform(
    service,
    {
      method: 'POST',
      target: { path: '/credits/balance' },
      auth: creditId === undefined ? 'key' : 'none',
      body: jsonBody({ credit_id: creditId }),
      read: jsonAnswer(balanceSchema, msg('The response isn’t a balance.')),
    },
    options,
  )
}
