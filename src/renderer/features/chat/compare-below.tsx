import { t } from '@lingui/core/macro'
import { useDeferredValue, useMemo } from 'react'
import type { Attachment } from '../../../shared/attachment.ts'
import type { ChatParameters } from '../../../shared/conversation.ts'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { useOpenChat, type OpenChat } from '../../ui/open-chat.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { useChat } from './chat-store.ts'
import styles from './composer.module.css'
import { attachedTokens, compareWords, historyTokens, tokensOf } from './estimate.ts'

interface CompareBelowProps {
  draft: string
  models: readonly string[]
  /** The conversation is private. */
  kept: boolean
  shown: readonly ShownMessage[]
  systemPrompt: string
  parameters: ChatParameters | undefined
  text: string
  /** To what is written. */
  attached: readonly Attachment[]
}

/** Said before one question goes to several models: who will be able to read it, and what all of them cost together. */
export function CompareBelow({ draft, models, kept, shown, systemPrompt, parameters, text, attached }: CompareBelowProps) {
  const listing = useChat((state) => state.models)
  const searching = useChat((state) => state.searches[draft] !== undefined)
  const history = useMemo(() => historyTokens(shown.map(({ message }) => message)) + (systemPrompt === '' ? 0 : tokensOf(systemPrompt)), [shown, systemPrompt])
  const written = useDeferredValue(text)
  const openChat = useOpenChat()
  const chosen = models.map((id) => listing?.find((model) => model.id === id))
  return (
    <div className={styles.below} id="who-reads">
      <span className={styles.promise}>
        {models.some(isPrivateModel) && <PrivacyMark privacy="sealed" />}
        {!models.every(isPrivateModel) && <PrivacyMark privacy={openChat.privacy} />}
        <span>{promise(models, kept, openChat)}</span>
      </span>
      <span className={styles.price}>{compareWords(chosen, { history: history + attachedTokens(attached), text: written, maxTokens: parameters?.maxTokens, searching })}</span>
    </div>
  )
}

function promise(models: readonly string[], kept: boolean, { privacy, mayForward }: OpenChat): string {
  if (models.every(isPrivateModel)) return t`Sealed to the verified enclave, or not sent.`
  if (kept || models.some(isPrivateModel)) return t`Private models are asked first. Before the others are, you see what they’d read and decide.`
  if (privacy === 'relayed') return mayForward ? t`The models’ providers can read this. If the service’s enclave can’t be verified, the service can too.` : t`The models’ providers can read this; the service can’t.`
  return t`The service and the models’ providers can read this.`
}
