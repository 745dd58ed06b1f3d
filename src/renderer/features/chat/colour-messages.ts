import type { ElementContent } from 'hast'

/** What the thread that colours code is asked. */
export interface Asked {
  readonly language: string
  readonly text: string
}

/** The text in coloured parts; undefined where its language is not known. */
export interface Answered {
  readonly nodes: ElementContent[] | undefined
}
