import type { Attachment } from '../../../../shared/attachment.ts'
import { MAX_REQUEST_BYTES, requestBytes } from '../../../../shared/attachment-limits.ts'
import type { Message } from '../../../../shared/conversation.ts'
import type { Model } from '../../../../shared/model.ts'
import { isChat } from '../choose-model.ts'

/** The files of a branch and of the draft that follows it. */
export function allAttachments(
  messages: readonly Pick<Message, 'attachments'>[],
  attached: readonly Attachment[],
): readonly Attachment[] {
  return [...messages.flatMap(({ attachments = [] }) => attachments), ...attached]
}

/** Undefined if the listing doesn't report it. */
export function takesImages(model: Model | undefined): boolean | undefined {
  return model?.inputModalities?.includes('image')
}

/** The first of the asked models that accepts no images, or else the first whose listing doesn't report it. */
export function notSurelyForImages(
  models: readonly Model[],
  asked: readonly (string | undefined)[],
): Model | undefined {
  const chosen = models.filter(({ id }) => asked.includes(id))
  return (
    chosen.find((model) => takesImages(model) === false) ??
    chosen.find((model) => takesImages(model) === undefined)
  )
}

export function hasImages(attachments: readonly Attachment[]): boolean {
  return attachments.some(({ kind }) => kind === 'image')
}

/** The core refuses such requests too. */
export function tooLarge(attachments: readonly Attachment[]): boolean {
  return attachments.reduce((sum, attachment) => sum + requestBytes(attachment), 0) > MAX_REQUEST_BYTES
}

const MOST_OFFERED = 3

/** Models that take images in the place of one that does not: as private as that one, the largest context first. */
export function modelsForImages(models: readonly Model[], instead: Model): readonly Model[] {
  return models
    .filter((model) => isChat(model) && model.private === instead.private && takesImages(model) === true)
    .toSorted((a, b) => (b.contextLength ?? 0) - (a.contextLength ?? 0))
    .slice(0, MOST_OFFERED)
}
