import { create } from 'zustand'

declare global {
  interface Permissions {
    query(permission: { readonly name: 'clipboard-read' }): Promise<PermissionStatus>
  }
}

const HELD_MS = 60_000

interface SecretClipboard {
  readonly state: 'nothing' | 'held' | 'emptied'
  /** While `held`: when it is emptied, if this window is in front then. Unix ms. */
  readonly until: number
}

/** Whether the clipboard holds a secret of ours, as far as this window knows. */
export const useSecretClipboard = create<SecretClipboard>()(() => ({ state: 'nothing', until: 0 }))

/** What was copied; it is kept no longer than the clipboard is to hold it. */
let secret: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Copies a secret, and empties the clipboard a minute later. A browser writes to the clipboard only for a window that is in
 * front, so otherwise that waits until this one is. Throws what the browser throws.
 */
export async function copySecret(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  dispose()
  secret = text
  timer = setTimeout(() => void empty(), HELD_MS)
  addEventListener('copy', dispose)
  addEventListener('cut', dispose)
  useSecretClipboard.setState({ state: 'held', until: Date.now() + HELD_MS })
}

/** Something else was copied in this window: there is nothing of ours to take away. */
export function dispose(): void {
  clearTimeout(timer)
  secret = undefined
  removeEventListener('copy', dispose)
  removeEventListener('cut', dispose)
  removeEventListener('focus', again)
  useSecretClipboard.setState({ state: 'nothing', until: 0 })
}

async function empty(): Promise<void> {
  if (secret === undefined) return
  try {
    // Where it may be read, what was copied elsewhere in between stays. Where not, the secret weighs more.
    const other = (await mayRead()) && (await navigator.clipboard.readText()) !== secret
    if (!other) await navigator.clipboard.writeText('')
  } catch {
    addEventListener('focus', again, { once: true })
    return
  }
  dispose()
  useSecretClipboard.setState({ state: 'emptied', until: 0 })
}

function again(): void {
  void empty()
}

/** Only where that was granted before: a prompt would frighten, and come when nobody expects it. */
async function mayRead(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-read' })).state === 'granted'
  } catch {
    return false
  }
}
