import {
  asList,
  asObject,
  asText,
  firstTime,
  inOrder,
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  type ImportedConversation,
  type ImportedMessage,
  type JsonObject,
} from './imported.ts'
import { MessageDraft } from './message-draft.ts'
import { addMessage } from './message-lists.ts'

export interface TreeNode {
  readonly parent: string | null
  readonly message: JsonObject | null
}

/** @returns the messages of a tree, each after the one that it follows */
export function treeMessages(
  nodes: ReadonlyMap<string, TreeNode>,
  leftOut: LeftOut,
  read: (message: JsonObject, draft: MessageDraft, before: JsonObject | null) => ImportedMessage['role'],
): ImportedMessage[] {
  const keys = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  const ordered = inOrder(nodes, ({ parent }) => parent)
  leftOut.add('other', nodes.size - ordered.length)
  for (const { key, node } of ordered) {
    const parentKey = node.parent === null ? null : (keys.get(node.parent) ?? null)
    const draft = new MessageDraft(leftOut)
    const before = node.parent === null ? null : (nodes.get(node.parent)?.message ?? null)
    const role = node.message ? read(node.message, draft, before) : 'user'
    const content = draft.finish()
    keys.set(key, content ? key : parentKey)
    if (!content || !node.message) continue
    const { model, createdAt, inserted_at: inserted, create_time: created } = node.message
    messages.push({
      key,
      parentKey,
      role,
      ...content,
      model: role === 'assistant' ? modelFrom(asText(model)) : undefined,
      at: firstTime(createdAt, inserted, created),
    })
  }
  return messages
}

/** @returns whether this is a message of DeepSeek's export. Unlike ChatGPT's, it names no author */
export function isDeepSeekMessage(message: JsonObject): boolean {
  return 'fragments' in message || (typeof message['content'] === 'string' && !('author' in message))
}

/** DeepSeek's export: a tree of nodes whose messages are lists of fragments. In older files, they have one text and no role. */
export function fromDeepSeek(value: JsonObject): ImportedConversation {
  const title = asText(value['title'])
  const leftOut = new LeftOut()
  const nodes = new Map<string, TreeNode>()
  for (const [key, each] of Object.entries(asObject(value['mapping']) ?? {})) {
    const node = asObject(each)
    nodes.set(key, { parent: asText(node?.['parent']) || null, message: asObject(node?.['message']) })
  }
  if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', title || null)
  const questions = new Set<unknown>()
  const messages = treeMessages(nodes, leftOut, (message, draft, before) => {
    const isReply = message['role'] === undefined ? questions.has(before) : message['role'] === 'ASSISTANT'
    let role: ImportedMessage['role'] = isReply || 'fragments' in message ? 'assistant' : 'user'
    draft.addReasoning(asText(message['reasoning_content']))
    draft.addText(asText(message['content']))
    for (const each of asList(message['fragments'])) {
      const fragment = asObject(each) ?? {}
      const type = asText(fragment['type'])
      const content = asText(fragment['content'])
      if (type === 'REQUEST') role = 'user'
      if (type === 'THINK') draft.addReasoning(content)
      else if (content !== '') draft.addText(content)
      else if (type === 'SEARCH' || type === 'READ_LINK') leftOut.add('tools')
      else if (type !== 'REQUEST' && type !== 'RESPONSE') leftOut.add('other')
      for (const result of asList(fragment['results'])) {
        const { url, title: name, snippet } = asObject(result) ?? {}
        draft.addCitation(asText(url), asText(name), asText(snippet))
      }
    }
    for (const each of asList(message['files'])) {
      const { file_name: name, content } = asObject(each) ?? {}
      if (asText(content) === '') leftOut.add('files')
      else draft.addFile(asText(name), asText(content))
    }
    if (role === 'user') questions.add(message)
    return role
  })
  const model = messages.findLast((message) => message.model !== undefined)?.model
  return {
    title,
    model,
    createdAt: firstTime(value['inserted_at']),
    updatedAt: firstTime(value['updated_at']),
    messages,
    leftOut,
  }
}

/** LibreChat's export: messages that hold their replies, or a list in which each names the message before. */
export function fromLibreChat(value: JsonObject): ImportedConversation {
  const title = asText(value['title'])
  const leftOut = new LeftOut()
  const nodes = new Map<string, TreeNode>()
  const open: unknown[] = [...asList(value['messages'] ?? value['messagesTree'])].toReversed()
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const message = asObject(each)
    const key = asText(message?.['messageId'])
    if (!message || key === '' || nodes.has(key)) leftOut.add('other')
    else {
      nodes.set(key, { parent: asText(message['parentMessageId']) || null, message })
      open.push(...asList(message['children']).toReversed())
    }
    if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', title || null)
  }
  const options = asObject(value['options']) ?? {}
  const messages = treeMessages(nodes, leftOut, (message, draft) => {
    addMessage(draft, message, leftOut)
    return message['isCreatedByUser'] === true ? 'user' : 'assistant'
  })
  return {
    title,
    model: modelFrom(asText(options['model'])),
    createdAt: firstTime(value['createdAt']),
    updatedAt: firstTime(value['updatedAt']),
    messages,
    leftOut,
    systemPrompt: asText(options['promptPrefix'] ?? options['system']).slice(0, 200_000) || undefined,
  }
}
