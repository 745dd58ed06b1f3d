import { ownBytes } from './api.ts'

const RETENTION_MS = 60_000

/** Saves a text from this window with the browser or the desktop app's dialog. Nothing is sent. */
export function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }))
}

/** Saves a file behind a short-lived path of the core (contract `studio.link`, requested as a download). */
export async function saveLinked(name: string, path: string): Promise<void> {
  if (window.desktop) {
    saveBlob(name, await ownBytes(path))
    return
  }
  const link = document.createElement('a')
  link.href = path
  link.download = name
  link.click()
}

/** Saves bytes from this window. The desktop app itself reports a file that can't be written. */
export function saveBlob(name: string, blob: Blob): void {
  const { desktop } = window
  if (desktop) {
    void blob.arrayBuffer().then((content) => desktop.saveFile(name, new Uint8Array(content)))
    return
  }
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The dialog may stay open for a while.
  setTimeout(() => URL.revokeObjectURL(address), RETENTION_MS)
}
