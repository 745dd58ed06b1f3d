import { z } from 'zod'
import type { FileShelf } from './file-shelf.ts'
import { deliveredPlace, removeUnnamed } from './named-files.ts'
import type { SealedDatabase } from './sealed-database.ts'
import { readSealed, saveSealed, sealedFileSchema, type SealedFile } from './sealed-files.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ file: z.string(), body: z.instanceof(Uint8Array) })
const fileRowSchema = z.object({ file: z.string() })
const place = (jobId: string, index: number, file: string) =>
  `job_files/body/${jobId}/${String(index)}/${file}`

/**
 * Stores the files of jobs, each sealed under its own key, on the shelf for files that were delivered for
 * payments.
 */
export function jobFilesIn(database: SealedDatabase, shelf: FileShelf): Store['jobFiles'] {
  function known(
    jobId: string,
    index: number,
  ): { readonly file: string; readonly sealed: SealedFile } | null {
    const row = database.get(
      rowSchema,
      'SELECT file, body FROM job_files WHERE job_id = ? AND at_index = ?',
      jobId,
      index,
    )
    return (
      row && {
        file: row.file,
        sealed: database.unseal(sealedFileSchema, place(jobId, index, row.file), row.body),
      }
    )
  }

  /**
   * Records a file under this index. Returns the name of the file that it replaced, which the job no longer
   * uses.
   */
  function name(jobId: string, index: number, file: string, sealed: SealedFile): string | undefined {
    const former = database.get(
      fileRowSchema,
      'SELECT file FROM job_files WHERE job_id = ? AND at_index = ?',
      jobId,
      index,
    )
    database.durably(() =>
      database.run(
        'INSERT INTO job_files (job_id, at_index, file, body) VALUES (?, ?, ?, ?) ON CONFLICT (job_id, at_index) DO UPDATE SET file = excluded.file, body = excluded.body',
        jobId,
        index,
        file,
        database.seal(place(jobId, index, file), sealed),
      ),
    )
    return former?.file
  }

  return {
    async save(jobId, index, content) {
      const { former, bytes } = await saveSealed(shelf, content, (file, sealed) => ({
        former: name(jobId, index, file, sealed),
        bytes: sealed.bytes,
      }))
      if (former !== undefined) await removeUnnamed(database, shelf, former)
      return bytes
    },
    async adopt(jobId, index, from) {
      const row =
        'paymentId' in from
          ? database.get(
              rowSchema,
              'SELECT file, body FROM delivered_files WHERE payment_id = ? AND at_index = ?',
              from.paymentId,
              from.index,
            )
          : database.get(
              rowSchema,
              'SELECT file, body FROM job_files WHERE job_id = ? AND at_index = ?',
              from.jobId,
              from.index,
            )
      if (!row) return null
      const sealed = database.unseal(
        sealedFileSchema,
        'paymentId' in from
          ? deliveredPlace(from.paymentId, from.index, row.file)
          : place(from.jobId, from.index, row.file),
        row.body,
      )
      const former = name(jobId, index, row.file, sealed)
      if (former !== undefined) await removeUnnamed(database, shelf, former)
      return sealed.bytes
    },
    size: (jobId, index) => known(jobId, index)?.sealed.bytes ?? null,
    stream(jobId, index, from = 0) {
      const row = known(jobId, index)
      return row && readSealed(shelf, row.file, row.sealed, from)
    },
    async remove(jobId, index) {
      const rows =
        index === undefined
          ? database.all(fileRowSchema, 'SELECT file FROM job_files WHERE job_id = ?', jobId)
          : database.all(
              fileRowSchema,
              'SELECT file FROM job_files WHERE job_id = ? AND at_index = ?',
              jobId,
              index,
            )
      if (rows.length === 0) return
      if (index === undefined)
        database.durably(() => database.run('DELETE FROM job_files WHERE job_id = ?', jobId))
      else
        database.durably(() =>
          database.run('DELETE FROM job_files WHERE job_id = ? AND at_index = ?', jobId, index),
        )
      database.clearLog()
      for (const { file } of rows) await removeUnnamed(database, shelf, file)
    },
  }
}
