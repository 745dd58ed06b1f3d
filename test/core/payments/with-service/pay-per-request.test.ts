import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unlockVault } from '../../../../src/core/core.ts'
import { startSandbox } from '../../../../src/sandbox/index.ts'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'
import { startWorld } from '../../../world.ts'
import {
  ask,
  codeOf,
  IMAGE,
  startPayingWorld,
  VIDEO,
  wallet,
  type PayingWorld,
} from './single-requests-world.ts'

describe.each(['A', 'B'] as const)('a tool without an account, Revision %s', (revision) => {
  let world: PayingWorld
  beforeAll(async () => {
    world = await startPayingWorld({ revision, profile: (profile) => ({ ...profile, revision }) })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    world.outbound.length = 0
  })

  const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length
  async function receiptOf(response: Response): Promise<Receipt> {
    const receiptId = response.headers.get('x-sotto-receipt')
    await expect.poll(() => world.call('receipts/get', { receiptId })).toHaveProperty('outcome')
    return (await world.call('receipts/get', { receiptId })) as Receipt
  }

  it('buys data, and gets the service’s response byte for byte', async () => {
    const before = await payments()
    const response = await ask(world, '/v1/data/api/websearch/search', { query: 'an otter' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('x-sotto-privacy')).toBe('forwarded')
    const text = await response.text()
    expect(JSON.parse(text)).toBeTypeOf('object')
    expect(await payments()).toBe(before + 1)
    const [purchase] = (await world.call('purchases/list')) as Purchase[]
    expect(purchase).toMatchObject({
      state: 'delivered',
      caller: { kind: 'proxy' },
      endpoint: 'data',
      subject: 'data/api/websearch/search',
    })
    expect(await world.call('purchases/answer', { purchaseId: purchase!.id })).toEqual({ text })
    expect(await receiptOf(response)).toMatchObject({
      id: purchase!.receiptId,
      privacy: 'forwarded',
      outcome: 'complete',
      paidMsat: (BigInt(purchase!.amountMsat) + BigInt(purchase!.feeMsat ?? '0')).toString(),
      cost: purchase!.listed,
    })
    // No account's key went with it, and what proves the payment went to nobody else.
    expect(Buffer.concat(world.outbound).toString()).not.toMatch(/bearer /i)
  })

  it('buys an image, which is also saved here', async () => {
    const response = await ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'an otter' })
    expect(response.status).toBe(200)
    const answer = (await response.json()) as { data: { url: string }[]; cost: number }
    const media = await fetch(answer.data[0]!.url)
    expect(media.status).toBe(200)
    const [purchase] = (await world.call('purchases/list')) as Purchase[]
    expect(purchase).toMatchObject({
      state: 'delivered',
      endpoint: 'images/generations',
      subject: IMAGE,
      files: [{ index: 1 }],
    })
    const bytes = Buffer.from(await media.arrayBuffer())
    expect(purchase!.files[0]!.bytes).toBe(bytes.byteLength)
  })

  it('buys a video and polls it by its id, without an account', async () => {
    const response = await ask(world, '/v1/videos', { model: VIDEO, prompt: 'an otter' })
    expect(response.status).toBe(202)
    const { id, status_url } = (await response.json()) as { id: string; status_url: string }
    expect(status_url).toContain(id)
    const poll = (): Promise<Response> =>
      fetch(`${world.baseUrl}/videos/${id}`, { headers: { authorization: `Bearer ${world.tool}` } })
    await expect
      .poll(async () => ((await (await poll()).json()) as { status: string }).status, { timeout: 20_000 })
      .toBe('completed')
    expect(Buffer.concat(world.outbound).toString()).not.toMatch(/bearer /i)
    expect(
      await codeOf(
        await fetch(`${world.baseUrl}/videos/gen_other`, {
          headers: { authorization: `Bearer ${world.tool}` },
        }),
      ),
    ).toEqual([401, 'service/no-account'])
  })

  if (revision === 'B') {
    it('edits an image: the form is sent twice with the same bytes', async () => {
      const before = await payments()
      const form = new FormData()
      form.append('model', 'sandbox/restauro-edit')
      form.append('prompt', 'with a hat')
      const generated = (await (
        await ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'an otter' })
      ).json()) as { data: { url: string }[] }
      form.append(
        'image',
        new File([new Uint8Array(await (await fetch(generated.data[0]!.url)).arrayBuffer())], 'otter.png', {
          type: 'image/png',
        }),
      )
      const response = await fetch(`${world.baseUrl}/images/edits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.tool}` },
        body: form,
      })
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"data"')])
      expect(await payments()).toBe(before + 2)
    })
  } else {
    it('can’t edit an image, because the revision doesn’t support it', async () => {
      const form = new FormData()
      form.append('model', IMAGE)
      form.append('image', new File(['x'], 'otter.png', { type: 'image/png' }))
      const before = await payments()
      const response = await fetch(`${world.baseUrl}/images/edits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.tool}` },
        body: form,
      })
      expect((await codeOf(response))[1]).toBe('service/not-offered')
      expect(await payments()).toBe(before)
    })
  }

  it('can’t buy a request that isn’t sold separately, nor name a private model', async () => {
    world.outbound.length = 0
    expect(
      await codeOf(await ask(world, '/v1/embeddings', { model: 'sandbox/eco-embedding-small', input: 'x' })),
    ).toEqual([401, 'service/no-account'])
    for (const model of ['private/sandbox-lento-8b', ' PRIVATE%2fx']) {
      expect(await codeOf(await ask(world, '/v1/images/generations', { model, prompt: 'x' }))).toEqual([
        400,
        'privacy/path',
      ])
    }
    expect(
      await codeOf(
        await ask(world, '/v1/images/generations', {
          model: IMAGE,
          prompt: 'x',
          options: { model: 'private/sandbox-lento-8b' },
        }),
      ),
    ).toEqual([400, 'privacy/path'])
    expect(Buffer.concat(world.outbound).toString()).not.toContain('POST')
  })

  it('is refused without the permission, and pays nothing', async () => {
    const before = await payments()
    expect(
      await codeOf(await ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'x' }, world.key)),
    ).toEqual([403, 'auth/insufficient-scope'])
    expect(await payments()).toBe(before)
  })

  it('is limited by the budget of its key', async () => {
    const before = await payments()
    const { secret } = (await world.call('localApi/create', {
      name: 'Poor',
      limits: { grants: ['pay-per-request'], budget: { picoUsd: '1', period: 'day' } },
    })) as { secret: string }
    expect(
      await codeOf(await ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'x' }, secret)),
    ).toEqual([402, 'budget/exceeded'])
    expect(await payments()).toBe(before)
  })

  it('is limited by the wallet, with a code for each limit', async () => {
    const { limits } = await wallet(world)
    await world.call('wallet/setLimits', { ...limits, automaticUpTo: '1' })
    const before = await payments()
    expect(await codeOf(await ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'x' }))).toEqual([
      402,
      'payment/confirmation-required',
    ])
    await world.call('wallet/setLimits', { ...limits, perPayment: '1' })
    const refused = await ask(world, '/v1/images/generations', { model: IMAGE, prompt: 'x' })
    expect(await codeOf(refused)).toEqual([402, 'payment/over-limit'])
    await world.call('wallet/setLimits', limits)
    expect(await payments()).toBe(before)
  })
})

it('a bought video shows the model name of its request, also after a restart', async () => {
  const sandbox = await startSandbox({ folder: await sandboxFolder(), pace: 'none' })
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bought-'))
  const persistent = {
    outlives: { sandbox, folder, clock: { ahead: 0 } },
    vault: () => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
  }
  try {
    const modelOf = async (baseUrl: string, id: string, key: string): Promise<unknown> =>
      (
        (await (
          await fetch(`${baseUrl}/videos/${id}`, { headers: { authorization: `Bearer ${key}` } })
        ).json()) as { model: unknown }
      ).model
    let submitted = { id: '', key: '' }
    {
      await using world = await startPayingWorld({
        ...persistent,
        limits: { aliases: [{ pattern: 'sora-2', model: VIDEO }] },
      })
      const { id, model } = (await (
        await ask(world, '/v1/videos', { model: 'sora-2', prompt: 'an otter' })
      ).json()) as { id: string; model: string }
      submitted = { id, key: world.tool }
      expect([model, await modelOf(world.baseUrl, id, world.tool)]).toEqual(['sora-2', 'sora-2'])
    }
    await using later = await startWorld(persistent)
    expect(await modelOf(later.baseUrl, submitted.id, submitted.key)).toBe('sora-2')
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)

describe('the amount paid', () => {
  it('is charged to the key’s budget, even if the response is unreadable', async () => {
    let spoiled = false
    await using world = await startPayingWorld({
      limits: { budget: { picoUsd: '1000000000000', period: 'day' } },
      fetch: (fetch) => async (url, init) => {
        const response = await fetch(url, init)
        if (
          !spoiled ||
          !/^(?:L402|Payment) /.test(init.headers['authorization'] ?? '') ||
          response.status !== 200
        )
          return response
        for await (const _ of response.body ?? []) continue
        return {
          ...response,
          headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
          body: bodyOf('{"cut'),
        }
      },
    })
    spoiled = true
    const answer = await ask(world, '/v1/data/api/websearch/search', { query: 'an otter' })
    expect(await codeOf(answer)).toEqual([502, 'service/interrupted'])
    const receipt = (await world.call('receipts/get', {
      receiptId: answer.headers.get('x-sotto-receipt'),
    })) as Receipt
    expect(receipt).toMatchObject({
      privacy: 'forwarded',
      paidMsat: expect.stringMatching(/^[1-9]/) as string,
    })
    expect(receipt.charged).toBe(receipt.estimate?.most)
  })

  it('is zero if the service responds without asking for payment', async () => {
    let free = false
    await using world = await startPayingWorld({
      limits: { budget: { picoUsd: '1000000000000', period: 'day' } },
      fetch: (fetch) => (url, init) =>
        free && url.includes('/websearch/search')
          ? Promise.resolve({
              status: 200,
              headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
              body: bodyOf('{"results":[]}'),
            })
          : fetch(url, init),
    })
    free = true
    const before = (await world.sandbox.wallet()).payments().length
    const answer = await ask(world, '/v1/data/api/websearch/search', { query: 'an otter' })
    expect([answer.status, await answer.text()]).toEqual([200, '{"results":[]}'])
    expect((await world.sandbox.wallet()).payments()).toHaveLength(before)
    expect(
      await world.call('receipts/get', { receiptId: answer.headers.get('x-sotto-receipt') }),
    ).toMatchObject({ outcome: 'complete', cost: '0', charged: '0' })
  })
})

async function* bodyOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(text))
}

describe('before the first payment to a host', () => {
  it('a tool needs a person’s confirmation and a wallet', async () => {
    await using world = await startPayingWorld({ wallet: false })
    world.outbound.length = 0
    expect(await codeOf(await ask(world, '/v1/data/api/websearch/search', { query: 'x' }))).toEqual([
      402,
      'wallet/not-connected',
    ])
    expect(Buffer.concat(world.outbound).toString()).not.toContain('POST')
    await world.call('wallet/connectSandbox')
    const before = (await world.sandbox.wallet()).payments().length
    expect(await codeOf(await ask(world, '/v1/data/api/websearch/search', { query: 'x' }))).toEqual([
      402,
      'payment/confirmation-required',
    ])
    expect((await world.sandbox.wallet()).payments()).toHaveLength(before)
    expect(await wallet(world)).toMatchObject({ hosts: [], spent: { day: '0', held: '0' } })
  })
})
