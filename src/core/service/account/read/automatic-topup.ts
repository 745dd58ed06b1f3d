import { z } from 'zod'
import { SottoError } from '../../../../shared/errors.ts'
import { say } from '../../../../shared/say.ts'
import { jsonAnswer, perform, type CallOptions, type Service, type ServiceRequest } from '../../http/perform.ts'
import { flag, lenient, usd } from '../../http/wire.ts'

/** Automatic topup by a connected wallet. The connection itself is a secret that the service keeps, and is not read back. */
export type AutomaticTopup =
  | { readonly connected: false }
  | {
    readonly connected: true
    /** Pico-USD: the balance below which the wallet is charged, and what it is charged. */
    readonly threshold?: bigint | undefined
    readonly amount?: bigint | undefined
  }

const settingsSchema = z.object({
  connected: lenient(flag),
  nwc_url: z.unknown().optional(),
  threshold_usd: lenient(usd),
  topup_amount_usd: lenient(usd),
})

/** Plain or below `data`, of which null is no connection (service-observed, NWC settings). */
const automaticTopupAnswer = z
  .union([z.object({ data: settingsSchema.nullable() }).transform(({ data }) => data), settingsSchema.nullable()])
  .transform((settings): AutomaticTopup => {
    const shown = settings !== null && [settings.nwc_url, settings.threshold_usd, settings.topup_amount_usd].some((value) => value !== undefined && value !== null)
    if (settings === null || settings.connected === false || (settings.connected === undefined && !shown)) return { connected: false }
    return { connected: true, threshold: settings.threshold_usd, amount: settings.topup_amount_usd }
  })

/** `GET /nwc-auto-topup` (specification, Automatic topup). */
const automaticTopupRequest: ServiceRequest<AutomaticTopup> = {
  method: 'GET', target: { path: '/nwc-auto-topup' }, auth: 'credit-id', repeatable: true, read: jsonAnswer(automaticTopupAnswer, say('The response isn’t automatic top-up settings.')),
}

/** A service that has nothing to show says so, or answers 404. */
export async function readAutomaticTopup(service: Service, options: CallOptions = {}): Promise<AutomaticTopup> {
  try {
    return await perform(service, automaticTopupRequest, options)
  } catch (failure) {
    if (failure instanceof SottoError && failure.code === 'service/not-found') return { connected: false }
    throw failure
  }
}
