import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers conversationsContract. Throws vault/locked, conversation/unknown, conversation/message-unknown, folder/unknown, store/damaged. */
export function conversationsArea(core: ApiContext, os: Implementer['conversations']) {
  const kept = () => core.open().conversations
  return {
    list: os.list.handler(() => kept().list()),
    get: os.get.handler(({ input }) => kept().get(input.conversationId)),
    rename: os.rename.handler(({ input }) => kept().rename(input.conversationId, input.title)),
    pin: os.pin.handler(({ input }) => kept().change(input.conversationId, { pinned: input.pinned })),
    move: os.move.handler(({ input: { conversationId, folderId } }) => {
      if (
        folderId !== null &&
        !core
          .open()
          .store.folders.list()
          .some(({ id }) => id === folderId)
      )
        throw new SottoError('folder/unknown')
      return kept().change(conversationId, { folderId })
    }),
    configure: os.configure.handler(({ input: { conversationId, systemPrompt, parameters } }) =>
      kept().change(conversationId, { systemPrompt, parameters }),
    ),
    show: os.show.handler(({ input }) => kept().show(input.conversationId, input.messageId)),
    fork: os.fork.handler(({ input }) => kept().fork(input.conversationId, input.messageId)),
    remove: os.remove.handler(({ input }) => kept().remove(input)),
    restore: os.restore.handler(({ input }) => kept().restore(input)),
    endTemporary: os.endTemporary.handler(({ input }) => ({
      ended: kept().endTemporary(input.conversationIds),
    })),
  }
}
