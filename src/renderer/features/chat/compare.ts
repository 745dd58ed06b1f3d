import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { isPrivateOnly } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { announce } from '../../ui/announcer.tsx'
import { askConsent } from '../../ui/consent-store.ts'
import { asFailure } from '../../ui/failure.ts'
import { sameService } from '../../ui/status-store.ts'
import { showSideBySide, NEW, useChat } from './chat-store.ts'
import { answerBeside, emptyComposer, endOfShown, purposeOf, searchFor, send } from './send.ts'

/** Models that were to answer and were not asked, because it was not allowed: by question. */
export const useDeclined = create<{ readonly byQuestion: Readonly<Record<string, readonly string[]>> }>()(
  () => ({ byQuestion: {} }),
)

interface Question {
  readonly conversationId: string
  readonly questionId: string
}

/** Drafts whose question was not taken yet: pressed twice, it would be asked, and paid, twice. */
const onTheirWay = new Set<string>()

/**
 * One question to several models at once: it is stored once, and each answer stands beside the others. Private models are asked
 * first: what was meant for an enclave is shown to the others only once that is allowed.
 */
export async function sendToEach(
  conversationId: string | undefined,
  text: string,
  models: readonly string[],
  attachmentIds: readonly string[],
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
    const consentId = await consentForAll(conversationId, { text, attachmentIds }, ordered)
    if (consentId === null) return
    await send({
      conversationId,
      model: first,
      text,
      attachmentIds,
      comparing: true,
      ...(consentId !== undefined && { consentId }),
      taken({ conversationId: stored, id }) {
        release()
        emptyComposer(draft, { text, attachmentIds }, { conversationId: stored })
        showSideBySide(stored, id)
        void askOthers({ conversationId: stored, questionId: id }, others, consentId)
      },
    })
  } catch (thrown) {
    // What stands above it could not be read, so that nobody can be asked what of it may be exposed.
    if (still()) useChat.setState(({ unsent }) => ({ unsent: { ...unsent, [draft]: asFailure(thrown) } }))
  } finally {
    release()
  }
}

/** Where not even the first of them is private and the conversation is. Undefined: none is needed; null: it was not given. */
async function consentForAll(
  conversationId: string | undefined,
  { text, attachmentIds }: { text: string; attachmentIds: readonly string[] },
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
    void answerBeside({ ...question, model, consentId: undefined })
  if (consentId !== undefined || readable.length === 0 || !privateOnly(question.conversationId)) {
    for (const model of readable) void answerBeside({ ...question, model, consentId })
    return
  }
  await askReadable(question, readable)
}

/** Asks whether these may read the question and what leads to it, and has them answer. */
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
  for (const one of models) void answerBeside({ ...question, model: one, consentId })
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
