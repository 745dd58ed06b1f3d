import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'

/** The optional test with published coding agents. It downloads them into SOTTO_AGENTS, because the test's own temporary folder is removed. */
const { status } = spawnSync('vitest', ['run', 'test/agents', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, SOTTO_AGENTS: tmpdir() },
})
process.exitCode = status ?? 1
