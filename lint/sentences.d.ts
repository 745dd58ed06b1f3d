import type { Linter } from 'eslint'

/** Every word of the window goes through Lingui's macros; what is let be says why. */
export const sentences: Linter.Config[]
