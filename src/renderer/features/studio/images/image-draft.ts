import { t } from '@lingui/core/macro'
import { z } from 'zod'
import { create } from 'zustand'
import type { GivenFile, JobAsk, PrivateSource } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import type { Model } from '../../../../shared/model.ts'
import { tasksOf, type ImageTask } from '../../../ui/jobs/image-models.ts'
import type { AttachedPicture } from '../../../ui/jobs/use-given-file.ts'

/** The request that the user is preparing. The draft survives a change of tab. */
export interface ImageDraft {
  readonly task: ImageTask
  readonly model: string
  readonly prompt: string
  readonly count: number
  readonly quality: string
  readonly size: string
  readonly resolution: string
  readonly negativePrompt: string
  readonly outputFormat: '' | 'png' | 'jpeg' | 'webp'
  readonly seed: string
  /** Members of the request that have no field, as a JSON object. */
  readonly extra: string
  readonly form: boolean
  readonly keepMetadata: boolean
  /** The private conversation that the prompt comes from, until the user clears the prompt. */
  readonly from: { readonly conversationId: string } | undefined
}

export const emptyDraft: ImageDraft = {
  task: 'generate',
  model: '',
  prompt: '',
  count: 1,
  quality: '',
  size: '',
  resolution: '',
  negativePrompt: '',
  outputFormat: '',
  seed: '',
  extra: '',
  form: false,
  keepMetadata: false,
  from: undefined,
}

export const useImageDraft = create<ImageDraft>()(() => emptyDraft)

export function setDraft(change: Partial<ImageDraft>): void {
  useImageDraft.setState(change)
}

/**
 * Clearing the prompt also clears its source conversation, because a prompt typed afterwards isn't from
 * there.
 */
export function setPrompt(prompt: string): void {
  setDraft(prompt === '' ? { prompt, from: undefined } : { prompt })
}

/** Resets the options, because the new model may not offer the previous model's values. */
export function chooseModel(model: string): void {
  setDraft({ model, quality: '', size: '', resolution: '' })
}

/** Images per request (specification, Limits). */
export const mostImages = { A: 10, B: 4 } as const

export interface DraftFaults {
  readonly seed?: string
  readonly extra?: string
}

interface Read {
  /** Undefined while a field is missing or invalid. */
  readonly ask: JobAsk | undefined
  readonly missing: string | undefined
  readonly faults: DraftFaults
}

const extraSchema = z.record(z.string().min(1).max(100), z.json())

/**
 * Parses the draft as a request of the given revision. `missing` states in a sentence what the draft still
 * needs.
 */
export function readDraft(
  draft: ImageDraft,
  image: GivenFile | undefined,
  revision: 'A' | 'B',
  attached?: AttachedPicture,
): Read {
  const { task, form, keepMetadata } = draft
  const [prompt, model] = [draft.prompt.trim(), draft.model.trim()]
  const seed = readSeed(draft.seed)
  const extra = readExtra(draft.extra)
  const faults: DraftFaults = {
    ...(seed === null && { seed: t`The seed must be a whole number.` }),
    ...(extra === null && { extra: t`Invalid JSON object. Example: {"steps": 30}` }),
  }
  const wantsWords = task === 'generate' || task === 'edit' || revision === 'A'
  const missing =
    model === ''
      ? t`Choose a model to see the price.`
      : task !== 'generate' && !image
        ? t`Choose an image to see the price.`
        : wantsWords && prompt === ''
          ? t`Enter a prompt to see the price.`
          : seed === null || extra === null
            ? t`Fix the highlighted fields to see the price.`
            : undefined
  if (missing !== undefined || seed === null || extra === null) return { ask: undefined, missing, faults }
  const later = revision === 'B'
  // Requests for upscaling and cutting out have no count, size or negative prompt.
  const whole = task === 'upscale' || task === 'cut-out'
  const from = sourceOf(wantsWords ? draft.from : undefined, task === 'generate' ? undefined : attached)
  const ask: JobAsk = {
    kind: 'image',
    model,
    ...(prompt !== '' && wantsWords && { prompt }),
    ...(!whole && draft.count > 1 && { n: Math.min(draft.count, mostImages[revision]) }),
    ...(draft.quality.trim() !== '' && { quality: draft.quality.trim() }),
    ...(!whole && draft.size.trim() !== '' && { size: draft.size.trim() }),
    ...(later && draft.resolution.trim() !== '' && { resolution: draft.resolution.trim() }),
    ...(later &&
      !whole &&
      draft.negativePrompt.trim() !== '' && { negativePrompt: draft.negativePrompt.trim() }),
    ...(later && draft.outputFormat !== '' && { outputFormat: draft.outputFormat }),
    ...(seed !== undefined && { seed }),
    ...(extra && { extra }),
    ...(task !== 'generate' &&
      image && {
        image,
        ...(later && form && { form: true as const }),
        ...(keepMetadata && { keepMetadata: true as const }),
      }),
    ...(from && { from }),
  }
  return { ask, missing: undefined, faults }
}

/** The private conversation that the prompt or the picture comes from. */
function sourceOf(
  textSource: ImageDraft['from'],
  picture: AttachedPicture | undefined,
): PrivateSource | undefined {
  const shown = picture?.privateOnly === true ? picture : undefined
  const conversationId = textSource?.conversationId ?? shown?.conversationId
  return conversationId === undefined
    ? undefined
    : { conversationId, ...(shown && { attachmentId: shown.attachmentId }) }
}

/** Undefined if the text is empty; null if it isn't a valid seed. */
function readSeed(text: string): number | undefined | null {
  const digits = text.trim()
  if (digits === '') return undefined
  const seed = /^-?\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN
  return Number.isSafeInteger(seed) ? seed : null
}

function readExtra(text: string): Readonly<Record<string, z.core.util.JSONType>> | undefined | null {
  if (text.trim() === '') return undefined
  try {
    return extraSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Creates a draft that repeats a job's request, for the user to change. The source image is passed
 * separately.
 */
export function draftOf({ ask }: Job, models: readonly Model[]): ImageDraft | undefined {
  if (ask.kind !== 'image') return undefined
  const listed = models.find(({ id }) => id === ask.model)
  const tasks = listed ? tasksOf(listed) : (['generate', 'edit'] as const)
  const task = ask.image ? (tasks.find((each) => each !== 'generate') ?? 'edit') : 'generate'
  return {
    task,
    model: ask.model,
    prompt: ask.prompt ?? '',
    count: ask.n ?? 1,
    quality: ask.quality ?? '',
    size: ask.size ?? '',
    resolution: ask.resolution ?? '',
    negativePrompt: ask.negativePrompt ?? '',
    from: ask.from && { conversationId: ask.from.conversationId },
    outputFormat: ask.outputFormat ?? '',
    seed: ask.seed === undefined ? '' : String(ask.seed),
    extra: ask.extra ? JSON.stringify(ask.extra, null, 2) : '',
    form: ask.form ?? false,
    keepMetadata: ask.keepMetadata ?? false,
  }
}
