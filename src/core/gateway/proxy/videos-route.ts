import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { FormRules } from './form.ts'
import { serveForm } from './form-request.ts'
import { mediaTypeOf } from './guards.ts'
import { oneOf } from './media/members.ts'
import { videoAddress, writeVideo } from './media/video-answer.ts'
import { videoBody, videoBodyOfForm } from './media/video-request.ts'
import { refuseModelOutsideBody } from './read-body.ts'
import { serveFree, serveJson, serveLook, type MediaCall, type WrittenAnswer } from './plaintext-answer.ts'
import { queryOf } from './request-heads.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

const REFERENCE: FormRules = { files: ['input_reference'], mostFiles: 1 }

/**
 * Registers `POST /v1/videos`, `GET /v1/videos/{id}` for the state of a job, and its content (specification,
 * Videos). A tool that knows a job's ID may request it with any local key: IDs are random, and no path lists
 * them.
 */
export function registerVideos(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/videos`, { config: { accepts: 'json-or-multipart' } }, (request, reply) =>
      mediaTypeOf(request.headers) === 'multipart/form-data'
        ? serveForm(context, request, reply, REFERENCE, async (form) => callOf(await videoBodyOfForm(form)))
        : serveJson(context, request, reply, callOf),
    )
    server.get<{ Params: { id: string } }>(`${prefix}/videos/:id`, async (request, reply) => {
      refuseModelOutsideBody(request.raw)
      return serveLook(context, request, reply, { at: 'videos', id: request.params.id }, writeVideo)
    })
    server.get<{ Params: { id: string } }>(`${prefix}/videos/:id/content`, async (request, reply) =>
      serveContent(context, request, reply, request.params.id),
    )
  }
}

/** OpenAI's SDKs send a form, and other tools send JSON. */
function callOf(body: JsonObject): MediaCall {
  const { seconds, size, prompt } = body
  const requestMembers = {
    ...(seconds !== undefined && { seconds }),
    ...(size !== undefined && { size }),
    ...(prompt !== undefined && { prompt }),
  }
  return {
    ask: { endpoint: 'videos', body: videoBody(body) },
    write: (answer) => writeVideo(answer, requestMembers),
  }
}

/** Serves the video itself from the address that the service returns. The service has no other variants. */
function serveContent(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<FastifyReply> {
  refuseModelOutsideBody(request.raw)
  oneOf('variant', queryOf(request.raw)['variant'], ['video'])
  return serveFree(context, request, reply, async (gone): Promise<WrittenAnswer> => {
    const { relay, fetchOwn } = context.backend()
    const { status, contentType, body } = await fetchOwn(
      await videoAddress(await relay.look({ at: 'videos', id }, gone)),
      gone,
    )
    if (!contentType.startsWith('video/')) throw new SottoError('service/response-invalid')
    return { status, contentType, body }
  })
}
