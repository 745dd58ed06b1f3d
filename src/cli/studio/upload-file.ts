import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { failureSchema } from '../../shared/contract/failure.ts'
import { uploadSchema, type Upload } from '../../shared/job.ts'
import { CommandFailure, type CommandClient } from '../client.ts'
import { readPieces, sizeOfInput } from '../input-file.ts'

/** The contract's limit, in characters. */
const MAX_NAME = 300

/**
 * Streams a file to the core, which stores it encrypted. The file leaves the machine only when the job is
 * sent. Throws studio/file-empty and studio/file-too-large, and request/invalid if the file can't be read.
 *
 * @param progress receives the number of bytes sent so far
 */
export async function uploadFile(
  connection: CommandClient,
  path: string,
  progress: (bytes: number, of: number) => void,
  signal: AbortSignal,
): Promise<Upload> {
  const size = await sizeOfInput(path)
  const { path: to } = await connection.client.studio.upload.begin(
    { name: basename(path).slice(0, MAX_NAME), size },
    { signal },
  )
  let sent = 0
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of readPieces(path, signal)) {
      yield piece
      sent += piece.byteLength
      progress(sent, size)
    }
  }
  return put(connection, to, counted(), signal)
}

/** Uploads bytes that are already in memory, like `uploadFile`. */
export async function uploadBytes(
  connection: CommandClient,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Upload> {
  const { path } = await connection.client.studio.upload.begin({ name, size: bytes.byteLength }, { signal })
  return put(connection, path, toAsyncIterable(bytes), signal)
}

async function put(
  connection: CommandClient,
  path: string,
  content: AsyncGenerator<Uint8Array, void>,
  signal: AbortSignal,
): Promise<Upload> {
  const body = Readable.toWeb(Readable.from(content, { objectMode: false }))
  const response = await connection.fetch(
    new Request(new URL(path, 'http://sotto.invalid'), { method: 'PUT', body, duplex: 'half', signal }),
  )
  const answer: unknown = await response.json()
  if (response.ok) return uploadSchema.parse(answer)
  throw new CommandFailure(failureSchema.parse(answer))
}
