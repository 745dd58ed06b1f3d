import { z } from 'zod'
import type { FileShelf } from './file-shelf.ts'
import type { SealedDatabase } from './sealed-database.ts'

const fileRowSchema = z.object({ file: z.string() })

/** The files that a payment or a job refers to. */
export function namedFiles(database: SealedDatabase): ReadonlySet<string> {
  return new Set(
    database
      .all(fileRowSchema, 'SELECT file FROM delivered_files UNION SELECT file FROM job_files')
      .map(({ file }) => file),
  )
}

/** Removes a file from the shelf, unless a payment or a job still refers to it. */
export async function removeUnnamed(database: SealedDatabase, shelf: FileShelf, file: string): Promise<void> {
  const named = database.get(
    z.object({}),
    'SELECT 1 FROM delivered_files WHERE file = ? UNION ALL SELECT 1 FROM job_files WHERE file = ? LIMIT 1',
    file,
    file,
  )
  if (!named) await shelf.remove(file)
}

/** The associated data for the sealed key of a delivered file. */
export function deliveredPlace(paymentId: string, index: number, file: string): string {
  return `delivered_files/body/${paymentId}/${String(index)}/${file}`
}
