import { z } from 'zod'
import {
  inOrder,
  asList,
  asObject,
  asText,
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  textFrom,
  timeFrom,
  type ImportedConversation,
  type ImportedMessage,
} from './imported.ts'
import { errorText, MessageDraft } from './message-draft.ts'
import { fromMessages } from './message-lists.ts'

const time = z.union([z.number(), z.string()]).nullish()

const nodeSchema = z.object({
  parentId: z.string().nullish(),
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  timestamp: time,
  model: z.string().nullish(),
  files: z.array(z.unknown()).nullish(),
  sources: z.array(z.unknown()).nullish(),
  error: z.unknown().optional(),
})

const schema = z.object({
  title: z.string().nullish(),
  created_at: time,
  updated_at: time,
  chat: z.object({
    title: z.string().nullish(),
    timestamp: time,
    system: z.string().nullish(),
    models: z.array(z.string()).nullish(),
    history: z
      .object({ messages: z.record(z.string(), z.unknown()), currentId: z.string().nullish() })
      .nullish(),
    messages: z.array(z.unknown()).nullish(),
  }),
})

/** A conversation of Open WebUI's export of chats. */
export function fromOpenWebUi(value: unknown): ImportedConversation {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const { title, created_at: created, updated_at: updated, chat } = parsed.data
  // Older versions had no branches.
  if (!chat.history)
    return fromMessages(chat.messages ?? [], {
      title: title ?? chat.title ?? '',
      model: chat.models?.[0],
      systemPrompt: chat.system ?? '',
      createdAt: timeFrom(created ?? chat.timestamp),
      updatedAt: timeFrom(updated),
    })
  const leftOut = new LeftOut()
  const nodes = new Map<string, z.infer<typeof nodeSchema>>()
  for (const [key, each] of Object.entries(chat.history.messages)) {
    const node = nodeSchema.safeParse(each)
    if (node.success) nodes.set(key, node.data)
    else leftOut.add('other')
  }
  const name = title ?? chat.title ?? ''
  if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', name)
  const parentOf = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  const ordered = inOrder(nodes, ({ parentId }) => parentId ?? null)
  leftOut.add('other', nodes.size - ordered.length)
  for (const { key, node } of ordered) {
    const parentKey = node.parentId ? (parentOf.get(node.parentId) ?? null) : null
    const content = contentOf(node, leftOut)
    parentOf.set(key, content ? key : parentKey)
    if (content) messages.push({ key, parentKey, ...content })
  }
  const { currentId } = chat.history
  return {
    title: name,
    model: modelFrom(chat.models?.[0]),
    createdAt: timeFrom(created ?? chat.timestamp),
    updatedAt: timeFrom(updated),
    messages,
    leftOut,
    systemPrompt: chat.system ? textFrom(chat.system, leftOut)?.slice(0, 200_000) : undefined,
    leafKey: currentId ? (parentOf.get(currentId) ?? undefined) : undefined,
  }
}

function contentOf(
  { role, content, timestamp, model, files, sources, error }: z.infer<typeof nodeSchema>,
  leftOut: LeftOut,
): Omit<ImportedMessage, 'key' | 'parentKey'> | null {
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    leftOut.add(role === 'tool' ? 'tools' : 'other')
    return null
  }
  const draft = new MessageDraft(leftOut)
  if (typeof content !== 'string' || role !== 'assistant') draft.addContent(content)
  else {
    // The text of a block is HTML inside the reply, so it is escaped there.
    const reasoning = cutElements(content, '<details type="reasoning"', '</details>')
    for (const { inner } of reasoning.elements)
      draft.addReasoning(unescapeHtml(cutElements(inner, '<summary', '</summary>').rest.trim()))
    const calls = cutElements(reasoning.rest, '<details type="tool_calls"', '</details>')
    for (const { tag } of calls.elements)
      draft.addCall(
        attributeOf(tag, 'name') || 'tool',
        attributeOf(tag, 'arguments'),
        attributeOf(tag, 'result'),
        attributeOf(tag, 'id'),
      )
    draft.addText(calls.rest)
  }
  draft.addText(errorText(error))
  for (const each of files ?? []) addFile(draft, each, leftOut)
  for (const each of sources ?? []) addSource(draft, each, leftOut)
  const finished = draft.finish()
  return (
    finished && {
      role,
      ...finished,
      model: role === 'assistant' ? modelFrom(model) : undefined,
      at: timeFrom(timestamp),
    }
  )
}

function addFile(draft: MessageDraft, value: unknown, leftOut: LeftOut): void {
  const entry = asObject(value) ?? {}
  const file = asObject(entry['file']) ?? entry
  const text = asText(asObject(file['data'])?.['content'] ?? file['content'])
  if (asText(entry['type']) === 'image') leftOut.add('images')
  else if (text === '') leftOut.add('files')
  else draft.addFile(asText(file['filename'] ?? file['name'] ?? entry['name']), text)
}

/** A source with a web address becomes a citation. The excerpts of other sources are counted. */
function addSource(draft: MessageDraft, value: unknown, leftOut: LeftOut): void {
  const { source, document, metadata } = asObject(value) ?? {}
  const { url, name } = asObject(source) ?? {}
  const excerpts = asList(document)
  const addresses = [url, name, ...asList(metadata).map((each) => asObject(each)?.['source'])].map(asText)
  const address = addresses.find((each) => /^https?:/i.test(each))
  if (address === undefined) leftOut.add('excerpts', Math.max(1, excerpts.length))
  else draft.addCitation(address, asText(name), asText(excerpts[0]))
  if (address !== undefined) leftOut.add('excerpts', excerpts.length - 1)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&#34;': '"',
  '&nbsp;': '\u00a0',
  '&amp;': '&',
}

/** Each entity is replaced once, so that escaped text which shows an entity still shows it. */
function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|nbsp|amp|#39|#34|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
}

function attributeOf(tag: string, name: string): string {
  const begins = tag.indexOf(` ${name}="`)
  const from = begins + name.length + 3
  const ends = begins < 0 ? -1 : tag.indexOf('"', from)
  return ends < 0 ? '' : unescapeHtml(tag.slice(from, ends))
}

/** Removes the elements that begin with `open`. Linear in the text: it doesn't search again for a missing end. */
function cutElements(
  text: string,
  open: string,
  close: string,
): { readonly rest: string; readonly elements: readonly { readonly tag: string; readonly inner: string }[] } {
  const rest: string[] = []
  const elements: { tag: string; inner: string }[] = []
  let from = 0
  for (;;) {
    const begins = text.indexOf(open, from)
    const opened = begins < 0 ? -1 : text.indexOf('>', begins + open.length)
    const ends = opened < 0 ? -1 : text.indexOf(close, opened + 1)
    if (ends < 0) break
    rest.push(text.slice(from, begins))
    elements.push({ tag: text.slice(begins, opened), inner: text.slice(opened + 1, ends) })
    from = ends + close.length
  }
  rest.push(text.slice(from))
  return { rest: rest.map((part, at) => (at === 0 ? part : part.trimStart())).join(''), elements }
}
