import { create } from 'zustand'

/** One thing that can be done from anywhere. */
export interface Command {
  readonly id: string
  readonly title: string
  /** Other words that find it. */
  readonly also?: string
  readonly keys?: string
  readonly run: () => void
}

export const usePalette = create<{ readonly open: boolean }>()(() => ({ open: false }))

export function openPalette(): void {
  usePalette.setState({ open: true })
}

export function closePalette(): void {
  usePalette.setState({ open: false })
}

/** The commands that hold every word of the question, best first: a title that begins with it, then one that has it. */
export function findCommands(commands: readonly Command[], question: string): readonly Command[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = ({ title }: Command) => (title.toLowerCase().startsWith(words.join(' ')) ? 0 : 1)
  return commands
    .filter(({ title, also = '' }) => words.every((word) => `${title} ${also}`.toLowerCase().includes(word)))
    .toSorted((a, b) => rank(a) - rank(b))
}
