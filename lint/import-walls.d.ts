import type { Rule } from 'eslint'

export interface Zone {
  /** Folder or file below src/. */
  readonly path: string
  /** Folders or files below src/ that it may import. */
  readonly may: readonly string[]
  /** Folders that it may import types from, and nothing else. */
  readonly types?: readonly string[]
  /** Packages and node: modules that it may import; "name" also covers "name/sub". */
  readonly modules: readonly string[]
}

/** The entries of each package, below src/. */
export const PACKAGES: Readonly<Record<'verifier' | 'ehbp', readonly string[]>>
export const zones: readonly Zone[]
/** The zone of a path below src/. */
export function zoneOf(path: string): Zone | undefined
export const importWalls: Rule.RuleModule
