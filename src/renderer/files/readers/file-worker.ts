import type { EncodingFacts } from './read-content.ts'
import { readContent } from './read-content.ts'
import { UnreadableFile } from './unreadable-file.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { LocalizedText } from '../../../shared/localized-text.ts'

// Runs the document readers in a separate thread. The thread ends with its document, so a hostile one holds up nothing
// else.

export interface ReadRequest {
  readonly bytes: Uint8Array
  readonly name: string
  readonly chosen?: string
}

export type ReadReply =
  | { readonly text: string; readonly encoding?: EncodingFacts }
  | { readonly code: ErrorCode; readonly detail: LocalizedText }

self.addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  self.postMessage(reply(data))
})

function reply({ bytes, name, chosen }: ReadRequest): ReadReply {
  try {
    return readContent(bytes, name, chosen)
  } catch (thrown) {
    return thrown instanceof UnreadableFile
      ? { code: thrown.code, detail: thrown.detail }
      : { code: 'attachment/document-damaged', detail: [] }
  }
}
