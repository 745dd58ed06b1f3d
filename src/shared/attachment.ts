import { z } from 'zod'

export const attachmentKinds = ['image', 'text', 'pdf'] as const
export type AttachmentKind = (typeof attachmentKinds)[number]

export const MAX_ATTACHMENTS = 20

/** What is said of a file beside its content. */
export const attachmentSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(255),
  kind: z.enum(attachmentKinds),
  /** The media type of the file that was attached. */
  type: z.string().max(100),
  /** What is kept and sent: of an image the file without its metadata, of all else the text in UTF-8. */
  bytes: z.int().min(0),
  /** An estimate; absent where nothing can be said, as of images. */
  tokens: z.int().min(0).optional(),
  /** Of a PDF. */
  pages: z.int().min(1).optional(),
  /** Of an image, in pixels, as it is shown. */
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const attachmentsSchema = z.array(attachmentSchema).max(MAX_ATTACHMENTS)

/** The name of the draft of a conversation that has not begun. */
export const NEW_DRAFT = 'new'

/** What was written and attached, and not sent. */
export const draftSchema = z.object({
  /** The id of a conversation, or NEW_DRAFT. */
  conversationId: z.string().min(1).max(64),
  text: z.string(),
  attachments: attachmentsSchema,
  /** It belongs to a temporary conversation, or to a new one that is to be one. */
  temporary: z.boolean().optional(),
})
export type Draft = z.infer<typeof draftSchema>

/** Of an image as it is chosen. In bytes, as all that follows. */
export const MAX_IMAGE_BYTES = 15_000_000
/** Of the text of a text file or of a PDF, in UTF-8. */
export const MAX_TEXT_BYTES = 4_000_000
/** Of all that one request carries, images in base64. */
export const MAX_REQUEST_BYTES = 48_000_000

/** How much of a request an attachment takes. */
export function requestBytes({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): number {
  return kind === 'image' ? Math.ceil(bytes / 3) * 4 : bytes
}
