import { z } from 'zod'
import { SottoError } from '../../../../../shared/errors.ts'
import { msg } from '../../../../../shared/localized-text.ts'
import {
  jsonAnswer,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../http/perform.ts'
import { memberOf } from '../../http/shapes.ts'
import { flag, usd } from '../../http/wire.ts'

/**
 * The automatic top-up by a connected wallet. The service stores the connection, which is a secret and isn't
 * read back.
 */
export type AutomaticTopup =
  | { readonly connected: false }
  | {
      readonly connected: true
      /** Pico-USD: the balance below which the wallet is charged, and the charged amount. */
      readonly threshold?: bigint | undefined
      readonly amount?: bigint | undefined
    }

const connected = memberOf(flag, ['connected'])
const connection = memberOf(
  z.unknown().refine((value) => value !== undefined && value !== null),
  ['nwc_url'],
)
const threshold = memberOf(usd, ['threshold_usd'])
const amount = memberOf(usd, ['topup_amount_usd'])

/** Null, or an object without settings, means that no wallet is connected (service-observed, NWC settings). */
const automaticTopupAnswer = z
  .looseObject({})
  .nullable()
  .transform((answer): AutomaticTopup => {
    const settings = { threshold: threshold.safeParse(answer).data, amount: amount.safeParse(answer).data }
    const shown =
      connection.safeParse(answer).success ||
      settings.threshold !== undefined ||
      settings.amount !== undefined
    return (connected.safeParse(answer).data ?? shown)
      ? { connected: true, ...settings }
      : { connected: false }
  })

/** `GET /nwc-auto-topup` (specification, `Automatic topup settings`). */
const automaticTopupRequest: ServiceRequest<AutomaticTopup> = {
  method: 'GET',
  target: { path: '/nwc-auto-topup' },
  auth: 'credit-id',
  repeatable: true,
  read: jsonAnswer(automaticTopupAnswer, msg('The response isn’t automatic top-up settings.')),
}

/** Reads the settings. If there are none, the service states so or answers 404. */
export async function readAutomaticTopup(
  service: Service,
  options: CallOptions = {},
): Promise<AutomaticTopup> {
  try {
    return await perform(service, automaticTopupRequest, options)
  } catch (failure) {
    if (failure instanceof SottoError && failure.code === 'service/not-found') return { connected: false }
    throw failure
  }
}
