import { z } from 'zod'
import { authenticate } from '../credential.ts'
import { mediaDialect } from '../dialect.ts'
import { dollars } from '../route/schemas.ts'
import type { Generation } from '../media/generations.ts'
import { sourceOf } from '../media/source.ts'
import { json, type Refusal } from '../refusal.ts'
import { chargeOnce } from '../route/pay-per-request.ts'
import { bare, publicRoute, payableRoute, type Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'
import { planVideo, videoRequestSchema, type VideoPlan, type VideoRequest } from '../video/request.ts'

/** How long a clip takes, ms. */
const takes = { human: 8000, none: 200 } as const

const submittedSchema = z.object({
  id: z.string(),
  model: z.string(),
  status: z.literal('pending'),
  created: z.int(),
  estimated_cost: z.number(),
  status_url: z.url().optional(),
})
const jobSchema = z.object({
  id: z.string(),
  model: z.string(),
  status: z.enum(['pending', 'completed', 'failed']),
  created: z.int(),
  data: z.object({ url: z.url(), content_type: z.string() }).optional(),
  cost: z.number().optional(),
  error: z.object({ message: z.string() }).optional(),
})

/** Clips are generated asynchronously: a job is submitted, and polled until it's done. */
export const videoRoutes: readonly Route[] = [
  payableRoute({
    ...bare,
    method: 'POST',
    path: '/v1/videos',
    tag: 'Videos',
    summary: 'Generate a video from text or an image',
    answers: {
      202: {
        description: 'The job. It has a status_url if it was paid per request',
        schema: submittedSchema,
      },
      400: { description: 'A field is not supported by this model' },
      404: { description: 'No such model' },
    },
    dialect: mediaDialect,
    takes: ['authorization'],
    input: videoRequestSchema,
    price: (context, { input, now }) => {
      const plan = planned(context, input, now)
      return 'refusal' in plan
        ? plan
        : { picoUsd: plan.picoUsd, description: `Sandbox Video: ${plan.model.name}` }
    },
    serve: (context, call) => {
      const { now, payer } = call
      const plan = planned(context, call.input, now)
      if ('refusal' in plan) return plan.refusal
      const { model, picoUsd, recipe } = plan
      const charged = chargeOnce(
        context.ledger,
        mediaDialect,
        call,
        { model: model.id, type: 'video_generation' },
        picoUsd,
      )
      if ('refusal' in charged) return charged.refusal
      const creditId = payer.kind === 'account' ? payer.creditId : null
      const { id } = context.generations.add({
        creditId,
        model: model.id,
        recordId: charged.recordId,
        picoUsd,
        createdAt: now,
        readyAt: now + takes[context.pace],
        recipe,
      })
      return json(202, {
        id,
        model: model.id,
        status: 'pending',
        created: Math.floor(now / 1000),
        estimated_cost: dollars(picoUsd),
        ...(payer.kind === 'invoice' && { status_url: context.signedUrls.sign(`/v1/videos/${id}`, now) }),
      })
    },
  }),
  {
    ...publicRoute({
      ...bare,
      method: 'GET',
      path: '/v1/videos/{id}',
      tag: 'Videos',
      summary: 'Get a video’s progress; its signed address needs no key',
      answers: {
        200: { description: 'Completed or failed', schema: jobSchema },
        202: { description: 'Not finished yet', schema: jobSchema },
        404: { description: 'The account has no such job' },
      },
      dialect: mediaDialect,
      params: z.object({ id: z.string().max(100) }),
      serve: (context, { http, now, params }) => {
        const { generations, ledger, signedUrls } = context
        const signed = signedUrls.holds(http.url, now)
        const who = signed
          ? undefined
          : authenticate(http.headers, ['authorization'], mediaDialect, ledger, now)
        if (who && 'refusal' in who) return who.refusal
        const job = generations.find(params.id)
        if (job?.recipe.kind !== 'video' || (who && job.creditId !== who.payer.creditId))
          return mediaDialect.refuse(404, 'Video not found')
        return state(context, job, now)
      },
    }),
    takes: ['authorization'],
  },
]

function planned(
  context: ServiceContext,
  input: VideoRequest,
  now: number,
): VideoPlan | { readonly refusal: Refusal } {
  const source = input.image_url === undefined ? undefined : sourceOf(context, input.image_url, now)
  return typeof source === 'string'
    ? { refusal: mediaDialect.refuse(400, source, 'image_url') }
    : planVideo(input, source)
}

function state(
  { signedUrls }: ServiceContext,
  { id, model, createdAt, readyAt, picoUsd, error }: Generation,
  now: number,
): Refusal {
  const job = { id, model, created: Math.floor(createdAt / 1000) }
  if (error !== null) return json(200, { ...job, status: 'failed', error: { message: error } })
  if (readyAt > now) return json(202, { ...job, status: 'pending' })
  return json(200, {
    ...job,
    status: 'completed',
    data: { url: signedUrls.sign(`/v1/media/${id}/0`, now), content_type: 'video/mp4' },
    cost: dollars(picoUsd),
  })
}
