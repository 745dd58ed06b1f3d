import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Receipt } from '../../src/shared/receipt.ts'
import { COMMAND } from '../process/command.ts'
import { runSotto, startSotto, type SottoProcess } from '../process/sotto-process.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-chat-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const receipts = async (): Promise<Receipt[]> => (await sotto.call('receipts/list', {})) as Receipt[]

it('prints the reply on standard output, sealed, through the running Sotto', async () => {
  const { code, stdout, stderr } = await runSotto(['chat', 'Hello', 'there'], { SOTTO_DATA_DIR: folder })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.length).toBeGreaterThan(40)
  expect((await receipts())[0]).toMatchObject({
    privacy: 'sealed',
    outcome: 'complete',
    caller: { kind: 'cli' },
  })
})

it('reads the question from a pipe and selects a model by its ID', async () => {
  const { code, stdout } = await runSotto(
    ['chat', '-m', 'sandbox/allegro-mini'],
    { SOTTO_DATA_DIR: folder },
    'Hello from a pipe',
  )
  expect(code).toBe(0)
  expect(stdout.length).toBeGreaterThan(40)
  expect((await receipts())[0]).toMatchObject({ privacy: 'relayed', model: 'sandbox/allegro-mini' })
})

it('prints an error with its code', async () => {
  const { code, stderr } = await runSotto(['chat', '-m', 'none', 'x'], { SOTTO_DATA_DIR: folder })
  expect(code).toBe(1)
  expect(stderr).toContain('(model/unknown)')
})

it('cancels the request on Ctrl-C', async () => {
  const child = spawn(process.execPath, [COMMAND, 'chat', 'Write 2000 words about rivers'], {
    env: { ...process.env, SOTTO_DATA_DIR: folder },
  })
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  await once(child, 'exit')
  expect(child.exitCode).toBe(130)
  await expect.poll(async () => (await receipts())[0]?.outcome).toBe('cancelled')
})
