import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { conversationSchema } from '../conversation.ts'
import { projectSchema, projectSpendingSchema } from '../project.ts'
import { exportEventSchema } from '../library/conversation-file.ts'
import { call, idSchema } from './call.ts'

const { name, instructions, model, parameters, budget, privateOnly } = projectSchema.shape
const one = z.object({ projectId: idSchema })
/** A file can be tried without limit, so a new passphrase is long. */
const newPassphrase = z.string().min(12).max(1000)

/** Conversations with shared instructions and settings. */
export const projectsContract = {
  /** In the order of creation. One that can't be decrypted is `damaged`. */
  list: call.output(z.array(projectSchema)),
  /** Throws project/unknown. */
  get: call.input(one).output(projectSchema),
  /** Throws project/too-many. */
  create: call
    .input(
      z.object({
        name,
        instructions: instructions.optional(),
        model,
        parameters,
        budget,
        privateOnly: privateOnly.optional(),
      }),
    )
    .output(projectSchema),
  /** Throws project/unknown. */
  spending: call.input(one).output(projectSpendingSchema),
  /**
   * Changes the members that are present; null removes the model or the budget. To raise or remove the budget, or to switch `privateOnly` off, is confirmed outside the window. Switching it on is refused if a message of its conversations was readable by the service. Throws
   * project/unknown, project/not-private, confirm/….
   */
  update: call
    .input(
      one.extend({
        name: name.optional(),
        instructions: instructions.optional(),
        model: model.unwrap().nullable().optional(),
        parameters,
        budget: budget.unwrap().nullable().optional(),
        privateOnly: privateOnly.optional(),
      }),
    )
    .output(projectSchema),
  /**
   * `keep`: its conversations stay, without a project. That is confirmed outside the window if the project is
   * private-only. Throws confirm/….
   */
  remove: call
    .input(one.extend({ conversations: z.enum(['keep', 'delete']) }))
    .output(z.object({ removed: z.boolean() })),
  /**
   * One file in pieces, until it's read or left: the project with its documents and chats. Without a passphrase it isn't encrypted.
   * Throws project/unknown.
   */
  export: call
    .input(one.extend({ passphrase: newPassphrase.optional() }))
    .output(eventIterator(exportEventSchema)),
  /**
   * Begins the import of a project's file as a new project. `library` takes its pieces. If it fails or stops, nothing of it stays. Without
   * a passphrase the file must be plain.
   */
  importBegin: call
    .input(z.object({ passphrase: z.string().max(1000).optional() }))
    .output(z.object({ importId: idSchema })),
  /**
   * Into a project, or out of all. To leave a private-only project is confirmed outside the window, unless the next one
   * is private-only too. Throws conversation/unknown, project/unknown, project/not-private, confirm/….
   */
  move: call
    .input(z.object({ conversationId: idSchema, projectId: idSchema.nullable() }))
    .output(conversationSchema),
}
