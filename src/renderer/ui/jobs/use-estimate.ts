import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { jobAskSchema, type JobAsk } from '../../../shared/job-ask.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import { useAnswer, type Question } from '../../data/use-answer.ts'
import { pause } from '../../data/watch.ts'
import { api } from '../api.ts'
import { inputRefused, WindowError } from '../failure.ts'

export type PriceState =
  | { readonly state: 'none' }
  | {
      readonly state: 'asking'
      /** The estimate of the former request. */ readonly before: JobEstimate | undefined
    }
  | { readonly state: 'known'; readonly estimate: JobEstimate }
  | { readonly state: 'failed'; readonly failure: Failure; readonly again: () => void }

const PAUSE_MS = 250

/** The estimate of `ask`. A change cancels the question that is on its way. Sends no data of the user to the service. */
export function useEstimate(ask: JobAsk | undefined): PriceState {
  const asked = ask === undefined ? undefined : JSON.stringify(ask)
  const question = asked === undefined ? undefined : estimateQuestion(asked)
  const { data, outdated, failure, refresh } = useAnswer(question, { keepPrevious: true, transient: true })
  if (!question) return { state: 'none' }
  if (failure) return { state: 'failed', failure, again: refresh }
  if (data && !outdated) return { state: 'known', estimate: data }
  return { state: 'asking', before: data }
}

/** @param asked the ask as JSON, so that an equal ask isn't asked again */
function estimateQuestion(asked: string): Question<JobEstimate> {
  return {
    key: ['estimate', asked],
    ask: async ({ signal }) => {
      const { data: ask } = jobAskSchema.safeParse(JSON.parse(asked))
      if (!ask) throw new WindowError(inputRefused)
      // The ask of a person who types changes again soon.
      await pause(PAUSE_MS, signal)
      signal.throwIfAborted()
      return api.studio.estimate({ ask }, { signal })
    },
  }
}
