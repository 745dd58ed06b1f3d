import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LibraryBig } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { JobKind } from '../../../../shared/job-ask.ts'
import { jobKinds } from '../../../../shared/job-ask.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { kindNames } from '../../../ui/jobs/job-words.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import { UndoJobs } from '../../../ui/jobs/undo-jobs.tsx'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { SelectField } from '../../../ui/select.tsx'
import { JobDialog } from './job-dialog.tsx'
import { LibraryActions } from './library-actions.tsx'
import { LibraryGrid } from './library-grid.tsx'
import styles from './library.module.css'
import { StorageUse } from './storage-use.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** All jobs of the library, to search, view, save and delete. */
export function LibraryTab() {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<JobKind>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [shownId, setOpenId] = useState<string>()
  const asked = useDeferredValue(text)
  const list = useJobList(kind && [kind], asked)
  const { jobs, failure, busy, more, older, again } = list
  const open = useJobs()[shownId ?? '']
  // A removed job is no longer selected.
  const selected = (jobs ?? []).filter(({ id }) => chosen.has(id))
  const found = jobs?.length ?? 0
  const choose = (jobId: string) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(jobId)) next.add(jobId)
      return next
    })
  const filtered = text.trim() !== '' || kind !== undefined
  return (
    <div className={styles.tab}>
      <div className={styles.find} role="search">
        <Field
          label={t`Search`}
          type="search"
          value={text}
          maxLength={500}
          onChange={(event) => setText(event.target.value)}
          placeholder={t`Prompt, title, model, or file`}
        />
        <SelectField
          label={t`Type`}
          value={kind ?? ''}
          onChange={(event) => setKind(jobKinds.find((each) => each === event.target.value))}
        >
          <option value="">{t`All types`}</option>
          {jobKinds.map((each) => (
            <option key={each} value={each}>
              {kindNames[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <StorageUse />
      {failure && <FailureNote failure={failure} onRetry={again} />}
      {!jobs && !failure && <Skeleton label={t`Loading…`} />}
      {jobs && (
        <p className={styles.quiet} role="status" data-testid="found">
          {more
            ? plural(found, { one: 'The newest item', other: 'The newest # items' })
            : plural(found, { one: '# item', other: '# items' })}
        </p>
      )}
      {jobs?.length === 0 && !failure && (
        <EmptyState
          icon={LibraryBig}
          {...(filtered
            ? { title: t`No matches` }
            : {
                title: t`Nothing here yet`,
                description: t`Images, videos, speech, transcripts, and lookups that you request appear here.`,
              })}
        >
          {filtered && (
            <Button
              onClick={() => {
                setText('')
                setKind(undefined)
              }}
            >
              <Trans>Clear filters</Trans>
            </Button>
          )}
        </EmptyState>
      )}
      {jobs && jobs.length > 0 && (
        <>
          <LibraryActions jobs={jobs} selected={selected} onSelect={setChosen} />
          <LibraryGrid
            jobs={jobs}
            chosen={chosen}
            onChoose={choose}
            onOpen={({ id }) => setOpenId(id)}
            onNearEnd={older}
          />
          {more && (
            <p className={styles.more}>
              <Button onClick={older} busy={busy && t`Loading more…`}>
                <Trans>Show older</Trans>
              </Button>
            </p>
          )}
        </>
      )}
      <UndoJobs />
      {open && <JobDialog job={open} onClose={() => setOpenId(undefined)} />}
    </div>
  )
}
