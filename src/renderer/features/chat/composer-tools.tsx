import { SlidersHorizontal } from 'lucide-react'
import type { Conversation } from '../../../shared/conversation.ts'
import { IconButton } from '../../ui/button.tsx'
import styles from './composer.module.css'
import { openDialog } from './conversation-dialogs.tsx'

export interface ToolProps {
  /** Whose draft this is: the id of a conversation, or NEW. */
  draft: string
  conversation: Conversation | undefined
  /** Undefined while none is known. */
  model: string | undefined
  /** Gives the keyboard back to the text. */
  focusText: () => void
}

/** The small buttons and switches beside the choice of the model. */
export function ComposerTools(_props: ToolProps) {
  return (
    <span className={styles.tools}>
      <IconButton label="Settings of this conversation" onClick={() => openDialog('settings')}><SlidersHorizontal size={15} strokeWidth={1.75} aria-hidden /></IconButton>
    </span>
  )
}
