import { hkdfSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deriveResponseKeys } from '../../src/ehbp/response-keys.ts'
import { createResponseOpener } from '../../src/ehbp/response-opener.ts'
import { RESPONSE } from '../../src/ehbp/known-answers.ts'
import { implementations, decryptAll, sealFrames } from './frames.ts'

const folder = resolve(import.meta.dirname, '../../../shared/evidence/ehbp')
const absent = !existsSync(folder)
if (absent) console.warn(`skipped: ${folder} is absent; the same values stand in known-answers.ts`)

const hex = z
  .string()
  .regex(/^([0-9a-f]{2})+$/)
  .transform((text) => Buffer.from(text, 'hex'))
const inputs = { exportedSecret: hex, requestEnc: hex, responseNonce: hex }
const read = <T>(file: string, schema: z.ZodType<T>): T =>
  schema.parse(JSON.parse(readFileSync(resolve(folder, file), 'utf8')))

describe.skipIf(absent).each(implementations)(
  'the published vectors over %s primitives',
  (_name, primitives) => {
    it('derive.json', () => {
      const vector = read('derive.json', z.object({ ...inputs, derivedKey: hex, derivedNonceBase: hex }))
      const keys = deriveResponseKeys(
        primitives,
        vector.exportedSecret,
        vector.requestEnc,
        vector.responseNonce,
      )
      expect(Buffer.from(keys.key)).toEqual(vector.derivedKey)
      expect(Buffer.from(keys.baseNonce)).toEqual(vector.derivedNonceBase)
      expect([vector.derivedKey, vector.derivedNonceBase]).toEqual([RESPONSE.key, RESPONSE.baseNonce])
    })

    it('response-decryption.json', () => {
      const vector = read(
        'response-decryption.json',
        z.object({ ...inputs, plaintext: hex, encryptedResponse: hex }),
      )
      const keys = deriveResponseKeys(
        primitives,
        vector.exportedSecret,
        vector.requestEnc,
        vector.responseNonce,
      )
      const opener = createResponseOpener(primitives.aead(keys.key), keys.baseNonce)
      expect(decryptAll(opener, [vector.encryptedResponse])).toEqual({
        plaintext: vector.plaintext,
        code: 'complete',
      })
      expect(vector.encryptedResponse).toEqual(RESPONSE.body)
    })

    it('session-recovery-token.json', () => {
      const { responseNonce: _nonce, ...members } = inputs
      const token = read('session-recovery-token.json', z.strictObject(members))
      const nonce = Buffer.alloc(32, 5)
      // RFC 9458 section 4.4, with Node's HKDF: the holder of the token can decrypt what was sealed to it.
      const derive = (label: string, length: number) =>
        Buffer.from(
          hkdfSync('sha256', token.exportedSecret, Buffer.concat([token.requestEnc, nonce]), label, length),
        )
      const body = sealFrames(primitives.aead(derive('key', 32)), derive('nonce', 12), [
        Buffer.from('recovered'),
      ])
      const keys = deriveResponseKeys(primitives, token.exportedSecret, token.requestEnc, nonce)
      expect(decryptAll(createResponseOpener(primitives.aead(keys.key), keys.baseNonce), body)).toEqual({
        plaintext: Buffer.from('recovered'),
        code: 'complete',
      })
    })
  },
)
