import { fold } from '../../shared/text-index/fold.ts'
import { piecesOf } from '../../shared/text-index/split-words.ts'
import { stem } from './stem.ts'

/** Longer words are probably data, so only their beginning is indexed. */
const LONGEST = 64

/** The words of Chinese, Japanese, Thai and the like come from ICU's dictionaries, in every locale. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * The words by which the index finds a text, each as often as it occurs. Case, accents and widths don't matter. In scripts without
 * spaces, a word of more than two characters also counts by each two adjacent ones, because a query may be cut elsewhere.
 */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (word: string): void => void counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const { text: piece, run } of piecesOf(fold(text))) {
    if (!run) {
      count(stem(piece.slice(0, LONGEST)))
      continue
    }
    for (const { segment } of segmenter.segment(piece)) {
      const word = segment.slice(0, LONGEST)
      count(word)
      const characters = Array.from(word)
      if (characters.length < 3) continue
      for (let at = 1; at < characters.length; at += 1)
        count(`${characters[at - 1] ?? ''}${characters[at] ?? ''}`)
    }
  }
  return counts
}
