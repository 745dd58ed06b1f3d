import { say } from '../../../shared/say.ts'
import { EvidenceError } from '../words.ts'
import type { ImageRecord } from './types.ts'

export class ImageRecordError extends EvidenceError {
  override name = 'ImageRecordError'
}

export function readImageRecord(bytes: Uint8Array): ImageRecord {
  throw new ImageRecordError(say('{count} bytes', { count: bytes.length }))
}
