import { z } from 'zod'
import { displayName } from './display-name.ts'

const promptNameSchema = displayName(100)
const promptTextSchema = z.string().min(1).max(200_000)

export const promptSchema = z.object({
  id: z.string(),
  name: promptNameSchema,
  /** May hold {{variables}}. */
  text: promptTextSchema,
  /** Unix ms. */
  updatedAt: z.number(),
})
/** A text of the prompt library. */
export type Prompt = z.infer<typeof promptSchema>

/** One line: a name must not turn a list around, nor grow it. */
const folderNameSchema = displayName(100)
export const folderSchema = z.object({
  id: z.string(),
  name: folderNameSchema,
  /** Its conversations are not listed. */
  collapsed: z.boolean().optional(),
})
/** A group of conversations. */
export type Folder = z.infer<typeof folderSchema>
