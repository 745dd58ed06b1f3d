import { MAX_TEXT_BYTES } from '../../shared/attachment-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import type { ApiContext } from '../rpc/context.ts'
import type { Implementer } from '../rpc/implementer.ts'

/**
 * Implements knowledgeContract. Nothing is sent to a service. Throws vault/locked, project/unknown, attachment/…, knowledge/…, store/unwritable,
 * store/damaged.
 */
export function knowledgeArea(core: ApiContext, os: Implementer['knowledge']) {
  const knowledge = () => core.open().knowledge
  return {
    documents: os.documents.handler(({ input }) => knowledge().documents(input.projectId)),
    add: os.add.handler(async ({ input: { projectId, name, content, pages } }) => {
      const documents = knowledge()
      if (content.size > 2 * MAX_TEXT_BYTES) throw new SottoError('attachment/too-large')
      return documents.add(projectId, { name, pages, content: new Uint8Array(await content.arrayBuffer()) })
    }),
    remove: os.remove.handler(({ input }) => ({ removed: knowledge().remove(input.documentId) })),
    find: os.find.handler(({ input }) => knowledge().find(input.projectId, input.query, input.most)),
    read: os.read.handler(({ input: { documentId, from, limit } }) =>
      knowledge().read(documentId, { from, limit }),
    ),
  }
}
