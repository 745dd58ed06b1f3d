import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, type UIEvent } from 'react'
import { Virtualizer } from 'virtua'
import { receiptDifference, type HistoryRecord } from '../../../shared/history.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatCount } from '../../ui/format/number.ts'
import { Section } from '../../ui/room.tsx'
import { choosePreset } from './filters.tsx'
import { older, openHistory, useHistory } from './history-store.ts'
import styles from './record-list.module.css'
import { RecordRow } from './record-row.tsx'

/** From here on to the end, in pixels, older ones are fetched. */
const NEAR_END = 600

/** The service's records, the newest first. What is older comes at the end, and moves nothing. */
export function RecordList() {
  const { filter, records, failure, busy, unreadable, total } = useHistory()
  return (
    <Section title={t`Requests`} says={t`As recorded by the service. Privacy appears only if exactly one receipt on this computer matches by key, model, tokens, and time.`}>
      {failure && <FailureNote failure={failure} className={styles.note}><Button onClick={() => (records ? void older() : openHistory(filter))} disabled={busy}><Trans>Try again</Trans></Button></FailureNote>}
      {!records && !failure && <p className={styles.quiet} role="status"><Trans>Loading requests…</Trans></p>}
      {records?.length === 0 && !failure && <Nothing />}
      {records && records.length > 0 && <Lines />}
      {records && records.length > 0 && (
        <p className={styles.quiet} data-testid="shown">
          {total === null ? t`Showing ${formatCount(records.length)}` : t`Showing ${formatCount(records.length)} of ${formatCount(Math.max(total, records.length))}`}
          <Differences records={records} />
          {unreadable > 0 && <>; <Trans>{formatCount(unreadable)} more couldn’t be read</Trans></>}
        </p>
      )}
    </Section>
  )
}

/** What the listed requests cost more, or less, than their receipts say. */
function Differences({ records }: { records: readonly HistoryRecord[] }) {
  const differences = records.flatMap((record) => receiptDifference(record) ?? [])
  if (differences.length === 0) return null
  const sum = differences.reduce((total, each) => total + each, 0n)
  const amount = formatRecordedUsd(String(sum < 0n ? -sum : sum))
  const differing = differences.length
  const count = plural(differing, { one: '# cost differs from its receipt', other: '# costs differ from their receipts' })
  return <>; <span data-testid="differences">{sum === 0n ? count : sum > 0n ? t`${count}: the service charged ${amount} more` : t`${count}: the service charged ${amount} less`}</span></>
}

function Nothing() {
  const filter = useHistory((state) => state.filter)
  const any = Object.keys(filter).length > 0
  return (
    <div className={styles.nothing}>
      <p>{any ? t`No matching requests` : t`No requests with this account yet`}</p>
      {any && <Button onClick={() => choosePreset({}, 'all')}><Trans>Show all requests</Trans></Button>}
    </div>
  )
}

function Lines() {
  const { records = [], next, busy, filter } = useHistory()
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In braces: some browsers answer with a promise, which is no clean-up.
    scroller.current?.scrollTo({ top: 0 })
  }, [filter])
  const scrolled = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent<HTMLDivElement>) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) void older()
  }
  return (
    <div className={styles.scroller} ref={scroller} onScroll={scrolled} role="region" aria-label={t`Request list`} tabIndex={0}>
      <Virtualizer scrollRef={scroller} data={records} as="ul" item="li">
        {(record, index) => <RecordRow key={index} record={record} />}
      </Virtualizer>
      {next !== null && <p className={styles.older}><Button onClick={() => void older()} busy={busy && t`Loading more…`}><Trans>Load older requests</Trans></Button></p>}
    </div>
  )
}
