import { RECORDS_CHANGED, type CoveredTable, type RecordChange } from '../../shared/record-change.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import type { Notice } from '../../shared/status.ts'

const LABELS: Readonly<Record<CoveredTable, LocalizedText>> = {
  settings: msg('settings and pins'),
  enclaves: msg('accepted releases'),
  verified_enclaves: msg('verification history'),
  collateral: msg('revocation lists'),
  local_keys: msg('local keys'),
  spending_days: msg('spending of local keys'),
  spending_holds: msg('reserved spending of local keys'),
  payments: msg('payments'),
  paid_hosts: msg('previously paid hosts'),
  topups: msg('top-ups'),
  jobs: msg('jobs'),
  job_parts: msg('batch rows'),
  projects: msg('projects'),
  project_documents: msg('documents of projects'),
  tool_servers: msg('tool servers'),
  tool_calls: msg('tool calls'),
}

/** @returns null if there are no changes */
export function recordsNotice(changes: readonly RecordChange[]): Notice | null {
  if (changes.length === 0) return null
  const message = msg(
    'Saved records were changed outside Sotto ({changes}). Private chats, local keys, and payments are off until you accept the records.',
    { changes: changes.flatMap(describe) },
  )
  return { id: RECORDS_CHANGED, says: message, lasting: true }
}

/** The question for the person, asked outside the window. */
export function acceptQuestion(changes: readonly RecordChange[]): LocalizedText {
  return msg(
    'Accept the saved records as they are now ({changes})? Pins, limits, revoked keys or payments that are missing can’t be recovered.',
    { changes: changes.flatMap(describe) },
  )
}

function describe({ table, rows }: RecordChange): LocalizedText {
  if (table === 'root') return msg('the seal over all records is missing, invalid or out of date')
  const records = LABELS[table]
  if (rows < 0)
    return msg('{records}: {count, plural, one {# record missing} other {# records missing}}', {
      records,
      count: -rows,
    })
  if (rows > 0)
    return msg('{records}: {count, plural, one {# record added} other {# records added}}', {
      records,
      count: rows,
    })
  return msg('{records}: content changed', { records })
}
