import { MAX_SUMMARY, sentMessages, SUMMARY_TOKENS } from '../../shared/context-cut.ts'
import { isPrivateOnly, pathTo, treeOf } from '../../shared/conversation-tree.ts'
import type { SummaryEvent } from '../../shared/contract/chat.ts'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import { textTokens } from '../../shared/token-estimate.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { AnswerContent } from './answer/answer-content.ts'
import { cacheScopeOf, instructionsOf, requireInProject } from '../projects/private-only.ts'
import { budgetOwnerOf, withinProjectBudget } from '../projects/project-budget.ts'
import { messagesOf } from './attachments/message-content.ts'

const INSTRUCTION =
  'Summarize our conversation so far, so that you can continue it from your summary alone. Keep facts, names, numbers, decisions, open questions and code that is still needed. Write in the language of the conversation. Write only the summary.'

export interface SummaryInput {
  readonly conversationId: string
  /** The last message of the summary. */
  readonly messageId: string
  readonly model: string
}

/**
 * Has a model summarize a conversation up to a message. From then on, the summary is sent instead of these messages. If the signal or
 * the reader ends it, nothing is saved.
 *
 * @returns the progress, and at the end the conversation with its summary
 * @throws {SottoError} privacy/summary – the conversation is private and the model isn't; conversation/unknown,
 *   conversation/message-unknown, project/private-only, store/damaged, service/…, attestation/…; service/response-invalid – no text
 */
export async function* summarize(
  core: Pick<UnlockedCore, 'conversations' | 'relay' | 'store'>,
  { conversationId, messageId, model }: SummaryInput,
  kind: 'window' | 'cli',
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<SummaryEvent, void> {
  const { conversations, relay } = core
  const { conversation, messages } = conversations.get(conversationId)
  if (conversation.damaged) throw new SottoError('store/damaged')
  requireInProject(core, conversation.projectId, model)
  // Unlike a reply, a summary has no consent: the person could not review it before it is sent again and again.
  if (!isPrivateModel(model) && isPrivateOnly(conversation, messages)) throw new SottoError('privacy/summary')
  const tree = treeOf(messages)
  if (!tree.get(messageId)) throw new SottoError('conversation/message-unknown')
  const sent = sentMessages(pathTo(tree, messageId), conversation.contextCut)
  // The existing summary ends at this message already.
  if (sent.length === 0) {
    yield { type: 'done', conversation }
    return
  }
  const listed = sent.some(({ attachments = [] }) => attachments.length > 0)
    ? (await relay.models.all().catch(() => [])).find(({ id }) => id === model)
    : undefined
  const instructions = instructionsOf(core, conversation)
  const cacheScope = cacheScopeOf(core, conversation)
  const { projectId } = conversation
  const reply = await withinProjectBudget(projectId, async () =>
    relay.chat({
      body: {
        model,
        messages: [
          ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
          ...(await messagesOf(sent, conversations.recordsOf(conversationId), listed)),
          { role: 'user', content: INSTRUCTION },
        ],
        stream: true,
        max_tokens: SUMMARY_TOKENS,
      },
      caller: { kind },
      ...(projectId !== undefined && { budgetOwner: budgetOwnerOf(projectId) }),
      ...(cacheScope !== undefined && { cacheScope }),
      signal,
    }),
  )
  const content = new AnswerContent()
  let [text, tokens] = ['', 0]
  for await (const { events } of reply.body) {
    for (const step of events) {
      if (step === 'waiting') continue
      const added = content.add(step)
      text += added.text
      tokens += textTokens(added.text) + textTokens(added.reasoning)
    }
    yield { type: 'progress', tokens }
  }
  signal.throwIfAborted()
  const summary = withoutThinking(text).trim().slice(0, MAX_SUMMARY).toWellFormed()
  if (summary === '') throw new SottoError('service/response-invalid', { receiptId: reply.receiptId })
  yield { type: 'done', conversation: conversations.cut(conversationId, messageId, summary) }
}

const THINKING_END = '</think>'

/** Some models write their reasoning into the text. */
function withoutThinking(text: string): string {
  const end = text.lastIndexOf(THINKING_END)
  return end < 0 ? text : text.slice(end + THINKING_END.length)
}
