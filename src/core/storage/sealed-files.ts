import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { giveBack } from '../../shared/byte-buffer.ts'
import { msg } from '../../shared/localized-text.ts'
import type { FileShelf } from './file-shelf.ts'

const CIPHER = 'aes-256-gcm'
const PIECE_BYTES = 64 * 1024
const TAG_BYTES = 16

/** The key of one file, and the number of bytes sealed under it. It's stored sealed in the database. */
export const sealedFileSchema = z.object({ key: z.base64(), bytes: z.int().min(0) })
export type SealedFile = z.infer<typeof sealedFileSchema>

/**
 * Seals a new file in pieces under its own key, with the number of each piece as the nonce. A file that was
 * truncated or replaced therefore can't be opened, and neither can one whose row was deleted. Throws
 * store/unwritable, and the errors of the content.
 *
 * @param note writes the row with the name and the key of the file; its result is returned. If it throws,
 * the file is removed.
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
 * Reads the original pieces from this byte on, and decrypts only the pieces that are needed. The last piece
 * is yielded before it's checked that no more follows. Throws store/damaged.
 */
export function readSealed(
  shelf: FileShelf,
  file: string,
  { key, bytes }: SealedFile,
  from = 0,
): AsyncGenerator<Uint8Array, void> {
  return opened(Buffer.from(key, 'base64'), bytes, from, (at) => shelf.read(file, at))
}

/** Yields ciphertext ‖ tag for each PIECE_BYTES. */
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
    // GCM has no more plaintext at this point. It throws if the tag is wrong.
    decipher.final()
    return plain
  } catch (cause) {
    throw new SottoError('store/damaged', { detail: msg('An encrypted file was changed.'), cause })
  }
}

/** Each file has its own key, so the number of the piece is a unique nonce. */
function nonceOf(number: number): Uint8Array {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}

/**
 * Splits the bytes into pieces of this size; the last one may be shorter. The pieces share their memory:
 * each is valid until the next is requested.
 */
async function* inPieces(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void> {
  const piece = Buffer.allocUnsafeSlow(size)
  let length = 0
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const copied = Math.min(size - length, chunk.length - at)
      piece.set(chunk.subarray(at, at + copied), length)
      at += copied
      length += copied
      if (length < size) continue
      yield piece
      length = 0
    }
  }
  if (length > 0) yield piece.subarray(0, length)
}
