/** How the desktop window's page asks for the system's dialogs, and is led to a place. */
export const SAVE_CHANNEL = 'sotto:save'
export const OPEN_FILE_CHANNEL = 'sotto:open'
export const GO_CHANNEL = 'sotto:go'

export type Saved = 'saved' | 'cancelled' | 'failed'

/** Commands of the desktop's menu that the page carries out, by the names of its shortcuts. */
export const COMMAND_CHANNEL = 'sotto:command'
export const pageCommands = ['find', 'shortcuts'] as const
export type PageCommand = (typeof pageCommands)[number]

/**
 * The kinds of files that can be opened: a closed list, because the main process has a size limit for each.
 */
export const openableKinds = ['recovery-copy', 'image-measurements', 'image-provenance'] as const
export type OpenableKind = (typeof openableKinds)[number]

export type OpenedFile =
  | { readonly name: string; readonly content: Uint8Array }
  | 'cancelled'
  | 'failed'
  | 'too-large'

/** Marks the page of the small window that a shortcut of the system opens. */
export const QUICK_ARGUMENT = '--sotto-quick'

/**
 * How the page learns its theme and preferences each time it is loaded. Arguments of the window would still have the
 * first values after a reload.
 */
export const APPEARANCE_CHANNEL = 'sotto:appearance'
/** The answer: the theme, and the preferences as JSON. */
export type Appearance = readonly [theme: string, preferences: string]

/** How the page asks for another theme. */
export const THEME_CHANNEL = 'sotto:theme'
