import type { FaultSwitches } from '../faults.ts'
import type { ServiceEnclaveKeys } from '../world/service-enclave/evidence.ts'
import {
  mintRequestId,
  requestIdOf,
  routeOf,
  signReceipt,
  type RequestId,
  type Route,
  type SignedReceipt,
} from '../world/service-enclave/routing-receipt.ts'

interface ServedRequest {
  /** The caller's `x-request-id`. */
  readonly requestId: string | readonly string[] | undefined
  readonly requestedModel: string
  /** The model whose answer is sent. */
  readonly servedModel: string
  readonly streamed: boolean
}

const otherModel = 'sandbox/cadenza-nano'
/** Under .example (RFC 2606), so it's no provider's. */
const foreignHost = 'upstream.another-sandbox.example'

/** Issues the receipt of one request, with the faults that are on. @returns undefined with the fault `relay-missing-receipt` */
export function issueReceipt(
  { faults, now }: { readonly faults: FaultSwitches; readonly now: () => number },
  keys: ServiceEnclaveKeys,
  served: ServedRequest,
): SignedReceipt | undefined {
  if (faults.on('relay-missing-receipt')) return undefined
  const swapped = faults.on('relay-swapped-model')
  const servedModel = swapped ? otherModel : served.servedModel
  return signReceipt(
    {
      requestId: faults.on('relay-other-request') ? otherRequest() : requestIdOf(served.requestId),
      at: now(),
      requestedModel: served.requestedModel,
      route: routeWith(faults, routeOf(swapped ? otherModel : served.requestedModel)),
      servedModel: served.streamed ? servedModel : null,
    },
    (faults.on('relay-forged-receipt') ? keys.forger : keys.tls).privateKey,
  )
}

function routeWith(faults: FaultSwitches, route: Route): Route {
  return faults.on('relay-foreign-upstream') ? { ...route, upstream: foreignHost } : route
}

function otherRequest(): RequestId {
  return { id: mintRequestId(), source: 'client' }
}
