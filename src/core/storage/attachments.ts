import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { attachmentSchema, type Attachment } from '../../shared/attachment.ts'
import { collected, type FileShelf } from './file-shelf.ts'
import type { SealedDatabase } from './sealed-database.ts'
import { readSealed, saveSealed, sealedFileSchema } from './sealed-files.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ id: z.string(), file: z.string(), body: z.instanceof(Uint8Array) })
const useSchema = z.object({ conversation_id: z.string() })
const fileRowSchema = z.object({ file: z.string() })
const bodySchema = z.object({ about: attachmentSchema.omit({ id: true }), sealed: sealedFileSchema })

const place = (id: string, file: string) => `attachments/body/${id}/${file}`

/** Stores attached files, each sealed under its own key, which is deleted with its row. */
export function attachmentsIn(
  database: SealedDatabase,
  shelf: FileShelf,
  now: () => number,
): Store['attachments'] & { readonly tidySoon: () => void } {
  /**
   * Only files that the database had at the start are removed if it no longer has them. A file that is
   * being written isn't among them.
   */
  const known = new Set(namedAttachmentFiles(database))
  let tidying: Promise<void> | null = null

  function row(id: string) {
    const found = database.get(rowSchema, 'SELECT id, file, body FROM attachments WHERE id = ?', id)
    return found && { file: found.file, ...database.unseal(bodySchema, place(id, found.file), found.body) }
  }
  async function tidy(): Promise<void> {
    const named = namedAttachmentFiles(database)
    for (const file of [...known]) {
      if (named.has(file)) continue
      known.delete(file)
      await shelf.remove(file)
    }
  }
  async function insert(attachment: Attachment, content: Uint8Array): Promise<void> {
    const { id, ...about } = attachmentSchema.parse({ ...attachment, bytes: content.length })
    const written = await saveSealed(shelf, toAsyncIterable(content), (file, sealed) => {
      database.durably(() =>
        database.run(
          'INSERT INTO attachments (id, created_at, file, body) VALUES (?, ?, ?, ?)',
          id,
          Math.trunc(now()),
          file,
          database.seal(place(id, file), bodySchema.parse({ about, sealed })),
        ),
      )
      return file
    })
    known.add(written)
  }

  return {
    insert,
    async add(about, content) {
      const attachment: Attachment = { ...about, id: randomUUID(), bytes: content.length }
      await insert(attachment, content)
      return attachment
    },
    get(id) {
      const found = row(id)
      return found && { id, ...found.about }
    },
    async read(id) {
      const found = row(id)
      if (!found) return null
      const pieces = await collected(readSealed(shelf, found.file, found.sealed))
      return new Uint8Array(Buffer.concat(pieces))
    },
    usedIn: (id) =>
      database
        .all(
          useSchema,
          'SELECT DISTINCT conversation_id FROM messages JOIN message_attachments ON message_id = id WHERE attachment_id = ?',
          id,
        )
        .map((row) => row.conversation_id),
    async removeUnused(id) {
      const removed = database.run(`DELETE FROM attachments WHERE id = ? AND ${UNUSED}`, id) > 0
      if (removed) await tidy()
      return removed
    },
    tidySoon() {
      tidying ??= new Promise<void>((resolve) => setImmediate(resolve))
        .then(() => {
          tidying = null
          return tidy()
        })
        .catch(() => {
          // Files that can't be removed now, or whose store was closed, are removed at the next start.
        })
    },
  }
}

const UNUSED =
  'id NOT IN (SELECT attachment_id FROM message_attachments) AND id NOT IN (SELECT attachment_id FROM draft_attachments)'

/** Removes attachments that no draft or message uses, because a process ended before one did. */
export function removeUnusedAttachments(database: SealedDatabase): void {
  database.run(`DELETE FROM attachments WHERE ${UNUSED}`)
}

/**
 * Records the attachments of a message for as long as the message exists. Attachments that aren't stored
 * here are skipped.
 */
export function noteMessageAttachments(
  database: SealedDatabase,
  messageId: string,
  attachments: readonly Attachment[],
): void {
  for (const { id } of attachments)
    database.run(
      'INSERT OR IGNORE INTO message_attachments (message_id, attachment_id) SELECT ?, id FROM attachments WHERE id = ?',
      messageId,
      id,
    )
}

/** The file names of all attachments. */
export function namedAttachmentFiles(database: SealedDatabase): ReadonlySet<string> {
  return new Set(database.all(fileRowSchema, 'SELECT file FROM attachments').map(({ file }) => file))
}
