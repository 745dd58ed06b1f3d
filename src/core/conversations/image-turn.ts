import type { ConversationBeginning } from '../../shared/contract/sotto-contract.ts'
import type { Conversation, Message } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import { requireInProject } from '../projects/private-only.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { begun, requireReadable, type TurnCore } from './chat-turn.ts'
import { branchBefore, type WholeConversation } from './conversations.ts'

interface ImageTurnInput {
  readonly jobId: string
  readonly conversationId?: string | undefined
  /** The prompt that gets another image. */
  readonly questionId?: string | undefined
  /** Null: the beginning. Absent: the visible branch. */
  readonly parentId?: string | null | undefined
  /** Replies in a conversation that begins with this image. */
  readonly model?: string | undefined
  readonly begin?: ConversationBeginning | undefined
}

/** A prompt and its image. Both name the job, which has the state, the cost and the file. */
interface ImageTurn {
  readonly conversation: Conversation
  readonly question: Message
  readonly answer: Message
}

/**
 * Adds the image of a job to a conversation, with its prompt. The job was sent before, with its own consent. A prompt of
 * a private conversation is added to no other one, because another one may be sent to the service.
 *
 * @throws {SottoError} studio/unknown – the job creates no image from a prompt, or its prompt is from another conversation
 * @throws {SottoError} project/private-only – the conversation's content goes only to private models
 * @throws {SottoError} conversation/unknown, conversation/message-unknown, store/damaged
 */
export function addImageTurn(
  core: TurnCore & Pick<UnlockedCore, 'studio'>,
  { jobId, conversationId, questionId, parentId, model, begin }: ImageTurnInput,
): ImageTurn {
  const known = conversationId === undefined ? undefined : core.conversations.get(conversationId)
  if (known) requireReadable(known.conversation)
  // The service could read the prompt.
  requireInProject(core, known ? known.conversation.projectId : begin?.projectId)
  const { ask } = core.studio.jobs.of(jobId)
  if (ask.kind !== 'image' || ask.image || ask.prompt === undefined) throw new SottoError('studio/unknown')
  if (ask.from && ask.from.conversationId !== conversationId) throw new SottoError('studio/unknown')
  const text = ask.prompt
  const asked = questionId === undefined ? undefined : promptOf(known, questionId, text)
  const before = known && !asked ? (branchBefore(known, parentId).at(-1)?.id ?? null) : null
  if (!known && model === undefined) throw new SottoError('conversation/unknown')
  const { conversation } = known ?? begun(core, { model: model ?? ask.model, text, begin })
  const records = core.conversations.recordsOf(conversation.id)
  const shared = { conversationId: conversation.id, state: 'complete', jobId } as const
  return records.atOnce(() => {
    const question = asked ?? records.messages.add({ ...shared, parentId: before, role: 'user', text })
    const answer = records.messages.add({
      ...shared,
      parentId: question.id,
      role: 'assistant',
      text: '',
      model: ask.model,
      privacy: 'forwarded',
    })
    const touched = records.conversations.touch(conversation.id, { leafId: answer.id })
    const { temporary } = conversation
    return { conversation: { ...touched, ...(temporary && { temporary }) }, question, answer }
  })
}

/** Another image of a prompt has the same text, because both are shown below it. */
function promptOf(known: WholeConversation | undefined, questionId: string, text: string): Message {
  const question = known?.messages.find(({ id }) => id === questionId)
  if (question?.role !== 'user' || question.jobId === undefined || question.text !== text)
    throw new SottoError('conversation/message-unknown')
  return question
}
