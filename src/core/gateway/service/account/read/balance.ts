import { z } from 'zod'
import { msg } from '../../../../../shared/localized-text.ts'
import {
  jsonAnswer,
  jsonBody,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../http/perform.ts'
import { isUsd, renamed, wrapped } from '../../http/shapes.ts'
import { usd } from '../../http/wire.ts'

/** Another currency than dollars makes the balance unreadable: no rate is known here. */
const amountSchema = z
  .object({ balance: usd, currency: z.unknown().optional().refine(isUsd) })
  .transform(({ balance }) => balance)
const balanceSchema = wrapped(renamed(amountSchema, { balance: ['balance_usd'] }))

/** `POST /credits/balance` (specification, Account funding and balance), by credit_id where it is known, else by the key. */
function balanceRequest(creditId: string | undefined): ServiceRequest<bigint> {
  return {
    method: 'POST',
    target: { path: '/credits/balance' },
    auth: creditId === undefined ? 'key' : 'none',
    body: jsonBody({ credit_id: creditId }),
    read: jsonAnswer(balanceSchema, msg('The response isn’t a balance.')),
  }
}

/** In pico-USD, possibly negative. The service answers 0 for a credit id that nobody has. */
export function readBalance(service: Service, options: CallOptions = {}): Promise<bigint> {
  return perform(service, balanceRequest(service.access().creditId), options)
}
