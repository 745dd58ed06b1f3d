import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'

/** The optional test with published SDKs, which it fetches into the system's temporary folder. The tests have one of their own, which is removed. */
const { status } = spawnSync('vitest', ['run', 'test/sdks', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, SOTTO_SDKS: tmpdir() },
})
process.exitCode = status ?? 1
