import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DerError } from '../../src/verifier/der/index.ts'
import { readBundle } from '../../src/verifier/sigstore/bundle-form.ts'
import { readCertificateTimestamps } from '../../src/verifier/sigstore/certificate-timestamp.ts'
import { readCheckpoint } from '../../src/verifier/sigstore/checkpoint.ts'
import { isEntryOf } from '../../src/verifier/sigstore/logged-envelope.ts'
import { SigstoreRefusal } from '../../src/verifier/sigstore/refusal.ts'
import { readTimestampToken } from '../../src/verifier/sigstore/timestamp-token.ts'
import { readTrustedRoot, type TrustedLog } from '../../src/verifier/sigstore/trusted-root.ts'
import { CertificateError, parseCertificate } from '../../src/verifier/x509/index.ts'
import { parseStrictJson, type JsonObject } from '../../src/shared/strict-json.ts'
import { evidenceIsThere, realEvidence } from '../verifier/evidence-folder.ts'
import { compareVerifiers } from '../verifier/sigstore/compare-library.ts'
import { mintSigstore } from '../verifier/sigstore/minted-release.ts'
import { fuzz, parserRuns, readOrRefuse } from './hostile-bytes.ts'

const root = join(import.meta.dirname, '../..')
const ownRoots = readFileSync(join(root, 'resources/trust/sigstore-trusted-root.json'), 'utf8')
const bundleForm = z.object({
  verificationMaterial: z.object({
    certificate: z.object({ rawBytes: z.string() }),
    tlogEntries: z.array(
      z.object({
        canonicalizedBody: z.string(),
        inclusionProof: z.object({ checkpoint: z.object({ envelope: z.string() }) }),
      }),
    ),
  }),
})

let minted: Awaited<ReturnType<typeof mintSigstore>>
let bundle: JsonObject
let parts: z.infer<typeof bundleForm>['verificationMaterial']
beforeAll(async () => {
  minted = await mintSigstore()
  bundle = await minted.release()
  parts = bundleForm.parse(bundle).verificationMaterial
})

it('timestamps', () => {
  const { sha256 } = z
    .object({ sha256: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'test/verifier/sigstore/openssl-timestamps.json'), 'utf8')))
  fuzz(Buffer.from(sha256, 'base64'), (input) => {
    const token = readOrRefuse(() => readTimestampToken(input), DerError, CertificateError)
    expect(token ? token.info.length + token.signature.length : 0).toBeLessThanOrEqual(input.length)
  })
})

it('certificate timestamps', () => {
  const leaf = parseCertificate(Buffer.from(parts.certificate.rawBytes, 'base64'))
  const genuine = leaf.extensions.get('1.3.6.1.4.1.11129.2.4.2')
  expect(genuine).toBeDefined()
  fuzz(genuine?.value ?? Buffer.alloc(0), (value) => {
    const extensions = new Map([['1.3.6.1.4.1.11129.2.4.2', { critical: false, value }]])
    const read =
      readOrRefuse(() => readCertificateTimestamps({ ...leaf, extensions }), CertificateError, RangeError) ??
      []
    expect(read.length * 47).toBeLessThanOrEqual(value.length)
  })
})

it('checkpoints', () => {
  const envelope = parts.tlogEntries[0]?.inclusionProof.checkpoint.envelope ?? ''
  const [log] = readTrustedRoot(JSON.stringify(minted.trustedRoot)).signatureLogs
  const genuine = readCheckpoint(envelope, log as TrustedLog)
  expect(genuine).toBeDefined()
  fuzz(Buffer.from(envelope), (input) => {
    const read = readCheckpoint(Buffer.from(input).toString('utf8'), log as TrustedLog)
    // The log signed only this part, so the text around it doesn't change the result.
    if (read) expect(read).toEqual(genuine)
  })
})

it('bodies of log entries', () => {
  const body = Buffer.from(parts.tlogEntries[0]?.canonicalizedBody ?? '', 'base64')
  const { envelope, certificate } = readBundle(bundle)
  expect(isEntryOf(body, 'dsse/0.0.1', envelope, Buffer.alloc(0), certificate.der)).toBe(true)
  fuzz(body, (input) => void isEntryOf(input, 'dsse/0.0.1', envelope, Buffer.alloc(0), certificate.der))
})

it('trusted roots', () => {
  fuzz(
    Buffer.from(ownRoots),
    (input) => void readOrRefuse(() => readTrustedRoot(Buffer.from(input).toString('utf8')), SigstoreRefusal),
  )
})

it('bundles', () => {
  const text = Buffer.from(JSON.stringify(bundle))
  fuzz(text, (input) => {
    let json
    try {
      json = parseStrictJson(Buffer.from(input).toString('utf8'))
    } catch {
      return
    }
    readOrRefuse(() => readBundle(json), SigstoreRefusal)
  })
})

describe('compared with Sigstore’s own library', () => {
  const numRuns = Math.ceil(parserRuns / 50)

  it('minted bundles, in which one thing was changed', async () => {
    for (const wishes of [
      {},
      { timestampAuthority: true },
      { rekor2: 'dsse' },
      { rekor2: 'hashedrekord' },
    ] as const) {
      compareVerifiers(
        await minted.release(wishes),
        JSON.stringify(minted.trustedRoot),
        Date.now() + 1_000,
        numRuns,
      )
    }
  })

  it.skipIf(!evidenceIsThere)('the bundle of a real release, in which one thing was changed', () => {
    const { sigstoreBundle } = JSON.parse(realEvidence('bundle/genoa-router-bundle.json').toString()) as {
      sigstoreBundle: JsonObject
    }
    compareVerifiers(sigstoreBundle, ownRoots, Date.UTC(2026, 1, 1), numRuns)
  })
})
