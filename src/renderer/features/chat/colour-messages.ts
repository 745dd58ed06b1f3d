import type { ElementContent } from 'hast'

/** A request to the worker that colors code. */
export interface Asked {
  readonly language: string
  readonly text: string
}

/** The text in colored parts; undefined if the language is unknown. */
export interface Answered {
  readonly nodes: ElementContent[] | undefined
}
