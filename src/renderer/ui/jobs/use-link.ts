import { useCallback, useEffect, useState } from 'react'
import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../api.ts'
import { asFailure, codedFailure } from '../failure.ts'
import { onServiceChange } from '../status-store.ts'

interface Linked {
  readonly path: string
  /** Unix ms. */
  readonly expiresAt: number
  /** Unix ms. */
  readonly since: number
}

/** By job and index: what is drawn again does not ask again. */
const useLinks = create<Readonly<Record<string, Linked>>>()(() => ({}))
onServiceChange(() => useLinks.setState({}, true))

/** An address is not begun with that ends while it is read. */
const LEFT_MS = 60_000
/** One that was renewed and fails so soon fails by what is there, and another would too. */
const AT_ONCE_MS = 10_000

export interface FileLink {
  /** For `src`; undefined until it is there. */
  readonly path: string | undefined
  readonly failure: Failure | undefined
  /** After it could not be read: it may have ended. Asks for another, unless that was just done; then it has failed. */
  readonly renew: () => void
}

/** A short-lived address of a file of a job. */
export function useLink(jobId: string, index: number): FileLink {
  const key = `${jobId}/${String(index)}`
  const [renewed, setRenewed] = useState({ key, times: 0 })
  const turn = renewed.key === key ? renewed.times : 0
  const path = useLinks((links) => links[key]?.path)
  const [failed, setFailed] = useState<{
    readonly key: string
    readonly turn: number
    readonly failure: Failure
  }>()
  useEffect(() => {
    const kept = useLinks.getState()[key]
    if (kept && kept.expiresAt - Date.now() > LEFT_MS) return
    const left = new AbortController()
    api.studio.link({ jobId, index }, { signal: left.signal }).then(
      (linked) => useLinks.setState({ [key]: { ...linked, since: Date.now() } }),
      (thrown: unknown) => {
        if (!left.signal.aborted) setFailed({ key, turn, failure: asFailure(thrown) })
      },
    )
    return () => left.abort()
  }, [key, jobId, index, turn])
  const renew = useCallback(() => {
    const kept = useLinks.getState()[key]
    if (turn > 0 && kept && Date.now() - kept.since < AT_ONCE_MS) {
      setFailed({ key, turn, failure: codedFailure('studio/unknown') })
      return
    }
    useLinks.setState(({ [key]: _, ...others }) => others, true)
    setRenewed({ key, times: turn + 1 })
  }, [key, turn])
  return { path, failure: failed?.key === key && failed.turn === turn ? failed.failure : undefined, renew }
}
