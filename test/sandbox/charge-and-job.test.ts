import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { sandboxFolder } from './cached-roots.ts'
import { bearer, dollar, startService, type Service } from './service-client.ts'

const clip = {
  path: '/v1/videos',
  body: { model: 'sandbox/carosello-video', prompt: 'waves', quality: '480p' },
}
const image = {
  path: '/v1/images/generations',
  body: { model: 'sandbox/bozzetto-image', prompt: 'a quiet room' },
}
type Asked = typeof clip | typeof image

function post(baseUrl: string, { path, body }: Asked, authorization?: string): Promise<Response> {
  return fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify(body),
  })
}

/** Sends a request without a key and pays the invoice. @returns the credential */
async function paid(
  baseUrl: string,
  asked: Asked,
  pay: (invoice: string) => Promise<unknown>,
): Promise<string> {
  const parameters = (await post(baseUrl, asked)).headers.get('www-authenticate') ?? ''
  const [, id = ''] = /id="([^"]*)"/.exec(parameters) ?? []
  const [, request = ''] = /request="([^"]*)"/.exec(parameters) ?? []
  const { methodDetails } = JSON.parse(Buffer.from(request, 'base64url').toString()) as {
    methodDetails: { invoice: string }
  }
  const { preimage } = (await pay(methodDetails.invoice)) as { preimage: string }
  return `L402 ${id}:${preimage}`
}

/** Counts the charges and generations in a ledger through a second connection to its database. */
function countRows(file: string): { charges: number; jobs: number } {
  const database = new DatabaseSync(file, { readOnly: true })
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  const found = { charges: count('record'), jobs: count('generation') }
  database.close()
  return found
}

describe.each([
  ['a clip', clip],
  ['an image', image],
])('if %s can’t be saved', (_, asked) => {
  let service: Service
  let file: string
  beforeAll(async () => {
    const folder = await sandboxFolder()
    file = join(folder, 'sandbox.sqlite')
    service = await startService({ folder, ledger: 'file' })
  })
  afterAll(() => service[Symbol.asyncDispose]())
  /** Makes every insert into the table fail while `work` runs. */
  async function withFull(table: string, work: () => Promise<void>): Promise<void> {
    const secondConnection = new DatabaseSync(file)
    secondConnection.exec(
      `CREATE TRIGGER no_more BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
    )
    try {
      await work()
    } finally {
      secondConnection.exec('DROP TRIGGER no_more')
      secondConnection.close()
    }
  }
  const balance = async () =>
    (await service.call('POST', '/credits/balance', { body: { credit_id: service.account.creditId } })).body
      .balance

  test.each(['generation', 'record'])(
    'because table %s is full, an account is not charged',
    async (table) => {
      const before = countRows(file)
      await withFull(table, async () => {
        expect(
          (await post(service.sandbox.baseUrl, asked, bearer(service.account.apiKey).authorization)).status,
        ).toBe(500)
      })
      expect([countRows(file), await balance(), service.control.unbalanced()]).toEqual([before, 10, []])
    },
  )

  test.each(['generation', 'record'])(
    'because table %s is full, a credential isn’t used up, and the same request succeeds later',
    async (table) => {
      const before = countRows(file)
      const credential = await paid(service.sandbox.baseUrl, asked, (invoice) => service.control.pay(invoice))
      await withFull(table, async () => {
        expect((await post(service.sandbox.baseUrl, asked, credential)).status).toBe(500)
      })
      expect(countRows(file)).toEqual(before)
      expect((await post(service.sandbox.baseUrl, asked, credential)).ok).toBe(true)
      expect(countRows(file)).toEqual({ charges: before.charges + 1, jobs: before.jobs + 1 })
      expect((await post(service.sandbox.baseUrl, asked, credential)).status).toBe(402)
    },
  )
})

describe('a process killed between a charge and its job', () => {
  test.each([
    ['key', 'after', 'INSERT INTO record'],
    ['key', 'after', 'COMMIT'],
    ['invoice', 'after', 'UPDATE challenge SET used_at'],
    ['invoice', 'before', 'INSERT INTO generation'],
    ['invoice', 'after', 'COMMIT'],
  ])('paid by %s, %s %s: both are saved, or neither', async (payer, when, statement) => {
    const folder = await sandboxFolder()
    const child = fork(resolve(import.meta.dirname, 'killed-process.ts'), [folder], { stdio: 'ignore' })
    const [{ baseUrl, apiKey, creditId }] = (await once(child, 'message')) as [
      { baseUrl: string; apiKey: string; creditId: string },
    ]
    const order = async (message: object): Promise<unknown> => {
      child.send(message)
      return ((await once(child, 'message')) as [unknown])[0]
    }
    const credential =
      payer === 'key'
        ? bearer(apiKey).authorization
        : await paid(baseUrl, clip, (invoice) => order({ pay: invoice }))
    expect(await order({ statement, when })).toBe('armed')
    const ended = once(child, 'exit')
    await expect(post(baseUrl, clip, credential)).rejects.toThrow()
    expect(await ended).toEqual([null, 'SIGKILL'])

    const done = statement === 'COMMIT' && when === 'after' ? 1 : 0
    const file = join(folder, 'sandbox.sqlite')
    const again = await startSandbox({ folder, pace: 'none' })
    try {
      const control = await again.control()
      expect([countRows(file), control.unbalanced()]).toEqual([{ charges: done, jobs: done }, []])
      // The same request again: a key is charged again, but a credential can be used only once.
      expect((await post(again.baseUrl, clip, credential)).status).toBe(
        payer === 'invoice' && done === 1 ? 402 : 202,
      )
      const charges = payer === 'invoice' ? 1 : done + 1
      expect(countRows(file)).toEqual({ charges, jobs: charges })
      const spent = control
        .records()
        .filter((record) => record.creditId === creditId)
        .reduce((sum, { picoUsd }) => sum + picoUsd, 0n)
      const { balance } = (await (
        await fetch(`${again.baseUrl}/credits/balance`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ credit_id: creditId }),
        })
      ).json()) as { balance: number }
      expect(BigInt(Math.round(balance * 1e12))).toBe(dollar - spent)
    } finally {
      await again.close()
    }
  })
})
