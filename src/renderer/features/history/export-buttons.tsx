import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { HistoryEvent } from '../../../shared/contract/history.ts'
import type { HistoryFilter } from '../../../shared/history.ts'
import { useSaving } from '../../files/use-saving.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatCount } from '../../ui/format/number.ts'
import { dayOf } from '../../ui/day-range.ts'
import styles from './export-buttons.module.css'
import { useHistoryFilter } from './history-store.ts'

type Format = 'csv' | 'json'

const types: Readonly<Record<Format, string>> = { csv: 'text/csv;charset=utf-8', json: 'application/json' }

/** Exports the whole range as a file: every query that passes the filters, not only those on screen. */
export function ExportButtons() {
  const filter = useHistoryFilter()
  const { progress, failure, outcome, save, stop } = useSaving(outcomeOf)
  const [saved, setSaved] = useState<HistoryFilter>()
  const saveAs = (format: Format) => {
    setSaved(filter)
    const name = `sotto-history-${filter.from ?? 'all'}-${filter.until ?? dayOf(Date.now())}.${format}`
    void save(name, types[format], (signal) => api.history.export({ filter, format }, { signal }))
  }
  return (
    <div className={styles.export}>
      <div className={styles.line}>
        <span className={styles.says}>
          <Trans>Export filtered requests:</Trans>
        </span>
        <Button onClick={() => saveAs('csv')} disabled={progress !== undefined}>
          <Trans>Save as CSV</Trans>
        </Button>
        <Button onClick={() => saveAs('json')} disabled={progress !== undefined}>
          <Trans>Save as JSON</Trans>
        </Button>
        {progress && (
          <>
            <progress
              value={progress.of === 0 ? undefined : progress.done}
              max={Math.max(progress.of, 1)}
              aria-label={t`Requests exported`}
            />
            <span className={styles.says}>
              {progress.of === 0
                ? t`Loading…`
                : t`${formatCount(progress.done)} of ${formatCount(progress.of)}`}
            </span>
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          </>
        )}
        {!progress && saved === filter && outcome !== '' && <span className={styles.says}>{outcome}</span>}
      </div>
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

function outcomeOf({ records, unreadable }: Extract<HistoryEvent, { type: 'ended' }>): string {
  return unreadable > 0
    ? t`Saved ${plural(records, { one: '# request', other: '# requests' })}; ${formatCount(unreadable)} couldn’t be read`
    : plural(records, { one: 'Saved # request', other: 'Saved # requests' })
}
