import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unlockVault } from '../../src/core/core.ts'
import { createStore } from '../../src/core/storage/index.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { PLAINTEXT_MODEL } from '../world.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
let asked: Receipt
let lost: Receipt

/** One request was asked; then its receipt is doubted, and a second receipt is of a request that the service never recorded. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-history-compared-'))
  const former = await startSotto(folder)
  const { baseUrl, key } = former.ready.proxy
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: PLAINTEXT_MODEL,
      messages: [{ role: 'user', content: 'one' }],
      max_tokens: 9,
    }),
  })
  expect(response.status).toBe(200)
  await response.text()
  await former.stop('SIGTERM')

  const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
  const [profileId = ''] = await readdir(join(folder, 'profiles'))
  const store = createStore({
    folder: join(folder, 'profiles', profileId),
    key: (await vault.get('store-key')) ?? expect.unreachable(),
    now: Date.now,
  })
  asked = store.receipts.list(1)[0] ?? expect.unreachable()
  lost = {
    ...asked,
    id: 'lost',
    at: asked.at - 30 * 60_000,
    usage: { prompt: 70, completion: 3 },
    cost: '12345000000',
  }
  store.receipts.put({ ...asked, cost: '9000000000000', costDoubted: true })
  store.receipts.put(lost)
  store.close()
  await vault.close()
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const history = (...args: string[]): Promise<Finished> =>
  runSotto(['history', ...args], { SOTTO_DATA_DIR: folder })

it('lists the request that the service doesn’t have, confirms the doubted cost, and sums both', async () => {
  const { code, stdout, stderr } = await history()
  const lines = stdout.trimEnd().split('\n')
  expect([code, lines.length]).toEqual([0, 2])
  expect(lines[0]).toMatch(/Provider only; receipt confirmed$/)
  expect(lines[1]).toMatch(
    /sandbox\/allegro-mini: receipt: \$0\.012345; 70 tokens in, 3 out; key: Default; Provider only; not in the service’s history$/,
  )
  expect(stderr).toMatch(
    /^1 of 1 shown\.\n1 request with a receipt: (0\.\d+¢) by the service, \1 by the receipt\.\n1 request with a receipt isn’t in the service’s history: \$0\.012345\.\n$/,
  )
})

it('as JSON and CSV it marks the same request', async () => {
  const rows = dataOf((await history('--json')).stdout) as {
    inHistory: boolean
    costUsd?: string
    receipt?: { id: string; costUsd?: string; confirmed?: true }
  }[]
  expect(rows).toEqual([
    expect.objectContaining({
      inHistory: true,
      costUsd: rows[0]?.receipt?.costUsd,
      receipt: expect.objectContaining({ id: asked.id, confirmed: true }) as unknown,
    }),
    expect.objectContaining({
      inHistory: false,
      receipt: { id: 'lost', privacy: lost.privacy, costUsd: '0.012345' },
    }),
  ])
  const [head = '', ...lines] = (await history('--csv')).stdout.trimEnd().split('\r\n')
  expect(head).toMatch(/receipt_cost_usd,in_history$/)
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['true', 'false'])
  expect(lines[1]).toMatch(/,0\.012345,false$/)
})

it('the receipt keeps the cost that was stated first', async () => {
  const receipt = (await sotto.call('receipts/get', { receiptId: asked.id })) as Receipt
  expect(receipt).toMatchObject({ cost: '9000000000000', confirmed: { cost: asked.cost } })
  expect(receipt).not.toHaveProperty('costDoubted')
})
