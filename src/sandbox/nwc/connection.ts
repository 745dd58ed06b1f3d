import { WebSocket } from 'undici'
import { z } from 'zod'
import type { RandomBytes } from '../random.ts'
import type { WalletAddress } from './connection-string.ts'
import { eventSchema, isSigned, publicKeyOf, signEvent, type NostrEvent } from './event.ts'
import { conversationKey, decrypt, encrypt } from './nip44.ts'
import { tryParseJson } from '../route/schemas.ts'

/** NIP-47. */
const kinds = { info: 13_194, request: 23_194, response: 23_195 }

const relayMessageSchema = z.union([
  z.tuple([z.literal('EVENT'), z.string(), eventSchema]),
  z.tuple([z.literal('EOSE'), z.string()]),
])
const responseSchema = z.object({
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
  result: z.record(z.string(), z.unknown()).nullish(),
})

export class WalletError extends Error {
  /** The wallet's own code, or `UNREACHABLE`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'WalletError'
    this.code = code
  }
}

/** One question to a wallet over its relay: the socket is opened for it and closed after it. */
export class WalletConnection {
  readonly #address: WalletAddress
  readonly #random: RandomBytes
  readonly #signal: AbortSignal

  /** @param signal cancels all requests */
  constructor(address: WalletAddress, random: RandomBytes, signal: AbortSignal) {
    this.#address = address
    this.#random = random
    this.#signal = signal
  }

  /** The methods that the wallet reports, and whether it supports NIP-44. @throws WalletError */
  async capabilities(): Promise<{ readonly methods: readonly string[]; readonly nip44: boolean }> {
    const { walletPublicKey } = this.#address
    const info = await this.#ask(
      { kinds: [kinds.info], authors: [walletPublicKey], limit: 1 },
      undefined,
      true,
    )
    const encryption = info.tags.find(([name]) => name === 'encryption')?.[1] ?? ''
    return {
      methods: info.content.split(/[\s,]+/).filter((method) => method !== ''),
      nip44: encryption.split(/\s+/).includes('nip44_v2'),
    }
  }

  /** @param at Unix seconds @returns the preimage as the wallet gave it @throws WalletError */
  async payInvoice(invoice: string, at: number): Promise<string> {
    const { walletPublicKey, secretKey } = this.#address
    const key = conversationKey(secretKey, walletPublicKey)
    const content = encrypt(
      JSON.stringify({ method: 'pay_invoice', params: { invoice } }),
      key,
      this.#random(32),
    )
    const request = signEvent(
      kinds.request,
      [
        ['p', walletPublicKey],
        ['encryption', 'nip44_v2'],
        ['expiration', String(at + 60)],
      ],
      content,
      secretKey,
      at,
    )
    const filter = {
      kinds: [kinds.response],
      authors: [walletPublicKey],
      '#p': [publicKeyOf(secretKey)],
      '#e': [request.id],
    }
    const answer = await this.#ask(filter, request, false)
    const { error, result } = readResponse(answer.content, key)
    if (error) throw new WalletError(error.code, error.message)
    const preimage = result?.['preimage']
    if (typeof preimage !== 'string') throw new WalletError('OTHER', 'the wallet returned no preimage')
    return preimage
  }

  /**
   * The first event of the wallet that matches the filter. @param untilStored resolves if nothing is stored
   */
  #ask(filter: object, publish: NostrEvent | undefined, untilStored: boolean): Promise<NostrEvent> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(this.#address.relay)
      const end = (outcome: () => void) => {
        this.#signal.removeEventListener('abort', abandon)
        socket.close()
        outcome()
      }
      const fail = (message: string) => end(() => reject(new WalletError('UNREACHABLE', message)))
      const abandon = () => fail('the wallet did not respond in time')
      this.#signal.addEventListener('abort', abandon, { once: true })
      if (this.#signal.aborted) abandon()
      socket.addEventListener('open', () => {
        // Responses are not stored, so the subscription must come before the request.
        socket.send(JSON.stringify(['REQ', 'sandbox', filter]))
        if (publish) socket.send(JSON.stringify(['EVENT', publish]))
      })
      socket.addEventListener('error', () => fail('couldn’t reach the relay'))
      socket.addEventListener('close', () => fail('the relay closed the connection'))
      socket.addEventListener('message', ({ data }) => {
        const message = relayMessageSchema.safeParse(
          typeof data === 'string' ? tryParseJson(data) : undefined,
        )
        if (!message.success) return
        const [type, , event] = message.data
        if (type === 'EOSE') {
          if (untilStored) fail('the wallet has published no information on this relay')
          return
        }
        if (event.pubkey === this.#address.walletPublicKey && isSigned(event)) end(() => resolve(event))
      })
    })
  }
}

function readResponse(content: string, key: Uint8Array): z.infer<typeof responseSchema> {
  try {
    return responseSchema.parse(JSON.parse(decrypt(content, key)))
  } catch {
    throw new WalletError('OTHER', 'couldn’t read the wallet’s response')
  }
}
