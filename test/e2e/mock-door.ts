import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { implement, ORPCError } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import { SimpleCsrfProtectionHandlerPlugin } from '@orpc/server/plugins'
import { pageHeaders } from '../../src/host/content-security-policy.ts'
import { contract, type ChatEvent, type Failure } from '../../src/shared/contract/sotto-contract.ts'
import type { PrivacyChoices, TrustView } from '../../src/shared/contract/privacy.ts'
import type { Message } from '../../src/shared/conversation.ts'
import type { DrillEvent } from '../../src/shared/drill.ts'
import { errorCodes, type ErrorCode } from '../../src/shared/error-codes.ts'
import type { Model } from '../../src/shared/model.ts'
import { pinOf, samePin } from '../../src/shared/pin.ts'
import { isPrivateModel } from '../../src/shared/privacy.ts'
import type { ServiceChoice } from '../../src/shared/profile.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { SandboxFault, SandboxPlatform } from '../../src/shared/sandbox-faults.ts'
import type { Status } from '../../src/shared/status.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import type { VerifiedEnclave } from '../../src/shared/verified-enclave.ts'
import { windowFolder } from './build-window.ts'
import { mockProof, noChoices, sandboxTrust } from './mock-privacy.ts'
import { goodVerdict, models, receipt, sandboxStatus, serviceStatus, type StoredConversation } from './mock-data.ts'

/** What the pretended core knows. A test changes it and the window asks for it. */
export interface MockState {
  status: Status
  models: readonly Model[]
  conversations: StoredConversation[]
  receipts: Receipt[]
  verdict: Verdict | null
  history: VerifiedEnclave[]
  trust: TrustView
  privacyChoices: PrivacyChoices
  /** What the next verification finds. */
  nextVerdict: Verdict
  faults: SandboxFault[]
  platform: SandboxPlatform
  /** What the attack drill tells. */
  drill: (signal: AbortSignal | undefined) => AsyncGenerator<DrillEvent, void>
  choices: ServiceChoice[]
  /** What opens the locked vault. */
  passphrase: string
  /** Asked for before the service is changed; undefined: nothing is asked. */
  confirmationCode: string | undefined
  pending: { id: string; says: string } | null
  /** Calls that fail, by `area.call`. */
  failures: Partial<Record<string, Failure>>
  /** What the listing waits for. */
  beforeModels: () => Promise<void>
}

export function failure(code: ErrorCode, more: Partial<Failure> = {}): Failure {
  const { says, remedy } = errorCodes[code]
  return { code, says, remedy, ...more }
}

/** One answer that the window waits for; the test says how it goes on. */
export class MockAnswer {
  readonly input: { conversationId?: string | undefined; model: string; text: string }
  /** Settles when the window gave it up. */
  readonly stopped: Promise<void>
  #events: ChatEvent[] = []
  #ended: 'open' | 'done' | 'cut' = 'open'
  #wake: () => void = () => undefined
  readonly #message: Message
  #text = ''

  constructor(input: MockAnswer['input'], message: Message, signal: AbortSignal | undefined) {
    this.input = input
    this.#message = message
    this.stopped = new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
    signal?.addEventListener('abort', () => {
      this.#message.state = 'cancelled'
      this.#message.text = this.#text
      this.#close('done')
    })
  }

  stage(stage: Extract<ChatEvent, { type: 'stage' }>['stage']): void {
    this.#push({ type: 'stage', stage })
  }

  delta(text: string): void {
    this.#text += text
    this.#push({ type: 'delta', text })
  }

  reasoning(reasoning: string): void {
    this.#push({ type: 'delta', reasoning })
  }

  end(part: Partial<Message> = {}, kept?: Receipt, failed?: Failure): void {
    Object.assign(this.#message, { text: this.#text, state: 'complete', privacy: isPrivateModel(this.input.model) ? 'sealed' : 'forwarded', ...(kept ? { receiptId: kept.id } : {}), ...part })
    this.#push({ type: 'ended', answer: { ...this.#message }, ...(kept ? { receipt: kept } : {}), ...(failed ? { failure: failed } : {}) })
    this.#close('done')
  }

  /** The door breaks off in the middle of the stream. */
  cut(): void {
    this.#close('cut')
  }

  #push(event: ChatEvent): void {
    this.#events.push(event)
    this.#wake()
  }

  #close(how: 'done' | 'cut'): void {
    if (this.#ended === 'open') this.#ended = how
    this.#wake()
  }

  async *events(): AsyncGenerator<ChatEvent, void> {
    for (;;) {
      const event = this.#events.shift()
      if (event) yield event
      else if (this.#ended === 'done') return
      else if (this.#ended === 'cut') throw new Error('the door was cut')
      else await new Promise<void>((resolve) => { this.#wake = resolve })
    }
  }
}

export interface MockDoor extends AsyncDisposable {
  readonly origin: string
  readonly state: MockState
  /** Every call through the door, with what was asked. */
  readonly calls: { readonly path: string; readonly input: unknown }[]
  /** The address with a fresh single-use code. */
  newAddress(): string
  /** The door no longer knows any tab. */
  forgetSessions(): void
  /** The answer that the window asks for next, or has asked for and nobody took. */
  nextAnswer(): Promise<MockAnswer>
  /** Every next answer is written by itself: the text in pieces, so many ms apart. */
  answerWith: ((input: MockAnswer['input']) => { text: string; pieceMs: number }) | undefined
}

const MEDIA: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

export async function openMockDoor(): Promise<MockDoor> {
  const now = Date.now()
  const state: MockState = {
    status: sandboxStatus(),
    models,
    conversations: [],
    receipts: [],
    verdict: null,
    history: [],
    trust: sandboxTrust(),
    privacyChoices: noChoices,
    nextVerdict: goodVerdict(now),
    faults: [],
    platform: 'sev-snp',
    async *drill() {
      await Promise.resolve()
      yield { type: 'planned', attempts: [] }
    },
    choices: [
      { id: 'sandbox', name: 'Sandbox', kind: 'sandbox' },
      { id: 'main', name: 'The service', kind: 'service', baseUrl: 'https://api.service.example' },
    ],
    passphrase: 'correct horse battery staple',
    confirmationCode: undefined,
    pending: null,
    failures: {},
    beforeModels: () => Promise.resolve(),
  }
  const calls: { path: string; input: unknown }[] = []
  const codes = new Set<string>()
  const tokens = new Set<string>()
  const waiting: ((answer: MockAnswer) => void)[] = []
  const asked: MockAnswer[] = []
  let confirmed: ((yes: boolean) => void) | undefined
  let count = 0
  let answerWith: MockDoor['answerWith']

  const os = implement(contract).use(async ({ path, next }, input) => {
    const name = path.join('.')
    calls.push({ path: name, input })
    const data = state.failures[name]
    if (data) throw new ORPCError('SOTTO', { status: 422, data, defined: true })
    return await next()
  })

  function refuse(code: ErrorCode): never {
    throw new ORPCError('SOTTO', { status: 422, data: failure(code), defined: true })
  }

  function stored(id: string): StoredConversation {
    return state.conversations.find(({ conversation }) => conversation.id === id) ?? refuse('conversation/unknown')
  }

  async function confirm(says: string, signal: AbortSignal | undefined): Promise<void> {
    if (state.confirmationCode === undefined) return
    state.pending = { id: `confirm-${String(++count)}`, says }
    const yes = await new Promise<boolean>((resolve) => {
      confirmed = resolve
      signal?.addEventListener('abort', () => resolve(false))
    })
    state.pending = null
    if (!yes) refuse('confirm/refused')
  }

  const router = os.router({
    app: {
      status: os.app.status.handler(() => state.status),
      acknowledge: os.app.acknowledge.handler(({ input }) => {
        state.status = { ...state.status, notices: state.status.notices.filter(({ id }) => id !== input.noticeId) }
        return state.status
      }),
      begin: os.app.begin.handler(() => (state.status = { ...state.status, firstStart: false })),
    },
    vault: {
      unlock: os.vault.unlock.handler(({ input }) => {
        if (input.passphrase !== state.passphrase) refuse('vault/wrong-passphrase')
        return (state.status = { ...state.status, vault: { ...state.status.vault, state: 'open' } })
      }),
      protect: os.vault.protect.handler(() => (state.status = { ...state.status, vault: { kind: 'file', state: 'open' } })),
    },
    confirmations: {
      pending: os.confirmations.pending.handler(() => state.pending),
      answer: os.confirmations.answer.handler(({ input }) => {
        const accepted = input.id === state.pending?.id && input.code === state.confirmationCode
        if (accepted) confirmed?.(true)
        return { accepted }
      }),
    },
    profiles: {
      list: os.profiles.list.handler(() => state.choices),
      choose: os.profiles.choose.handler(async ({ input, signal }) => {
        await confirm('Change the service to The service at api.service.example.', signal)
        const before = state.status
        const { firstStart } = before
        state.status = input.profileId === 'sandbox' ? sandboxStatus() : { ...serviceStatus(), firstStart, account: { connected: false } }
        // As the core does: the answer is the status before the other core takes over.
        return before
      }),
    },
    accounts: {
      connect: os.accounts.connect.handler(() => (state.status = { ...state.status, account: { connected: true, creditIdMasked: '…9f02' } })),
      create: os.accounts.create.handler(() => (state.status = { ...state.status, account: { connected: true, creditIdMasked: '…77aa' } })),
      disconnect: os.accounts.disconnect.handler(async ({ signal }) => {
        if (state.status.service.kind === 'service') await confirm('Forget the connected account.', signal)
        return (state.status = { ...state.status, account: { connected: false } })
      }),
      balance: os.accounts.balance.handler(() => ({ picoUsd: '4210000000000' })),
    },
    models: {
      list: os.models.list.handler(async () => {
        await state.beforeModels()
        return [...state.models]
      }),
    },
    chat: {
      send: os.chat.send.handler(async function* ({ input, signal }) {
        const at = Date.now()
        const id = input.conversationId ?? `c-${String(++count)}`
        if (input.conversationId === undefined) {
          state.conversations.push({
            conversation: { id, title: input.text.split('\n', 1)[0]?.slice(0, 60) ?? '', private: isPrivateModel(input.model), model: input.model, createdAt: at, updatedAt: at },
            messages: [],
          })
        }
        const kept = stored(id)
        if (kept.conversation.private && !isPrivateModel(input.model)) refuse('privacy/not-chosen')
        Object.assign(kept.conversation, { updatedAt: at, model: input.model })
        const userMessage: Message = { id: `m-${String(++count)}`, conversationId: id, role: 'user', text: input.text, state: 'complete', createdAt: at }
        const message: Message = { id: `m-${String(++count)}`, conversationId: id, role: 'assistant', text: '', state: 'streaming', model: input.model, createdAt: at }
        kept.messages.push(userMessage, message)
        const answer = new MockAnswer(input, message, signal)
        const taker = waiting.shift()
        if (taker) taker(answer)
        else asked.push(answer)
        if (answerWith) void write(answer, answerWith(input))
        yield { type: 'started' as const, conversation: { ...kept.conversation }, userMessage, answer: { ...message } }
        yield* answer.events()
      }),
    },
    conversations: {
      list: os.conversations.list.handler(() => state.conversations.map(({ conversation }) => conversation)),
      get: os.conversations.get.handler(({ input }) => stored(input.conversationId)),
      rename: os.conversations.rename.handler(({ input }) => Object.assign(stored(input.conversationId).conversation, { title: input.title })),
      remove: os.conversations.remove.handler(({ input }) => {
        const before = state.conversations.length
        state.conversations = state.conversations.filter(({ conversation }) => conversation.id !== input.conversationId)
        return { removed: state.conversations.length < before }
      }),
    },
    privacy: {
      drill: os.privacy.drill.handler(({ signal }) => state.drill(signal)),
      current: os.privacy.current.handler(() => state.verdict),
      verify: os.privacy.verify.handler(() => (state.verdict = state.nextVerdict)),
      acceptRelease: os.privacy.acceptRelease.handler(async ({ signal }) => {
        await confirm('Trust the older release v1.3.0 of router.sandbox.example.', signal)
        return (state.verdict = goodVerdict(Date.now()))
      }),
      history: os.privacy.history.handler(() => state.history),
      proof: os.privacy.proof.handler(() => (state.verdict ? mockProof(state.verdict) : refuse('proof/none'))),
      trust: os.privacy.trust.handler(() => state.trust),
      choices: os.privacy.choices.handler(() => state.privacyChoices),
      setAskBeforeNewRelease: os.privacy.setAskBeforeNewRelease.handler(async ({ input: { on }, signal }) => {
        if (!on) await confirm('Trust new releases of the enclave from now on without asking.', signal)
        return (state.privacyChoices = { ...state.privacyChoices, askBeforeNewRelease: on })
      }),
      pin: os.privacy.pin.handler(({ input }) => {
        const pinned = pinOf(state.history.find(({ id }) => id === input.enclaveId)?.registers ?? []) ?? refuse('privacy/measurement-unknown')
        return (state.privacyChoices = { ...state.privacyChoices, pins: [...state.privacyChoices.pins, pinned] })
      }),
      unpin: os.privacy.unpin.handler(async ({ input, signal }) => {
        await confirm('Take the last pin away.', signal)
        return (state.privacyChoices = { ...state.privacyChoices, pins: state.privacyChoices.pins.filter((known) => !samePin(known, input.pin)) })
      }),
    },
    receipts: {
      list: os.receipts.list.handler(() => state.receipts),
      get: os.receipts.get.handler(({ input }) => state.receipts.find(({ id }) => id === input.receiptId) ?? refuse('receipt/unknown')),
    },
    localApi: { get: os.localApi.get.handler(() => ({ baseUrl: state.status.proxy.baseUrl, key: 'sotto-4f9d2c7a8b1e6035', exampleModel: 'private/sandbox-large' })) },
    sandbox: {
      platform: os.sandbox.platform.handler(() => state.platform),
      setPlatform: os.sandbox.setPlatform.handler(({ input }) => (state.platform = input.platform)),
      faults: os.sandbox.faults.handler(() => state.faults),
      setFault: os.sandbox.setFault.handler(({ input }) => {
        state.faults = state.faults.filter((fault) => fault !== input.fault)
        if (input.on) state.faults.push(input.fault)
        return state.faults
      }),
    },
  })

  async function write(answer: MockAnswer, { text, pieceMs }: { text: string; pieceMs: number }): Promise<void> {
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    for (const stage of ['proving', 'sealing', 'sending', 'waiting'] as const) {
      answer.stage(stage)
      await pause(pieceMs * 4)
    }
    for (const piece of text.match(/[\s\S]{1,6}/g) ?? []) {
      answer.delta(piece)
      await pause(pieceMs)
    }
    const kept = receipt(`r-${String(++count)}`, Date.now(), { model: answer.input.model })
    state.receipts.push(kept)
    answer.end({}, kept)
  }

  const handler = new RPCHandler(router, { plugins: [new SimpleCsrfProtectionHandlerPlugin()] })

  async function route(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/'
    if (path === '/session' && incoming.method === 'POST') {
      const { code } = JSON.parse(Buffer.concat(await incoming.toArray() as Buffer[]).toString('utf8')) as { code: string }
      if (!codes.delete(code)) return void outgoing.writeHead(401).end()
      const token = `token-${String(++count)}`
      tokens.add(token)
      return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token }))
    }
    if (path.startsWith('/api/')) {
      if (!tokens.has(incoming.headers.authorization?.replace(/^Bearer /, '') ?? '')) return void outgoing.writeHead(401).end()
      const { matched } = await handler.handle(incoming, outgoing, { prefix: '/api' })
      if (!matched) outgoing.writeHead(404).end()
      return
    }
    const file = join(windowFolder, path === '/' ? 'index.html' : normalize(path))
    try {
      const content = await readFile(file)
      outgoing.writeHead(200, { ...pageHeaders, 'content-type': MEDIA[extname(file)] ?? 'application/octet-stream' }).end(content)
    } catch {
      outgoing.writeHead(404).end()
    }
  }

  const server = createServer((incoming, outgoing) => void route(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`

  return {
    origin,
    state,
    calls,
    newAddress() {
      const code = `code-${String(++count)}`
      codes.add(code)
      return `${origin}/#code=${code}`
    },
    forgetSessions: () => tokens.clear(),
    nextAnswer: () => {
      const first = asked.shift()
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve))
    },
    get answerWith() {
      return answerWith
    },
    set answerWith(write) {
      answerWith = write
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
