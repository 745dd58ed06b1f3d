import { t } from '@lingui/core/macro'

const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac')

interface Shortcut {
  readonly key: string
  /** Ctrl, or Cmd on a Mac. Without it, the key works only outside of fields. */
  readonly command?: true
  readonly shift?: true
  readonly description: string
}

/** The shortcuts that work everywhere. The code that binds them, shows them or lists them reads this table. */
export const shortcuts = {
  palette: {
    key: 'k',
    command: true,
    get description() {
      return t`All commands`
    },
  },
  'new-chat': {
    key: 'o',
    command: true,
    shift: true,
    get description() {
      return t`New chat`
    },
  },
  search: {
    key: 'f',
    command: true,
    shift: true,
    get description() {
      return t`Search chats`
    },
  },
  find: {
    key: 'f',
    command: true,
    get description() {
      return t`Find in the open chat`
    },
  },
  sidebar: {
    key: 'b',
    command: true,
    get description() {
      return t`Toggle sidebar`
    },
  },
  lock: {
    key: 'l',
    command: true,
    shift: true,
    get description() {
      return t`Lock Sotto`
    },
  },
  shortcuts: {
    key: '/',
    command: true,
    get description() {
      return t`Keyboard shortcuts`
    },
  },
  'shortcuts-outside': {
    key: '?',
    get description() {
      return t`Keyboard shortcuts, when you’re not typing in a field`
    },
  },
} as const satisfies Readonly<Record<string, Shortcut>>

export type ShortcutName = keyof typeof shortcuts

/** In the order of the sheet that lists them. */
export const shortcutNames = Object.keys(shortcuts).filter((name): name is ShortcutName => name in shortcuts)

const all: Readonly<Record<ShortcutName, Shortcut>> = shortcuts

/** Whether the event is this shortcut. For signs Shift is ignored, because some keyboards need it to type the sign. */
export function isShortcut(
  name: ShortcutName,
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>,
): boolean {
  const { key, command = false, shift = false } = all[name]
  if (event.key.toLowerCase() !== key || event.altKey || (event.ctrlKey || event.metaKey) !== command)
    return false
  if (/^[a-z]$/.test(key) && event.shiftKey !== shift) return false
  return command || !isField(event.target)
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** The keys as labeled on the keyboard: "Ctrl Shift F", "⇧⌘F". */
export function keysOf(name: ShortcutName): string {
  const { key, command = false, shift = false } = all[name]
  return keysWith(key.toUpperCase(), command, shift)
}

/** The keys of a shortcut that works in one place only: "Ctrl D", "⌘D". */
export function commandKeys(sign: string): string {
  return keysWith(sign, true, false)
}

function keysWith(sign: string, command: boolean, shift: boolean): string {
  if (isMac) return `${shift ? '⇧' : ''}${command ? '⌘' : ''}${sign}`
  return [...(command ? [t`Ctrl`] : []), ...(shift ? [t`Shift`] : []), sign].join(' ')
}

/** The keys that open the desktop app's small chat window. The system handles them. */
export function quickEntryKeys(): string {
  const space = t({ message: 'Space', context: 'key' })
  return isMac ? `⇧⌘${space}` : [t`Ctrl`, t`Shift`, space].join(' ')
}
