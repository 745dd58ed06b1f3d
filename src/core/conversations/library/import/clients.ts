import { tryParseJson } from '../../../../shared/strict-json.ts'
import {
  asList,
  asObject,
  asText,
  firstTime,
  modelFrom,
  type ImportedConversation,
  type JsonObject,
} from './imported.ts'
import { fromMessageObject, fromMessages } from './message-lists.ts'

/** TypingMind's export of all chats: `data.chats`. */
export function fromTypingMind(value: JsonObject): ImportedConversation[] {
  return chatsOf(value).flatMap((each) => {
    const chat = asObject(each)
    return chat ? [fromMessageObject(chat)] : []
  })
}

/** @returns the list of chats of a TypingMind export, or an empty one if other things are in it */
export function chatsOf(value: JsonObject): readonly unknown[] {
  const chats = asList(asObject(value['data'])?.['chats'] ?? value['chats'])
  return chats.some((each) => Array.isArray(asObject(each)?.['messages'])) ? chats : []
}

/** @returns the sessions of NextChat's backup, which also contains keys of services that are never read */
export function nextChatSessions(value: JsonObject): readonly unknown[] {
  return asList(asObject(value['chat-next-web-store'])?.['sessions'])
}

/** NextChat's backup: each session with its topic, and with the model in its mask. */
export function fromNextChat(value: JsonObject): ImportedConversation[] {
  return nextChatSessions(value).flatMap((each) => {
    const session = asObject(each)
    if (!session) return []
    const { model } = asObject(asObject(session['mask'])?.['modelConfig']) ?? {}
    return [
      fromMessages(asList(session['messages']), {
        title: asText(session['topic']),
        model,
        updatedAt: firstTime(session['lastUpdate']),
      }),
    ]
  })
}

/** Chatbox's export: one member for each session. A session may hold earlier threads. */
export function fromChatbox(value: JsonObject): ImportedConversation[] {
  const sessions = [
    ...Object.entries(value).flatMap(([name, session]) => (name.startsWith('session:') ? [session] : [])),
    ...asList(value['chat-sessions']),
  ]
  return sessions.flatMap((each) => {
    const session = asObject(each)
    if (!session) return []
    const threads = asList(session['threads'])
      .map(asObject)
      .filter((thread) => thread !== null)
    return [...threads, session]
      .filter(({ messages }) => asList(messages).length > 0)
      .map((thread) => fromMessageObject({ ...thread, name: thread['name'] ?? session['name'] }))
  })
}

/** Cherry Studio's backup: topics list the messages, and each message lists its blocks. */
export function fromCherryStudio(value: JsonObject): ImportedConversation[] {
  const database = asObject(value['indexedDB']) ?? {}
  const blocks = new Map<string, JsonObject[]>()
  for (const each of asList(database['message_blocks'])) {
    const block = asObject(each)
    if (!block) continue
    const id = asText(block['messageId'])
    const known = blocks.get(id)
    if (known) known.push(block)
    else blocks.set(id, [block])
  }
  const names = topicNames(asObject(value['localStorage'])?.['persist:cherry-studio'])
  return asList(database['topics']).flatMap((each) => {
    const topic = asObject(each)
    if (!topic) return []
    const messages = asList(topic['messages']).map((item) => {
      const message = asObject(item)
      if (!message) return item
      const blocksOfMessage = blocks.get(asText(message['id'])) ?? []
      const order = asList(message['blocks'])
      const sorted = blocksOfMessage.toSorted((a, b) => order.indexOf(a['id']) - order.indexOf(b['id']))
      const model = asText(asObject(message['model'])?.['id']) || asText(message['modelId'])
      return { ...message, model, ...(sorted.length > 0 && { content: sorted.map(cherryPart) }) }
    })
    return [fromMessages(messages, { title: names.get(asText(topic['id'])) ?? asText(topic['name']) })]
  })
}

function cherryPart(block: JsonObject): JsonObject {
  const type = asText(block['type'])
  if (type === 'tool') {
    const { toolName, toolId, arguments: input, content } = block
    return { type: 'tool_call', name: toolName ?? toolId, arguments: input, output: content }
  }
  if (type === 'code') return { type: 'text', text: `\`\`\`\n${asText(block['content'])}\n\`\`\`` }
  if (type === 'citation') return { type: 'text', text: '', annotations: sourcesOf(block['response']) }
  return type === 'error' ? { type: 'text', text: asText(asObject(block['error'])?.['message']) } : block
}

/** The web pages of a search, in one of the forms of the search services. */
function sourcesOf(response: unknown): readonly unknown[] {
  return asList(asObject(response)?.['results'] ?? response)
}

/** A thread of Jan with its messages. Each assistant has a model. */
export function fromJan(value: JsonObject): ImportedConversation {
  const [assistant] = asList(value['assistants'])
  const model = asObject(asObject(assistant)?.['model'])?.['id']
  return fromMessageObject({ ...value, model: value['model'] ?? model })
}

/** The names of topics are in the saved state of the window, which is JSON inside JSON. */
function topicNames(persisted: unknown): Map<string, string> {
  const state = asObject(tryParseJson(asText(persisted)))
  const assistants = asObject(tryParseJson(asText(state?.['assistants'])))
  const names = new Map<string, string>()
  for (const each of asList(assistants?.['assistants']))
    for (const topic of asList(asObject(each)?.['topics'])) {
      const { id, name } = asObject(topic) ?? {}
      if (asText(id) !== '') names.set(asText(id), asText(name))
    }
  return names
}

/** LM Studio's conversation file: each message holds its versions, one of which is selected. */
export function fromLmStudio(value: JsonObject): ImportedConversation {
  const messages = asList(value['messages']).map((each) => {
    const message = asObject(each)
    const versions = asList(message?.['versions'])
    const selected = message?.['currentlySelected']
    const version = asObject(versions[typeof selected === 'number' ? selected : versions.length - 1])
    if (!version) return each
    const content = [
      ...asList(version['content']),
      ...asList(version['steps']).flatMap((item) => {
        const step = asObject(item) ?? {}
        const thinking = asText(asObject(step['style'])?.['type']) === 'thinking'
        const parts = asList(step['content'])
        return thinking ? parts.map((part) => ({ ...asObject(part), type: 'thinking' })) : parts
      }),
    ]
    return { role: version['role'], content, model: asObject(version['senderInfo'])?.['senderName'] }
  })
  return fromMessages(messages, {
    title: asText(value['name']),
    model: asObject(value['lastUsedModel'])?.['identifier'],
    systemPrompt: asText(value['systemPrompt']),
    createdAt: firstTime(value['createdAt']),
  })
}

/** OpenRouter's chat: messages by ID, each by the user or by a character that has a model. */
export function fromOpenRouter(value: JsonObject): ImportedConversation {
  const characters = asObject(value['characters']) ?? {}
  const items = asObject(value['items']) ?? {}
  const messages = Object.values(asObject(value['messages']) ?? {}).map((each) => {
    const message = asObject(each)
    if (!message) return each
    const author = asText(message['characterId'])
    const parts = asList(message['items']).flatMap((item) => {
      const data = asObject(asObject(items[asText(asObject(item)?.['id'])])?.['data'])
      return data?.['type'] === 'message' ? asList(data['content']) : data ? [data] : []
    })
    return {
      ...message,
      role: author === 'USER' ? 'user' : 'assistant',
      model: asObject(characters[author])?.['model'],
      ...(parts.length > 0 && { content: parts }),
    }
  })
  const models = Object.values(characters).map((each) => asText(asObject(each)?.['model']))
  return fromMessages(messages, {
    title: asText(value['title']),
    model: modelFrom(models.find((model) => model !== '')),
  })
}

/** LobeChat's export: the messages of all chats, each with the ID of its topic or else of its session. */
export function fromLobeChat(value: JsonObject): ImportedConversation[] {
  const { messages, sessions, topics } = asObject(value['state']) ?? {}
  const titles = new Map<string, string>()
  for (const each of [...asList(sessions), ...asList(topics)]) {
    const { id, title, meta } = asObject(each) ?? {}
    titles.set(asText(id), asText(title) || asText(asObject(meta)?.['title']))
  }
  const chats = new Map<string, unknown[]>()
  for (const each of asList(messages)) {
    const { topicId, sessionId } = asObject(each) ?? {}
    const chat = asText(topicId) || asText(sessionId)
    const known = chats.get(chat)
    if (known) known.push(each)
    else chats.set(chat, [each])
  }
  return [...chats].map(([id, list]) => fromMessages(list, { title: titles.get(id) ?? '' }))
}
