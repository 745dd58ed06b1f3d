import type { Attachment, Draft } from '../../../shared/attachment.ts'
import { NEW_DRAFT } from '../../../shared/attachment-limits.ts'
import { savedDraftText } from '../../../shared/draft-text.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { ChatRecords, Conversations } from '../conversations.ts'
import { importItems, type GivenFile } from './attach-file.ts'

type Places = Pick<Conversations, 'places' | 'recordsOf'>

/** Stores a file as an attachment, on disk or in memory. Throws attachment/… and store/unwritable. */
export async function addAttachment(
  { places }: Places,
  file: GivenFile,
  temporary: boolean,
): Promise<Attachment> {
  const { about, content } = importItems(file)
  return (temporary ? places.memory : places.stored).attachments.add(about, content)
}

/** Throws attachment/unknown, store/damaged. */
export async function readAttachment(
  { places }: Places,
  id: string,
): Promise<{ attachment: Attachment; content: Uint8Array }> {
  for (const { attachments } of [places.memory, places.stored]) {
    const attachment = attachments.get(id)
    const content = attachment && (await attachments.read(id))
    if (content) return { attachment, content }
  }
  throw new SottoError('attachment/unknown')
}

/** Removes an attachment unless a message or a draft uses it. */
export async function removeAttachment({ places }: Places, id: string): Promise<boolean> {
  const removed = await Promise.all(
    [places.memory, places.stored].map(({ attachments }) => attachments.removeUnused(id)),
  )
  return removed.includes(true)
}

/**
 * Copies these attachments, in their order, to where the conversation is stored, because a message can only
 * refer to attachments in the same place. Throws attachment/unknown.
 */
export async function bringAttachments(
  conversations: Places,
  ids: readonly string[],
  to: ChatRecords,
): Promise<Attachment[]> {
  const brought: Attachment[] = []
  for (const id of new Set(ids)) {
    if (!to.attachments.get(id)) {
      const { attachment, content } = await readAttachment(conversations, id)
      await to.attachments.insert(attachment, content)
    }
    const there = to.attachments.get(id)
    if (there) brought.push(there)
  }
  return brought
}

/** Lists only stored drafts, never those of temporary conversations. */
export function listDrafts({ places }: Places): Draft[] {
  return places.stored.drafts.list()
}

export interface GivenDraft {
  /** Absent for a conversation that hasn't begun. */
  readonly conversationId?: string | undefined
  readonly text: string
  readonly attachmentIds: readonly string[]
  /** Whether a conversation that hasn't begun will be temporary. */
  readonly temporary: boolean
  /** The text that the caller knows as saved. Absent: replaces any. */
  readonly replaces?: string | undefined
}

/**
 * Saves a draft, and returns its text: also that of another tab, if the caller didn't know it. A temporary draft and its attachments stay in memory, even if the attachments were stored
 * before. Throws attachment/unknown.
 */
export async function saveDraft(
  conversations: Places,
  { conversationId, text: written, attachmentIds, temporary, replaces }: GivenDraft,
): Promise<string> {
  const { stored: storedRecords, memory } = conversations.places
  const known = conversationId === undefined ? undefined : conversations.recordsOf(conversationId)
  // A conversation that was deleted in the meantime has no draft.
  if (conversationId !== undefined && !known?.conversations.get(conversationId)) return written
  const records = known ?? (temporary ? memory : storedRecords)
  const name = conversationId ?? NEW_DRAFT
  const attachments = await bringAttachments(conversations, attachmentIds, records)
  const stored = records.drafts.list().find((draft) => draft.conversationId === name)?.text ?? ''
  const text = savedDraftText(stored, written, replaces)
  records.drafts.save({ conversationId: name, text, attachments })
  if (conversationId === undefined)
    (records === storedRecords ? memory : storedRecords).drafts.save({
      conversationId: name,
      text: '',
      attachments: [],
    })
  return text
}
