import { z } from 'zod'
import { SottoError } from '../../../../../src/shared/errors.ts'
import { msg } from '../../../../../src/shared/localized-text.ts'
import { multipartBody, type UploadFile } from '../../../../../src/core/gateway/service/http/multipart.ts'
import {
  checked,
  jsonAnswer,
  jsonBody,
  perform,
  type PayableOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { lenient, moment, text, usd } from '../../../../../src/core/gateway/service/http/wire.ts'
import { requireRevision } from '../../../../../src/core/gateway/service/http/access.ts'

/** Images may come inside the answer. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024
const MAX_SOURCE_BYTES = 25_000_000
const TIMEOUT_MS = 5 * 60_000
/** Images per request (specification, Limits). */
const MOST_IMAGES = { A: 10, B: 4 } as const
const parameter = z.string().min(1).max(40)

const inputSchema = z.object({
  model: z.string().min(1).max(200),
  prompt: z.string().min(1).max(100_000).optional(),
  /** A public address, or a `data:` one. */
  imageUrl: z
    .string()
    .max(40_000_000)
    .regex(/^(?:https:|data:image\/)/, 'An image is given by an https or data address')
    .optional(),
  n: z.int().min(1, 'At least one image is made').optional(),
  quality: parameter.optional(),
  /** Aspect ratio, such as `16:9`. */
  size: parameter.optional(),
  resolution: parameter.optional(),
  negativePrompt: z.string().min(1).max(100_000).optional(),
  outputFormat: z.enum(['png', 'jpeg', 'webp']).optional(),
})
export type ImageInput = z.input<typeof inputSchema>
export type ImageEditInput = Pick<ImageInput, 'model' | 'prompt'> & {
  readonly image: UploadFile
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  /** Of the form: a request that is paid for is repeated with the same one. */
  readonly boundary?: string | undefined
}

export interface ImageResult {
  readonly model?: string | undefined
  /** Unix ms. */
  readonly createdAt?: number | undefined
  /** Pico-USD. */
  readonly cost?: bigint | undefined
  readonly images: readonly ResultImage[]
}
/** By a signed address that ends after 24 hours, or the image itself. */
export type ResultImage = { readonly contentType?: string | undefined } & (
  | { readonly url: string }
  | { readonly base64: string }
)

const base64 = z
  .string()
  .min(1)
  .regex(/^[\w+/-]+={0,2}$/)
const imageSchema = z
  .object({
    url: lenient(z.string().min(1).max(8000)),
    b64_json: lenient(base64),
    content_type: lenient(z.string().regex(/^image\/[\w.+-]{1,40}$/)),
  })
  .transform((image, context): ResultImage => {
    const type = { contentType: image.content_type }
    if (image.url !== undefined) return { ...type, url: image.url }
    if (image.b64_json !== undefined) return { ...type, base64: image.b64_json }
    context.addIssue('neither an address nor an image')
    return z.NEVER
  })

const resultSchema = z
  .object({
    created: lenient(moment),
    model: lenient(text(300)),
    cost: lenient(usd),
    data: z.array(imageSchema).min(1).max(16),
  })
  .transform(({ created, model, cost, data }): ImageResult => ({
    createdAt: created,
    model,
    cost,
    images: data,
  }))

const answer = {
  timeoutMs: TIMEOUT_MS,
  read: jsonAnswer(resultSchema, msg('The response isn’t an image result.'), MAX_ANSWER_BYTES),
}

/** `POST /v1/images/generations` (specification, Images). Revision A wants a prompt and knows fewer parameters. */
function imageRequest(input: ImageInput, revision: 'A' | 'B'): ServiceRequest<ImageResult> {
  const image = checked(inputSchema, input)
  const most = MOST_IMAGES[revision]
  if (image.n !== undefined && image.n > most)
    throw new SottoError('request/invalid', {
      param: 'n',
      detail: msg('Enter {most, plural, one {# image is} other {# images are}} made at once or less.', {
        most,
      }),
    })
  if (revision === 'A') {
    if (image.prompt === undefined)
      throw new SottoError('request/invalid', { param: 'prompt', detail: msg('Revision A wants a prompt.') })
    for (const [param, value] of Object.entries({
      imageUrl: image.imageUrl,
      resolution: image.resolution,
      negativePrompt: image.negativePrompt,
      outputFormat: image.outputFormat,
    })) {
      if (value !== undefined) throw new SottoError('service/not-offered', { param })
    }
  }
  return {
    method: 'POST',
    target: { path: '/v1/images/generations' },
    auth: 'payable',
    body: jsonBody({
      model: image.model,
      prompt: image.prompt,
      image_url: image.imageUrl,
      n: image.n,
      quality: image.quality,
      size: image.size,
      resolution: image.resolution,
      negative_prompt: image.negativePrompt,
      output_format: image.outputFormat,
    }),
    ...answer,
  }
}

const editSchema = inputSchema.pick({ model: true, prompt: true })

/** `POST /v1/images/edits` (specification, Images; Revision B): the form of OpenAI's clients. */
function imageEditRequest({
  image,
  onProgress,
  boundary,
  ...input
}: ImageEditInput): ServiceRequest<ImageResult> {
  const { model, prompt } = checked(editSchema, input)
  if (image.size > MAX_SOURCE_BYTES)
    throw new SottoError('request/invalid', { param: 'image', detail: msg('An image can be up to 25 MB.') })
  return {
    method: 'POST',
    target: { path: '/v1/images/edits' },
    auth: 'payable',
    body: multipartBody({
      fields: [['model', model], ...(prompt === undefined ? [] : [['prompt', prompt] as const])],
      files: [{ field: 'image', upload: image }],
      onProgress,
      boundary,
    }),
    ...answer,
  }
}

export async function generateImages(
  service: Service,
  input: ImageInput,
  options: PayableOptions = {},
): Promise<ImageResult> {
  return perform(service, imageRequest(input, service.access().revision ?? 'B'), options)
}

export async function editImage(
  service: Service,
  input: ImageEditInput,
  options: PayableOptions = {},
): Promise<ImageResult> {
  requireRevision(service.access(), 'B')
  return perform(service, imageEditRequest(input), options)
}
