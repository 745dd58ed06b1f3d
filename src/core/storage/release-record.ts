import { z } from 'zod'
import { releaseKey } from '../../shared/release-key.ts'
import type { Verdict } from '../../shared/verdict.ts'

/** Releases beyond this number need consent again. */
const MOST_TRUSTED = 200

/** The releases of one enclave, by which a rollback or a replacement is detected. */
export const releaseRecordSchema = z.object({
  newest: z.object({ tag: z.string(), digest: z.string(), logTime: z.number() }).nullable(),
  /** Digests of older releases that the user consented to, in addition to this newest one. */
  acceptedOlder: z.array(z.string()),
  /** Releases that a successful verdict or the user accepted, the last one last. Absent in schema 1. */
  trusted: z.array(z.string()).default([]),
})
export type ReleaseRecord = z.infer<typeof releaseRecordSchema>

/** Of an enclave that was never verified. */
export const noRelease: ReleaseRecord = { newest: null, acceptedOlder: [], trusted: [] }

/** Returns the record after a successful verdict; the same one if nothing changes. */
export function withVerdict(before: ReleaseRecord, verdict: Verdict): ReleaseRecord {
  const { good, release } = verdict
  const accepted = releaseKey(verdict)
  if (!good || accepted === undefined) return before
  const after = withTrust(before, accepted)
  const logTime = release?.loggedAt
  // The consent was for a step back from the release that was newest then. A newer release needs consent
  // again.
  return release && logTime !== undefined && (before.newest?.logTime ?? -Infinity) < logTime
    ? { ...after, newest: { tag: release.tag, digest: release.digest, logTime }, acceptedOlder: [] }
    : after
}

/** Returns the record after consent to an older release, which also trusts it. */
export function withOlder(before: ReleaseRecord, digest: string): ReleaseRecord {
  const record = withTrust(before, digest)
  return record.acceptedOlder.includes(digest)
    ? record
    : { ...record, acceptedOlder: [...record.acceptedOlder, digest] }
}

/** Returns the record with a trusted release, as `releaseKey` names it. */
export function withTrust(record: ReleaseRecord, release: string): ReleaseRecord {
  return record.trusted.includes(release)
    ? record
    : { ...record, trusted: [...record.trusted, release].slice(-MOST_TRUSTED) }
}

/** Whether a successful verdict or the user accepted this release, as `releaseKey` names it. */
export function isTrusted({ newest, acceptedOlder, trusted }: ReleaseRecord, release: string): boolean {
  return newest?.digest === release || acceptedOlder.includes(release) || trusted.includes(release)
}
