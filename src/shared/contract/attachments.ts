import { z } from 'zod'
import { attachmentSchema, draftSchema } from '../attachment.ts'
import { MAX_ATTACHMENTS } from '../attachment-limits.ts'
import { call, idSchema } from './call.ts'

/** Files that go with a message. Each stays as long as a message or a draft has it. */
export const attachmentsContract = {
  /**
   * Takes a file in: an image loses what it tells beside the picture, a text becomes UTF-8. Of a PDF the content is the text
   * that was read from it, and `pages` says so. Throws attachment/empty, -too-large, -binary, -image-kind, -image-damaged.
   */
  add: call
    .input(
      z.object({
        name: z.string().max(4_000),
        /** What whoever gave it says that it is. */
        type: z.string().max(200),
        content: z.instanceof(Blob),
        pages: z.int().min(1).max(100_000).optional(),
        /** In memory alone. */
        temporary: z.boolean().optional(),
      }),
    )
    .output(attachmentSchema),
  /** An image as it was taken in, or a text. Throws attachment/unknown, store/damaged. */
  get: call.input(z.object({ attachmentId: idSchema })).output(z.instanceof(Blob)),
  /** One that no message and no draft has. */
  remove: call.input(z.object({ attachmentId: idSchema })).output(z.object({ removed: z.boolean() })),
}

/** What was written and attached, and not sent. */
export const draftsContract = {
  /** Of conversations that are kept, and of the one that has not begun, under the name `new`. One that cannot be read is left out. */
  all: call.output(z.array(draftSchema)),
  /** In place of what was there; what is empty is removed. Of what is temporary it stays in memory. Throws attachment/unknown. */
  save: call
    .input(
      z.object({
        /** Absent for the conversation that has not begun. */
        conversationId: idSchema.optional(),
        text: z.string().max(4_000_000),
        attachmentIds: z.array(idSchema).max(MAX_ATTACHMENTS),
        temporary: z.boolean(),
      }),
    )
    .output(z.object({})),
}
