import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { implement, ORPCError } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import { SimpleCsrfProtectionHandlerPlugin } from '@orpc/server/plugins'
import { contract, type ChatEvent, type Failure } from '../../src/shared/contract/sotto-contract.ts'
import type { PromptPart } from '../../src/shared/contract/chat.ts'
import type { PrivacyChoices, TrustView } from '../../src/shared/contract/privacy.ts'
import type { DesktopView } from '../../src/shared/desktop-settings.ts'
import type { SelfTestEvent } from '../../src/shared/self-test.ts'
import { errorCodes, type ErrorCode } from '../../src/shared/error-codes.ts'
import type { Model } from '../../src/shared/model.ts'
import type { Project } from '../../src/shared/project.ts'
import { pinOf, samePin } from '../../src/shared/pin.ts'
import type { ServiceChoice } from '../../src/shared/profile.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { RECORDS_CHANGED } from '../../src/shared/record-change.ts'
import type { SandboxFault, SandboxPlatform } from '../../src/shared/sandbox-faults.ts'
import type { SandboxRoute } from '../../src/shared/sandbox-routes.ts'
import type { SandboxWalletFault } from '../../src/shared/sandbox-wallet-faults.ts'
import type { LocalizedText } from '../../src/shared/localized-text.ts'
import type { Status } from '../../src/shared/status.ts'
import type { UpdateView } from '../../src/shared/updates.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import type { VerifiedEnclave } from '../../src/shared/verified-enclave.ts'
import { mockAccounts, createMockAccounts, type MockAccounts } from './mock-accounts.ts'
import { contacts, logEntries } from './mock-diagnostics.ts'
import { MockAnswer } from './mock-answer.ts'
import { mockAttachments, createMockAttachments, type MockAttachments } from './mock-attachments.ts'
import { createMockConversations } from './mock-conversations.ts'
import { createMockProjects } from './mock-projects.ts'
import { mockShelves, createMockShelves, type MockShelves } from './mock-prompts.ts'
import { mockVoice, createMockVoice, type MockVoice } from './mock-voice.ts'
import { mockHistory, createMockHistory, type MockHistory } from './mock-history.ts'
import {
  goodTrial,
  localKey,
  MOCK_KEY,
  MockFollowers,
  someKeys,
  type MockLocalApi,
} from './mock-local-api.ts'
import { createMockKnowledge } from './mock-knowledge.ts'
import { mockLibrary } from './mock-library.ts'
import { mockProof, noChoices, sandboxTrust } from './mock-privacy.ts'
import {
  mockServiceEnclave,
  createMockServiceEnclave,
  type MockServiceEnclave,
} from './mock-service-enclave.ts'
import { mockPurchases, createMockPurchases, type MockPurchases } from './mock-purchases.ts'
import { mockBatches, createMockBatches, type MockBatches } from './mock-batches.ts'
import { mockEmbeddings, createMockEmbeddings, type MockEmbeddings } from './mock-embeddings.ts'
import { serveStreams } from './mock-streams.ts'
import { mockStudio, createMockStudio, type MockStudio } from './mock-studio.ts'
import { mockServiceKeys, createMockServiceKeys, type MockServiceKeys } from './mock-service-keys.ts'
import { listen, serveWindowFile } from './serve-window.ts'
import type { WindowView } from '../../src/shared/contract/desktop.ts'
import { createMockVault, quietUpdates, vaultViewOf, type MockVault } from './mock-vault.ts'
import { mockTools, mockToolsArea, type MockTools } from './mock-tools.ts'
import { mockTopups, createMockTopups, type MockTopups } from './mock-topups.ts'
import { mockWallet, createMockWallet, type MockWallet } from './mock-wallet.ts'
import {
  goodVerdict,
  models,
  receipt,
  sandboxRoutes,
  sandboxStatus,
  serviceStatus,
  type StoredConversation,
} from './mock-data.ts'

/** The state of the mock core. A test changes it, and the window requests it. */
export interface MockState {
  status: Status
  models: readonly Model[]
  favourites: string[]
  conversations: StoredConversation[]
  attachments: MockAttachments
  shelves: MockShelves
  projects: Project[]
  tools: MockTools
  voice: MockVoice
  studio: MockStudio
  embeddings: MockEmbeddings
  batches: MockBatches
  receipts: Receipt[]
  verdict: Verdict | null
  /** For a provider without a service: the last verdict on each enclave that serves only one model. */
  modelEnclaves: Verdict[]
  history: VerifiedEnclave[]
  trust: TrustView
  privacyChoices: PrivacyChoices
  serviceEnclave: MockServiceEnclave
  /** The data folder can’t be written. */
  unwritable: boolean
  /** The result of the next verification. */
  nextVerdict: Verdict
  faults: SandboxFault[]
  routes: SandboxRoute[]
  walletFault: SandboxWalletFault | null
  platform: SandboxPlatform
  /** The events of the self-test. */
  selfTest: (signal: AbortSignal | undefined) => AsyncGenerator<SelfTestEvent, void>
  choices: ServiceChoice[]
  /** The passphrase that opens the locked vault. */
  passphrase: string
  /** The code needed to change the service. undefined: no confirmation is needed. */
  confirmationCode: string | undefined
  pending: { id: string; says: LocalizedText } | null
  /** Calls that fail, by `area.call`. */
  failures: Partial<Record<string, Failure>>
  /** Delays the model list. */
  beforeModels: () => Promise<void>
  /** null: the window shows its estimate. */
  countTokens: (part: PromptPart) => number | null
  /** A summary is written until this resolves. */
  summary: Promise<unknown>
  /** How long a deletion can be undone, in ms. */
  undoMs: number
  localApi: MockLocalApi
  accounts: MockAccounts
  wallet: MockWallet
  purchases: MockPurchases
  serviceKeys: MockServiceKeys
  queryHistory: MockHistory
  topups: MockTopups
  vault: MockVault
  windows: WindowView[]
  /** null, as in a browser tab. */
  desktop: DesktopView | null
  updates: UpdateView | null
  /** The result of the next check for updates. */
  nextUpdates: UpdateView
}

export function failure(code: ErrorCode, more: Partial<Failure> = {}): Failure {
  const { says, remedy } = errorCodes[code]
  return { code, says, remedy, ...more }
}

export interface MockServer extends AsyncDisposable {
  readonly origin: string
  readonly state: MockState
  /** Every call to the API, with its input. */
  readonly calls: { readonly path: string; readonly input: unknown }[]
  /** Returns the address with a fresh single-use code. */
  newAddress(): string
  /** Forgets the sessions of all tabs. */
  forgetSessions(): void
  /** Returns the next reply that the window requests, or a requested one that no test has used yet. */
  nextAnswer(): Promise<MockAnswer>
  /** Writes all further replies automatically: the text in pieces, `pieceMs` apart. */
  answerWith: ((input: MockAnswer['input']) => { text: string; pieceMs: number }) | undefined
}

export async function startMockServer(): Promise<MockServer> {
  const now = Date.now()
  const followers = new MockFollowers()
  const state: MockState = {
    status: sandboxStatus(),
    models,
    favourites: [],
    conversations: [],
    attachments: mockAttachments(),
    shelves: mockShelves(),
    projects: [],
    tools: mockTools(),
    voice: mockVoice(),
    studio: mockStudio(),
    embeddings: mockEmbeddings(),
    batches: mockBatches(),
    receipts: [],
    verdict: null,
    modelEnclaves: [],
    history: [],
    trust: sandboxTrust(),
    privacyChoices: noChoices,
    serviceEnclave: mockServiceEnclave(),
    unwritable: false,
    nextVerdict: goodVerdict(now),
    faults: [],
    routes: sandboxRoutes(),
    walletFault: null,
    platform: 'sev-snp',
    async *selfTest() {
      await Promise.resolve()
      yield { type: 'planned', attempts: [] }
    },
    choices: [
      { id: 'sandbox', name: 'Sandbox', kind: 'sandbox' },
      { id: 'main', name: 'The service', kind: 'service', baseUrl: 'https://api.service.example' },
    ],
    vault: createMockVault(),
    desktop: null,
    updates: null,
    windows: [
      {
        id: 'one',
        openedAt: Date.UTC(2026, 1, 1, 9),
        lastUsedAt: Date.UTC(2026, 1, 1, 10),
        browser:
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
        current: true,
      },
    ],
    nextUpdates: quietUpdates(),
    passphrase: 'correct horse battery staple',
    confirmationCode: undefined,
    pending: null,
    failures: {},
    beforeModels: () => Promise.resolve(),
    countTokens: () => null,
    summary: Promise.resolve(),
    undoMs: 30_000,
    accounts: mockAccounts(),
    wallet: mockWallet(),
    purchases: mockPurchases(),
    serviceKeys: mockServiceKeys(),
    queryHistory: mockHistory(),
    topups: mockTopups(),
    localApi: {
      keys: someKeys(now).slice(0, 1),
      requests: [],
      trial: goodTrial(now),
      page: 100,
      before: () => Promise.resolve(),
      tell: ({ keys = [], requests = [], more = false }) => followers.tell({ keys, requests, more }),
      cut: () => followers.cut(),
    },
  }
  const calls: { path: string; input: unknown }[] = []
  const codes = new Set<string>()
  const tokens = new Set<string>()
  const waiting: ((answer: MockAnswer) => void)[] = []
  const asked: MockAnswer[] = []
  const running = new Map<string, MockAnswer>()
  let confirmed: ((yes: boolean) => void) | undefined
  let count = 0
  let answerWith: MockServer['answerWith']

  const os = implement(contract).use(async ({ path, next }, input) => {
    const name = path.join('.')
    calls.push({ path: name, input })
    const data = state.failures[name]
    if (data) throw new ORPCError('SOTTO', { status: 422, data, defined: true })
    return await next()
  })

  const newId = (prefix: string): string => `${prefix}-${String(++count)}`
  function refuse(code: ErrorCode): never {
    throw new ORPCError('SOTTO', { status: 422, data: failure(code), defined: true })
  }

  async function confirm(question: string, signal: AbortSignal | undefined): Promise<void> {
    if (state.confirmationCode === undefined) return
    state.pending = { id: `confirm-${String(++count)}`, says: [{ english: question }] }
    const yes = await new Promise<boolean>((resolve) => {
      confirmed = resolve
      signal?.addEventListener('abort', () => resolve(false))
    })
    state.pending = null
    if (!yes) refuse('confirm/refused')
  }

  const attachments = createMockAttachments({ state, refuse, newId })
  const conversations = createMockConversations({ state, refuse, newId })
  const projects = createMockProjects({
    state,
    refuse,
    newId,
    change: (id, patch) => conversations.change(id, patch),
  })
  const shelves = createMockShelves({ state, refuse, newId })
  const voice = createMockVoice({
    state,
    refuse,
    newId,
    isPrivate: (id) =>
      state.conversations.some(({ conversation }) => conversation.id === id && conversation.private),
  })
  const accounts = createMockAccounts({ state, refuse, confirm })
  const wallet = createMockWallet({ state, refuse, confirm })
  const purchases = createMockPurchases({ state, refuse, confirm })
  const studio = createMockStudio({
    state,
    refuse,
    confirm,
    newId,
  })
  const batches = createMockBatches({
    state,
    refuse,
    link: (jobId, index) => studio.link(jobId, index, true),
  })
  const embeddings = createMockEmbeddings({
    state,
    refuse,
    link: (jobId, index) => studio.link(jobId, index, true),
  })
  const serviceEnclave = createMockServiceEnclave({ state, refuse, confirm })
  const serviceKeys = createMockServiceKeys({ state, refuse, confirm })
  const library = mockLibrary({ state })
  const knowledge = createMockKnowledge()
  const queryHistory = createMockHistory({ state })
  const topups = createMockTopups({ state, refuse, confirm })

  const router = os.router({
    app: {
      status: os.app.status.handler(() => state.status),
      acknowledge: os.app.acknowledge.handler(({ input }) => {
        state.status = {
          ...state.status,
          notices: state.status.notices.filter(({ id }) => id !== input.noticeId),
        }
        return state.status
      }),
      begin: os.app.begin.handler(() => (state.status = { ...state.status, firstStart: false })),
      acceptRecords: os.app.acceptRecords.handler(
        () =>
          (state.status = {
            ...state.status,
            notices: state.status.notices.filter(({ id }) => id !== RECORDS_CHANGED),
          }),
      ),
    },
    vault: {
      lock: os.vault.lock.handler(() => {
        const { kind, state: before } = state.status.vault
        if (kind === 'memory') refuse('vault/cannot-lock')
        state.status = { ...state.status, vault: { kind, state: 'locked', lockedBy: { by: 'request' } } }
        return { wasOpen: before === 'open' }
      }),
      setAutoLock: os.vault.setAutoLock.handler(({ input }) => {
        state.vault.autoLock = input
        const { kind } = state.status.vault
        state.status = {
          ...state.status,
          vault: {
            kind,
            state: 'open',
            ...(input.afterMinutes !== null && { lockAfterMinutes: input.afterMinutes }),
          },
        }
        return vaultViewOf(state)
      }),
      use: os.vault.use.handler(() => undefined),
      unlock: os.vault.unlock.handler(({ input }) => {
        if (state.status.vault.kind === 'file' && input.passphrase !== state.passphrase)
          refuse('vault/wrong-passphrase')
        const { kind } = state.status.vault
        return (state.status = { ...state.status, vault: { kind, state: 'open' } })
      }),
      protect: os.vault.protect.handler(({ input }) => {
        if (
          state.status.vault.kind === 'file' &&
          state.status.vault.state === 'open' &&
          input.current !== state.passphrase
        )
          refuse('vault/wrong-passphrase')
        state.passphrase = input.passphrase
        return (state.status = { ...state.status, vault: { kind: 'file', state: 'open' } })
      }),
      view: os.vault.view.handler(() => vaultViewOf(state)),
      examine: os.vault.examine.handler(() => {
        state.vault.keychain = state.vault.nextKeychain
        return vaultViewOf(state)
      }),
      moveToFile: os.vault.moveToFile.handler(async ({ input, signal }) => {
        await confirm('Remove Sotto’s key from the system keychain?', signal)
        state.passphrase = input.passphrase
        state.status = { ...state.status, vault: { kind: 'file', state: 'open' } }
        return vaultViewOf(state)
      }),
      moveToKeychain: os.vault.moveToKeychain.handler(async ({ input, signal }) => {
        if (state.status.vault.kind === 'file') {
          if (input.current !== state.passphrase) refuse('vault/wrong-passphrase')
          await confirm('Move Sotto’s key to the system keychain?', signal)
        }
        state.vault.keychain = state.vault.nextKeychain
        if (state.vault.keychain !== 'working') refuse('vault/keychain-unusable')
        state.status = { ...state.status, vault: { kind: 'keychain', state: 'open' } }
        return vaultViewOf(state)
      }),
      recoveryCopy: os.vault.recoveryCopy.handler(async ({ input, signal }) => {
        await confirm('Save a recovery copy of the vault.', signal)
        state.vault.copy = { ...state.vault.copy, passphrase: input.passphrase }
        return { name: 'sotto-recovery.json', text: state.vault.copy.text }
      }),
      restore: os.vault.restore.handler(async ({ input, signal }) => {
        await confirm('Put what a recovery copy holds in the place of the vault.', signal)
        if (input.text !== state.vault.copy.text) refuse('vault/recovery-invalid')
        if (input.passphrase !== state.vault.copy.passphrase) refuse('vault/recovery-passphrase')
        return (state.status = { ...state.status, vault: { kind: 'keychain', state: 'open' } })
      }),
    },
    desktop: {
      view: os.desktop.view.handler(() => state.desktop),
      change: os.desktop.change.handler(
        ({ input }) =>
          (state.desktop = { settings: input, can: (state.desktop ?? refuse('desktop/unavailable')).can }),
      ),
      updates: os.desktop.updates.handler(() => state.updates),
      checkForUpdate: os.desktop.checkForUpdate.handler(() => (state.updates = state.nextUpdates)),
      installUpdate: os.desktop.installUpdate.handler(
        () => (state.updates = { ...(state.updates ?? refuse('desktop/unavailable')), phase: 'installing' }),
      ),
      changesSeen: os.desktop.changesSeen.handler(
        () => (state.updates = { ...(state.updates ?? refuse('desktop/unavailable')), updatedFrom: null }),
      ),
    },
    confirmations: {
      pending: os.confirmations.pending.handler(() => state.pending),
      answer: os.confirmations.answer.handler(({ input }) => {
        const accepted = input.id === state.pending?.id && input.code === state.confirmationCode
        if (accepted) confirmed?.(true)
        return accepted ? { accepted } : { accepted, retryAfterSeconds: 1 }
      }),
    },
    profiles: {
      list: os.profiles.list.handler(() => state.choices),
      choose: os.profiles.choose.handler(async ({ input, signal }) => {
        await confirm('Switch to the service The service at api.service.example?', signal)
        const before = state.status
        const { firstStart } = before
        state.accounts.list = input.profileId === 'sandbox' ? mockAccounts().list : []
        state.status =
          input.profileId === 'sandbox'
            ? sandboxStatus()
            : { ...serviceStatus(), firstStart, account: { connected: false } }
        // Like the core, returns the status from before the other core takes over.
        return before
      }),
    },
    accounts: {
      list: os.accounts.list.handler(() => accounts.list()),
      connect: os.accounts.connect.handler(({ input, signal }) => accounts.connect(input, signal)),
      create: os.accounts.create.handler(({ input, signal }) => accounts.create(input?.name, signal)),
      activate: os.accounts.activate.handler(({ input }) => accounts.activate(input.accountId)),
      rename: os.accounts.rename.handler(({ input }) => accounts.rename(input.accountId, input.name)),
      markSaved: os.accounts.markSaved.handler(({ input }) => accounts.markSaved(input.accountId)),
      disconnect: os.accounts.disconnect.handler(() => accounts.disconnect()),
      forget: os.accounts.forget.handler(({ input, signal }) => accounts.forget(input.accountId, signal)),
      reveal: os.accounts.reveal.handler(({ input, signal }) => accounts.reveal(input.accountId, signal)),
      backup: os.accounts.backup.handler(({ signal }) => accounts.backup(signal)),
      restore: os.accounts.restore.handler(({ input, signal }) =>
        accounts.restore(input.text, input.passphrase, signal),
      ),
      balance: os.accounts.balance.handler(() => accounts.balance()),
    },
    models: {
      list: os.models.list.handler(async () => {
        await state.beforeModels()
        return [...state.models]
      }),
      favourites: os.models.favourites.handler(() => state.favourites),
      setFavourite: os.models.setFavourite.handler(
        ({ input: { modelId, favourite } }) =>
          (state.favourites = [
            ...(favourite ? [modelId] : []),
            ...state.favourites.filter((id) => id !== modelId),
          ]),
      ),
    },
    chat: {
      send: os.chat.send.handler(({ input, signal }) =>
        writing(
          conversations.send({
            ...input,
            attachments: attachments.named(input.attachmentIds),
            passages: knowledge.passagesOf(input.passageIds),
          }),
          input,
          signal,
        ),
      ),
      follow: os.chat.follow.handler(({ input, signal }) => following(input, signal)),
      stop: os.chat.stop.handler(({ input }) => {
        const answer = running.get(input.answerId)
        answer?.stop()
        return { stopped: answer !== undefined }
      }),
      regenerate: os.chat.regenerate.handler(({ input, signal }) => {
        const turn = conversations.regenerate(input)
        return writing(turn, { ...input, text: turn.userMessage.text }, signal)
      }),
      addImage: os.chat.addImage.handler(({ input }) => conversations.addImage(input, state.studio.jobs)),
      resume: os.chat.resume.handler(() => refuse('tools/no-resume')),
      summarize: os.chat.summarize.handler(({ input, signal }) =>
        conversations.summarize(input, state.summary, signal),
      ),
      countTokens: os.chat.countTokens.handler(({ input }) => ({ tokens: state.countTokens(input) })),
    },
    consents: {
      preview: os.consents.preview.handler(({ input }) => conversations.preview(input)),
    },
    documents: {
      convert: os.documents.convert.handler(() => ({ text: '# Converted', receiptId: 'receipt-converted' })),
      stop: os.documents.stop.handler(() => undefined),
    },
    attachments: {
      add: os.attachments.add.handler(({ input }) => attachments.add(input)),
      get: os.attachments.get.handler(({ input }) => attachments.get(input.attachmentId)),
      remove: os.attachments.remove.handler(({ input }) => attachments.remove(input.attachmentId)),
    },
    drafts: {
      all: os.drafts.all.handler(() => attachments.drafts()),
      save: os.drafts.save.handler(({ input }) => attachments.save(input)),
    },
    conversations: {
      list: os.conversations.list.handler(({ input: { conversationIds, projectId: wanted } = {} }) =>
        conversations.list(conversationIds).filter(({ projectId }) => (wanted ?? projectId) === projectId),
      ),
      watch: os.conversations.watch.handler(({ signal }) => conversations.watch(signal)),
      get: os.conversations.get.handler(({ input }) => conversations.get(input.conversationId)),
      rename: os.conversations.rename.handler(({ input }) =>
        conversations.change(input.conversationId, { title: input.title }),
      ),
      move: os.conversations.move.handler(({ input: { conversationId, folderId } }) =>
        conversations.change(conversationId, { folderId: folderId ?? undefined }),
      ),
      pin: os.conversations.pin.handler(({ input }) =>
        conversations.change(input.conversationId, { pinned: input.pinned }),
      ),
      configure: os.conversations.configure.handler(({ input: { conversationId, direction, ...set } }) =>
        conversations.change(conversationId, {
          ...set,
          ...(direction !== undefined && { direction: direction === 'auto' ? undefined : direction }),
        }),
      ),
      trim: os.conversations.trim.handler(({ input: { conversationId, messageId } }) =>
        conversations.change(conversationId, {
          contextCut: messageId === null ? undefined : { messageId },
        }),
      ),
      show: os.conversations.show.handler(({ input }) =>
        conversations.change(input.conversationId, { leafId: input.messageId }),
      ),
      fork: os.conversations.fork.handler(({ input }) => conversations.fork(input)),
      remove: os.conversations.remove.handler(({ input }) => conversations.remove(input, state.undoMs)),
      restore: os.conversations.restore.handler(({ input }) => conversations.restore(input)),
      endTemporary: os.conversations.endTemporary.handler(({ input }) =>
        conversations.endTemporary(input.conversationIds),
      ),
    },
    projects: {
      list: os.projects.list.handler(() => projects.list()),
      get: os.projects.get.handler(({ input }) => projects.get(input.projectId)),
      create: os.projects.create.handler(({ input }) => projects.create(input)),
      spending: os.projects.spending.handler(({ input }) => projects.spending(input.projectId)),
      update: os.projects.update.handler(({ input }) => projects.update(input)),
      remove: os.projects.remove.handler(({ input }) => projects.remove(input)),
      export: os.projects.export.handler(() => library.backup()),
      importBegin: os.projects.importBegin.handler(() => library.importBegin()),
      move: os.projects.move.handler(({ input }) => projects.move(input.conversationId, input.projectId)),
    },
    folders: {
      list: os.folders.list.handler(() => shelves.folders()),
      create: os.folders.create.handler(({ input }) => shelves.createFolder(input)),
      rename: os.folders.rename.handler(({ input }) => shelves.renameFolder(input)),
      collapse: os.folders.collapse.handler(({ input }) => shelves.collapseFolder(input)),
      remove: os.folders.remove.handler(({ input }) => shelves.removeFolder(input.folderId)),
    },
    prompts: {
      list: os.prompts.list.handler(() => shelves.prompts()),
      save: os.prompts.save.handler(({ input }) => shelves.savePrompt(input)),
      remove: os.prompts.remove.handler(({ input }) => shelves.removePrompt(input.promptId)),
      importItems: os.prompts.importItems.handler(({ input }) => shelves.importItems(input.prompts)),
    },
    voice: {
      prices: os.voice.prices.handler(() => voice.prices()),
      transcribe: os.voice.transcribe.handler(({ input }) => voice.transcribe(input)),
      prepare: os.voice.prepare.handler(({ input }) => voice.prepare(input)),
      speak: os.voice.speak.handler(({ input }) => voice.speak(input)),
      stop: os.voice.stop.handler(({ input }) => voice.stop(input.id)),
    },
    knowledge: {
      documents: os.knowledge.documents.handler(({ input }) => knowledge.documents(input.projectId)),
      add: os.knowledge.add.handler(({ input }) => knowledge.add(input)),
      remove: os.knowledge.remove.handler(({ input }) => knowledge.remove(input.documentId)),
      find: os.knowledge.find.handler(({ input }) => knowledge.find(input)),
      read: os.knowledge.read.handler(({ input }) => knowledge.read(input)),
    },
    library: {
      search: os.library.search.handler(({ input }) => library.search(input)),
      export: os.library.export.handler(({ input }) => library.export(input)),
      backup: os.library.backup.handler(() => library.backup()),
      restoreBegin: os.library.restoreBegin.handler(() => library.importBegin()),
      importBegin: os.library.importBegin.handler(() => library.importBegin()),
      importPiece: os.library.importPiece.handler(() => library.importPiece()),
      importUndo: os.library.importUndo.handler(() => library.importUndo()),
      importEnd: os.library.importEnd.handler(({ input }) => library.importEnd(input)),
    },
    privacy: {
      selfTest: os.privacy.selfTest.handler(({ signal }) => state.selfTest(signal)),
      current: os.privacy.current.handler(() => state.verdict),
      others: os.privacy.others.handler(() => state.modelEnclaves),
      verify: os.privacy.verify.handler(() => (state.verdict = state.nextVerdict)),
      acceptRelease: os.privacy.acceptRelease.handler(async ({ signal }) => {
        await confirm('Trust the older release v1.3.0 of router.sandbox.example.', signal)
        return (state.verdict = goodVerdict(Date.now()))
      }),
      history: os.privacy.history.handler(() => state.history),
      proof: os.privacy.proof.handler(() =>
        state.verdict ? mockProof(state.verdict) : refuse('proof/missing'),
      ),
      trust: os.privacy.trust.handler(() => state.trust),
      choices: os.privacy.choices.handler(() => state.privacyChoices),
      setAskBeforeNewRelease: os.privacy.setAskBeforeNewRelease.handler(async ({ input: { on }, signal }) => {
        if (!on) await confirm('Trust new enclave releases automatically from now on?', signal)
        return (state.privacyChoices = { ...state.privacyChoices, askBeforeNewRelease: on })
      }),
      setFreshEvidence: os.privacy.setFreshEvidence.handler(async ({ input: { from }, signal }) => {
        const { freshEvidence } = state.privacyChoices
        if (!freshEvidence) return refuse('policy/missing')
        if (freshEvidence.chosen === 'direct' || from === 'never')
          await confirm('Stop asking for fresh evidence? Sotto may then accept older evidence.', signal)
        const { asksFreshEvidence: _, ...service } = state.status.service
        state.status = { ...state.status, service }
        return (state.privacyChoices = {
          ...state.privacyChoices,
          freshEvidence: { ...freshEvidence, chosen: from },
        })
      }),
      pin: os.privacy.pin.handler(({ input }) => {
        const pinned =
          pinOf(state.history.find(({ id }) => id === input.enclaveId)?.registers ?? []) ??
          refuse('privacy/measurement-unknown')
        return (state.privacyChoices = {
          ...state.privacyChoices,
          pins: [...state.privacyChoices.pins, pinned],
        })
      }),
      unpin: os.privacy.unpin.handler(async ({ input, signal }) => {
        await confirm('Take the last pin away.', signal)
        return (state.privacyChoices = {
          ...state.privacyChoices,
          pins: state.privacyChoices.pins.filter((known) => !samePin(known, input.pin)),
        })
      }),
      setProviderFloors: os.privacy.setProviderFloors.handler(async ({ input: { accepted }, signal }) => {
        const { providerFloors } = state.privacyChoices
        if (!providerFloors) return refuse('policy/no-provider-floor')
        if (accepted) await confirm('Lower the minimum firmware for router.sandbox.example?', signal)
        return (state.privacyChoices = {
          ...state.privacyChoices,
          providerFloors: { ...providerFloors, accepted },
        })
      }),
      renewCacheSecret: os.privacy.renewCacheSecret.handler(() => {
        if (state.unwritable) refuse('store/unwritable')
      }),
    },
    serviceEnclave: {
      view: os.serviceEnclave.view.handler(() => serviceEnclave.view()),
      verify: os.serviceEnclave.verify.handler(() => serviceEnclave.verify()),
      proof: os.serviceEnclave.proof.handler(() => serviceEnclave.proof()),
      setRoute: os.serviceEnclave.setRoute.handler(({ input, signal }) =>
        serviceEnclave.setRoute(input.route, signal),
      ),
      setRule: os.serviceEnclave.setRule.handler(({ input, signal }) =>
        serviceEnclave.setRule(input.rule, signal),
      ),
      approveImage: os.serviceEnclave.approveImage.handler(({ input, signal }) =>
        serviceEnclave.approveImage(input.pcr0, signal),
      ),
      removeImage: os.serviceEnclave.removeImage.handler(({ input }) =>
        serviceEnclave.removeImage(input.pcr0),
      ),
      proveImage: os.serviceEnclave.proveImage.handler(() => serviceEnclave.proveImage()),
    },
    receipts: {
      list: os.receipts.list.handler(() => state.receipts),
      get: os.receipts.get.handler(
        ({ input }) => state.receipts.find(({ id }) => id === input.receiptId) ?? refuse('receipt/unknown'),
      ),
    },
    localApi: {
      serve: os.localApi.serve.handler(
        ({ input }) =>
          (state.status = { ...state.status, proxy: { ...state.status.proxy, serving: input.on } }),
      ),
      get: os.localApi.get.handler(() => ({
        baseUrl: state.status.proxy.baseUrl,
        key: MOCK_KEY,
        exampleModel: 'private/sandbox-large',
      })),
      keys: os.localApi.keys.handler(() => state.localApi.keys),
      create: os.localApi.create.handler(async ({ input: { name, limits }, signal }) => {
        await state.localApi.before()
        if (state.localApi.keys.some((key) => key.name === name && key.state !== 'revoked'))
          refuse('local-key/name-taken')
        if (limits.grants?.length) await confirm(`Make the local key ${name}, which may do more.`, signal)
        const key = localKey(`k-${String(++count)}`, name, { limits, createdAt: Date.now() })
        state.localApi.keys = [...state.localApi.keys, key]
        state.localApi.tell({ keys: [key] })
        return { key, secret: `sk-sotto-secret-of-${key.id}` }
      }),
      update: os.localApi.update.handler(async ({ input: { keyId, name, limits }, signal }) => {
        const known = state.localApi.keys.find(({ id }) => id === keyId) ?? refuse('local-key/unknown')
        if (limits?.grants?.length) await confirm(`Let ${known.name} do more.`, signal)
        const changed = { ...known, ...(name !== undefined && { name }), ...(limits && { limits }) }
        state.localApi.keys = state.localApi.keys.map((key) => (key.id === keyId ? changed : key))
        return changed
      }),
      increase: os.localApi.increase.handler(async ({ input: { keyId, picoUsd, until }, signal }) => {
        const { increase: _, ...known } =
          state.localApi.keys.find(({ id }) => id === keyId) ?? refuse('local-key/unknown')
        if (until !== undefined && until > Date.now() + 30 * 86_400_000) refuse('local-key/increase-end')
        if (picoUsd !== '0') await confirm(`Increase the budget of ${known.name}.`, signal)
        const changed = {
          ...known,
          ...(picoUsd !== '0' && { increase: { picoUsd, until: until ?? known.renewsAt ?? Date.now() } }),
        }
        state.localApi.keys = state.localApi.keys.map((key) => (key.id === keyId ? changed : key))
        return changed
      }),
      revoke: os.localApi.revoke.handler(({ input: { keyId } }) => {
        const known = state.localApi.keys.find(({ id }) => id === keyId) ?? refuse('local-key/unknown')
        const changed = { ...known, state: 'revoked' as const, revokedAt: Date.now() }
        state.localApi.keys = state.localApi.keys.map((key) => (key.id === keyId ? changed : key))
        return changed
      }),
      rotate: os.localApi.rotate.handler(() => ({
        key: state.localApi.keys[0] ?? refuse('local-key/unknown'),
        secret: MOCK_KEY,
      })),
      // The window has no permission to call it.
      forTool: os.localApi.forTool.handler(() => refuse('local-key/command-line')),
      requests: os.localApi.requests.handler(async ({ input: { keyId, privacy, cursor } }) => {
        await state.localApi.before()
        const meant = state.localApi.requests.filter(
          (each) =>
            (keyId === undefined || each.keyId === keyId) &&
            (privacy === undefined || each.privacy === privacy),
        )
        const from = Number.parseInt(cursor ?? '0', 10)
        const to = from + state.localApi.page
        return { requests: meant.slice(from, to), next: to < meant.length ? `${String(to)}.0` : null }
      }),
      watch: os.localApi.watch.handler(({ signal }) => followers.events(() => state.localApi.keys, signal)),
      try: os.localApi.try.handler(async () => {
        await state.localApi.before()
        if (state.localApi.trial.receipt) state.receipts.push(state.localApi.trial.receipt)
        return state.localApi.trial
      }),
    },
    wallet: {
      get: os.wallet.get.handler(() => wallet.get()),
      connect: os.wallet.connect.handler(({ input, signal }) => wallet.connect(input.connection, signal)),
      connectSandbox: os.wallet.connectSandbox.handler(() => wallet.connectSandbox()),
      disconnect: os.wallet.disconnect.handler(() => wallet.disconnect()),
      funds: os.wallet.funds.handler(() => wallet.funds()),
      setLimits: os.wallet.setLimits.handler(({ input, signal }) => wallet.setLimits(input, signal)),
      forgetHost: os.wallet.forgetHost.handler(({ input }) => wallet.forgetHost(input.host)),
      resume: os.wallet.resume.handler(() => wallet.resume()),
      automaticTopup: os.wallet.automaticTopup.handler(() => wallet.automaticTopup()),
      connectAutomaticTopup: os.wallet.connectAutomaticTopup.handler(({ input, signal }) =>
        wallet.connectAutomaticTopup(input, signal),
      ),
      disconnectAutomaticTopup: os.wallet.disconnectAutomaticTopup.handler(() =>
        wallet.disconnectAutomaticTopup(),
      ),
    },
    tools: mockToolsArea(() => state.tools, refuse),
    topups: {
      methods: os.topups.methods.handler(() => topups.methods()),
      create: os.topups.create.handler(({ input }) => topups.create(input)),
      list: os.topups.list.handler(() => topups.list()),
      watch: os.topups.watch.handler(({ signal }) => topups.watch(signal)),
      check: os.topups.check.handler(({ input }) => topups.check(input.topupId)),
      payFromWallet: os.topups.payFromWallet.handler(({ input, signal }) =>
        topups.payFromWallet(input.topupId, signal),
      ),
      closePayment: os.topups.closePayment.handler(({ input, signal }) =>
        topups.closePayment(input.topupId, signal),
      ),
      lowBalance: os.topups.lowBalance.handler(() => ({ below: state.topups.lowBalance })),
      setLowBalance: os.topups.setLowBalance.handler(({ input }) => {
        state.topups.lowBalance = input.below
        return input
      }),
      forget: os.topups.forget.handler(({ input }) => topups.forget(input.topupId)),
    },
    purchases: {
      dataEndpoints: os.purchases.dataEndpoints.handler(() => purchases.dataEndpoints()),
      quote: os.purchases.quote.handler(({ input }) => purchases.quote(input.ask)),
      pay: os.purchases.pay.handler(({ input, signal }) => purchases.pay(input.purchaseId, signal)),
      prove: os.purchases.prove.handler(({ input }) => purchases.prove(input.purchaseId, input.preimage)),
      decline: os.purchases.decline.handler(({ input }) => purchases.decline(input.purchaseId)),
      retryDelivery: os.purchases.retryDelivery.handler(({ input }) =>
        purchases.retryDelivery(input.purchaseId),
      ),
      abandon: os.purchases.abandon.handler(({ input, signal }) =>
        purchases.abandon(input.purchaseId, signal),
      ),
      proof: os.purchases.proof.handler(({ input, signal }) => purchases.proof(input.purchaseId, signal)),
      answer: os.purchases.answer.handler(({ input }) => purchases.answer(input.purchaseId)),
      file: os.purchases.file.handler(({ input }) => purchases.file(input.purchaseId, input.index)),
      list: os.purchases.list.handler(() => purchases.list()),
      watch: os.purchases.watch.handler(({ signal }) => purchases.watch(signal)),
    },
    studio: {
      upload: {
        begin: os.studio.upload.begin.handler(({ input }) => studio.begin(input.name, input.size)),
        attached: os.studio.upload.attached.handler(async ({ input: { attachmentId } }) =>
          studio.attached(
            attachments.named([attachmentId])[0]?.name ?? '',
            Buffer.from(await attachments.get(attachmentId).arrayBuffer()),
          ),
        ),
      },
      link: os.studio.link.handler(({ input }) => studio.link(input.jobId, input.index, input.download)),
      listen: os.studio.listen.handler(({ input }) => studio.listen(input.jobId)),
      estimate: os.studio.estimate.handler(({ input }) => studio.estimate(input.ask)),
      start: os.studio.start.handler(({ input }) => {
        conversations.guardOnward('from' in input.ask ? input.ask.from : undefined, input.consentId)
        return embeddings.begun(batches.begun(studio.start(input.ask, input.pay)))
      }),
      pay: os.studio.pay.handler(({ input, signal }) => studio.pay(input.jobId, signal)),
      stop: os.studio.stop.handler(({ input }) => studio.stop(input.jobId)),
      again: os.studio.again.handler(({ input }) => {
        const { ask } = studio.get(input.jobId)
        conversations.guardOnward('from' in ask ? ask.from : undefined, input.consentId)
        return studio.again(input.jobId, input.pay)
      }),
      resume: os.studio.resume.handler(
        ({ input }) => batches.resume(input.jobId) ?? studio.resume(input.jobId),
      ),
      poll: os.studio.poll.handler(({ input }) => studio.poll(input.jobId)),
      compare: os.studio.compare.handler(({ input }) => studio.compare(input.jobId)),
      list: os.studio.list.handler(({ input }) => studio.list(input)),
      get: os.studio.get.handler(({ input }) => studio.get(input.jobId)),
      watch: os.studio.watch.handler(({ signal }) => studio.watch(signal)),
      rename: os.studio.rename.handler(({ input }) => studio.rename(input.jobId, input.title)),
      remove: os.studio.remove.handler(({ input }) => studio.remove(input.jobIds)),
      restore: os.studio.restore.handler(({ input }) => studio.restore(input.jobIds)),
      usage: os.studio.usage.handler(() => studio.usage()),
      export: os.studio.export.handler(({ input }) => studio.export(input.jobIds)),
      transcript: os.studio.transcript.handler(({ input }) => studio.transcript(input.jobId)),
      edit: os.studio.edit.handler(({ input }) => studio.edit(input.jobId, input.text)),
      models: os.studio.models.handler(({ input }) => studio.models(input.types)),
      pause: os.studio.pause.handler(
        ({ input }) => embeddings.pause(input.jobId) ?? batches.pause(input.jobId),
      ),
      table: os.studio.table.handler(({ input }) => batches.table(input)),
      rows: os.studio.rows.handler(({ input }) => batches.rows(input)),
      row: os.studio.row.handler(({ input }) => batches.row(input.jobId, input.index)),
      vectors: os.studio.vectors.handler(({ input }) => embeddings.vectors(input)),
      results: os.studio.results.handler(
        ({ input }) =>
          embeddings.results(input.jobId, input.format) ?? batches.results(input.jobId, input.format),
      ),
    },
    serviceKeys: {
      list: os.serviceKeys.list.handler(({ input }) => serviceKeys.list(input.includeRevoked)),
      create: os.serviceKeys.create.handler(({ input }) => serviceKeys.create(input)),
      update: os.serviceKeys.update.handler(({ input }) => serviceKeys.update(input)),
      revoke: os.serviceKeys.revoke.handler(({ input, signal }) => serviceKeys.revoke(input.keyId, signal)),
      rotate: os.serviceKeys.rotate.handler(({ input, signal }) => serviceKeys.rotate(input.keyId, signal)),
      reveal: os.serviceKeys.reveal.handler(({ input, signal }) => serviceKeys.reveal(input.keyId, signal)),
    },
    history: {
      page: os.history.page.handler(({ input }) => queryHistory.page(input)),
      summary: os.history.summary.handler(({ input }) => queryHistory.summary(input)),
      export: os.history.export.handler(({ input }) => queryHistory.export(input)),
    },
    diagnostics: {
      contacts: os.diagnostics.contacts.handler(() => contacts),
      watchLog: os.diagnostics.watchLog.handler(async function* ({ signal }) {
        yield logEntries
        if (signal)
          await new Promise<void>((resolve) =>
            signal.addEventListener('abort', () => resolve(), { once: true }),
          )
      }),
      report: os.diagnostics.report.handler(() => ({ text: 'Sotto 0.1.0\n' })),
    },
    windows: {
      list: os.windows.list.handler(() => state.windows),
      signOut: os.windows.signOut.handler(({ input: { id } }) => {
        const before = state.windows.length
        if (state.windows.some((window) => window.id === id && window.current)) tokens.clear()
        state.windows = state.windows.filter((window) => window.id !== id)
        return { signedOut: state.windows.length < before }
      }),
    },
    sandbox: {
      platform: os.sandbox.platform.handler(() => state.platform),
      setPlatform: os.sandbox.setPlatform.handler(({ input }) => (state.platform = input.platform)),
      faults: os.sandbox.faults.handler(() => state.faults),
      setFault: os.sandbox.setFault.handler(({ input }) => {
        state.faults = state.faults.filter((fault) => fault !== input.fault)
        if (input.on) state.faults.push(input.fault)
        return state.faults
      }),
      walletFault: os.sandbox.walletFault.handler(() => state.walletFault),
      setWalletFault: os.sandbox.setWalletFault.handler(({ input }) => (state.walletFault = input.fault)),
      routes: os.sandbox.routes.handler(() => (state.status.service.kind === 'sandbox' ? state.routes : [])),
      setRouteFault: os.sandbox.setRouteFault.handler(
        ({ input: { routes, fault } }) =>
          (state.routes = state.routes.map((route) =>
            routes.includes(route.name) ? { ...route, fault } : route,
          )),
      ),
    },
  })

  async function* writing(
    { thread, userMessage, message }: ReturnType<typeof conversations.send>,
    input: MockAnswer['input'],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatEvent, void> {
    const answer = new MockAnswer(input, message, () => state.status.service.openChat)
    running.set(message.id, answer)
    const taker = waiting.shift()
    if (taker) taker(answer)
    else asked.push(answer)
    if (answerWith) void write(answer, answerWith(input))
    yield { type: 'started', conversation: { ...thread.conversation }, userMessage, answer: { ...message } }
    conversations.noteChanged(thread.conversation.id)
    yield* answer.events.read(signal)
  }

  async function* following(
    { conversationId, answerId }: { conversationId: string; answerId: string },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatEvent, void> {
    const answer =
      conversations.get(conversationId).messages.find(({ id }) => id === answerId) ??
      refuse('conversation/message-unknown')
    if (answer.state === 'streaming')
      yield* (running.get(answerId) ?? refuse('conversation/message-unknown')).events.read(signal)
    else yield { type: 'ended', answer }
  }

  async function write(
    answer: MockAnswer,
    { text, pieceMs }: { text: string; pieceMs: number },
  ): Promise<void> {
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    for (const stage of ['proving', 'sealing', 'sending', 'waiting'] as const) {
      answer.stage(stage)
      await pause(pieceMs * 4)
    }
    for (const piece of text.match(/[\s\S]{1,6}/g) ?? []) {
      answer.delta(piece)
      await pause(pieceMs)
    }
    const storedReceipt = receipt(`r-${String(++count)}`, Date.now(), { model: answer.input.model })
    state.receipts.push(storedReceipt)
    answer.end({}, storedReceipt)
  }

  const handler = new RPCHandler(router, { plugins: [new SimpleCsrfProtectionHandlerPlugin()] })

  async function route(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/'
    if (path === '/session' && incoming.method === 'POST') {
      const { code } = JSON.parse(Buffer.concat((await incoming.toArray()) as Buffer[]).toString('utf8')) as {
        code: string
      }
      if (!codes.delete(code)) return void outgoing.writeHead(401).end()
      const token = `token-${String(++count)}`
      tokens.add(token)
      return void outgoing
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ token }))
    }
    if (path.startsWith('/api/')) {
      if (!tokens.has(incoming.headers.authorization?.replace(/^Bearer /, '') ?? ''))
        return void outgoing.writeHead(401).end()
      const { matched } = await handler.handle(incoming, outgoing, { prefix: '/api' })
      if (!matched) outgoing.writeHead(404).end()
      return
    }
    if (await studio.route(path, incoming, outgoing)) return
    await serveWindowFile(path === '/' ? '/index.html' : path, outgoing)
  }

  const server = createServer(
    (incoming, outgoing) => void route(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  const streams = serveStreams(server, router, (token) => tokens.has(token))
  const origin = await listen(server)

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
      streams[Symbol.dispose]()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
