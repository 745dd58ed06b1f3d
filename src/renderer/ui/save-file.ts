import { ownBytes } from './api.ts'

const RETENTION_MS = 60_000

/** Has the browser, or the desktop's own dialog, save a text that this window made. Nothing is sent anywhere. */
export function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }))
}

/** A file behind a short-lived path of the core's own (contract `studio.link`, asked for as a download). */
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

/** The same for bytes. The desktop says by itself where it cannot be written. */
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
  // The dialog may stand open for a while.
  setTimeout(() => URL.revokeObjectURL(address), RETENTION_MS)
}
