import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SottoError } from '../../../shared/errors.ts'
import { requestMethods, type Log, type LogFields } from '../../../shared/log-events.ts'
import { proxyRoute, type ProxyRoute } from '../../../shared/proxy-route.ts'
import { presentedKeys, hashOfLocalKey, type FindLocalKey } from './guards.ts'
import { headOf } from './request-heads.ts'

/** Logs a refusal without a receipt. A refusal with a receipt is logged with the receipt. */
export type NoteRefusal = (failure: SottoError, request: IncomingMessage) => void

type Refused = LogFields<'proxy/refused'>

const METHODS: ReadonlyMap<string, Refused['method']> = new Map(
  requestMethods.map((method) => [method, method]),
)

/**
 * Creates the log of refusals: their code, method and route, and which key was presented.
 * @param findKey throws while the vault is locked
 */
export function createRefusalLog(log: Log | undefined, findKey: () => FindLocalKey): NoteRefusal {
  // A caller may present a password by mistake. A plain hash of it could be guessed from the log.
  const fingerprintKey = randomBytes(32)
  const fingerprint = (secret: string): string =>
    createHmac('sha256', fingerprintKey).update(secret).digest('hex').slice(0, 8)

  return ({ code, status, details }, request) => {
    if (!log || details.receiptId !== undefined) return
    const presented = presentedKeys(request.headers)
    const localKey = knownKeyOf(presented, findKey)
    const [secret] = presented
    log('proxy/refused', {
      code,
      status,
      method: METHODS.get(request.method ?? '') ?? 'other',
      route: routeOf(request),
      ...(localKey !== undefined
        ? { localKey }
        : secret !== undefined && { keyFingerprint: fingerprint(secret) }),
    })
  }
}

/** The ID of the first presented key that this Sotto has issued, also if it has expired or was revoked. */
function knownKeyOf(presented: readonly string[], findKey: () => FindLocalKey): string | undefined {
  try {
    const find = findKey()
    return presented.flatMap((secret) => find(hashOfLocalKey(secret)) ?? [])[0]?.id
  } catch {
    return undefined
  }
}

function routeOf(request: IncomingMessage): ProxyRoute {
  try {
    return proxyRoute(headOf(request).pathname)
  } catch {
    return 'unknown'
  }
}
