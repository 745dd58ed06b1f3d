import { CUT_TYPES, HEARD_TYPES, MAX_HEARD_BYTES } from '../../../../shared/audio-limits.ts'
import type { ErrorCode } from '../../../../shared/error-codes.ts'
import { SNIFFED_BYTES, sniffMedia } from '../../../../shared/sniff-media.ts'

/** What is known of a file before it goes anywhere. */
export interface CheckedRecording {
  /** By its bytes. */
  readonly type: string
  /** Why the service cannot take it as it is. */
  readonly wrong?: ErrorCode
  /** It can be sent in pieces, which takes the wrong away. */
  readonly splits: boolean
}

/** Judges a file by its bytes, before it is uploaded, by what the core will go by. Nothing of it but its first bytes is read. */
export async function checkRecording(file: Blob): Promise<CheckedRecording> {
  if (file.size === 0) return { type: 'application/octet-stream', wrong: 'studio/file-empty', splits: false }
  const type = sniffMedia(new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer()))
  if (!HEARD_TYPES.has(type)) return { type, wrong: 'studio/audio-type', splits: false }
  if (file.size <= MAX_HEARD_BYTES) return { type, splits: false }
  return { type, wrong: 'studio/audio-too-large', splits: CUT_TYPES.has(type) }
}
