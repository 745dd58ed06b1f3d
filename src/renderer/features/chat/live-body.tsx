import { useNow } from '../../ui/use-now.ts'
import { formatDuration } from '../../ui/format/time.ts'
import type { LiveAnswer } from './live-answer.ts'
import { GrowingMarkdown } from './markdown.tsx'
import styles from './message-row.module.css'
import { stageWord } from './spoken-progress.ts'

/** An answer while it comes: what is waited for, then what arrived. */
export function LiveBody({ answer }: { answer: LiveAnswer }) {
  const { stage, growth, reasoning, hasText, startedAt } = answer.use()
  return (
    <>
      {reasoning !== '' && (
        <details className={styles.reasoning} open={!hasText}>
          <summary>Reasoning</summary>
          <div className={styles.thought}>{reasoning}</div>
        </details>
      )}
      {hasText ? <GrowingMarkdown growth={growth} /> : <Waiting word={reasoning === '' ? stageWord[stage] : 'The model is thinking…'} since={startedAt} />}
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
