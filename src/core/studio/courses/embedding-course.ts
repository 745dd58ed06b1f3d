import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { JobAsk } from '../../../shared/job-ask.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import { say } from '../../../shared/say.ts'
import { FIRST_GIVEN, once, whole, type GivenFiles } from '../given-files.ts'
import { nameOf } from '../names.ts'
import { checkEmbeddingAsk, embeddingRequest, partsOfTexts, vectorsIn, type EmbeddingAsk } from '../requests/embedding-request.ts'
import { noteFailure } from '../send.ts'
import { keptTexts } from '../tables/texts.ts'
import { VECTORS, VECTORS_TYPE, vectorFiles } from '../results/vectors.ts'
import { ofKind, type Course, type CourseOptions } from './course.ts'
import { FIRST_PART } from './speech-course.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** When the service takes no more for now, and does not say how long. */
const WAITS_MS = [1000, 2000, 5000, 15_000, 30_000, 60_000]
const LONGEST_WAIT_MS = 5 * 60_000
const SLICE_MS = 1000

/** Texts are embedded part by part, each kept as it comes; the vectors are then one file, in the order of the texts. */
export function embeddingCourse(options: CourseOptions, given: GivenFiles): Course {
  const { jobs, files, service, lines, closed, stopped, wait } = options

  /** False where nothing further is to be sent: the job says why. */
  async function embed(id: string, ask: EmbeddingAsk, texts: readonly string[], index: number): Promise<boolean> {
    for (let tries = 0; ; tries++) {
      let receiptId: string | undefined
      try {
        const answer = await service.open({ ask: embeddingRequest(ask, texts), caller: jobs.of(id).caller, signal: closed, mayPayPerRequest: false })
        receiptId = answer.receiptId
        const { dimensions, bytes } = vectorsIn(await whole(answer.body, MAX_ANSWER_BYTES), texts.length)
        const known = jobs.of(id).vectors
        if (known && known.dimensions !== dimensions) throw new SottoError('service/response-invalid', { detail: say('Its vectors have {dimensions} dimensions, and those before have {before}.', { dimensions, before: known.dimensions }) })
        await files.save(id, index, once(bytes))
        keep(id, index, texts.length, dimensions, answer.receipt()?.cost)
        return true
      } catch (thrown) {
        const failure = asSottoError(thrown)
        if (failure.code === 'service/rate-limited' && (await waited(id, failure, tries))) continue
        if (stopped(id) === undefined || failure.code !== 'service/rate-limited') noteFailure(jobs, id, failure, receiptId)
        return false
      }
    }
  }

  function keep(id: string, index: number, texts: number, dimensions: number, cost: string | undefined): void {
    const { cost: before, vectors } = jobs.of(id)
    jobs.apply(
      id,
      { type: 'kept', file: { index, role: 'part', name: `part-${String(index)}.f32`, type: VECTORS_TYPE, bytes: texts * dimensions * 4 } },
      { type: 'embedded', count: (vectors?.count ?? 0) + texts, dimensions },
      ...(cost === undefined ? [] : [{ type: 'cost' as const, cost: (BigInt(before ?? 0) + BigInt(cost)).toString() }]),
    )
  }

  /** It was turned away and costs nothing. False where it was waited for too often, or is over meanwhile. */
  async function waited(id: string, { details: { retryAfterSeconds } }: SottoError, tries: number): Promise<boolean> {
    const most = retryAfterSeconds === undefined ? WAITS_MS[tries] : Math.min(retryAfterSeconds * 1000, LONGEST_WAIT_MS)
    if (most === undefined || tries >= WAITS_MS.length * 2) return false
    for (let left = most; left > 0; left -= SLICE_MS) {
      if (stopped(id) !== undefined || closed.aborted) return false
      await wait(Math.min(left, SLICE_MS), closed)
    }
    return stopped(id) === undefined
  }

  /** Kept by a process that ended before it could say so. */
  function keptBefore(job: JobRecord, index: number, texts: number): boolean {
    const { vectors, files: known } = jobs.of(job.id)
    if (known.some((file) => file.index === index)) return true
    const size = files.size(job.id, index)
    if (size === null || size === 0 || size % (texts * 4) !== 0) return false
    const dimensions = size / (texts * 4)
    if (vectors && vectors.dimensions !== dimensions) return false
    keep(job.id, index, texts, dimensions, undefined)
    return true
  }

  return {
    check: (ask) => checkEmbeddingAsk(ofKind('embedding', ask)),
    estimated: () => Promise.reject(new SottoError('proxy/internal')),
    async estimateAll(asked): Promise<JobEstimate> {
      const ask = ofKind<'embedding', JobAsk>('embedding', asked)
      let [least, most, of, requests, known] = [0n, 0n, 0, 0, true]
      for await (const texts of partsOfTexts(await given.texts(ask))) {
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
      for await (const texts of partsOfTexts(keptTexts(lines, job.id, FIRST_GIVEN, 0))) {
        if (!keptBefore(job, index, texts.length)) {
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
      const found = job.files.filter(({ role }) => role === 'part')
      if (found.length === 0) return
      const bytes = await files.save(job.id, VECTORS, vectorFiles(job, files))
      const name = nameOf(job, VECTORS, '').replace(/\.bin$/, '.f32')
      jobs.apply(job.id, { type: 'kept', file: { index: VECTORS, role: 'made', name, type: VECTORS_TYPE, bytes } }, ...found.map(({ index }) => ({ type: 'dropped' as const, index })))
      for (const { index } of found) await files.remove(job.id, index)
    },
  }
}
