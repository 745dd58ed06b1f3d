import { t } from '@lingui/core/macro'
import type { Conversation } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import type { Status } from '../../../shared/status.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'

/** The model of the next message: the one picked, the conversation's, the last one used, or the first private one. */
export function modelFor(
  models: readonly Model[] | undefined,
  picked: string | undefined,
  conversation: Conversation | undefined,
  conversations: readonly Conversation[] | undefined,
): string | undefined {
  const wanted = picked ?? conversation?.model
  if (wanted !== undefined) return wanted
  const last = conversations?.[0]?.model
  if (last !== undefined && models?.some(({ id }) => id === last)) return last
  return models?.find((model) => model.private && isChat(model))?.id ?? models?.find(isChat)?.id
}

/** A listing may omit the purpose of a model. */
export function isChat({ type }: Model): boolean {
  return type === undefined || type === 'chat'
}

/**
 * Whether the service refuses the model because its listing doesn't have it. Unknown models count as listed until the listing arrives, and
 * if it is empty.
 */
export function isUnlisted(models: readonly Model[] | undefined, modelId: string | undefined): boolean {
  return (
    modelId !== undefined &&
    models !== undefined &&
    models.length > 0 &&
    !models.some(({ id }) => id === modelId)
  )
}

/** Whether each reply of this model to this conversation needs consent. The core enforces the same rule. */
export function needsConsent(
  modelId: string,
  conversation: Pick<Conversation, 'private'> | undefined,
): boolean {
  return !isPrivateModel(modelId) && conversation?.private === true
}

/** Why a model isn't available here, or undefined. The core refuses the same models. */
export function refusalOf(modelId: string, service: Status['service'] | undefined): string | undefined {
  if (!isPrivateModel(modelId)) return undefined
  if (service?.revision === 'A') return t`This service uses Revision A, which has no private models.`
  if (service?.hasPolicy === false)
    return t`This service’s enclave has no attestation policy to verify against, so nothing can be sealed.`
  return undefined
}
