/** The limit of a query, so that no keystroke takes much more work than another. */
export const MAX_QUESTION = 200
/** One piece of a file, in characters: well below the limit of a call. */
export const MAX_IMPORT_PIECE = 1_000_000
/** The whole file, in characters. */
export const MAX_IMPORT = 500_000_000
