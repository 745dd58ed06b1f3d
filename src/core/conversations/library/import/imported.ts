import { z } from 'zod'
import type { Citation, ToolCall } from '../../../../shared/answer-parts.ts'
import { cleanDisplayName, clipDisplayName } from '../../../../shared/display-name.ts'
import type { LeftOutKind, SkipReason } from '../../../../shared/library/import-report.ts'

export const MAX_MESSAGES = 50_000
const objectSchema = z.record(z.string(), z.unknown())
const MAX_TEXT = 4_000_000
const MAX_TITLE = 200
const MAX_MODEL = 200

/** One message of another program's file, with the members that are imported. */
export interface ImportedMessage {
  /** Unique within its conversation. */
  readonly key: string
  /**
   * Null at the beginning. If the key doesn't exist or comes later, the previous message is the parent.
   */
  readonly parentKey: string | null
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
  readonly reasoning?: string | undefined
  readonly model?: string | undefined
  readonly citations?: Citation[] | undefined
  readonly toolCalls?: ToolCall[] | undefined
  /** Unix ms; null if unknown. */
  readonly at: number | null
}

export interface ImportedConversation {
  readonly title: string
  readonly model?: string | undefined
  readonly createdAt: number | null
  readonly updatedAt: number | null
  /** Parents come before their children. */
  readonly messages: readonly ImportedMessage[]
  /** The last message of the visible branch. */
  readonly leafKey?: string | undefined
  /** The conversation was private, so it isn't continued with a model that isn't private here either. */
  readonly private?: boolean
  readonly systemPrompt?: string | undefined
  /** The name of its folder. */
  readonly folder?: string | undefined
  readonly leftOut: LeftOut
}

/** Counts the skipped parts of one conversation, by kind; the report adds them up. */
export class LeftOut {
  readonly counts = new Map<LeftOutKind, number>()

  add(kind: LeftOutKind, count = 1): void {
    if (count > 0) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count)
  }
}

/** Skips one conversation of a file; the others are imported. */
export class Skip extends Error {
  readonly reason: SkipReason
  readonly title: string | null

  constructor(reason: SkipReason, title: string | null = null) {
    super(reason)
    this.reason = reason
    this.title = title
  }
}

/** One line of the visible characters: a title must not reverse the text of the list. */
export function titleFrom(text: string | null | undefined): string {
  return clipDisplayName(cleanDisplayName(text ?? ''), MAX_TITLE) || 'Untitled'
}

/** @returns the name of a model as it is shown, at most 200 UTF-16 units; undefined if there is none */
export function modelFrom(text: string | null | undefined): string | undefined {
  return clipDisplayName(cleanDisplayName(text ?? ''), MAX_MODEL) || undefined
}

/** The text to store; null if there is none. */
export function textFrom(text: string, leftOut: LeftOut): string | null {
  if (text.trim() === '') return null
  if (text.length <= MAX_TEXT) return text.toWellFormed()
  leftOut.add('cut')
  return text.slice(0, MAX_TEXT).toWellFormed()
}

/** Parses Unix seconds, as these programs write them, or an ISO date; null if the time isn't plausible. */
export function timeFrom(value: number | string | null | undefined): number | null {
  const ms =
    typeof value === 'number'
      ? value < 1e11
        ? value * 1000
        : value
      : typeof value === 'string'
        ? Date.parse(value)
        : NaN
  return ms >= 0 && ms < 8.64e15 ? Math.trunc(ms) : null
}

export type JsonObject = Readonly<Record<string, unknown>>

/** @returns the value if it is a JSON object, otherwise null */
export function asObject(value: unknown): JsonObject | null {
  const parsed = objectSchema.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** @returns the value if it is a list, otherwise an empty list */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** @returns the value if it is text, otherwise '' */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** @returns Unix ms of the first value that is a time, or null */
export function firstTime(...values: unknown[]): number | null {
  for (const value of values) {
    const time = typeof value === 'number' || typeof value === 'string' ? timeFrom(value) : null
    if (time !== null) return time
  }
  return null
}

/** Every node of a tree, parents first, as its own list of children has them; a circle has no beginning and is left out. */
export function inOrder<N>(
  nodes: ReadonlyMap<string, N>,
  parentOf: (node: N) => string | null,
): { key: string; node: N }[] {
  const children = new Map<string | null, string[]>()
  for (const [key, node] of nodes) {
    const parent = parentOf(node)
    const under = parent !== null && nodes.has(parent) && parent !== key ? parent : null
    const siblings = children.get(under)
    if (siblings) siblings.push(key)
    else children.set(under, [key])
  }
  const ordered: { key: string; node: N }[] = []
  const open = (children.get(null) ?? []).toReversed()
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const node = nodes.get(key)
    if (node !== undefined) ordered.push({ key, node })
    open.push(...(children.get(key) ?? []).toReversed())
  }
  return ordered
}
