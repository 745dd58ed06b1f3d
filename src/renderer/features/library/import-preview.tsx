import { plural, t } from '@lingui/core/macro'
import type { ImportReport } from '../../../shared/library/import-report.ts'
import { formatDateMinute } from '../../ui/format/time.ts'
import styles from './import-dialog.module.css'
import { ImportDetails } from './import-outcome.tsx'

/** The parts that an import would add and leave out, before anything is saved. */
export function ImportPreview({ report }: { report: ImportReport }) {
  const { conversations, messages, from, to } = report
  return (
    <div className={styles.outcome} data-testid="import-preview">
      <p>
        {t`Found ${plural(conversations, { one: '# chat', other: '# chats' })} with ${plural(messages, { one: '# message', other: '# messages' })}. Nothing is saved yet.`}
      </p>
      {from !== undefined && to !== undefined && (
        <p>{t`First: ${formatDateMinute(from)}. Last: ${formatDateMinute(to)}.`}</p>
      )}
      <ImportDetails report={report} stopped={false} />
    </div>
  )
}

/** @returns the sentence for an undone import */
export function undoneText({ removed, remaining }: { removed: number; remaining: number }): string {
  const done = t`Import undone. Deleted ${plural(removed, { one: '# chat', other: '# chats' })}.`
  if (remaining === 0) return done
  const rest = plural(remaining, {
    one: '# chat has new messages and wasn’t deleted.',
    other: '# chats have new messages and weren’t deleted.',
  })
  return `${done} ${rest}`
}
