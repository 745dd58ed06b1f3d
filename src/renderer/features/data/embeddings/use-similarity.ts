import { useEffect, useRef, useState } from 'react'
import { startOwnWorker } from '../../../ui/own-worker.ts'
import workerAddress from './similarity-worker.ts?worker&url'
import type { Plane, Neighbour } from './similarity.ts'
import type { Vectors } from './use-vectors.ts'
import { formatDecimal } from '../../../ui/format/number.ts'

/** The page's messages to the similarity worker. */
export type Asked =
  | { readonly ask: 'plane'; readonly values: Float32Array<ArrayBuffer>; readonly dimensions: number }
  | { readonly ask: 'around'; readonly turn: number; readonly index: number; readonly most: number }

interface Around {
  readonly neighbours: readonly Neighbour[]
  /** The similarities between the selected text and these neighbors, in that order, each with each. */
  readonly matrix: Float32Array<ArrayBuffer>
}

export type Answered =
  | { readonly answer: 'plane'; readonly plane: Plane }
  | { readonly answer: 'around'; readonly turn: number; readonly around: Around }

/** The number of listed neighbors. The heat map shows them and the selected text. */
const MOST_NEIGHBOURS = 24

export interface Similarity {
  /** Undefined while the worker calculates it. */
  readonly plane: Plane | undefined
  readonly around: Around | undefined
  readonly failed: boolean
}

/** Calculates similarities in a worker while the vectors are on display. */
export function useSimilarity(vectors: Vectors, chosen: number): Similarity {
  const worker = useRef<Worker>(null)
  const [plane, setPlane] = useState<{ readonly of: Vectors; readonly plane: Plane }>()
  const [around, setAround] = useState<{
    readonly of: Vectors
    readonly chosen: number
    readonly around: Around
  }>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const thread = startOwnWorker(workerAddress)
    worker.current = thread
    thread.addEventListener('error', () => setFailed(true))
    thread.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
      if (data.answer === 'plane') setPlane({ of: vectors, plane: data.plane })
      else setAround({ of: vectors, chosen: data.turn, around: data.around })
    })
    ask(thread, { ask: 'plane', values: vectors.values, dimensions: vectors.dimensions })
    return () => {
      thread.terminate()
      worker.current = null
    }
  }, [vectors])
  useEffect(() => {
    if (worker.current)
      ask(worker.current, { ask: 'around', turn: chosen, index: chosen, most: MOST_NEIGHBOURS })
  }, [vectors, chosen])
  return {
    plane: plane?.of === vectors ? plane.plane : undefined,
    around: around?.of === vectors && around.chosen === chosen ? around.around : undefined,
    failed,
  }
}

function ask(thread: Worker, asked: Asked): void {
  thread.postMessage(asked)
}

/** A cosine with two places, as the language writes numbers. */
export function formatSimilarity(similarity: number): string {
  const rounded = similarity.toFixed(2)
  return formatDecimal(rounded === '-0.00' ? '0.00' : rounded, 2)
}
