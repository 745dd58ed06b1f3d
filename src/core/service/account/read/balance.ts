import { z } from 'zod'
import { SottoError } from '../../../../shared/errors.ts'
import type { Fetch } from '../../../../shared/fetch.ts'
import { bearer, type ServiceAccess } from '../../http/access.ts'
import { sendForJson } from '../../http/request.ts'

const balanceSchema = z.object({ balance: z.union([z.number(), z.string().max(60)]) })

/**
 * `POST /credits/balance` (specification, Account funding and balance), by credit_id where it is known, else by the key.
 * Returns the balance in dollars as the service wrote it: a number or its text, possibly negative.
 */
export async function readBalance(fetch: Fetch, access: ServiceAccess): Promise<number | string> {
  const identified = access.creditId === undefined ? bearer(access) : {}
  const answer = await sendForJson(
    fetch,
    `${access.baseUrl}/credits/balance`,
    {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...identified },
      body: JSON.stringify(access.creditId === undefined ? {} : { credit_id: access.creditId }),
    },
    64 * 1024,
  )
  const balance = balanceSchema.safeParse(answer)
  if (!balance.success) throw new SottoError('service/response-invalid', { detail: 'It names no balance.' })
  return balance.data.balance
}
