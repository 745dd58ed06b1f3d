import {
  createPreparedSealer,
  createRequestSealer,
  EhbpError,
  ENCAPSULATED_KEY_HEADER,
  RESPONSE_NONCE_HEADER,
  type RequestSealer,
  type ResponseOpener,
} from '../../../ehbp/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import {
  OtherTlsKeyError,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type Fields,
} from '../../../shared/fetch.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { RequestTimeout, type Timeouts, type Through } from '../request-timeout.ts'
import { ReceivedBytes } from './received-bytes.ts'
import { sentDigest } from './sent-digest.ts'
import type { HpkeContextPool } from './hpke-context-pool.ts'

/** An unsealed answer is examined for a refused key if it isn't larger. */
const MAX_EXAMINED_BYTES = 64 * 1024
/** Well below the 64 MiB that a frame may have (EHBP). */
const MAX_FRAME_PLAINTEXT = 32 * 1024 * 1024

export interface SealedRequest {
  /** Below the enclave's address, such as `/v1/chat/completions`. */
  readonly path: string
  /** Which enclave it is for, if models have enclaves of their own: the ID that the enclave knows. It isn't sent. */
  readonly model?: string
  /** Readable by the service: credentials and the model's name, never content. Lowercase names. */
  readonly headers: Record<string, string>
  /** Of the plaintext. It travels unsealed; `application/json` by default. */
  readonly contentType?: string
  /** The plaintext. It leaves this machine only sealed. */
  readonly body: Uint8Array
  readonly signal: AbortSignal
  /** There is a verdict that the request may be sealed for. */
  readonly onProven?: () => void
  /** The sealed bytes are about to leave for the enclave of this verdict; once for each time that they are sent. */
  readonly onLeaving?: (verdict: Verdict) => void
  /** What of it left, also where no answer came: the ciphertext's SHA-256 (hex) and size. */
  readonly onSent?: (sent: { readonly requestDigest: string; readonly bytesSent: number }) => void
  /** Sotto refused the connection before anything was sent. The request may be sent again. */
  readonly onStayed?: () => void
  /** What left was not read: the enclave knows another key. It may be sent again. */
  readonly onUnread?: () => void
}

export interface SealedResponse {
  readonly status: number
  readonly headers: Fields
  /** As those of a fetch. Unauthenticated, like the headers. */
  readonly trailers?: Fields | undefined
  /** True where the enclave answered: `body` is then opened plaintext. False: unauthenticated bytes, status not 2xx. */
  readonly opened: boolean
  /** The answer says, unauthenticated, that the enclave did not read the request because it knows another key. */
  readonly keyRefused: boolean
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the exchange: a body that was never begun does not end it when it is left. */
  close(): void
  /** SHA-256 (hex) of the ciphertext received so far. */
  responseDigest(): string
  bytesReceived(): number
}

/** What an answer without a nonce says. Unauthenticated. */
export interface UnsealedAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: Uint8Array
}

interface Exchange {
  readonly fetch: Fetch
  readonly url: string
  /** Beside those of the request. Lowercase names. */
  readonly headers?: Record<string, string>
  /** SHA-256 of the TLS key (hex) that the connection must have: of an enclave that ends the connection itself. */
  readonly tlsKey?: string
  /** Whether an unsealed answer means that the enclave knows another key. */
  readonly refusesKey: (answer: UnsealedAnswer) => boolean
  readonly verdict: Verdict
  readonly setups: Pick<HpkeContextPool, 'take'>
  readonly request: SealedRequest
  readonly timeouts: Timeouts
}

/**
 * One sealed request and its answer (EHBP, SPEC 5.1, 5.3 and 5.4). A 2xx without the nonce is refused and its bytes are dropped:
 * channel/plaintext-response.
 *
 * Throws channel/tls-key-differs if the connection has another TLS key than the required one, so that nothing was sent,
 * attestation/failed where the attested key cannot be sealed to, channel/crypto-unavailable, channel/response-invalid for a nonce of
 * another form, service/unreachable, service/interrupted, service/timeout and request/canceled. The body throws the last three, and one that
 * is opened channel/response-invalid and channel/response-truncated.
 */
export async function exchangeSealed(exchange: Exchange): Promise<SealedResponse> {
  const { verdict, setups, request } = exchange
  if (verdict.hpkePublicKey === undefined) throw new SottoError('attestation/failed')
  const { sealer, ciphertext } = sealTo(verdict.hpkePublicKey, setups, request.body)
  try {
    return await carry(exchange, sealer, ciphertext)
  } finally {
    sealer.forget()
  }
}

async function carry(
  { fetch, url, headers, tlsKey, refusesKey, verdict, request, timeouts }: Exchange,
  sealer: RequestSealer,
  ciphertext: Uint8Array,
): Promise<SealedResponse> {
  const timeout = new RequestTimeout(request.signal, timeouts)
  request.onLeaving?.(verdict)
  const answering = connect(
    fetch,
    url,
    {
      method: 'POST',
      headers: {
        ...request.headers,
        ...headers,
        'content-type': request.contentType ?? 'application/json',
        [ENCAPSULATED_KEY_HEADER]: sealer.encapsulatedKey,
      },
      body: ciphertext,
      redirect: 'manual',
      ...(tlsKey !== undefined && { tlsKey }),
    },
    timeout,
  )
  // While it is on its way.
  const digest = sentDigest(ciphertext)
  const note = async (): Promise<void> =>
    request.onSent?.({ requestDigest: await digest, bytesSent: ciphertext.byteLength })
  const response = await answering.catch(async (failure: unknown) => {
    if (isOtherTlsKey(failure)) request.onStayed?.()
    else await note()
    throw failure
  })
  await note()

  const nonce = response.headers.get(RESPONSE_NONCE_HEADER)
  const received = new ReceivedBytes()
  const common = {
    status: response.status,
    headers: response.headers,
    trailers: response.trailers,
    close: () => timeout.close(),
    responseDigest: () => received.digest(),
    bytesReceived: () => received.bytes,
  }
  if (nonce === null) {
    if (response.status >= 200 && response.status < 300) {
      timeout.close()
      throw new SottoError('channel/plaintext-response')
    }
    const { beginning, body } = await examined(timeout.watch(response.body))
    const keyRefused =
      beginning !== null &&
      refusesKey({
        status: response.status,
        contentType: response.headers.get('content-type'),
        body: beginning,
      })
    return { ...common, opened: false, keyRefused, body }
  }
  return {
    ...common,
    opened: true,
    keyRefused: false,
    body: timeout.watch(response.body, opened(openerFor(sealer.decryptResponse, nonce, timeout), received)),
  }
}

/** A small body whole, and a body that gives the same bytes again. `beginning` is null if it isn't small. */
async function examined(
  incoming: AsyncGenerator<Uint8Array, void>,
): Promise<{ beginning: Uint8Array | null; body: AsyncIterable<Uint8Array> }> {
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= MAX_EXAMINED_BYTES) {
    const next = await incoming.next()
    if (next.done) return { beginning: Buffer.concat(chunks), body: iterate(chunks) }
    chunks.push(next.value)
    size += next.value.byteLength
  }
  return { beginning: null, body: iterate(chunks, incoming) }
}

async function* iterate(
  chunks: readonly Uint8Array[],
  rest?: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield* chunks
  if (rest) yield* rest
}

/** A key that no honest enclave has (a point of low order, say) is a failed proof, whatever attested it. */
function sealTo(
  hpkePublicKey: string,
  setups: Pick<HpkeContextPool, 'take'>,
  body: Uint8Array,
): { sealer: RequestSealer; ciphertext: Uint8Array } {
  try {
    const setup = setups.take(hpkePublicKey)
    const sealer = setup
      ? createPreparedSealer(setup)
      : createRequestSealer(Buffer.from(hpkePublicKey, 'hex'))
    return { sealer, ciphertext: sealWhole(sealer, body) }
  } catch (cause) {
    if (!(cause instanceof EhbpError)) throw cause
    if (cause.code === 'ehbp/key-invalid')
      throw new SottoError('attestation/failed', {
        detail: msg('Requests can’t be sealed to the attested key.'),
        cause,
      })
    throw new SottoError('channel/crypto-unavailable', { cause })
  }
}

/** One frame, as published clients send it; more where the body is beyond what one may hold. */
function sealWhole(sealer: RequestSealer, body: Uint8Array): Uint8Array {
  if (body.byteLength <= MAX_FRAME_PLAINTEXT) return sealer.seal(body)
  const frames: Uint8Array[] = []
  for (let at = 0; at < body.byteLength; at += MAX_FRAME_PLAINTEXT)
    frames.push(sealer.seal(body.subarray(at, at + MAX_FRAME_PLAINTEXT)))
  return Buffer.concat(frames)
}

async function connect(
  fetch: Fetch,
  url: string,
  init: FetchInit,
  timeout: RequestTimeout,
): Promise<FetchResponse> {
  try {
    return await fetch(url, { ...init, signal: timeout.signal })
  } catch (cause) {
    timeout.close()
    if (cause instanceof OtherTlsKeyError) throw new SottoError('channel/tls-key-differs', { cause })
    throw timeout.reasonFor(cause, 'service/unreachable')
  }
}

/** Whether an exchange ended before anything was sent, because the connection's TLS key isn't the attested one. */
export function isOtherTlsKey(failure: unknown): boolean {
  return failure instanceof SottoError && failure.code === 'channel/tls-key-differs'
}

function openerFor(
  decryptResponse: (nonce: string) => ResponseOpener,
  nonce: string,
  timeout: RequestTimeout,
): ResponseOpener {
  try {
    return decryptResponse(nonce)
  } catch (cause) {
    timeout.close()
    throw new SottoError('channel/response-invalid', { cause })
  }
}

/** Opens frame by frame. Every failure is coded, and what was opened before it has already been passed on. */
function opened(opener: ResponseOpener, received: ReceivedBytes): Through {
  return {
    push: (chunk) => {
      received.note(chunk)
      return coded(() => opener.push(chunk))
    },
    end: () => coded(() => opener.end()),
  }
}

function coded<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof EhbpError)) throw cause
    throw new SottoError(
      cause.code === 'ehbp/truncated' ? 'channel/response-truncated' : 'channel/response-invalid',
      { cause },
    )
  }
}
