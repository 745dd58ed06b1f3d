import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'
import { Readings } from '../voice/readings.ts'
import { transcribe } from '../voice/transcribe.ts'

/**
 * Answers voiceContract. Nothing of a private conversation leaves without a consent. Throws vault/locked, voice/…, privacy/…,
 * conversation/unknown, model/unknown, service/….
 */
export function voiceArea(core: ApiContext, os: Implementer['voice']) {
  const readings = new Readings()
  /** What may be stopped, by its id: a call over app:// is never aborted by the window going away from it. */
  const underWay = new Map<string, Set<AbortController>>()

  async function stoppable<T>(
    id: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController()
    const stops = underWay.get(id) ?? new Set()
    underWay.set(id, stops.add(stop))
    try {
      return await work(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal)
    } finally {
      stops.delete(stop)
      if (stops.size === 0) underWay.delete(id)
    }
  }

  return {
    prices: os.prices.handler(async () => {
      const { listening, speaking, voices } = await core.open().relay.audio()
      const listed = ({ id, name, price }: (typeof listening)[number]) => ({
        id,
        name,
        ...(price && { price }),
      })
      return {
        listening: listening.map(listed),
        speaking: speaking.map(listed),
        voices: voices.map(({ id, name, modelId, language, provider }) => ({
          id,
          name,
          modelId,
          language,
          provider,
        })),
      }
    }),
    transcribe: os.transcribe.handler(({ input, signal, context }) =>
      stoppable(input.id, signal, (ended) => transcribe(core.open(), input, context.caller.kind, ended)),
    ),
    prepare: os.prepare.handler(({ input }) => readings.prepare(core.open(), input)),
    speak: os.speak.handler(({ input, signal, context }) =>
      stoppable(input.readingId, signal, (ended) =>
        readings.speak(core.open(), input, context.caller.kind, ended),
      ),
    ),
    stop: os.stop.handler(({ input: { id } }) => {
      readings.end(id)
      for (const stop of underWay.get(id) ?? []) stop.abort()
    }),
  }
}
