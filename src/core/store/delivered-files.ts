import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { collected, type FileShelf } from './file-shelf.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const CIPHER = 'aes-256-gcm'
const PIECE_BYTES = 64 * 1024
const TAG_BYTES = 16

const rowSchema = z.object({ at_index: z.number(), file: z.string(), body: z.instanceof(Uint8Array) })
const fileRowSchema = z.object({ file: z.string() })
/** The key of this one file, and how many bytes were sealed under it. */
const bodySchema = z.object({ key: z.base64(), bytes: z.int().min(0) })

const place = (paymentId: string, index: number, file: string) => `delivered_files/body/${paymentId}/${String(index)}/${file}`

/**
 * What was delivered for a payment. Each file is sealed in pieces under a key of its own, with the piece's number as nonce;
 * key and length stand sealed in the database. So a file that was cut off, or exchanged for another, does not open, and one
 * whose row is gone opens never again.
 */
export function deliveredFilesIn(database: SealedDatabase, shelf: FileShelf): Store['deliveredFiles'] {
  const known = (paymentId: string, index: number) => database.get(rowSchema, 'SELECT at_index, file, body FROM delivered_files WHERE payment_id = ? AND at_index = ?', paymentId, index)

  async function* pieces(paymentId: string, { at_index: index, file, body }: z.infer<typeof rowSchema>): AsyncGenerator<Uint8Array, void> {
    const { key, bytes } = database.unseal(bodySchema, place(paymentId, index, file), body)
    yield* opened(Buffer.from(key, 'base64'), bytes, shelf.read(file))
  }

  return {
    async save(paymentId, index, content) {
      const key = randomBytes(32)
      const file = randomUUID()
      let bytes = 0
      await shelf.write(file, sealed(key, content, (length) => (bytes += length)))
      const former = known(paymentId, index)
      try {
        database.durably(() => database.run(
          'INSERT INTO delivered_files (payment_id, at_index, file, body) VALUES (?, ?, ?, ?) ON CONFLICT (payment_id, at_index) DO UPDATE SET file = excluded.file, body = excluded.body',
          paymentId, index, file, database.seal(place(paymentId, index, file), { key: key.toString('base64'), bytes }),
        ))
      } catch (thrown) {
        await shelf.remove(file)
        throw thrown
      }
      if (former) await shelf.remove(former.file)
      return bytes
    },
    async read(paymentId, index) {
      const row = known(paymentId, index)
      return row && Buffer.concat(await collected(pieces(paymentId, row)))
    },
    stream(paymentId, index) {
      const row = known(paymentId, index)
      return row && pieces(paymentId, row)
    },
    async remove(paymentId) {
      const rows = database.all(fileRowSchema, 'SELECT file FROM delivered_files WHERE payment_id = ?', paymentId)
      if (rows.length === 0) return
      database.durably(() => database.run('DELETE FROM delivered_files WHERE payment_id = ?', paymentId))
      database.clearLog()
      for (const { file } of rows) await shelf.remove(file)
    },
  }
}

/** The files that belong to a payment. */
export function namedFiles(database: SealedDatabase): ReadonlySet<string> {
  return new Set(database.all(fileRowSchema, 'SELECT file FROM delivered_files').map(({ file }) => file))
}

/** ciphertext ‖ tag for each PIECE_BYTES. */
async function* sealed(key: Uint8Array, content: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array, void> {
  let number = 0
  for await (const piece of inPieces(content, PIECE_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(number++), { authTagLength: TAG_BYTES })
    count(piece.length)
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

async function* opened(key: Uint8Array, bytes: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let number = 0
  let seen = 0
  for await (const piece of inPieces(content, PIECE_BYTES + TAG_BYTES)) {
    const plain = openPiece(key, number++, piece)
    seen += plain.length
    if (seen > bytes) break
    yield plain
  }
  if (seen !== bytes) throw new SottoError('store/damaged', { detail: 'A file that was delivered is not as long as it was.' })
}

function openPiece(key: Uint8Array, number: number, piece: Uint8Array): Uint8Array {
  try {
    const end = piece.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(piece.subarray(end))
    return Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()])
  } catch (cause) {
    throw new SottoError('store/damaged', { detail: 'A file that was delivered was changed.', cause })
  }
}

/** The key serves one file, so that the number of the piece is nonce enough. */
function nonceOf(number: number): Uint8Array {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}

/** The same bytes in pieces of this size; the last is what is left. */
async function* inPieces(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    let rest = chunk
    while (length + rest.length >= size) {
      const taken = size - length
      yield Buffer.concat([...waiting, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      waiting = []
      length = 0
    }
    if (rest.length > 0) {
      // A chunk may be the caller's buffer, which it fills again.
      waiting.push(Uint8Array.from(rest))
      length += rest.length
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}
