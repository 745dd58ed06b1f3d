import {
  createPayer,
  type FrozenRequest,
  type LightningWallet,
  type LookedUp,
  type PaymentOutcome,
  type PaymentRecord,
  type Payer,
  type PayerOptions,
  type SpendingLimits,
} from '../../../src/core/payments/index.ts'
import type { PaymentTransport, TransportResponse } from '../../../src/core/gateway/relay/index.ts'
import type { Confirm } from '../../../src/shared/confirm.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { paymentChallengeSchema, type PaymentChallenge } from '../../../src/shared/payment-challenge.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import { MemoryFiles, MemoryPayments } from './memory-payments.ts'
import { mintInvoice, type Minted, type Minting } from './mint-invoice.ts'
import { limitClockOf, MemoryMarks } from './scripted-clock.ts'
import { VirtualClock } from './virtual-clock.ts'

export const HOST = 'pay.service.example'
export const START = Date.UTC(2026, 10, 22, 12)
export const WALLET_KEY = 'ab'.repeat(32)
export const never = new AbortController().signal

type Sent = {
  readonly request: FrozenRequest
  readonly idempotencyKey: string
  readonly authorization?: string
}

/** A wallet that follows its script, and records its requests. */
export class ScriptedWallet implements LightningWallet {
  readonly publicKey: string = WALLET_KEY
  canLookUp = true
  /** Invoices that the wallet was asked to pay. */
  readonly asked: string[] = []
  readonly lookedUp: string[] = []
  pays: (invoice: string, options: Parameters<LightningWallet['pay']>[1]) => Promise<PaymentOutcome>
  looks: (paymentHash: string) => Promise<LookedUp> | LookedUp = () => ({ state: 'not-found' })
  readonly #log: string[]

  constructor(pays: ScriptedWallet['pays'], log: string[]) {
    this.pays = pays
    this.#log = log
  }
  pay(invoice: string, options: Parameters<LightningWallet['pay']>[1]): Promise<PaymentOutcome> {
    this.asked.push(invoice)
    this.#log.push('wallet asked')
    return this.pays(invoice, options)
  }
  lookUp(paymentHash: string): Promise<LookedUp> {
    this.lookedUp.push(paymentHash)
    return Promise.resolve(this.looks(paymentHash))
  }
}

/** A service that demands payment, knows which invoices are paid, and answers as a test decides. */
export class ScriptedService implements PaymentTransport {
  readonly sent: Sent[] = []
  readonly fetched: string[] = []
  readonly issued: Minted[] = []
  minting: Minting = {}
  /** Changes the challenge around the invoice. */
  changeChallenge: (challenge: PaymentChallenge, minted: Minted) => PaymentChallenge = (challenge) =>
    challenge
  status = 402
  date: number | undefined
  /** The payment scheme that the service accepts. */
  takes: 'L402' | 'Payment' | 'either' = 'L402'
  /** The answers to requests that prove their payment; the last one repeats. */
  answers: (() => TransportResponse | Promise<TransportResponse>)[] = [() => json({ found: 'cellos' })]
  answerOwn: (
    address: string,
  ) =>
    | Awaited<ReturnType<PaymentTransport['fetchOwn']>>
    | Promise<Awaited<ReturnType<PaymentTransport['fetchOwn']>>> = () => ({
    status: 404,
    contentType: 'text/plain',
    body: bodyOf(''),
  })
  readonly #now: () => number
  readonly #log: string[]

  constructor(now: () => number, log: string[]) {
    this.#now = now
    this.#log = log
  }

  demand(status = this.status, problem?: string): TransportResponse {
    const minted = mintInvoice({
      timestamp: Math.floor(this.#now() / 1000),
      expirySeconds: 300,
      ...this.minting,
    })
    this.issued.push(minted)
    const id = `challenge-${String(this.issued.length)}`
    const challenge = paymentChallengeSchema.parse({
      scheme: 'payment',
      invoice: minted.invoice,
      token: id,
      description: 'Data: search',
      echo: { id, realm: 'realm', method: 'lightning', intent: 'charge', request: 'e30' },
      stated: { amountSat: '14', network: 'regtest', paymentHash: minted.paymentHash },
    })
    return {
      kind: 'demand',
      status,
      challenge: this.changeChallenge(challenge, minted),
      ...(this.date !== undefined && { date: this.date }),
      ...(problem !== undefined && { problem }),
    }
  }

  async send(
    request: FrozenRequest,
    { idempotencyKey, authorization }: { idempotencyKey: string; authorization?: string },
  ): Promise<TransportResponse> {
    this.sent.push({ request, idempotencyKey, ...(authorization !== undefined && { authorization }) })
    this.#log.push(
      authorization === undefined ? 'asked for the price' : `sent ${authorization.split(' ')[0] ?? ''}`,
    )
    if (authorization === undefined) return this.demand()
    const read = readCredential(authorization)
    const known = this.issued.some(
      ({ preimage }, at) => preimage === read.preimage && read.id === `challenge-${String(at + 1)}`,
    )
    if (!known || (this.takes !== 'either' && read.scheme !== this.takes))
      return this.demand(402, 'https://paymentauth.org/problems/verification-failed')
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
    if (!answer) throw new Error('no answer')
    return answer()
  }

  async fetchOwn(address: string): ReturnType<PaymentTransport['fetchOwn']> {
    this.fetched.push(address)
    return this.answerOwn(address)
  }

  preimageOf(paymentHash: string): string {
    return this.issued.find((minted) => minted.paymentHash === paymentHash)?.preimage ?? ''
  }
  paid(invoice: string): PaymentOutcome {
    return {
      outcome: 'paid',
      preimage: this.issued.find((minted) => minted.invoice === invoice)?.preimage ?? '',
      feeMsat: 1000n,
    }
  }
}

/** Reads the credential as the two specifications define it, without the code that writes it. */
function readCredential(authorization: string): { scheme: string; id?: string; preimage?: string } {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (scheme === 'L402')
    return {
      scheme,
      id: value.slice(0, value.lastIndexOf(':')),
      preimage: value.slice(value.lastIndexOf(':') + 1),
    }
  const { challenge, payload } = JSON.parse(Buffer.from(value, 'base64url').toString()) as {
    challenge: Record<string, string>
    payload: { preimage: string }
  }
  // All binding members have to come back.
  const whole = ['id', 'realm', 'method', 'intent', 'request'].every((name) => challenge[name] !== undefined)
  return { scheme, preimage: payload.preimage, ...(whole && { id: challenge['id'] }) }
}

export function json(value: unknown, status = 200): TransportResponse {
  return {
    kind: 'answer',
    status,
    contentType: 'application/json; charset=utf-8',
    body: bodyOf(JSON.stringify(value)),
  }
}

export async function* bodyOf(content: string | Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(content))
}

/** A body that breaks off before its end. */
export async function* cutBody(content: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(content))
  throw new SottoError('service/interrupted')
}

export const searchRequest: FrozenRequest = {
  endpoint: 'data',
  method: 'POST',
  path: '/v1/data/api/websearch/search?deep=1',
  contentType: 'application/json',
  body: new TextEncoder().encode('{"q":"cellos"}'),
}
export const imagesRequest: FrozenRequest = {
  endpoint: 'images/generations',
  method: 'POST',
  path: '/v1/images/generations',
  contentType: 'application/json',
  body: new TextEncoder().encode('{"model":"brush","prompt":"a cello"}'),
}
export const videoRequest: FrozenRequest = {
  endpoint: 'videos',
  method: 'POST',
  path: '/v1/videos',
  contentType: 'application/json',
  body: new TextEncoder().encode('{"model":"reel","prompt":"a cello"}'),
}

export interface PayerWorld extends AsyncDisposable {
  readonly clock: VirtualClock
  readonly journal: MemoryPayments
  readonly files: MemoryFiles
  readonly wallet: ScriptedWallet
  readonly service: ScriptedService
  readonly limits: { -readonly [name in keyof SpendingLimits]: bigint }
  /** The confirmations that the owner was asked for; `says` is the owner's answer. */
  readonly asked: string[]
  approval: boolean | Promise<boolean>
  connected: boolean
  /** All writes, requests and sent messages, in order. */
  readonly log: string[]
  payer: Payer
  /** Quotes one request. */
  quoted(request?: FrozenRequest): Promise<PaymentRecord>
  /** Quotes a request and pays it, on behalf of a person. */
  purchase(request?: FrozenRequest): Promise<PaymentRecord>
  pay(id: string, asks?: 'person' | 'tool', signal?: AbortSignal): Promise<PaymentRecord>
  record(id: string): PaymentRecord
  /** Another payer over the same journal. */
  open(): Payer
  /** Ends this payer and opens another one over the same journal, as a new start does. */
  restart(): Promise<void>
}

export function payerWorld(overrides: Partial<PayerOptions> = {}): PayerWorld {
  const log: string[] = []
  const clock = new VirtualClock(START)
  const journal = new MemoryPayments(log)
  journal.now = clock.now
  const files = new MemoryFiles()
  const service = new ScriptedService(clock.now, log)
  const wallet = new ScriptedWallet((invoice) => Promise.resolve(service.paid(invoice)), log)
  const limits = {
    perPayment: 1_000_000n,
    perDay: 10_000_000n,
    perHostAndDay: 10_000_000n,
    automaticUpTo: 100_000n,
  }
  const asked: string[] = []
  const marks = new MemoryMarks()
  let resumed = 0
  let ids = 0
  const confirm: Confirm = {
    ask: async ({ says }) => {
      asked.push(renderEnglish(says))
      return await world.approval
    },
    pending: () => null,
    answer: () => ({ accepted: false }),
  }
  const open = (): Payer =>
    createPayer({
      journal,
      files,
      transport: service,
      confirm,
      now: clock.now,
      limitClock: limitClockOf(clock.now, { marks }),
      monotonic: clock.now,
      wait: clock.wait,
      wallet: () => (world.connected ? wallet : null),
      service: { host: HOST, lightningNetwork: 'regtest', kind: 'service' },
      limits: () => limits,
      requireIntact: () => undefined,
      resumedAt: {
        read: () => resumed,
        write: (at) => {
          resumed = at
        },
      },
      newId: () => `payment-${String(++ids)}`,
      ...overrides,
    })
  const world: PayerWorld = {
    clock,
    journal,
    files,
    wallet,
    service,
    limits,
    asked,
    log,
    open,
    approval: true,
    connected: true,
    payer: open(),
    async quoted(request = searchRequest) {
      const quoted = await world.payer.quote(
        request,
        { caller: { kind: 'window' }, subject: 'websearch/search' },
        never,
      )
      if (quoted.kind !== 'quoted') throw new Error('it was answered')
      return quoted.record
    },
    async purchase(request) {
      const { id } = await world.quoted(request)
      return world.pay(id)
    },
    pay: (id, asks = 'person', signal = never) =>
      clock.through(world.payer.pay(id, asks === 'person' ? { asks, from: 'window' } : { asks }, signal)),
    record(id) {
      const record = journal.get(id)
      if (!record) throw new Error('no such record')
      return record
    },
    async restart() {
      await world.payer[Symbol.asyncDispose]()
      world.payer = open()
      world.payer.resume()
    },
    async [Symbol.asyncDispose]() {
      await world.payer[Symbol.asyncDispose]()
    },
  }
  return world
}
