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
