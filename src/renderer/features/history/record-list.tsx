import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useMemo, useRef, type UIEvent } from 'react'
import { Virtualizer } from 'virtua'
import { joinedSums, linesOf, type JoinedSums } from '../../../shared/history.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatCount } from '../../ui/format/number.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { showHistory, useHistoryFilter, useHistoryList } from './history-store.ts'
import styles from './record-list.module.css'
import { MissingRow, RecordRow } from './record-row.tsx'

/** From here on to the end, in pixels, older ones are fetched. */
const NEAR_END = 600

/** The service's records and receipts that it doesn't have, the newest first. Older ones are added at the end, and move nothing. */
export function RecordList() {
  const filter = useHistoryFilter()
  const { records, missing, failure, unreadable, total, older } = useHistoryList()
  return (
    <Section
      title={t`Requests`}
      description={t`As recorded by the service. Privacy appears only if exactly one receipt on this computer matches by key, model, tokens, and time. Receipts that the service has no record of are listed too.`}
    >
      {failure && (
        <FailureNote
          failure={failure}
          className={styles.note}
          onRetry={() => (records ? older() : showHistory(filter))}
        />
      )}
      {!records && !failure && <Skeleton label={t`Loading requests…`} />}
      {records && records.length + missing.length === 0 && !failure && <Nothing />}
      {records && records.length + missing.length > 0 && <Lines />}
      {records && records.length > 0 && (
        <p className={styles.quiet} data-testid="shown">
          {total === null
            ? t`Showing ${formatCount(records.length + missing.length)}`
            : t`Showing ${formatCount(records.length + missing.length)} of ${formatCount(Math.max(total, records.length) + missing.length)}`}
          {unreadable > 0 && (
            <>
              ; <Trans>{formatCount(unreadable)} more couldn’t be read</Trans>
            </>
          )}
        </p>
      )}
      {records && records.length + missing.length > 0 && <Sums />}
    </Section>
  )
}

/** Both sides of the listed requests: the sum by the service, by receipts, and the difference; and receipts that the service doesn't have. */
function Sums() {
  const { records = [], missing, uncompared } = useHistoryList()
  const sums = joinedSums(records, missing)
  const sentences = [comparisonOf(sums), missingOf(sums), uncomparedOf(uncompared)].filter(
    (sentence) => sentence !== undefined,
  )
  if (sentences.length === 0) return null
  return (
    <p className={styles.quiet} data-testid="sums">
      {sentences.join(' ')}
    </p>
  )
}

function comparisonOf({ compared, byService, byReceipts, differing }: JoinedSums): string | undefined {
  if (compared === 0) return undefined
  const [service, receipts] = [formatRecordedUsd(String(byService)), formatRecordedUsd(String(byReceipts))]
  const both = plural(compared, {
    one: `# request with a receipt: ${service} by the service, ${receipts} by the receipt.`,
    other: `# requests with a receipt: ${service} by the service, ${receipts} by receipts.`,
  })
  if (differing === 0) return both
  const difference = byService - byReceipts
  const amount = formatRecordedUsd(String(difference < 0n ? -difference : difference))
  const count = plural(differing, {
    one: '# cost differs from its receipt',
    other: '# costs differ from their receipts',
  })
  const differs =
    difference === 0n
      ? t`${count}.`
      : difference > 0n
        ? t`${count}: the service charged ${amount} more.`
        : t`${count}: the service charged ${amount} less.`
  return `${both} ${differs}`
}

function missingOf({ missing, missingCost }: JoinedSums): string | undefined {
  const amount = formatRecordedUsd(String(missingCost))
  return missing === 0
    ? undefined
    : plural(missing, {
        one: `# request with a receipt isn’t in the service’s history: ${amount}.`,
        other: `# requests with a receipt aren’t in the service’s history: ${amount}.`,
      })
}

function uncomparedOf(uncompared: number | null): string | undefined {
  if (uncompared === null) return t`Receipts without a record aren’t listed for this selection.`
  return uncompared === 0
    ? undefined
    : plural(uncompared, {
        one: '# more receipt can’t be matched to exactly one request.',
        other: '# more receipts can’t be matched to exactly one request.',
      })
}

function Nothing() {
  const filter = useHistoryFilter()
  const any = Object.keys(filter).length > 0
  return (
    <EmptyState title={any ? t`No matching requests` : t`No requests with this account yet`}>
      {any && (
        <Button onClick={() => showHistory({})}>
          <Trans>Show all requests</Trans>
        </Button>
      )}
    </EmptyState>
  )
}

function Lines() {
  const filter = useHistoryFilter()
  const { records, missing, more, busy, older } = useHistoryList()
  const lines = useMemo(() => linesOf(records ?? [], missing), [records, missing])
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The braces matter: some browsers return a promise, which an effect must not return.
    scroller.current?.scrollTo({ top: 0 })
  }, [filter])
  const scrolled = ({
    currentTarget: { scrollTop, scrollHeight, clientHeight },
  }: UIEvent<HTMLDivElement>) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) older()
  }
  return (
    <div
      className={styles.scroller}
      ref={scroller}
      onScroll={scrolled}
      role="region"
      aria-label={t`Request list`}
      tabIndex={0}
    >
      <Virtualizer scrollRef={scroller} data={lines} as="ul" item="li">
        {(line, index) =>
          'record' in line ? (
            <RecordRow key={index} record={line.record} />
          ) : (
            <MissingRow key={index} missing={line.missing} />
          )
        }
      </Virtualizer>
      {more && (
        <p className={styles.older}>
          <Button onClick={older} busy={busy && t`Loading more…`}>
            <Trans>Load older requests</Trans>
          </Button>
        </p>
      )}
    </div>
  )
}
