import type { Neighbour, Plane } from './similarity.ts'

/** What a page asks of the thread that reckons. */
export type Asked =
  | { readonly ask: 'plane'; readonly values: Float32Array<ArrayBuffer>; readonly dimensions: number }
  | { readonly ask: 'around'; readonly turn: number; readonly index: number; readonly most: number }

export interface Around {
  readonly neighbours: readonly Neighbour[]
  /** Of the chosen one and these, in that order, each with each. */
  readonly matrix: Float32Array<ArrayBuffer>
}

export type Answered =
  | { readonly answer: 'plane'; readonly plane: Plane }
  | { readonly answer: 'around'; readonly turn: number; readonly around: Around }
