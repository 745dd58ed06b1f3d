import { t } from '@lingui/core/macro'
import type { ChatParameters } from '../../../shared/conversation.ts'
import { isPrivateModel, type Privacy } from '../../../shared/privacy.ts'
import { useCurrentChat, type CurrentChat } from '../../ui/current-chat.ts'
import { useChat } from './chat-store.ts'
import { Seal } from './composer-below.tsx'
import styles from './composer.module.css'
import { compareWords } from './estimate.ts'
import { usePromptTokens, type PromptDraft } from './prompt-tokens.ts'

interface CompareBelowProps extends PromptDraft {
  models: readonly string[]
  /** The state of the least private of the messages; undefined while no model is known. */
  privacy: Privacy | undefined
  /** Why the question can't be sent. */
  refusal: string | undefined
  /** Whether the conversation is private. */
  isPrivateChat: boolean
  parameters: ChatParameters | undefined
}

/** Shown before one question is sent to several models: who can read it, and the cost of all replies together. */
export function CompareBelow({
  models,
  privacy,
  refusal,
  isPrivateChat,
  parameters,
  ...prompt
}: CompareBelowProps) {
  const listing = useChat((state) => state.models)
  const searching = useChat((state) => state.searches[prompt.draft] !== undefined)
  const tokens = usePromptTokens(prompt)
  const currentChat = useCurrentChat()
  const chosen = models.map((id) => listing?.find((model) => model.id === id))
  return (
    <div className={styles.below} id="who-reads">
      <span className={styles.promise}>
        {privacy && <Seal privacy={privacy} model={models.find((id) => !isPrivateModel(id)) ?? models[0]} />}
        <span>{refusal ?? readers(models, privacy, isPrivateChat, currentChat)}</span>
      </span>
      <span className={styles.price}>
        {compareWords(chosen, { prompt: tokens, maxTokens: parameters?.maxTokens, searching })}
      </span>
    </div>
  )
}

function readers(
  models: readonly string[],
  privacy: Privacy | undefined,
  isPrivateChat: boolean,
  { mayForward }: CurrentChat,
): string {
  if (privacy === 'refused') return t`The last verification failed. Sending starts a new one first.`
  if (models.every(isPrivateModel)) return t`Sealed to the verified enclave, or not sent.`
  if (isPrivateChat || models.some(isPrivateModel))
    return t`Private models reply first. Before the others get your message, Sotto shows what they can read and asks you to allow it.`
  if (privacy === 'relayed')
    return mayForward
      ? t`The models’ providers can read this. If the service’s enclave can’t be verified, the service can too.`
      : t`The models’ providers can read this; the service can’t.`
  return t`The service and the models’ providers can read this.`
}
