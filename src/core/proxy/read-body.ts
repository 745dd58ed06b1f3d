import type { IncomingMessage } from 'node:http'
import { SottoError } from '../../shared/errors.ts'

export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** The body of a request, whole. Throws proxy/body-too-large as soon as it is known to be, request/cancelled where the caller went away. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
      reject(new SottoError('proxy/body-too-large'))
      return
    }
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength
      if (bytes <= MAX_BODY_BYTES) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      request.off('data', onData).off('end', onEnd)
      reject(new SottoError('proxy/body-too-large'))
    }
    // A copy even of one piece: it may be a part of what the socket reads into.
    const onEnd = (): void => resolve(Buffer.concat(chunks, bytes))
    request.on('data', onData).once('end', onEnd)
    request.once('error', (cause) => reject(new SottoError('request/cancelled', { cause })))
  })
}
