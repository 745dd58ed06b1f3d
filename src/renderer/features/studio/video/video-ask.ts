import { t } from '@lingui/core/macro'
import type { GivenFile, JobAsk } from '../../../../shared/job-ask.ts'
import { readExtra } from '../parts/extra-field.tsx'
import type { VideoDraft } from './video-draft.ts'

/** Converts the draft to a request; undefined while something is missing. */
export function videoAsk(
  { model, prompt, aspectRatio, duration, quality, keepMetadata, extra }: VideoDraft,
  image: GivenFile | undefined,
): JobAsk | undefined {
  const members = readExtra(extra)
  if (model === '' || prompt.trim() === '' || members === null || !isDuration(duration)) return undefined
  return {
    kind: 'video',
    model,
    prompt,
    ...(aspectRatio !== '' && { aspectRatio }),
    ...(duration !== '' && { duration }),
    ...(quality !== '' && { quality }),
    ...(image && { image, ...(keepMetadata && { keepMetadata: true as const }) }),
    ...(members && { extra: members }),
  }
}

/** Seconds, as text (specification, Videos). */
export function isDuration(text: string): boolean {
  return text === '' || /^\d{1,4}$/.test(text)
}

/** The first missing field in the order of the form. */
export function videoMissing({ model, prompt }: VideoDraft): string | undefined {
  if (model === '') return t`Choose a model to see the price.`
  if (prompt.trim() === '') return t`Describe the video to see the price.`
  return undefined
}
