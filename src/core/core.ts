import { randomBytes, createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Confirm } from '../shared/confirm.ts'
import { SottoError } from '../shared/errors.ts'
import type { Fetch } from '../shared/fetch.ts'
import type { Model } from '../shared/model.ts'
import type { Profile, ServiceChoice } from '../shared/profile.ts'
import type { Notice, Status } from '../shared/status.ts'
import type { TrustSet } from '../shared/trust.ts'
import { openAccount, type Account } from './api/account.ts'
import { createApi, type Drill, type OpenCore, type RequestContext, type SandboxControls } from './api/index.ts'
import { asksBeforeNew, policyInForce } from './api/privacy-choices.ts'
import { trustRoots } from './attestation/index.ts'
import { openEnclaveChannel, type Patience, type ReleaseMemory } from './channel/index.ts'
import { openKeyBudgets, type KeyBudgets } from './payment/index.ts'
import { startProxy, type ProxyServer } from './proxy/index.ts'
import { createModelListing, createRelay } from './relay/index.ts'
import { listModels } from './service/inference/models.ts'
import { openStore, type Store } from './store/index.ts'
import type { Vault } from './vault/index.ts'

export { amdRootsFromPem, readSavedEvidence, trustRoots, vendorRootFromPem, verifyEvidence, type SavedEvidence } from './attestation/index.ts'
export { openVault, type Vault, type VaultMode } from './vault/index.ts'

const LOCAL_KEY = 'local-key'
const STORE_KEY = 'store-key'
const PATIENCE: Patience = { firstByteMs: 10 * 60_000, idleMs: 90_000 }

export interface CoreOptions {
  // The four seams.
  readonly vault: Vault
  readonly fetch: Fetch
  /** Unix ms. */
  readonly now: () => number
  readonly confirm: Confirm

  /** The data folder; this profile's own data stands below it. */
  readonly folder: string
  readonly version: string
  readonly profile: Profile
  readonly choices: readonly ServiceChoice[]
  /** The trust set that belongs to the profile; the sandbox's settles when its roots are minted. */
  readonly trust: { readonly name: TrustSet['name']; readonly roots: () => Promise<TrustSet> }
  readonly sandbox: SandboxControls | null
  /** The attack drill, which the host composes of a core and a sandbox of its own. */
  readonly drill?: Drill
  readonly proxy: { readonly port: number; readonly mayMove: boolean }
  /** Lasting truths about this start, such as a memory vault. */
  readonly notices: () => readonly Notice[]
  /** The user chose another service: the owner of this core ends it and makes another. */
  readonly onChoose: (profileId: string) => void
  readonly patience?: Patience
}

export interface Core extends AsyncDisposable {
  api(request: Request, context: RequestContext): Promise<Response>
  readonly proxy: ProxyServer
  /** Throws vault/locked and its like while the vault is not open. */
  localKey(): string
  /** The machine slept, or may have: the verdict in force ends. */
  invalidateVerdict(): void
}

interface Opened extends OpenCore {
  readonly account: Account
  /** Nothing of the store is on disk; it moves there when the vault gets a lasting place. */
  inMemory: boolean
}

/** Joins the parts. Everything that the product does runs through what this returns. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { vault, profile } = options
  let opened: Opened | null = null
  const acknowledged = new Set<string>()

  async function open(): Promise<void> {
    if (vault.state === 'open') opened ??= await openCore(options)
  }
  function requireOpen(): Opened {
    if (opened) return opened
    if (vault.state === 'open') throw new SottoError('store/damaged')
    throw new SottoError(vault.state === 'damaged' ? 'vault/damaged' : vault.state === 'passphrase-needed' ? 'vault/passphrase-needed' : 'vault/locked')
  }

  await open()
  const proxy = await startProxy({
    backend: () => {
      const { relay, store } = requireOpen()
      return { relay, findKey: (hash) => store.localKeys.findByHash(hash) }
    },
    service: profile.kind,
    now: options.now,
    ...options.proxy,
  })

  const movedNotice: Notice[] = options.proxy.port !== 0 && proxy.port !== options.proxy.port
    ? [{ id: `port-moved-${String(proxy.port)}`, says: `Port ${String(options.proxy.port)} is taken, so the local address is on port ${String(proxy.port)} this time.`, lasting: false }]
    : []

  function status(): Promise<Status> {
    const masked = opened?.account.creditIdMasked()
    return Promise.resolve({
      version: options.version,
      service: {
        profileId: profile.id,
        name: profile.name,
        kind: profile.kind,
        baseUrl: profile.baseUrl,
        revision: profile.revision,
        hasPolicy: profile.policy !== undefined,
        ...(profile.policy && { enclaveHost: profile.policy.enclaveHost }),
        trust: options.trust.name,
      },
      firstStart: opened !== null && opened.store.settings.get('begun') === null,
      vault: { kind: vault.kind, state: vault.state },
      account: { connected: opened?.account.access().apiKey !== undefined, ...(masked !== undefined && { creditIdMasked: masked }) },
      proxy: { baseUrl: proxy.baseUrl },
      notices: [...options.notices(), ...movedNotice].filter(({ id }) => !acknowledged.has(id)),
    })
  }

  const api = createApi({
    open: requireOpen,
    status,
    acknowledge: (noticeId) => void acknowledged.add(noticeId),
    confirm: options.confirm,
    choices: options.choices,
    choose: options.onChoose,
    vault: {
      unlock: async (passphrase) => {
        await vault.unlock(passphrase)
        await open()
      },
      protect: async (passphrase) => {
        await vault.protect(passphrase)
        await open()
        if (!opened?.inMemory) return
        opened.store.moveTo(profileFolder(options), await storeKey(vault))
        opened.inMemory = false
      },
    },
    account: {
      connect: (credentials) => requireOpen().account.connect(credentials),
      create: () => requireOpen().account.create(),
      disconnect: () => requireOpen().account.disconnect(),
      balance: () => requireOpen().account.balance(),
    },
    policy: profile.policy ?? null,
    trust: async () => {
      const roots = await options.trust.roots()
      const { name, sigstoreTrustedRootPublished: sigstorePublished } = roots
      return { name, roots: trustRoots(roots), ...(sigstorePublished !== undefined && { sigstorePublished }) }
    },
    proxyBaseUrl: () => proxy.baseUrl,
    exampleModel,
    sandbox: options.sandbox,
    drill: options.drill,
  })

  return {
    api,
    proxy,
    localKey: () => requireOpen().localKey,
    invalidateVerdict: () => opened?.relay.channel?.invalidate(),
    async [Symbol.asyncDispose]() {
      await proxy.close()
      opened?.relay.channel?.close()
      opened?.store.close()
    },
  }
}

function profileFolder({ folder, profile }: CoreOptions): string {
  return join(folder, 'profiles', profile.id)
}

async function openCore(options: CoreOptions): Promise<Opened> {
  const { vault, fetch, now, profile } = options
  const [key, account, localKey] = await Promise.all([
    storeKey(vault),
    openAccount({ vault, fetch, profile }),
    secretOrNew(vault, LOCAL_KEY, () => Buffer.from(`sk-sotto-${randomBytes(24).toString('base64url')}`)).then((secret) => Buffer.from(secret).toString('utf8')),
  ])
  // Nothing is asked of whoever tries the sandbox, so it gives itself an account.
  if (profile.kind === 'sandbox' && account.access().apiKey === undefined) await account.create()
  const inMemory = vault.kind === 'memory'
  const store = openStore({ folder: inMemory ? null : profileFolder(options), key, now })
  const hash = createHash('sha256').update(localKey).digest('hex')
  if (!store.localKeys.findByHash(hash)) store.localKeys.add({ name: 'First key', hash })
  const patience = options.patience ?? PATIENCE
  const models = createModelListing(() => listModels({ fetch, access: () => account.access(), now }), now)
  const { policy } = profile
  const channel = policy && profile.revision === 'B'
    ? openEnclaveChannel({
      fetch,
      now,
      policy: () => policyInForce(store.settings, policy),
      privateUrl: `${account.access().baseUrl}${profile.privatePath}`,
      trust: options.trust.roots,
      releases: releaseMemory(store),
      patience,
    })
    : null
  const relay = createRelay({ fetch, now, profile, models, channel, access: () => account.access(), receipts: store.receipts, budgets: budgetsOf(store, now), patience })
  return { store, relay, account, localKey, inMemory }
}

function budgetsOf({ spending, localKeys }: Store, now: () => number): KeyBudgets {
  return openKeyBudgets({ journal: spending, limitsOf: (keyId) => localKeys.get(keyId)?.limits ?? {}, now })
}

function releaseMemory({ verdicts, verifiedEnclaves, settings }: Store): ReleaseMemory {
  return {
    newest: (enclaveHost) => verdicts.newestRelease(enclaveHost),
    olderAccepted: (enclaveHost, digest) => verdicts.acceptedOlder(enclaveHost, digest),
    asksBeforeNew: () => asksBeforeNew(settings),
    trusted: (enclaveHost, release) => verdicts.trusted(enclaveHost, release),
    record: (verdict, proof) => {
      verdicts.record(verdict)
      verifiedEnclaves.record(verdict, proof)
    },
  }
}

function storeKey(vault: Vault): Promise<Uint8Array> {
  return secretOrNew(vault, STORE_KEY, () => randomBytes(32))
}

/** null from an open vault is a sure absence; a locked one throws, so a secret is never made anew by mistake. */
async function secretOrNew(vault: Vault, name: string, make: () => Buffer): Promise<Uint8Array> {
  const kept = await vault.get(name)
  if (kept) return kept
  const made = make()
  await vault.set(name, made)
  return made
}

/** What the snippets show: a private model where there is one. */
function exampleModel(models: readonly Model[]): string {
  return (models.find((model) => model.private) ?? models[0])?.id ?? 'private/model'
}
