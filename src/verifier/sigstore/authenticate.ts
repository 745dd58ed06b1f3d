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

/** How many of each witness a bundle must bring. */
export interface Thresholds {
  readonly logEntries: { readonly least: number; readonly most?: number }
  readonly scts: number
  readonly timestamps: number
}

const ONE_OF_EACH: Thresholds = { logEntries: { least: 1 }, scts: 1, timestamps: 1 }

export interface Authenticated {
  /** Unix ms: when the log, or a timestamp authority, vouches that the signature stood. As many as the thresholds ask for, or more. */
  readonly times: readonly number[]
  /** Those of them that a log vouches for. */
  readonly logTimes: readonly number[]
}

/** How far ahead of ours the log's clock may run. */
const CLOCK_SKEW = 5 * 60_000

/**
 * Authenticates a bundle as the Sigstore client specification says ("Verification"), in the order in which a verdict lists the steps:
 * times, certificate chain, certificate logs, signature, log entries.
 *
 * @param claims what the certificate says, read
 * @param now Unix ms
 * Throws SigstoreRefusal alone: `sigstore/log-entry-*`, `timestamp-*`, `certificate-*`, `sct-*`, `signature-invalid`, `log-*`, and
 * `bundle-malformed` where an extension that is read only here cannot be read.
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
    // What is read only when it is asked for, such as an extension, has no code of its own.
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
  // A time that its log did not sign is no time; that it was claimed ends the verdict at the log, by requireLogged.
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

/** One witness counts once. Throws SigstoreRefusal `sigstore/timestamp-invalid`. */
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
 * The certificate of the trusted authority that issued this one, where both were valid at each of the times.
 * Throws SigstoreRefusal `sigstore/certificate-chain-invalid`, `sigstore/certificate-not-valid-then`.
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
  // Two of one log are one witness counted twice.
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
