import {
  asList,
  asObject,
  asText,
  firstTime,
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  type ImportedConversation,
  type ImportedMessage,
  type JsonObject,
} from './imported.ts'
import { MessageDraft } from './message-draft.ts'
import { isResponseItem, messagesOf } from './response-items.ts'

interface ListOptions {
  readonly title: string
  readonly model?: unknown
  readonly systemPrompt?: string
  readonly createdAt?: number | null
  readonly updatedAt?: number | null
}

/** @returns one chat of messages in their order, in the form of a chat API, with the usual members of chat clients */
export function fromMessages(list: readonly unknown[], options: ListOptions): ImportedConversation {
  const { title, model, systemPrompt = '', createdAt = null, updatedAt = null } = options
  if (list.length > MAX_MESSAGES) throw new Skip('too-large', title || null)
  const leftOut = new LeftOut()
  const messages: ImportedMessage[] = []
  let reply: MessageDraft | null = null
  let instructions = systemPrompt
  const finishers: (() => void)[] = []
  for (const value of list) {
    const message = asObject(value)
    const role: Role | null = message && (reply && isResult(message) ? 'tool' : roleOf(message))
    if (!message || role === null) {
      leftOut.add('other')
      continue
    }
    // The result of a tool belongs to the reply that called it.
    if (role === 'tool') {
      reply ??= new MessageDraft(leftOut)
      if (isResult(message)) {
        reply.addContent(message['content'])
        continue
      }
      const result = new MessageDraft(leftOut)
      result.addContent(message['content'])
      const id = asText(message['tool_call_id'])
      reply.addResult(asText(message['name']) || 'tool', result.finish()?.text ?? '', id)
      continue
    }
    const draft = new MessageDraft(leftOut)
    addMessage(draft, message, leftOut)
    reply = role === 'assistant' ? draft : null
    if (role === 'system' && messages.length === 0 && finishers.length === 0 && instructions === '') {
      instructions = draft.finish()?.text ?? ''
      continue
    }
    const at = firstTime(
      message['created_at'],
      message['createdAt'],
      message['timestamp'],
      message['updatedAt'],
    )
    const ownModel = asText(message['model']) || asText(asObject(message['metadata'])?.['model'])
    finishers.push(() => {
      const content = draft.finish()
      if (!content) return
      messages.push({
        key: String(messages.length),
        parentKey: messages.at(-1)?.key ?? null,
        role,
        ...content,
        model: role === 'assistant' ? modelFrom(ownModel) : undefined,
        at,
      })
    })
  }
  for (const finish of finishers) finish()
  return {
    title,
    model: modelFrom(asText(model)),
    createdAt,
    updatedAt,
    messages,
    leftOut,
    ...(instructions !== '' && { systemPrompt: instructions.slice(0, 200_000) }),
  }
}

/** Anthropic's API returns the results of tools in a message of the user. */
function isResult({ content }: JsonObject): boolean {
  const parts = asList(content)
  return parts.length > 0 && parts.every((part) => asObject(part)?.['type'] === 'tool_result')
}

type Role = ImportedMessage['role'] | 'tool'

function roleOf(message: JsonObject): Role | null {
  const named = asText(
    message['role'] ??
      asObject(message['author'])?.['role'] ??
      message['sender'] ??
      message['from'] ??
      roleInType(message),
  ).toLowerCase()
  if (named === 'user' || named === 'human') return 'user'
  if (
    named === 'assistant' ||
    named === 'ai' ||
    named === 'gpt' ||
    named === 'model' ||
    named === 'bot' ||
    named === 'gemini'
  )
    return 'assistant'
  if (named === 'system' || named === 'developer') return 'system'
  return named === 'tool' || named === 'function' ? 'tool' : null
}

/** Gemini's command line names the role as the type. */
function roleInType({ type }: JsonObject): unknown {
  return type === 'user' || type === 'gemini' ? type : undefined
}

/** Adds all of a message's text, in whichever of the usual members it is. */
export function addMessage(draft: MessageDraft, message: JsonObject, leftOut: LeftOut): void {
  // Big-AGI stores a message in fragments.
  for (const each of asList(message['fragments'])) {
    const part = asObject(asObject(each)?.['part']) ?? {}
    if (part['pt'] === 'text') draft.addText(asText(part['text']))
    else leftOut.add(asText(part['pt']).startsWith('image') ? 'images' : 'other')
  }
  const parts = ['contentParts', 'contentChunks', 'parts', 'content', 'value'].find((name) => {
    const value = message[name]
    return Array.isArray(value)
      ? value.length > 0
      : typeof value === 'string'
        ? value !== ''
        : asObject(value) !== null
  })
  const reasoning = asText(
    message['reasoning_content'] ?? message['reasoningContent'] ?? message['reasoning'],
  )
  draft.addReasoning(reasoning)
  for (const each of asList(message['thoughts'])) {
    const { subject, description } = asObject(each) ?? {}
    draft.addReasoning([asText(subject), asText(description)].filter((part) => part !== '').join('\n\n'))
  }
  if (parts !== undefined) draft.addContent(message[parts])
  else draft.addText(asText(message['text']))
  draft.addText(asText(message['refusal']))
  draft.addToolCalls(message['tool_calls'])
  for (const each of asList(message['annotations']))
    draft.addPart({ type: 'text', text: '', annotations: [each] })
  for (const name of ['attachments', 'files', 'experimental_attachments']) {
    for (const each of asList(message[name])) {
      const file = asObject(each) ?? {}
      const text = asText(file['extracted_content'] ?? file['text'] ?? file['content'])
      const type = asText(file['type'] ?? file['mimeType'] ?? file['contentType'])
      if (text !== '') draft.addFile(asText(file['name'] ?? file['filename']), text)
      else leftOut.add(type.startsWith('image') ? 'images' : 'files')
    }
  }
  leftOut.add('images', asList(message['pictures']).length + asList(message['images']).length)
}

/** @returns whether this is a list of messages with a role, or an empty one. The messages of other programs have names. */
export function hasMessages(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    (value.length === 0 || value.some((each) => roleOf(asObject(each) ?? {}) !== null))
  )
}

/** An object with a list of messages: a saved chat request, or a chat of TypingMind or of a similar client. */
export function fromMessageObject(value: JsonObject): ImportedConversation {
  const title = asText(
    value['chatTitle'] ?? value['userTitle'] ?? value['autoTitle'] ?? value['title'] ?? value['name'],
  )
  const model = value['model'] ?? value['modelID'] ?? asObject(value['settings'])?.['modelId']
  const system = value['system'] ?? value['systemPrompt'] ?? asObject(value['chatParams'])?.['systemMessage']
  const instructions = new MessageDraft(new LeftOut())
  instructions.addContent(system)
  return fromMessages(asList(value['messages'] ?? value['conversations']), {
    title,
    model: asObject(model)?.['id'] ?? model,
    systemPrompt: instructions.finish()?.text ?? '',
    createdAt: firstTime(value['created_at'], value['createdAt'], value['create_time']),
    updatedAt: firstTime(value['updated_at'], value['updatedAt'], value['update_time']),
  })
}

/** Messages that a file holds without a chat around them, such as Jan's `messages.jsonl`: one chat for each thread. */
export function fromLooseMessages(messages: readonly JsonObject[]): ImportedConversation[] {
  const threads = new Map<string, JsonObject[]>()
  // Lines of a log without a message belong to no thread. They are counted in the first.
  const isMessage = (value: JsonObject) => isResponseItem(value) || roleOf(value) !== null
  const first = asText(messages.find(isMessage)?.['thread_id'])
  for (const message of messages) {
    const thread = isMessage(message) ? asText(message['thread_id']) : first
    const known = threads.get(thread)
    if (known) known.push(message)
    else threads.set(thread, [message])
  }
  return [...threads.values()].map((list) =>
    fromMessages(list.some(isResponseItem) ? messagesOf(list) : list, { title: '' }),
  )
}

/** @returns whether a JSON value is a message without a chat around it */
export function isLooseMessage(value: JsonObject): boolean {
  if (isResponseItem(value)) return true
  return (
    value['messages'] === undefined &&
    value['mapping'] === undefined &&
    roleOf(value) !== null &&
    ['content', 'text', 'value', 'parts', 'tool_calls'].some((name) => name in value)
  )
}
