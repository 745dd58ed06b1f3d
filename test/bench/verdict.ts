import { createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { verifyEvidence } from '../../src/core/attestation/index.ts'
import { builtInTrust, presetProfiles } from '../../src/host/resources.ts'
import { givenArgument, tellReady } from './child.ts'
import { interleave, quantile, timed, type Bounds } from './statistics.ts'

/** Milliseconds; all but `cold` the lowest tenth of their samples. */
export interface VerdictTimes {
  readonly good: boolean
  readonly cold: number
  readonly warm: Record<'verdict' | 'signatures' | 'ownSignatures' | 'sigstore', number>
  readonly signatures: number
}

interface Bundle {
  readonly enclaveAttestationReport: { readonly body: string }
  readonly vcek: string
  readonly sigstoreBundle: {
    readonly dsseEnvelope: { readonly payload: string; readonly payloadType: string; readonly signatures: [{ readonly sig: string }] }
    readonly verificationMaterial: { readonly certificate: { readonly rawBytes: string }; readonly tlogEntries: [LogEntry] }
  }
}
interface LogEntry {
  readonly logIndex: string
  readonly logId: { readonly keyId: string }
  readonly integratedTime: string
  readonly canonicalizedBody: string
  readonly inclusionPromise: { readonly signedEntryTimestamp: string }
  readonly inclusionProof: { readonly checkpoint: { readonly envelope: string } }
}

const { path, at, bounds } = givenArgument() as { path: string; at: number; bounds: Bounds }
const evidence = readFileSync(path)
const bundle = JSON.parse(evidence.toString()) as Bundle
const trust = await builtInTrust()
const policy = (await presetProfiles()).find(({ policy }) => policy?.enclaveHost === 'inference.tinfoil.sh')?.policy
if (policy === undefined) throw new Error('no preset has a policy for this evidence')

/** The signatures that are checked by code of this repository; the library checks the others. */
const OWN = ['ARK', 'ASK', 'VCEK', 'report']

let good = false
const cold = timed(() => ({ good } = verifyEvidence(evidence, trust, policy, at)))

const checks = signatureChecks()
const root = TrustedRoot.fromJSON(JSON.parse(trust.sigstoreTrustedRoot))
const hold = (some: [string, () => boolean][]) => () => {
  for (const [name, holds] of some) if (!holds()) throw new Error(`${name} does not hold`)
}
const ways = {
  verdict: () => verifyEvidence(evidence, trust, policy, at),
  signatures: hold(checks),
  ownSignatures: hold(checks.filter(([name]) => OWN.includes(name))),
  sigstore: () => new Verifier(toTrustMaterial(root), { ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1 }).verify(toSignedEntity(bundleFromJSON(bundle.sigstoreBundle))),
}
const samples = await interleave(['verdict', 'signatures', 'ownSignatures', 'sigstore'], { ...bounds, warmUp: 20 }, (way) => timed(ways[way]))
const warm = { verdict: quantile(samples.verdict, 0.1), signatures: quantile(samples.signatures, 0.1), ownSignatures: quantile(samples.ownSignatures, 0.1), sigstore: quantile(samples.sigstore, 0.1) }
tellReady({ good, cold, warm, signatures: checks.length } satisfies VerdictTimes)

/** Every signature that the verdict rests on, over its real bytes and with keys that are already parsed: the least that it can cost. */
function signatureChecks(): [string, () => boolean][] {
  const genoa = trust.amd.Genoa
  if (genoa === undefined) throw new Error('the trust set has no Genoa roots')
  const [ark, ask, vcek] = [genoa.ark, genoa.ask, Buffer.from(bundle.vcek, 'base64')].map((der) => new X509Certificate(der)) as [X509Certificate, X509Certificate, X509Certificate]
  const report = gunzipSync(Buffer.from(bundle.enclaveAttestationReport.body, 'base64'))
  const scalar = (offset: number) => Buffer.from(report.subarray(offset, offset + 48)).reverse()
  const reportSignature = Buffer.concat([scalar(0x2a0), scalar(0x2e8)])

  const { dsseEnvelope, verificationMaterial } = bundle.sigstoreBundle
  const leaf = new X509Certificate(Buffer.from(verificationMaterial.certificate.rawBytes, 'base64'))
  const authorities = trustedRoot().certificateAuthorities.flatMap(({ certChain }) => certChain.certificates.map(({ rawBytes }) => new X509Certificate(Buffer.from(rawBytes, 'base64'))))
  const intermediate = authorities.find((authority) => leaf.checkIssued(authority) && leaf.verify(authority.publicKey))
  const fulcio = intermediate && authorities.find((authority) => intermediate.checkIssued(authority))
  if (!intermediate || !fulcio) throw new Error('the signing certificate has no chain')

  const [entry] = verificationMaterial.tlogEntries
  const log = trustedRoot().tlogs.find(({ logId }) => logId.keyId === entry.logId.keyId)
  if (!log) throw new Error('the log is not known')
  const rekor = createPublicKey({ key: Buffer.from(log.publicKey.rawBytes, 'base64'), format: 'der', type: 'spki' })
  const payload = Buffer.from(dsseEnvelope.payload, 'base64')
  const pae = Buffer.concat([Buffer.from(`DSSEv1 ${String(dsseEnvelope.payloadType.length)} ${dsseEnvelope.payloadType} ${String(payload.byteLength)} `), payload])
  const promise = Buffer.from(JSON.stringify({ body: entry.canonicalizedBody, integratedTime: Number(entry.integratedTime), logID: Buffer.from(entry.logId.keyId, 'base64').toString('hex'), logIndex: Number(entry.logIndex) }))
  const [note = '', signed = ''] = entry.inclusionProof.checkpoint.envelope.split('\n\n')
  const p256 = (bytes: Buffer, key: KeyObject, signature: Buffer) => () => verify('sha256', bytes, key, signature)
  const entryTimestamp = p256(promise, rekor, Buffer.from(entry.inclusionPromise.signedEntryTimestamp, 'base64'))

  const keys = { ark: ark.publicKey, ask: ask.publicKey, vcek: vcek.publicKey, fulcio: fulcio.publicKey, intermediate: intermediate.publicKey, leaf: leaf.publicKey }
  return [
    ['ARK', () => ark.verify(keys.ark)],
    ['ASK', () => ask.verify(keys.ark)],
    ['VCEK', () => vcek.verify(keys.ask)],
    ['report', () => verify('sha384', report.subarray(0, 0x2a0), { key: keys.vcek, dsaEncoding: 'ieee-p1363' }, reportSignature)],
    ['Fulcio intermediate', () => intermediate.verify(keys.fulcio)],
    ['signing certificate', () => leaf.verify(keys.intermediate)],
    ['DSSE envelope', p256(pae, keys.leaf, Buffer.from(dsseEnvelope.signatures[0].sig, 'base64'))],
    ['signed entry timestamp', entryTimestamp],
    ['checkpoint', p256(Buffer.from(`${note}\n`), rekor, Buffer.from(signed.trim().split(' ')[2] ?? '', 'base64').subarray(4))],
    // The SCT signs a certificate that first has to be rebuilt. Its check is another of P-256 and costs what this one does.
    ['SCT', entryTimestamp],
  ]
}

function trustedRoot() {
  return JSON.parse(trust.sigstoreTrustedRoot) as {
    certificateAuthorities: { certChain: { certificates: { rawBytes: string }[] } }[]
    tlogs: { logId: { keyId: string }; publicKey: { rawBytes: string } }[]
  }
}
