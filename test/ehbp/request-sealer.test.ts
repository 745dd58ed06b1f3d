import { describe, expect, it } from 'vitest'
import {
  createPreparedSealer,
  createRequestSealer,
  ENCAPSULATED_KEY_HEADER,
  KEY_CONFIG_PROBLEM,
  prepareSetup,
  RESPONSE_NONCE_HEADER,
  SETUP_BYTES,
  setupProof,
} from '../../src/ehbp/index.ts'
import { native } from '../../src/ehbp/native.ts'
import { codeOf } from './frames.ts'

const recipient = native.keyPair()
const sealer = () => createRequestSealer(recipient.publicKey)
const nonce = 'ab'.repeat(32)

describe('request sealer', () => {
  it('takes a fresh ephemeral key for every request', () => {
    const keys = new Set(Array.from({ length: 50 }, () => sealer().encapsulatedKey))
    expect(keys.size).toBe(50)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/)
  })

  it('frames each part: its length, and ciphertext with a tag', () => {
    const frame = Buffer.from(sealer().seal(Buffer.alloc(100)))
    expect(frame.byteLength).toBe(4 + 100 + 16)
    expect(frame.readUInt32BE()).toBe(116)
  })

  it('never seals two parts alike', () => {
    const one = sealer()
    const parts = Array.from({ length: 20 }, () => Buffer.from(one.seal(Buffer.from('same'))).toString('hex'))
    expect(new Set(parts).size).toBe(20)
  })

  it('gives nothing for nothing', () => {
    const [one, other] = [sealer(), sealer()]
    expect(one.seal(new Uint8Array()).byteLength).toBe(0)
    expect(other.seal(Buffer.alloc(0)).byteLength).toBe(0)
  })

  it('gives a buffer of its own, which may be transferred', () => {
    const frame = sealer().seal(Buffer.from('small'))
    expect(frame.buffer.byteLength).toBe(frame.byteLength)
  })

  it('seals up to a frame of 64 MiB and refuses one byte more', () => {
    const most = Buffer.alloc(64 * 1024 * 1024 - 15)
    expect(codeOf(() => sealer().seal(most))).toBe('ehbp/frame-too-large')
    expect(sealer().seal(most.subarray(1)).byteLength).toBe(64 * 1024 * 1024 + 4)
  })

  it.each([
    ['', 'empty'],
    [nonce.slice(2), 'one byte short'],
    [`${nonce}ab`, 'one byte long'],
    [nonce.slice(1), 'an odd digit'],
    [nonce.toUpperCase(), 'upper case'],
    [`0x${nonce.slice(2)}`, 'prefixed'],
    [`${nonce}\n`, 'followed by a line end'],
    [` ${nonce}`, 'after a space'],
    [`${nonce}, ${nonce}`, 'sent twice'],
    ['g'.repeat(64), 'not hex'],
    ['٣'.repeat(64), 'other digits'],
  ])('refuses the response nonce %j: %s', (malformed) => {
    expect(codeOf(() => sealer().decryptResponse(malformed))).toBe('ehbp/nonce-malformed')
  })

  it('opens one answer, after which nothing more is sealed', () => {
    const one = sealer()
    one.seal(Buffer.from('x'))
    expect(codeOf(() => one.decryptResponse('no nonce'))).toBe('ehbp/nonce-malformed')
    const opener = one.decryptResponse(nonce)
    expect(opener.push(Buffer.alloc(4))).toEqual([])
    expect(codeOf(() => opener.end())).toBe('nothing thrown')
    expect(codeOf(() => one.decryptResponse(nonce))).toBe('ehbp/open-failed')
    expect(codeOf(() => one.seal(Buffer.from('x')))).toBe('ehbp/sequence-exhausted')
  })

  it('zeroes what it was set up with: when the answer is opened, and when there will be none', () => {
    for (const end of ['decryptResponse', 'forget'] as const) {
      const setup = prepareSetup(recipient.publicKey)
      expect(setup.byteLength).toBe(SETUP_BYTES)
      const one = createPreparedSealer(setup)
      expect(setup.every((byte) => byte === 0)).toBe(false)
      one[end](nonce)
      expect(setup.every((byte) => byte === 0)).toBe(true)
      expect(codeOf(() => one.seal(Buffer.from('x')))).toBe('ehbp/sequence-exhausted')
    }
  })

  it('takes a setup of exactly its length', () => {
    for (const length of [0, SETUP_BYTES - 1, SETUP_BYTES + 1])
      expect(() => createPreparedSealer(new Uint8Array(length))).toThrow(RangeError)
  })

  it('knows the setup by which a preparer shows that it is sound, and no other', () => {
    expect(setupProof.holds(setupProof.make())).toBe(true)
    for (let at = 0; at < SETUP_BYTES; at += 1) {
      const changed = setupProof.make()
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(setupProof.holds(changed)).toBe(false)
    }
    expect(setupProof.holds(prepareSetup(recipient.publicKey))).toBe(false)
    expect(setupProof.holds(new Uint8Array())).toBe(false)
  })

  it('names the headers and the problem of EHBP', () => {
    expect([ENCAPSULATED_KEY_HEADER, RESPONSE_NONCE_HEADER, KEY_CONFIG_PROBLEM]).toEqual([
      'Ehbp-Encapsulated-Key',
      'Ehbp-Response-Nonce',
      'urn:ietf:params:ehbp:error:key-config',
    ])
  })
})
