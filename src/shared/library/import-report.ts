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
  'gemini',
  'grok',
  'openrouter',
  'typingmind',
  'messages',
  'sotto',
  'backup',
  'project',
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

/** Names of models that a report lists, and that an import can replace. */
export const MAX_IMPORT_MODELS = 50
/** UTF-16 units of the name of an imported model. */
const MAX_IMPORT_MODEL = 200

/** The models that chats of an import continue with, by the model that their file names. */
export const importModelsSchema = z
  .array(z.object({ from: z.string().max(MAX_IMPORT_MODEL), to: z.string().min(1).max(MAX_IMPORT_MODEL) }))
  .max(MAX_IMPORT_MODELS)
export type ImportModels = z.infer<typeof importModelsSchema>

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
  /** The models of the chats, the most frequent first. An empty name counts the chats whose file names none. */
  models: z
    .array(z.object({ name: z.string(), conversations: z.int().min(1) }))
    .max(MAX_IMPORT_MODELS)
    .optional(),
  /** Names of the first text files without chats. `leftOut` counts all such files. */
  otherFiles: z.array(z.string()).optional(),
  /** The project that was imported. */
  projectId: z.string().optional(),
})
export type ImportReport = z.infer<typeof importReportSchema>
