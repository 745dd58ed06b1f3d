import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { JobAsk } from '../../../shared/job-ask.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import { FIRST_GIVEN, type GivenFiles } from '../source-files.ts'
import { nameOf } from '../names.ts'
import {
  checkEmbeddingAsk,
  embeddingRequest,
  partsOfTexts,
  vectorsIn,
  type EmbeddingAsk,
} from '../requests/embedding-request.ts'
import { rateLimitWait, SLICE_MS } from '../failure.ts'
import { noteFailure } from '../send.ts'
import { storedTexts } from '../tables/texts.ts'
import { VECTORS, VECTORS_TYPE, vectorFiles } from '../results/vectors.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'
import { addedCost, FIRST_PART, partFiles, replaceParts } from './parts.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/**
 * Embeds texts part by part and stores each part when it arrives. In the end the vectors become one file,
 * in the order of the texts.
 */
export function createEmbeddingHandler(options: HandlerOptions, givenFiles: GivenFiles): JobHandler {
  const { jobs, files, service, lines, closed, stopped, wait } = options

  /** Returns false if nothing further is to be sent: the job then has the reason. */
  async function embed(
    id: string,
    ask: EmbeddingAsk,
    texts: readonly string[],
    index: number,
  ): Promise<boolean> {
    for (let tries = 0; ; tries++) {
      let receiptId: string | undefined
      try {
        const answer = await service.open({
          ask: embeddingRequest(ask, texts),
          caller: jobs.of(id).caller,
          signal: closed,
          mayPayPerRequest: false,
        })
        receiptId = answer.receiptId
        const response = await readBytes(answer.body, MAX_ANSWER_BYTES)
        // Write the cost first, so that it's known even if the part can't be stored.
        jobs.apply(id, ...addedCost(jobs.of(id), answer.receipt()?.cost))
        const { dimensions, bytes } = vectorsIn(response, texts.length)
        const known = jobs.of(id).vectors
        if (known && known.dimensions !== dimensions)
          throw new SottoError('service/response-invalid', {
            detail: msg('Its vectors have {dimensions} dimensions, and earlier ones have {before}.', {
              dimensions,
              before: known.dimensions,
            }),
          })
        await files.save(id, index, toAsyncIterable(bytes))
        keep(id, index, texts.length, dimensions)
        return true
      } catch (thrown) {
        const failure = asSottoError(thrown)
        if (failure.code === 'service/rate-limited' && (await waited(id, failure, tries))) continue
        if (stopped(id) === undefined || failure.code !== 'service/rate-limited')
          noteFailure(jobs, id, failure, { receiptId })
        return false
      }
    }
  }

  function keep(id: string, index: number, texts: number, dimensions: number): void {
    const job = jobs.of(id)
    jobs.apply(
      id,
      {
        type: 'kept',
        file: {
          index,
          role: 'part',
          name: `part-${String(index)}.f32`,
          type: VECTORS_TYPE,
          bytes: texts * dimensions * 4,
        },
      },
      { type: 'embedded', count: (job.vectors?.count ?? 0) + texts, dimensions },
    )
  }

  /**
   * Waits after a rate limit, which costs nothing. Returns false after too many waits, or if the job is
   * over by then.
   */
  async function waited(id: string, failure: SottoError, tries: number): Promise<boolean> {
    const most = rateLimitWait(failure, tries)
    if (most === undefined) return false
    for (let left = most; left > 0; left -= SLICE_MS) {
      if (stopped(id) !== undefined || closed.aborted) return false
      await wait(Math.min(left, SLICE_MS), closed)
    }
    return stopped(id) === undefined
  }

  /** The part was stored by a process that ended before it updated the job. */
  function storedBefore(job: JobRecord, index: number, texts: number): boolean {
    const { vectors, files: known } = jobs.of(job.id)
    if (known.some((file) => file.index === index)) return true
    const size = files.size(job.id, index)
    if (size === null || size === 0 || size % (texts * 4) !== 0) return false
    const dimensions = size / (texts * 4)
    if (vectors && vectors.dimensions !== dimensions) return false
    keep(job.id, index, texts, dimensions)
    return true
  }

  return {
    check: (ask) => checkEmbeddingAsk(ofKind('embedding', ask)),
    estimated: () => Promise.reject(new SottoError('proxy/internal')),
    async estimateAll(asked): Promise<JobEstimate> {
      const ask = ofKind<'embedding', JobAsk>('embedding', asked)
      let [least, most, of, requests, known] = [0n, 0n, 0, 0, true]
      for await (const texts of partsOfTexts(await givenFiles.texts(ask))) {
        const cost = await service.estimate(embeddingRequest(ask, texts))
        of += texts.length
        requests += 1
        if (cost === 'unknown') known = false
        else [least, most] = [least + cost.least, most + cost.most]
      }
      const counted = { of, unusable: 0, requests }
      if (!known) return { cost: null, unknown: ['price'], counted }
      return { cost: { least: least.toString(), most: most.toString() }, unknown: [], counted }
    },
    async send(job) {
      const ask = ofKind('embedding', job.ask)
      let index = FIRST_PART
      for await (const texts of partsOfTexts(storedTexts(lines, job.id, FIRST_GIVEN, 0))) {
        if (!storedBefore(job, index, texts.length)) {
          const asked = stopped(job.id)
          if (asked) return void jobs.apply(job.id, { type: asked })
          if (!(await embed(job.id, ask, texts, index))) {
            const over = stopped(job.id)
            if (over) jobs.apply(job.id, { type: over })
            return
          }
        }
        index += 1
      }
      jobs.apply(job.id, { type: 'answered' })
    },
    async save(job) {
      const parts = partFiles(job)
      if (parts.length === 0) return
      const bytes = await files.save(job.id, VECTORS, vectorFiles(job, files))
      const name = nameOf(job, VECTORS, '').replace(/\.bin$/, '.f32')
      await replaceParts(
        job.id,
        { index: VECTORS, role: 'made', name, type: VECTORS_TYPE, bytes },
        parts,
        options,
      )
    },
  }
}
