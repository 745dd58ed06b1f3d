import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { DrillAttempt, DrillEvent, DrillResult } from '../../../shared/drill.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'

/** An attempt of the plan, with its result once it has one. */
export interface Played extends DrillAttempt {
  readonly result?: DrillResult
}

interface Drill {
  readonly state: 'none' | 'running' | 'ended' | 'stopped'
  readonly attempts: readonly Played[]
  /** Of the one that runs; -1 while the roots are minted. */
  readonly current: number
  readonly failure: Failure | undefined
}

const none: Drill = { state: 'none', attempts: [], current: -1, failure: undefined }

/** It outlives the room: whoever looks elsewhere meanwhile finds it further on. */
export const useDrill = create<Drill>()(() => none)

let stop = new AbortController()

export function heldIn(attempts: readonly Played[]): number {
  return attempts.filter(({ result }) => result?.held).length
}

export async function startDrill(): Promise<void> {
  if (useDrill.getState().state === 'running') return
  stop = new AbortController()
  useDrill.setState({ ...none, state: 'running' })
  announce(t`Self-test started.`)
  try {
    for await (const event of await api.privacy.drill(undefined, { signal: stop.signal })) take(event)
    end('stopped')
  } catch (thrown) {
    if (!stop.signal.aborted) useDrill.setState({ failure: asFailure(thrown) })
    end('stopped')
  }
}

export function stopDrill(): void {
  stop.abort()
}

function take(event: DrillEvent): void {
  switch (event.type) {
    case 'planned':
      return useDrill.setState({ attempts: event.attempts })
    case 'started':
      return useDrill.setState({ current: event.index })
    case 'finished':
      return useDrill.setState(({ attempts }) => ({
        attempts: attempts.map((each, index) =>
          index === event.index ? { ...each, result: event.result } : each,
        ),
      }))
    case 'ended':
      return end('ended')
  }
}

function end(as: 'ended' | 'stopped'): void {
  const { state, attempts } = useDrill.getState()
  if (state !== 'running') return
  useDrill.setState({ state: as, current: -1 })
  announce(sumOf(as, attempts))
}

/** What came of it, in a sentence. */
export function sumOf(state: Drill['state'], attempts: readonly Played[]): string {
  const played = attempts.filter(({ result }) => result).length
  const held = heldIn(attempts)
  const all = attempts.length
  if (state === 'stopped')
    return held < played
      ? t`Stopped after ${played} of ${all} tests. Failed: ${played - held}.`
      : t`Stopped after ${played} of ${all} tests. None failed.`
  return held === all ? t`All ${all} tests passed.` : t`${all - held} of ${all} tests failed.`
}
