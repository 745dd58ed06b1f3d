import { CUT_TYPES, HEARD_TYPES, MAX_HEARD_BYTES } from '../../../../shared/audio-limits.ts'
import type { ErrorCode } from '../../../../shared/error-codes.ts'
import { SNIFFED_BYTES, sniffMedia } from '../../../../shared/sniff-media.ts'

/** The result of checking a file before its upload. */
export interface CheckedRecording {
  /** The media type, detected from the bytes. */
  readonly type: string
  /** Why the service can't accept the file unchanged. */
  readonly wrong?: ErrorCode
  /** Whether the service accepts the file in pieces, which resolves `wrong`. */
  readonly splits: boolean
}

/** Checks a file by its bytes before the upload, with the same rules as the core. Reads only its first bytes. */
export async function checkRecording(file: Blob): Promise<CheckedRecording> {
  if (file.size === 0) return { type: 'application/octet-stream', wrong: 'studio/file-empty', splits: false }
  const type = sniffMedia(new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer()))
  if (!HEARD_TYPES.has(type)) return { type, wrong: 'studio/audio-type', splits: false }
  if (file.size <= MAX_HEARD_BYTES) return { type, splits: false }
  return { type, wrong: 'studio/audio-too-large', splits: CUT_TYPES.has(type) }
}

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
