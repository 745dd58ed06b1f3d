import { z } from 'zod'
import { cleanDisplayName, clipDisplayName } from './display-name.ts'
import { promptSchema } from './prompt.ts'

/**
 * The JSON format that the prompt library exports and imports. A change that an older Sotto would misread
 * gets another version.
 */
const PROMPT_FILE_FORMAT = 'sotto-prompts'
const PROMPT_FILE_VERSION = 1

/** In bytes: 2,000 prompts of some length. */
export const MAX_PROMPT_FILE = 16 * 1024 * 1024

export type WrittenPrompt = Pick<z.infer<typeof promptSchema>, 'name' | 'text'>

export function promptFile(prompts: readonly WrittenPrompt[]): string {
  return `${JSON.stringify({ format: PROMPT_FILE_FORMAT, version: PROMPT_FILE_VERSION, prompts: prompts.map(({ name, text }) => ({ name, text })) }, null, 2)}\n`
}

const text = z.string().optional().catch(undefined)
/**
 * Includes the names that other programs use for the same members, such as `command`, `title` and `content`
 * of Open WebUI.
 */
const entrySchema = z.object({ name: text, title: text, command: text, text, content: text, prompt: text })
const fileSchema = z.union([
  z.array(z.unknown()),
  z.object({ prompts: z.array(z.unknown()) }).transform(({ prompts }) => prompts),
])

const NAME_LENGTH = promptSchema.shape.name.maxLength ?? 100

/** The prompts of a file, and the number of its invalid entries. Null if it isn't a file of prompts. */
export function readPromptFile(
  content: string,
): { readonly prompts: WrittenPrompt[]; readonly skipped: number } | null {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return null
  }
  const entries = fileSchema.safeParse(value)
  if (!entries.success) return null
  const prompts = entries.data.flatMap((entry) => promptFrom(entry) ?? [])
  return { prompts, skipped: entries.data.length - prompts.length }
}

function promptFrom(entry: unknown): WrittenPrompt | undefined {
  const read = entrySchema.safeParse(entry)
  if (!read.success) return undefined
  const { name, title, command, text: body, content, prompt } = read.data
  const written = {
    name: clipDisplayName(cleanDisplayName(name ?? title ?? command?.replace(/^\//, '') ?? ''), NAME_LENGTH),
    text: (body ?? content ?? prompt ?? '').toWellFormed(),
  }
  const parsed = promptSchema.pick({ name: true, text: true }).safeParse(written)
  return parsed.success ? parsed.data : undefined
}
