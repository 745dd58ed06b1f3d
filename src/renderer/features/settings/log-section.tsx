import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import type { LogEntry } from '../../../shared/log-events.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useWatch } from '../../data/use-watch.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatDateTime } from '../../ui/format/time.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { SelectField } from '../../ui/select.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './log-section.module.css'

/** The core stores at most this many of its last log lines. */
const MOST = 2000

/** The log since this start, which contains only fixed words and numbers, and a text of it for a report. */
export function LogSection() {
  const [open, setOpen] = useState(false)
  const copy = useAction(async () => {
    const { text } = await api.diagnostics.report()
    await copyText(text)
    announce(t`Report copied`)
  })
  return (
    <Section
      title={t`Log`}
      description={
        <Trans>
          Sotto’s activity since it started: times, states, and codes. The log contains no messages, prompts,
          keys, amounts, or addresses, so there’s nothing to redact. It stays in memory unless you start Sotto
          with a log file.
        </Trans>
      }
    >
      <div className={styles.actions}>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <Trans>Hide log</Trans> : <Trans>Show log</Trans>}
        </Button>
        <Button onClick={() => void copy.run()} busy={copy.busy && t`Copying…`}>
          <Trans>Copy report</Trans>
        </Button>
      </div>
      {copy.failure && <FailureNote failure={copy.failure} className={styles.note} />}
      {open && (
        <ServiceScope>
          <Lines />
        </ServiceScope>
      )}
    </Section>
  )
}

const kinds = ['all', 'warn', 'error'] as const
type Kind = (typeof kinds)[number]
const kindWords: Readonly<Record<Kind, string>> = {
  get all() {
    return t`All`
  },
  get warn() {
    return t`Warnings and errors`
  },
  get error() {
    return t`Errors`
  },
}

function Lines() {
  const { data: entries, failure } = useWatch<readonly LogEntry[], readonly LogEntry[]>(
    'diagnostics.watchLog',
    (signal) => api.diagnostics.watchLog(undefined, { signal }),
    (before = [], added, first) => (first ? added : [...before, ...added].slice(-MOST)),
  )
  const [kind, setKind] = useState<Kind>('all')
  const scroller = useRef<HTMLDivElement>(null)
  const shown = entries
    ?.filter(({ level }) => kind === 'all' || level === 'error' || (kind === 'warn' && level === 'warn'))
    .toReversed()
  return (
    <>
      <div className={styles.filter}>
        <SelectField
          label={t`Level`}
          value={kind}
          onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'all')}
        >
          {kinds.map((each) => (
            <option key={each} value={each}>
              {kindWords[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {failure && <FailureNote failure={failure} className={styles.note} />}
      {!shown && !failure && <Skeleton label={t`Loading log…`} />}
      {shown?.length === 0 && (
        <p className={styles.quiet}>
          <Trans>No matching entries since Sotto started</Trans>
        </p>
      )}
      {shown && shown.length > 0 && (
        <div
          className={styles.scroller}
          ref={scroller}
          role="region"
          aria-label={t`Log entries, newest first`}
          tabIndex={0}
        >
          <Virtualizer scrollRef={scroller} data={shown} as="ul" item="li">
            {(entry) => <Line key={entry.seq} entry={entry} />}
          </Virtualizer>
        </div>
      )}
    </>
  )
}

function Line({ entry: { at, level, event, fields } }: { entry: LogEntry }) {
  return (
    <div className={styles.line} data-level={level}>
      <time className={styles.at} dateTime={new Date(at).toISOString()}>
        {formatDateTime(at)}
      </time>
      <code className={styles.event}>{event}</code>
      <code className={styles.fields}>
        {Object.entries(fields)
          .map(([name, value]) => `${name}=${String(value)}`)
          .join(' ')}
      </code>
    </div>
  )
}
