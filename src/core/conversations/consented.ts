import type { Exposure } from '../../shared/consent.ts'
import { isPrivateOnly } from '../../shared/conversation-tree.ts'
import { SottoError } from '../../shared/errors.ts'
import type { ConsentSubject } from '../../shared/contract/consents.ts'
import type { ConsentTo, Exposed, ExposedMessage } from './consents/index.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import { sentMessages } from '../../shared/context-cut.ts'
import { instructionsOf, requireInProject } from '../projects/private-only.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { textWithCalls } from './tool-messages.ts'
import { branchBefore, type WholeConversation } from './conversations.ts'

type Asked = Pick<UnlockedCore, 'conversations' | 'consents' | 'store'>

/**
 * Must be called before any part of a conversation is sent where the service can read it. A private
 * conversation needs a consent, which this uses up; others don't. `whole`: the conversation, if it was read
 * already. Throws conversation/unknown, project/private-only, privacy/consent-required and privacy/consent-….
 */
export function requireConsent(
  core: Asked,
  consentId: string | undefined,
  of: ConsentTo & { readonly model: string | undefined },
  whole?: WholeConversation,
): void {
  const { conversation, messages } = whole ?? core.conversations.get(of.conversationId)
  requireInProject(core, conversation.projectId)
  if (!isPrivateOnly(conversation, messages)) return
  if (consentId === undefined && of.purpose === 'continue') throw new SottoError('privacy/consent-required')
  core.consents.use(consentId, of)
}

/** The messages of a branch that a model receives: without empty ones, and with a summary instead of those before the cut. */
export function exposedIn(
  core: Pick<Asked, 'store'>,
  conversation: Pick<Conversation, 'projectId' | 'systemPrompt' | 'contextCut'>,
  path: readonly (ExposedMessage & { readonly id?: string })[],
): Exposed {
  return {
    instructions: instructionsOf(core, conversation),
    messages: sentMessages(path, conversation.contextCut)
      .map((message) => ({ ...message, text: textWithCalls(message) }))
      .filter(({ text, attachments = [] }) => text !== '' || attachments.length > 0),
  }
}

/**
 * Must be called before a consent is offered: there is none for content of a private-only project.
 * @throws {SottoError} project/private-only
 */
export function refuseInProject(
  core: Asked,
  { conversationId, projectId }: Pick<ConsentSubject, 'conversationId' | 'projectId'>,
): void {
  const conversation = core.conversations.recordsOf(conversationId).conversations.readable(conversationId)
  requireInProject(core, conversation?.projectId ?? projectId)
}

/** A separate text that is read aloud. */
export function exposedText(text: string): Exposed {
  return { instructions: undefined, messages: [{ role: 'assistant', text }] }
}

/** A text of the user and images that are sent to the studio. */
export function exposedOnward(
  text: string,
  attachments: NonNullable<ExposedMessage['attachments']>,
): Exposed {
  return { instructions: undefined, messages: [{ role: 'user', text, attachments }] }
}

/**
 * Returns what the next call of the window would expose. Throws conversation/unknown and
 * conversation/message-unknown.
 */
export function exposedBy(
  core: Asked & Pick<UnlockedCore, 'knowledge'>,
  subject: ConsentSubject,
): Exposed | null {
  // Applies also before a private conversation has begun.
  if (subject.purpose === 'dictate') return null
  // Applies also to a deleted conversation, because jobs that use its content can be repeated.
  if (subject.purpose === 'studio')
    return exposedOnward(subject.text ?? '', namedIn(core, subject.attachmentIds ?? []))
  const whole = core.conversations.get(subject.conversationId)
  switch (subject.purpose) {
    case 'continue':
    case 'compare':
    case 'web-search':
      return exposedIn(core, whole.conversation, branchOf(core, whole, subject))
    case 'read-aloud':
      return exposedText(
        subject.messageId === undefined ? (subject.text ?? '') : messageOf(whole, subject.messageId).text,
      )
  }
}

function branchOf(
  { conversations, knowledge }: Pick<UnlockedCore, 'conversations' | 'knowledge'>,
  whole: WholeConversation,
  { questionId, parentId, text, attachmentIds = [], passageIds = [] }: ConsentSubject,
): ExposedMessage[] {
  const before = branchBefore(whole, questionId ?? parentId)
  if (questionId !== undefined) return before
  if (text === undefined && attachmentIds.length === 0 && passageIds.length === 0) return before
  return [
    ...before,
    {
      role: 'user',
      text: text ?? '',
      passages: knowledge.passagesOf(whole.conversation.projectId, passageIds),
      attachments: [...new Set(attachmentIds)].flatMap((id) => attachmentOf({ conversations }, id) ?? []),
    },
  ]
}

/** A deleted attachment is still listed by its id. */
function namedIn(
  core: Pick<Asked, 'conversations'>,
  ids: readonly string[],
): NonNullable<ExposedMessage['attachments']> {
  return [...new Set(ids)].map((id) => attachmentOf(core, id) ?? { id, name: id })
}

function attachmentOf(
  {
    conversations: {
      places: { stored, memory },
    },
  }: Pick<Asked, 'conversations'>,
  id: string,
): { readonly id: string; readonly name: string } | null {
  return memory.attachments.get(id) ?? stored.attachments.get(id)
}

function messageOf({ messages }: WholeConversation, id: string): ExposedMessage {
  const message = messages.find((one) => one.id === id)
  if (!message) throw new SottoError('conversation/message-unknown')
  return message
}

/** The window shows this many messages; the user can open the conversation for the others. */
const EXCERPTS = 100
const EXCERPT_LENGTH = 160

/** Summarizes the content as numbers and first words. */
export function exposureOf(exposed: Exposed | null): Exposure {
  const { instructions = '', messages = [] } = exposed ?? {}
  return {
    instructions: instructions.length,
    messages: messages.length,
    attachments: messages.reduce((sum, { attachments = [] }) => sum + attachments.length, 0),
    characters: messages.reduce((sum, { text }) => sum + text.length, 0),
    excerpts: messages.slice(-EXCERPTS).map(({ role, text, attachments = [] }) => ({
      role,
      text: firstWords(text),
      characters: text.length,
      attachments: attachments.map(({ name }) => name),
    })),
  }
}

/** Bidirectional controls, which could make an excerpt look different. */
const TURNS_ORDER = /[\u202A-\u202E\u2066-\u2069]/g

function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT_LENGTH)
    .replaceAll(TURNS_ORDER, '\ufffd')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line.length <= EXCERPT_LENGTH && text.length <= 4 * EXCERPT_LENGTH) return line
  // A lone surrogate isn't a character.
  const cut = line.slice(0, EXCERPT_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
  const end = cut.lastIndexOf(' ')
  return `${end > EXCERPT_LENGTH / 2 ? cut.slice(0, end) : cut}…`
}
