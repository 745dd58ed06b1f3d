import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { DeliveredFiles } from '../core/storage/index.ts'
import { ByteBuffer } from '../shared/byte-buffer.ts'
import { SottoError } from '../shared/errors.ts'
import { bytea, type DataKey } from './data-key.ts'
import type { Database } from './database.ts'
import type { PayerLock } from './payer-lock.ts'

const PART_BYTES = 1024 * 1024
/** 1 GiB, as on a disk. */
const MOST_PARTS = 1024
/** Answers that were saved last remain in memory up to this size. */
const RECENT_BYTES = 64 * 1024 * 1024

const fileRowSchema = z.object({ file: z.uuid(), body: bytea })
const fileSchema = z.object({ bytes: z.int().min(0), parts: z.int().min(0).max(MOST_PARTS) })
const partRowSchema = z.object({ body: bytea })

const filePlace = (paymentId: string, index: number, file: string): string =>
  `delivered_files/body/${paymentId}/${String(index)}/${file}`
const partPlace = (file: string, part: number): string => `delivered_parts/body/${file}/${String(part)}`

export interface SharedFilesOptions {
  readonly database: Database
  /** Only its holder saves a file. */
  readonly lock: Pick<PayerLock, 'transaction'>
  readonly key: DataKey
}

/**
 * The files that were delivered for payments, in sealed parts of 1 MiB. The parts of a new file are written first. The
 * row that names them, with their number, makes them a file.
 */
export function createSharedFiles({ database, lock, key }: SharedFilesOptions): DeliveredFiles {
  const removeParts = (file: string): Promise<number> =>
    database.execute('DELETE FROM delivered_parts WHERE file = $1', [file])

  /**
   * A tool gets the answer that was just saved without reading it back, so that it arrives although the database is
   * away by then.
   */
  const recent = new Map<string, Buffer>()
  function remember(name: string, content: Buffer): void {
    recent.set(name, content)
    let bytes = [...recent.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
    for (const [oldest, { byteLength }] of recent) {
      if (bytes <= RECENT_BYTES) break
      recent.delete(oldest)
      bytes -= byteLength
    }
  }

  async function writeParts(
    file: string,
    content: AsyncIterable<Uint8Array>,
    onPart: (part: Uint8Array) => void,
  ): Promise<z.infer<typeof fileSchema>> {
    const buffer = new ByteBuffer()
    let parts = 0
    let bytes = 0
    const write = async (part: Uint8Array): Promise<void> => {
      if (parts >= MOST_PARTS) throw new SottoError('store/unwritable')
      await database.execute('INSERT INTO delivered_parts (file, part, body) VALUES ($1, $2, $3)', [
        file,
        parts,
        key.sealBytes(partPlace(file, parts), part),
      ])
      parts++
      bytes += part.byteLength
      onPart(part)
    }
    for await (const piece of content) {
      buffer.add(piece)
      if (buffer.bytes < PART_BYTES) continue
      const whole = buffer.take()
      let at = 0
      for (; whole.byteLength - at >= PART_BYTES; at += PART_BYTES)
        await write(whole.subarray(at, at + PART_BYTES))
      if (at < whole.byteLength) buffer.add(whole.subarray(at))
    }
    if (buffer.bytes > 0) await write(buffer.take())
    return { bytes, parts }
  }

  async function known(paymentId: string, index: number): Promise<z.infer<typeof fileRowSchema> | undefined> {
    const [row] = await database.query(
      fileRowSchema,
      'SELECT file, body FROM delivered_files WHERE payment_id = $1 AND at_index = $2',
      [paymentId, index],
    )
    return row
  }

  return {
    async save(paymentId, index, content) {
      const file = randomUUID()
      const name = `${paymentId}/${String(index)}`
      recent.delete(name)
      const before = await known(paymentId, index)
      try {
        const copy = new ByteBuffer()
        const written = await writeParts(file, content, (part) => {
          if (copy.bytes + part.byteLength <= RECENT_BYTES) copy.add(part)
        })
        await lock.transaction((statements) =>
          statements.execute(
            `INSERT INTO delivered_files (payment_id, at_index, file, body) VALUES ($1, $2, $3, $4)
              ON CONFLICT (payment_id, at_index) DO UPDATE SET file = excluded.file, body = excluded.body`,
            [paymentId, index, file, key.seal(filePlace(paymentId, index, file), written)],
          ),
        )
        if (copy.bytes === written.bytes) remember(name, Buffer.from(copy.take()))
        if (before) await removeParts(before.file)
        return written.bytes
      } catch (thrown) {
        // The row may have been committed although no answer arrived, so its parts remain then.
        if ((await known(paymentId, index).catch(() => ({ file })))?.file !== file)
          await removeParts(file).catch(() => undefined)
        throw thrown
      }
    },
    async read(paymentId, index) {
      const saved = recent.get(`${paymentId}/${String(index)}`)
      if (saved) return saved
      const row = await known(paymentId, index)
      if (!row) return null
      const { bytes, parts } = key.unseal(fileSchema, filePlace(paymentId, index, row.file), row.body)
      const pieces: Buffer[] = []
      for (let part = 0; part < parts; part++) {
        const [stored] = await database.query(
          partRowSchema,
          'SELECT body FROM delivered_parts WHERE file = $1 AND part = $2',
          [row.file, part],
        )
        if (!stored) throw new SottoError('database/damaged')
        pieces.push(key.unsealBytes(partPlace(row.file, part), stored.body))
      }
      const content = Buffer.concat(pieces)
      if (content.byteLength !== bytes) throw new SottoError('database/damaged')
      return content
    },
  }
}

/** Removes parts of files that a replica didn't finish, a day after it wrote them. */
export async function removeUnfinishedParts(database: Database): Promise<void> {
  await database.execute(
    `DELETE FROM delivered_parts WHERE created_at < clock_timestamp() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM delivered_files WHERE delivered_files.file = delivered_parts.file)`,
  )
}
