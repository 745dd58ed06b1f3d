import { createPublicKey } from 'node:crypto'
import { VerificationError, Verifier, type SignedEntity, type TrustMaterial } from '@sigstore/verify'
import type { BundleParts, LogEntry } from './bundle-form.ts'
import type { FulcioCertificate } from './fulcio-certificate.ts'
import { SigstoreRefusal } from './refusal.ts'

/** How many of each witness a bundle must bring. */
export interface Thresholds {
  readonly logEntries: { readonly least: number; readonly most?: number }
  readonly scts: number
  readonly timestamps: number
}

export const ONE_OF_EACH: Thresholds = { logEntries: { least: 1 }, scts: 1, timestamps: 1 }

export interface Authenticated {
  /** Unix ms: when the log, or a timestamp authority, vouches that the signature stood. As many as the thresholds ask for, or more. */
  readonly times: readonly number[]
}

/** How far ahead of ours the log's clock may run. */
const CLOCK_SKEW = 5 * 60_000

/**
 * Authenticates a bundle: certificate chain, certificate logs, signature, log entries and times, in that order.
 * What the library leaves unchecked is checked here: SCTs of one log, the root of the inclusion proof, a time still to come.
 *
 * @param now Unix ms
 * Throws SigstoreRefusal: `sigstore/log-entry-*`, `timestamp-*`, `certificate-*`, `sct-*`, `signature-invalid`, `log-*`.
 */
export function authenticateBundle(
  parts: BundleParts, certificate: FulcioCertificate, material: TrustMaterial, now: number, thresholds = ONE_OF_EACH,
): Authenticated {
  try {
    return authenticate(parts, certificate, material, now, thresholds)
  } catch (error) {
    // The library reads some parts only when they are asked for, and what it throws then has no code.
    throw error instanceof SigstoreRefusal ? error : new SigstoreRefusal('sigstore/bundle-malformed', 'a part that cannot be read')
  }
}

function authenticate(
  parts: BundleParts, certificate: FulcioCertificate, material: TrustMaterial, now: number, thresholds: Thresholds,
): Authenticated {
  const { entries, entity } = parts
  const { least, most = Infinity } = thresholds.logEntries
  if (entries.length < least || entries.length > most) {
    throw new SigstoreRefusal(entries.length === 0 ? 'sigstore/log-entry-missing' : 'sigstore/log-entry-count', `${entries.length} log entries`)
  }
  const times = witnessedTimes(entity)
  if (times.length < thresholds.timestamps) throw new SigstoreRefusal('sigstore/timestamp-missing', `${times.length} witnessed times`)

  const timed = times.length > 0 ? entity : { ...entity, timestamps: [timestampAt(now)] }
  // One entry at a time: the library takes two entries of one signature in one log for a fault, which they are not.
  const views = entries.length === 0 ? [[]] : entries.map((entry) => [entry])
  for (const tlogEntries of views) {
    const view = { ...timed, tlogEntries }
    const fault = faultOf(view, material, thresholds)
    if (fault !== undefined) explain(fault, view, certificate, material, thresholds)
  }
  if (!certificate.forCodeSigning) throw new SigstoreRefusal('sigstore/certificate-chain-invalid', 'a certificate that is not for signing code')
  requireDistinctLogs(certificate)
  for (const entry of entries) {
    requireProofOfCheckpoint(entry)
    requireLogInForce(entry, material, times)
  }
  // A time that is no number is not past either.
  const late = times.find((time) => !(time <= now + CLOCK_SKEW))
  if (late !== undefined) throw new SigstoreRefusal('sigstore/log-entry-in-future', new Date(late).toISOString())
  return { times }
}

type Timestamp = SignedEntity['timestamps'][number]

/** A log vouches for its time by the signed entry timestamp alone: a proof of inclusion says nothing about when. */
function witnessedTimes(entity: SignedEntity): number[] {
  return entity.timestamps.flatMap((timestamp) => {
    if (timestamp.$case === 'timestamp-authority') return [timestamp.timestamp.signingTime.getTime()]
    return timestamp.tlogEntry.inclusionPromise ? [Number(timestamp.tlogEntry.integratedTime) * 1000] : []
  })
}

/** What the library finds wrong, or undefined. Its own errors have a code; anything else it throws came of unreadable bytes. */
function faultOf(entity: SignedEntity, material: TrustMaterial, thresholds: Thresholds): VerificationError['code'] | 'UNREADABLE' | undefined {
  const options = { ctlogThreshold: thresholds.scts, tlogThreshold: Math.min(1, thresholds.logEntries.least), timestampThreshold: 1 }
  try {
    new Verifier(material, options).verify(entity)
    return undefined
  } catch (error) {
    return error instanceof VerificationError ? error.code : 'UNREADABLE'
  }
}

/** Names the fault of a bundle that is refused already: the first, in our order, that can be shown. */
function explain(
  fault: VerificationError['code'] | 'UNREADABLE', entity: SignedEntity, certificate: FulcioCertificate, material: TrustMaterial, thresholds: Thresholds,
): never {
  switch (fault) {
    case 'TIMESTAMP_ERROR':
      throw new SigstoreRefusal('sigstore/timestamp-invalid', 'a timestamp that no trusted authority signed, or one that stands twice')
    case 'CERTIFICATE_ERROR':
      return explainCertificate(entity, certificate, material, thresholds)
    case 'SIGNATURE_ERROR':
    case 'TLOG_ERROR':
    case 'TLOG_INCLUSION_PROOF_ERROR':
    case 'TLOG_INCLUSION_PROMISE_ERROR':
    case 'TLOG_MISSING_INCLUSION_ERROR':
    case 'TLOG_BODY_ERROR':
      return explainLog(entity, material)
    case 'NOT_IMPLEMENTED_ERROR':
    case 'PUBLIC_KEY_ERROR':
    case 'UNREADABLE':
      throw new SigstoreRefusal('sigstore/bundle-malformed', 'a part that cannot be read')
  }
}

function explainCertificate(entity: SignedEntity, certificate: FulcioCertificate, material: TrustMaterial, thresholds: Thresholds): never {
  const leaf = leafOf(entity)
  const born = leaf.notBefore
  const issuers = material.certificateAuthorities.filter(({ validFor }) => validFor.start <= born && born <= validFor.end)
  if (!issuers.some(({ certChain }) => certChain.some((issuer) => leaf.verify(issuer)))) {
    throw new SigstoreRefusal('sigstore/certificate-chain-invalid', 'a certificate that none of the trusted authorities issued')
  }
  if (certificate.sctLogs.length < thresholds.scts) throw new SigstoreRefusal('sigstore/sct-missing', `${certificate.sctLogs.length} certificate timestamps`)
  requireDistinctLogs(certificate)
  // Judged at the start of the certificate's life, every fault that remains is not one of time.
  const fault = faultOf({ ...entity, timestamps: [timestampAt(born.getTime())] }, material, thresholds)
  if (fault === undefined) {
    throw new SigstoreRefusal('sigstore/certificate-not-valid-then', witnessedTimes(entity).map((time) => new Date(time).toISOString()).join(', '))
  }
  if (fault !== 'CERTIFICATE_ERROR') return explainLog(entity, material)
  throw new SigstoreRefusal('sigstore/sct-invalid', 'a certificate timestamp that no trusted certificate log signed')
}

function explainLog(entity: SignedEntity, material: TrustMaterial): never {
  const key = createPublicKey({ key: leafOf(entity).publicKey, format: 'der', type: 'spki' })
  if (!entity.signature.verifySignature(key)) {
    throw new SigstoreRefusal('sigstore/signature-invalid', 'a signature that the certified key did not make over this statement')
  }
  const unknown = entity.tlogEntries.find(({ logId, integratedTime }) => !material.tlogs.some(({ logID, validFor }) => {
    const time = new Date(Number(integratedTime) * 1000)
    // A log of the second generation states no time of its own.
    return logID.equals(logId.keyId) && (integratedTime === '0' || (validFor.start <= time && time <= validFor.end))
  }))
  if (unknown) throw new SigstoreRefusal('sigstore/log-key-untrusted', `log ${unknown.logId.keyId.toString('hex')}`)
  throw new SigstoreRefusal('sigstore/log-inclusion-invalid', 'an entry that the log did not sign as it stands here')
}

/** Two SCTs of one log are one witness counted twice. */
function requireDistinctLogs({ sctLogs }: FulcioCertificate): void {
  if (new Set(sctLogs).size < sctLogs.length) throw new SigstoreRefusal('sigstore/sct-duplicate-log', `${sctLogs.length} certificate timestamps of fewer logs`)
}

/** The proof must lead to the very tree that the log signed (RFC 9162 2.1.3): the library reads the checkpoint and never the proof's own root. */
function requireProofOfCheckpoint(entry: LogEntry): void {
  const { inclusionProof: proof } = entry
  const [, size, root] = proof?.checkpoint?.envelope.split('\n') ?? []
  if (!proof || proof.treeSize !== size || !proof.rootHash.equals(Buffer.from(root ?? '', 'base64'))) {
    throw new SigstoreRefusal('sigstore/log-root-mismatch', `a proof to root ${proof?.rootHash.toString('hex') ?? 'none'}`)
  }
}

/**
 * A log of the first generation is held to the time that it promises, by the library; one of the second promises none and is held here to
 * the times that others vouch for.
 */
function requireLogInForce({ logId, inclusionPromise }: LogEntry, { tlogs }: TrustMaterial, times: readonly number[]): void {
  if (inclusionPromise) return
  const inForce = tlogs.some(({ logID, validFor }) => logID.equals(logId.keyId) && times.every((time) => validFor.start.getTime() <= time && time <= validFor.end.getTime()))
  if (!inForce) throw new SigstoreRefusal('sigstore/log-key-untrusted', `log ${logId.keyId.toString('hex')}, at that time`)
}

function leafOf(entity: SignedEntity) {
  if (entity.key.$case === 'certificate') return entity.key.certificate
  throw new SigstoreRefusal('sigstore/bundle-malformed', 'no certificate')
}

/** Makes the library judge at a chosen time. It stands among the times alone, never among the entries that prove something. */
function timestampAt(time: number): Timestamp {
  return {
    $case: 'transparency-log',
    tlogEntry: {
      logIndex: '0',
      logId: { keyId: Buffer.alloc(32) },
      kindVersion: { kind: '', version: '' },
      integratedTime: String(Math.ceil(time / 1000)),
      inclusionPromise: { signedEntryTimestamp: Buffer.alloc(0) },
      inclusionProof: undefined,
      canonicalizedBody: Buffer.alloc(0),
    },
  }
}
