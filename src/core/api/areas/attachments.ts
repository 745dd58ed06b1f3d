import { addAttachment, readAttachment, removeAttachment } from '../attachments/attached.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers attachmentsContract. Throws vault/locked, attachment/…, store/unwritable, store/damaged. */
export function attachmentsArea(core: ApiContext, os: Implementer['attachments']) {
  return {
    add: os.add.handler(async ({ input: { name, type, content, pages, temporary = false } }) => {
      const { conversations } = core.open()
      return addAttachment(
        conversations,
        { name, type, pages, content: new Uint8Array(await content.arrayBuffer()) },
        temporary,
      )
    }),
    get: os.get.handler(async ({ input }) => {
      const { attachment, content } = await readAttachment(core.open().conversations, input.attachmentId)
      // Never as what a browser would run or open as a page.
      return new Blob([Uint8Array.from(content)], {
        type: attachment.kind === 'image' ? attachment.type : 'text/plain',
      })
    }),
    remove: os.remove.handler(async ({ input }) => ({
      removed: await removeAttachment(core.open().conversations, input.attachmentId),
    })),
  }
}
