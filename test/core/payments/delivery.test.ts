import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SottoError } from '../../../src/shared/errors.ts'
import type { ErrorCode } from '../../../src/shared/error-codes.ts'
import { msg } from '../../../src/shared/localized-text.ts'
import {
  bodyOf,
  cutBody,
  HOST,
  imagesRequest,
  json,
  never,
  payerWorld,
  searchRequest,
  START,
  videoRequest,
  type PayerWorld,
} from './payer-world.ts'

const failing = (code: ErrorCode, retryAfterSeconds?: number) => (): never => {
  throw new SottoError(code, {
    detail: msg('The service returned status so.'),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

let world: PayerWorld
beforeEach(() => {
  world = payerWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const proofs = (): string[] =>
  world.service.sent.flatMap(({ authorization }) =>
    authorization === undefined ? [] : [authorization.split(' ')[0]!],
  )
const retryWaits = (): number[] => world.clock.waits.filter((ms) => ms < 20_000)
const readSavedFile = (id: string, index: number): string | undefined =>
  world.files.saved.get(`${id}/${String(index)}`)?.toString()

describe('the credential', () => {
  test('is sent in the specified form, then once as the whole challenge, for one payment', async () => {
    world.service.takes = 'Payment'
    expect(await world.purchase()).toMatchObject({ state: 'delivered', credential: 'payment', attempts: 2 })
    expect(proofs()).toEqual(['L402', 'Payment'])
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('that a host accepted is tried first the next time, even after a restart', async () => {
    world.service.takes = 'Payment'
    await world.purchase()
    await world.purchase()
    expect(proofs()).toEqual(['L402', 'Payment', 'Payment'])
    await world.restart()
    await world.purchase()
    expect(proofs()).toEqual(['L402', 'Payment', 'Payment', 'Payment'])
    world.service.takes = 'L402'
    await world.purchase()
    expect(proofs().slice(4)).toEqual(['Payment', 'L402'])
  })

  test('has no second form if the challenge has none', async () => {
    world.service.takes = 'Payment'
    world.service.changeChallenge = ({ echo: _, ...challenge }) => challenge
    expect((await world.purchase()).state).toBe('undelivered')
    expect(new Set(proofs())).toEqual(new Set(['L402']))
  })

  test('that isn’t accepted yet is retried shortly after', async () => {
    let seen = 0
    const send = world.service.send.bind(world.service)
    world.service.send = async (request, credential) => {
      if (credential.authorization === undefined || ++seen > 4) return send(request, credential)
      return world.service.demand(
        seen % 2 === 0 ? 401 : 402,
        'https://paymentauth.org/problems/payment-insufficient',
      )
    }
    expect((await world.purchase()).state).toBe('delivered')
    expect([world.wallet.asked.length, seen, retryWaits()]).toEqual([1, 5, [500, 1000]])
  })

  test.each([
    [
      'a second demand',
      () => world.service.demand(402, 'https://paymentauth.org/problems/lightning/unknown-challenge'),
    ],
    ['401 with a demand', () => world.service.demand(401)],
    ['401 without one', failing('payment/credential-refused')],
    ['a demand that cannot be read, or a 402 that is none', failing('service/challenge-invalid')],
  ] as const)('that is always answered by %s is never paid again', async (_, refuse) => {
    const send = world.service.send.bind(world.service)
    world.service.send = (request, credential) =>
      credential.authorization === undefined
        ? send(request, credential)
        : Promise.resolve().then(() => {
            void world.service.sent.push({ request, ...credential })
            return refuse()
          })
    const record = await world.purchase()
    expect(record).toMatchObject({ state: 'undelivered', failure: { code: 'payment/credential-refused' } })
    expect(record.preimage).toBe(world.service.issued[0]!.preimage)
    expect([world.wallet.asked.length, proofs().length, retryWaits()]).toEqual([1, 8, [500, 1000, 2000]])
    expect(world.payer.uriOf(record)).toBeUndefined()
  })
})

describe('a paid request', () => {
  test.each<[string, () => never, number[]]>([
    ['a connection that fails', failing('service/unreachable'), [500, 1000, 2000, 5000, 10_000]],
    [
      'a connection cut in the answer’s head',
      failing('service/interrupted'),
      [500, 1000, 2000, 5000, 10_000],
    ],
    ['500', failing('service/failed'), [500, 1000, 2000, 5000, 10_000]],
    ['503', failing('service/unavailable'), [500, 1000, 2000, 5000, 10_000]],
    ['429 with Retry-After', failing('service/rate-limited', 7), [7000, 7000, 7000, 7000, 10_000]],
    ['429 with a Retry-After beyond all patience', failing('service/rate-limited', 3600), []],
    ['400, which no other try changes', failing('service/rejected'), []],
    ['404', failing('service/not-found'), []],
  ])('that meets %s is retried, and then saved as undelivered', async (_, answer, waits) => {
    world.service.answers = [answer]
    const record = await world.purchase()
    expect(record).toMatchObject({
      state: 'undelivered',
      failure: { code: 'payment/undelivered', detail: msg('The service returned status so.') },
    })
    expect(retryWaits()).toEqual(waits)
    expect(world.wallet.asked).toHaveLength(1)
    expect(new Set(world.service.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(
      world.service.sent.every(({ request }) =>
        Buffer.from(request.body).equals(Buffer.from(searchRequest.body)),
      ),
    ).toBe(true)
    expect(world.payer.spent().day).toBe(15_000n)

    world.service.answers = [() => json({ found: 'late' })]
    const again = await world.clock.through(world.payer.retry(record.id, never))
    expect(again).toMatchObject({ state: 'delivered' })
    expect(again).not.toHaveProperty('failure')
    expect([readSavedFile(record.id, 0), world.wallet.asked.length]).toEqual(['{"found":"late"}', 1])
    expect(await world.payer.retry(record.id, never)).toEqual(again)
  })

  test('whose answer is cut off is sent again', async () => {
    world.service.answers = [
      () => ({ kind: 'answer', status: 200, contentType: 'application/json', body: cutBody('{"fou') }),
      () => json({ found: 'cellos' }),
    ]
    const { id, state } = await world.purchase()
    expect([state, readSavedFile(id, 0), world.wallet.asked.length]).toEqual([
      'delivered',
      '{"found":"cellos"}',
      1,
    ])
  })

  test('is delivered if the disk refuses a few writes, and undelivered if it refuses all', async () => {
    world.files.refuses = 3
    const { id, state, attempts } = await world.purchase()
    expect([state, attempts, readSavedFile(id, 0)]).toEqual(['delivered', 1, '{"found":"cellos"}'])
    world.files.refuses = 99
    expect(await world.purchase()).toMatchObject({
      state: 'undelivered',
      failure: { code: 'payment/undelivered' },
    })
  })

  test('is never followed to an address in a data answer', async () => {
    world.service.answers = [
      () =>
        json({
          data: [{ url: 'https://elsewhere.example/1.png' }],
          status_url: 'https://elsewhere.example/2',
        }),
    ]
    expect((await world.purchase()).state).toBe('delivered')
    expect(world.service.fetched).toEqual([])
  })
})

describe('images', () => {
  const [first, second] = [
    'https://pay.service.example/v1/media/gen_1/0?sig=a',
    'https://pay.service.example/v1/media/gen_1/1?sig=b',
  ]
  beforeEach(() => {
    world.service.answers = [
      () =>
        json({
          created: 1,
          data: [{ url: first, content_type: 'image/png' }, { b64_json: 'AAAA' }, { url: second }],
        }),
    ]
    world.service.answerOwn = (address) => ({
      status: 200,
      contentType: address === first ? 'image/png' : 'image/webp; x=1',
      body: bodyOf(address === first ? 'one' : 'three'),
    })
  })

  test('are fetched at once and saved, with the answer', async () => {
    const record = await world.purchase(imagesRequest)
    expect(record.delivered?.files.map(({ contentType, bytes }) => [contentType, bytes])).toEqual([
      ['application/json', 191],
      ['image/png', 3],
      ['image/webp', 5],
    ])
    expect([readSavedFile(record.id, 1), readSavedFile(record.id, 2), world.service.fetched]).toEqual([
      'one',
      'three',
      [first, second],
    ])
  })

  test('that can’t be fetched are fetched later, and nothing is sent or fetched twice', async () => {
    const answerOwn = world.service.answerOwn
    world.service.answerOwn = (address) =>
      address === first ? answerOwn(address) : { status: 503, contentType: '', body: bodyOf('') }
    const record = await world.purchase(imagesRequest)
    expect(record).toMatchObject({
      state: 'undelivered',
      failure: { code: 'payment/undelivered' },
      delivered: { files: [{}, {}] },
    })
    expect(world.service.fetched.filter((address) => address === second)).toHaveLength(6)
    world.service.answerOwn = answerOwn
    expect(await world.clock.through(world.payer.retry(record.id, never))).toMatchObject({
      state: 'delivered',
      attempts: 1,
    })
    expect(world.service.fetched.filter((address) => address === first)).toHaveLength(1)
    expect(readSavedFile(record.id, 2)).toBe('three')
  })

  test('that are cut off are fetched again', async () => {
    let tries = 0
    world.service.answerOwn = () => ({
      status: 200,
      contentType: 'image/png',
      body: tries++ === 0 ? cutBody('on') : bodyOf('one'),
    })
    const record = await world.purchase(imagesRequest)
    expect([record.state, readSavedFile(record.id, 1)]).toEqual(['delivered', 'one'])
  })
})

describe('a video', () => {
  const statusUrl = 'https://pay.service.example/v1/videos/gen_9?sig=s&exp=1'
  const clip = 'https://pay.service.example/v1/media/gen_9/0?sig=c'
  /** What the state of the job is, one answer after another; the last one goes on. */
  let states: [number, unknown][]
  beforeEach(() => {
    states = [
      [202, { id: 'gen_9', status: 'pending' }],
      [202, {}],
      [200, { id: 'gen_9', status: 'completed', data: { url: clip, content_type: 'video/mp4' }, cost: 1 }],
    ]
    world.service.answers = [
      () =>
        json(
          { id: 'gen_9', model: 'reel', status: 'pending', estimated_cost: 1, status_url: statusUrl },
          202,
        ),
    ]
    world.service.answerOwn = (address) => {
      if (address === clip) return { status: 200, contentType: 'video/mp4', body: bodyOf('the clip') }
      const [status, body] = (states.length > 1 ? states.shift() : states[0])!
      return { status, contentType: 'application/json', body: bodyOf(JSON.stringify(body)) }
    }
  })

  test('has its address saved at once, is polled every few seconds, and its clip is saved', async () => {
    const { id } = await world.quoted(videoRequest)
    const begun = await world.pay(id)
    expect(begun).toMatchObject({
      state: 'paid',
      delivered: {
        status: 202,
        statusUrl,
        job: { id: 'gen_9', status: 'pending' },
        files: [{ contentType: 'application/json' }],
      },
    })
    await world.clock.until(() => world.record(id).state === 'delivered')
    expect(world.record(id)).toMatchObject({
      delivered: { job: { status: 'completed' }, files: [{}, { contentType: 'video/mp4', bytes: 8 }] },
    })
    expect([readSavedFile(id, 1), retryWaits()]).toEqual(['the clip', [5000, 5000]])
    expect(world.record(id)).not.toHaveProperty('preimage')
  })

  test('that a restart interrupts is polled again, and neither paid nor sent again', async () => {
    states = [[202, { status: 'pending' }]]
    const { id } = await world.purchase(videoRequest)
    await world.clock.pass(60_000)
    await world.restart()
    states = [[200, { status: 'completed', data: [{ url: clip }] }]]
    await world.clock.until(() => world.record(id).state === 'delivered')
    expect([world.wallet.asked.length, proofs().length, readSavedFile(id, 1)]).toEqual([1, 1, 'the clip'])
  })

  test('that failed after the payment is undelivered, with its reason and its proof', async () => {
    states = [[200, { status: 'failed', error: 'no' }]]
    const { id } = await world.purchase(videoRequest)
    await world.clock.until(() => world.record(id).state === 'undelivered')
    expect(world.record(id)).toMatchObject({
      failure: {
        code: 'payment/undelivered',
        detail: msg('The service reported that the video failed: “{words}”.', { words: 'no' }),
      },
      delivered: { job: { status: 'failed' } },
    })
    expect(world.payer.proof(id)).toContain(world.service.issued[0]!.preimage)
  })

  test.each<[string, () => { status: number; contentType: string; body: AsyncIterable<Uint8Array> }]>([
    [
      'is unreachable',
      () => {
        throw new SottoError('service/unreachable')
      },
    ],
    [
      'answers with what can’t be read',
      () => ({ status: 200, contentType: 'text/html', body: bodyOf('<p>later</p>') }),
    ],
    [
      'answers with an unknown state',
      () => ({ status: 200, contentType: 'application/json', body: bodyOf('{"status":"thinking"}') }),
    ],
    ['fails', () => ({ status: 500, contentType: 'text/plain', body: bodyOf('') })],
    ['limits requests', () => ({ status: 429, contentType: 'text/plain', body: bodyOf('') })],
  ])('stays paid while the service %s, and is polled less often', async (_, answer) => {
    const { answerOwn } = world.service
    world.service.answerOwn = answer
    const { id } = await world.purchase(videoRequest)
    await world.clock.pass(26 * 3_600_000)
    expect(world.record(id).state).toBe('paid')
    expect(world.payer.paused()).toBeNull()
    expect(world.service.fetched.length).toBeLessThan(400)
    world.service.answerOwn = answerOwn
    await world.clock.until(() => world.record(id).state === 'delivered')
    expect([world.wallet.asked.length, proofs().length]).toEqual([1, 1])
  })

  test('that the service no longer has is undelivered', async () => {
    states = [[410, { error: { message: 'Gone' } }]]
    const { id } = await world.purchase(videoRequest)
    await world.clock.until(() => world.record(id).state === 'undelivered')
    expect(world.record(id)).toMatchObject({
      delivered: { job: { status: 'failed' } },
      failure: { detail: msg('The service reported that the video failed: “{words}”.', { words: 'Gone' }) },
    })
  })

  test('that never finishes is polled until a person stops it, and its proof stays', async () => {
    states = [[202, { status: 'pending' }]]
    const { id } = await world.purchase(videoRequest)
    await world.clock.pass(3 * 24 * 3_600_000)
    expect(world.record(id).state).toBe('paid')
    expect(world.payer.abandon(id)).toMatchObject({ state: 'given-up' })
    const asked = world.service.fetched.length
    await world.clock.pass(3_600_000)
    expect([world.record(id).state, world.service.fetched.length - asked]).toEqual(['given-up', 1])
    expect(world.payer.proof(id)).toContain(world.service.issued[0]!.preimage)
  })

  test('without a status address is undelivered, with the reason', async () => {
    world.service.answers = [() => json({ id: 'gen_9', status: 'pending' }, 202)]
    expect(await world.purchase(videoRequest)).toMatchObject({
      state: 'undelivered',
      failure: { detail: msg('The service provided no address for the video’s status.') },
    })
  })
})

test('an answer may name its receipt, and its host is saved as paid', async () => {
  world.service.answers = [
    () => ({
      kind: 'answer',
      status: 200,
      contentType: 'text/html; <script>',
      body: bodyOf('<p>'),
      receiptId: 'receipt-7',
    }),
  ]
  expect(await world.purchase()).toMatchObject({
    receiptId: 'receipt-7',
    delivered: { files: [{ contentType: 'text/html' }] },
  })
  expect(world.journal.paidHosts()).toEqual([{ host: HOST, firstPaidAt: START }])
})
