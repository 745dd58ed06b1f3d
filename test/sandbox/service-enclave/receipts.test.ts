import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestIdOf, routeOf } from '../../../src/sandbox/world/service-enclave/routing-receipt.ts'
import {
  sandboxFaults,
  serviceEnclaveFaultNames,
  type SandboxFault,
} from '../../../src/shared/sandbox-faults.ts'
import { bearer, startService, type Service } from '../service-client.ts'
import { fetchEvidence, receiptOf, sealedChat, type Evidence, type ReadReceipt } from './enclave-client.ts'

const requestId = '00112233445566778899aabbccddeeff'
const model = 'sandbox/andante-large'

let service: Service
let evidence: Evidence
beforeAll(async () => {
  service = await startService({ serviceEnclave: true })
  evidence = await fetchEvidence(service.sandbox)
})
afterEach(() => {
  for (const fault of service.sandbox.faults()) service.sandbox.setFault(fault, false)
})
afterAll(() => service[Symbol.asyncDispose]())

async function ask(
  stream: boolean,
  { id = requestId, named = model }: { readonly id?: string; readonly named?: string } = {},
): Promise<ReadReceipt | undefined> {
  const body = { model: named, stream, messages: [{ role: 'user', content: 'Which apples keep?' }] }
  const answer = await sealedChat(service.sandbox, body, {
    headers: { ...bearer(service.account.apiKey), ...(id !== '' && { 'x-request-id': id }) },
  })
  expect([answer.status, answer.sealed]).toEqual([200, true])
  return receiptOf(answer, evidence)
}

const sound = {
  v: 2,
  request_id: requestId,
  request_id_source: 'client',
  requested_model: model,
  upstream: 'openrouter.ai',
  upstream_model: model,
  route: 'openrouter',
  provider: 'openrouter',
  upstream_status: 200,
  skipped: [],
  failed: [],
  upstream_selects_provider: true,
  signatureValid: true,
}

describe.each([true, false])('streamed: %s', (stream) => {
  const served = (name: string) => (stream ? name : null)

  test('the receipt is of version 2, and signed by the attested TLS key', async () => {
    expect(await ask(stream)).toEqual({
      ...sound,
      issued_at: new Date(service.clock.now).toISOString(),
      served_model: served(model),
    })
  })

  test('the router’s choice is named as served', async () => {
    expect(await ask(stream, { named: 'sandbox/auto' })).toMatchObject({
      requested_model: 'sandbox/auto',
      upstream_model: 'sandbox/auto',
      served_model: served('sandbox/allegro-mini'),
    })
  })

  test.each([
    ['missing', ''],
    ['129 characters', 'x'.repeat(129)],
    ['a letter outside ASCII', 'caf\u00e9'],
  ])('a request ID that is %s is replaced by the enclave', async (_, id) => {
    const receipt = await ask(stream, { id })
    expect(receipt).toMatchObject({
      request_id_source: 'enclave',
      request_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      signatureValid: true,
    })
  })

  test('with the fault relay-missing-receipt there is none', async () => {
    service.sandbox.setFault('relay-missing-receipt', true)
    expect(await ask(stream)).toBeUndefined()
  })

  test.each<[SandboxFault, string[]]>([
    ['relay-swapped-model', stream ? ['served_model', 'upstream_model'] : ['upstream_model']],
    ['relay-foreign-upstream', ['upstream']],
    ['relay-forged-receipt', ['signatureValid']],
    ['relay-other-request', ['request_id']],
    // Faults of the evidence change no receipt.
    ['relay-other-image', []],
    ['relay-older-record', []],
  ])('%s differs in %j and in nothing else', async (fault, expected) => {
    const right = {
      ...sound,
      issued_at: new Date(service.clock.now).toISOString(),
      served_model: served(model),
    }
    service.sandbox.setFault(fault, true)
    const receipt = await ask(stream)
    const differing = Object.entries(right).flatMap(([name, value]) =>
      JSON.stringify(Object.entries(receipt ?? {}).find(([each]) => each === name)?.[1]) ===
      JSON.stringify(value)
        ? []
        : [name],
    )
    expect(differing.sort()).toEqual(expected)
    service.sandbox.setFault(fault, false)
    expect(await ask(stream)).toEqual(right)
  })

  test('a foreign upstream is a host under a reserved name, and a swapped model is named truthfully', async () => {
    service.sandbox.setFault('relay-foreign-upstream', true)
    service.sandbox.setFault('relay-swapped-model', true)
    const receipt = await ask(stream)
    expect(receipt?.upstream).toMatch(/\.example$/)
    expect(receipt).toMatchObject({
      requested_model: model,
      signatureValid: true,
      served_model: served(receipt?.upstream_model ?? ''),
    })
    expect(receipt?.upstream_model).not.toBe(model)
  })
})

test.each([
  ['anthropic/some-model', 'api.anthropic.com', 'anthropic'],
  ['openai/some-model', 'bedrock-mantle.us-east-1.api.aws', 'bedrock'],
  ['google/some-model', 'aiplatform.googleapis.com', 'google'],
  ['venice/some-model', 'api.venice.ai', 'venice'],
])('%s goes directly to %s', (named, upstream, provider) => {
  expect(routeOf(named)).toEqual({
    upstream,
    provider,
    route: 'direct',
    upstreamSelectsProvider: false,
    upstreamModel: 'some-model',
  })
})

test.each(['sandbox/x', 'constructor/x', '__proto__', 'x'])(
  '%s goes to OpenRouter, which chooses the provider',
  (named) => {
    expect(routeOf(named)).toEqual({
      upstream: 'openrouter.ai',
      provider: 'openrouter',
      route: 'openrouter',
      upstreamSelectsProvider: true,
      upstreamModel: named,
    })
  },
)

test('a request ID is the caller’s exactly if it is printable ASCII of 1 to 128 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 140 }), (text) => {
      const printable =
        text.length >= 1 &&
        text.length <= 128 &&
        Array.from(text).every((character) => character >= ' ' && character <= '~')
      const { id, source } = requestIdOf(text)
      return printable
        ? id === text && source === 'client'
        : /^[0-9a-f]{32}$/.test(id) && source === 'enclave'
    }),
  )
  expect(requestIdOf(['a', 'b']).source).toBe('enclave')
})

test('the faults of this enclave belong to no platform, so no self-test offers them', () => {
  expect(serviceEnclaveFaultNames).toEqual([
    'relay-other-image',
    'relay-older-record',
    'relay-key-rotation',
    'relay-swapped-model',
    'relay-foreign-upstream',
    'relay-missing-receipt',
    'relay-forged-receipt',
    'relay-other-request',
  ])
  for (const fault of serviceEnclaveFaultNames)
    expect([fault, sandboxFaults[fault].platforms]).toEqual([fault, []])
})
