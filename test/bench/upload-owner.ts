import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCore, unlockVault } from '../../src/core/core.ts'
import { serveOwnerSocket } from '../../src/host/owner-socket.ts'
import { createOutboundFetch } from '../../src/host/outbound-fetch.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { givenArgument, tellReady } from './child.ts'

export interface OwnerReady {
  readonly dataDir: string
}

/**
 * The product's own core on disk, behind its owner's socket, with a service in another process, so that the
 * measured memory is only the core's.
 */
const { baseUrl } = givenArgument() as { readonly baseUrl: string }
const dataDir = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit(0))

const core = await createCore({
  vault: await unlockVault({ mode: 'file', folder: dataDir, passphrase: 'bench' }),
  fetch: createOutboundFetch().fetch,
  now: Date.now,
  confirm: { ask: () => Promise.resolve(false), pending: () => null, answer: () => ({ accepted: false }) },
  folder: dataDir,
  version: 'bench',
  profile: sandboxProfile(baseUrl),
  choices: [],
  // This benchmark seals nothing, so it verifies nothing.
  trust: { name: 'sandbox', roots: () => Promise.reject(new Error('nothing is proven')) },
  sandbox: null,
  proxy: { port: 0, mayMove: false },
  notices: () => [],
  onChoose: () => Promise.resolve(),
})
await serveOwnerSocket(
  dataDir,
  { asOwner: (request) => core.asOwner(request), bodies: new BodyBudget() },
  { open: () => Promise.resolve(null) },
)
tellReady({ dataDir } satisfies OwnerReady)
