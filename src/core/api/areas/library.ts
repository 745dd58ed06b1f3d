import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import type { Implementer } from '../implementer.ts'

/** Answers libraryContract. Throws vault/locked, and what Library says of each call. */
export function libraryArea(core: ApiContext, os: Implementer['library']) {
  const never = new AbortController().signal
  const library = () => core.open().library
  return {
    search: os.search.handler(({ input }) => library().search(input.question, input.limit)),
    export: os.export.handler(({ input, signal = never }) =>
      eventsWithFailures(library().export(input.format, input.conversationId, signal)),
    ),
    backup: os.backup.handler(({ input, signal = never }) =>
      eventsWithFailures(library().backup(input.passphrase, signal)),
    ),
    restoreBegin: os.restoreBegin.handler(({ input }) => ({
      importId: library().beginRestore(input.passphrase),
    })),
    importBegin: os.importBegin.handler(() => ({ importId: library().beginImport() })),
    importPiece: os.importPiece.handler(({ input }) => library().importPiece(input.importId, input.text)),
    importEnd: os.importEnd.handler(({ input }) => library().endImport(input.importId, input.stopped)),
  }
}
