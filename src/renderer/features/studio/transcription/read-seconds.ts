/**
 * Reads the duration of a recording in this browser, from the file's metadata. Undefined if the metadata has
 * no duration or can't be read. The file isn't sent anywhere.
 */
export function readSeconds(file: Blob): Promise<number | undefined> {
  const address = URL.createObjectURL(file)
  const audio = document.createElement('audio')
  audio.preload = 'metadata'
  return new Promise<number | undefined>((resolve) => {
    audio.addEventListener('loadedmetadata', () =>
      resolve(Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : undefined),
    )
    audio.addEventListener('error', () => resolve(undefined))
    audio.src = address
  }).finally(() => {
    audio.removeAttribute('src')
    URL.revokeObjectURL(address)
  })
}
