import { create } from 'zustand'

/** An action that is available everywhere. */
export interface Command {
  readonly id: string
  readonly title: string
  /** Further words that find the command. */
  readonly also?: string
  readonly keys?: string
  readonly run: () => void
}

export const usePalette = create<{ readonly open: boolean }>()(() => ({ open: false }))

export function showPalette(): void {
  usePalette.setState({ open: true })
}

export function closePalette(): void {
  usePalette.setState({ open: false })
}

/**
 * The commands that contain every word of the query, best first: a title that begins with it, then a title that
 * contains it.
 */
export function findCommands(commands: readonly Command[], question: string): readonly Command[] {
  const terms = question.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = ({ title }: Command) => (title.toLowerCase().startsWith(terms.join(' ')) ? 0 : 1)
  return commands
    .filter(({ title, also = '' }) => terms.every((word) => `${title} ${also}`.toLowerCase().includes(word)))
    .toSorted((a, b) => rank(a) - rank(b))
}
