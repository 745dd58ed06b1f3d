import { describe, expect, it } from 'vitest'
import { nitroSteps, readCoseSign1, readNitroDocument } from '../../../src/verifier/nitro/index.ts'
import { verifyNitroDocument, type NitroInput } from './verify-document.ts'
import { builtInTrust, evidenceIsThere, realEvidence } from '../evidence-folder.ts'

const HOUR = 3600_000
const ZEROS = '00'.repeat(48)
/** Of the genuine document, as published with it. */
const image = {
  pcr0: 'f4d48b81a460c9916d1e685119074bf24660afd3e34fae9fca0a0d28d9d5599936332687e6f66fc890ac8cf150142d8b',
  pcr1: 'bcdf05fefccaa8e55bf2c8d6dee9e79bbff31e34bf28a99aa19e6b29c37ee80b214a414b7607236edf26fcb78654e63f',
  pcr2: 'd8f114da658de5481f8d9ec73907feb553560787522f705c92d7d96beed8e15e2aa611984e098c576832c292e8dc469a',
}
const root = builtInTrust.awsNitroRoot ?? new Uint8Array()

describe.skipIf(!evidenceIsThere)('a genuine document of AWS Nitro', () => {
  const document = evidenceIsThere ? realEvidence('nitro/valid-attestation-doc.bin') : Buffer.alloc(0)
  const then = Date.UTC(2022, 9, 13, 8, 58, 2, 136)
  const genuine: NitroInput = { document, root, policy: { images: [image] }, now: then }
  const codeOf = (changes: Partial<NitroInput>) => {
    const result = verifyNitroDocument({ ...genuine, ...changes })
    return result.good ? 'good' : result.failure.code
  }

  it('is accepted at its own time, under a policy that names its image', () => {
    const result = verifyNitroDocument(genuine)
    expect(result.steps.map(({ id, outcome }) => [id, outcome])).toEqual(
      nitroSteps(false).names.map(({ id }) => [id, id === 'nitro/nonce' ? 'not-checked' : 'passed']),
    )
    expect(result).toMatchObject({
      good: true,
      value: {
        evidence: {
          notAfter: Date.UTC(2022, 9, 13, 11, 58, 2),
          document: { moduleId: 'i-020b6af9246d90e92-enc0183d09086c24190', timestamp: then },
        },
      },
    })
    expect(codeOf({ policy: { images: [{ pcr0: image.pcr0 }] } })).toBe('good')
  })

  it('is accepted with its nonce, of which AWS allows 512 bytes', () => {
    const { nonce } = readNitroDocument(readCoseSign1(document).payload)
    expect(nonce).toHaveLength(256)
    expect(codeOf({ nonce })).toBe('good')
    expect(codeOf({ nonce: Buffer.alloc(32) })).toBe('nitro/nonce-mismatch')
  })

  it('is refused by each wrong condition', () => {
    expect(codeOf({ now: Date.UTC(2026, 1, 1) })).toBe('nitro/expired')
    expect(codeOf({ now: then + 3 * HOUR })).toBe('nitro/expired')
    expect(codeOf({ now: then + 2 * HOUR })).toBe('good')
    expect(codeOf({ now: then - HOUR })).toBe('nitro/in-future')
    expect(codeOf({ policy: { images: [{ pcr0: image.pcr1 }] } })).toBe('nitro/image-not-accepted')
    expect(codeOf({ policy: { images: [{ ...image, pcr1: image.pcr0 }] } })).toBe('nitro/image-not-accepted')
    expect(codeOf({ policy: { images: [{ ...image, pcr2: image.pcr0 }] } })).toBe('nitro/image-not-accepted')
    expect(codeOf({ root: builtInTrust.intelSgxRoot ?? root.subarray(1) })).toBe('nitro/root-mismatch')
    expect(codeOf({ document: document.subarray(0, -1) })).toBe('nitro/malformed')
    expect(codeOf({ document: Buffer.concat([document, Buffer.of(0)]) })).toBe('nitro/malformed')
  })

  // The whole is the business of `npm run fuzz`.
  it('is refused with any bit of it changed (a sample)', () => {
    for (let bit = 0; bit < document.length * 8; bit += 797) {
      const changed = Buffer.from(document)
      const at = bit >> 3
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (bit & 7)), at)
      expect(codeOf({ document: changed }), `bit ${bit}`).toMatch(/^nitro\//)
    }
  })

  it.each(['debug-mode-attestation-doc.bin', 'debug-mode-attestation-doc.b64'])(
    'that is of a debugged enclave is refused as that, though all of it is AWS’s: %s',
    (file) => {
      const read = realEvidence(`nitro/${file}`)
      const debug = file.endsWith('.b64') ? Buffer.from(read.toString('latin1'), 'base64') : read
      const { timestamp } = readNitroDocument(readCoseSign1(debug).payload)
      for (const pcr0 of [ZEROS, image.pcr0]) {
        const result = verifyNitroDocument({
          document: debug,
          root,
          policy: { images: [{ pcr0 }] },
          now: timestamp,
        })
        expect(result).toMatchObject({
          good: false,
          failure: { step: 'nitro/debug', code: 'nitro/debug-enclave' },
        })
        expect(result.steps.find(({ id }) => id === 'nitro/signature')).toMatchObject({ outcome: 'passed' })
      }
    },
  )
})
