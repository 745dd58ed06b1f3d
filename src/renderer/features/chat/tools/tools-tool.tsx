import { plural, t } from '@lingui/core/macro'
import { Wrench } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { useAnswer } from '../../../data/use-answer.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { useChat } from '../chat-store.ts'
import type { ToolProps } from '../composer-tools.tsx'
import styles from '../web-search-tool.module.css'
import { chosenTools } from './chosen-tools.ts'

const ToolChoice = lazyComponent(async () => (await import('./tool-choice.tsx')).ToolChoice)

/** The tools that a chat may use: of a chat that exists as the core stores them, otherwise those chosen here. */
function useChosenTools(conversationId: string | undefined): readonly string[] {
  const forNew = useChat((state) => state.newTools)
  const { data } = useAnswer(conversationId === undefined ? undefined : chosenTools(conversationId))
  return conversationId === undefined ? forNew : (data?.sources ?? [])
}

interface ToolsToolProps extends Pick<ToolProps, 'conversation' | 'focusText'> {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The choice is shown next to this. */
  children: ReactNode
}

/** Lets a person choose what the model may call. Chosen tools are shown by their number. */
export function ToolsTool({ conversation, focusText, open, onOpenChange, children }: ToolsToolProps) {
  const sources = useChosenTools(conversation?.id)
  const projectOfNew = useChat((state) => state.beginning.projectId)
  const projectId = conversation ? conversation.projectId : projectOfNew
  const count = sources.length
  const name = plural(count, { one: 'Tools: # chosen', other: 'Tools: # chosen' })
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Anchor className={styles.tools}>
        {children}
        {count > 0 && (
          <Popover.Trigger className={styles.tool} aria-label={name} title={name}>
            <Wrench size={16} strokeWidth={1.75} aria-hidden />
            <span className={styles.count} aria-hidden>
              {count}
            </span>
          </Popover.Trigger>
        )}
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className={styles.choice}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t`Tools`}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusText()
          }}
        >
          <ToolChoice
            conversationId={conversation?.id}
            sources={sources}
            inProject={projectId !== undefined}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
