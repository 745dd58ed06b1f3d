import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { HistoryFilter } from '../../../shared/history.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { asFailure } from '../../ui/failure.ts'
import { formatCount } from '../../ui/format/number.ts'
import { saveBlob } from '../../ui/save-file.ts'
import { dayOf } from '../../ui/day-range.ts'
import styles from './export-buttons.module.css'
import { useHistoryFilter } from './history-store.ts'

type Format = 'csv' | 'json'

const types: Readonly<Record<Format, string>> = { csv: 'text/csv;charset=utf-8', json: 'application/json' }

/** Exports the whole range as a file: every query that passes the filters, not only those on screen. */
export function ExportButtons() {
  const filter = useHistoryFilter()
  const [progress, setProgress] = useState<{ read: number; of: number | null }>()
  const [failure, setFailure] = useState<Failure>()
  const [outcome, setOutcome] = useState<{ readonly filter: HistoryFilter; readonly message: string }>()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const save = async (format: Format) => {
    const stopped = new AbortController()
    stop.current = stopped
    setProgress({ read: 0, of: null })
    setFailure(undefined)
    setOutcome(undefined)
    try {
      const { parts, records, unreadable } = await fetchAll(filter, format, stopped.signal, setProgress)
      saveBlob(
        `sotto-history-${filter.from ?? 'all'}-${filter.until ?? dayOf(Date.now())}.${format}`,
        new Blob(parts, { type: types[format] }),
      )
      const message =
        unreadable > 0
          ? t`Saved ${plural(records, { one: '# request', other: '# requests' })}; ${formatCount(unreadable)} couldn’t be read`
          : plural(records, { one: 'Saved # request', other: 'Saved # requests' })
      setOutcome({ filter, message })
      announce(message)
    } catch (thrown) {
      if (!stopped.signal.aborted) setFailure(asFailure(thrown))
      else setOutcome({ filter, message: t`Stopped. Nothing was saved.` })
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <div className={styles.export}>
      <div className={styles.line}>
        <span className={styles.says}>
          <Trans>Export filtered requests:</Trans>
        </span>
        <Button onClick={() => void save('csv')} disabled={progress !== undefined}>
          <Trans>Save as CSV</Trans>
        </Button>
        <Button onClick={() => void save('json')} disabled={progress !== undefined}>
          <Trans>Save as JSON</Trans>
        </Button>
        {progress && (
          <>
            <progress
              value={progress.of === null ? undefined : progress.read}
              max={Math.max(progress.of ?? 1, 1)}
              aria-label={t`Requests exported`}
            />
            <span className={styles.says}>
              {progress.of === null
                ? t`Loading…`
                : t`${formatCount(progress.read)} of ${formatCount(progress.of)}`}
            </span>
            <Button onClick={() => stop.current?.abort()}>
              <Trans>Stop</Trans>
            </Button>
          </>
        )}
        {!progress && outcome?.filter === filter && <span className={styles.says}>{outcome.message}</span>}
      </div>
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

async function fetchAll(
  filter: HistoryFilter,
  format: Format,
  signal: AbortSignal,
  onProgress: (progress: { read: number; of: number }) => void,
): Promise<{ parts: string[]; records: number; unreadable: number }> {
  const parts: string[] = []
  for await (const event of await api.history.export({ filter, format }, { signal })) {
    signal.throwIfAborted()
    if (event.type === 'text') parts.push(event.text)
    else if (event.type === 'progress') onProgress(event)
    else return { parts, records: event.records, unreadable: event.unreadable }
  }
  signal.throwIfAborted()
  // A file that ended early isn't valid.
  throw new Error('the export did not end')
}
