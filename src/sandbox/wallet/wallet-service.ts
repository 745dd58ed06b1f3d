import { WebSocket } from 'ws'
import { z } from 'zod'
import { eventSchema, isSigned, publicKeyOf, signEvent, type NostrEvent } from '../nwc/event.ts'
import { conversationKey, decrypt, encrypt } from '../nwc/nip44.ts'
import type { RandomBytes } from '../random.ts'
import type { Purse, Spender } from './purse.ts'

/** NIP-47. */
const requestSchema = z.discriminatedUnion('method', [
  z.object({ method: z.literal('get_info') }),
  z.object({ method: z.literal('get_balance') }),
  z.object({ method: z.literal('get_budget') }),
  z.object({
    method: z.literal('pay_invoice'),
    params: z.object({ invoice: z.string().max(4096), amount: z.int().optional() }),
  }),
  z.object({
    method: z.literal('lookup_invoice'),
    params: z.object({
      payment_hash: z.string().max(64).optional(),
      invoice: z.string().max(4096).optional(),
    }),
  }),
])
export type WalletRequest = z.infer<typeof requestSchema>
const methods = requestSchema.options.map(({ shape }) => shape.method.value)

export type ErrorCode =
  | 'OTHER'
  | 'NOT_IMPLEMENTED'
  | 'NOT_FOUND'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_ENCRYPTION'
  | 'INSUFFICIENT_BALANCE'
  | 'QUOTA_EXCEEDED'
  | 'PAYMENT_FAILED'

export interface WalletAnswer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: ErrorCode; readonly message: string }
}

export function failed(code: ErrorCode, message: string): WalletAnswer {
  return { error: { code, message } }
}

/** NIP-47. */
const kinds = { info: 13_194, request: 23_194, response: 23_195 }
const mostRemembered = 10_000

const arrivedSchema = z.tuple([z.literal('EVENT'), z.string(), eventSchema])
const eoseSchema = z.tuple([z.literal('EOSE'), z.string()])

export interface ServiceKeys {
  readonly walletKey: Uint8Array
  /** Whose requests are answered: the public key, and as whom. */
  readonly spenders: ReadonlyMap<string, Spender>
}

/**
 * The wallet's side of NIP-47: it subscribes at a relay, and answers the requests of its connections. Only
 * NIP-44.
 */
export class NwcWalletService {
  readonly publicKey: string
  readonly #keys: ServiceKeys
  readonly #purse: Purse
  readonly #random: RandomBytes
  readonly #now: () => number
  /** A request is carried out once, however often a relay shows it. */
  readonly #seen = new Set<string>()
  #socket: WebSocket | undefined

  constructor(keys: ServiceKeys, purse: Purse, random: RandomBytes, now: () => number) {
    this.publicKey = publicKeyOf(keys.walletKey)
    this.#keys = keys
    this.#purse = purse
    this.#random = random
    this.#now = now
  }

  /** Resolves when the relay has its info event, and lets requests through to it. */
  connect(relay: string): Promise<void> {
    const socket = new WebSocket(relay)
    this.#socket = socket
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('open', () => {
        const info = signEvent(
          kinds.info,
          [['encryption', 'nip44_v2']],
          methods.join(' '),
          this.#keys.walletKey,
          this.#seconds(),
        )
        socket.send(JSON.stringify(['EVENT', info]))
        socket.send(JSON.stringify(['REQ', 'requests', { kinds: [kinds.request], '#p': [this.publicKey] }]))
      })
      socket.on('message', (data: Buffer) => {
        const message: unknown = JSON.parse(data.toString())
        if (eoseSchema.safeParse(message).success) resolve()
        const arrived = arrivedSchema.safeParse(message)
        if (arrived.success) void this.#take(arrived.data[2])
      })
    })
  }

  disconnect(): void {
    this.#socket?.terminate()
    this.#socket = undefined
  }

  async #take(event: NostrEvent): Promise<void> {
    const tag = (name: string) => event.tags.find(([first]) => first === name)?.[1]
    const expiresAt = Number(tag('expiration') ?? Infinity)
    if (
      event.kind !== kinds.request ||
      tag('p') !== this.publicKey ||
      !isSigned(event) ||
      expiresAt * 1000 <= this.#now() ||
      this.#seen.has(event.id)
    )
      return
    this.#remember(event.id)
    const key = conversationKey(this.#keys.walletKey, event.pubkey)
    const { method, answer } = await this.#answer(event, key, tag('encryption'))
    if (!answer) return
    const body = { result_type: method, error: answer.error ?? null, result: answer.result ?? null }
    const tags = [
      ['p', event.pubkey],
      ['e', event.id],
    ]
    const reply = signEvent(
      kinds.response,
      tags,
      encrypt(JSON.stringify(body), key, this.#random(32)),
      this.#keys.walletKey,
      this.#seconds(),
    )
    // Uses the current socket, because the relay may have been reopened in between.
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(['EVENT', reply]))
  }

  async #answer(
    event: NostrEvent,
    key: Uint8Array,
    encryption: string | undefined,
  ): Promise<{ readonly method: string; readonly answer: WalletAnswer | undefined }> {
    if (encryption !== 'nip44_v2')
      return { method: 'error', answer: failed('UNSUPPORTED_ENCRYPTION', 'only nip44_v2 is supported') }
    const spender = this.#keys.spenders.get(event.pubkey)
    const named = z.object({ method: z.string() }).safeParse(opened(event.content, key))
    const method = named.data?.method ?? 'error'
    if (!spender) return { method, answer: failed('UNAUTHORIZED', 'unknown connection') }
    const request = requestSchema.safeParse(opened(event.content, key))
    if (!request.success)
      return {
        method,
        answer: failed(
          methods.some((known) => known === method) ? 'OTHER' : 'NOT_IMPLEMENTED',
          'invalid request',
        ),
      }
    switch (request.data.method) {
      case 'get_info':
        return {
          method,
          answer: {
            result: {
              alias: 'Sotto sandbox wallet',
              color: '#888888',
              pubkey: this.publicKey,
              network: 'regtest',
              block_height: 1,
              block_hash: '00'.repeat(32),
              methods,
              notifications: [],
            },
          },
        }
      case 'get_balance':
        return { method, answer: { result: { balance: Number(this.#purse.balance()) } } }
      case 'get_budget':
        return { method, answer: this.#purse.budget(spender) }
      case 'lookup_invoice':
        return { method, answer: this.#purse.lookUp(request.data.params) }
      case 'pay_invoice':
        return { method, answer: await this.#purse.pay(request.data.params, spender) }
    }
  }

  #remember(id: string): void {
    this.#seen.add(id)
    const [oldest] = this.#seen
    if (this.#seen.size > mostRemembered && oldest !== undefined) this.#seen.delete(oldest)
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

function opened(content: string, key: Uint8Array): unknown {
  try {
    return JSON.parse(decrypt(content, key))
  } catch {
    return undefined
  }
}
