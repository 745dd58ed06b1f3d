import type { Relay } from './relay.ts'

/**
 * Returns a relay whose requests also end when `ended` aborts. Their failure is the signal's reason if that
 * is a SottoError.
 * @param ended aborts once, when the core behind the relay ends
 */
export function endRequestsWith(relay: Relay, ended: AbortSignal): Relay {
  const either = <Request extends { readonly signal: AbortSignal }>(request: Request): Request => ({
    ...request,
    signal: AbortSignal.any([request.signal, ended]),
  })
  return {
    ...relay,
    chat: (request) => relay.chat(either(request)),
    convert: (request) => relay.convert(either(request)),
    open: (request) => relay.open(either(request)),
    quote: (request) => relay.quote(either(request)),
    look: (look, signal) => relay.look(look, AbortSignal.any([signal, ended])),
  }
}
