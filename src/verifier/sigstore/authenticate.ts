import { msg } from '../message.ts'
import { publicKeyOf, type Certificate } from '../x509/index.ts'
import { areValidAt, isSoundChain } from './authority-chain.ts'
import type { BundleParts, LogEntry } from './bundle-form.ts'
import { isCertificateLogged } from './certificate-timestamp.ts'
import { isSignedEnvelope, preAuthEncoding } from './dsse.ts'
import type { FulcioCertificate } from './fulcio-certificate.ts'
import { isPromised, requireLogged } from './log-entry.ts'
import { isEntryOf } from './logged-envelope.ts'
import { SigstoreRefusal } from './refusal.ts'
import { isTimestampOf } from './timestamp.ts'
import { within, type TrustedRoot } from './trusted-root.ts'

/** The number of each kind of witness that a bundle must contain. */
export interface Thresholds {
  readonly logEntries: { readonly least: number; readonly most?: number }
  readonly scts: number
  readonly timestamps: number
}

const ONE_OF_EACH: Thresholds = { logEntries: { least: 1 }, scts: 1, timestamps: 1 }

export interface Authenticated {
  /**
   * Unix ms: times at which a log or a timestamp authority confirms that the signature existed. At least as
   * many as the thresholds require.
   */
  readonly times: readonly number[]
  /** The subset of `times` that a log confirms. */
  readonly logTimes: readonly number[]
}

/** How far the log's clock may be ahead of the local clock. */
const CLOCK_SKEW = 5 * 60_000

/**
 * Authenticates a bundle by the Sigstore client specification ("Verification"), in the order of the verdict's
 * steps: times, certificate chain, certificate logs, signature, log entries.
 *
 * @param claims the parsed claims of the certificate
 * @param now Unix ms
 * @throws {SigstoreRefusal} `sigstore/log-entry-*`, `timestamp-*`, `certificate-*`, `sct-*`,
 * `signature-invalid` or `log-*`; `bundle-malformed` if an extension that only this step reads is malformed
 */
export function authenticateBundle(
  parts: BundleParts,
  claims: FulcioCertificate,
  root: TrustedRoot,
  now: number,
  thresholds = ONE_OF_EACH,
): Authenticated {
  try {
    return authenticate(parts, claims, root, now, thresholds)
  } catch (error) {
    // Parts that are read only on demand, such as extensions, have no code of their own.
    throw error instanceof SigstoreRefusal
      ? error
      : new SigstoreRefusal('sigstore/bundle-malformed', msg('a part that can’t be read'))
  }
}

function authenticate(
  parts: BundleParts,
  claims: FulcioCertificate,
  root: TrustedRoot,
  now: number,
  thresholds: Thresholds,
): Authenticated {
  const { certificate, entries, timestamps, envelope } = parts
  const { least, most = Infinity } = thresholds.logEntries
  if (entries.length < least || entries.length > most) {
    throw new SigstoreRefusal(
      entries.length === 0 ? 'sigstore/log-entry-missing' : 'sigstore/log-entry-count',
      msg('{count} log entries', { count: entries.length }),
    )
  }
  // A claimed time counts only if its log signed it. requireLogged refuses an entry whose promise is invalid.
  const timed = entries.filter(({ promise, integratedTime }) => promise && integratedTime !== 0)
  const promised = new Set(entries.filter((entry) => isPromised(entry, root.signatureLogs)))
  const witnesses = timed.length + timestamps.length
  if (witnesses < thresholds.timestamps)
    throw new SigstoreRefusal('sigstore/timestamp-missing', msg('{witnesses} witnessed times', { witnesses }))
  requireTimestamps(parts, timed, root)
  const logTimes = timed
    .filter((entry) => promised.has(entry))
    .map(({ integratedTime }) => integratedTime * 1000)
  const times = [...logTimes, ...timestamps.map(({ time }) => time)]

  const issuer = requireIssuer(certificate, claims, root, witnesses === 0 ? [now] : times)
  requireCertificateLogged(certificate, claims, issuer, root, thresholds.scts)

  const signed = preAuthEncoding(envelope)
  const key = publicKeyOf(certificate)
  if (!key || !isSignedEnvelope(envelope, signed, key)) {
    throw new SigstoreRefusal('sigstore/signature-invalid', msg('an invalid signature'))
  }
  for (const entry of entries) {
    requireLogged(entry, promised.has(entry), times, root.signatureLogs)
    if (!isEntryOf(entry.body, entry.type, envelope, signed, certificate.der)) {
      throw new SigstoreRefusal('sigstore/log-inclusion-invalid', msg('an entry of something else'))
    }
  }
  const late = times.find((time) => time > now + CLOCK_SKEW)
  if (late !== undefined)
    throw new SigstoreRefusal('sigstore/log-entry-in-future', new Date(late).toISOString())
  return { times, logTimes }
}

/**
 * Verifies the timestamps, and refuses a duplicate time of the same log or authority. Throws SigstoreRefusal
 * `sigstore/timestamp-invalid`.
 */
function requireTimestamps(
  { timestamps, envelope }: BundleParts,
  timed: readonly LogEntry[],
  root: TrustedRoot,
): void {
  const names = [
    ...timed.map(({ logId, integratedTime }) => `log ${logId.toString('hex')} ${integratedTime}`),
    ...timestamps.map(
      ({ issuer, serialNumber, time }) =>
        `authority ${Buffer.from(issuer).toString('hex')} ${Buffer.from(serialNumber).toString('hex')} ${time}`,
    ),
  ]
  if (new Set(names).size < names.length)
    throw new SigstoreRefusal('sigstore/timestamp-invalid', msg('a duplicate timestamp'))
  if (!timestamps.every((token) => isTimestampOf(envelope.signature, token, root.timestampAuthorities))) {
    throw new SigstoreRefusal(
      'sigstore/timestamp-invalid',
      msg('a timestamp without a signature by a trusted authority'),
    )
  }
}

/**
 * Returns the certificate of the trusted authority that issued this certificate. Both must be valid at each
 * of the times.
 *
 * @throws {SigstoreRefusal} `sigstore/certificate-chain-invalid`, `sigstore/certificate-not-valid-then`
 */
function requireIssuer(
  certificate: Certificate,
  { forCodeSigning }: FulcioCertificate,
  root: TrustedRoot,
  times: readonly number[],
): Certificate {
  const authorities = root.certificateAuthorities.filter(
    ({ chain, inForce }) => within(inForce, certificate.notBefore) && isSoundChain(certificate, chain),
  )
  if (authorities.length === 0)
    throw new SigstoreRefusal(
      'sigstore/certificate-chain-invalid',
      msg('a certificate that no trusted authority issued'),
    )
  if (!forCodeSigning)
    throw new SigstoreRefusal(
      'sigstore/certificate-chain-invalid',
      msg('a certificate that isn’t for signing code'),
    )
  const [issuer] =
    authorities.find(({ chain, inForce }) =>
      times.every((time) => within(inForce, time) && areValidAt([certificate, ...chain], time)),
    )?.chain ?? []
  if (!issuer)
    throw new SigstoreRefusal(
      'sigstore/certificate-not-valid-then',
      times.map((time) => new Date(time).toISOString()).join(', '),
    )
  return issuer
}

/** Throws SigstoreRefusal `sigstore/sct-missing`, `sigstore/sct-duplicate-log`, `sigstore/sct-invalid`. */
function requireCertificateLogged(
  certificate: Certificate,
  { certificateTimestamps }: FulcioCertificate,
  issuer: Certificate,
  root: TrustedRoot,
  least: number,
): void {
  const count = certificateTimestamps.length
  if (count < least)
    throw new SigstoreRefusal('sigstore/sct-missing', msg('{count} certificate timestamps', { count }))
  // Two timestamps of the same log are a single witness.
  if (new Set(certificateTimestamps.map(({ logId }) => logId.toString('hex'))).size < count) {
    throw new SigstoreRefusal(
      'sigstore/sct-duplicate-log',
      msg('{count} certificate timestamps of fewer logs', { count }),
    )
  }
  if (
    !certificateTimestamps.every((timestamp) =>
      isCertificateLogged(timestamp, certificate, issuer, root.certificateLogs),
    )
  ) {
    throw new SigstoreRefusal(
      'sigstore/sct-invalid',
      msg('a certificate timestamp that no trusted certificate log signed'),
    )
  }
}
