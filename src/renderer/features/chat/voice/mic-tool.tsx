import { t } from '@lingui/core/macro'
import { Mic } from 'lucide-react'
import { isPrivateModel } from '../../../../shared/privacy.ts'
import { IconButton } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ToolProps } from '../composer-tools.tsx'
import { useVoice } from './voice-store.ts'

const Dictation = lazyPart(async () => (await import('./dictation.tsx')).Dictation)

/** Opens what writes down what is said. */
export function MicTool({ draft, conversation, model }: Omit<ToolProps, 'focusText'>) {
  const open = useVoice((state) => state.dictating?.draft === draft)
  const dictate = () => useVoice.setState({
    dictating: { draft, conversationId: conversation?.id, chatModel: model, keptPrivate: conversation?.private === true || (model !== undefined && isPrivateModel(model)) },
  })
  return <IconButton label={t`Dictate`} aria-expanded={open} onClick={open ? undefined : dictate}><Mic size={15} strokeWidth={1.75} aria-hidden /></IconButton>
}

/** Where it is said, above the text that it goes into. */
export function ComposerDictation({ draft, focusText }: { draft: string; focusText: () => void }) {
  const dictating = useVoice((state) => state.dictating)
  return dictating?.draft === draft ? <Dictation {...dictating} focusText={focusText} /> : null
}
