import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight, Columns2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import { IconButton } from '../../ui/button.tsx'
import { focusOnceShown } from '../../ui/into-view.ts'
import styles from './branch-switch.module.css'
import { showRepliesSideBySide, addToSideBySide, takesFocus } from './branches.ts'

interface BranchSwitchProps {
  message: Message
  /** From 0. */
  at: number
  of: number
}

/** Shows which of the sibling messages is visible, and switches between them: ‹ 2/3 ›. */
export function BranchSwitch({ message, at, of }: BranchSwitchProps) {
  const place = at + 1
  const before = useRef<HTMLButtonElement>(null)
  const after = useRef<HTMLButtonElement>(null)
  const { id } = message
  useEffect(() => {
    const step = takesFocus(id)
    if (step !== undefined) focusOnceShown((step === 1 ? after : before).current)
  }, [id])
  return (
    <span className={styles.branches} role="group" aria-label={t`Branch ${place} of ${of}`}>
      <IconButton
        ref={before}
        label={t`Previous branch`}
        className={styles.step}
        aria-disabled={at === 0}
        onClick={() => addToSideBySide(message, -1)}
      >
        <ChevronLeft size={15} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <span className={styles.place} aria-hidden>
        {place}/{of}
      </span>
      <IconButton
        ref={after}
        label={t`Next branch`}
        className={styles.step}
        aria-disabled={at === of - 1}
        onClick={() => addToSideBySide(message, 1)}
      >
        <ChevronRight size={15} strokeWidth={1.75} aria-hidden />
      </IconButton>
      {message.role === 'assistant' && message.jobId === undefined && (
        <IconButton
          label={t`Show replies side by side`}
          className={styles.step}
          onClick={() => showRepliesSideBySide(message)}
        >
          <Columns2 size={15} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
    </span>
  )
}
