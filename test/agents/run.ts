import { spawnSync } from 'node:child_process'

/** The optional test with published coding agents, which it fetches. */
const { status } = spawnSync('vitest', ['run', 'test/agents', ...process.argv.slice(2)], { stdio: 'inherit', shell: process.platform === 'win32', env: { ...process.env, SOTTO_AGENTS: '1' } })
process.exitCode = status ?? 1
