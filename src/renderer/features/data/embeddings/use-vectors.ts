import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'

/** A screen can't show more as distinct points; the saved file has all vectors. */
const MOST_SEEN = 2000
const PAGE = 250

export interface Vectors {
  /** Labels of the first texts. */
  readonly labels: readonly string[]
  readonly dimensions: number
  readonly values: Float32Array<ArrayBuffer>
  /** The number of all vectors of the embedding. */
  readonly total: number
}

export type VectorsState =
  | { readonly state: 'none' }
  | { readonly state: 'reading'; readonly read: number; readonly of: number }
  | { readonly state: 'read'; readonly vectors: Vectors }
  | { readonly state: 'failed'; readonly failure: Failure }

/**
 * Reads the first vectors of an embedding page by page, and again if their number changes. @param count the
 * number of all vectors
 */
export function useVectors(jobId: string, count: number): VectorsState & { readonly again: () => void } {
  const [turn, setTurn] = useState(0)
  const key = `${jobId}\n${String(count)}\n${String(turn)}`
  const [found, setFound] = useState<{ readonly key: string; readonly state: VectorsState }>()
  useEffect(() => {
    if (count === 0) return
    const left = new AbortController()
    const set = (state: VectorsState) => {
      if (!left.signal.aborted) setFound({ key, state })
    }
    readAll(jobId, left.signal, (read, of) => set({ state: 'reading', read, of })).then(
      (vectors) => set({ state: 'read', vectors }),
      (thrown: unknown) => set({ state: 'failed', failure: asFailure(thrown) }),
    )
    return () => left.abort()
  }, [key, jobId, count])
  const state: VectorsState =
    count === 0
      ? { state: 'none' }
      : found?.key === key
        ? found.state
        : { state: 'reading', read: 0, of: Math.min(count, MOST_SEEN) }
  return { ...state, again: () => setTurn((before) => before + 1) }
}

async function readAll(
  jobId: string,
  signal: AbortSignal,
  onRead: (read: number, of: number) => void,
): Promise<Vectors> {
  const labels: string[] = []
  let values: Float32Array<ArrayBuffer> | undefined
  for (;;) {
    const page = await api.studio.vectors(
      { jobId, from: labels.length, limit: Math.min(PAGE, MOST_SEEN - labels.length) },
      { signal },
    )
    signal.throwIfAborted()
    const { total, dimensions } = page
    const seen = Math.min(total, MOST_SEEN)
    values ??= new Float32Array(seen * dimensions)
    const floats = floatsOf(page.vectors)
    values.set(
      floats.subarray(0, Math.max(0, values.length - labels.length * dimensions)),
      labels.length * dimensions,
    )
    labels.push(...page.labels)
    onRead(labels.length, seen)
    if (page.labels.length === 0 || labels.length >= seen)
      return { labels, dimensions, total, values: values.subarray(0, labels.length * dimensions) }
  }
}

/** base64 of little-endian float32. */
function floatsOf(base64: string): Float32Array {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => view.getFloat32(at * 4, true))
}
