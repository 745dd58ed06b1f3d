import { createHash, randomBytes } from 'node:crypto'
import { Identity } from 'ehbp'
import { describe, expect, it } from 'vitest'
import { createRequestSealer } from '../../src/ehbp/index.ts'
import { encap, exportSecret, keySchedule } from '../../src/ehbp/hpke.ts'
import { native } from '../../src/ehbp/native.ts'
import { sequenceNonce } from '../../src/ehbp/protocol.ts'
import { deriveResponseKeys } from '../../src/ehbp/response-keys.ts'
import { decryptAll, sealFrames } from './frames.ts'
import { decryptPublished, publishedRecipient, sealPublished } from './published.ts'

const SIZES = [0, 1, 15, 16, 17, 2_048, 65_535, 262_144, 262_145, 1_000_000, 20_000_000]
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** Cut at random into parts of any size, empty ones included. */
function cut(bytes: Buffer): Buffer[] {
  const marks = Array.from({ length: 6 }, () => Math.floor(Math.random() * (bytes.byteLength + 1))).sort(
    (a, b) => a - b,
  )
  return [0, ...marks].map((from, index) => bytes.subarray(from, marks[index]))
}

describe.each(SIZES)('a body of %i bytes', (size) => {
  it('goes to the published server and back', async () => {
    const privateKey = randomBytes(32)
    const publicKey = native.keyPair(privateKey).publicKey
    const body = randomBytes(size)

    const sealer = createRequestSealer(publicKey)
    const sealed = Buffer.concat(cut(body).map((part) => sealer.seal(part)))
    const enc = Buffer.from(sealer.encapsulatedKey, 'hex')
    const recipient = await publishedRecipient(privateKey, publicKey, enc)
    expect(digest(await decryptPublished(recipient, sealed))).toBe(digest(body))

    const responseNonce = randomBytes(32)
    const answer = await sealPublished(recipient, enc, responseNonce, cut(body))
    const opened = decryptAll(sealer.decryptResponse(responseNonce.toString('hex')), cut(answer))
    expect(opened.code).toBe('complete')
    expect(digest(opened.plaintext)).toBe(digest(body))
  })

  it.skipIf(size === 0)('comes from the published client and goes back', async () => {
    const enclave = native.keyPair()
    const body = randomBytes(size)
    const identity = await Identity.fromPublicKeyHex(Buffer.from(enclave.publicKey).toString('hex'))
    const { request, context } = await identity.encryptRequestWithContext(
      new Request('http://enclave.invalid/', { method: 'POST', body }),
    )
    const enc = Buffer.from(request.headers.get('ehbp-encapsulated-key') ?? '', 'hex')
    const sealed = Buffer.from(await request.arrayBuffer())

    // Decap (RFC 9180, 4.1) is Encap with the other half of the agreement.
    const secret =
      encap(native, { publicKey: enc, agree: () => enclave.agree(enc) }, enclave.publicKey) ?? Buffer.alloc(0)
    const hpke = keySchedule(native, secret)
    expect(sealed.readUInt32BE()).toBe(size + 16)
    expect(
      digest(
        native.aead(hpke.key).open(sequenceNonce(hpke.baseNonce, 0), sealed.subarray(4)) ?? Buffer.alloc(0),
      ),
    ).toBe(digest(body))

    const responseNonce = randomBytes(32)
    const keys = deriveResponseKeys(native, exportSecret(native, hpke, 'ehbp response'), enc, responseNonce)
    const frames = Buffer.concat(sealFrames(native.aead(keys.key), keys.baseNonce, cut(body)))
    const response = new Response(frames, {
      headers: { 'ehbp-response-nonce': responseNonce.toString('hex') },
    })
    if (context === null) throw new Error('the published client did not seal')
    const opened = await identity.decryptResponseWithContext(response, context)
    expect(digest(Buffer.from(await opened.arrayBuffer()))).toBe(digest(body))
  })
})
