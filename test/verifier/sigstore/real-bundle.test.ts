import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sigstoreSteps } from '../../../src/verifier/sigstore/index.ts'
import type { JsonObject } from '../../../src/verifier/strict-json.ts'

const root = join(import.meta.dirname, '../../..')
const evidence = join(root, '../shared/evidence/bundle/genoa-router-bundle.json')
if (!existsSync(evidence))
  console.log('Skipped: the real release bundle is not beside this repository (../shared/evidence/bundle).')

/** As far as these tests reach into it. */
const realForm = z.object({
  digest: z.string(),
  sigstoreBundle: z.looseObject({
    verificationMaterial: z.looseObject({
      certificate: z.object({ rawBytes: z.string() }),
      tlogEntries: z
        .array(
          z.looseObject({
            logIndex: z.string(),
            logId: z.object({ keyId: z.string() }),
            kindVersion: z.object({ kind: z.string(), version: z.string() }),
            integratedTime: z.string(),
            inclusionPromise: z.object({ signedEntryTimestamp: z.string() }),
            inclusionProof: z.looseObject({
              logIndex: z.string(),
              rootHash: z.string(),
              treeSize: z.string(),
              hashes: z.array(z.string()),
              checkpoint: z.object({ envelope: z.string() }),
            }),
            canonicalizedBody: z.string(),
          }),
        )
        .length(1),
    }),
    dsseEnvelope: z.looseObject({
      payload: z.string(),
      payloadType: z.string(),
      signatures: z.array(z.looseObject({ sig: z.string() })),
    }),
  }),
})
type Real = z.infer<typeof realForm>['sigstoreBundle']

describe.skipIf(!existsSync(evidence))('the bundle of a real release', () => {
  const trustedRoot = readFileSync(join(root, 'resources/trust/sigstore-trusted-root.json'), 'utf8')
  const { digest, sigstoreBundle } = existsSync(evidence)
    ? realForm.parse(JSON.parse(readFileSync(evidence, 'utf8')))
    : ({} as z.infer<typeof realForm>)
  const policy = {
    repository: 'tinfoilsh/confidential-model-router',
    oidcIssuer: 'https://token.actions.githubusercontent.com',
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: ['https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'],
  }

  function verifyBundle(bundle: unknown, { at = '2026-02-01', of = digest } = {}) {
    return sigstoreSteps.verify({
      bundle: bundle as JsonObject,
      digest: of,
      trustedRoot,
      policy,
      now: Date.parse(at),
    })
  }

  function codeOf(bundle: unknown) {
    const result = verifyBundle(bundle)
    return result.good ? 'good' : result.failure.code
  }

  function changed(
    change: (bundle: Real, entry: Real['verificationMaterial']['tlogEntries'][number]) => void,
  ): Real {
    const copy = structuredClone(sigstoreBundle)
    change(copy, copy.verificationMaterial.tlogEntries[0]!)
    return copy
  }

  test('is accepted after it was logged', () => {
    const result = verifyBundle(sigstoreBundle)
    expect(result.steps.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(result.good && result.value.release.value).toMatchObject({
      repository: 'tinfoilsh/confidential-model-router',
      tag: 'v0.0.38',
      commit: '7a4ca87d5481e1b37c1caa8b49c1771f0b8694a7',
      digest,
      logTime: Date.parse('2026-01-22T22:42:02Z'),
      certificateNotAfter: Date.parse('2026-01-22T22:52:02Z'),
    })
  })

  test('is refused before it was logged', () => {
    const result = verifyBundle(sigstoreBundle, { at: '2026-01-15' })
    expect(!result.good && result.failure).toEqual({
      step: 'sigstore/log',
      code: 'sigstore/log-entry-in-future',
    })
    expect(result.steps.find(({ id }) => id === 'sigstore/issuer')?.outcome).toBe('not-reached')
  })

  test('is refused for another file', () => {
    const result = verifyBundle(sigstoreBundle, {
      of: digest.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    })
    expect(!result.good && result.failure.code).toBe('sigstore/subject-digest-mismatch')
  })

  /** The value with one bit of one byte changed, at up to `samples` places over its whole length. */
  function* flips(value: string, samples: number): Generator<string> {
    const bytes = Buffer.from(value, 'base64')
    const step = Math.max(1, Math.floor(bytes.length / samples))
    for (let at = 0; at < bytes.length; at += step) {
      const copy = Buffer.from(bytes)
      copy[at]! ^= 1 << (at % 8)
      yield copy.toString('base64')
    }
  }

  const codesOf = (values: Iterable<string>, change: (value: string) => Real) =>
    [...new Set([...values].map((value) => codeOf(change(value))))].sort()

  test('no byte of the payload may change', () => {
    const codes = codesOf(flips(sigstoreBundle.dsseEnvelope.payload, 24), (payload) =>
      changed((bundle) => {
        bundle.dsseEnvelope.payload = payload
      }),
    )
    expect(codes).toEqual(['sigstore/signature-invalid'])
  })

  test('no byte of the signature may change', () => {
    const { sig } = sigstoreBundle.dsseEnvelope.signatures[0]!
    expect(
      codesOf(flips(sig, 24), (value) =>
        changed((bundle) => {
          bundle.dsseEnvelope.signatures[0]!.sig = value
        }),
      ),
    ).toEqual(['sigstore/signature-invalid'])
  })

  test('no byte of the certificate may change, its SCT included', () => {
    const { rawBytes } = sigstoreBundle.verificationMaterial.certificate
    const codes = codesOf(flips(rawBytes, 40), (value) =>
      changed((bundle) => {
        bundle.verificationMaterial.certificate.rawBytes = value
      }),
    )
    expect(codes).toEqual(['sigstore/bundle-malformed', 'sigstore/certificate-chain-invalid'])

    const certificate = Buffer.from(rawBytes, 'base64')
    const sct = certificate.indexOf(
      Buffer.from('dd3d306ac6c7113263191e1c99673702a24a5eb8de3cadff878a72802f29ee8e', 'hex'),
    )
    for (const at of [sct, sct + 20, sct + 35, sct + 60, sct + 100]) {
      const copy = Buffer.from(certificate)
      copy[at]! ^= 1
      expect(
        codeOf(
          changed((bundle) => {
            bundle.verificationMaterial.certificate.rawBytes = copy.toString('base64')
          }),
        ),
      ).toBe('sigstore/certificate-chain-invalid')
    }
  })

  test('no hash of the inclusion proof may change', () => {
    const { hashes } = sigstoreBundle.verificationMaterial.tlogEntries[0]!.inclusionProof
    expect(hashes.length).toBeGreaterThan(10)
    for (const [index, hash] of hashes.entries()) {
      const codes = codesOf(flips(hash, 1), (value) =>
        changed((_bundle, entry) => {
          entry.inclusionProof.hashes[index] = value
        }),
      )
      expect(codes).toEqual(['sigstore/log-inclusion-invalid'])
    }
    expect(
      codeOf(
        changed((_bundle, entry) => {
          entry.inclusionProof.hashes.pop()
        }),
      ),
    ).toBe('sigstore/log-inclusion-invalid')
  })

  test('neither the body of the checkpoint nor its signature may change', () => {
    const { envelope } = sigstoreBundle.verificationMaterial.tlogEntries[0]!.inclusionProof.checkpoint
    const [note = '', signatureLine = ''] = envelope.split('\n\n')
    const withEnvelope = (text: string) =>
      changed((_bundle, entry) => {
        entry.inclusionProof.checkpoint.envelope = text
      })
    for (let at = 0; at < note.length; at += 4) {
      const text = `${note.slice(0, at)}${note[at] === '7' ? '8' : '7'}${note.slice(at + 1)}`
      expect(codeOf(withEnvelope(`${text}\n\n${signatureLine}`))).toBe('sigstore/log-inclusion-invalid')
    }
    const [signature = ''] = signatureLine.trim().split(' ').slice(-1)
    const codes = codesOf(flips(signature, 24), (value) => withEnvelope(envelope.replace(signature, value)))
    expect(codes).toEqual(['sigstore/log-inclusion-invalid'])
  })

  test('no byte of the signed entry timestamp may change', () => {
    const { signedEntryTimestamp } = sigstoreBundle.verificationMaterial.tlogEntries[0]!.inclusionPromise
    const codes = codesOf(flips(signedEntryTimestamp, 24), (value) =>
      changed((_bundle, entry) => {
        entry.inclusionPromise.signedEntryTimestamp = value
      }),
    )
    expect(codes).toEqual(['sigstore/log-inclusion-invalid'])
  })

  test('no byte of the logged body may change', () => {
    const { canonicalizedBody } = sigstoreBundle.verificationMaterial.tlogEntries[0]!
    const codes = codesOf(flips(canonicalizedBody, 24), (value) =>
      changed((_bundle, entry) => {
        entry.canonicalizedBody = value
      }),
    )
    expect(codes).toEqual(['sigstore/log-inclusion-invalid'])
  })

  test.each<[string, string, Parameters<typeof changed>[0]]>([
    [
      'a second later',
      'sigstore/log-inclusion-invalid',
      (_bundle, entry) => {
        entry.integratedTime = String(Number(entry.integratedTime) + 1)
      },
    ],
    [
      'a day later',
      'sigstore/log-inclusion-invalid',
      (_bundle, entry) => {
        entry.integratedTime = String(Number(entry.integratedTime) + 86_400)
      },
    ],
    [
      'at another index of the log',
      'sigstore/log-inclusion-invalid',
      (_bundle, entry) => {
        entry.logIndex = String(Number(entry.logIndex) + 1)
      },
    ],
    [
      'at another index of the tree',
      'sigstore/log-inclusion-invalid',
      (_bundle, entry) => {
        entry.inclusionProof.logIndex = String(Number(entry.inclusionProof.logIndex) - 1)
      },
    ],
    [
      'in a tree of another size',
      'sigstore/log-root-mismatch',
      (_bundle, entry) => {
        entry.inclusionProof.treeSize = String(Number(entry.inclusionProof.treeSize) + 1)
      },
    ],
    [
      'in a tree of another root',
      'sigstore/log-root-mismatch',
      (_bundle, entry) => {
        entry.inclusionProof.rootHash = Buffer.alloc(32).toString('base64')
      },
    ],
    [
      'in another log',
      'sigstore/log-key-untrusted',
      (_bundle, entry) => {
        entry.logId.keyId = Buffer.alloc(32, 7).toString('base64')
      },
    ],
    [
      'as another kind of entry',
      'sigstore/log-inclusion-invalid',
      (_bundle, entry) => {
        entry.kindVersion.kind = 'intoto'
      },
    ],
    [
      'without a time',
      'sigstore/timestamp-missing',
      (_bundle, entry) => {
        entry.integratedTime = '0'
      },
    ],
    [
      'without the promise that signs the time',
      'sigstore/timestamp-missing',
      (_bundle, entry) => {
        delete (entry as JsonObject)['inclusionPromise']
      },
    ],
    [
      'without a proof',
      'sigstore/bundle-malformed',
      (_bundle, entry) => {
        delete (entry as JsonObject)['inclusionProof']
      },
    ],
    [
      'without an entry',
      'sigstore/log-entry-missing',
      (bundle) => {
        bundle.verificationMaterial.tlogEntries = []
      },
    ],
    [
      'with a wrong entry beside the right one',
      'sigstore/log-inclusion-invalid',
      (bundle, entry) => {
        bundle.verificationMaterial.tlogEntries.push({
          ...entry,
          integratedTime: String(Number(entry.integratedTime) + 1),
        })
      },
    ],
    [
      'with one entry twice',
      'sigstore/timestamp-invalid',
      (bundle, entry) => {
        bundle.verificationMaterial.tlogEntries.push(entry)
      },
    ],
    [
      'as another type',
      'sigstore/signature-invalid',
      (bundle) => {
        bundle.dsseEnvelope.payloadType = 'application/json'
      },
    ],
    [
      'without a signature',
      'sigstore/bundle-malformed',
      (bundle) => {
        bundle.dsseEnvelope.signatures = []
      },
    ],
    [
      'signed twice',
      'sigstore/bundle-malformed',
      (bundle) => {
        bundle.dsseEnvelope.signatures.push(bundle.dsseEnvelope.signatures[0]!)
      },
    ],
    [
      'with a chain beside the certificate',
      'sigstore/bundle-malformed',
      (bundle) => {
        bundle.verificationMaterial['x509CertificateChain'] = {
          certificates: [bundle.verificationMaterial.certificate],
        }
      },
    ],
    [
      'with a chain instead of the certificate',
      'sigstore/bundle-malformed',
      (bundle) => {
        const { certificate, ...material } = bundle.verificationMaterial
        bundle.verificationMaterial = {
          ...material,
          x509CertificateChain: { certificates: [certificate] },
        } as unknown as Real['verificationMaterial']
      },
    ],
    [
      'with a public key beside the certificate',
      'sigstore/bundle-malformed',
      (bundle) => {
        bundle.verificationMaterial['publicKey'] = { hint: '' }
      },
    ],
    [
      'as a bundle of version 0.2',
      'sigstore/bundle-malformed',
      (bundle) => {
        bundle['mediaType'] = 'application/vnd.dev.sigstore.bundle+json;version=0.2'
      },
    ],
  ])('%s: %s', (_what, code, change) => {
    expect(codeOf(changed(change))).toBe(code)
  })
})
