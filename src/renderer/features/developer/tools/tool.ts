import type { ToolId } from '../../../../shared/tools/documentation.ts'
import type { ToolFacts } from '../../../../shared/tools/facts.ts'
import type { Dialect } from '../../../../shared/trial.ts'

export const dialectNames: Readonly<Record<Dialect, string>> = {
  chat: 'OpenAI Chat Completions',
  responses: 'OpenAI Responses',
  messages: 'Anthropic Messages',
}

/** One thing to copy: a text with its place, or values for a form of the tool. */
export type Setting =
  | { readonly place: string; readonly text: string; readonly fields?: undefined }
  | {
      readonly place: string
      readonly fields: readonly { readonly name: string; readonly value: string }[]
      readonly text?: undefined
    }

export interface ToolSettings {
  readonly id: ToolId
  readonly kind: 'Command line and libraries' | 'Coding agents' | 'Editors and apps'
  readonly dialect: Dialect
  /** Patterns of model names that the tool sends whatever its settings are. A key for it maps them to the chosen model. */
  readonly fixedNames?: readonly string[]
  readonly settings: (facts: ToolFacts) => readonly Setting[]
  /** What else to know, each in a sentence. */
  readonly notes?: readonly string[]
}

export interface Tool extends ToolSettings {
  readonly name: string
}
