import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tryKey } from '../../../../src/core/gateway/local-keys/try-key.ts'
import type { Dialect, Trial } from '../../../../src/shared/trial.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const attempt = async (part: object = {}) =>
  (await world.call('localApi/try', {
    secret: world.key,
    dialect: 'chat',
    model: PRIVATE_MODEL,
    ...part,
  })) as Trial

describe('a test request with a local key', () => {
  it('to a private model is sealed, and returns its text and its receipt', async () => {
    const trial = await attempt()
    expect(trial).toMatchObject({
      status: 200,
      privacy: 'sealed',
      receipt: {
        privacy: 'sealed',
        outcome: 'complete',
        caller: { kind: 'proxy' },
        path: expect.stringContaining('chat/completions') as string,
      },
    })
    expect(trial.text).toMatch(/\w/)
    expect(trial.receipt?.usage?.completion).toBeLessThanOrEqual(64)
    expect(trial.receipt?.cost).toMatch(/^\d+$/)
    expect(trial.durationMs).toBeGreaterThan(0)
  })

  it.each(['responses', 'messages'] as const)(
    'in the dialect of %s gets a sealed reply in this dialect',
    async (dialect) => {
      const trial = await attempt({ dialect })
      expect(trial).toMatchObject({ status: 200, privacy: 'sealed', receipt: { outcome: 'complete' } })
      expect(trial.text).toMatch(/\w/)
      expect(await attempt({ dialect, secret: 'sk-sotto-nobody' })).toMatchObject({
        status: 401,
        error: {
          code: 'auth/invalid-api-key',
          message: expect.stringContaining('not a valid local key of this Sotto') as string,
        },
      })
      expect(await attempt({ dialect, model: 'none/such' })).toMatchObject({
        status: 404,
        error: { code: 'model/unknown', message: expect.stringContaining('does not list') as string },
      })
    },
  )

  it.each<[Dialect, object]>([
    ['chat', { choices: [{ message: { reasoning_content: 'Hm.', content: 'Hello.' } }] }],
    [
      'responses',
      {
        output: [
          { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
          { type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] },
        ],
      },
    ],
    [
      'messages',
      {
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Hello.' },
        ],
      },
    ],
  ])('returns the text of the model without its reasoning: %s', async (dialect, answer) => {
    const fetch = () => Promise.resolve(Response.json(answer))
    expect(
      await tryKey({
        fetch,
        baseUrl: 'http://127.0.0.1:1/v1',
        secret: 'x',
        dialect,
        model: 'm',
        receipt: () => null,
        signal: undefined,
      }),
    ).toMatchObject({ status: 200, text: 'Hello.' })
  })

  it('with a limited key is refused only by its limits', async () => {
    const { secret } = (await world.call('localApi/create', {
      name: 'Narrow',
      limits: { atLeast: 'sealed', budget: { picoUsd: '1000000000000', period: 'day' } },
    })) as { secret: string }
    expect(await attempt({ secret, model: PLAINTEXT_MODEL })).toMatchObject({
      status: 403,
      privacy: 'refused',
      error: { code: 'auth/private-only' },
    })
    const trial = await attempt({ secret })
    expect(trial).toMatchObject({ status: 200, receipt: { charged: trial.receipt?.cost } })
  })

  it('to another model is forwarded', async () => {
    expect(await attempt({ model: PLAINTEXT_MODEL })).toMatchObject({
      status: 200,
      privacy: 'forwarded',
      receipt: { privacy: 'forwarded' },
    })
  })

  it('gets the same refusals as a tool, and reports them', async () => {
    expect(await attempt({ secret: 'sk-sotto-nobody' })).toMatchObject({
      status: 401,
      error: { code: 'auth/invalid-api-key' },
    })
    expect(await attempt({ model: 'none/such' })).toMatchObject({
      status: 404,
      error: { code: 'model/unknown' },
    })
    world.sandbox.setFault('debug-guest', true)
    await world.call('privacy/verify')
    const refused = await attempt()
    world.sandbox.setFault('debug-guest', false)
    await world.call('privacy/verify')
    expect(refused).toMatchObject({
      status: 502,
      privacy: 'refused',
      error: { code: 'attestation/failed' },
      receipt: { outcome: 'refused' },
    })
  })

  it('refuses a secret that could inject a header', async () => {
    expect(await attempt({ secret: 'a\r\nx-evil: 1' })).toMatchObject({ code: 'BAD_REQUEST' })
    expect(await attempt({ secret: '' })).toMatchObject({ code: 'BAD_REQUEST' })
  })
})
