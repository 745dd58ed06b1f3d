import { plural, t } from '@lingui/core/macro'
import { Globe } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { useChat } from './chat-store.ts'
import type { ToolProps } from './composer-tools.tsx'
import styles from './web-search-tool.module.css'

const WebSearchChoice = lazyComponent(async () => (await import('./web-search-choice.tsx')).WebSearchChoice)

interface WebSearchToolProps extends ToolProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The choice is shown next to this. */
  children: ReactNode
}

/** Lets a person choose a web search before the reply. A search that is on is shown by its number of results. */
export function WebSearchTool({
  draft,
  conversation,
  model,
  focusText,
  open,
  onOpenChange,
  children,
}: WebSearchToolProps) {
  const search = useChat((state) => state.searches[draft])
  const compared = useChat((state) => state.compared[draft])
  const models = compared ?? (model === undefined ? [] : [model])
  const isOn = search !== undefined && models.some((id) => !isPrivateModel(id))
  const count = search?.maxResults ?? 0
  const name = plural(count, { one: 'Web search: # result', other: 'Web search: # results' })
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Anchor className={styles.tools}>
        {children}
        {isOn && (
          <Popover.Trigger className={styles.tool} aria-label={name} title={name}>
            <Globe size={16} strokeWidth={1.75} aria-hidden />
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
          aria-label={t`Web search`}
        >
          <WebSearchChoice
            draft={draft}
            models={models}
            isPrivateChat={conversation?.private === true}
            onDone={() => {
              onOpenChange(false)
              focusText()
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
