import type { Attachment, Draft } from '../../../shared/attachment.ts'
import { NEW_DRAFT } from '../../../shared/attachment-limits.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { ChatRecords, Conversations } from '../conversations.ts'
import { importItems, type GivenFile } from './attach-file.ts'

type Places = Pick<Conversations, 'places' | 'recordsOf'>

/** What of the files was taken in, kept or in memory. Throws attachment/… and store/unwritable. */
export async function addAttachment(
  { places }: Places,
  file: GivenFile,
  temporary: boolean,
): Promise<Attachment> {
  const { about, content } = importItems(file)
  return (temporary ? places.memory : places.kept).attachments.add(about, content)
}

/** Throws attachment/unknown, store/damaged. */
export async function readAttachment(
  { places }: Places,
  id: string,
): Promise<{ attachment: Attachment; content: Uint8Array }> {
  for (const { attachments } of [places.memory, places.kept]) {
    const attachment = attachments.get(id)
    const content = attachment && (await attachments.read(id))
    if (content) return { attachment, content }
  }
  throw new SottoError('attachment/unknown')
}

/** Removes one that no message and no draft has. */
export async function removeAttachment({ places }: Places, id: string): Promise<boolean> {
  const removed = await Promise.all(
    [places.memory, places.kept].map(({ attachments }) => attachments.removeUnused(id)),
  )
  return removed.includes(true)
}

/** Of these, in their order, all in the one place: a message never names what stands in another. Throws attachment/unknown. */
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

/** Of what is kept alone: drafts of temporary conversations are never listed. */
export function listDrafts({ places }: Places): Draft[] {
  return places.kept.drafts.list()
}

export interface GivenDraft {
  /** Absent for the conversation that has not begun. */
  readonly conversationId?: string | undefined
  readonly text: string
  readonly attachmentIds: readonly string[]
  /** Of a conversation that has not begun: it will be temporary. */
  readonly temporary: boolean
}

/** Keeps a draft; of what is temporary it stays in memory, also where it was another's before. Throws attachment/unknown. */
export async function saveDraft(
  conversations: Places,
  { conversationId, text, attachmentIds, temporary }: GivenDraft,
): Promise<void> {
  const { kept, memory } = conversations.places
  const known = conversationId === undefined ? undefined : conversations.recordsOf(conversationId)
  // One that was deleted meanwhile has no draft.
  if (conversationId !== undefined && !known?.conversations.get(conversationId)) return
  const records = known ?? (temporary ? memory : kept)
  const name = conversationId ?? NEW_DRAFT
  const attachments = await bringAttachments(conversations, attachmentIds, records)
  records.drafts.save({ conversationId: name, text, attachments })
  if (conversationId === undefined)
    (records === kept ? memory : kept).drafts.save({ conversationId: name, text: '', attachments: [] })
}
