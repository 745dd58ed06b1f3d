import { SottoError } from '../../../shared/errors.ts'
import type { StoredAsk } from '../../../shared/job-ask.ts'
import type { JobFile } from '../../../shared/job.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { PayableAsk } from '../service.ts'

type ImageAsk = Extract<StoredAsk, { kind: 'image' }>

/** What a request is made of beside its words. */
export interface Given {
  readonly file: JobFile
  readonly read: () => AsyncIterable<Uint8Array>
}

/** Images per request (specification, Limits). */
const MOST_IMAGES = { A: 10, B: 4 } as const
/** Every name that the service knows for what has a member of its own. */
const KNOWN = [
  'model',
  'prompt',
  'image_url',
  'image',
  'n',
  'num_images',
  'quality',
  'size',
  'aspect_ratio',
  'resolution',
  'negative_prompt',
  'output_format',
  'seed',
]

/** Throws request/invalid, service/not-offered, studio/parameter-clash: before anything is sent or asked. */
export function checkImageAsk(
  ask: Omit<ImageAsk, 'image'> & { readonly image?: unknown },
  revision: 'A' | 'B',
): void {
  const { n = 1, prompt, extra = {}, image, form } = ask
  if (n > MOST_IMAGES[revision])
    throw new SottoError('request/invalid', {
      param: 'n',
      detail: msg('At most {most, plural, one {# image} other {# images}} can be generated at once.', {
        most: MOST_IMAGES[revision],
      }),
    })
  if (prompt === undefined && image === undefined)
    throw new SottoError('request/invalid', {
      param: 'prompt',
      detail: msg('An image requires a prompt, an image, or both.'),
    })
  if (form && image === undefined)
    throw new SottoError('request/invalid', {
      param: 'image',
      detail: msg('The edits form requires an image to edit.'),
    })
  if (revision === 'A') {
    if (prompt === undefined)
      throw new SottoError('request/invalid', {
        param: 'prompt',
        detail: msg('This service requires a prompt for every image.'),
      })
    for (const param of ['resolution', 'negativePrompt', 'outputFormat', 'form'] as const)
      if (ask[param] !== undefined) throw new SottoError('service/not-offered', { param })
  }
  refuseClash(extra, KNOWN)
}

/** Throws studio/parameter-clash for a member of the advanced field that is set elsewhere: which of the two counts nobody would know. */
export function refuseClash(extra: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  for (const name of Object.keys(extra))
    if (known.includes(name.toLowerCase()))
      throw new SottoError('studio/parameter-clash', {
        param: name.slice(0, 60),
        detail: msg('Parameter: “{param}”.', { param: name.slice(0, 60) }),
      })
}

/** The request as the relay takes it. What is given is read where it is sent; without it the request is only judged by its words. */
export async function imageRequest(ask: ImageAsk, given: Given | undefined): Promise<PayableAsk> {
  if (ask.form) return formRequest(ask, given)
  const imageUrl = given ? await dataUrl(given) : ask.image && 'url' in ask.image ? ask.image.url : undefined
  return {
    endpoint: 'images/generations',
    body: { ...wordsOf(ask), ...(imageUrl !== undefined && { image_url: imageUrl }) },
  }
}

function formRequest(ask: ImageAsk, given: Given | undefined): PayableAsk {
  const fields = Object.entries(wordsOf(ask)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    endpoint: 'images/edits',
    form: {
      fields,
      files: given
        ? [
            {
              field: 'image',
              upload: {
                name: given.file.name,
                type: given.file.type,
                size: given.file.bytes,
                content: given.read(),
              },
            },
          ]
        : [],
    },
  }
}

function wordsOf({
  model,
  prompt,
  n,
  quality,
  size,
  resolution,
  negativePrompt,
  outputFormat,
  seed,
  extra,
}: ImageAsk): JsonObject {
  return {
    ...extra,
    model,
    ...(prompt !== undefined && { prompt }),
    ...(n !== undefined && { n }),
    ...(quality !== undefined && { quality }),
    ...(size !== undefined && { size }),
    ...(resolution !== undefined && { resolution }),
    ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    ...(outputFormat !== undefined && { output_format: outputFormat }),
    ...(seed !== undefined && { seed }),
  }
}

/** Pieces of a multiple of three bytes: each stands in base64 by itself. */
const PIECE_BYTES = 3 * 64 * 1024

/** The whole file as a `data:` address (RFC 2397), of the type that it was judged to be. Throws what reading it throws, store/damaged. */
export async function dataUrl({ file, read }: Given): Promise<string> {
  const parts: string[] = []
  let rest: Uint8Array = new Uint8Array(0)
  for await (const piece of read()) {
    const bytes = Buffer.concat([rest, piece])
    const end = bytes.length - (bytes.length % PIECE_BYTES)
    if (end > 0) parts.push(bytes.toString('base64', 0, end))
    rest = bytes.subarray(end)
  }
  return `data:${file.type};base64,${parts.join('')}${Buffer.from(rest).toString('base64')}`
}
