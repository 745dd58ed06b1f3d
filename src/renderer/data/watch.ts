import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { asFailure } from '../ui/failure.ts'

/** How long a broken stream waits before it reconnects. */
const RECONNECT_MS = 1500

export interface WatchState {
  /** Whether the stream is connected and has answered. Otherwise what is shown may be outdated. */
  readonly following: boolean
  /** Why the last stream broke; undefined once another one answers. */
  readonly failure: Failure | undefined
}

export interface Watch<Event> {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<Event>>
  /** @param first whether this is the first event of its stream, which holds everything */
  readonly onEvent: (event: Event, first: boolean) => void
  readonly onState: (state: WatchState) => void
}

/** Reads a stream of events until `signal` aborts, and reconnects whenever the stream breaks or ends. */
export async function watch<Event>(
  { open, onEvent, onState }: Watch<Event>,
  signal: AbortSignal,
): Promise<void> {
  let failure: Failure | undefined
  const left = () => signal.aborted
  // Report this at once, because the next watch can begin before this loop notices.
  signal.addEventListener('abort', () => onState({ following: false, failure: undefined }), { once: true })
  while (!left()) {
    try {
      let first = true
      for await (const event of await open(signal)) {
        if (left()) return
        failure = undefined
        if (first) onState({ following: true, failure })
        onEvent(event, first)
        first = false
      }
    } catch (thrown) {
      failure = asFailure(thrown)
    }
    if (left()) return
    onState({ following: false, failure })
    await pause(RECONNECT_MS, signal)
  }
}

/** Resolves after the time, or when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
