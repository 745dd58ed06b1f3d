import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { COMMAND } from './command.ts'
import { dataOf } from './command-json.ts'

test('a first start has the sandbox’s roots minted once it is ready, without being asked', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-first-'))
  const child = spawn(process.execPath, [COMMAND, 'serve', '--no-open', '--json'], {
    env: {
      ...process.env,
      SOTTO_DATA_DIR: dataDir,
      SOTTO_PORT: '0',
      SOTTO_UI_PORT: '0',
      SOTTO_VAULT: 'memory',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(dataDir, { recursive: true, force: true })
  })
  const roots = join(dataDir, 'sandbox/roots.json')
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])) as [
    string,
  ]
  expect(dataOf(line)).toMatchObject({ event: 'ready', service: 'sandbox' })
  await vi.waitFor(() => expect(existsSync(roots)).toBe(true), { timeout: 60_000, interval: 50 })
}, 120_000)
