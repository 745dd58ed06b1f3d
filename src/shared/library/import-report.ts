import { z } from 'zod'

/** Whose file it is. */
const importSources = [
  'chatgpt',
  'claude',
  'open-webui',
  'librechat',
  'jan',
  'chatbox',
  'cherry-studio',
  'lm-studio',
  'deepseek',
  'openrouter',
  'typingmind',
  'messages',
  'sotto',
  'backup',
] as const
export type ImportSource = (typeof importSources)[number]

/** Why a conversation wasn't imported. */
const skipReasons = ['unrecognised', 'malformed', 'too-large', 'empty', 'kept'] as const
export type SkipReason = (typeof skipReasons)[number]

/** Parts of an imported conversation that Sotto leaves out. */
export const leftOutKinds = [
  'images',
  'files',
  'recordings',
  'tools',
  'reasoning',
  'citations',
  'excerpts',
  'hidden',
  'cut',
  'other-files',
  'other',
] as const
export type LeftOutKind = (typeof leftOutKinds)[number]

export const importReportSchema = z.object({
  source: z.enum(importSources).nullable(),
  conversations: z.int().min(0),
  messages: z.int().min(0),
  skipped: z.int().min(0),
  /** The first of those. `at` counts from 1. */
  skips: z.array(z.object({ at: z.int().min(1), title: z.string().nullable(), reason: z.enum(skipReasons) })),
  leftOut: z.partialRecord(z.enum(leftOutKinds), z.int().min(1)),
  /** Whether the file is complete; false if the import was stopped. */
  whole: z.boolean(),
  /** Times of the first and the last message, in Unix ms. Absent if the files have none. */
  from: z.number().optional(),
  to: z.number().optional(),
  /** Names of the first text files without chats. `leftOut` counts all such files. */
  otherFiles: z.array(z.string()).optional(),
})
export type ImportReport = z.infer<typeof importReportSchema>
