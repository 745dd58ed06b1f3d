import { SottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import { fetchMade, keepBase64 } from '../save-results.ts'
import { imagesIn } from '../read-answer.ts'
import { checkImageAsk, imageRequest } from '../requests/image-request.ts'
import { ANSWER, sendFromBalance } from '../send.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'

/** Images are generated while the request waits. The response contains them or their addresses. */
export function createImageHandler(options: HandlerOptions): JobHandler {
  const { jobs, files, service } = options
  return {
    check: (ask) => checkImageAsk(ofKind('image', ask), service.revision),
    payable: (ask, source) => imageRequest(ofKind('image', ask), source),
    estimated: (ask) => imageRequest(ofKind('image', ask), undefined),
    async send(job, source) {
      if (await sendFromBalance(job.id, await imageRequest(ofKind('image', job.ask), source), options))
        jobs.apply(job.id, { type: 'answered' })
    },
    async save(job) {
      const named = imagesIn(await answerOf(job, files))
      // Images with an address come first, in their order, because the payer numbers them so.
      const inOrder = [
        ...named.filter((image) => 'url' in image),
        ...named.filter((image) => !('url' in image)),
      ]
      for (const [at, image] of inOrder.entries()) {
        const index = at + 1
        if (jobs.of(job.id).files.some((file) => file.index === index)) continue
        const file = await ('url' in image
          ? fetchMade(job, index, image.url, options)
          : keepBase64(job, index, image.b64_json, options))
        jobs.apply(job.id, { type: 'kept', file })
      }
    },
  }
}

/** The stored response of a job. Throws store/damaged if it's missing. */
export async function answerOf({ id }: JobRecord, files: HandlerOptions['files']): Promise<Uint8Array> {
  const content = files.stream(id, ANSWER)
  if (!content) throw new SottoError('store/damaged', { detail: msg('A job’s response is missing.') })
  return readBytes(content, Infinity)
}
