import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoutingReceiptFound } from '../../../src/verifier/service-enclave/index.ts'
import { routingRefusals, routingSchema } from '../../../src/shared/routing.ts'
import { spkiOf, tlsKeys } from './minted-answer.ts'
import {
  ecSignature,
  verifyReceipt,
  MODEL,
  receipt,
  REQUEST_ID,
  rsaSignature,
  SENT,
  signatureText,
  signed,
  textOf,
} from './minted-receipt.ts'

const genuine = textOf()
const found = (...receipts: RoutingReceiptFound['receipts'][number][]): { found: RoutingReceiptFound } => ({
  found: { receipts, afterData: false },
})
const withSignature = (signature: string, changes = {}) =>
  verifyReceipt(genuine, { ...found({ json: genuine, signature }), ...changes })
const changed = (changes: object, input = {}) => verifyReceipt(textOf(changes), input)

describe('a receipt', () => {
  it('signed by the attested key of either type is verified, with its facts and proof', () => {
    expect(verifyReceipt(genuine)).toEqual({
      state: 'verified',
      upstream: 'api.anthropic.com',
      provider: 'anthropic',
      upstreamModel: 'claude-x-20260101',
      servedModel: 'claude-x-20260101',
      proof: {
        receipt: genuine,
        signature: expect.stringContaining('ECDSA-SHA256') as string,
        spki: spkiOf('ec').toString('base64'),
      },
    })
    const rsa = signatureText(rsaSignature(genuine), { alg: 'RSA-PSS-SHA256' })
    expect(withSignature(rsa, { tlsKey: spkiOf('rsa') })).toMatchObject({
      state: 'verified',
      upstream: 'api.anthropic.com',
    })
  })

  it('without a signature, or without a key to verify it, is the service’s claim', () => {
    const claimed = { state: 'unsigned', upstream: 'api.anthropic.com', provider: 'anthropic' }
    expect(verifyReceipt(genuine, found({ json: genuine }))).toMatchObject(claimed)
    expect(verifyReceipt(genuine, found({ json: genuine })).proof).toEqual({ receipt: genuine })
    expect(verifyReceipt(genuine, { tlsKey: undefined })).toMatchObject(claimed)
    expect(verifyReceipt(genuine, { tlsKey: undefined }).proof).not.toHaveProperty('spki')
  })

  it('can be missing', () => {
    expect(verifyReceipt(genuine, found())).toEqual({ state: 'missing' })
  })

  it('may omit values that the enclave doesn’t know, and have unknown members', () => {
    const { state, ...facts } = changed({
      served_model: null,
      upstream_model: undefined,
      provider: null,
      another: { member: [1] },
    })
    expect(state).toBe('verified')
    expect(Object.keys(facts)).toEqual(['upstream', 'proof'])
  })
})

describe('a receipt is refused without facts', () => {
  const refusal = (routing: ReturnType<typeof verifyReceipt>) => {
    expect(routing.state).toBe('refused')
    for (const fact of ['upstream', 'provider', 'upstreamModel', 'servedModel', 'warnings'])
      expect(routing).not.toHaveProperty(fact)
    return routing.refusal
  }

  it('if there are two, or one after data', () => {
    expect(refusal(verifyReceipt(genuine, found(signed(genuine), signed(genuine))))).toBe('repeated')
    expect(refusal(verifyReceipt(genuine, { found: { receipts: [signed(genuine)], afterData: true } }))).toBe(
      'after-data',
    )
    expect(refusal(verifyReceipt(genuine, { found: { receipts: [], afterData: true } }))).toBe('after-data')
  })

  it.each<[string, string]>([
    ['nothing', ''],
    ['no object', '[]'],
    ['a member twice', genuine.replace('{', '{"upstream":"openrouter.ai",')],
    ['a byte order mark', `\ufeff${genuine}`],
    ['over 16 KiB', textOf({ failed: ['x'.repeat(16 * 1024)] })],
    ['over 16 KiB in UTF-8 only', textOf({ failed: ['é'.repeat(9 * 1024)] })],
    ['no version', textOf({ v: undefined })],
    ['a version in text', textOf({ v: '2' })],
    ['no host', textOf({ upstream: null })],
    ['a host with a port', textOf({ upstream: 'api.anthropic.com:443' })],
    ['a host with a letter of another alphabet', textOf({ upstream: 'аpi.anthropic.com' })],
    ['a host of 254 characters', textOf({ upstream: 'a'.repeat(254) })],
    ['no time', textOf({ issued_at: undefined })],
    ['a time without a zone', textOf({ issued_at: '2026-11-02T08:30:00.000' })],
    ['a time that no day has', textOf({ issued_at: '2026-11-02T25:30:00Z' })],
    ['a model of 201 characters', textOf({ served_model: 'x'.repeat(201) })],
    ['a provider of another type', textOf({ provider: { name: 'anthropic' } })],
    ['a flag of another type', textOf({ upstream_selects_provider: 'no' })],
  ])('if its form is invalid: %s', (_, json) => {
    expect(refusal(verifyReceipt(json))).toBe('malformed')
    expect(refusal(verifyReceipt(json, found({ json })))).toBe('malformed')
  })

  it('if it has another version', () => {
    for (const v of [1, 3, 2.5, 0]) {
      expect(refusal(changed({ v }))).toBe('version')
      expect(refusal(verifyReceipt(genuine, found({ json: textOf({ v }) })))).toBe('version')
    }
  })

  it.each<[string, string]>([
    ['nothing', ''],
    ['no object', 'null'],
    ['no algorithm', signatureText(ecSignature(genuine), { alg: undefined })],
    ['over something else', signatureText(ecSignature(genuine), { over: 'body' })],
    ['hex', signatureText(ecSignature(genuine), { sig: `${ecSignature(genuine).toString('hex')}!` })],
    ['over 4 KiB', signatureText(ecSignature(genuine), { sig: 'A'.repeat(4096) })],
  ])('if its signature’s form is invalid: %s', (_, signature) => {
    expect(refusal(withSignature(signature))).toBe('malformed')
    expect(refusal(withSignature(signature, { tlsKey: undefined }))).toBe('malformed')
  })

  it('if the algorithm doesn’t match the key', () => {
    const rsa = signatureText(rsaSignature(genuine), { alg: 'RSA-PSS-SHA256' })
    expect(refusal(withSignature(rsa))).toBe('algorithm')
    expect(refusal(withSignature(signatureText(ecSignature(genuine)), { tlsKey: spkiOf('rsa') }))).toBe(
      'algorithm',
    )
    for (const alg of ['ecdsa-sha256', 'ECDSA-SHA384', 'none', ''])
      expect(refusal(withSignature(signatureText(ecSignature(genuine), { alg })))).toBe('algorithm')
  })

  it('if the key’s type isn’t one for receipts', () => {
    const spki = (key: ReturnType<typeof generateKeyPairSync>) =>
      typeof key.publicKey === 'string'
        ? Buffer.alloc(0)
        : Buffer.from(key.publicKey.export({ type: 'spki', format: 'der' }))
    const others = [
      generateKeyPairSync('ec', { namedCurve: 'P-384' }),
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('rsa', { modulusLength: 1024 }),
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
    ]
    for (const tlsKey of [...others.map(spki), Buffer.alloc(0), Buffer.from('no key')])
      expect(refusal(verifyReceipt(genuine, { tlsKey }))).toBe('key')
  })

  it('if the signature is of another key, text or form', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const bad = [
      sign('sha256', Buffer.from(genuine), other.privateKey),
      ecSignature(textOf({ request_id: 'f'.repeat(32) })),
      sign('sha256', Buffer.from(genuine), { key: tlsKeys.ec.privateKey, dsaEncoding: 'ieee-p1363' }),
      sign('sha384', Buffer.from(genuine), tlsKeys.ec.privateKey),
      Buffer.concat([ecSignature(genuine), Buffer.of(0)]),
      Buffer.alloc(0),
    ]
    for (const signature of bad) expect(refusal(withSignature(signatureText(signature)))).toBe('signature')
    for (const signature of [
      rsaSignature(genuine, 20),
      sign('sha256', Buffer.from(genuine), tlsKeys.rsa.privateKey),
    ]) {
      expect(
        refusal(
          withSignature(signatureText(signature, { alg: 'RSA-PSS-SHA256' }), { tlsKey: spkiOf('rsa') }),
        ),
      ).toBe('signature')
    }
  })

  it('if it is for another request, or its ID isn’t the client’s', () => {
    expect(refusal(changed({ request_id: 'f'.repeat(32) }))).toBe('request')
    expect(refusal(changed({ request_id: null }))).toBe('request')
    expect(refusal(changed({ request_id_source: 'enclave' }))).toBe('request')
    expect(refusal(changed({ request_id: '' }, { requestId: '' }))).toBe('request')
  })

  it('if its time differs by more than ten minutes', () => {
    const later = (ms: number) => verifyReceipt(genuine, { now: SENT + ms })
    for (const ms of [-600_000, 600_000]) expect(later(ms).state).toBe('verified')
    for (const ms of [-600_001, 600_001, 660_000, NaN]) expect(refusal(later(ms))).toBe('time')
  })

  it('if it is for another model, also a similar one', () => {
    for (const model of [
      'anthropic/claude-y',
      'claude-x',
      'anthropic/claude-x-20260101',
      'Anthropic/claude-x',
    ])
      expect(refusal(verifyReceipt(genuine, { model }))).toBe('model')
  })

  it('and with its proof only if the signature is valid', () => {
    expect(changed({ request_id: 'f'.repeat(32) })).toHaveProperty('proof.spki')
    expect(changed({ v: 1 })).toHaveProperty('proof.spki')
    expect(withSignature(signatureText(ecSignature('another')))).not.toHaveProperty('proof')
    expect(
      verifyReceipt(genuine, { ...found({ json: textOf({ request_id: 'other' }) }) }),
    ).not.toHaveProperty('proof')
  })

  it('if one byte of it or of its signature is changed', () => {
    const bytes = Buffer.from(genuine)
    const signature = signatureText(ecSignature(genuine))
    for (let at = 0; at < bytes.length; at++) {
      const other = Buffer.from(bytes)
      other.writeUInt8(other.readUInt8(at) ^ 1, at)
      expect(['malformed', 'signature', 'version']).toContain(
        refusal(verifyReceipt(genuine, found({ json: other.toString('utf8'), signature }))),
      )
    }
    const der = ecSignature(genuine)
    for (let bit = 0; bit < der.length * 8; bit++) {
      const other = Buffer.from(der)
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(refusal(withSignature(signatureText(other)))).toBe('signature')
    }
  })
})

describe('a warning', () => {
  const warnings = (changes: object, model = MODEL) =>
    changed({ requested_model: model, ...changes }, { model }).warnings

  it('names a host that isn’t one of the vendor’s', () => {
    expect(warnings({ upstream: 'api.example.com' })).toEqual(['upstream-unexpected'])
    const same = { upstream_model: null, served_model: null }
    for (const [model, upstream] of [
      ['openai/gpt-5', 'bedrock-mantle.us-east-1.api.aws'],
      ['openai/gpt-5', 'bedrock-mantle.us-west-2.api.aws'],
      ['google/gemini-3-pro', 'aiplatform.googleapis.com'],
      ['venice/x', 'api.venice.ai'],
      ['private/x', 'inference.tinfoil.sh'],
      ['claude-x', 'api.anthropic.com'],
      ['gpt-5', 'bedrock-mantle.us-east-2.api.aws'],
    ] as const)
      expect(warnings({ upstream, ...same }, model)).toBeUndefined()
    for (const [model, upstream] of [
      ['openai/gpt-5', 'api.anthropic.com'],
      ['openai/gpt-5', 'bedrock-mantle.eu-west-1.api.aws'],
      ['anthropic/x', 'api.anthropic.com.example'],
      ['meta/llama', 'api.anthropic.com'],
      ['llama', 'api.venice.ai'],
    ] as const)
      expect(warnings({ upstream, ...same }, model)).toEqual(['upstream-unexpected'])
  })

  it('reports that OpenRouter chooses the provider, with any flag in the receipt', () => {
    for (const flag of [true, false, undefined])
      expect(
        warnings({ upstream: 'openrouter.ai', route: 'openrouter', upstream_selects_provider: flag }),
      ).toEqual(['upstream-chooses'])
    expect(
      warnings({ upstream: 'openrouter.ai', served_model: null, upstream_model: 'llama-4' }, 'meta/llama-4'),
    ).toEqual(['upstream-chooses'])
    expect(warnings({ upstream_selects_provider: true })).toEqual(['upstream-chooses'])
  })

  it('never expects OpenRouter for venice or private models', () => {
    for (const model of ['venice/claude-x', 'private/claude-x'])
      expect(warnings({ upstream: 'openrouter.ai' }, model)).toEqual([
        'upstream-unexpected',
        'upstream-chooses',
      ])
  })

  it('reports that another model was requested or served', () => {
    expect(warnings({ upstream_model: 'claude-y' })).toEqual(['model-differs'])
    expect(warnings({ served_model: 'claude-x-mini' })).toEqual(['model-differs'])
    expect(
      warnings({
        served_model: null,
        upstream_model: 'other',
        upstream: 'other.example',
        upstream_selects_provider: true,
      }),
    ).toEqual(['model-differs', 'upstream-unexpected', 'upstream-chooses'])
  })

  it('is also part of an unsigned receipt', () => {
    const json = textOf({ served_model: 'claude-y' })
    expect(verifyReceipt(genuine, found({ json }))).toMatchObject({
      state: 'unsigned',
      warnings: ['model-differs'],
    })
  })
})

it('the facts of a receipt contain no terminal control characters', () => {
  const { provider, upstreamModel, servedModel } = changed({
    provider: 'a\u001b[2J',
    upstream_model: 'b\u202e',
    served_model: 'c\nd',
  })
  expect([provider, upstreamModel, servedModel]).toEqual(['a\ufffd[2J', 'b\ufffd', 'c\ufffdd'])
})

describe('any input', () => {
  it('results in a routing that matches the schema, and is never verified', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom(genuine, signatureText(ecSignature(genuine))),
    )
    const receipts = fc.array(fc.record({ json: text, signature: text }, { requiredKeys: ['json'] }), {
      maxLength: 3,
    })
    fc.assert(
      fc.property(
        receipts,
        fc.boolean(),
        fc.option(fc.uint8Array({ maxLength: 100 }), { nil: undefined }),
        (input, afterData, tlsKey) => {
          const routing = verifyReceipt(genuine, { found: { receipts: input, afterData }, tlsKey })
          expect(routingSchema.parse(routing)).toEqual(routing)
          expect(routing.state).not.toBe('verified')
        },
      ),
    )
  })

  it('that changes a member is refused, or shown as the receipt’s own claim', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(receipt)), fc.jsonValue(), (name, value) => {
        const routing = changed({ [name]: value })
        if (routing.state === 'verified') expect(routing.proof?.receipt).toBe(textOf({ [name]: value }))
        else expect(routingRefusals).toContain(routing.refusal)
      }),
    )
    expect(receipt.request_id).toBe(REQUEST_ID)
  })
})
