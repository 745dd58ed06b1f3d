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
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes > MAX_BODY_BYTES) {
        chunks.length = 0
        reject(new SottoError('proxy/body-too-large'))
      } else chunks.push(chunk)
    })
    // A copy even of one piece: it may be a part of what the socket reads into.
    request.once('end', () => resolve(Buffer.concat(chunks, bytes)))
    request.once('error', (cause) => reject(new SottoError('request/cancelled', { cause })))
  })
}
