import { z } from 'zod'
import { folderSchema, promptSchema } from '../prompt.ts'
import { call, idSchema } from './call.ts'

/** What is written of a prompt. */
const writtenSchema = promptSchema.pick({ name: true, text: true })

/** So many are kept, and taken in at once. */
export const MOST_PROMPTS = 2000

export const promptsContract = {
  /** In the order in which they were added. */
  list: call.output(z.array(promptSchema)),
  /** In place of the one with this id, or as that one again where it was deleted. Throws prompt/name-taken, prompt/too-many. */
  save: call.input(writtenSchema.extend({ promptId: idSchema.optional() })).output(promptSchema),
  remove: call.input(z.object({ promptId: idSchema })).output(z.object({ removed: z.boolean() })),
  /** Those that are here by name and text are left out; of one whose name is taken, the name gets a number. Throws prompt/too-many. */
  importItems: call
    .input(z.object({ prompts: z.array(writtenSchema).max(MOST_PROMPTS) }))
    .output(z.object({ added: z.int(), known: z.int() })),
}

/** Folders of conversations. */
export const foldersContract = {
  list: call.output(z.array(folderSchema)),
  /** With the id of one that was deleted it is that one again, with what was in it. Throws folder/name-taken, folder/too-many. */
  create: call
    .input(z.object({ name: folderSchema.shape.name, folderId: idSchema.optional() }))
    .output(folderSchema),
  /** Throws folder/unknown, folder/name-taken. */
  rename: call.input(z.object({ folderId: idSchema, name: folderSchema.shape.name })).output(folderSchema),
  /** Throws folder/unknown. */
  collapse: call.input(z.object({ folderId: idSchema, collapsed: z.boolean() })).output(folderSchema),
  /** What is in it stays, and is in none. */
  remove: call.input(z.object({ folderId: idSchema })).output(z.object({ removed: z.boolean() })),
}
