import type { Attachment } from '../../shared/attachment.ts'
import type { WebSearch } from '../../shared/answer-parts.ts'
import type { ConversationBeginning } from '../../shared/contract/sotto-contract.ts'
import type { ChatParameters, Conversation, Message } from '../../shared/conversation.ts'
import { sentMessages } from '../../shared/context-cut.ts'
import { pathTo, shownPath, treeOf } from '../../shared/conversation-tree.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Model } from '../../shared/model.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { ExposedMessage } from './consents/index.ts'
import type { Relay } from '../gateway/relay/index.ts'
import { bringAttachments } from './attachments/attached.ts'
import { messagesOf } from './attachments/message-content.ts'
import { exposedIn, requireConsent } from './consented.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import type { ChatRecords, Conversations, WholeConversation } from './conversations.ts'
import { titleOf } from './title.ts'

type TurnCore = Pick<UnlockedCore, 'conversations' | 'consents'>

/**
 * Copies the files of a question to where its conversation is or will be stored. Throws attachment/unknown.
 */
export function attachmentsOf(
  { conversations }: TurnCore,
  { conversationId, begin, attachmentIds = [] }: SendInput,
): Promise<Attachment[]> {
  const { places } = conversations
  const records =
    conversationId === undefined
      ? begin?.temporary === true
        ? places.memory
        : places.stored
      : conversations.recordsOf(conversationId)
  return bringAttachments(conversations, attachmentIds, records)
}

export interface SendInput {
  conversationId?: string | undefined
  /** Null: the beginning. Absent: the visible branch. */
  parentId?: string | null | undefined
  model: string
  text: string
  attachmentIds?: readonly string[] | undefined
  begin?: ConversationBeginning | undefined
  consentId?: string | undefined
  webSearch?: WebSearch | undefined
  comparing?: true | undefined
  /** Names of built-in tools, and IDs of servers. Absent: those that were chosen before. */
  tools?: readonly string[] | undefined
}

export interface RegenerateInput {
  conversationId: string
  questionId: string
  model: string
  consentId?: string | undefined
  webSearch?: WebSearch | undefined
  comparing?: true | undefined
}

/**
 * A stored question with the place of its answer, and the branch that the model receives, including the
 * question.
 */
export interface Turn {
  readonly records: ChatRecords
  readonly conversation: Conversation
  readonly path: readonly Message[]
  readonly question: Message
  readonly answer: Message
}

/**
 * Creates the turn of a question. Existing messages don't change: another text after the same message
 * begins another branch. Throws conversation/unknown, conversation/message-unknown, store/damaged,
 * privacy/….
 */
export function turnOfText(core: TurnCore, input: SendInput, attachments: readonly Attachment[] = []): Turn {
  const { conversations } = core
  const { conversation, messages } =
    input.conversationId === undefined
      ? begun(conversations, input, attachments)
      : conversations.get(input.conversationId)
  requireReadable(conversation)
  const tree = treeOf(messages)
  const { parentId } = input
  if (typeof parentId === 'string' && !tree.get(parentId))
    throw new SottoError('conversation/message-unknown')
  const before =
    parentId === undefined ? shownPath(tree, messages, conversation.leafId) : pathTo(tree, parentId)
  requirePrivacy(
    core,
    { conversation, messages },
    [...before, { role: 'user', text: input.text, attachments }],
    input,
  )
  const records = conversations.recordsOf(conversation.id)
  const question = records.messages.add({
    conversationId: conversation.id,
    parentId: before.at(-1)?.id ?? null,
    role: 'user',
    text: input.text,
    state: 'complete',
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(input.webSearch && { webSearch: input.webSearch }),
  })
  return answered(records, conversation, [...before, question], question, input.model)
}

/** Creates another answer to an existing question. Throws like turnOfText. */
export function turnOfQuestion(core: TurnCore, input: RegenerateInput): Turn {
  const { conversations } = core
  const { conversationId, questionId, model } = input
  const { conversation, messages } = conversations.get(conversationId)
  requireReadable(conversation)
  const path = pathTo(treeOf(messages), questionId)
  const question = path.at(-1)
  if (question?.role !== 'user') throw new SottoError('conversation/message-unknown')
  requirePrivacy(core, { conversation, messages }, path, input)
  return answered(conversations.recordsOf(conversationId), conversation, path, question, model)
}

function begun(
  conversations: Conversations,
  { model, text, begin = {} }: SendInput,
  attachments: readonly Attachment[],
): WholeConversation {
  const { temporary = false, systemPrompt, parameters, direction } = begin
  const conversation = conversations.create(
    {
      model,
      private: isPrivateModel(model),
      title: titleOf(text.trim() === '' ? (attachments[0]?.name ?? '') : text),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(parameters && { parameters }),
      ...(direction && { direction }),
    },
    temporary,
  )
  return { conversation, messages: [] }
}

function answered(
  records: ChatRecords,
  { id, temporary }: Conversation,
  path: readonly Message[],
  question: Message,
  model: string,
): Turn {
  const answer = records.messages.add({
    conversationId: id,
    parentId: question.id,
    role: 'assistant',
    text: '',
    state: 'streaming',
    model,
  })
  const touched = records.conversations.touch(id, { leafId: answer.id })
  return { records, conversation: { ...touched, ...(temporary && { temporary }) }, path, question, answer }
}

/** A damaged conversation isn't changed, so no message is added to it. */
function requireReadable({ damaged }: Conversation): void {
  if (damaged) throw new SottoError('store/damaged')
}

/** Throws privacy/consent-required, or privacy/consent-…, if the service could read a message that was sent to an enclave. */
function requirePrivacy(
  core: TurnCore,
  whole: WholeConversation,
  path: readonly (ExposedMessage & { readonly id?: string })[],
  { model, consentId, webSearch, comparing }: SendInput | RegenerateInput,
): void {
  if (isPrivateModel(model)) return
  const { conversation } = whole
  const purpose = webSearch ? 'web-search' : comparing ? 'compare' : 'continue'
  requireConsent(
    core,
    consentId,
    { conversationId: conversation.id, purpose, model, exposed: exposedIn(conversation, path) },
    whole,
  )
}

/**
 * Builds the request of a turn: only its branch, after the conversation's instructions. Tool calls of the
 * branch are omitted, because Sotto didn't run them, and a service refuses calls without results.
 */
export async function bodyOf(
  { records, conversation, path }: Turn,
  { model, webSearch }: Pick<SendInput, 'model' | 'webSearch'>,
  models: Relay['models'],
): Promise<JsonObject> {
  const { systemPrompt, parameters = {}, contextCut } = conversation
  const sent = sentMessages(path, contextCut)
  const needsListing =
    parameters.reasoningEffort !== undefined || sent.some(({ attachments = [] }) => attachments.length > 0)
  // If there is no listing, the relay reports it, with a receipt.
  const listed = needsListing
    ? (await models.all().catch(() => [])).find(({ id }) => id === model)
    : undefined
  const messages = await messagesOf(sent, records, listed)
  return {
    model,
    messages:
      systemPrompt === undefined ? messages : [{ role: 'system', content: systemPrompt }, ...messages],
    stream: true,
    // The relay refuses web search for a private model.
    ...(webSearch && { plugins: [{ id: 'web', max_results: webSearch.maxResults }] }),
    ...settingsOf(parameters, listed),
  }
}

function settingsOf(
  { temperature, topP, maxTokens, reasoningEffort }: ChatParameters,
  listed: Model | undefined,
): JsonObject {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(reasoningEffort !== undefined &&
      listed?.supportedParameters?.includes('reasoning_effort') && { reasoning_effort: reasoningEffort }),
  }
}
