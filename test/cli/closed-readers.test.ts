import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Receipt } from '../../src/shared/receipt.ts'
import { COMMAND } from '../process/command.ts'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-readers-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** One command whose standard output is read no further than this. */
async function cutOff(
  args: readonly string[],
  readFirst: boolean,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, SOTTO_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  if (readFirst) await once(child.stdout, 'data')
  child.stdout.destroy()
  await once(child, 'close')
  return { code: child.exitCode, stderr }
}

it.each([['keys'], ['history', '--json'], ['chats', 'export']])(
  'exits without an error message if its output is closed: %s',
  async (...args) => {
    expect(await cutOff(args, false)).toEqual({ code: 141, stderr: '' })
  },
)

it('cancels the request if the reader of its output exits', async () => {
  expect(await cutOff(['chat', 'Write 2000 words about rivers'], true)).toEqual({ code: 141, stderr: '' })
  await expect
    .poll(async () => ((await sotto.call('receipts/list', {})) as Receipt[])[0]?.outcome)
    .toBe('cancelled')
})

it('continues to serve requests after its standard error is closed', async () => {
  sotto.child.stderr?.destroy()
  const raising = new AbortController()
  const { limits } = (await sotto.call('wallet/get')) as { limits: object }
  const raised = sotto
    .api('wallet/setLimits', { ...limits, perDay: '9000000000' }, raising.signal)
    .catch(() => null)
  await expect.poll(() => sotto.call('confirmations/pending')).not.toBe(null)
  raising.abort()
  await raised
  const { status } = await fetch(new URL('/health', sotto.ready.proxy.baseUrl))
  expect(status).toBe(200)
})
