import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateOnly } from '../../shared/conversation-tree.ts'
import { MAX_UPLOAD_BYTES } from '../../shared/contract/studio.ts'
import type { JobAsk, StoredAsk, PrivateSource } from '../../shared/job-ask.ts'
import type { Upload } from '../../shared/job.ts'
import { readAttachment } from '../conversations/attachments/attached.ts'
import { exposedOnward, refuseInProject } from '../conversations/consented.ts'
import type { UnlockedCore } from '../rpc/context.ts'

type Asked = Pick<UnlockedCore, 'conversations' | 'consents' | 'studio' | 'store'>

/** The number of uploads that can wait (core/jobs/uploads.ts). */
const MOST_TAKEN = 200

/**
 * The sources of jobs in private conversations. For an image, this class remembers its source, regardless
 * of the claims of a call. Text can be typed again, so the caller states its source.
 */
export class PrivateSources {
  /** By the id of the upload. */
  readonly #taken = new Map<string, Required<PrivateSource>>()

  /**
   * Imports an image of a message as an upload; nothing is sent. Throws conversation/unknown,
   * attachment/unknown, studio/image-type.
   */
  async importItems(core: Asked, source: Required<PrivateSource>): Promise<Upload> {
    const { conversations, studio } = core
    const { conversationId, attachmentId } = source
    const { messages } = conversations.get(conversationId)
    refuseInProject(core, { conversationId })
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
      // Discard the upload whose source is forgotten, so that it can't be used without one.
      studio.uploads.discard(oldest)
    }
    return studio.uploads.receive(path.slice(path.lastIndexOf('/') + 1), toAsyncIterable(content))
  }

  /**
   * Must be called before a job is sent. Returns the ask with its source. If the source is private, the
   * user must have consented once to what is sent. Throws privacy/consent-….
   */
  allow(core: Asked, ask: JobAsk, consentId: string | undefined): JobAsk {
    const from = this.#sourceOf(core, ask)
    if (!from || !('from' in ask || 'image' in ask || ask.kind === 'speech')) return ask
    requireOnward(core, { ...ask, from }, consentId)
    return { ...ask, from }
  }

  #sourceOf(core: Asked, ask: JobAsk): PrivateSource | undefined {
    const named = 'from' in ask ? ask.from : undefined
    const picture = 'image' in ask ? this.#pictureSource(core, ask.image) : undefined
    if (!picture) return named && { conversationId: named.conversationId }
    return {
      conversationId: named?.conversationId ?? picture.conversationId,
      ...(picture.attachmentId !== undefined && { attachmentId: picture.attachmentId }),
    }
  }

  #pictureSource(
    { studio }: Asked,
    image: NonNullable<Extract<JobAsk, { kind: 'image' }>['image']>,
  ): PrivateSource | undefined {
    if ('uploadId' in image) return this.#taken.get(image.uploadId)
    if ('url' in image) return undefined
    const former = studio.jobs.store.get(image.jobId)?.ask
    // A result of a job is another image. Only the image that the job was given has the same source.
    if (!former || !('image' in former) || !('file' in former.image) || former.image.file !== image.index)
      return undefined
    return former.from?.attachmentId === undefined ? undefined : former.from
  }
}

/**
 * Checks the consent when a job is repeated or resumed, because one consent doesn't cover a second sending.
 */
export function requireOnward(core: Asked, ask: JobAsk | StoredAsk, consentId: string | undefined): void {
  if (!('from' in ask)) return
  const { conversationId, attachmentId } = ask.from
  refuseInProject(core, { conversationId })
  if (!isPrivate(core, conversationId)) return
  const text = ask.kind === 'speech' ? ask.text : (ask.prompt ?? '')
  core.consents.use(consentId, {
    conversationId,
    purpose: 'studio',
    model: ask.model,
    exposed: exposedOnward(text, attachmentId === undefined ? [] : [{ id: attachmentId, name: '' }]),
  })
}

/** A conversation that no longer exists may have been private. */
function isPrivate({ conversations }: Asked, conversationId: string): boolean {
  try {
    const { conversation, messages } = conversations.get(conversationId)
    return isPrivateOnly(conversation, messages)
  } catch {
    return true
  }
}
