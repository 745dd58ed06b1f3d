import { hash } from 'node:crypto'
import { failureOfAbort, SottoError } from '../../../shared/errors.ts'
import type { Conversion, ConversionRequest } from './convert.ts'

const MAX_ENTRIES = 32
/** The limit of all cached texts together, in UTF-16 code units. */
const MAX_TEXT = 16_000_000

interface Running {
  readonly result: Promise<Conversion>
  readonly stop: AbortController
  callers: number
}

/**
 * Converts each document once for each account: attaching a document again costs nothing. Results are cached
 * in memory. The oldest are dropped first, and all of them when Sotto locks or ends.
 */
export class Conversions implements Disposable {
  readonly #convert: (request: ConversionRequest) => Promise<Conversion>
  readonly #accountId: () => string | null
  readonly #cached = new Map<string, Conversion>()
  readonly #running = new Map<string, Running>()
  #disposed = false

  constructor({
    convert,
    accountId,
  }: {
    convert: (request: ConversionRequest) => Promise<Conversion>
    accountId: () => string | null
  }) {
    this.#convert = convert
    this.#accountId = accountId
  }

  /** Whether a document is already converted, so that it costs nothing. */
  has(name: string, content: Uint8Array): boolean {
    return this.#cached.has(this.#keyOf(name, content))
  }

  /**
   * Returns a document as Markdown. Concurrent calls for one document share one request, which ends when its
   * last caller has left.
   * @throws {SottoError} the errors of ConvertWay.convert; request/canceled or the signal's reason if this
   * caller left
   */
  async convert(request: ConversionRequest): Promise<Conversion> {
    request.signal.throwIfAborted()
    const key = this.#keyOf(request.name, request.content)
    const cached = this.#cached.get(key)
    if (cached) return cached
    const running = this.#running.get(key) ?? this.#start(key, request)
    running.callers += 1
    let leave = (): void => undefined
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(failureOfAbort(request.signal))
      request.signal.addEventListener('abort', leave)
    })
    try {
      return await Promise.race([running.result, left])
    } finally {
      request.signal.removeEventListener('abort', leave)
      running.callers -= 1
      if (running.callers === 0) {
        // A later caller starts its own request and doesn't join one that is being stopped.
        if (this.#running.get(key) === running) this.#running.delete(key)
        running.stop.abort(new SottoError('request/canceled'))
      }
    }
  }

  [Symbol.dispose](): void {
    this.#disposed = true
    this.#cached.clear()
    for (const { stop } of this.#running.values()) stop.abort(new SottoError('request/canceled'))
    this.#running.clear()
  }

  #start(key: string, request: ConversionRequest): Running {
    const stop = new AbortController()
    const result = this.#convert({ ...request, signal: stop.signal }).then((conversion) => {
      this.#cache(key, conversion)
      return conversion
    })
    // All callers may have left by then.
    result.catch(() => undefined)
    const running: Running = { result, stop, callers: 0 }
    this.#running.set(key, running)
    return running
  }

  #cache(key: string, conversion: Conversion): void {
    if (this.#disposed) return
    this.#cached.set(key, conversion)
    let text = [...this.#cached.values()].reduce((sum, each) => sum + each.text.length, 0)
    for (const [oldest, { text: dropped }] of this.#cached) {
      if (this.#cached.size <= MAX_ENTRIES && text <= MAX_TEXT) return
      this.#cached.delete(oldest)
      text -= dropped.length
    }
  }

  /** Includes the file extension, because it determines how the document is read. */
  #keyOf(name: string, content: Uint8Array): string {
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    return `${this.#accountId() ?? ''}\n${ending}\n${hash('sha256', content, 'hex')}`
  }
}
