import type { AttestationCode } from '../codes.ts'
import type { ImageRule } from '../policy.ts'
import { msg } from '../message.ts'
import type { Verdict } from '../contract.ts'
import { fail, passUnless, type Finding } from '../steps.ts'
import { EvidenceError, type Text } from '../text.ts'
import { isDate, readImageRecord, isPcr0 } from './image-record.ts'
import type { ImageAcceptance, ImageRecord } from './types.ts'

type Published = Extract<ImageAcceptance, { readonly rule: 'published' }>
type AcceptedImage = NonNullable<Verdict['image']>

/** A date without a time can be ahead of this clock by a time zone. A date further ahead would make every later record look old. */
const MAX_AHEAD_MS = 2 * 24 * 60 * 60_000

/**
 * Reads the service's record, and refuses it if it's older than one that was seen before. An attacker who can replace the record could
 * name an image that the service no longer runs.
 * Fails with `service-enclave/record-unreachable`, `…/record-malformed`, `…/record-in-future` or `…/record-older`.
 */
export function checkRecord(
  { record: bytes, newestSeen }: Published,
  now: number,
): Finding<{ readonly record: ImageRecord }> {
  const expected =
    newestSeen === undefined
      ? msg('a record of 1 to 4 images')
      : msg('a record of 1 to 4 images, of {date} or later', { date: newestSeen })
  if (bytes === null) return fail('service-enclave/record-unreachable', expected, msg('no record'))
  const record = readOrFail(expected, bytes)
  const observed = msg('a record of {date}', { date: record.updated })
  if (Date.parse(`${record.updated}T00:00:00Z`) > now + MAX_AHEAD_MS)
    return fail('service-enclave/record-in-future', expected, observed)
  // Dates of this form compare as text. A remembered value of another form can't be compared, so it refuses the record.
  const older = newestSeen !== undefined && (!isDate(newestSeen) || record.updated < newestSeen)
  return passUnless(older ? 'service-enclave/record-older' : undefined, expected, observed, { record })
}

function readOrFail(expected: Text, bytes: Uint8Array): ImageRecord {
  try {
    return readImageRecord(bytes)
  } catch (error) {
    if (error instanceof EvidenceError)
      return fail('service-enclave/record-malformed', expected, error.observed)
    throw error
  }
}

const refusals: Readonly<Record<ImageRule, AttestationCode>> = {
  published: 'service-enclave/image-not-published',
  approved: 'service-enclave/image-not-approved',
  proven: 'service-enclave/image-not-proven',
}

/**
 * Compares the measured image with those that are accepted. PCR0 covers the whole image, so no other register is needed.
 * Fails with `service-enclave/image-missing` or the code of the rule.
 *
 * @param pcr0 lowercase hex from an authenticated document; undefined if the register isn't there or doesn't have 48 bytes
 * @param record only with the rule `published`
 */
export function checkAcceptance(
  pcr0: string | undefined,
  images: ImageAcceptance,
  record: ImageRecord | undefined,
): Finding<{ readonly image: AcceptedImage }> {
  const accepted = acceptedImages(images, record)
  const expected = accepted.length > 0 ? `PCR0 ${accepted.join(', ')}` : msg('no image is accepted')
  if (pcr0 === undefined) return fail('service-enclave/image-missing', expected, msg('no PCR0 of 48 bytes'))
  return passUnless(
    isPcr0(pcr0) && accepted.includes(pcr0) ? undefined : refusals[images.rule],
    expected,
    `PCR0 ${pcr0}`,
    { image: describeImage(pcr0, images, record) },
  )
}

function acceptedImages(images: ImageAcceptance, record: ImageRecord | undefined): readonly string[] {
  switch (images.rule) {
    case 'published':
      return record?.accepted ?? []
    case 'approved':
      return images.images
    case 'proven':
      return images.images.map(({ pcr0 }) => pcr0)
  }
}

/** The record's version and commit are those of its current image, and of no other that it accepts. */
function describeImage(
  pcr0: string,
  images: ImageAcceptance,
  record: ImageRecord | undefined,
): AcceptedImage {
  const { rule } = images
  if (rule === 'published' && record?.current === pcr0)
    return { rule, version: record.version, commit: record.commit }
  const proven = rule === 'proven' ? images.images.find((image) => image.pcr0 === pcr0) : undefined
  return { rule, ...(proven && { commit: proven.commit }) }
}
