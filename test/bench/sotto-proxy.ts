import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCore, unlockVault } from '../../src/core/core.ts'
import { createOutboundFetch } from '../../src/host/outbound-fetch.ts'
import type { TrustSet } from '../../src/shared/trust.ts'
import { giveFirstKey } from '../limited-key.ts'
import type { EnclaveReady } from './enclave.ts'
import { givenArgument, tellReady } from './child.ts'

export interface ProxyReady {
  readonly port: number
  readonly localKey?: string
}

/** The product's own core and proxy, on disk and with everything on: key check, budget, receipts, attestation. */
const { profile, trust } = givenArgument() as EnclaveReady
const roots: TrustSet = {
  name: 'sandbox',
  amd: { Genoa: { ark: Buffer.from(trust.ark, 'base64'), ask: Buffer.from(trust.ask, 'base64') } },
  sigstoreTrustedRoot: trust.sigstoreTrustedRoot,
}
const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit(0))

const vault = await unlockVault({ mode: 'file', folder, passphrase: 'bench' })
await giveFirstKey({
  vault,
  folder,
  profileId: profile.id,
  limits: { budget: { picoUsd: 10n ** 18n, period: 'day' } },
})
const core = await createCore({
  vault,
  fetch: createOutboundFetch().fetch,
  now: Date.now,
  confirm: { ask: () => Promise.resolve(false), pending: () => null, answer: () => ({ accepted: false }) },
  folder,
  version: 'bench',
  profile,
  choices: [],
  trust: { name: 'sandbox', roots: () => Promise.resolve(roots) },
  sandbox: null,
  proxy: { port: 0, mayMove: false },
  notices: () => [],
  onChoose: () => Promise.resolve(),
})
tellReady({ port: core.proxy.port, localKey: core.localKey() } satisfies ProxyReady)
