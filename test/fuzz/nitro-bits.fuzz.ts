import { expect, it } from 'vitest'
import { verifyNitroDocument } from '../verifier/nitro/verify-document.ts'
import { builtInTrust, evidenceIsThere, realEvidence } from '../verifier/evidence-folder.ts'
import { documentWith, inputWith } from '../verifier/nitro/minted-document.ts'
import { from, sample, step } from './sampled-bits.ts'

/** Each costs up to six signature checks, and there are some 37000. */
it('a Nitro document with any one bit changed is refused', { timeout: 3600_000 }, () => {
  const document = evidenceIsThere ? realEvidence('nitro/valid-attestation-doc.bin') : documentWith()
  const root = builtInTrust.awsNitroRoot ?? new Uint8Array()
  const pcr0 =
    'f4d48b81a460c9916d1e685119074bf24660afd3e34fae9fca0a0d28d9d5599936332687e6f66fc890ac8cf150142d8b'
  const genuine = evidenceIsThere
    ? { document, root, policy: { images: [{ pcr0 }] }, now: Date.UTC(2022, 9, 13, 9) }
    : inputWith(document)
  expect(verifyNitroDocument(genuine).good).toBe(true)
  const codes = new Map<string, number>()
  for (let bit = from; bit < document.length * 8; bit += step) {
    const changed = Buffer.from(document)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const result = verifyNitroDocument({ ...genuine, document: changed })
    if (result.good) expect.unreachable(`bit ${bit}`)
    else codes.set(result.failure.code, (codes.get(result.failure.code) ?? 0) + 1)
  }
  expect([...codes.keys()].every((code) => code.startsWith('nitro/'))).toBe(true)
  console.log(
    `${sample} of ${evidenceIsThere ? 'AWS’s own' : 'a minted'} document, each refused:`,
    Object.fromEntries(codes),
  )
})
