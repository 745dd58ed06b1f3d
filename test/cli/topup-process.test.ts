import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Topup } from '../../src/shared/topup.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { atTerminal, CTRL_C, hasTerminal } from '../process/terminal.ts'
import { readTerminalQr } from './read-terminal-qr.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-topup-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const topup = (...args: string[]): Promise<Finished> =>
  runSotto(['topup', ...args], { SOTTO_DATA_DIR: folder })
const newest = async (): Promise<Topup> => ((await sotto.call('topups/list')) as Topup[])[0]!

it('creates a top-up that the running Sotto has', async () => {
  const { code, stdout } = await topup('--amount', '12.5', '--currency', 'usd', '--method', 'ltc', '--json')
  expect([code, dataOf(stdout)]).toEqual([0, { topup: await newest() }])
  expect(await newest()).toMatchObject({ amount: '12.5', currency: 'USD', method: 'ltc', state: 'new' })
})

it('fails with its code without an account', async () => {
  await runSotto(['account', 'use', 'none'], { SOTTO_DATA_DIR: folder })
  const { code, stdout } = await topup('--amount', '5', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'service/no-account' } }])
  const [{ id }] = (await sotto.call('accounts/list')) as [{ id: string }]
  await runSotto(['account', 'use', id], { SOTTO_DATA_DIR: folder })
})

it.runIf(hasTerminal)('shows a code that a camera reads in a terminal, and stops with Ctrl-C', async () => {
  const terminal = atTerminal(['topup', '--amount', '5', '--wait'], {
    SOTTO_DATA_DIR: folder,
    TERM: 'xterm-256color',
    NO_COLOR: '',
  })
  await terminal.shows('Waiting for payment…')
  for (const dark of [true, false])
    expect(readTerminalQr(terminal.written(), { dark })).toBe((await newest()).uri)
  terminal.type(CTRL_C)
  await terminal.shows('Stopped waiting. The top-up is saved')
  expect(await terminal.ended).toBe(130)
  expect(await newest()).toMatchObject({ state: 'new' })
})

it.runIf(hasTerminal)('writes no escape codes of color to a terminal with NO_COLOR', async () => {
  const terminal = atTerminal(['topup', '--amount', '5'], {
    SOTTO_DATA_DIR: folder,
    TERM: 'xterm-256color',
    NO_COLOR: '1',
  })
  expect(await terminal.ended).toBe(0)
  expect(terminal.written()).not.toContain('\u001b')
  expect(readTerminalQr(terminal.written(), { dark: true })).toBe((await newest()).uri)
})
