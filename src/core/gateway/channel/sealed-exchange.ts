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
  /** The path after the enclave's address, such as `/v1/chat/completions`. */
  readonly path: string
  /**
   * The ID of the model as the enclave knows it. It selects the enclave if models have their own enclaves. It
   * isn't sent.
   */
  readonly model?: string
  /** Readable by the service: credentials and the model's name, never content. Lowercase names. */
  readonly headers: Record<string, string>
  /** The media type of the plaintext. It's sent unsealed; `application/json` by default. */
  readonly contentType?: string
  /** The plaintext. It leaves this computer only sealed. */
  readonly body: Uint8Array
  readonly signal: AbortSignal
  /** Called when a verdict permits sealing the request. */
  readonly onProven?: () => void
  /** Called each time before the sealed bytes are sent to the enclave of this verdict. */
  readonly onLeaving?: (verdict: Verdict) => void
  /** Reports the sent ciphertext, even if no answer arrives: its SHA-256 (hex) and size. */
  readonly onSent?: (sent: { readonly requestDigest: string; readonly bytesSent: number }) => void
  /** Sotto refused the connection before anything was sent. The request may be sent again. */
  readonly onStayed?: () => void
  /** The enclave didn't read the sent request because it has another key. The request may be sent again. */
  readonly onUnread?: () => void
}

export interface SealedResponse {
  readonly status: number
  readonly headers: Fields
  /** The trailers, as fetch returns them. Unauthenticated, like the headers. */
  readonly trailers?: Fields | undefined
  /**
   * True if the enclave answered: `body` is then decrypted plaintext. False: `body` has unauthenticated bytes
   * and the status isn't 2xx.
   */
  readonly opened: boolean
  /**
   * The answer reports, unauthenticated, that the enclave didn't read the request because it has another key.
   */
  readonly keyRefused: boolean
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the exchange. Needed if `body` is never iterated, because only an iteration ends it otherwise. */
  close(): void
  /** SHA-256 (hex) of the ciphertext received so far. */
  responseDigest(): string
  bytesReceived(): number
}

/** The unauthenticated content of an answer without a nonce. */
export interface UnsealedAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: Uint8Array
}

interface Exchange {
  readonly fetch: Fetch
  readonly url: string
  /** Headers in addition to the request's. Lowercase names. */
  readonly headers?: Record<string, string>
  /** SHA-256 (hex) of the TLS key that the connection must have, if the enclave terminates TLS itself. */
  readonly tlsKey?: string
  /** Whether an unsealed answer means that the enclave has another key. */
  readonly refusesKey: (answer: UnsealedAnswer) => boolean
  readonly verdict: Verdict
  readonly setups: Pick<HpkeContextPool, 'take'>
  readonly request: SealedRequest
  readonly timeouts: Timeouts
}

/**
 * Sends one sealed request and returns its answer (EHBP, SPEC 5.1, 5.3 and 5.4). A 2xx without the nonce is
 * refused as channel/plaintext-response and its bytes are discarded.
 * @throws {SottoError} channel/tls-key-differs – the connection has another TLS key than the required one, so
 * nothing was sent; attestation/failed – sealing to the attested key is impossible;
 * channel/crypto-unavailable; channel/response-invalid – a nonce of another form; service/unreachable,
 * service/interrupted, service/timeout, request/canceled. The body throws the last three; a decrypted body
 * also throws channel/response-invalid and channel/response-truncated
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
  // Hashed while the ciphertext is being sent.
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

/**
 * Returns a small body as a whole, and a body that yields the same bytes again. `beginning` is null if the
 * body isn't small.
 */
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

/**
 * If an honest enclave can't have the key (such as a point of low order), verification failed, even though
 * the key is attested.
 */
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

/** Seals into one frame, as published clients do; into several if the body exceeds the size of a frame. */
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

/**
 * Whether an exchange ended before anything was sent, because the connection's TLS key isn't the attested
 * one.
 */
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

/** Decrypts frame by frame. Every failure has a code. The frames before it have already been yielded. */
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
