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

/** How the desktop window's page learns its theme when it is started, and asks for another. */
export const THEME_ARGUMENT = '--sotto-theme='
export const THEME_CHANNEL = 'sotto:theme'
