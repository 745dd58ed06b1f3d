import type { FastifyInstance } from 'fastify'
import type { PlaintextAnswer } from '../relay/index.ts'
import type { FormRules } from './form.ts'
import { serveForm } from './form-request.ts'
import { writeImages, type ImageWriting } from './media/image-answer.ts'
import { readImageBody, readImageForm, type ImageOptions } from './media/image-options.ts'
import { imageFetcher } from './media/own-image.ts'
import { serveJson, type MediaCall } from './plaintext-answer.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/** The fields of the image to edit, or a list of them, and its mask. */
const EDIT_FILES: FormRules = { files: ['image', 'image[]', 'mask'], mostFiles: 16 }

/**
 * Registers `POST /v1/images/generations`, which also upscales and removes backgrounds if its model does, and
 * `POST /v1/images/edits` (specification, Images). Sotto inlines the images and creates the events, because
 * the service doesn't.
 */
export function registerImages(server: FastifyInstance, context: RouteContext): void {
  const writing = (
    options: ImageOptions,
    event: ImageWriting['event'],
  ): Pick<MediaCall, 'ignored' | 'write'> => ({
    ignored: options.ignored,
    write: (answer: PlaintextAnswer, gone) =>
      writeImages(answer, { options, event, fetchImage: imageFetcher(context.backend().fetchOwn, gone) }),
  })
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/images/generations`, (request, reply) =>
      serveJson(context, request, reply, (json) => {
        const { body, options } = readImageBody(json)
        return {
          ask: { endpoint: 'images/generations', body },
          ...writing(options, 'image_generation.completed'),
        }
      }),
    )
    server.post(`${prefix}/images/edits`, { config: { accepts: 'multipart' } }, (request, reply) =>
      serveForm(context, request, reply, EDIT_FILES, (read) => {
        const { form, options } = readImageForm(read)
        return { ask: { endpoint: 'images/edits', form }, ...writing(options, 'image_edit.completed') }
      }),
    )
  }
}
