import { asSottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { speechPieces } from '../../../shared/speech-pieces.ts'
import type { StoredAsk } from '../../../shared/job-ask.ts'
import { joinAudio, type SpokenPart } from '../audio/join-audio.ts'
import { headOf } from '../byte-streams.ts'
import { keepMade } from '../save-results.ts'
import type { LiveSpeech } from '../live-speech.ts'
import { refuseClash } from '../requests/image-request.ts'
import { noteFailure } from '../send.ts'
import type { PlaintextAnswer, PlaintextAsk } from '../service.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'
import { addedCost, partFiles, replaceParts, sendPieces } from './parts.ts'

type SpeechAsk = Extract<StoredAsk, { kind: 'speech' }>

const KNOWN = ['input', 'model', 'voice']
/** The file index of the joined parts. */
export const WHOLE = 1

/**
 * Generates speech piece by piece. Each piece is played and stored as it arrives, and the pieces are joined
 * at the end.
 */
export function createSpeechHandler(options: HandlerOptions, live: LiveSpeech): JobHandler {
  const { jobs, files, service, closed } = options

  /** Returns false if nothing further is to be sent: the job then has the reason. */
  async function speak(id: string, ask: SpeechAsk, text: string, index: number): Promise<boolean> {
    let answer: PlaintextAnswer | undefined
    try {
      answer = await service.open({
        ask: requestOf(ask, text),
        caller: jobs.of(id).caller,
        signal: closed,
        mayPayPerRequest: false,
      })
      const file = await keepMade(jobs.of(id), index, live.passing(id, index, answer.body), options)
      jobs.apply(
        id,
        { type: 'kept', file: { ...file, role: 'part' } },
        ...addedCost(jobs.of(id), answer.receipt()?.cost),
      )
      return true
    } catch (thrown) {
      noteFailure(jobs, id, asSottoError(thrown), {
        receiptId: answer?.receiptId,
        cost: answer?.receipt()?.cost,
      })
      return false
    }
  }

  async function partsOf(job: JobRecord): Promise<readonly (SpokenPart & { readonly index: number })[]> {
    return Promise.all(
      partFiles(job).map(async ({ index, bytes, type }) => {
        const read = (from: number): AsyncIterable<Uint8Array> =>
          files.stream(job.id, index, from) ?? nothing()
        return { index, bytes, type, read, head: await headOf(read(0), 64 * 1024) }
      }),
    )
  }

  return {
    check: (ask) => refuseClash(ofKind('speech', ask).extra ?? {}, KNOWN),
    estimated: (ask) => Promise.resolve(requestOf(ofKind('speech', ask), ofKind('speech', ask).text)),
    async send(job) {
      const ask = ofKind('speech', job.ask)
      await sendPieces(
        job.id,
        speechPieces(ask.text),
        (text, index) => speak(job.id, ask, text, index),
        options,
      )
    },
    async save(job) {
      const parts = await partsOf(job)
      const [only] = parts
      if (!only) return
      const joined = parts.length === 1 ? only.read(0) : joinAudio(parts)
      // The format can't be joined, so each piece remains a file.
      if (!joined)
        return void jobs.apply(
          job.id,
          ...partFiles(jobs.of(job.id)).map((file) => ({
            type: 'kept' as const,
            file: { ...file, role: 'made' as const },
          })),
        )
      await replaceParts(job.id, await keepMade(job, WHOLE, joined, options), parts, options)
    },
  }
}

function requestOf({ model, voice, extra }: SpeechAsk, text: string): PlaintextAsk {
  return {
    endpoint: 'audio/speech',
    body: {
      ...extra,
      input: text,
      ...(model !== undefined && { model }),
      ...(voice !== undefined && { voice }),
    },
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // The file is missing.
}
