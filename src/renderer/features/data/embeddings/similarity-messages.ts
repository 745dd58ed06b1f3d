import type { Neighbour, Plane } from './similarity.ts'

/** The page's messages to the similarity worker. */
export type Asked =
  | { readonly ask: 'plane'; readonly values: Float32Array<ArrayBuffer>; readonly dimensions: number }
  | { readonly ask: 'around'; readonly turn: number; readonly index: number; readonly most: number }

export interface Around {
  readonly neighbours: readonly Neighbour[]
  /** The similarities between the selected text and these neighbors, in that order, each with each. */
  readonly matrix: Float32Array<ArrayBuffer>
}

export type Answered =
  | { readonly answer: 'plane'; readonly plane: Plane }
  | { readonly answer: 'around'; readonly turn: number; readonly around: Around }
