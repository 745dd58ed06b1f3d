import type { Attachment } from '../../../shared/attachment.ts'
import { MAX_REQUEST_BYTES, requestBytes } from '../../../shared/attachment-limits.ts'
import type { Message } from '../../../shared/conversation.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Model } from '../../../shared/model.ts'
import { fenced } from '../../../shared/passage-text.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import type { ChatRecords } from '../conversations.ts'
import { hasHandledCalls, messagesOfAnswer } from '../tool-messages.ts'

/**
 * Builds the messages that a model receives for a branch, with each file in its message: images as separate
 * parts, other files as text in a named block before the message text. Skips only empty messages. Throws
 * attachment/no-images, attachment/all-too-large, store/damaged.
 */
export async function messagesOf(
  path: readonly Message[],
  records: ChatRecords,
  model: Model | undefined,
): Promise<JsonObject[]> {
  const sentMessages = path.filter(isSent)
  const all = sentMessages.flatMap(({ attachments = [] }) => attachments)
  if (
    all.some(({ kind }) => kind === 'image') &&
    model?.inputModalities &&
    !model.inputModalities.includes('image')
  )
    throw new SottoError('attachment/no-images')
  const size = all.reduce((sum, attachment) => sum + requestBytes(attachment), 0)
  if (size > MAX_REQUEST_BYTES) throw new SottoError('attachment/all-too-large')
  const messages: JsonObject[] = []
  for (const message of sentMessages) {
    const { role, text, attachments = [] } = message
    if (role === 'assistant' && hasHandledCalls(message))
      messages.push(...messagesOfAnswer(message, model?.id))
    else
      messages.push({
        role,
        content: attachments.length === 0 ? text : await contentOf(text, attachments, records),
      })
  }
  return messages
}

/** A message without content isn't sent. */
export function isSent(message: Pick<Message, 'text' | 'attachments' | 'toolCalls'>): boolean {
  const { text, attachments = [] } = message
  return text !== '' || attachments.length > 0 || hasHandledCalls(message)
}

async function contentOf(
  text: string,
  attachments: readonly Attachment[],
  records: ChatRecords,
): Promise<JsonValue> {
  const texts: string[] = []
  const images: JsonObject[] = []
  for (const attachment of attachments) {
    const content = await records.attachments.read(attachment.id)
    if (content && attachment.kind === 'image')
      images.push({
        type: 'image_url',
        image_url: { url: `data:${attachment.type};base64,${Buffer.from(content).toString('base64')}` },
      })
    else texts.push(textOfAttachment(attachment, content))
  }
  const written = [...texts, ...(text === '' ? [] : [text])].join('\n\n')
  if (images.length === 0) return written
  return [...(written === '' ? [] : [{ type: 'text', text: written }]), ...images]
}

/** The text that a model gets for an attachment that isn't an image, or whose content is missing. */
export function textOfAttachment(attachment: Attachment, content: Uint8Array | null): string {
  // The text states that the file is missing, because the model would otherwise answer a different
  // question.
  return content
    ? block(attachment, Buffer.from(content).toString('utf8'))
    : `[The file ${JSON.stringify(attachment.name)} was attached here and is no longer available.]`
}

/** No file can end its own block. */
function block({ name, pages }: Attachment, text: string): string {
  const written =
    pages === undefined ? '' : ` (text of a PDF of ${String(pages)} ${pages === 1 ? 'page' : 'pages'})`
  return `File ${JSON.stringify(name)}${written}:\n${fenced(text)}`
}
