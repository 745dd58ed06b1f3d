import { fileHeadSchema, FILE_VERSION } from '../../../../shared/library/conversation-file.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type { ImportSource } from '../../../../shared/library/import-report.ts'
import { tryParseJson } from '../../../../shared/strict-json.ts'
import { fromCopilot, isCopilot } from './agent-logs.ts'
import { fromChatGpt } from './chatgpt.ts'
import { fromClaude, fromClaudeProject } from './claude.ts'
import {
  chatsOf,
  fromChatbox,
  fromCherryStudio,
  fromJan,
  fromLobeChat,
  fromLmStudio,
  fromNextChat,
  fromOpenRouter,
  fromTypingMind,
  nextChatSessions,
} from './clients.ts'
import { asList, asObject, asText, type ImportedConversation, type JsonObject } from './imported.ts'
import { fromGemini, isGemini } from './gemini.ts'
import { fromGrok, isGrok } from './grok.ts'
import { fromMessageObject, hasMessages, isLooseMessage } from './message-lists.ts'
import { fromOpenAi, isOpenAi } from './openai-responses.ts'
import { fromOpenWebUi } from './open-webui.ts'
import { fromSotto } from './sotto.ts'
import { fromDeepSeek, fromLibreChat, isDeepSeekMessage } from './trees.ts'

interface Format {
  readonly source: Exclude<ImportSource, 'backup' | 'project'>
  /** Whether only files of this program have this shape. */
  readonly matches: (value: JsonObject) => boolean
  /** Throws Skip. */
  readonly read: (value: JsonObject) => readonly ImportedConversation[]
}

/** The first format that matches decides, so a shape that others share comes last. */
const formats: readonly Format[] = [
  {
    source: 'deepseek',
    matches: ({ mapping }) =>
      Object.values(asObject(mapping) ?? {}).some((node) =>
        isDeepSeekMessage(asObject(asObject(node)?.['message']) ?? {}),
      ),
    read: (value) => [fromDeepSeek(value)],
  },
  { source: 'chatgpt', matches: (value) => 'mapping' in value, read: (value) => [fromChatGpt(value)] },
  { source: 'claude', matches: (value) => 'chat_messages' in value, read: (value) => [fromClaude(value)] },
  {
    source: 'claude',
    matches: ({ uuid, name, docs }) => asText(uuid) !== '' && typeof name === 'string' && Array.isArray(docs),
    read: (value) => [fromClaudeProject(value)],
  },
  { source: 'open-webui', matches: (value) => 'chat' in value, read: (value) => [fromOpenWebUi(value)] },
  {
    source: 'librechat',
    matches: ({ conversationId, messages, messagesTree }) =>
      asText(conversationId) !== '' && (Array.isArray(messages) || Array.isArray(messagesTree)),
    read: (value) => [fromLibreChat(value)],
  },
  {
    source: 'cherry-studio',
    matches: ({ indexedDB }) => Array.isArray(asObject(indexedDB)?.['topics']),
    read: fromCherryStudio,
  },
  {
    source: 'chatbox',
    matches: (value) =>
      Array.isArray(value['chat-sessions']) || Object.keys(value).some((name) => name.startsWith('session:')),
    read: fromChatbox,
  },
  {
    source: 'openrouter',
    matches: ({ characters, messages }) => asObject(characters) !== null && asObject(messages) !== null,
    read: (value) => [fromOpenRouter(value)],
  },
  {
    source: 'lm-studio',
    matches: ({ messages }) => asList(messages).some((each) => Array.isArray(asObject(each)?.['versions'])),
    read: (value) => [fromLmStudio(value)],
  },
  {
    source: 'jan',
    matches: ({ messages }) =>
      asList(messages).some((each) => asObject(each)?.['object'] === 'thread.message'),
    read: (value) => [fromJan(value)],
  },
  { source: 'grok', matches: isGrok, read: (value) => [fromGrok(value)] },
  { source: 'messages', matches: isCopilot, read: (value) => [fromCopilot(value)] },
  {
    source: 'messages',
    matches: ({ state }) => Array.isArray(asObject(state)?.['messages']),
    read: fromLobeChat,
  },
  { source: 'messages', matches: (value) => nextChatSessions(value).length > 0, read: fromNextChat },
  { source: 'messages', matches: isOpenAi, read: (value) => [fromOpenAi(value)] },
  { source: 'messages', matches: isGemini, read: (value) => [fromGemini(value)] },
  { source: 'typingmind', matches: (value) => chatsOf(value).length > 0, read: fromTypingMind },
  {
    source: 'typingmind',
    matches: ({ chatTitle, messages }) => typeof chatTitle === 'string' && Array.isArray(messages),
    read: (value) => [fromMessageObject(value)],
  },
  {
    source: 'messages',
    matches: ({ messages, conversations }) =>
      hasMessages(messages) || asList(conversations).some((each) => isLooseMessage(asObject(each) ?? {})),
    read: (value) => [fromMessageObject(value)],
  },
]

const sotto: Format = { source: 'sotto', matches: () => true, read: (value) => [fromSotto(value)] }

/**
 * @param head - the JSON object around the list that holds the value, or ''
 * @returns the format of a chat, or null if none matches
 * @throws {SottoError} library/newer-version – if a newer Sotto saved the file
 */
export function formatOf(value: unknown, head: string): Format | null {
  const parsed = head === '' ? null : fileHeadSchema.safeParse(tryParseJson(head))
  if (parsed?.success) {
    if (parsed.data.version > FILE_VERSION) throw new SottoError('library/newer-version')
    return sotto
  }
  const object = asObject(value)
  return object ? (formats.find(({ matches }) => matches(object)) ?? null) : null
}
