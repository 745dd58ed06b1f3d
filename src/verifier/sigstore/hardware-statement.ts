import { msg } from '../message.ts'
import { isJsonObject } from '../strict-json.ts'
import { SigstoreRefusal } from './refusal.ts'
import { measurementOf, type Statement } from './statement.ts'

/** Virtual hardware by the name of its kind: the only predicate that MRTD and RTMR0 are read from. */
export const HARDWARE_PREDICATE = 'https://tinfoil.sh/predicate/hardware-measurements/v1'

const MAX_ENTRIES = 1024

export interface HardwareEntry {
  /** The kind, and the digest of the file that lists it: `kind@digest`. */
  readonly id: string
  readonly mrtd: string
  readonly rtmr0: string
}

/**
 * The entries of an authenticated statement, `{kind: {mrtd, rtmr0}}`. One that is malformed spoils them all.
 * Throws SigstoreRefusal `sigstore/predicate-type`, `sigstore/predicate-member-missing`.
 */
export function readHardware({ predicateType, predicate }: Statement, digest: string): HardwareEntry[] {
  if (predicateType !== HARDWARE_PREDICATE)
    throw new SigstoreRefusal('sigstore/predicate-type', predicateType)
  const kinds = isJsonObject(predicate) ? Object.entries(predicate) : []
  if (kinds.length === 0 || kinds.length > MAX_ENTRIES)
    throw new SigstoreRefusal(
      'sigstore/predicate-member-missing',
      msg('{count} kinds of hardware', { count: kinds.length }),
    )
  return kinds.map(([kind, members]) => {
    if (!isJsonObject(members)) throw new SigstoreRefusal('sigstore/predicate-member-missing', kind)
    return {
      id: `${kind}@${digest}`,
      mrtd: measurementOf(members, 'mrtd'),
      rtmr0: measurementOf(members, 'rtmr0'),
    }
  })
}
