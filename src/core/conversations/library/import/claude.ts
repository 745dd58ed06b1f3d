import { z } from 'zod'
import { clipDisplayName } from '../../../../shared/display-name.ts'
import {
  asObject,
  asText,
  firstTime,
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  textFrom,
  timeFrom,
  titleFrom,
  type ImportedConversation,
  type ImportedMessage,
} from './imported.ts'
import { fenced, MessageDraft } from './message-draft.ts'

const messageSchema = z.object({
  uuid: z.string().min(1).max(200),
  parent_message_uuid: z.string().nullish(),
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  created_at: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
})

const schema = z.object({
  name: z.string().nullish(),
  model: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  current_leaf_message_uuid: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
})

/** Claude's id for the parent of the first message. */
const BEGINNING = '00000000-0000-4000-8000-000000000000'

/**
 * Reads a conversation of `conversations.json` from Claude's export: messages in order, some of which name
 * their parent.
 */
export function fromClaude(value: unknown): ImportedConversation {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const {
    name,
    model,
    chat_messages: list,
    created_at: created,
    updated_at: updated,
    current_leaf_message_uuid: leaf,
  } = parsed.data
  if (list.length > MAX_MESSAGES) throw new Skip('too-large', name ?? null)
  const leftOut = new LeftOut()
  /** The children of a skipped message follow its parent. */
  const parentOf = new Map<string, string | null>()
  const messages: ImportedMessage[] = []
  let before: string | null = null
  for (const each of list) {
    const message = messageSchema.safeParse(each)
    if (!message.success) {
      leftOut.add('other')
      continue
    }
    const { uuid, parent_message_uuid: parent } = message.data
    const parentKey: string | null =
      parent === BEGINNING
        ? null
        : parent
          ? parentOf.has(parent)
            ? (parentOf.get(parent) ?? null)
            : before
          : before
    const content = contentOf(message.data, leftOut)
    const repeated = parentOf.has(uuid)
    if (!content || repeated) {
      if (repeated) leftOut.add('other')
      else parentOf.set(uuid, parentKey)
      continue
    }
    parentOf.set(uuid, uuid)
    before = uuid
    messages.push({ key: uuid, parentKey, ...content })
  }
  return {
    title: name ?? '',
    model: modelFrom(model),
    createdAt: timeFrom(created),
    updatedAt: timeFrom(updated),
    messages,
    leftOut,
    leafKey: leaf ? (parentOf.get(leaf) ?? undefined) : undefined,
  }
}

function contentOf(
  message: z.infer<typeof messageSchema>,
  leftOut: LeftOut,
): Omit<ImportedMessage, 'key' | 'parentKey'> | null {
  const { sender, content, attachments, files, created_at: created } = message
  const role = sender === 'human' || sender === 'user' ? 'user' : sender === 'assistant' ? 'assistant' : null
  if (role === null) {
    leftOut.add('other')
    return null
  }
  const draft = new MessageDraft(leftOut)
  for (const block of content ?? []) addBlock(draft, block)
  if (!content?.some((block) => asText(asObject(block)?.['text']).trim() !== ''))
    draft.addText(message.text ?? '')
  for (const each of attachments ?? []) {
    const { file_name: name, extracted_content: text } = asObject(each) ?? {}
    if (asText(text) === '') leftOut.add('files')
    else draft.addFile(asText(name), asText(text))
  }
  leftOut.add('files', files?.length ?? 0)
  const finished = draft.finish()
  return finished && { role, ...finished, at: timeFrom(created) }
}

/** An artifact is a document that Claude wrote with a tool call. It becomes part of the text. */
function addBlock(draft: MessageDraft, value: unknown): void {
  const block = asObject(value)
  const input =
    block?.['type'] === 'tool_use' && block['name'] === 'artifacts' ? asObject(block['input']) : null
  const content = asText(input?.['content'])
  if (!input || content === '') {
    draft.addPart(value)
    return
  }
  const type = asText(input['type'])
  const body =
    type === '' || type === 'text/markdown' || type === 'text/plain'
      ? content
      : fenced(content, asText(input['language']) || type.replace(/^.*[/.]/, ''))
  const title = asText(input['title'])
  draft.addText(title === '' ? body : `**${title}**\n\n${body}`)
}

const projectSchema = z.object({
  name: z.string(),
  description: z.string().nullish(),
  prompt_template: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  docs: z.array(z.unknown()),
})

/** A project of `projects.json` of Claude's export becomes a chat that holds its documents, in a folder of its name. */
export function fromClaudeProject(value: unknown): ImportedConversation {
  const parsed = projectSchema.safeParse(value)
  if (!parsed.success) throw new Skip('malformed')
  const { name, description, prompt_template: prompt, docs } = parsed.data
  if (docs.length > MAX_MESSAGES) throw new Skip('too-large', name)
  const leftOut = new LeftOut()
  const messages: ImportedMessage[] = []
  const addMessage = (draft: MessageDraft, at: number | null): void => {
    const content = draft.finish()
    if (content)
      messages.push({
        key: String(messages.length),
        parentKey: messages.at(-1)?.key ?? null,
        role: 'user',
        at,
        ...content,
      })
  }
  const about = new MessageDraft(leftOut)
  about.addText(description ?? '')
  // A chat needs a message, so the instructions are also the message of a project that has nothing else.
  if (docs.length === 0 && !description) about.addText(prompt ?? '')
  addMessage(about, timeFrom(parsed.data.created_at))
  for (const each of docs) {
    const { filename, content, created_at: created } = asObject(each) ?? {}
    const draft = new MessageDraft(leftOut)
    if (asText(content) === '') leftOut.add('files')
    else draft.addFile(asText(filename), asText(content))
    addMessage(draft, firstTime(created))
  }
  return {
    title: name,
    createdAt: timeFrom(parsed.data.created_at),
    updatedAt: timeFrom(parsed.data.updated_at),
    messages,
    leftOut,
    systemPrompt: prompt ? textFrom(prompt, leftOut)?.slice(0, 200_000) : undefined,
    folder: clipDisplayName(titleFrom(name), 100),
  }
}
