import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { isEmptyAnswer } from '../../../shared/empty-answer.ts'
import type { Message } from '../../../shared/conversation.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { formatDuration } from '../../ui/format/time.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './answer-body.module.css'
import { withMarks, withPassageMarks } from './citation-marks.ts'
import { noAnswer, type LiveAnswer } from './live-answer.ts'
import { finished, Markdown } from './markdown.tsx'
import { useSources } from './passages/sources.ts'
import { stageWord } from './spoken-progress.ts'
import { splitThinking } from './thinking.ts'

const ToolSteps = lazyComponent(async () => (await import('./tools/tool-steps.tsx')).ToolSteps)

/** Few answers have any of it. */
const AnswerParts = lazyComponent(async () => (await import('./answer-parts.tsx')).AnswerParts)

/** A reply during and after its arrival. Both use one tree, so that the screen doesn't change when the reply ends. */
export function AnswerBody({ message, live }: { message: Message; live: LiveAnswer | undefined }) {
  const coming = useStore(live?.store ?? noAnswer)
  const sources = useSources(message)
  const whole = useMemo(() => {
    if (live) return undefined
    const { text, cited } = withPassageMarks(message.text, message.citations ? 0 : sources.length)
    const { text: shown, reasoning } = splitThinking(withMarks(text, message.citations))
    return { blocks: finished(shown), thoughts: reasoning, empty: shown.trim() === '', cited }
  }, [live, message.text, message.citations, sources])
  const reasoning = whole
    ? [message.reasoning ?? '', whole.thoughts].filter(Boolean).join('\n\n')
    : coming.reasoning
  const waiting = live !== undefined && !coming.hasText
  // Then the reply waits for the person.
  const asks = coming.steps.some(({ state }) => state === 'asked')
  return (
    <>
      {reasoning !== '' && (
        <details className={styles.reasoning} open={waiting || whole?.empty === true}>
          <summary>
            <Trans>Reasoning</Trans>
          </summary>
          <div className={styles.thought} dir="auto">
            {reasoning}
          </div>
        </details>
      )}
      {live && coming.steps.length > 0 && <ToolSteps steps={coming.steps} />}
      {waiting && !asks ? (
        <Waiting
          word={
            coming.calling.length > 0
              ? t`Requesting tools…`
              : reasoning === ''
                ? stageWord[coming.stage]
                : t`Thinking…`
          }
          since={coming.startedAt}
        />
      ) : (
        <Markdown blocks={whole?.blocks ?? coming.growth} />
      )}
      {whole &&
        ((message.toolCalls ?? message.citations ?? message.unshown ?? message.end) !== undefined ||
          whole.cited.length > 0 ||
          isEmptyAnswer(message)) && <AnswerParts message={message} passages={sources} cited={whole.cited} />}
    </>
  )
}

const SAY_AFTER_MS = 3000

function Waiting({ word, since }: { word: string; since: number }) {
  const passed = useNow(1000) - since
  return (
    <p className={styles.waiting} data-testid="stage">
      <span className={styles.pulse} aria-hidden />
      {word}
      {passed >= SAY_AFTER_MS && <span className={styles.passed}>{formatDuration(passed)}</span>}
    </p>
  )
}
