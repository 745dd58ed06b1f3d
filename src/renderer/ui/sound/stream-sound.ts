/** Seconds that are read ahead of the playback. The rest isn't read until later. */
const AHEAD_S = 60
/** Seconds of played sound that stay available for going back. */
const BEHIND_S = 30

/** Whether sound of this type can be decoded here while it arrives. */
export function canStreamSound(type: string): boolean {
  return typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(type)
}

/**
 * Plays sound while it arrives, without gaps between its parts. Resolves when the player has all of it, and so knows
 * its end. Throws what reading throws, DOMException if the sound can't be decoded, and an AbortError if `signal`
 * aborts.
 */
export async function streamSound(
  audio: HTMLAudioElement,
  type: string,
  content: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): Promise<void> {
  const source = new MediaSource()
  const address = URL.createObjectURL(source)
  audio.src = address
  try {
    await waitForEvent(source, ['sourceopen'], signal)
    const buffer = source.addSourceBuffer(type)
    // Each piece follows the former one, regardless of its timestamps.
    buffer.mode = 'sequence'
    const reader = content.getReader()
    try {
      for (let { value } = await reader.read(); value; { value } = await reader.read()) {
        await append(audio, buffer, value, signal)
        await untilWanted(audio, signal)
      }
    } finally {
      // Sound that can't be played isn't downloaded to its end.
      void reader.cancel().catch(() => undefined)
    }
    if (bufferedEnd(audio) === 0) throw new DOMException('Nothing of it can be decoded.', 'EncodingError')
    source.endOfStream()
  } finally {
    URL.revokeObjectURL(address)
  }
}

async function untilWanted(audio: HTMLAudioElement, signal: AbortSignal): Promise<void> {
  while (bufferedEnd(audio) - audio.currentTime > AHEAD_S)
    await waitForEvent(audio, ['timeupdate', 'seeked'], signal)
}

async function append(
  audio: HTMLAudioElement,
  buffer: SourceBuffer,
  piece: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    try {
      buffer.appendBuffer(piece)
      await waitForEvent(buffer, ['updateend'], signal)
      return
    } catch (thrown) {
      if (!(thrown instanceof DOMException) || thrown.name !== 'QuotaExceededError') throw thrown
      // The buffer is full: remove played sound, now or after more was played.
      const heard = audio.currentTime - BEHIND_S
      if (heard > (buffer.buffered.length > 0 ? buffer.buffered.start(0) : 0)) {
        buffer.remove(0, heard)
        await waitForEvent(buffer, ['updateend'], signal)
      } else await waitForEvent(audio, ['timeupdate', 'seeked'], signal)
    }
  }
}

function bufferedEnd({ buffered }: HTMLAudioElement): number {
  return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1)
}

/** Waits for one of these events. */
function waitForEvent(
  target: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
): Promise<undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const over = new AbortController()
  for (const name of names) target.addEventListener(name, () => resolve(undefined), { signal: over.signal })
  target.addEventListener('error', () => reject(new DOMException('It cannot be decoded.', 'EncodingError')), {
    signal: over.signal,
  })
  const left = () => reject(new DOMException(undefined, 'AbortError'))
  signal.addEventListener('abort', left, { signal: over.signal })
  if (signal.aborted) left()
  return promise.finally(() => over.abort())
}
