/**
 * The subset of the web's fetch that the core uses. The global `fetch` satisfies it; a host may provide a
 * leaner one. An implementation follows no redirect, stores no cookie and decodes no content encoding.
 */
export interface FetchInit {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Lowercase names. */
  headers: Record<string, string>
  /** An iterable is streamed once; `content-length` is its length, if known. */
  body?: Uint8Array | string | AsyncIterable<Uint8Array>
  signal?: AbortSignal
  redirect: 'manual'
  /**
   * SHA-256 of the SubjectPublicKeyInfo (lowercase hex) that the TLS connection's server must have. Over another connection, or without TLS,
   * nothing is sent, and the fetch rejects with OtherTlsKeyError.
   */
  tlsKey?: string
}

/** The fields of a header or trailer section. Names in any case; several lines of one name are joined. */
export interface Fields {
  get(name: string): string | null
}

export interface FetchResponse {
  readonly status: number
  readonly headers: Fields
  /** The trailer fields (RFC 9110, section 6.5), which arrive after the body: none before its end. Absent if this fetch can't read them. */
  readonly trailers?: Fields | undefined
  /** Leaving the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array> | null
}

export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/**
 * A fetch rejects with this error if no byte of the request was sent, because no connection was
 * established.
 */
export class UnsentError extends Error {
  override name = 'UnsentError'
}

/** The connection ends at another TLS key than the required one, so nothing was sent. */
export class OtherTlsKeyError extends UnsentError {
  override name = 'OtherTlsKeyError'
  constructor() {
    super('the connection ends at another TLS key')
  }
}

/** The subset of a WebSocket that the core uses. */
export interface Socket {
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  /** Text comes as a string; whatever else comes is no message. */
  addEventListener(type: 'message', listener: (message: { readonly data: unknown }) => void): void
}

/** Opens a WebSocket to a `wss://` address, or `ws://` on loopback. */
export type Dial = (address: string) => Socket
