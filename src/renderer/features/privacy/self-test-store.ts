import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { SelfTestAttempt, SelfTestEvent, SelfTestResult } from '../../../shared/self-test.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'

/** A planned attempt, with its result once it has one. */
export interface Played extends SelfTestAttempt {
  readonly result?: SelfTestResult
}

interface SelfTest {
  readonly state: 'none' | 'running' | 'ended' | 'stopped'
  readonly attempts: readonly Played[]
  /** Index of the running attempt; -1 while the roots are created. */
  readonly current: number
  readonly failure: Failure | undefined
}

const none: SelfTest = { state: 'none', attempts: [], current: -1, failure: undefined }

/** The self-test continues after a person leaves the view, and is shown again when they return. */
export const useSelfTest = create<SelfTest>()(() => none)

let stop = new AbortController()

export function heldIn(attempts: readonly Played[]): number {
  return attempts.filter(({ result }) => result?.held).length
}

export async function startSelfTest(): Promise<void> {
  if (useSelfTest.getState().state === 'running') return
  stop = new AbortController()
  useSelfTest.setState({ ...none, state: 'running' })
  announce(t`Self-test started.`)
  try {
    for await (const event of await api.privacy.selfTest(undefined, { signal: stop.signal })) take(event)
    end('stopped')
  } catch (thrown) {
    if (!stop.signal.aborted) useSelfTest.setState({ failure: asFailure(thrown) })
    end('stopped')
  }
}

export function stopSelfTest(): void {
  stop.abort()
}

function take(event: SelfTestEvent): void {
  switch (event.type) {
    case 'planned':
      return useSelfTest.setState({ attempts: event.attempts })
    case 'started':
      return useSelfTest.setState({ current: event.index })
    case 'finished':
      return useSelfTest.setState(({ attempts }) => ({
        attempts: attempts.map((each, index) =>
          index === event.index ? { ...each, result: event.result } : each,
        ),
      }))
    case 'ended':
      return end('ended')
  }
}

function end(as: 'ended' | 'stopped'): void {
  const { state, attempts } = useSelfTest.getState()
  if (state !== 'running') return
  useSelfTest.setState({ state: as, current: -1 })
  announce(sumOf(as, attempts))
}

/** The outcome in one sentence. */
export function sumOf(state: SelfTest['state'], attempts: readonly Played[]): string {
  const played = attempts.filter(({ result }) => result).length
  const passedCount = heldIn(attempts)
  const all = attempts.length
  if (state === 'stopped')
    return passedCount < played
      ? t`Stopped after ${played} of ${all} tests. Failed: ${played - passedCount}.`
      : t`Stopped after ${played} of ${all} tests. None failed.`
  return passedCount === all ? t`All ${all} tests passed.` : t`${all - passedCount} of ${all} tests failed.`
}
