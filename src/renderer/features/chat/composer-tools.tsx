import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Conversation } from '../../../shared/conversation.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useProject } from '../../ui/project-store.ts'
import { useDirect } from '../../ui/status-store.ts'
import { attachFiles } from './attachments/attached-store.ts'
import { useChat } from './chat-store.ts'
import { openDialog } from './conversation-dialogs.tsx'
import { showPromptLibrary } from './prompts/prompt-store.ts'
import { ToolsTool } from './tools/tools-tool.tsx'
import { WebSearchTool } from './web-search-tool.tsx'

export interface ToolProps {
  /** Whose draft this is: the id of a conversation, or NEW. */
  draft: string
  conversation: Conversation | undefined
  /** Undefined if no model is known. */
  model: string | undefined
  /** Gives the keyboard back to the text. */
  focusText: () => void
}

/** The menu of everything that can be added to a message. A web search that is on is shown next to it. */
export function ComposerTools(props: ToolProps) {
  const { conversation, draft, focusText } = props
  // Web search needs a service.
  const direct = useDirect()
  // The service can read every prompt for an image, so a private-only project offers none.
  const beginning = useChat((state) => state.beginning.projectId)
  const projectId = conversation ? conversation.projectId : beginning
  const project = useProject(projectId)
  const createsImages = !direct && (projectId === undefined || project?.privateOnly === false)
  const input = useRef<HTMLInputElement>(null)
  const [choosingSearch, chooseSearch] = useState(false)
  const [choosingTools, chooseTools] = useState(false)
  return (
    <>
      <WebSearchTool {...props} open={choosingSearch} onOpenChange={chooseSearch}>
        <ServiceScope>
          <ToolsTool {...props} open={choosingTools} onOpenChange={chooseTools}>
            <Menu
              label={t`Add to message`}
              sign={<Plus size={16} strokeWidth={1.75} aria-hidden />}
              align="start"
              items={[
                // Any kind of file may be chosen, because only its content shows whether it can be read.
                { name: t`Attach files…`, choose: () => input.current?.click() },
                ...(direct ? [] : [{ name: t`Search the web…`, choose: () => chooseSearch(true) }]),
                ...(createsImages ? [{ name: t`Create image…`, choose: () => openDialog('image') }] : []),
                { name: t`Use tools…`, choose: () => chooseTools(true) },
                { name: t`Insert prompt…`, choose: () => showPromptLibrary(true) },
                { name: t`Change chat settings…`, choose: () => openDialog('settings') },
              ]}
            />
          </ToolsTool>
        </ServiceScope>
      </WebSearchTool>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t`Files to attach`}
        onChange={({ target }) => {
          void attachFiles(draft, [...(target.files ?? [])])
          // Clear the value, so that the same file can be chosen again.
          target.value = ''
          focusText()
        }}
      />
    </>
  )
}
