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

/** Whether the clipboard contains a secret from this window, as far as the window knows. */
export const useSecretClipboard = create<SecretClipboard>()(() => ({ state: 'nothing', until: 0 }))

/** The copied secret. It is discarded when the clipboard should no longer contain it. */
let secret: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Copies a secret, and clears the clipboard a minute later. A browser writes to the clipboard only for the window in
 * front, so otherwise the clearing waits until this window is in front. Throws what the browser throws.
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

/** Copies text that isn't secret. Throws what the browser throws. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  dispose()
}

/**
 * Copies something in several formats. Throws what the browser throws.
 * @param item its content may be a promise; Safari requires the call itself in the same turn as the press
 */
export async function copyItem(item: ClipboardItem): Promise<void> {
  await navigator.clipboard.write([item])
  dispose()
}

/** Something else was copied in this window, so the clipboard has no secret to clear. */
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
    // If this page may read the clipboard, text that was copied elsewhere since stays. Otherwise, clearing the secret
    // has priority.
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

/** Only if the permission was granted before, because a prompt at this moment would alarm the person. */
async function mayRead(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-read' })).state === 'granted'
  } catch {
    return false
  }
}
