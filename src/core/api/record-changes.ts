import { RECORDS_CHANGED, type CoveredTable, type RecordChange } from '../../shared/record-change.ts'
import { say, type Said } from '../../shared/say.ts'
import type { Notice } from '../../shared/status.ts'

const LABELS: Readonly<Record<CoveredTable, Said>> = {
  settings: say('settings and pins'),
  enclaves: say('accepted releases'),
  verified_enclaves: say('verification history'),
  collateral: say('revocation lists'),
  local_keys: say('local keys'),
  spending_days: say('spending of local keys'),
  spending_holds: say('reserved spending of local keys'),
  payments: say('payments'),
  paid_hosts: say('previously paid hosts'),
  topups: say('top-ups'),
  jobs: say('jobs'),
  job_parts: say('batch rows'),
}

/** @returns null if there are no changes */
export function recordsNotice(changes: readonly RecordChange[]): Notice | null {
  if (changes.length === 0) return null
  const says = say(
    'Saved records were changed outside Sotto ({changes}). Private chats, local keys, and payments are off until you accept the records.',
    { changes: changes.flatMap(describe) },
  )
  return { id: RECORDS_CHANGED, says, lasting: true }
}

/** The question that is put to the person outside the window. */
export function acceptQuestion(changes: readonly RecordChange[]): Said {
  return say(
    'Accept the saved records as they are now ({changes})? Pins, limits, revoked keys or payments that are missing can’t be recovered.',
    { changes: changes.flatMap(describe) },
  )
}

function describe({ table, rows }: RecordChange): Said {
  if (table === 'root') return say('the seal over all records is missing, invalid or out of date')
  const records = LABELS[table]
  if (rows < 0)
    return say('{records}: {count, plural, one {# record missing} other {# records missing}}', {
      records,
      count: -rows,
    })
  if (rows > 0)
    return say('{records}: {count, plural, one {# record added} other {# records added}}', {
      records,
      count: rows,
    })
  return say('{records}: content changed', { records })
}
