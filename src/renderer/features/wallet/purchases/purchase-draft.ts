import { t } from '@lingui/core/macro'
import type { PurchaseAsk } from '../../../../shared/contract/purchases.ts'
import { MAX_PICTURE_BYTES } from '../../../../shared/attachment-limits.ts'
import {
  isJsonObject,
  parseStrictJson,
  StrictJsonError,
  type JsonObject,
} from '../../../../shared/strict-json.ts'
import type { Endpoint } from './purchase-words.ts'

/** The texts of the purchase form, valid or not. */
export interface PurchaseDraft {
  readonly endpoint: Endpoint
  /** Byte-exact as listed or typed. */
  readonly model: string
  readonly prompt: string
  readonly image: File | undefined
  readonly imageUrl: string
  /** Empty: the model's default. */
  readonly count: string
  readonly size: string
  readonly quality: string
  readonly duration: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON text. */
  readonly input: string
}

export type DraftField = 'model' | 'prompt' | 'image' | 'imageUrl' | 'count' | 'path' | 'input'
export type DraftFaults = Partial<Record<DraftField, string>>

export const emptyDraft: PurchaseDraft = {
  endpoint: 'images/generations',
  model: '',
  prompt: '',
  image: undefined,
  imageUrl: '',
  count: '',
  size: '',
  quality: '',
  duration: '',
  method: 'POST',
  path: '/api/',
  input: '{\n  \n}',
}

/** An absolute path of plain segments, without a query. */
const PATH = /^(?:\/[\w.~-]+)+$/

type ReadDraft =
  | { readonly ask: PurchaseAsk; readonly faults?: undefined }
  | { readonly ask?: undefined; readonly faults: DraftFaults }

/**
 * The request of a draft, or its faults by field. `most`: the maximum number of images of one request, which
 * depends on the revision.
 */
export function readDraft(draft: PurchaseDraft, most: number): ReadDraft {
  const faults: DraftFaults = {}
  const { endpoint } = draft
  if (endpoint === 'data') {
    const path = draft.path.trim()
    const input = readInput(draft.input)
    if (!PATH.test(path) || path.includes('/.')) faults.path = t`Enter a path, such as /api/websearch/search.`
    if (typeof input === 'string') faults.input = input
    return Object.keys(faults).length > 0 || typeof input === 'string'
      ? { faults }
      : { ask: { endpoint, method: draft.method, path, input } }
  }
  const model = draft.model.trim()
  const prompt = draft.prompt.trim()
  const count = draft.count.trim()
  const imageUrl = draft.imageUrl.trim()
  if (model === '') faults.model = t`Choose a model, or enter its ID.`
  // Upscalers and similar models take only a picture.
  if (prompt === '' && !(endpoint === 'images/generations' && imageUrl !== ''))
    faults.prompt = endpoint === 'images/edits' ? t`Describe what to change.` : t`Enter a prompt.`
  if (
    endpoint === 'images/generations' &&
    count !== '' &&
    !(/^[1-9]\d?$/.test(count) && Number(count) <= most)
  )
    faults.count = t`Enter 1 to ${most}, or leave blank.`
  if (endpoint !== 'images/edits' && imageUrl !== '' && !/^https:\/\/\S+$/.test(imageUrl))
    faults.imageUrl = t`Enter a URL that starts with https://.`
  if (endpoint === 'images/edits') {
    const fault = pictureFault(draft.image)
    if (fault !== undefined) faults.image = fault
    return draft.image === undefined || Object.keys(faults).length > 0
      ? { faults }
      : { ask: { endpoint, fields: { model, prompt }, image: draft.image } }
  }
  if (Object.keys(faults).length > 0) return { faults }
  const optionalField = (name: string, text: string) => (text.trim() === '' ? {} : { [name]: text.trim() })
  const both = {
    model,
    ...optionalField('prompt', prompt),
    ...optionalField('image_url', imageUrl),
    ...optionalField('quality', draft.quality),
  }
  if (endpoint === 'videos')
    return {
      ask: {
        endpoint,
        body: {
          ...both,
          ...optionalField('aspect_ratio', draft.size),
          ...optionalField('duration', draft.duration),
        },
      },
    }
  return {
    ask: {
      endpoint,
      body: { ...both, ...optionalField('size', draft.size), ...(count !== '' && { n: Number(count) }) },
    },
  }
}

function pictureFault(image: File | undefined): string | undefined {
  if (image === undefined) return t`Choose an image to edit.`
  if (image.size === 0) return t`This file is empty.`
  return image.size > MAX_PICTURE_BYTES
    ? t`This image is larger than 25 MB. Choose a smaller one.`
    : undefined
}

/** The parsed object, or the fault of its text as a sentence. */
function readInput(text: string): JsonObject | string {
  if (text.length > 1_000_000) return t`Too long. The limit is 1,000,000 characters.`
  try {
    const value = parseStrictJson(text.trim() === '' ? '{}' : text)
    return isJsonObject(value) ? value : t`Enter one JSON object, in braces.`
  } catch (thrown) {
    const doubled = thrown instanceof StrictJsonError && thrown.fault === 'duplicate-member'
    return doubled
      ? t`Invalid JSON. Duplicate key.`
      : t`Invalid JSON. Put names and strings in double quotes, and don’t use trailing commas.`
  }
}
