import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Job } from '../../src/shared/job.ts'

/** A pretended studio in which nothing was made yet, and nothing can be. */
export function openMockStudio({ refuse }: { readonly refuse: (code: ErrorCode) => never }) {
  const unknown = (): never => refuse('studio/unknown')
  return {
    none: unknown,
    sold: (): never => refuse('service/down'),
    list: (): { jobs: Job[] } => ({ jobs: [] }),
    async *watch(signal: AbortSignal | undefined): AsyncGenerator<{ jobs: Job[]; removed: string[] }, void> {
      yield { jobs: [], removed: [] }
      if (signal) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    },
  }
}
