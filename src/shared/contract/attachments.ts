import { z } from 'zod'
import { attachmentSchema, draftSchema } from '../attachment.ts'
import { MAX_ATTACHMENTS } from '../attachment-limits.ts'
import { call, idSchema } from './call.ts'

/** Files that go with a message. Each stays as long as a message or a draft has it. */
export const attachmentsContract = {
  /**
   * Attaches a file: metadata is removed from an image, and a text is converted to UTF-8. For a PDF the
   * content is its extracted text, and `pages` is set. Throws attachment/empty, -too-large, -binary,
   * -image-kind, -image-damaged.
   */
  add: call
    .input(
      z.object({
        name: z.string().max(4_000),
        /** The type that the sender declared. */
        type: z.string().max(200),
        content: z.instanceof(Blob),
        pages: z.int().min(1).max(100_000).optional(),
        /** Only in memory. */
        temporary: z.boolean().optional(),
      }),
    )
    .output(attachmentSchema),
  /** The stored image or text. Throws attachment/unknown, store/damaged. */
  get: call.input(z.object({ attachmentId: idSchema })).output(z.instanceof(Blob)),
  /** One that no message and no draft has. */
  remove: call.input(z.object({ attachmentId: idSchema })).output(z.object({ removed: z.boolean() })),
}

/** Unsent text and attachments. */
export const draftsContract = {
  /**
   * The drafts of saved conversations, and of the one that hasn't begun, with the id `new`. A draft that
   * can't be read is skipped.
   */
  all: call.output(z.array(draftSchema)),
  /**
   * Replaces the draft; an empty one is removed. If another tab saved other text than the caller
   * `replaces`, then both texts are saved. Returns the saved text. A temporary draft stays in memory.
   * Throws attachment/unknown.
   */
  save: call
    .input(
      z.object({
        /** Absent for the conversation that has not begun. */
        conversationId: idSchema.optional(),
        text: z.string().max(4_000_000),
        attachmentIds: z.array(idSchema).max(MAX_ATTACHMENTS),
        temporary: z.boolean(),
        /** The text that the caller knows as saved. Absent: replaces any. */
        replaces: z.string().max(4_000_000).optional(),
      }),
    )
    .output(z.object({ text: z.string() })),
}
