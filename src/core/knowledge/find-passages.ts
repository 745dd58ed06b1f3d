import { fold } from '../../shared/text-index/fold.ts'
import type { FoundPassage } from '../../shared/knowledge.ts'
import { MAX_PASSAGE_LENGTH } from '../../shared/passage-text.ts'
import type { Store } from '../storage/index.ts'
import { countWords } from './count-words.ts'
import { diversify, type Candidate } from './diversity.ts'
import { toPassage } from './passage-id.ts'
import { readPassage, type ProjectIndex } from './project-index.ts'

/** Passages whose text is compared before a result is selected. */
const CANDIDATES = 24
/** A passage with less of the best one's score has hardly anything to do with the query. */
const LEAST_SHARE = 0.3
const MOST_PER_DOCUMENT = 3
/** UTF-16 units of a query that count as a quotation if a passage contains all of it. */
const QUOTATION_LENGTH = 12

interface Compared extends Candidate {
  readonly passage: FoundPassage
}

/**
 * The passages of a project for a query, the best first. One that contains the whole query is before all that don't.
 *
 * @param most the size of the result
 */
export function findPassages(
  store: Store['knowledge'],
  { ranking, passages, documents }: ProjectIndex,
  query: string,
  most: number,
): FoundPassage[] {
  const scored = ranking.find(countWords(query).keys(), CANDIDATES)
  const best = scored[0]?.score ?? 0
  const quotation = comparable(query)
  const candidates = scored.flatMap(({ unit, score }): Compared[] => {
    const indexed = passages[unit]
    if (!indexed || score < best * LEAST_SHARE) return []
    const { document, number } = indexed
    const stored = readPassage(store, document.id, number)
    if (!stored) return []
    const isQuoted =
      quotation.length >= QUOTATION_LENGTH &&
      quotation.length <= MAX_PASSAGE_LENGTH &&
      comparable(stored.text).includes(quotation)
    const passage = { ...toPassage(document, stored), score: isQuoted ? score + best : score }
    return [
      {
        documentId: document.id,
        score: passage.score,
        terms: countWords(stored.text),
        passage,
      },
    ]
  })
  return diversify(
    candidates.toSorted((a, b) => b.score - a.score),
    // Another document can't add anything to the only one.
    { most, mostPerDocument: documents > 1 ? MOST_PER_DOCUMENT : most },
  ).map(({ passage }) => passage)
}

function comparable(text: string): string {
  return fold(text).replaceAll(/\s+/g, ' ').trim()
}
