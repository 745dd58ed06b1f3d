import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { giveBack } from '../../shared/give-back.ts'
import { msg } from '../../shared/localized-text.ts'
import type { FileShelf } from './file-shelf.ts'

const CIPHER = 'aes-256-gcm'
const PIECE_BYTES = 64 * 1024
const TAG_BYTES = 16

/** The key of one file, and how many bytes were sealed under it. Stands sealed in the database. */
export const sealedFileSchema = z.object({ key: z.base64(), bytes: z.int().min(0) })
export type SealedFile = z.infer<typeof sealedFileSchema>

/**
 * Seals a new file in pieces under a key of its own, with the piece's number as nonce. So a file that was cut off, or exchanged
 * for another, does not open, and one whose row is gone opens never again. Throws store/unwritable, and what the content throws.
 * @param note writes the row that names the file and has its key, and returns what is returned; where it throws, the file is removed again
 */
export async function saveSealed<Noted>(
  shelf: FileShelf,
  content: AsyncIterable<Uint8Array>,
  note: (file: string, sealed: SealedFile) => Noted,
): Promise<Noted> {
  const file = randomUUID()
  const key = randomBytes(32)
  let bytes = 0
  await shelf.write(
    file,
    sealed(key, content, (length) => (bytes += length)),
  )
  try {
    return note(file, { key: key.toString('base64'), bytes })
  } catch (thrown) {
    await shelf.remove(file)
    throw thrown
  }
}

/**
 * Piece by piece, each as it was sealed, from this byte on: only the pieces that hold it and what follows are opened. The last is
 * passed on before it is known whether more should follow. Throws store/damaged.
 */
export function readSealed(
  shelf: FileShelf,
  file: string,
  { key, bytes }: SealedFile,
  from = 0,
): AsyncGenerator<Uint8Array, void> {
  return opened(Buffer.from(key, 'base64'), bytes, from, (at) => shelf.read(file, at))
}

/** ciphertext ‖ tag for each PIECE_BYTES. */
async function* sealed(
  key: Uint8Array,
  content: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let number = 0
  for await (const piece of inPieces(content, PIECE_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(number++), { authTagLength: TAG_BYTES })
    count(piece.length)
    const ciphertext = cipher.update(piece)
    cipher.final()
    const whole = Buffer.concat([ciphertext, cipher.getAuthTag()])
    giveBack(ciphertext)
    yield whole
  }
}

async function* opened(
  key: Uint8Array,
  bytes: number,
  from: number,
  read: (at: number) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let number = Math.floor(from / PIECE_BYTES)
  let seen = number * PIECE_BYTES
  for await (const piece of inPieces(read(number * (PIECE_BYTES + TAG_BYTES)), PIECE_BYTES + TAG_BYTES)) {
    const plain = decryptPiece(key, number++, piece)
    const skipped = Math.max(0, from - seen)
    seen += plain.length
    if (seen > bytes) break
    if (skipped < plain.length) yield plain.subarray(skipped)
  }
  if (seen !== bytes)
    throw new SottoError('store/damaged', { detail: msg('An encrypted file’s length has changed.') })
}

function decryptPiece(key: Uint8Array, number: number, piece: Uint8Array): Uint8Array {
  try {
    const end = piece.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(piece.subarray(end))
    const plain = decipher.update(piece.subarray(0, end))
    // In this mode nothing is left to come: it throws where the tag is another.
    decipher.final()
    return plain
  } catch (cause) {
    throw new SottoError('store/damaged', { detail: msg('An encrypted file was changed.'), cause })
  }
}

/** The key serves one file, so that the number of the piece is nonce enough. */
function nonceOf(number: number): Uint8Array {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}

/** The same bytes in pieces of this size; the last is what is left. Each is there until the next is asked for: they share their memory. */
async function* inPieces(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void> {
  const piece = Buffer.allocUnsafeSlow(size)
  let length = 0
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(size - length, chunk.length - at)
      piece.set(chunk.subarray(at, at + taken), length)
      at += taken
      length += taken
      if (length < size) continue
      yield piece
      length = 0
    }
  }
  if (length > 0) yield piece.subarray(0, length)
}
