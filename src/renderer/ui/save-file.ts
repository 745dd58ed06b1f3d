const KEPT_MS = 60_000

/** Has the browser, or the desktop's own dialog, save a text that this window made. Nothing is sent anywhere. */
export function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }))
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
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
