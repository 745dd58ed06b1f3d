import { t } from '@lingui/core/macro'
import { SlidersHorizontal } from 'lucide-react'
import type { Conversation } from '../../../shared/conversation.ts'
import { IconButton } from '../../ui/button.tsx'
import { useDirect } from '../../ui/status-store.ts'
import styles from './composer.module.css'
import { AttachTool } from './attachments/attach-tool.tsx'
import { openDialog } from './conversation-dialogs.tsx'
import { WebSearchTool } from './web-search-tool.tsx'

export interface ToolProps {
  /** Whose draft this is: the id of a conversation, or NEW. */
  draft: string
  conversation: Conversation | undefined
  /** Undefined while none is known. */
  model: string | undefined
  /** Gives the keyboard back to the text. */
  focusText: () => void
}

/** What can be added to a message, at the left of the model. */
export function ComposerTools(props: ToolProps) {
  // Speech and web search need a service.
  const direct = useDirect()
  return (
    <span className={styles.tools}>
      <AttachTool draft={props.draft} focusText={props.focusText} />
      <IconButton label={t`Open chat settings`} onClick={() => openDialog('settings')}>
        <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      {!direct && <WebSearchTool {...props} />}
    </span>
  )
}
