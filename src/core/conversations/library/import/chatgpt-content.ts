import { z } from 'zod'
import { tryParseJson } from '../../../../shared/strict-json.ts'
import { asList, asObject, asText, type LeftOut } from './imported.ts'
import { fenced, type MessageDraft } from './message-draft.ts'

const text = z.string().nullish()

export const messageSchema = z.object({
  author: z.object({ role: z.string(), name: text }),
  create_time: z.union([z.number(), z.string()]).nullish(),
  content: z
    .looseObject({
      content_type: text,
      parts: z.array(z.unknown()).nullish(),
      language: text,
      user_profile: text,
      user_instructions: text,
    })
    .nullish(),
  recipient: text,
  metadata: z
    .object({
      model_slug: text,
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      attachments: z.array(z.unknown()).nullish(),
      citations: z.array(z.unknown()).nullish(),
      content_references: z.array(z.unknown()).nullish(),
      user_context_message_data: z.object({ about_user_message: text, about_model_message: text }).nullish(),
    })
    .nullish(),
})
export type ChatGptMessage = z.infer<typeof messageSchema>

/** Adds the content of a message of ChatGPT's export to the draft, and counts the parts that it leaves out. */
export function addChatGptContent(draft: MessageDraft, message: ChatGptMessage, leftOut: LeftOut): void {
  const { author, content, recipient } = message
  countAttachments(message, leftOut)
  const tool = author.role === 'tool' ? (author.name ?? 'tool') : null
  const type = content?.content_type ?? 'text'
  const to = recipient ?? 'all'
  if (type === 'thoughts') {
    for (const each of asList(content?.['thoughts'])) {
      const { summary, content: thought } = asObject(each) ?? {}
      draft.addReasoning([asText(summary), asText(thought)].filter((part) => part !== '').join('\n\n'))
    }
    return
  }
  if (type === 'reasoning_recap') {
    draft.addReasoning(asText(content?.['content']))
    return
  }
  const body = contentText(message, leftOut)
  if (type === 'system_error') {
    const name = asText(content?.['name'])
    draft.addResult(tool ?? 'error', [name, body].filter((part) => part !== '').join(': '))
  } else if (tool !== null) draft.addResult(tool, body)
  else if (to.startsWith('canmore.')) addCanvas(draft, to, body)
  else if (to !== 'all') draft.addCall(to, body)
  else if (type === 'execution_output' || type === 'tether_quote') draft.addResult(type, body)
  else if (type === 'code') draft.addText(body === '' ? '' : fenced(body, languageOf(content?.language)))
  else draft.addText(withLinks(body, message, draft, leftOut))
}

function languageOf(language: string | null | undefined): string {
  return language && language !== 'unknown' ? language : ''
}

/** The text of every part, and of any other member that holds text. */
function contentText({ content }: ChatGptMessage, leftOut: LeftOut): string {
  if (!content) return ''
  const texts: string[] = []
  for (const part of content.parts ?? []) {
    if (typeof part === 'string') texts.push(part)
    else if (part !== null && part !== undefined) texts.push(partText(part, leftOut))
  }
  for (const name of ['title', 'url', 'text', 'summary', 'result', 'content', 'model_set_context'])
    texts.push(asText(content[name]))
  const pieces = texts.filter((each) => each !== '')
  const known = [
    'text',
    'multimodal_text',
    'code',
    'execution_output',
    'system_error',
    'tether_browsing_display',
  ]
  if (pieces.length === 0 && !known.includes(content.content_type ?? 'text') && !content.parts)
    leftOut.add('other')
  return pieces.join('\n\n')
}

function partText(value: unknown, leftOut: LeftOut): string {
  const part = asObject(value)
  const type = asText(part?.['content_type'])
  const spoken = asText(part?.['text'])
  if (type.includes('image')) {
    leftOut.add('images')
    return asText(asObject(asObject(part?.['metadata'])?.['dalle'])?.['prompt'])
  }
  if (spoken !== '' || type === 'audio_transcription') return spoken
  leftOut.add(/audio|video/.test(type) ? 'recordings' : 'other')
  return ''
}

/** An image is both a part and an attachment: it counts once. */
function countAttachments({ content, metadata }: ChatGptMessage, leftOut: LeftOut): void {
  const pointers = (content?.parts ?? []).map((part) => asText(asObject(part)?.['asset_pointer']))
  for (const each of metadata?.attachments ?? []) {
    const { id, mimeType, mime_type: mime } = asObject(each) ?? {}
    const fileId = asText(id)
    if (fileId !== '' && pointers.some((pointer) => pointer.endsWith(fileId))) continue
    leftOut.add(asText(mimeType ?? mime).startsWith('image/') ? 'images' : 'files')
  }
}

/** A canvas is a document that the model wrote in addition to its reply. */
function addCanvas(draft: MessageDraft, recipient: string, body: string): void {
  const document = asObject(tryParseJson(body))
  const content = asText(document?.['content'])
  if (content === '') {
    draft.addCall(recipient, body)
    return
  }
  const name = asText(document?.['name'])
  const type = asText(document?.['type'])
  const shown = type.startsWith('code/') ? fenced(content, type.slice(5)) : content
  draft.addText(name === '' ? shown : `**${name}**\n\n${shown}`)
}

const MARK_BEGIN = '\ue200'

/** Replaces ChatGPT's citation marks with links. A mark without a link is removed and counted. */
function withLinks(
  body: string,
  { metadata }: ChatGptMessage,
  draft: MessageDraft,
  leftOut: LeftOut,
): string {
  const links = new Map<string, string>()
  for (const each of metadata?.content_references ?? []) {
    const reference = asObject(each) ?? {}
    const items = [...asList(reference['items']), ...asList(reference['sources']), reference].map(
      (item) => asObject(item) ?? {},
    )
    const sources = items.flatMap(({ url, title }) =>
      asText(url) === '' ? [] : [{ url: asText(url), title: asText(title) }],
    )
    for (const { url, title } of sources) draft.addCitation(url, title)
    const mark = asText(reference['matched_text'])
    if (!mark.includes(MARK_BEGIN) && !mark.includes('【')) continue
    const alt = asText(reference['alt'])
    links.set(mark, alt === '' ? sources.map(({ url, title }) => linkTo(url, title)).join(' ') : alt)
  }
  for (const each of metadata?.citations ?? []) {
    const { metadata: about, start_ix: from, end_ix: to } = asObject(each) ?? {}
    const { url, title } = asObject(about) ?? {}
    if (asText(url) === '') continue
    draft.addCitation(asText(url), asText(title))
    const mark = typeof from === 'number' && typeof to === 'number' ? body.slice(from, to) : ''
    if (mark.startsWith('【') && !links.has(mark)) links.set(mark, linkTo(asText(url), asText(title)))
  }
  return replaceMarks(body, links, leftOut)
}

function linkTo(url: string, title: string): string {
  if (!/^https?:\/\/[^\s<>]+$/i.test(url)) return ''
  return `[${(title || url).replaceAll(/[[\]\\\n]/g, ' ').trim()}](<${url}>)`
}

/** Linear in the text, whatever marks it holds. */
function replaceMarks(body: string, links: ReadonlyMap<string, string>, leftOut: LeftOut): string {
  const pieces: string[] = []
  let from = 0
  for (const { index, 0: mark } of body.matchAll(/\ue200[^\ue200\ue201]*\ue201|【[^【】]*】/g)) {
    const link = links.get(mark)
    if (link === undefined && !mark.startsWith(MARK_BEGIN)) continue
    if (link === undefined) leftOut.add('citations')
    pieces.push(body.slice(from, index), link ?? '')
    from = index + mark.length
  }
  return [...pieces, body.slice(from)].join('')
}
