import { beforeAll, describe, expect, test } from 'vitest'
import { sigstoreSteps } from '../../../src/verifier/sigstore/index.ts'
import type { JsonObject } from '../../../src/verifier/strict-json.ts'
import {
  DIGEST,
  mintedPolicy,
  mintSigstore,
  REGISTERS,
  type MintedSigstore,
  type ReleaseWishes,
} from './minted-release.ts'

let sigstore: MintedSigstore
beforeAll(async () => {
  sigstore = await mintSigstore()
})

/** As far as these tests reach into it. */
interface Bundle {
  verificationMaterial: {
    tlogEntries: [
      {
        canonicalizedBody: string
        integratedTime?: string
        inclusionPromise?: { signedEntryTimestamp: string }
        inclusionProof: {
          logIndex: string
          treeSize: string
          rootHash: string
          hashes: string[]
          checkpoint: { envelope: string }
        }
        logId: { keyId: string }
        kindVersion: { kind: string; version: string }
      },
    ]
    timestampVerificationData?: { rfc3161Timestamps: [{ signedTimestamp: string }] }
  }
  dsseEnvelope: { payload: string; signatures: [{ sig: string }] }
}

async function verifyRelease(
  wishes: ReleaseWishes,
  change: (bundle: Bundle) => void = () => undefined,
  trustedRoot: JsonObject = sigstore.trustedRoot,
) {
  const bundle = await sigstore.release(wishes)
  change(bundle as unknown as Bundle)
  const result = sigstoreSteps.verify({
    bundle,
    digest: DIGEST,
    trustedRoot: JSON.stringify(trustedRoot),
    policy: mintedPolicy,
    now: Date.now(),
  })
  return result.good ? result.value.release.value : result.failure.code
}

const entryOf = ({ verificationMaterial }: Bundle) => verificationMaterial.tlogEntries[0]
const timestampOf = ({ verificationMaterial }: Bundle) =>
  verificationMaterial.timestampVerificationData!.rfc3161Timestamps[0]
const flipped = (base64: string, at: number) => {
  const bytes = Buffer.from(base64, 'base64')
  bytes[at < 0 ? bytes.length + at : at]! ^= 1
  return bytes.toString('base64')
}
/** Changes one byte of the log's own signature, not of a witness's. */
const withCheckpointByte = (at: number) => (bundle: Bundle) => {
  const { checkpoint } = entryOf(bundle).inclusionProof
  checkpoint.envelope = checkpoint.envelope.replace(/\S+(?=\n$)/, (signature) => flipped(signature, at))
}

describe.each(['dsse', 'hashedrekord'] as const)('a %s entry of the second generation', (rekor2) => {
  test('is accepted, with the time of the authority', async () => {
    const provenance = await verifyRelease({ rekor2 })
    expect(provenance).toMatchObject({ registers: REGISTERS })
    expect(typeof provenance === 'object' && Math.abs(provenance.logTime - Date.now()) < 60_000).toBe(true)
  })

  test.each<[string, string, (bundle: Bundle) => void]>([
    [
      'without the authority’s time',
      'sigstore/timestamp-missing',
      ({ verificationMaterial }) => {
        delete verificationMaterial.timestampVerificationData
      },
    ],
    [
      'with a time of its own instead',
      'sigstore/timestamp-missing',
      (bundle) => {
        delete bundle.verificationMaterial.timestampVerificationData
        entryOf(bundle).integratedTime = String(Math.floor(Date.now() / 1000))
      },
    ],
    [
      'with a time and a promise of its own instead',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        delete bundle.verificationMaterial.timestampVerificationData
        entryOf(bundle).integratedTime = String(Math.floor(Date.now() / 1000))
        entryOf(bundle).inclusionPromise = { signedEntryTimestamp: Buffer.alloc(64).toString('base64') }
      },
    ],
    [
      'with an empty promise beside the authority’s time',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        entryOf(bundle).inclusionPromise = { signedEntryTimestamp: Buffer.alloc(64).toString('base64') }
      },
    ],
    [
      'with the authority’s time changed at its end',
      'sigstore/timestamp-invalid',
      (bundle) => {
        timestampOf(bundle).signedTimestamp = flipped(timestampOf(bundle).signedTimestamp, -1)
      },
    ],
    ['with a checkpoint of another signature', 'sigstore/log-inclusion-invalid', withCheckpointByte(-1)],
    ['with a checkpoint of another key', 'sigstore/log-inclusion-invalid', withCheckpointByte(0)],
    [
      'with a checkpoint that only a witness signed',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        const { checkpoint } = entryOf(bundle).inclusionProof
        checkpoint.envelope = checkpoint.envelope.replace(/— log2026\S+ \S+\n$/, '')
      },
    ],
    [
      'with another root',
      'sigstore/log-root-mismatch',
      (bundle) => {
        entryOf(bundle).inclusionProof.rootHash = Buffer.alloc(32).toString('base64')
      },
    ],
    [
      'in a tree of another size',
      'sigstore/log-root-mismatch',
      (bundle) => {
        entryOf(bundle).inclusionProof.treeSize = '4'
      },
    ],
    [
      'at another place',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        entryOf(bundle).inclusionProof.logIndex = '1'
      },
    ],
    [
      'with another path',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        entryOf(bundle).inclusionProof.hashes = [Buffer.alloc(32).toString('base64')]
      },
    ],
    [
      'with another body',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        entryOf(bundle).canonicalizedBody = flipped(entryOf(bundle).canonicalizedBody, 40)
      },
    ],
    [
      'in another log',
      'sigstore/log-key-untrusted',
      (bundle) => {
        entryOf(bundle).logId.keyId = Buffer.alloc(32, 7).toString('base64')
      },
    ],
    [
      'as an entry of the first generation',
      'sigstore/log-inclusion-invalid',
      (bundle) => {
        entryOf(bundle).kindVersion.version = '0.0.1'
      },
    ],
    [
      'over another payload',
      'sigstore/signature-invalid',
      ({ dsseEnvelope }) => {
        dsseEnvelope.payload = flipped(dsseEnvelope.payload, 0)
      },
    ],
  ])('%s: %s', async (_what, code, change) => {
    expect(await verifyRelease({ rekor2 }, change)).toBe(code)
  })

  test('of another release is not its own', async () => {
    const other = (await sigstore.release({ rekor2, payload: Buffer.from('{}') })) as unknown as Bundle
    expect(
      await verifyRelease({ rekor2 }, (bundle) => {
        bundle.verificationMaterial.tlogEntries = other.verificationMaterial.tlogEntries
      }),
    ).toBe('sigstore/log-inclusion-invalid')
    expect(
      await verifyRelease({ rekor2 }, (bundle) => {
        Object.assign(timestampOf(bundle), timestampOf(other))
      }),
    ).toBe('sigstore/timestamp-invalid')
  })

  test('of a log that was not in force then, or not yet', async () => {
    const root = (validFor: JsonObject) => ({
      ...sigstore.trustedRoot,
      tlogs: [sigstore.rekor2Instance(validFor)],
    })
    expect(await verifyRelease({ rekor2 }, undefined, root({ start: '2020-01-01T00:00:00Z' }))).toMatchObject(
      {
        registers: REGISTERS,
      },
    )
    expect(
      await verifyRelease(
        { rekor2 },
        undefined,
        root({ start: '2020-01-01T00:00:00Z', end: '2020-02-01T00:00:00Z' }),
      ),
    ).toBe('sigstore/log-key-untrusted')
    expect(await verifyRelease({ rekor2 }, undefined, root({ start: '2090-01-01T00:00:00Z' }))).toBe(
      'sigstore/log-key-untrusted',
    )
  })
})
