import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { isPrivateOnly } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { announce } from '../../ui/announcer.tsx'
import { askConsent } from '../../ui/consent-store.ts'
import { asFailure } from '../../ui/failure.ts'
import { sameService } from '../../ui/status-store.ts'
import { showSideBySide, NEW, useChat } from './chat-store.ts'
import { addAnswer, emptyComposer, endOfShown, purposeOf, searchFor, send } from './send.ts'

/** Models that weren't asked because the person didn't consent, by question. */
export const useDeclined = create<{ readonly byQuestion: Readonly<Record<string, readonly string[]>> }>()(
  () => ({ byQuestion: {} }),
)

interface Question {
  readonly conversationId: string
  readonly questionId: string
}

/** Drafts whose question isn't stored yet. A second press would send it, and charge for it, twice. */
const onTheirWay = new Set<string>()

/**
 * Sends one question to several models at once. It is stored once, and each reply is shown next to the others. Private
 * models are asked first: the other models get text that was meant for an enclave only after the person consents.
 */
export async function sendToEach(
  conversationId: string | undefined,
  text: string,
  models: readonly string[],
  attachmentIds: readonly string[],
  passageIds: readonly string[] = [],
): Promise<void> {
  const draft = conversationId ?? NEW
  const ordered = models.toSorted((a, b) => Number(isPrivateModel(b)) - Number(isPrivateModel(a)))
  const [first, ...others] = ordered
  if (first === undefined || onTheirWay.has(draft)) return
  const still = sameService()
  onTheirWay.add(draft)
  let waits = true
  const release = () => {
    if (waits) onTheirWay.delete(draft)
    waits = false
  }
  try {
    const consentId = await consentForAll(conversationId, { text, attachmentIds, passageIds }, ordered)
    if (consentId === null) return
    await send({
      conversationId,
      model: first,
      text,
      attachmentIds,
      passageIds,
      comparing: true,
      ...(consentId !== undefined && { consentId }),
      onStored({ conversationId: stored, id }) {
        release()
        emptyComposer(draft, { text, attachmentIds }, { conversationId: stored })
        showSideBySide(stored, id)
        void askOthers({ conversationId: stored, questionId: id }, others, consentId)
      },
    })
  } catch (thrown) {
    // The messages above the question couldn't be loaded, so Sotto can't ask for consent to expose them.
    if (still()) useChat.setState(({ unsent }) => ({ unsent: { ...unsent, [draft]: asFailure(thrown) } }))
  } finally {
    release()
  }
}

/**
 * Asks for consent if the conversation is private and none of the models is. Undefined: not needed; null: not given.
 */
async function consentForAll(
  conversationId: string | undefined,
  {
    text,
    attachmentIds,
    passageIds,
  }: { text: string; attachmentIds: readonly string[]; passageIds: readonly string[] },
  models: readonly string[],
): Promise<string | null | undefined> {
  if (conversationId === undefined || models.some(isPrivateModel) || !privateOnly(conversationId))
    return undefined
  const [model = ''] = models
  return askConsent({
    conversationId,
    purpose: purposeOf({ ...searchFor(conversationId, model), comparing: true }),
    models,
    ...(text !== '' && { text }),
    ...(attachmentIds.length > 0 && { attachmentIds: [...attachmentIds] }),
    ...(passageIds.length > 0 && { passageIds: [...passageIds] }),
    parentId: await endOfShown(conversationId),
  })
}

async function askOthers(
  question: Question,
  models: readonly string[],
  consentId: string | undefined,
): Promise<void> {
  const readable = models.filter((model) => !isPrivateModel(model))
  for (const model of models.filter(isPrivateModel))
    void addAnswer({ ...question, model, consentId: undefined })
  if (consentId !== undefined || readable.length === 0 || !privateOnly(question.conversationId)) {
    for (const model of readable) void addAnswer({ ...question, model, consentId })
    return
  }
  await askReadable(question, readable)
}

/** Asks whether these models may read the question and the messages before it, and then has them reply. */
export async function askReadable(question: Question, models: readonly string[]): Promise<void> {
  const { conversationId, questionId } = question
  const [model = ''] = models
  decline(questionId, models, false)
  const consentId = await askConsent({
    conversationId,
    questionId,
    models,
    purpose: purposeOf({ ...searchFor(conversationId, model), comparing: true }),
  })
  if (consentId === null) {
    decline(questionId, models, true)
    announce(t`The chat stays private. These models weren’t asked.`)
    return
  }
  for (const one of models) void addAnswer({ ...question, model: one, consentId })
}

function decline(questionId: string, models: readonly string[], declined: boolean): void {
  useDeclined.setState(({ byQuestion }) => {
    const others = (byQuestion[questionId] ?? []).filter((model) => !models.includes(model))
    return { byQuestion: { ...byQuestion, [questionId]: declined ? [...others, ...models] : others } }
  })
}

function privateOnly(conversationId: string): boolean {
  const { conversations, threads } = useChat.getState()
  return isPrivateOnly(
    conversations?.find(({ id }) => id === conversationId),
    threads[conversationId]?.messages ?? [],
  )
}
