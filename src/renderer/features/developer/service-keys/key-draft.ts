import { plural, t } from '@lingui/core/macro'
import { decimalUsd, parseUsd } from '../../../../shared/money.ts'
import type { resetPeriods, ServiceKey } from '../../../../shared/service-key.ts'
import { dateFieldOf } from '../../../ui/keys/key-draft.ts'
import type { KeyChange, KeyTerms } from './keys-store.ts'

export type ResetPeriod = (typeof resetPeriods)[number]

/** The texts of a key's form, valid or not. */
export interface KeyDraft {
  readonly name: string
  readonly hasCap: boolean
  /** In dollars. */
  readonly cap: string
  readonly resetPeriod: ResetPeriod | null
  /** Local time in the format of a date field; empty: never. */
  readonly expires: string
}

export type DraftFaults = Partial<Record<'name' | 'cap' | 'expires', string>>

export const emptyDraft: KeyDraft = {
  name: '',
  hasCap: true,
  cap: '5.00',
  resetPeriod: 'monthly',
  expires: '',
}

/** Values that the service didn't report count as none. */
export function draftOf({ name, cap, resetPeriod, expiresAt }: ServiceKey): KeyDraft {
  const known = typeof cap === 'string'
  return {
    name,
    hasCap: known,
    cap: known ? decimalUsd(BigInt(cap)) : emptyDraft.cap,
    resetPeriod: resetPeriod ?? null,
    expires: typeof expiresAt === 'number' ? dateFieldOf(expiresAt) : '',
  }
}

export const NAME_MOST = 25
/** Specification, Limits: a cap is at least 0.01 USD. */
const CAP_LEAST = 10n ** 10n
const DOLLARS = /^\d{1,9}(\.\d{1,6})?$/
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** The fault of a name; none while the name is empty. `taken`: names of other keys. */
export function nameFault(name: string, otherNames: readonly string[]): string | undefined {
  const excess = name.length - NAME_MOST
  if (excess > 0)
    return plural(excess, {
      one: 'Names can have up to 25 characters. Remove # character.',
      other: 'Names can have up to 25 characters. Remove # characters.',
    })
  if (INVISIBLE.test(name)) return t`Use visible characters only.`
  return otherNames.includes(name.trim()) ? t`Another key already has this name.` : undefined
}

type ReadDraft =
  | { readonly terms: KeyTerms & { readonly name: string }; readonly faults?: undefined }
  | { readonly terms?: undefined; readonly faults: DraftFaults }

/**
 * The key of a draft, or its faults by field. A key that has expired can be changed without extending it.
 * @param now Unix ms
 * @param before the draft of the key that is edited
 */
export function readDraft(
  draft: KeyDraft,
  otherNames: readonly string[],
  now: number,
  before?: KeyDraft,
): ReadDraft {
  const faults: DraftFaults = {}
  const name = draft.name.trim()
  const fault =
    name === '' ? t`Enter a name, such as what the key is for.` : nameFault(draft.name, otherNames)
  if (fault !== undefined) faults.name = fault
  const { cap, resetPeriod } = capOf(draft)
  if (cap === undefined) faults.cap = t`Enter dollars with a decimal point, 0.01 or more, such as 5.00.`
  const expiresAt = draft.expires === '' ? null : new Date(draft.expires).getTime()
  if (expiresAt !== null && draft.expires !== before?.expires && !(expiresAt > now))
    faults.expires = t`This time has passed. Choose a later one.`
  if (cap === undefined || Object.keys(faults).length > 0) return { faults }
  return { terms: { name, cap, resetPeriod, expiresAt } }
}

/**
 * The changes of an edit: null clears a value, and an absent member stays unchanged. Empty if nothing
 * changes.
 */
export function changeOf(
  before: KeyDraft,
  after: KeyDraft,
  { name, cap = null, resetPeriod = null, expiresAt = null }: KeyTerms,
): KeyChange {
  const previous = capOf(before)
  return {
    ...(name !== before.name && { name }),
    ...(cap !== (previous.cap ?? null) && { cap }),
    ...(resetPeriod !== previous.resetPeriod && { resetPeriod }),
    // The field has only minutes: an expiry that the user didn't edit keeps its seconds.
    ...(before.expires !== after.expires && { expiresAt }),
  }
}

/** A reset period needs a cap. The cap is undefined if it's faulty. */
function capOf({ hasCap, cap: typed, resetPeriod }: KeyDraft): {
  cap: string | null | undefined
  resetPeriod: KeyDraft['resetPeriod']
} {
  const cap = hasCap ? readCap(typed) : null
  return { cap, resetPeriod: cap === null ? null : resetPeriod }
}

function readCap(typed: string): string | undefined {
  const text = typed.trim().replace(/^\$\s*/, '')
  const pico = DOLLARS.test(text) ? parseUsd(text) : null
  if (pico === null || pico < CAP_LEAST) return undefined
  return decimalUsd(pico)
}
