import { plural, t } from '@lingui/core/macro'
import { Globe } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { classNames } from '../../ui/class-names.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { useChat } from './chat-store.ts'
import type { ToolProps } from './composer-tools.tsx'
import styles from './web-search-tool.module.css'

const WebSearchChoice = lazyComponent(async () => (await import('./web-search-choice.tsx')).WebSearchChoice)

/** Whether the web is searched first, and how much of it is read. Its name says how it stands. */
export function WebSearchTool({ draft, conversation, model, focusText }: ToolProps) {
  const [open, setOpen] = useState(false)
  const search = useChat((state) => state.searches[draft])
  const compared = useChat((state) => state.compared[draft])
  const models = compared ?? (model === undefined ? [] : [model])
  const on = search !== undefined && models.some((id) => !isPrivateModel(id))
  const count = search?.maxResults ?? 0
  const name = on
    ? plural(count, { one: 'Web search: # result', other: 'Web search: # results' })
    : t`Web search: off`
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={classNames(styles.tool, on && styles.on)} aria-label={name} title={name}>
        <Globe size={16} strokeWidth={1.75} aria-hidden />
        {on && (
          <span className={styles.count} aria-hidden>
            {count}
          </span>
        )}
      </Popover.Trigger>
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
            kept={conversation?.private === true}
            onDone={() => {
              setOpen(false)
              focusText()
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
