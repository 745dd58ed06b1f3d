import { describe, expect, it } from 'vitest'
import type { ServiceEnclaveView } from '../../src/shared/chat-route.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { SandboxFault } from '../../src/shared/sandbox-faults.ts'
import { formsOf } from '../canary.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'

const CANARY = 'the "heron" wades\nthrough Brückenstraße 9'

const start = (options: Parameters<typeof startWorld>[0] = {}): Promise<World> =>
  startWorld({ serviceEnclave: true, ...options })

function ask(world: World, more: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return world.post(
    { model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: CANARY }], ...more },
    headers,
  )
}

async function receiptOf(world: World, response: Response): Promise<Receipt> {
  await response.text()
  return (await world.call('receipts/get', { receiptId: response.headers.get('x-sotto-receipt') })) as Receipt
}

async function refusal(response: Response): Promise<[number, unknown]> {
  const { error } = (await response.json()) as { error: { code: unknown } }
  return [response.status, error.code]
}

const anyText = expect.any(String) as unknown
const chats = (world: World) =>
  world.sandbox.received().filter(({ path }) => path.endsWith('/chat/completions'))

describe('chat with a model that isn’t private, at a service with its own enclave', () => {
  it.each([false, true])(
    'is sealed to that enclave, and its receipt names the provider (streamed: %s)',
    async (stream) => {
      await using world = await start()
      const response = await ask(world, { stream })
      expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'relayed'])
      const receipt = await receiptOf(world, response)
      expect(receipt).toMatchObject({
        privacy: 'relayed',
        outcome: 'complete',
        model: PLAINTEXT_MODEL,
        enclave: { hpkePublicKey: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
        routing: {
          state: 'verified',
          upstream: anyText,
          provider: anyText,
          proof: { receipt: anyText, signature: anyText, spki: anyText },
        },
      })
      expect(BigInt(receipt.cost ?? 0)).toBeGreaterThan(0n)
      // The service saw ciphertext, on the enclave's path and on no other.
      expect(chats(world)).toMatchObject([{ path: '/service-enclave/v1/chat/completions', sealed: true }])
      expect(formsOf(CANARY, Buffer.concat(world.outbound))).toEqual([])
    },
  )

  it('fetches evidence with a new nonce, and the image record, once for many requests', async () => {
    await using world = await start()
    for (let count = 0; count < 3; count++) await (await ask(world)).text()
    expect(
      world.sandbox.received().filter(({ path }) => path === '/service-enclave/attestation'),
    ).toHaveLength(1)
    const view = (await world.call('serviceEnclave/view')) as ServiceEnclaveView
    expect(view).toMatchObject({
      route: 'relayed',
      rule: 'published',
      verdict: {
        good: true,
        platform: 'AWS Nitro',
        image: { rule: 'published' },
        freshness: { kind: 'nonce-bound' },
      },
    })
    expect(view.verdict?.steps.filter(({ required, outcome }) => required && outcome !== 'passed')).toEqual(
      [],
    )
  })

  it.each<SandboxFault>(['relay-other-image'])(
    'is refused and sent nowhere if the enclave can’t be verified (%s)',
    async (fault) => {
      await using world = await start()
      world.sandbox.setFault(fault, true)
      expect(await refusal(await ask(world))).toEqual([502, 'relay/unverified'])
      expect(chats(world)).toEqual([])
    },
  )

  it('is refused if the service’s record is older than an earlier one', async () => {
    await using world = await start()
    expect((await ask(world)).status).toBe(200)
    world.sandbox.setFault('relay-older-record', true)
    expect(await world.call('serviceEnclave/verify')).toMatchObject({ verdict: { good: false } })
    expect(await refusal(await ask(world))).toEqual([502, 'relay/unverified'])
  })

  it('is sealed again, once, after the enclave changed its key', async () => {
    await using world = await start()
    expect((await ask(world)).status).toBe(200)
    world.sandbox.clearReceived()
    world.sandbox.setFault('relay-key-rotation', true)
    const response = await ask(world)
    expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'relayed'])
    expect(chats(world)).toHaveLength(2)
  })

  it.each<[SandboxFault, object]>([
    [
      'relay-swapped-model',
      { state: 'verified', warnings: expect.arrayContaining(['model-differs']) as unknown },
    ],
    [
      'relay-foreign-upstream',
      { state: 'verified', warnings: expect.arrayContaining(['upstream-unexpected']) as unknown },
    ],
    ['relay-missing-receipt', { state: 'missing' }],
    ['relay-forged-receipt', { state: 'refused', refusal: 'signature' }],
    ['relay-other-request', { state: 'refused', refusal: 'request' }],
  ])('reports a wrong routing receipt (%s)', async (fault, routing) => {
    await using world = await start()
    world.sandbox.setFault(fault, true)
    for (const stream of [false, true])
      expect(await receiptOf(world, await ask(world, { stream }))).toMatchObject({
        privacy: 'relayed',
        routing,
      })
  })

  it('is forwarded visibly only if the person confirmed that outside the window', async () => {
    const asked: string[] = []
    let accepts = false
    await using world = await start({ confirm: (question) => (asked.push(question), accepts) })
    expect(await world.call('serviceEnclave/setRoute', { route: 'forwarded' })).toMatchObject({
      data: { code: 'confirm/refused' },
    })
    expect((await ask(world)).headers.get('x-sotto-privacy')).toBe('relayed')
    accepts = true
    await world.call('serviceEnclave/setRoute', { route: 'relayed-if-verified' })
    expect((await ask(world)).headers.get('x-sotto-privacy')).toBe('relayed')
    world.sandbox.setFault('relay-other-image', true)
    await world.call('serviceEnclave/verify')
    const fallen = await ask(world)
    expect([fallen.status, fallen.headers.get('x-sotto-privacy')]).toEqual([200, 'forwarded'])
    await world.call('serviceEnclave/setRoute', { route: 'relayed' })
    expect(await refusal(await ask(world))).toEqual([502, 'relay/unverified'])
    expect(asked).toHaveLength(2)
  })

  it('never forwards visibly what continues a relayed response', async () => {
    await using world = await start()
    const respond = (more: object): Promise<Response> =>
      world.post(
        { model: PLAINTEXT_MODEL, input: CANARY, max_output_tokens: 50, ...more },
        {},
        '/v1/responses',
      )
    const {
      id,
      output: [item],
    } = (await (await respond({})).json()) as { id: string; output: { id: string }[] }
    const later = [
      { input: 'go on', previous_response_id: id },
      { input: [{ type: 'item_reference', id: item!.id }] },
    ]
    for (const more of later) expect((await respond(more)).headers.get('x-sotto-privacy')).toBe('relayed')
    expect((await respond({ ...later[0], model: PRIVATE_MODEL })).headers.get('x-sotto-privacy')).toBe(
      'sealed',
    )
    await world.call('serviceEnclave/setRoute', { route: 'relayed-if-verified' })
    world.sandbox.setFault('relay-other-image', true)
    await world.call('serviceEnclave/verify')
    for (const more of later) expect(await refusal(await respond(more))).toEqual([502, 'relay/unverified'])
    await world.call('serviceEnclave/setRoute', { route: 'forwarded' })
    for (const more of later)
      expect(await refusal(await respond(more))).toEqual([400, 'privacy/earlier-response'])
    expect((await respond({ input: 'something else' })).headers.get('x-sotto-privacy')).toBe('forwarded')
    expect(formsOf(CANARY, Buffer.concat(world.outbound))).toEqual([])
  })

  it('never forwards visibly for a key that requires relaying', async () => {
    await using world = await start()
    const { secret } = (await world.call('localApi/create', {
      name: 'Careful',
      limits: { atLeast: 'relayed' },
    })) as { secret: string }
    const authorization = { authorization: `Bearer ${secret}` }
    expect((await ask(world, {}, authorization)).headers.get('x-sotto-privacy')).toBe('relayed')
    expect((await ask(world, { model: PRIVATE_MODEL }, authorization)).headers.get('x-sotto-privacy')).toBe(
      'sealed',
    )
    await world.call('serviceEnclave/setRoute', { route: 'relayed-if-verified' })
    world.sandbox.setFault('relay-other-image', true)
    await world.call('serviceEnclave/verify')
    expect(await refusal(await ask(world, {}, authorization))).toEqual([502, 'relay/unverified'])
    await world.call('serviceEnclave/setRoute', { route: 'forwarded' })
    expect(await refusal(await ask(world, {}, authorization))).toEqual([403, 'auth/relayed-only'])
    expect(
      await refusal(
        await world.post(
          { model: 'openai/gpt-image-1', prompt: CANARY },
          authorization,
          '/v1/images/generations',
        ),
      ),
    ).toEqual([403, 'auth/relayed-only'])
    expect(formsOf(CANARY, Buffer.concat(world.outbound))).toEqual([])
  })

  it('is sent to an image that the person approved, or to one with verified provenance', async () => {
    await using world = await start()
    await world.call('serviceEnclave/setRule', { rule: 'proven' })
    expect(await refusal(await ask(world))).toEqual([502, 'relay/unverified'])
    const { file, bundle } = await world.sandbox.serviceEnclaveProvenance()
    const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
    expect(
      await world.call('serviceEnclave/proveImage', { file: base64(file), bundle: base64('{}') }),
    ).toMatchObject({ data: { code: 'relay/provenance-refused' } })
    await world.call('serviceEnclave/proveImage', {
      file: base64(file),
      bundle: base64(JSON.stringify(bundle)),
    })
    expect((await ask(world)).headers.get('x-sotto-privacy')).toBe('relayed')
    const { image } = (await world.call('serviceEnclave/view')) as ServiceEnclaveView
    await world.call('serviceEnclave/setRule', { rule: 'approved' })
    expect(await refusal(await ask(world))).toEqual([502, 'relay/unverified'])
    expect(await world.call('serviceEnclave/approveImage', { pcr0: '1'.repeat(96) })).toMatchObject({
      data: { code: 'relay/no-image-waiting' },
    })
    expect(await world.call('serviceEnclave/approveImage', { pcr0: image })).toMatchObject({
      verdict: { good: true, image: { rule: 'approved' } },
    })
    expect((await ask(world)).headers.get('x-sotto-privacy')).toBe('relayed')
    // Removed under both rules, without a question: less is accepted.
    expect(await world.call('serviceEnclave/removeImage', { pcr0: image })).toMatchObject({
      rule: 'approved',
      approved: [],
      proven: [],
    })
    expect(await refusal(await ask(world))).toEqual([502, 'relay/unverified'])
  })

  it('is listed with its current route', async () => {
    await using world = await start()
    const models = async (): Promise<unknown> => {
      const response = await fetch(`${world.baseUrl}/models/${PLAINTEXT_MODEL}`, {
        headers: { authorization: `Bearer ${world.key}` },
      })
      return ((await response.json()) as { privacy: unknown }).privacy
    }
    expect(await models()).toBe('relayed')
    await world.call('serviceEnclave/setRoute', { route: 'forwarded' })
    expect(await models()).toBe('forwarded')
  })
})

it('reports the sandbox’s chat route fault, because the enclave asks the service who pays', async () => {
  await using world = await start()
  const control = await world.sandbox.control()
  control.setRouteFault('POST /v1/chat/completions', { status: 402 })
  expect(await refusal(await ask(world))).toEqual([402, 'service/insufficient-balance'])
  control.setRouteFault('POST /v1/chat/completions', null)
  expect((await ask(world)).status).toBe(200)
})
