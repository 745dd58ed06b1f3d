import { z } from 'zod'
import { conversationSchema } from '../conversation.ts'
import { projectSchema } from '../project.ts'
import { call, idSchema } from './call.ts'

const { name, instructions, model, parameters, privateOnly } = projectSchema.shape
const one = z.object({ projectId: idSchema })

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
        privateOnly: privateOnly.optional(),
      }),
    )
    .output(projectSchema),
  /**
   * Changes the members that are present; null removes the model. Switching `privateOnly` off is confirmed outside the
   * window. Switching it on is refused if a message of its conversations was readable by the service. Throws
   * project/unknown, project/not-private, confirm/….
   */
  update: call
    .input(
      one.extend({
        name: name.optional(),
        instructions: instructions.optional(),
        model: model.unwrap().nullable().optional(),
        parameters,
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
   * Into a project, or out of all. To leave a private-only project is confirmed outside the window, unless the next one
   * is private-only too. Throws conversation/unknown, project/unknown, project/not-private, confirm/….
   */
  move: call
    .input(z.object({ conversationId: idSchema, projectId: idSchema.nullable() }))
    .output(conversationSchema),
}
