import { useEffect, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { jobAskSchema, type JobAsk } from '../../../shared/job-ask.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import { api } from '../api.ts'
import { asFailure, inputRefused, WindowError } from '../failure.ts'
import { useService } from '../status-store.ts'

export type PriceState =
  | { readonly state: 'none' }
  | {
      readonly state: 'asking'
      /** Of what was asked for before. */ readonly before: JobEstimate | undefined
    }
  | { readonly state: 'known'; readonly estimate: JobEstimate }
  | { readonly state: 'failed'; readonly failure: Failure; readonly again: () => void }

type Answer = { readonly key: string } & ({ readonly estimate: JobEstimate } | { readonly failure: Failure })

const PAUSE_MS = 250

/** What `ask` can cost, asked anew when it changes and let go when it changes again. Sends nothing of the user's. */
export function useEstimate(ask: JobAsk | undefined): PriceState {
  const service = useService() ?? ''
  const [turn, setTurn] = useState(0)
  const [answer, setAnswer] = useState<Answer>()
  const asked = ask === undefined ? undefined : JSON.stringify(ask)
  const key = `${service}\n${String(turn)}\n${asked ?? ''}`
  useEffect(() => {
    if (asked === undefined) return
    const left = new AbortController()
    const timer = setTimeout(() => {
      priceOf(asked, left.signal).then(
        (estimate) => {
          if (!left.signal.aborted) setAnswer({ key, estimate })
        },
        (thrown: unknown) => {
          if (!left.signal.aborted) setAnswer({ key, failure: asFailure(thrown) })
        },
      )
    }, PAUSE_MS)
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [asked, key])
  if (asked === undefined) return { state: 'none' }
  if (answer?.key !== key)
    return { state: 'asking', before: answer && 'estimate' in answer ? answer.estimate : undefined }
  if ('failure' in answer)
    return { state: 'failed', failure: answer.failure, again: () => setTurn((before) => before + 1) }
  return { state: 'known', estimate: answer.estimate }
}

/** By its text, so that what was drawn anew and says the same is not asked for again. */
async function priceOf(asked: string, signal: AbortSignal): Promise<JobEstimate> {
  const { data } = jobAskSchema.safeParse(JSON.parse(asked))
  if (!data) throw new WindowError(inputRefused)
  return api.studio.estimate({ ask: data }, { signal })
}
