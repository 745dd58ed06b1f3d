import type { ImportReport, ImportSource, LeftOutKind, SkipReason } from '../../../shared/library/import-report.ts'
import { formatCount } from '../../ui/format/number.ts'
import styles from './import-dialog.module.css'

const sources: Readonly<Record<ImportSource, string>> = { chatgpt: 'ChatGPT', claude: 'Claude', 'open-webui': 'Open WebUI', sotto: 'Sotto', backup: 'the backup' }

const reasons: Readonly<Record<SkipReason, string>> = {
  unrecognised: 'of no form that is known',
  malformed: 'not in the form that it should have',
  'too-large': 'larger than what is taken in',
  empty: 'without any text',
  kept: 'here already',
}

const kinds: Readonly<Record<LeftOutKind, (count: string) => string>> = {
  images: (count) => `${count} images`,
  files: (count) => `${count} attached files`,
  tools: (count) => `${count} steps of tools`,
  reasoning: (count) => `${count} pieces of reasoning`,
  hidden: (count) => `${count} messages that were hidden`,
  cut: (count) => `the ends of ${count} texts that were too long`,
  other: (count) => `${count} things of an unknown kind`,
}

const order = ['images', 'files', 'tools', 'reasoning', 'hidden', 'cut', 'other'] as const

export function takenOf({ conversations, messages, source }: ImportReport): string {
  const from = source === null ? '' : ` from ${sources[source]}`
  return `${conversations === 1 ? 'One conversation' : `${formatCount(conversations)} conversations`}${from} taken in, with ${messages === 1 ? 'one message' : `${formatCount(messages)} messages`}.`
}

/** What became of a file, with all that is not there now. */
export function ImportOutcome({ report, stopped }: { report: ImportReport; stopped: boolean }) {
  const { source, skipped, skips, leftOut, whole } = report
  const missing = order.flatMap((kind) => (leftOut[kind] === undefined ? [] : [kinds[kind](formatCount(leftOut[kind]))]))
  return (
    <div className={styles.outcome} data-testid="import-outcome">
      {stopped && <p>Stopped. What was taken in before stays.</p>}
      <p>{takenOf(report)}</p>
      {!stopped && !whole && <p>The file breaks off before its end. The rest of it is missing.</p>}
      {missing.length > 0 && <p>Not taken in: {missing.join(', ')}.</p>}
      {source === 'backup' && skipped > 0 && <p>{skipped === 1 ? 'One was here already and stayed as it was.' : `${formatCount(skipped)} were here already and stayed as they were.`}</p>}
      {source !== 'backup' && skipped > 0 && (
        <>
          <p>{skipped === 1 ? 'One was skipped' : `${formatCount(skipped)} were skipped`}{skipped > skips.length ? '; the first of them' : ''}:</p>
          <ul className={styles.skips} tabIndex={0} aria-label="Skipped">
            {skips.map(({ at, title, reason }) => <li key={at}>Number {formatCount(at)}{title ? <>, <bdi>{title}</bdi></> : ''}: {reasons[reason]}</li>)}
          </ul>
        </>
      )}
    </div>
  )
}
