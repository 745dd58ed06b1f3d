import type { Attachment } from './attachment.ts'

/*
 * Apart from the schemas, so that the window's first load has these without what judges them.
 */

export const MAX_ATTACHMENTS = 20

/** The name of the draft of a conversation that has not begun. */
export const NEW_DRAFT = 'new'

/** The size of an image before it's cleaned. In bytes, like all values below. */
export const MAX_IMAGE_BYTES = 15_000_000
/** In pixels, of the longer edge. Models reduce larger images to about this, so a larger one only costs time. */
export const MAX_IMAGE_EDGE = 2_048
/** Of the text of a text file or of a PDF, in UTF-8. */
export const MAX_TEXT_BYTES = 4_000_000
/** Everything in one request, with images in base64. */
export const MAX_REQUEST_BYTES = 48_000_000

/** How much of a request an attachment takes. */
export function requestBytes({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): number {
  return kind === 'image' ? Math.ceil(bytes / 3) * 4 : bytes
}

/** The size limit of an image for the service, the same as for a recording (specification, Limits). */
export const MAX_PICTURE_BYTES = 25_000_000
