import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function conversationsArea(core: ApiContext, os: Implementer['conversations']) {
  return {
    list: os.list.handler(() => core.open().store.conversations.list()),
    get: os.get.handler(({ input }) => {
      const { store } = core.open()
      const conversation = store.conversations.get(input.conversationId)
      if (!conversation) throw new SottoError('conversation/unknown')
      return { conversation, messages: store.messages.of(conversation.id) }
    }),
    rename: os.rename.handler(({ input }) => core.open().store.conversations.rename(input.conversationId, input.title)),
    remove: os.remove.handler(({ input }) => ({ removed: core.open().store.conversations.remove(input.conversationId) })),
  }
}
