import { msg } from '../message.ts'
import type { JsonObject } from '../strict-json.ts'
import { matchIn, objectIn, textIn } from '../json-members.ts'
import { readUnambiguousObject } from '../v3/exact-json.ts'
import { EvidenceError, legibleText } from '../text.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import type { ImageRecord } from './types.ts'

const PCR0 = /^[0-9a-f]{96}$/

/** Whether the text is a measurement of an image: 48 bytes of lowercase hex. Zeros aren't one: an enclave in debug mode has them, whatever it runs. */
export function isPcr0(text: string): boolean {
  return PCR0.test(text) && !/^0+$/.test(text)
}

/** Normally one image, and two during a rollover. */
const MAX_ACCEPTED = 4
const MAX_CLAIM = 64
const DATE = /^\d{4}-\d\d-\d\d$/

/**
 * Reads the service's record of the images that it runs. Members that aren't needed are ignored. The record
 * isn't signed: anyone who controls the publisher's repository decides which images it names.
 *
 * @param bytes `{updated, current: {version, source_commit, pcr0}, accepted_pcr0: […]}` as received: hostile
 * @throws {EvidenceError} over 64 KiB, no strict JSON, a member of another form, or a current image that
 * isn't accepted
 */
export function readImageRecord(bytes: Uint8Array): ImageRecord {
  if (bytes.length > MAX_RECORD_BYTES) throw new EvidenceError(msg('{count} bytes', { count: bytes.length }))
  const record = readUnambiguousObject(bytes, 'record')
  const updated = matchIn(record, 'updated', DATE)
  if (!isDate(updated)) throw new EvidenceError(msg('{updated}, which isn’t a date', { updated }))
  const current = objectIn(record, 'current')
  const pcr0 = textIn(current, 'pcr0', 96)
  const accepted = readAccepted(record)
  if (!accepted.includes(pcr0)) throw new EvidenceError(msg('a current image that isn’t accepted'))
  return {
    updated,
    version: legibleText(textIn(current, 'version', MAX_CLAIM)),
    commit: legibleText(textIn(current, 'source_commit', MAX_CLAIM)),
    current: pcr0,
    accepted,
  }
}

function readAccepted({ accepted_pcr0: accepted }: JsonObject): readonly string[] {
  if (!Array.isArray(accepted) || accepted.length < 1 || accepted.length > MAX_ACCEPTED)
    throw new EvidenceError(msg('no list of 1 to {most} accepted images', { most: MAX_ACCEPTED }))
  return accepted.map((pcr0) => {
    if (typeof pcr0 !== 'string' || !isPcr0(pcr0))
      throw new EvidenceError(msg('an accepted image that isn’t 48 bytes of lowercase hex other than zeros'))
    return pcr0
  })
}

/** Whether the calendar has this date, unlike February 30. @param text of the form `YYYY-MM-DD` */
export function isDate(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}
