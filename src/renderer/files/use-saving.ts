import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { announce } from '../ui/announcer.tsx'
import { asFailure } from '../ui/failure.ts'
import { saveBlob } from '../ui/save-file.ts'

/** A piece of the file, or how much of it was read. */
type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'progress'; readonly of: number; readonly done: number }
  | { readonly type: 'progress'; readonly of: number; readonly read: number }

interface Saving<Ended> {
  /** `of` is 0 if the total isn't known yet. */
  readonly progress: { readonly done: number; readonly of: number } | undefined
  readonly failure: Failure | undefined
  /** In words; empty before. */
  readonly outcome: string
  /** Resolves to true when the file was saved. */
  readonly save: (
    name: string,
    type: string,
    events: (signal: AbortSignal) => Promise<AsyncIterable<Piece | Ended>>,
  ) => Promise<boolean>
  readonly stop: () => void
}

/**
 * Saves a file that arrives in pieces, but only when it is complete. The state has the last event, so that a change of
 * language changes the outcome.
 * @param wordsOf the outcome in words
 */
export function useSaving<Ended extends { readonly type: 'ended' }>(
  wordsOf: (ended: Ended) => string,
): Saving<Ended> {
  const [progress, setProgress] = useState<Saving<Ended>['progress']>()
  const [failure, setFailure] = useState<Failure>()
  const [end, setEnd] = useState<Ended | 'stopped'>()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const save: Saving<Ended>['save'] = async (name, type, events) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    setProgress({ done: 0, of: 0 })
    setFailure(undefined)
    setEnd(undefined)
    try {
      const parts: string[] = []
      for await (const event of await events(signal)) {
        signal.throwIfAborted()
        if (event.type === 'text') parts.push(event.text)
        else if (event.type === 'progress')
          setProgress({ done: 'done' in event ? event.done : event.read, of: event.of })
        else {
          saveBlob(name, new Blob(parts, { type }))
          setEnd(event)
          announce(wordsOf(event))
          return true
        }
      }
      signal.throwIfAborted()
      // A file that ended early isn't valid.
      throw new Error('the file did not end')
    } catch (thrown) {
      if (signal.aborted) setEnd('stopped')
      else setFailure(asFailure(thrown))
      return false
    } finally {
      setProgress(undefined)
    }
  }
  const outcome = end === 'stopped' ? t`Stopped. Nothing was saved.` : end ? wordsOf(end) : ''
  return { progress, failure, outcome, save, stop: () => stop.current?.abort() }
}
