import { useCallback, useEffect, useState } from 'react'
import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../api.ts'
import { asFailure } from '../failure.ts'
import { onServiceChange } from '../status-store.ts'

interface Linked {
  readonly path: string
  /** Unix ms. */
  readonly expiresAt: number
}

/** By job and index: what is drawn again does not ask again. */
const useLinks = create<Readonly<Record<string, Linked>>>()(() => ({}))
onServiceChange(() => useLinks.setState({}, true))

/** An address is not begun with that ends while it is read. */
const LEFT_MS = 60_000

export interface FileLink {
  /** For `src`; undefined until it is there. */
  readonly path: string | undefined
  readonly failure: Failure | undefined
  /** After it could not be read: it may have ended. Asks for another. */
  readonly renew: () => void
}

/** A short-lived address of a file of a job. */
export function useLink(jobId: string, index: number): FileLink {
  const key = `${jobId}/${String(index)}`
  const [turn, setTurn] = useState(0)
  const path = useLinks((links) => links[key]?.path)
  const [failed, setFailed] = useState<{ readonly key: string; readonly turn: number; readonly failure: Failure }>()
  useEffect(() => {
    const kept = useLinks.getState()[key]
    if (kept && kept.expiresAt - Date.now() > LEFT_MS) return
    const left = new AbortController()
    api.studio.link({ jobId, index }, { signal: left.signal }).then(
      (linked) => useLinks.setState({ [key]: linked }),
      (thrown: unknown) => { if (!left.signal.aborted) setFailed({ key, turn, failure: asFailure(thrown) }) },
    )
    return () => left.abort()
  }, [key, jobId, index, turn])
  const renew = useCallback(() => {
    useLinks.setState(({ [key]: _, ...others }) => others, true)
    setTurn((before) => before + 1)
  }, [key])
  return { path, failure: failed?.key === key && failed.turn === turn ? failed.failure : undefined, renew }
}
