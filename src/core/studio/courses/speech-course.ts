import { asSottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { speechPieces } from '../../../shared/speech-pieces.ts'
import type { KeptAsk } from '../../../shared/job-ask.ts'
import { joinAudio, type SpokenPart } from '../audio/join-audio.ts'
import { headOf } from '../given-files.ts'
import { keepMade } from '../keep-made.ts'
import type { LiveSpeech } from '../live-speech.ts'
import { refuseClash } from '../requests/image-request.ts'
import { noteFailure } from '../send.ts'
import type { OpenAsk } from '../service.ts'
import { ofKind, type Course, type CourseOptions } from './course.ts'

type SpeechAsk = Extract<KeptAsk, { kind: 'speech' }>

const KNOWN = ['input', 'model', 'voice']
/** Where the parts stand until they are joined to the whole. */
export const FIRST_PART = 100
export const WHOLE = 1
/** A text is spoken piece by piece, each heard and kept as it comes, and then joined. */
export function speechCourse(options: CourseOptions, live: LiveSpeech): Course {
  const { jobs, files, service, closed, stopped } = options

  /** False where nothing further is to be sent: the job says why. */
  async function speak(id: string, ask: SpeechAsk, text: string, index: number): Promise<boolean> {
    let receiptId: string | undefined
    try {
      const answer = await service.open({ ask: requestOf(ask, text), caller: jobs.of(id).caller, signal: closed, mayPayPerRequest: false })
      receiptId = answer.receiptId
      const file = await keepMade(jobs.of(id), index, live.passing(id, index, answer.body), options)
      const cost = answer.receipt()?.cost
      const before = jobs.of(id).cost
      jobs.apply(id, { type: 'kept', file: { ...file, role: 'part' } }, ...(cost === undefined ? [] : [{ type: 'cost' as const, cost: (BigInt(before ?? 0) + BigInt(cost)).toString() }]))
      return true
    } catch (thrown) {
      noteFailure(jobs, id, asSottoError(thrown), receiptId)
      return false
    }
  }

  async function partsOf(job: JobRecord): Promise<readonly (SpokenPart & { readonly index: number })[]> {
    const kept = job.files.filter(({ role }) => role === 'part').toSorted((a, b) => a.index - b.index)
    return Promise.all(kept.map(async ({ index, bytes, type }) => {
      const read = (from: number): AsyncIterable<Uint8Array> => files.stream(job.id, index, from) ?? nothing()
      return { index, bytes, type, read, head: await headOf(read(0), 64 * 1024) }
    }))
  }

  return {
    check: (ask) => refuseClash(ofKind('speech', ask).extra ?? {}, KNOWN),
    estimated: (ask) => Promise.resolve(requestOf(ofKind('speech', ask), ofKind('speech', ask).text)),
    async send(job) {
      const ask = ofKind('speech', job.ask)
      const pieces = speechPieces(ask.text)
      jobs.apply(job.id, { type: 'parted', of: pieces.length })
      for (const [at, piece] of pieces.entries()) {
        if (jobs.of(job.id).files.some(({ index }) => index === FIRST_PART + at)) continue
        if (stopped(job.id)) return void jobs.apply(job.id, { type: 'stopped' })
        if (!(await speak(job.id, ask, piece, FIRST_PART + at))) return
      }
      jobs.apply(job.id, { type: 'answered' })
    },
    async save(job) {
      const parts = await partsOf(job)
      const [only] = parts
      if (!only) return
      const joined = parts.length === 1 ? only.read(0) : joinAudio(parts)
      // Of a form that cannot be joined: each piece is a file.
      if (!joined) return void jobs.apply(job.id, ...jobs.of(job.id).files.filter(({ role }) => role === 'part').map((file) => ({ type: 'kept' as const, file: { ...file, role: 'made' as const } })))
      jobs.apply(job.id, { type: 'kept', file: await keepMade(job, WHOLE, joined, options) }, ...parts.map(({ index }) => ({ type: 'dropped' as const, index })))
      for (const { index } of parts) await files.remove(job.id, index)
    },
  }
}

function requestOf({ model, voice, extra }: SpeechAsk, text: string): OpenAsk {
  return { endpoint: 'audio/speech', body: { ...extra, input: text, ...(model !== undefined && { model }), ...(voice !== undefined && { voice }) } }
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // Its file is gone.
}
