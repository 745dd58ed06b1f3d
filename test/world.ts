import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCore, unlockVault, type Core, type Vault } from '../src/core/core.ts'
import { createOutboundFetch } from '../src/host/outbound-fetch.ts'
import { startSandbox, type LightningNodes, type Sandbox } from '../src/sandbox/index.ts'
import type { AllowLists } from '../src/core/gateway/proxy/index.ts'
import type { BodyBudget } from '../src/shared/body-budget.ts'
import type { Fetch } from '../src/shared/fetch.ts'
import type { Log } from '../src/shared/log-events.ts'
import type { Profile } from '../src/shared/profile.ts'
import type { RemoteAccess, RemoteAddress } from '../src/shared/remote-access.ts'
import { renderEnglish } from '../src/shared/localized-text.ts'
import { sandboxFolder } from './sandbox/cached-roots.ts'
import { windowCaller } from './window-caller.ts'

export interface World extends AsyncDisposable {
  readonly folder: string
  readonly sandbox: Sandbox
  readonly core: Core
  readonly vault: Vault
  readonly baseUrl: string
  readonly key: string
  /** Every URL, header and body byte that left the core. */
  readonly outbound: Buffer[]
  /** Moves the core's clock forward, in ms. */
  readonly clock: { ahead: number }
  /** A call of the window, as JSON over the contract. */
  call(path: string, input?: unknown): Promise<unknown>
  post(body: unknown, headers?: Record<string, string>, path?: string): Promise<Response>
}

export interface WorldOptions {
  readonly profile?: (profile: Profile) => Profile
  readonly vault?: (folder: string) => Promise<Vault>
  readonly idleMs?: number
  /** Revision of the service; B by default. */
  readonly revision?: 'A' | 'B'
  /** Whether the service has its own enclave; it has none by default. */
  readonly serviceEnclave?: boolean
  readonly fetch?: (fetch: Fetch) => Fetch
  /** Answers every confirmation; confirms by default. */
  readonly confirm?: (text: string) => boolean | Promise<boolean>
  readonly allow?: AllowLists
  readonly bodies?: BodyBudget
  readonly remoteAddress?: RemoteAddress
  readonly onRemoteAccess?: (opened: RemoteAccess) => void
  readonly log?: Log
  /** For the sandbox: real Lightning nodes in place of the simulated one. */
  readonly lightning?: () => Promise<LightningNodes>
  /**
   * A running service and an existing folder that outlive this world. The caller that passes them must dispose of
   * them.
   */
  readonly outlives?: {
    readonly sandbox: Sandbox
    readonly folder: string
    readonly clock: { ahead: number }
  }
}

let minted: string | undefined

/** Starts the whole core over an in-process sandbox, in a new folder. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { outlives } = options
  const folder = outlives?.folder ?? (await mkdtemp(join(tmpdir(), 'sotto-world-')))
  // The worlds of a test file share a sandbox's folder, with roots that are minted once per checkout.
  minted ??= await sandboxFolder()
  const sandbox =
    outlives?.sandbox ??
    (await startSandbox({
      folder: minted,
      pace: 'none',
      ...(options.revision && { revision: options.revision }),
      ...(options.serviceEnclave && { serviceEnclave: true }),
      ...(options.lightning && { lightning: options.lightning }),
    }))
  const network = createOutboundFetch()
  const outbound: Buffer[] = []
  const recording: Fetch = (url, init) => {
    outbound.push(Buffer.from(`${init.method} ${url}\n${JSON.stringify(init.headers)}\n`))
    const { body } = init
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
      outbound.push(Buffer.from(body ?? ''))
      return network.fetch(url, init)
    }
    return network.fetch(url, { ...init, body: recorded(body, outbound) })
  }
  const clock = outlives?.clock ?? { ahead: 0 }
  const vault = await (options.vault?.(folder) ?? unlockVault({ mode: 'memory', folder }))
  const profile = options.profile?.(sandbox.profile) ?? sandbox.profile
  const core = await createCore({
    vault,
    fetch: options.fetch?.(recording) ?? recording,
    now: () => Date.now() + clock.ahead,
    monotonic: () => performance.now() + clock.ahead,
    confirm: {
      ask: ({ says }) => Promise.resolve(options.confirm?.(renderEnglish(says)) ?? true),
      pending: () => null,
      answer: () => ({ accepted: false }),
    },
    folder,
    version: 'test',
    profile,
    choices: [],
    trust: { name: 'sandbox', roots: () => sandbox.trust() },
    sandbox,
    proxy: {
      port: 0,
      mayMove: false,
      ...(options.allow && { allow: options.allow }),
      ...(options.bodies && { bodies: options.bodies }),
      ...(options.remoteAddress && { remoteAddress: options.remoteAddress }),
    },
    ...(options.onRemoteAccess && { onRemoteAccess: options.onRemoteAccess }),
    ...(options.log && { log: options.log }),
    notices: () => [],
    onChoose: () => Promise.resolve(),
    // The core sends the service no requests except those of the test.
    watchesBalance: false,
    timeouts: { firstByteMs: 20_000, idleMs: options.idleMs ?? 20_000 },
  })
  const { baseUrl } = core.proxy
  const key = vault.state === 'open' ? core.localKey() : ''
  return {
    folder,
    sandbox,
    core,
    vault,
    baseUrl,
    key,
    outbound,
    clock,
    async call(path, input) {
      const response = await core.api(
        new Request(`http://sotto.invalid/api/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ json: input }),
        }),
        windowCaller,
      )
      const answer = (await response.json()) as { json: unknown }
      return answer.json
    },
    post: (body, headers = {}, path = '/v1/chat/completions') =>
      fetch(`${baseUrl.replace(/\/v1$/, '')}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]()
      if (!outlives) await sandbox.close()
      await network.close()
      if (!outlives) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function* recorded(body: AsyncIterable<Uint8Array>, outbound: Buffer[]): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    outbound.push(Buffer.from(chunk))
    yield chunk
  }
}

export const PRIVATE_MODEL = 'private/sandbox-lento-8b'
export const PLAINTEXT_MODEL = 'sandbox/allegro-mini'
export const PRIVATE_VISION_MODEL = 'private/sandbox-veduta-30b'
export const PLAINTEXT_VISION_MODEL = 'sandbox/belvedere-vision'

/** The number of requests that carried a chat body to the service. */
export function chatRequests(sandbox: Sandbox): ReturnType<Sandbox['received']> {
  return sandbox
    .received()
    .filter(({ path, method }) => method === 'POST' && path.endsWith('/chat/completions'))
}
