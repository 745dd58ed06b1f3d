import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateOnly } from '../../shared/conversation-tree.ts'
import { MAX_UPLOAD_BYTES } from '../../shared/contract/studio.ts'
import type { JobAsk, StoredAsk, PrivateSource } from '../../shared/job-ask.ts'
import type { Upload } from '../../shared/job.ts'
import { readAttachment } from '../conversations/attachments/attached.ts'
import { exposedOnward } from '../conversations/consented.ts'
import type { UnlockedCore } from '../rpc/context.ts'

type Asked = Pick<UnlockedCore, 'conversations' | 'consents' | 'studio'>

/** As many as can wait to be used (core/jobs/uploads.ts). */
const MOST_TAKEN = 200

/**
 * What of a job comes from a conversation that is kept private. Of a picture this side knows it, whatever a call says; of words, which
 * can be written anew, whoever sends them on says it.
 */
export class PrivateSources {
  /** By their uploads. */
  readonly #taken = new Map<string, Required<PrivateSource>>()

  /** A picture of a message, as a file of no job yet: nothing of it leaves. Throws conversation/unknown, attachment/unknown, studio/image-type. */
  async importItems({ conversations, studio }: Asked, source: Required<PrivateSource>): Promise<Upload> {
    const { conversationId, attachmentId } = source
    const { messages } = conversations.get(conversationId)
    if (!messages.some(({ attachments = [] }) => attachments.some(({ id }) => id === attachmentId)))
      throw new SottoError('attachment/unknown')
    const {
      attachment: { kind, name },
      content,
    } = await readAttachment(conversations, attachmentId)
    if (kind !== 'image') throw new SottoError('studio/image-type')
    const { uploadId, path } = studio.uploads.begin(name, content.byteLength, MAX_UPLOAD_BYTES)
    this.#taken.set(uploadId, source)
    const [oldest] = this.#taken.keys()
    if (this.#taken.size > MOST_TAKEN && oldest !== undefined) {
      this.#taken.delete(oldest)
      // What nobody knows the origin of any more is not there any more.
      studio.uploads.discard(oldest)
    }
    return studio.uploads.receive(path.slice(path.lastIndexOf('/') + 1), toAsyncIterable(content))
  }

  /**
   * To be called before a job leaves: the ask, with where it comes from. Where that is kept private, what of it leaves is to be
   * allowed once. Throws privacy/consent-….
   */
  allow(core: Asked, ask: JobAsk, consentId: string | undefined): JobAsk {
    const from = this.#sourceOf(core, ask)
    if (!from || !('from' in ask || 'image' in ask || ask.kind === 'speech')) return ask
    requireOnward(core, { ...ask, from }, consentId)
    return { ...ask, from }
  }

  #sourceOf(core: Asked, ask: JobAsk): PrivateSource | undefined {
    const said = 'from' in ask ? ask.from : undefined
    const picture = 'image' in ask ? this.#pictureSource(core, ask.image) : undefined
    if (!picture) return said && { conversationId: said.conversationId }
    return {
      conversationId: said?.conversationId ?? picture.conversationId,
      ...(picture.attachmentId !== undefined && { attachmentId: picture.attachmentId }),
    }
  }

  #pictureSource(
    { studio }: Asked,
    given: NonNullable<Extract<JobAsk, { kind: 'image' }>['image']>,
  ): PrivateSource | undefined {
    if ('uploadId' in given) return this.#taken.get(given.uploadId)
    if ('url' in given) return undefined
    const former = studio.jobs.kept.get(given.jobId)?.ask
    // What a job made is another picture; what it was made from is the same.
    if (!former || !('image' in former) || !('file' in former.image) || former.image.file !== given.index)
      return undefined
    return former.from?.attachmentId === undefined ? undefined : former.from
  }
}

/** As `allow`, of a job that is asked for once more: what was allowed once is not allowed twice. */
export function requireOnward(core: Asked, ask: JobAsk | StoredAsk, consentId: string | undefined): void {
  if (!('from' in ask)) return
  const { conversationId, attachmentId } = ask.from
  if (!isPrivate(core, conversationId)) return
  const words = ask.kind === 'speech' ? ask.text : (ask.prompt ?? '')
  core.consents.use(consentId, {
    conversationId,
    purpose: 'studio',
    model: ask.model,
    exposed: exposedOnward(words, attachmentId === undefined ? [] : [{ id: attachmentId, name: '' }]),
  })
}

/** One that is not there any more may have been. */
function isPrivate({ conversations }: Asked, conversationId: string): boolean {
  try {
    const { conversation, messages } = conversations.get(conversationId)
    return isPrivateOnly(conversation, messages)
  } catch {
    return true
  }
}
