import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { startSandbox } from '../../src/sandbox/index.ts'
import { tellReady } from './child.ts'

/** The whole sandbox without its rhythm: every request authenticated, composed, priced, debited and recorded in memory. */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/sotto-bench-sandbox')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const sandbox = await startSandbox({ folder, pace: 'none', ledger: 'memory' })
const { apiKey } = (await sandbox.control()).createAccount(10n ** 18n)
// Minting keys would be measured with the requests.
await sandbox.trust()
tellReady({ port: Number(new URL(sandbox.baseUrl).port), apiKey })
