import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { historyCommand } from '../../src/cli/history-command.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL } from '../world.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-history-'))
  sotto = await startSotto(folder)
  const { baseUrl, key } = sotto.ready.proxy
  for (const [model, content] of [
    [PLAINTEXT_MODEL, 'one'],
    [PRIVATE_MODEL, 'two words'],
    [PLAINTEXT_MODEL, 'three words here'],
  ]) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content }], max_tokens: 9 }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const history = (...args: string[]): Promise<Finished> =>
  runSotto(['history', ...args], { SOTTO_DATA_DIR: folder })
/** The day of the oldest of them, in UTC as the service counts: midnight may have passed since. */
const dayAsked = async (): Promise<string> =>
  (await history()).stdout.trimEnd().split('\n').at(-1)?.slice(0, 10) ?? ''

it('lists requests, newest first, with the privacy of each receipt', async () => {
  const { code, stdout, stderr } = await history()
  const lines = stdout.trimEnd().split('\n')
  expect([code, lines.length]).toEqual([0, 3])
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}sandbox\/allegro-mini: 0\.\d+¢; \d+ tokens in, \d+ out; chat_completion; from api; key: Default; Provider only$/,
  )
  expect(lines[1]).toMatch(/Private$/)
  expect(stderr).toMatch(
    /^3 of 3 shown\.\n3 requests with a receipt: (0\.\d+¢) by the service, \1 by receipts\.\n$/,
  )
})

it('prints the same requests as JSON and CSV, with exact amounts', async () => {
  const records = dataOf((await history('--json')).stdout) as {
    model: string
    costUsd: string
    receipt?: { privacy: string }
  }[]
  expect(records.map(({ receipt }) => receipt?.privacy)).toEqual(['relayed', 'sealed', 'relayed'])
  const [head, ...rows] = (await history('--csv')).stdout.trimEnd().split('\r\n')
  expect(head).toMatch(/^time,model,/)
  expect(rows.map((row) => row.split(',')[4])).toEqual(records.map(({ costUsd }) => costUsd))
  expect(dataOf((await history('--json', '--limit', '1')).stdout)).toEqual(records.slice(0, 1))
})

describe('summaries', () => {
  it.each(['day', 'key'])('by %s cover all requests', async (by) => {
    const { code, stdout } = await history('--summary', by)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Total +0\.\d+¢; 3 requests; \d+ tokens in, \d+ out$/m)
    expect(stdout).toContain(by === 'day' ? await dayAsked() : 'Default')
  })

  it('as JSON contain exact amounts', async () => {
    const { by, total, groups } = dataOf((await history('--summary', 'model', '--json')).stdout) as {
      by: string
      total: { requests: number; costUsd: string }
      groups: { label: string }[]
    }
    expect([by, total.requests, groups.length]).toEqual(['model', 3, 2])
    expect(total.costUsd).toMatch(/^0\.\d+$/)
  })
})

it('filters by model, source, date and key', async () => {
  const count = async (...args: string[]) =>
    (dataOf((await history('--json', ...args)).stdout) as unknown[]).length
  expect(await count('--model', PLAINTEXT_MODEL)).toBe(2)
  expect(await count('--from', await dayAsked(), '--key', 'Default')).toBe(3)
  expect(await count('--until', await dayAsked(), '--source', 'ui')).toBe(0)
  expect(await history('--key', 'Nobody', '--json')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('service/not-found') as string,
  })
})

it.each([
  [['--from', 'soon']],
  [['--until', '2026-13-01']],
  [['--limit', '0']],
  [['--limit', '1.5']],
  [['--limit', '0x10']],
  [['--limit', '1e3']],
  [['--limit', ' 5 ']],
  [['--summary', 'week']],
  [['--model', '']],
  [['--csv', '--json']],
  [['--csv', '--summary', 'day']],
])('refuses invalid options: %j', async (args) => {
  const command = historyCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  await expect(command.parseAsync(args, { from: 'user' })).rejects.toMatchObject({
    code: expect.stringMatching(/^commander\.(invalidArgument|conflictingOption)$/) as string,
  })
})
