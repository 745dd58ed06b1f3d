import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { MAX_HEARD_BYTES } from '../../../shared/audio-limits.ts'
import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { StoredAsk } from '../../../shared/job-ask.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import type { JobFile } from '../../../shared/job.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import { cutAudio, type AudioPiece } from '../audio/cut-audio.ts'
import { headOf } from '../byte-streams.ts'
import { fileAt } from '../links.ts'
import { nameOf } from '../names.ts'
import { refuseClash } from '../requests/image-request.ts'
import { noteFailure } from '../send.ts'
import type { PlaintextAsk } from '../service.ts'
import { joinTranscripts } from '../transcripts.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'
import { addedCost, FIRST_PART, partFiles, replaceParts, sendPieces } from './parts.ts'

type TranscriptionAsk = Extract<StoredAsk, { kind: 'transcription' }>

const KNOWN = ['file', 'model', 'response_format', 'language', 'prompt']
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** The file index of the transcript. */
export const TRANSCRIPT = 1

/**
 * Transcribes a recording. If it's larger than the service accepts, it's transcribed piece by piece, with
 * the times of the whole recording.
 */
export function createTranscriptionHandler(options: HandlerOptions): JobHandler {
  const { jobs, files, service, closed } = options

  async function piecesOf(job: JobRecord): Promise<AudioPiece[]> {
    const { file } = ofKind('transcription', job.ask)
    if (!('file' in file)) throw new SottoError('request/invalid', { param: 'file' })
    const { index, bytes, type } = fileAt(job.files, file.file)
    const read = (from: number): AsyncIterable<Uint8Array> => files.stream(job.id, index, from) ?? gone()
    return cutAudio({ bytes, type, read, head: await headOf(read(0)) }, MAX_HEARD_BYTES)
  }

  async function hear(
    id: string,
    ask: TranscriptionAsk,
    recording: JobFile,
    piece: AudioPiece,
    index: number,
  ): Promise<boolean> {
    let receiptId: string | undefined
    try {
      const content = jobs.onItsWay(id, piece.read(), piece.bytes)
      const answer = await service.open({
        ask: requestOf(ask, { recording, bytes: piece.bytes, content }),
        caller: jobs.of(id).caller,
        signal: closed,
        mayPayPerRequest: false,
      })
      receiptId = answer.receiptId
      const heard = await readBytes(answer.body, MAX_ANSWER_BYTES)
      // Write the cost first, so that it's known even if the response can't be stored.
      jobs.apply(id, ...addedCost(jobs.of(id), answer.receipt()?.cost))
      // Report a piece that doesn't fit now, and not after all pieces are paid.
      joinTranscripts(ask.format, [{ answer: heard, startSeconds: 0 }])
      const bytes = await files.save(id, index, toAsyncIterable(heard))
      jobs.apply(id, {
        type: 'kept',
        file: { index, role: 'part', name: `part-${index}.txt`, type: 'text/plain', bytes },
      })
      return true
    } catch (thrown) {
      noteFailure(jobs, id, asSottoError(thrown), { receiptId })
      return false
    }
  }

  return {
    check: (ask) => refuseClash(ofKind('transcription', ask).extra ?? {}, KNOWN),
    estimated: (ask, seconds) => Promise.resolve(requestOf(ofKind('transcription', ask), undefined, seconds)),
    async send(job) {
      const ask = ofKind('transcription', job.ask)
      const recording = 'file' in ask.file ? fileAt(job.files, ask.file.file) : undefined
      if (!recording) throw new SottoError('request/invalid', { param: 'file' })
      await sendPieces(
        job.id,
        await piecesOf(job),
        (piece, index) => hear(job.id, ask, recording, piece, index),
        options,
      )
    },
    async save(job) {
      const { format } = ofKind('transcription', job.ask)
      const parts = partFiles(job)
      if (parts.length === 0) return
      const pieces = await piecesOf(job)
      const heard = await Promise.all(
        parts.map(async ({ index }) => ({
          answer: await readBytes(files.stream(job.id, index) ?? gone(), Infinity),
          startSeconds: pieces[index - FIRST_PART]?.startSeconds ?? 0,
        })),
      )
      const [only] = heard
      const text = only && heard.length === 1 ? only.answer : Buffer.from(joinTranscripts(format, heard))
      const bytes = await files.save(job.id, TRANSCRIPT, toAsyncIterable(text))
      const type = format === 'json' || format === 'verbose_json' ? 'application/json' : 'text/plain'
      const name = nameOf(job, TRANSCRIPT, type).replace(
        /\.txt$/,
        format === 'srt' || format === 'vtt' ? `.${format}` : '.txt',
      )
      await replaceParts(job.id, { index: TRANSCRIPT, role: 'made', name, type, bytes }, parts, options)
    },
  }
}

function requestOf(
  { model, format, language, prompt, extra = {} }: TranscriptionAsk,
  sent:
    | { readonly recording: JobFile; readonly bytes: number; readonly content: AsyncIterable<Uint8Array> }
    | undefined,
  seconds?: number,
): PlaintextAsk {
  const parameters = { ...extra, model, response_format: format, language, prompt }
  const fields = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  )
  return {
    endpoint: 'audio/transcriptions',
    ...(seconds !== undefined && { durationMs: Math.ceil(seconds * 1000) }),
    form: {
      fields,
      files: sent
        ? [
            {
              field: 'file',
              upload: {
                name: sent.recording.name,
                type: sent.recording.type,
                size: sent.bytes,
                content: sent.content,
              },
            },
          ]
        : [],
    },
  }
}

function gone(): never {
  throw new SottoError('store/damaged', { detail: msg('A job’s file is missing.') })
}
