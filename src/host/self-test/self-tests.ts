import type { SelfTestEvent } from '../../shared/self-test.ts'
import { SottoError } from '../../shared/errors.ts'

interface SelfTests {
  /** Throws self-test/unavailable while another runs: each mints roots of its own, and many at once would starve the machine. */
  run(signal: AbortSignal): AsyncGenerator<SelfTestEvent, void>
  /** Ends the one that runs. */
  stop(): void
}

/** The self-tests of one host. One runs at a time, and none after stop(). */
export function createSelfTests(): SelfTests {
  const stopped = new AbortController()
  let running = false
  return {
    async *run(signal) {
      if (running) throw new SottoError('self-test/unavailable')
      running = true
      try {
        // Loaded when it is asked for: no start waits for it.
        const { runSelfTest } = await import('./run-self-test.ts')
        yield* runSelfTest(AbortSignal.any([signal, stopped.signal]))
      } finally {
        running = false
      }
    },
    stop: () => stopped.abort(),
  }
}
