import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCore, unlockVault, type Core } from '../../core/core.ts'
import { startSandbox, type Sandbox } from '../../sandbox/index.ts'
import type { Fetch } from '../../shared/fetch.ts'
import { createOutboundFetch } from '../outbound-fetch.ts'
import { readVersion } from '../application-root.ts'

/** The timeouts after which a stalled stream is aborted. */
const TIMEOUTS = { firstByteMs: 10_000, idleMs: 500 }

/** A whole Sotto before a sandbox of its own: neither knows the user's folder, account, service or running core. */
export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly core: Core
  readonly fetch: Fetch
  /** Whether a text has left the core as it is, since the last call. */
  leaked(text: string): boolean
}

/**
 * Uses a temporary folder and ports that the system chooses. The roots are generated when `sandbox.trust()`
 * settles, after some seconds.
 */
export async function createStage(): Promise<Stage> {
  const opened: (() => PromiseLike<unknown>)[] = []
  // Disposed explicitly: the oldest Node that the headless package supports has no AsyncDisposableStack.
  const close = async (): Promise<void> => {
    const last = opened.pop()
    if (!last) return
    try {
      await last()
    } finally {
      await close()
    }
  }
  try {
    return await startParts((closing) => opened.push(closing), close)
  } catch (thrown) {
    await close()
    throw thrown
  }
}

async function startParts(
  defer: (closing: () => PromiseLike<unknown>) => void,
  close: () => Promise<void>,
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-self-test-'))
  defer(() => rm(folder, { recursive: true, force: true }))
  // All connections are on this computer, so the proxy of the environment isn't used.
  const network = createOutboundFetch({})
  defer(() => network.close())
  const sandbox = await startSandbox({ folder: join(folder, 'sandbox'), pace: 'none', serviceEnclave: true })
  defer(() => sandbox.close())
  let sent: (string | Uint8Array)[] = []
  let streamed = false
  const core = await createCore({
    vault: await unlockVault({ mode: 'memory', folder }),
    fetch: (url, init) => {
      if (typeof init.body === 'string' || init.body instanceof Uint8Array) sent.push(init.body)
      else if (init.body) streamed = true
      return network.fetch(url, init)
    },
    now: Date.now,
    confirm: { ask: () => Promise.resolve(false), pending: () => null, answer: () => ({ accepted: false }) },
    folder,
    version: await readVersion(),
    profile: sandbox.profile,
    choices: [],
    trust: { name: 'sandbox', roots: () => sandbox.trust() },
    sandbox: null,
    proxy: { port: 0, mayMove: false },
    notices: () => [],
    onChoose: () => Promise.resolve(),
    timeouts: TIMEOUTS,
    // Requests are counted, so only an attempt may send one.
    watchesBalance: false,
  })
  defer(() => core[Symbol.asyncDispose]())
  return {
    sandbox,
    core,
    fetch: network.fetch,
    leaked(text) {
      // A body that was not seen whole counts as one with the text in it.
      const found = streamed || sent.some((body) => Buffer.from(body).includes(text))
      sent = []
      streamed = false
      return found
    },
    [Symbol.asyncDispose]: close,
  }
}
