import type { Linter } from 'eslint'

/** Interface text goes through Lingui's macros. Each exception has a comment with its reason. */
export const sentences: Linter.Config[]
