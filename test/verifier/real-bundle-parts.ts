import { gunzipSync } from 'node:zlib'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { sevSteps } from '../../src/verifier/sev-snp/index.ts'
import { sigstoreSteps } from '../../src/verifier/sigstore/index.ts'
import { certificatesFromPem, parseCertificate } from '../../src/verifier/x509/index.ts'
import type { JsonValue } from '../../src/verifier/strict-json.ts'
import { pem } from '../../src/sandbox/der/certificate.ts'
import { amdRoots, builtInTrust, presetPolicy, presetSevPolicy, realEvidence } from './evidence-folder.ts'

/** A part of the real bundle that a signature or a hash covers, or that is one; and what becomes of the evidence with another in its place. */
export interface CoveredPart {
  readonly name: string
  readonly bytes: Buffer
  /** The code of the refusal, or `good`. */
  readonly verify: (bytes: Buffer) => string
}

interface Bundle {
  readonly enclaveAttestationReport: { readonly format: string; readonly body: string }
  readonly vcek: string
  readonly digest: string
  readonly enclaveCert: string
  readonly sigstoreBundle: {
    readonly dsseEnvelope: {
      readonly payload: string
      readonly payloadType: string
      readonly signatures: [{ readonly sig: string }]
    }
    readonly verificationMaterial: {
      readonly certificate: { readonly rawBytes: string }
      readonly tlogEntries: [Entry]
    }
  }
}
interface Entry {
  readonly logId: { readonly keyId: string }
  readonly integratedTime: string
  readonly canonicalizedBody: string
  readonly inclusionPromise: { readonly signedEntryTimestamp: string }
  readonly inclusionProof: {
    readonly rootHash: string
    readonly hashes: readonly string[]
    readonly checkpoint: { readonly envelope: string }
  }
}

const AT = Date.UTC(2026, 1, 1)

/** Every covered part. Each is judged by as much of the verifier as has to do with it; the digest and the TLS key by the whole. */
export function coveredParts(): CoveredPart[] {
  const bundle = JSON.parse(realEvidence('bundle/genoa-router-bundle.json').toString()) as Bundle
  const policy = presetPolicy()
  const sev = { roots: amdRoots, policy: presetSevPolicy(), now: AT }
  const report = gunzipSync(Buffer.from(bundle.enclaveAttestationReport.body, 'base64'))
  const vcek = Buffer.from(bundle.vcek, 'base64')
  const ending = (result: { good: true } | { good: false; failure: { code: string } }) =>
    result.good ? 'good' : result.failure.code
  const whole = (changes: Partial<Bundle>) =>
    verifyEvidence(Buffer.from(JSON.stringify({ ...bundle, ...changes })), builtInTrust, policy, AT).failure
      ?.code ?? 'good'

  const { sigstoreBundle } = bundle
  const { dsseEnvelope, verificationMaterial } = sigstoreBundle
  const [entry] = verificationMaterial.tlogEntries
  const release = (changed: Partial<Bundle['sigstoreBundle']>) =>
    ending(
      sigstoreSteps.verify({
        bundle: { ...sigstoreBundle, ...changed } as unknown as JsonValue,
        digest: bundle.digest,
        trustedRoot: builtInTrust.sigstoreTrustedRoot,
        policy: policy.code,
        now: AT,
      }),
    )
  const withEntry = (changed: Partial<Entry>) =>
    release({ verificationMaterial: { ...verificationMaterial, tlogEntries: [{ ...entry, ...changed }] } })
  const withProof = (changed: Partial<Entry['inclusionProof']>) =>
    withEntry({ inclusionProof: { ...entry.inclusionProof, ...changed } })
  const base64 = (name: string, text: string, verifyText: (text: string) => string): CoveredPart => ({
    name,
    bytes: Buffer.from(text, 'base64'),
    verify: (bytes) => verifyText(bytes.toString('base64')),
  })
  const text = (name: string, value: string, verifyText: (text: string) => string): CoveredPart => ({
    name,
    bytes: Buffer.from(value),
    verify: (bytes) => verifyText(bytes.toString('latin1')),
  })

  const { envelope } = entry.inclusionProof.checkpoint
  const noteEnd = envelope.indexOf('\n\n') + 1
  const signature = envelope.trimEnd().slice(envelope.trimEnd().lastIndexOf(' ') + 1)
  const [certificate = new Uint8Array()] = certificatesFromPem(bundle.enclaveCert)
  const { publicKeyInfo } = parseCertificate(certificate)
  const keyAt = Buffer.from(certificate).indexOf(publicKeyInfo)
  return [
    {
      name: 'report',
      bytes: report,
      verify: (bytes) => ending(sevSteps.verify({ ...sev, report: bytes, vcek })),
    },
    {
      name: 'VCEK',
      bytes: vcek,
      verify: (bytes) => ending(sevSteps.verify({ ...sev, report, vcek: bytes })),
    },
    base64('packed report', bundle.enclaveAttestationReport.body, (body) =>
      whole({ enclaveAttestationReport: { ...bundle.enclaveAttestationReport, body } }),
    ),
    text('digest', bundle.digest, (digest) => whole({ digest })),
    {
      name: 'TLS key',
      bytes: Buffer.from(publicKeyInfo),
      verify: (bytes) =>
        whole({
          enclaveCert: pem(
            Buffer.concat([
              certificate.subarray(0, keyAt),
              bytes,
              certificate.subarray(keyAt + bytes.length),
            ]),
          ),
        }),
    },
    base64('payload', dsseEnvelope.payload, (payload) =>
      release({ dsseEnvelope: { ...dsseEnvelope, payload } }),
    ),
    text('payload type', dsseEnvelope.payloadType, (payloadType) =>
      release({ dsseEnvelope: { ...dsseEnvelope, payloadType } }),
    ),
    base64('signature', dsseEnvelope.signatures[0].sig, (sig) =>
      release({ dsseEnvelope: { ...dsseEnvelope, signatures: [{ ...dsseEnvelope.signatures[0], sig }] } }),
    ),
    base64('signing certificate', verificationMaterial.certificate.rawBytes, (rawBytes) =>
      release({ verificationMaterial: { ...verificationMaterial, certificate: { rawBytes } } }),
    ),
    base64('log id', entry.logId.keyId, (keyId) => withEntry({ logId: { keyId } })),
    text('log time', entry.integratedTime, (integratedTime) => withEntry({ integratedTime })),
    base64('log entry', entry.canonicalizedBody, (canonicalizedBody) => withEntry({ canonicalizedBody })),
    base64('signed entry timestamp', entry.inclusionPromise.signedEntryTimestamp, (signedEntryTimestamp) =>
      withEntry({ inclusionPromise: { signedEntryTimestamp } }),
    ),
    base64('root of the log', entry.inclusionProof.rootHash, (rootHash) => withProof({ rootHash })),
    ...entry.inclusionProof.hashes.map((hash, index) =>
      base64(`hash ${index} of the proof`, hash, (other) =>
        withProof({ hashes: entry.inclusionProof.hashes.with(index, other) }),
      ),
    ),
    text('checkpoint', envelope.slice(0, noteEnd), (note) =>
      withProof({ checkpoint: { envelope: note + envelope.slice(noteEnd) } }),
    ),
    base64('signature of the checkpoint', signature, (other) =>
      withProof({ checkpoint: { envelope: envelope.replace(signature, other) } }),
    ),
  ]
}

/** Flips every `step`th bit of a part, one at a time, beginning `from` one. Returns how many, and where the evidence was accepted all the same or the check broke down. */
export function flipBits(
  { name, bytes, verify }: CoveredPart,
  step: number,
  from = 0,
): { flipped: number; wrong: string[] } {
  const wrong: string[] = []
  let flipped = 0
  for (let bit = from; bit < bytes.length * 8; bit += step) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const code = verify(changed)
    flipped++
    if (code === 'good' || code === 'verifier/internal')
      wrong.push(`${name}: bit ${bit & 7} of byte ${bit >> 3}: ${code}`)
  }
  return { flipped, wrong }
}
