import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decimalUsd } from '../../src/shared/money.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-balance-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const balance = (...args: string[]): Promise<Finished> =>
  runSotto(['balance', ...args], { SOTTO_DATA_DIR: folder })

it('prints every digit of the balance with the name of the account', async () => {
  await (
    await fetch(`${sotto.ready.proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sotto.ready.proxy.key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/allegro-mini', messages: [{ role: 'user', content: 'Hello' }] }),
    })
  ).text()
  const { picoUsd } = (await sotto.call('accounts/balance')) as { picoUsd: string }
  const usd = decimalUsd(BigInt(picoUsd))
  // The request cost a fraction of a cent, which rounding would hide.
  expect(usd).toMatch(/^\d+\.\d{3,}$/)
  const { code, stdout } = await balance()
  expect([code, stdout.replaceAll(',', '')]).toEqual([0, `Account: $${usd}\n`])
  const json = await balance('--json')
  expect([json.code, dataOf(json.stdout)]).toEqual([
    0,
    {
      account: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, name: 'Account' },
      balance: { usd },
    },
  ])
})

it('fails with its code if no account is active', async () => {
  await runSotto(['account', 'use', 'none'], { SOTTO_DATA_DIR: folder })
  expect(await balance()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('(service/no-account)') as string,
  })
  const { code, stdout } = await balance('--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'service/no-account' } }])
})

it('needs no running Sotto', async () => {
  const other = await mkdtemp(join(tmpdir(), 'sotto-balance-alone-'))
  const { code, stdout } = await runSotto(['balance'], {
    SOTTO_DATA_DIR: other,
    SOTTO_VAULT: 'file',
    SOTTO_PASSPHRASE: 'correct horse',
  })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Account: \$\d+\.\d{2,}\n$/) as string])
  await rm(other, { recursive: true, force: true })
})
