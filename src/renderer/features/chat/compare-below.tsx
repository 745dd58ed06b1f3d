import { t } from '@lingui/core/macro'
import type { ChatParameters } from '../../../shared/conversation.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { useCurrentChat, type CurrentChat } from '../../ui/current-chat.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { useChat } from './chat-store.ts'
import styles from './composer.module.css'
import { compareWords } from './estimate.ts'
import { usePromptTokens, type PromptDraft } from './prompt-tokens.ts'

interface CompareBelowProps extends PromptDraft {
  models: readonly string[]
  /** The conversation is private. */
  kept: boolean
  parameters: ChatParameters | undefined
}

/** Said before one question goes to several models: who will be able to read it, and what all of them cost together. */
export function CompareBelow({ models, kept, parameters, ...prompt }: CompareBelowProps) {
  const listing = useChat((state) => state.models)
  const searching = useChat((state) => state.searches[prompt.draft] !== undefined)
  const tokens = usePromptTokens(prompt)
  const openChat = useCurrentChat()
  const chosen = models.map((id) => listing?.find((model) => model.id === id))
  return (
    <div className={styles.below} id="who-reads">
      <span className={styles.promise}>
        {models.some(isPrivateModel) && <PrivacyMark privacy="sealed" />}
        {!models.every(isPrivateModel) && <PrivacyMark privacy={openChat.privacy} />}
        <span>{promise(models, kept, openChat)}</span>
      </span>
      <span className={styles.price}>
        {compareWords(chosen, { prompt: tokens, maxTokens: parameters?.maxTokens, searching })}
      </span>
    </div>
  )
}

function promise(models: readonly string[], kept: boolean, { privacy, mayForward }: CurrentChat): string {
  if (models.every(isPrivateModel)) return t`Sealed to the verified enclave, or not sent.`
  if (kept || models.some(isPrivateModel))
    return t`Private models are asked first. Before the others are, you see what they’d read and decide.`
  if (privacy === 'relayed')
    return mayForward
      ? t`The models’ providers can read this. If the service’s enclave can’t be verified, the service can too.`
      : t`The models’ providers can read this; the service can’t.`
  return t`The service and the models’ providers can read this.`
}
