import {
  asList,
  asObject,
  asText,
  firstTime,
  type ImportedConversation,
  type JsonObject,
} from './imported.ts'
import { fromMessages } from './message-lists.ts'

/** Lines of Codex's log that repeat the messages in another form, or describe the session. */
const CODEX_LINES = new Set(['session_meta', 'turn_context', 'event_msg', 'compacted'])

/** Lines of Claude Code's log without a message. */
const CLAUDE_LINES = new Set([
  'summary',
  'system',
  'attachment',
  'progress',
  'file-history-snapshot',
  'queue-operation',
])

/**
 * The message in one line of a coding agent's log: of Claude Code, whose lines have the message of the API, or of Codex, whose lines have an
 * item of the Responses API.
 *
 * @returns an object without a message for a line that has none, undefined if this is no such line
 */
export function messageOfLog(line: JsonObject): JsonObject | undefined {
  const { type, message, payload, sessionId, timestamp, isSidechain, agentId } = line
  if (type === 'response_item') return { ...asObject(payload), created_at: timestamp }
  if (CODEX_LINES.has(asText(type)) && asObject(payload)) return {}
  if (CLAUDE_LINES.has(asText(type)) && !('content' in line && 'role' in line)) return {}
  const inner = asObject(message)
  if (!inner || typeof sessionId !== 'string' || !/^(?:user|assistant)$/.test(asText(type))) return undefined
  // What a subagent wrote is a chat of its own.
  const side = isSidechain === true ? ` ${asText(agentId)} side` : ''
  return { ...inner, created_at: timestamp, thread_id: `${asText(sessionId)}${side}` }
}

/**
 * The message in one line of SillyTavern's chat, which names the speaker and has no role.
 *
 * @returns an object without a message for the first line, undefined if this is no such line
 */
export function messageOfCharacter(line: JsonObject): JsonObject | undefined {
  const { user_name: user, character_name: character, is_user: isUser, mes, send_date: sentAt } = line
  if (typeof user === 'string' && typeof character === 'string' && mes === undefined) return {}
  return typeof isUser === 'boolean' && typeof mes === 'string'
    ? { role: isUser ? 'user' : 'assistant', content: mes, created_at: sentAt }
    : undefined
}

/** @returns whether this is a chat of GitHub Copilot that VS Code exported */
export function isCopilot({ requests }: JsonObject): boolean {
  return asList(requests).some((each) => {
    const { message, response } = asObject(each) ?? {}
    return typeof asObject(message)?.['text'] === 'string' && Array.isArray(response)
  })
}

/** The export of a chat in VS Code: each request with the parts of its response. */
export function fromCopilot(value: JsonObject): ImportedConversation {
  const messages = asList(value['requests']).flatMap((each) => {
    const request = asObject(each) ?? {}
    const parts = asList(request['response']).map((item) => partOf(asObject(item) ?? {}))
    const at = { created_at: request['timestamp'] }
    return [
      { role: 'user', content: asText(asObject(request['message'])?.['text']), ...at },
      { role: 'assistant', content: joinTexts(parts), model: request['modelId'], ...at },
    ]
  })
  return fromMessages(messages, {
    title: asText(value['customTitle']),
    createdAt: firstTime(value['creationDate']),
    updatedAt: firstTime(value['lastMessageDate']),
  })
}

function partOf(item: JsonObject): JsonObject {
  const { kind, value, content, toolId, invocationMessage } = item
  const text = asText(value) || asText(asObject(value)?.['value']) || asText(asObject(content)?.['value'])
  if (kind === undefined || kind === 'markdownContent') return { type: 'text', text }
  if (kind === 'thinking') return { type: 'thinking', text }
  if (kind === 'toolInvocationSerialized')
    return {
      type: 'tool_call',
      name: toolId,
      arguments: asObject(invocationMessage)?.['value'] ?? invocationMessage,
    }
  if (kind === 'inlineReference') return { type: 'text', text: asText(item['name']) }
  return { type: asText(kind) }
}

/** Parts of one sentence follow each other without a space. */
function joinTexts(parts: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last?.['type'] === 'text' && part['type'] === 'text')
      joined[joined.length - 1] = { ...last, text: asText(last['text']) + asText(part['text']) }
    else joined.push(part)
  }
  return joined
}
