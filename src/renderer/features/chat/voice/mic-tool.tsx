import { t } from '@lingui/core/macro'
import { Mic } from 'lucide-react'
import { isPrivateModel } from '../../../../shared/privacy.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { useDirect } from '../../../ui/status-store.ts'
import { useChat } from '../chat-store.ts'
import type { ToolProps } from '../composer-tools.tsx'
import { useVoice } from './voice-store.ts'

const Dictation = lazyComponent(async () => (await import('./dictation.tsx')).Dictation)

/** Opens dictation, which needs a service. */
export function MicTool({ draft }: Pick<ToolProps, 'draft'>) {
  const direct = useDirect()
  const open = useVoice((state) => state.dictating === draft)
  const dictate = () => useVoice.setState({ dictating: draft })
  if (direct) return null
  return (
    <IconButton label={t`Dictate`} aria-expanded={open} onClick={open ? undefined : dictate}>
      <Mic size={16} strokeWidth={1.75} aria-hidden />
    </IconButton>
  )
}

/** The dictation panel, above the text that it adds to. */
export function ComposerDictation({ draft, conversation, model, focusText }: ToolProps) {
  const dictating = useVoice((state) => state.dictating)
  const several = useChat((state) => state.compared[draft])
  if (dictating !== draft) return null
  // Use the current choice: speech for an enclave needs consent before another model hears it.
  const chatModel = several?.find(isPrivateModel) ?? several?.[0] ?? model
  return (
    <ServiceScope>
      <Dictation
        draft={draft}
        conversationId={conversation?.id}
        chatModel={chatModel}
        privateOnly={conversation?.private === true || (chatModel !== undefined && isPrivateModel(chatModel))}
        focusText={focusText}
      />
    </ServiceScope>
  )
}
