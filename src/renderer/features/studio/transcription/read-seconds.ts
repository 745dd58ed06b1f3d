/** How long a recording is, as this browser reads it from its beginning; undefined where it does not say, or cannot be read. Nothing leaves. */
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
