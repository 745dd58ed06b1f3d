import { importItems } from '../../src/core/conversations/attachments/attach-file.ts'
import type { Attachment, Draft } from '../../src/shared/attachment.ts'
import { NEW_DRAFT } from '../../src/shared/attachment-limits.ts'
import { savedDraftText } from '../../src/shared/draft-text.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import { SottoError } from '../../src/shared/errors.ts'

/** Files and drafts of the mock core, which imports files with the core's own code. */
export interface MockAttachments {
  readonly files: Map<string, { readonly attachment: Attachment; readonly content: Uint8Array }>
  drafts: Draft[]
}

export function mockAttachments(): MockAttachments {
  return { files: new Map(), drafts: [] }
}

interface Parts {
  readonly state: { attachments: MockAttachments }
  readonly refuse: (code: ErrorCode) => never
  readonly newId: (prefix: string) => string
}

export function createMockAttachments({ state, refuse, newId }: Parts) {
  const known = (id: string) => state.attachments.files.get(id) ?? refuse('attachment/unknown')
  return {
    named: (ids: readonly string[] = []) => ids.map((id) => known(id).attachment),
    async add({
      name,
      type,
      content,
      pages,
    }: {
      name: string
      type: string
      content: Blob
      pages?: number | undefined
    }) {
      const bytes = new Uint8Array(await content.arrayBuffer())
      try {
        const imported = importItems({ name, type, pages, content: bytes })
        const attachment: Attachment = { ...imported.about, id: newId('a'), bytes: imported.content.length }
        state.attachments.files.set(attachment.id, { attachment, content: imported.content })
        return attachment
      } catch (thrown) {
        throw thrown instanceof SottoError ? refuse(thrown.code) : thrown
      }
    },
    get(id: string) {
      const {
        attachment: { kind, type },
        content,
      } = known(id)
      return new Blob([Uint8Array.from(content)], { type: kind === 'image' ? type : 'text/plain' })
    },
    remove: (id: string) => ({ removed: state.attachments.files.delete(id) }),
    drafts: () => state.attachments.drafts,
    save({
      conversationId = NEW_DRAFT,
      text: written,
      attachmentIds,
      temporary,
      replaces,
    }: {
      conversationId?: string | undefined
      text: string
      attachmentIds: string[]
      temporary: boolean
      replaces?: string | undefined
    }) {
      const stored = state.attachments.drafts.find((draft) => draft.conversationId === conversationId)?.text
      const text = savedDraftText(stored ?? '', written, replaces)
      const others = state.attachments.drafts.filter((draft) => draft.conversationId !== conversationId)
      const attachments = this.named(attachmentIds)
      state.attachments.drafts =
        temporary || (text === '' && attachments.length === 0)
          ? others
          : [{ conversationId, text, attachments }, ...others]
      return { text }
    },
  }
}
