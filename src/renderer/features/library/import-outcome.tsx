import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ImportReport, ImportSource, LeftOutKind, SkipReason } from '../../../shared/library/import-report.ts'
import { formatList } from '../../ui/format/list.ts'
import { formatCount } from '../../ui/format/number.ts'
import styles from './import-dialog.module.css'

const sources: Readonly<Record<ImportSource, string>> = { chatgpt: 'ChatGPT', claude: 'Claude', 'open-webui': 'Open WebUI', sotto: 'Sotto', get backup() { return t`the backup` } }

const reasons: Readonly<Record<SkipReason, string>> = {
  get unrecognised() { return t`of no form that is known` },
  get malformed() { return t`not in the form that it should have` },
  get 'too-large'() { return t`larger than what is taken in` },
  get empty() { return t`without any text` },
  get kept() { return t`here already` },
}

const kinds: Readonly<Record<LeftOutKind, (count: number) => string>> = {
  images: (count) => plural(count, { one: '# image', other: '# images' }),
  files: (count) => plural(count, { one: '# attached file', other: '# attached files' }),
  tools: (count) => plural(count, { one: '# step of tools', other: '# steps of tools' }),
  reasoning: (count) => plural(count, { one: '# piece of reasoning', other: '# pieces of reasoning' }),
  hidden: (count) => plural(count, { one: '# message that was hidden', other: '# messages that were hidden' }),
  cut: (count) => plural(count, { one: 'the end of # text that was too long', other: 'the ends of # texts that were too long' }),
  other: (count) => plural(count, { one: '# thing of an unknown kind', other: '# things of an unknown kind' }),
}

const order = ['images', 'files', 'tools', 'reasoning', 'hidden', 'cut', 'other'] as const

export function takenOf({ conversations, messages, source }: ImportReport): string {
  if (source === null) return t`${plural(conversations, { one: 'One conversation', other: '# conversations' })} taken in, with ${plural(messages, { one: 'one message', other: '# messages' })}.`
  const from = sources[source]
  return t`${plural(conversations, { one: 'One conversation', other: '# conversations' })} from ${from} taken in, with ${plural(messages, { one: 'one message', other: '# messages' })}.`
}

/** What became of a file, with all that is not there now. */
export function ImportOutcome({ report, stopped }: { report: ImportReport; stopped: boolean }) {
  const { source, skipped, skips, leftOut, whole } = report
  const missing = order.flatMap((kind) => (leftOut[kind] === undefined ? [] : [kinds[kind](leftOut[kind])]))
  return (
    <div className={styles.outcome} data-testid="import-outcome">
      {stopped && <p><Trans>Stopped. What was taken in before stays.</Trans></p>}
      <p>{takenOf(report)}</p>
      {!stopped && !whole && <p><Trans>The file breaks off before its end. The rest of it is missing.</Trans></p>}
      {missing.length > 0 && <p>{t`Not taken in: ${formatList(missing)}.`}</p>}
      {source === 'backup' && skipped > 0 && <p>{plural(skipped, { one: 'One was here already and stayed as it was.', other: '# were here already and stayed as they were.' })}</p>}
      {source !== 'backup' && skipped > 0 && (
        <>
          <p>{skipped > skips.length ? plural(skipped, { one: 'One was skipped; the first of them:', other: '# were skipped; the first of them:' }) : plural(skipped, { one: 'One was skipped:', other: '# were skipped:' })}</p>
          <ul className={styles.skips} tabIndex={0} aria-label={t`Skipped`}>
            {skips.map(({ at, title, reason }) => <li key={at}><Trans>Number {formatCount(at)}</Trans>{title ? <>, <bdi>{title}</bdi></> : ''}: {reasons[reason]}</li>)}
          </ul>
        </>
      )}
    </div>
  )
}
