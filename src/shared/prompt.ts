import { z } from 'zod'

export const promptSchema = z.object({
  id: z.string(),
  name: z.string().min(1).max(100),
  /** May hold {{variables}}. */
  text: z.string().max(200_000),
  /** Unix ms. */
  updatedAt: z.number(),
})
/** A text of the prompt library. */
export type Prompt = z.infer<typeof promptSchema>

export const folderSchema = z.object({ id: z.string(), name: z.string().min(1).max(100) })
/** Where conversations are put together. */
export type Folder = z.infer<typeof folderSchema>
