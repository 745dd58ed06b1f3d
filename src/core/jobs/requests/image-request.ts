import { SottoError } from '../../../shared/errors.ts'
import type { StoredAsk } from '../../../shared/job-ask.ts'
import type { JobFile } from '../../../shared/job.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { PayableAsk } from '../service.ts'

type ImageAsk = Extract<StoredAsk, { kind: 'image' }>

/** The file that a request needs in addition to its parameters. */
export interface SourceFile {
  readonly file: JobFile
  readonly read: () => AsyncIterable<Uint8Array>
}

/** Images per request (specification, Limits). */
const MOST_IMAGES = { A: 10, B: 4 } as const
/** All names that the service accepts for parameters that have their own member. */
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

/**
 * Validates the parameters before anything is sent or quoted. Throws request/invalid, service/not-offered,
 * studio/parameter-clash.
 */
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

/**
 * Throws studio/parameter-clash if the advanced field sets a parameter that is set elsewhere, because it
 * would be unclear which one counts.
 */
export function refuseClash(extra: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  for (const name of Object.keys(extra))
    if (known.includes(name.toLowerCase()))
      throw new SottoError('studio/parameter-clash', {
        param: name.slice(0, 60),
        detail: msg('Parameter: “{param}”.', { param: name.slice(0, 60) }),
      })
}

/**
 * Builds the request for the relay. The file is read when it's sent. Without the file, the request is only
 * for validation and estimates.
 */
export async function imageRequest(ask: ImageAsk, source: SourceFile | undefined): Promise<PayableAsk> {
  if (ask.form) return formRequest(ask, source)
  const imageUrl = source
    ? await dataUrl(source)
    : ask.image && 'url' in ask.image
      ? ask.image.url
      : undefined
  return {
    endpoint: 'images/generations',
    body: { ...wordsOf(ask), ...(imageUrl !== undefined && { image_url: imageUrl }) },
  }
}

function formRequest(ask: ImageAsk, source: SourceFile | undefined): PayableAsk {
  const fields = Object.entries(wordsOf(ask)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    endpoint: 'images/edits',
    form: {
      fields,
      files: source
        ? [
            {
              field: 'image',
              upload: {
                name: source.file.name,
                type: source.file.type,
                size: source.file.bytes,
                content: source.read(),
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

/** A multiple of three bytes, so that each piece can be encoded in base64 separately. */
const PIECE_BYTES = 3 * 64 * 1024

/**
 * The whole file as a `data:` URL (RFC 2397) of its detected type. Throws the errors of reading it, and
 * store/damaged.
 */
export async function dataUrl({ file, read }: SourceFile): Promise<string> {
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
