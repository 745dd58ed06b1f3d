import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  leftOutKinds,
  type ImportReport,
  type ImportSource,
  type LeftOutKind,
  type SkipReason,
} from '../../../shared/library/import-report.ts'
import { formatList } from '../../ui/format/list.ts'
import { formatCount } from '../../ui/format/number.ts'
import styles from './import-dialog.module.css'

const sources: Readonly<Record<ImportSource, string>> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  librechat: 'LibreChat',
  jan: 'Jan',
  chatbox: 'Chatbox',
  'cherry-studio': 'Cherry Studio',
  'lm-studio': 'LM Studio',
  deepseek: 'DeepSeek',
  gemini: 'Gemini',
  grok: 'Grok',
  openrouter: 'OpenRouter',
  typingmind: 'TypingMind',
  get messages() {
    return t`a list of messages`
  },
  sotto: 'Sotto',
  get backup() {
    return t`the backup`
  },
  get project() {
    return t`the project`
  },
}

const reasons: Readonly<Record<SkipReason, string>> = {
  get unrecognised() {
    return t`unrecognized format`
  },
  get malformed() {
    return t`invalid format`
  },
  get 'too-large'() {
    return t`too large to import`
  },
  get empty() {
    return t`no text`
  },
  get kept() {
    return t`already exists`
  },
}

const kinds: Readonly<Record<LeftOutKind, (count: number) => string>> = {
  images: (count) => plural(count, { one: '# image', other: '# images' }),
  files: (count) => plural(count, { one: '# attachment', other: '# attachments' }),
  recordings: (count) => plural(count, { one: '# recording', other: '# recordings' }),
  tools: (count) => plural(count, { one: '# tool step', other: '# tool steps' }),
  reasoning: (count) => plural(count, { one: '# reasoning section', other: '# reasoning sections' }),
  citations: (count) =>
    plural(count, { one: '# citation without a link', other: '# citations without a link' }),
  excerpts: (count) => plural(count, { one: '# source excerpt', other: '# source excerpts' }),
  hidden: (count) => plural(count, { one: '# hidden message', other: '# hidden messages' }),
  cut: (count) =>
    plural(count, {
      one: 'the end of # text that was too long',
      other: 'the ends of # texts that were too long',
    }),
  'other-files': (count) => plural(count, { one: '# file without chats', other: '# files without chats' }),
  other: (count) => plural(count, { one: '# unknown item', other: '# unknown items' }),
}

export function takenOf({ conversations, messages, source }: ImportReport): string {
  if (source === null)
    return t`Imported ${plural(conversations, { one: '# chat', other: '# chats' })} with ${plural(messages, { one: '# message', other: '# messages' })}.`
  const from = sources[source]
  return t`Imported ${plural(conversations, { one: '# chat', other: '# chats' })} from ${from} with ${plural(messages, { one: '# message', other: '# messages' })}.`
}

/** The outcome of an import, including the parts that were left out. */
export function ImportOutcome({ report, stopped }: { report: ImportReport; stopped: boolean }) {
  return (
    <div className={styles.outcome} data-testid="import-outcome">
      {stopped && (
        <p>
          <Trans>Stopped. Everything imported so far is saved.</Trans>
        </p>
      )}
      <p>{takenOf(report)}</p>
      <ImportDetails report={report} stopped={stopped} />
    </div>
  )
}

/** The parts that an import leaves out, and why. */
export function ImportDetails({ report, stopped }: { report: ImportReport; stopped: boolean }) {
  const { source, skipped, skips, leftOut, whole, otherFiles = [] } = report
  const missing = leftOutKinds.flatMap((kind) =>
    leftOut[kind] === undefined ? [] : [kinds[kind](leftOut[kind])],
  )
  return (
    <>
      {!stopped && !whole && (
        <p>
          <Trans>The file is incomplete. The last part is missing.</Trans>
        </p>
      )}
      {missing.length > 0 && <p>{t`Not imported: ${formatList(missing)}.`}</p>}
      {otherFiles.length > 0 && <p>{t`Files without chats: ${formatList(otherFiles)}.`}</p>}
      {source === 'backup' && skipped > 0 && (
        <p>
          {plural(skipped, {
            one: '# chat was already here and wasn’t changed.',
            other: '# chats were already here and weren’t changed.',
          })}
        </p>
      )}
      {source !== 'backup' && skipped > 0 && (
        <>
          <p>
            {skipped > skips.length
              ? plural(skipped, { one: '# skipped. The first:', other: '# skipped. The first ones:' })
              : plural(skipped, { one: '# skipped:', other: '# skipped:' })}
          </p>
          <ul className={styles.skips} tabIndex={0} aria-label={t`Skipped`}>
            {skips.map(({ at, title, reason }) => (
              <li key={at}>
                <Trans>Item {formatCount(at)}</Trans>
                {title ? (
                  <>
                    , <bdi>{title}</bdi>
                  </>
                ) : (
                  ''
                )}
                : {reasons[reason]}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
