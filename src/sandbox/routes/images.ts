import { z } from 'zod'
import { mediaDialect } from '../dialect.ts'
import { dollars } from '../route/schemas.ts'
import { imageRequestSchema, planImages, type ImagePlan, type ImageRequest } from '../image/request.ts'
import { imageType } from '../image/render.ts'
import type { Payer } from '../ledger/record.ts'
import { readMultipart } from '../media/multipart.ts'
import { sourceOf, sourceOfBytes } from '../media/source.ts'
import { json, type Refusal, type Answer } from '../refusal.ts'
import { chargeOnce, type Price } from '../route/pay-per-request.ts'
import { bare, payableRoute, type Arrived, type Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'

const answerSchema = z.object({
  created: z.int(),
  model: z.string(),
  cost: z.number(),
  data: z.array(z.object({ url: z.url(), content_type: z.string() })),
})
const answers = {
  200: { description: 'Signed URLs of the images, valid for 24 hours', schema: answerSchema },
  400: { description: 'A field is not supported by this model or revision' },
  404: { description: 'No such model' },
}

/** A file in memory; its type is judged by its bytes. */
export const uploadSchema = z.object(
  { name: z.string(), type: z.string(), bytes: z.instanceof(Buffer) },
  'must be a file',
)
const editSchema = imageRequestSchema
  .omit({ image_url: true })
  .extend({ prompt: z.string().min(1).max(32_000), image: uploadSchema })

/** Generates and edits images. They are painted when they are fetched. */
export const imageRoutes: readonly Route[] = [
  payableRoute({
    ...bare,
    method: 'POST',
    path: '/v1/images/generations',
    tag: 'Images',
    summary: 'Generate images from text or an image',
    answers,
    dialect: mediaDialect,
    takes: ['authorization'],
    input: imageRequestSchema,
    price: (context, { input, now }) => priceOf(planned(context, input, now)),
    serve: (context, call) =>
      createAnswer(context, planned(context, call.input, call.now), call, 'image_generation'),
  }),
  payableRoute({
    ...bare,
    method: 'POST',
    path: '/v1/images/edits',
    revision: 'B',
    tag: 'Images',
    summary: 'Edit an image, using the OpenAI client format',
    answers,
    dialect: mediaDialect,
    takes: ['authorization'],
    bodyType: 'multipart/form-data',
    read: readMultipart(mediaDialect),
    input: editSchema,
    price: (context, { input }) => priceOf(plannedEdit(context, input)),
    serve: (context, call) => createAnswer(context, plannedEdit(context, call.input), call, 'image_edit'),
  }),
]

type Planned = ImagePlan | { readonly refusal: Refusal }

function planned(context: ServiceContext, input: ImageRequest, now: number): Planned {
  const source = input.image_url === undefined ? undefined : sourceOf(context, input.image_url, now)
  return typeof source === 'string'
    ? { refusal: mediaDialect.refuse(400, source, 'image_url') }
    : planImages(input, context.revision, source)
}

function plannedEdit({ revision }: ServiceContext, { image, ...input }: z.infer<typeof editSchema>): Planned {
  const source = sourceOfBytes(image.bytes)
  return typeof source === 'string'
    ? { refusal: mediaDialect.refuse(400, source, 'image') }
    : planImages(input, revision, source)
}

function priceOf(plan: Planned): Price | { readonly refusal: Refusal } {
  return 'refusal' in plan
    ? plan
    : { picoUsd: plan.picoUsd, description: `Sandbox Image: ${plan.model.name}` }
}

function createAnswer(
  { generations, ledger, signedUrls }: ServiceContext,
  plan: Planned,
  call: Arrived & { readonly payer: Payer },
  type: 'image_generation' | 'image_edit',
): Answer {
  if ('refusal' in plan) return plan.refusal
  const { model, picoUsd, recipe } = plan
  const charged = chargeOnce(ledger, mediaDialect, call, { model: model.id, type }, picoUsd)
  if ('refusal' in charged) return charged.refusal
  const { now, payer } = call
  const { id } = generations.add({
    creditId: payer.kind === 'account' ? payer.creditId : null,
    model: model.id,
    recordId: charged.recordId,
    picoUsd,
    createdAt: now,
    readyAt: now,
    recipe,
  })
  return json(200, {
    created: Math.floor(now / 1000),
    model: model.id,
    cost: dollars(picoUsd),
    data: recipe.pictures.map((_, index) => ({
      url: signedUrls.sign(`/v1/media/${id}/${index}`, now),
      content_type: imageType(recipe.format),
    })),
  })
}
