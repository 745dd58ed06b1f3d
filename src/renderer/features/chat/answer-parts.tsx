import { Plural, Trans } from '@lingui/react/macro'
import { msg, plural, t } from '@lingui/core/macro'
import { memo } from 'react'
import type { Citation, ToolCall, UnshownPart } from '../../../shared/answer-parts.ts'
import { isEmptyAnswer } from '../../../shared/empty-answer.ts'
import type { Message } from '../../../shared/conversation.ts'
import type { Passage } from '../../../shared/knowledge.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { showLink } from '../../ui/link-store.ts'
import { webAddress } from '../../ui/web-address.ts'
import styles from './answer-parts.module.css'
import { CitedPassages } from './passages/sent-passages.tsx'
import { withOrderShown } from './text-order.tsx'

/** The parts of a reply other than its text: tool calls, the reason for an unusual end, and the sources. */
export const AnswerParts = memo(function AnswerParts({
  message,
  passages = [],
  cited = [],
}: {
  message: Pick<Message, 'state' | 'text' | 'toolCalls' | 'citations' | 'unshown' | 'end'>
  /** Of the project's files, which the model read. */
  passages?: readonly Passage[]
  /** The numbers of those that the reply cites, from 1. */
  cited?: readonly number[]
}) {
  const { toolCalls = [], citations = [], unshown = [], end } = message
  useLanguage()
  return (
    <>
      {toolCalls.map((call, index) => (
        <Call key={index} call={call} />
      ))}
      {unshown.map((part) => (
        <p key={part.type} className={styles.end} role="note">
          {unshownWords(part)}
        </p>
      ))}
      {isEmptyAnswer(message) && (
        <p className={styles.end} role="note">
          <Trans>The reply is empty.</Trans>
        </p>
      )}
      {end !== undefined && (
        <p className={styles.end} role="note">
          {endWords[end]}
        </p>
      )}
      {citations.length > 0 && <Sources citations={citations} />}
      {cited.length > 0 && <CitedPassages passages={passages} cited={cited} />}
    </>
  )
})

const endWords: Readonly<Record<Exclude<Message['end'], undefined>, string>> = {
  get 'tool-calls'() {
    return t`The model asked to call tools. Sotto shows the calls but doesn’t run them.`
  },
  get length() {
    return t`The reply stopped at its token limit.`
  },
  get filtered() {
    return t`The service’s content filter cut this reply off.`
  },
  get refused() {
    return t`The model declined to answer.`
  },
}

function unshownWords({ type, count }: UnshownPart): string {
  return plural(count, {
    one: `The reply also contains # part that Sotto doesn’t show: ${type}.`,
    other: `The reply also contains # parts that Sotto doesn’t show: ${type}.`,
  })
}

function Call({ call: { name, arguments: input, result } }: { call: ToolCall }) {
  const text = pretty(input)
  return (
    <details className={styles.call}>
      <summary>
        <Trans>
          Tool call: <code className={styles.name}>{withOrderShown(name)}</code>
        </Trans>
      </summary>
      <div className={styles.block} tabIndex={0} role="region" aria-label={t`Arguments for ${name}`}>
        <pre>{withOrderShown(text === '' ? t`No arguments` : text)}</pre>
        <CopyButton label={t`Copy arguments`} text={() => input} />
      </div>
      {result !== undefined && (
        <div className={styles.block} tabIndex={0} role="region" aria-label={t`Result from ${name}`}>
          <pre>{withOrderShown(result)}</pre>
        </div>
      )}
    </details>
  )
}

/** Formats JSON. Text that isn't JSON is returned unchanged. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

function Sources({ citations }: { citations: readonly Citation[] }) {
  const count = citations.length
  return (
    <details className={styles.sources} open={count <= 5}>
      <summary>
        <Plural
          value={count}
          one="# source reported by the service"
          other="# sources reported by the service"
        />
      </summary>
      <ol>
        {citations.map((citation) => (
          <Source key={citation.url} citation={citation} />
        ))}
      </ol>
    </details>
  )
}

function Source({ citation: { url, title, excerpt } }: { citation: Citation }) {
  const href = webAddress(url)
  if (href === undefined) return <li>{url}</li>
  const { host } = new URL(href)
  return (
    <li>
      <button
        type="button"
        className={styles.source}
        title={href}
        onClick={() => showLink(href, msg`The service listed it as a source for this reply.`)}
      >
        <bdi>{title ?? host}</bdi>
      </button>
      {title !== undefined && <span className={styles.host}> {host}</span>}
      {excerpt !== undefined && (
        <p className={styles.excerpt} dir="auto">
          {excerpt}
        </p>
      )}
    </li>
  )
}
