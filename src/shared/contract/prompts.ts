import { z } from 'zod'
import { folderSchema, promptSchema } from '../prompt.ts'
import { call, idSchema } from './call.ts'

/** The content of a prompt. */
const writtenSchema = promptSchema.pick({ name: true, text: true })

/** The limit for saved prompts, and for one import. */
export const MOST_PROMPTS = 2000

export const promptsContract = {
  /** In the order of creation. */
  list: call.output(z.array(promptSchema)),
  /**
   * Replaces the prompt with this id, or restores it if it was deleted. Throws prompt/name-taken,
   * prompt/too-many.
   */
  save: call.input(writtenSchema.extend({ promptId: idSchema.optional() })).output(promptSchema),
  remove: call.input(z.object({ promptId: idSchema })).output(z.object({ removed: z.boolean() })),
  /**
   * Skips prompts that exist with the same name and text. If only the name exists, adds a number to it.
   * Throws prompt/too-many.
   */
  importItems: call
    .input(z.object({ prompts: z.array(writtenSchema).max(MOST_PROMPTS) }))
    .output(z.object({ added: z.int(), known: z.int() })),
}

/** Folders of conversations. */
export const foldersContract = {
  list: call.output(z.array(folderSchema)),
  /**
   * The id of a deleted folder restores it with its conversations. Throws folder/name-taken,
   * folder/too-many.
   */
  create: call
    .input(z.object({ name: folderSchema.shape.name, folderId: idSchema.optional() }))
    .output(folderSchema),
  /** Throws folder/unknown, folder/name-taken. */
  rename: call.input(z.object({ folderId: idSchema, name: folderSchema.shape.name })).output(folderSchema),
  /** Throws folder/unknown. */
  collapse: call.input(z.object({ folderId: idSchema, collapsed: z.boolean() })).output(folderSchema),
  /** Its conversations remain, without a folder. */
  remove: call.input(z.object({ folderId: idSchema })).output(z.object({ removed: z.boolean() })),
}
