import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * `npm run test:electron-node`: the suites whose ground is Node's cryptography and SQLite, inside Electron's own Node, which brings
 * BoringSSL in place of OpenSSL.
 */
const root = join(import.meta.dirname, '..', '..')
const { resolve } = createRequire(import.meta.url)
const electron: unknown = createRequire(import.meta.url)('electron')
if (typeof electron !== 'string')
  throw new Error('Electron’s binary is not here: node node_modules/electron/install.js')

const suites = [
  'test/ehbp',
  'test/verifier',
  'test/core/storage/vault',
  'test/core/storage',
  'test/conformance',
]
// Threads: a worker process would be Electron's window again.
const { status } = spawnSync(
  electron,
  [join(resolve('vitest/package.json'), '..', 'vitest.mjs'), 'run', '--pool=threads', ...suites],
  {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  },
)
process.exitCode = status ?? 1
