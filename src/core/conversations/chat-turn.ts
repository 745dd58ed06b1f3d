import type { Attachment } from '../../shared/attachment.ts'
import type { WebSearch } from '../../shared/answer-parts.ts'
import type { ConversationBeginning } from '../../shared/contract/sotto-contract.ts'
import type { ChatParameters, Conversation, Message } from '../../shared/conversation.ts'
import { sentMessages } from '../../shared/context-cut.ts'
import { pathTo, treeOf } from '../../shared/conversation-tree.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Passage } from '../../shared/knowledge.ts'
import type { Model } from '../../shared/model.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { ToolStep } from '../../shared/tool-call.ts'
import type { ExposedMessage } from './consents/index.ts'
import type { Relay } from '../gateway/relay/index.ts'
import { bringAttachments } from './attachments/attached.ts'
import { messagesOf } from './attachments/message-content.ts'
import { exposedIn, requireConsent } from './consented.ts'
import { cacheScopeOf, instructionsOf, requireInProject } from '../projects/private-only.ts'
import { projectOf } from '../projects/change-project.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { branchBefore, type ChatRecords, type WholeConversation } from './conversations.ts'
import { titleOf } from './title.ts'

export type TurnCore = Pick<UnlockedCore, 'conversations' | 'consents' | 'store'>

/**
 * Copies the files of a question to where its conversation is or will be stored. Throws attachment/unknown,
 * project/private-only.
 */
export function attachmentsOf(
  core: TurnCore,
  { conversationId, begin, attachmentIds = [], model }: SendInput,
): Promise<Attachment[]> {
  const { conversations } = core
  const { places } = conversations
  // A file of a private-only project stays in it, whichever conversation attaches it.
  for (const { attachments, conversations: stored } of [places.memory, places.stored])
    for (const usedIn of attachmentIds.flatMap((id) => attachments.usedIn(id)))
      requireInProject(core, stored.readable(usedIn)?.projectId, model)
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
  passageIds?: readonly string[] | undefined
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
  /** Of the project and of the conversation, as they were when the model was allowed. */
  readonly instructions: string | undefined
  readonly cacheScope: string | undefined
  /** The journal of an answer that is continued; empty for a new answer. */
  readonly earlier: readonly ToolStep[]
}

/**
 * Creates the turn of a question. Existing messages don't change: another text after the same message
 * begins another branch. Throws conversation/unknown, conversation/message-unknown, store/damaged,
 * privacy/….
 */
export function turnOfText(
  core: TurnCore & Pick<UnlockedCore, 'knowledge'>,
  input: SendInput,
  attachments: readonly Attachment[] = [],
): Turn {
  const passages = passagesFor(core, input)
  const { conversations } = core
  const { conversation, messages } =
    input.conversationId === undefined
      ? begun(core, input, attachments)
      : conversations.get(input.conversationId)
  requireReadable(conversation)
  const before = branchBefore({ conversation, messages }, input.parentId)
  requirePrivacy(
    core,
    { conversation, messages },
    [...before, { role: 'user', text: input.text, attachments, passages }],
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
    ...(passages.length > 0 && { passages }),
    ...(input.webSearch && { webSearch: input.webSearch }),
  })
  return answered(core, records, conversation, [...before, question], question, input.model)
}

/** The passages of a question, which are all of its conversation's project. Throws knowledge/passage-unknown. */
function passagesFor(
  { conversations, knowledge }: Pick<UnlockedCore, 'conversations' | 'knowledge'>,
  { conversationId, begin, passageIds = [] }: SendInput,
): Passage[] {
  if (passageIds.length === 0) return []
  return knowledge.passagesOf(
    conversationId === undefined
      ? begin?.projectId
      : conversations.get(conversationId).conversation.projectId,
    passageIds,
  )
}

/** Creates another answer to an existing question. Throws like turnOfText. */
export function turnOfQuestion(core: TurnCore, input: RegenerateInput): Turn {
  const { conversations } = core
  const { conversationId, questionId, model } = input
  const { conversation, messages } = conversations.get(conversationId)
  requireReadable(conversation)
  const path = pathTo(treeOf(messages), questionId)
  const question = path.at(-1)
  // A prompt for an image is no question to a model.
  if (question?.role !== 'user' || question.jobId !== undefined)
    throw new SottoError('conversation/message-unknown')
  requirePrivacy(core, { conversation, messages }, path, input)
  return answered(core, conversations.recordsOf(conversationId), conversation, path, question, model)
}

/**
 * Creates the conversation that a message begins. Throws project/private-only.
 */
export function begun(
  core: TurnCore,
  { model, text, begin = {} }: Pick<SendInput, 'model' | 'text' | 'begin'>,
  attachments: readonly Attachment[] = [],
): WholeConversation {
  const { temporary = false, systemPrompt, direction, projectId } = begin
  const project = projectId === undefined ? undefined : projectOf(core, projectId)
  // Before the conversation is stored, so that a refusal leaves none.
  requireInProject(core, projectId, model)
  const parameters = begin.parameters ?? project?.parameters
  const conversation = core.conversations.create(
    {
      model,
      private: isPrivateModel(model),
      title: titleOf(text.trim() === '' ? (attachments[0]?.name ?? '') : text),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(parameters && { parameters }),
      ...(direction && { direction }),
      ...(projectId !== undefined && { projectId }),
    },
    temporary,
  )
  return { conversation, messages: [] }
}

function answered(
  core: TurnCore,
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
  const conversation = { ...touched, ...(temporary && { temporary }) }
  return {
    records,
    conversation,
    path,
    question,
    answer,
    instructions: instructionsOf(core, conversation),
    cacheScope: cacheScopeOf(core, conversation),
    earlier: [],
  }
}

/** A damaged conversation isn't changed, so no message is added to it. */
export function requireReadable({ damaged }: Conversation): void {
  if (damaged) throw new SottoError('store/damaged')
}

/**
 * Throws project/private-only, privacy/consent-required, or privacy/consent-…, if the service could read a
 * message that was sent to an enclave.
 */
export function requirePrivacy(
  core: TurnCore,
  whole: WholeConversation,
  path: readonly (ExposedMessage & { readonly id?: string })[],
  {
    model,
    consentId,
    webSearch,
    comparing,
  }: Pick<SendInput, 'model' | 'consentId' | 'webSearch' | 'comparing'>,
): void {
  if (isPrivateModel(model)) return
  const { conversation } = whole
  const purpose = webSearch ? 'web-search' : comparing ? 'compare' : 'continue'
  requireConsent(
    core,
    consentId,
    { conversationId: conversation.id, purpose, model, exposed: exposedIn(core, conversation, path) },
    whole,
  )
}

/**
 * Builds the request of a turn: only its branch, after the instructions of the project and the conversation. Tool calls
 * that Sotto didn't handle are omitted, because a service refuses calls without results.
 */
export async function bodyOf(
  { records, conversation, path, instructions }: Turn,
  { model, webSearch }: Pick<SendInput, 'model' | 'webSearch'>,
  models: Relay['models'],
): Promise<JsonObject> {
  const { parameters = {}, contextCut } = conversation
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
      instructions === undefined ? messages : [{ role: 'system', content: instructions }, ...messages],
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
