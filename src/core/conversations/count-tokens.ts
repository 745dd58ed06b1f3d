import type { Attachment } from '../../shared/attachment.ts'
import type { PromptPart } from '../../shared/contract/chat.ts'
import { sentMessages } from '../../shared/context-cut.ts'
import { pathTo, treeOf } from '../../shared/conversation-tree.ts'
import { SottoError } from '../../shared/errors.ts'
import { imageTokens, TOKENS_PER_MESSAGE } from '../../shared/token-estimate.ts'
import { instructionsOf } from '../projects/private-only.ts'
import { isSent, textOfAttachment } from './attachments/message-content.ts'
import type { UnlockedCore } from '../rpc/context.ts'
import type { ChatRecords } from './conversations.ts'
import { textWithCalls } from './tool-messages.ts'

/** UTF-16 units, and bytes of files, of the longest part that's counted: more than most models' context. */
const MOST_COUNTED = 4_000_000

/**
 * The tokens of one part of a prompt, in the form in which it would be sent. Sends and saves nothing.
 *
 * @returns null if the part is too long to count
 * @throws {SottoError} conversation/unknown, conversation/message-unknown, attachment/unknown, store/damaged
 */
export async function countTokens(
  core: Pick<UnlockedCore, 'conversations' | 'chatTokens' | 'store'>,
  part: PromptPart,
  signal?: AbortSignal,
): Promise<number | null> {
  const { chatTokens } = core
  const { texts, files } = contentOf(core, part)
  const readable = files.filter(({ attachment }) => attachment.kind !== 'image')
  if (
    sum(texts.map(({ length }) => length)) + sum(readable.map(({ attachment }) => attachment.bytes)) >
    MOST_COUNTED
  )
    return null
  const images = files
    .filter(({ attachment }) => attachment.kind === 'image')
    .map(({ attachment }) => imageTokens(attachment))
  const read: string[] = []
  for (const { attachment, records } of readable)
    read.push(textOfAttachment(attachment, await records.attachments.read(attachment.id)))
  // A newer draft has replaced this one.
  signal?.throwIfAborted()
  return sum([...(await chatTokens.count([...texts, ...read])), ...images, texts.length * TOKENS_PER_MESSAGE])
}

interface PartContent {
  /** One text for each message. */
  readonly texts: readonly string[]
  readonly files: readonly { readonly attachment: Attachment; readonly records: ChatRecords }[]
}

function contentOf(core: Pick<UnlockedCore, 'conversations' | 'store'>, part: PromptPart): PartContent {
  const { conversations } = core
  if ('text' in part) return { texts: [part.text], files: [] }
  if ('attachmentIds' in part)
    return { texts: [], files: part.attachmentIds.map((id) => fileOf(conversations, id)) }
  const { conversation, messages } = conversations.get(part.conversationId)
  const { contextCut } = conversation
  const tree = treeOf(messages)
  if (!tree.get(part.leafId)) throw new SottoError('conversation/message-unknown')
  const sent = sentMessages(pathTo(tree, part.leafId), contextCut).filter(isSent)
  // The summary goes with the next question.
  const summary = sent.length === 0 && tree.get(contextCut?.messageId ?? '') ? contextCut?.summary : undefined
  const records = conversations.recordsOf(part.conversationId)
  return {
    texts: [instructionsOf(core, conversation), summary, ...sent.map(textWithCalls)].filter(
      (text) => text !== undefined,
    ),
    files: sent.flatMap(({ attachments = [] }) => attachments).map((attachment) => ({ attachment, records })),
  }
}

function fileOf({ places }: UnlockedCore['conversations'], id: string): PartContent['files'][number] {
  for (const records of [places.memory, places.stored]) {
    const attachment = records.attachments.get(id)
    if (attachment) return { attachment, records }
  }
  throw new SottoError('attachment/unknown')
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
