import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { sandboxFolder } from './cached-roots.ts'
import { bearer, dollar, question, startService } from './service-client.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 100 })
afterAll(() => agent.destroy())

/** @returns the status, or 0 if no answer arrived */
function post(
  baseUrl: string,
  apiKey: string,
  body: object = question,
  path = '/v1/chat/completions',
): Promise<number> {
  return new Promise((done) => {
    const request = httpRequest(
      baseUrl + path,
      { method: 'POST', agent, headers: { ...bearer(apiKey), 'content-type': 'application/json' } },
      (response) => {
        response
          .on('error', () => done(0))
          .on('end', () => done(response.statusCode ?? 0))
          .resume()
      },
    )
    request.on('error', () => done(0))
    request.end(JSON.stringify(body))
  })
}

async function priceOfQuestion(): Promise<bigint> {
  await using service = await startService()
  expect(await post(service.sandbox.baseUrl, service.account.apiKey)).toBe(200)
  return service.control.records()[0]?.picoUsd ?? 0n
}

test.each([
  ['answered in one piece', {}],
  ['streamed', { stream: true }],
])(
  'a thousand requests at once with a balance for 400, %s: 400 are served and nothing is left',
  { timeout: 120_000 },
  async (_, how) => {
    const price = await priceOfQuestion()
    await using service = await startService({ ledger: 'file' })
    const account = service.control.createAccount(400n * price)
    const body = { ...question, ...how }
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, () => post(service.sandbox.baseUrl, account.apiKey, body)),
    )
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 402).length,
    ]).toEqual([400, 600])
    expect(
      (await service.call('POST', '/credits/balance', { body: { credit_id: account.creditId } })).body
        .balance,
    ).toBe(0)
    const records = service.control.records()
    expect([
      records.length,
      records.every(({ picoUsd }) => picoUsd === price),
      service.control.unbalanced(),
    ]).toEqual([400, true, []])
  },
)

test.each([
  ['/v1/images/generations', { model: 'sandbox/bozzetto-image', prompt: 'x' }],
  ['/v1/videos', { model: 'sandbox/carosello-video', prompt: 'x', quality: '480p' }],
  ['/v1/embeddings', { model: 'sandbox/eco-embedding-small', input: 'x' }],
  ['/v1/data/api/websearch/search', { query: 'x' }],
])(
  'a hundred requests at once to %s with a balance for 40: 40 are served and nothing is left',
  async (path, body) => {
    await using service = await startService()
    const { baseUrl } = service.sandbox
    await post(baseUrl, service.account.apiKey, body, path)
    const price = service.control.records()[0]?.picoUsd ?? 0n
    expect(price > 0n).toBe(true)
    const account = service.control.createAccount(40n * price)
    const statuses = await Promise.all(
      Array.from({ length: 100 }, () => post(baseUrl, account.apiKey, body, path)),
    )
    expect([
      statuses.filter((status) => status === 200 || status === 202).length,
      statuses.filter((status) => status === 402).length,
    ]).toEqual([40, 60])
    expect(
      (await service.call('POST', '/credits/balance', { body: { credit_id: account.creditId } })).body
        .balance,
    ).toBe(0)
    expect([
      service.control.records().filter(({ creditId }) => creditId === account.creditId).length,
      service.control.unbalanced(),
    ]).toEqual([40, []])
  },
)

test('what an abandoned answer did not use is there for the next', async () => {
  await using service = await startService({ pace: 'human' })
  const long = {
    ...question,
    messages: [{ role: 'user', content: 'Write 3000 words about rivers' }],
    stream: true,
  }
  const account = service.control.createAccount(dollar)
  const caller = new AbortController()
  const response = await fetch(`${service.sandbox.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { ...bearer(account.apiKey), 'content-type': 'application/json' },
    body: JSON.stringify(long),
    signal: caller.signal,
  })
  await response.body?.getReader().read()
  // The amount reserved for the running answer counts as spent.
  service.control.setBalance(account.creditId, 1_000_000_000n)
  expect(await post(service.sandbox.baseUrl, account.apiKey)).toBe(402)
  caller.abort()
  await expect.poll(() => service.sandbox.ledger()[0]?.aborted).toBe(true)
  expect(await post(service.sandbox.baseUrl, account.apiKey)).toBe(200)
  expect(service.control.unbalanced()).toEqual([])
})

test(
  'killed in the midst and started again: no more than 400 are debited, and debits are records',
  { timeout: 120_000 },
  async () => {
    const price = await priceOfQuestion()
    const folder = await sandboxFolder()
    const child = fork(resolve(import.meta.dirname, 'sandbox-process.ts'), [folder, String(400n * price)], {
      stdio: 'ignore',
    })
    const [{ baseUrl, apiKey, creditId }] = (await once(child, 'message')) as [
      { baseUrl: string; apiKey: string; creditId: string },
    ]
    let served = 0
    const statuses = Promise.all(
      Array.from({ length: 1000 }, async () => {
        const status = await post(baseUrl, apiKey)
        if (status !== 200) return status
        served += 1
        if (served === 150) child.kill('SIGKILL')
        return status
      }),
    )
    await once(child, 'exit')
    const heard = (await statuses).filter((status) => status === 200).length

    const again = await startSandbox({ folder, pace: 'none' })
    try {
      const control = await again.control()
      const debited = control.records().length
      expect(debited).toBeGreaterThanOrEqual(heard)
      expect(debited).toBeLessThan(400)
      expect(control.unbalanced()).toEqual([])
      const rest = await Promise.all(Array.from({ length: 600 }, () => post(again.baseUrl, apiKey)))
      expect(rest.filter((status) => status === 200)).toHaveLength(400 - debited)
      const records = control.records()
      expect(records.reduce((sum, { picoUsd }) => sum + picoUsd, 0n)).toBe(400n * price)
      expect([
        records.length,
        records.every((record) => record.creditId === creditId),
        control.unbalanced(),
      ]).toEqual([400, true, []])
    } finally {
      await again.close()
    }
  },
)
