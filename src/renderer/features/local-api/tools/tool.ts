import type { Dialect } from '../../../../shared/trial.ts'

export const dialectNames: Readonly<Record<Dialect, string>> = {
  chat: 'OpenAI Chat Completions',
  responses: 'OpenAI Responses',
  messages: 'Anthropic Messages',
}

/** What settings are filled in with. */
export interface Facts {
  /** With `/v1` at its end. */
  readonly baseUrl: string
  readonly key: string
  readonly model: string
  /** In tokens; absent where the listing does not say. */
  readonly contextLength?: number | undefined
}

/** One thing to copy: a text with its place, or values to be typed into a form of the tool's. */
export type Setting =
  | { readonly place: string; readonly text: string; readonly fields?: undefined }
  | { readonly place: string; readonly fields: readonly { readonly name: string; readonly value: string }[]; readonly text?: undefined }

export interface Tool {
  readonly id: string
  readonly name: string
  readonly kind: 'Command line and libraries' | 'Coding agents' | 'Editors and apps'
  readonly dialect: Dialect
  /** Patterns of model names that the tool sends whatever its settings are. A key for it maps them to the chosen model. */
  readonly fixedNames?: readonly string[]
  readonly settings: (facts: Facts) => readonly Setting[]
  /** What else to know, each in a sentence. */
  readonly notes?: readonly string[]
}

/** The address of clients that add `/v1/…` themselves. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin
}
