import { z } from 'zod'
import { collected, type FileShelf } from './file-shelf.ts'
import { deliveredPlace as place, removeUnnamed } from './named-files.ts'
import type { SealedDatabase } from './sealed-database.ts'
import { readSealed, saveSealed, sealedFileSchema } from './sealed-files.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ file: z.string(), body: z.instanceof(Uint8Array) })
const fileRowSchema = z.object({ file: z.string() })

/**
 * Stores the files that were delivered for payments. They are sealed, and their keys are in the database.
 */
export function deliveredFilesIn(database: SealedDatabase, shelf: FileShelf): Store['deliveredFiles'] {
  const known = (paymentId: string, index: number) =>
    database.get(
      rowSchema,
      'SELECT file, body FROM delivered_files WHERE payment_id = ? AND at_index = ?',
      paymentId,
      index,
    )

  return {
    async save(paymentId, index, content) {
      const { former, bytes } = await saveSealed(shelf, content, (file, sealed) => {
        const before = known(paymentId, index)
        database.durably(() =>
          database.run(
            'INSERT INTO delivered_files (payment_id, at_index, file, body) VALUES (?, ?, ?, ?) ON CONFLICT (payment_id, at_index) DO UPDATE SET file = excluded.file, body = excluded.body',
            paymentId,
            index,
            file,
            database.seal(place(paymentId, index, file), sealed),
          ),
        )
        return { former: before?.file, bytes: sealed.bytes }
      })
      if (former !== undefined) await removeUnnamed(database, shelf, former)
      return bytes
    },
    async read(paymentId, index) {
      const row = known(paymentId, index)
      if (!row) return null
      const { file, body } = row
      const sealed = database.unseal(sealedFileSchema, place(paymentId, index, file), body)
      return Buffer.concat(await collected(readSealed(shelf, file, sealed)))
    },
    async remove(paymentId) {
      const rows = database.all(
        fileRowSchema,
        'SELECT file FROM delivered_files WHERE payment_id = ?',
        paymentId,
      )
      if (rows.length === 0) return
      database.durably(() => database.run('DELETE FROM delivered_files WHERE payment_id = ?', paymentId))
      database.clearLog()
      for (const { file } of rows) await removeUnnamed(database, shelf, file)
    },
  }
}
