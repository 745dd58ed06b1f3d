/** What a question may have, so that no keystroke asks for more work than another. */
export const MAX_QUESTION = 200
/** Of one piece of a file, in characters: well below what the door takes at once. */
export const MAX_IMPORT_PIECE = 1_000_000
/** Of the whole file, in characters. */
export const MAX_IMPORT = 500_000_000
