import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { dayOf, type Days } from '../../ui/day-range.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { saveText } from '../../ui/save-file.ts'
import { useAction } from '../../ui/use-action.ts'
import { teamApi } from '../team-api.ts'
import styles from './activity.module.css'
import { exportName, type ActivityFilter } from './activity-filter.ts'

/** Saves all requests that pass the filter as a file, not only those on screen. */
export function ExportActivity({ filter, days }: { filter: ActivityFilter; days: Days }) {
  const [complete, setComplete] = useState<boolean>()
  const save = useAction(async () => {
    setComplete(undefined)
    const saved = await teamApi.activity.export(filter)
    saveText(exportName(days, dayOf(Date.now())), 'text/csv;charset=utf-8', saved.csv)
    setComplete(saved.complete)
    announce(outcomeOf(saved.complete))
  })
  return (
    <div className={styles.export}>
      <Button onClick={() => void save.run()} busy={save.busy && t`Exporting…`}>
        <Trans>Export as CSV</Trans>
      </Button>
      {complete !== undefined && <p>{outcomeOf(complete)}</p>}
      {save.failure && <FailureNote failure={save.failure} className={styles.failed} />}
    </div>
  )
}

function outcomeOf(complete: boolean): string {
  return complete
    ? t`Saved all filtered requests.`
    : t`Saved the newest requests only, because there are too many. Choose a shorter range.`
}
