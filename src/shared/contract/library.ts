import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { exportEventSchema, exportFormats } from '../library/conversation-file.ts'
import { importModelsSchema, importReportSchema } from '../library/import-report.ts'
import { MAX_IMPORT_PIECE, MAX_QUESTION } from '../library/limits.ts'
import { searchAnswerSchema } from '../library/search.ts'
import { call, idSchema } from './call.ts'

/** The words of it are the user's. */
const passphrase = z.string().min(12).max(1000)

/** Another index begins another file of the same import. */
const importFile = z.object({ index: z.int().min(0), name: z.string().max(500) })

const importing = z.object({ importId: idSchema })

export const libraryContract = {
  /**
   * Conversations whose title or messages contain every word of the query, or a word that begins with it.
   * An empty query starts indexing.
   */
  search: call
    .input(z.object({ question: z.string().max(MAX_QUESTION), limit: z.int().min(1).max(50).default(30) }))
    .output(searchAnswerSchema),
  /** One conversation, or all, as one file in pieces; until it is read or left. Throws conversation/unknown. */
  export: call
    .input(z.object({ format: z.enum(exportFormats), conversationId: idSchema.optional() }))
    .output(eventIterator(exportEventSchema)),
  /**
   * Files of chats are imported piece by piece, one import at a time. A preview saves nothing. `models` replaces the models that the files
   * name; their replies keep the names.
   */
  importBegin: call
    .input(z.object({ preview: z.boolean(), models: importModelsSchema.optional() }).optional())
    .output(importing),
  /** All conversations with their receipts in one file that the passphrase opens, in pieces; until it is read or left. */
  backup: call.input(z.object({ passphrase })).output(eventIterator(exportEventSchema)),
  /** Imports a backup, see importBegin; existing records don't change. */
  restoreBegin: call.input(z.object({ passphrase: z.string().max(1000) })).output(importing),
  /**
   * Sends the next piece, after the response to the one before. Returns the report so far. Throws
   * library/….
   */
  importPiece: call
    .input(importing.extend({ text: z.string().max(MAX_IMPORT_PIECE), file: importFile.optional() }))
    .output(importReportSchema),
  /** All of it was sent, or it was stopped: what was taken stays. Throws library/…. */
  importEnd: call
    .input(importing.extend({ stopped: z.boolean(), otherFiles: z.int().min(0).optional() }))
    .output(importReportSchema),
  /** Deletes the chats of the last import, unless they got more messages since. Throws library/import-unknown. */
  importUndo: call.input(importing).output(z.object({ removed: z.int().min(0), remaining: z.int().min(0) })),
}
