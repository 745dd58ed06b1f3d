/** A set, or the keys of a map. */
type Terms = Pick<ReadonlySet<string>, 'has' | 'size' | 'keys'>

/** A passage that could be in a result. */
export interface Candidate {
  readonly documentId: string
  readonly score: number
  /** The different words of its text. */
  readonly terms: Terms
}

export interface DiversityOptions {
  /** The size of the result. */
  readonly most: number
  readonly mostPerDocument: number
}

/** The share of the score against the similarity to better passages (maximal marginal relevance, Carbonell and Goldstein, 1998). */
const RELEVANCE = 0.8
/** Passages that share more of their words are the same text. */
const NEAR_DUPLICATE = 0.8

/**
 * Selects passages that add something to each other, the best first: at most some of each document, and no near duplicates. The same
 * candidates always give the same result.
 *
 * @param candidates the best first
 */
export function diversify<T extends Candidate>(
  candidates: readonly T[],
  { most, mostPerDocument }: DiversityOptions,
): T[] {
  const best = candidates[0]?.score ?? 0
  if (best <= 0) return []
  const selected: T[] = []
  const perDocument = new Map<string, number>()
  let left = candidates.map((candidate) => ({ candidate, similarity: 0 }))
  while (selected.length < most) {
    left = left.filter(
      ({ candidate: { documentId }, similarity }) =>
        similarity < NEAR_DUPLICATE && (perDocument.get(documentId) ?? 0) < mostPerDocument,
    )
    let next: (typeof left)[number] | undefined
    let highest = -Infinity
    for (const one of left) {
      const value = (RELEVANCE * one.candidate.score) / best - (1 - RELEVANCE) * one.similarity
      if (value > highest) {
        highest = value
        next = one
      }
    }
    if (!next) break
    const { candidate } = next
    selected.push(candidate)
    perDocument.set(candidate.documentId, (perDocument.get(candidate.documentId) ?? 0) + 1)
    left = left
      .filter((one) => one !== next)
      .map((one) => ({
        candidate: one.candidate,
        similarity: Math.max(one.similarity, similarityOf(one.candidate.terms, candidate.terms)),
      }))
  }
  return selected
}

/** The words that both have, as a share of the shorter one: an overlapping passage may be longer. */
function similarityOf(one: Terms, other: Terms): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one]
  if (few.size === 0) return 0
  let shared = 0
  for (const word of few.keys()) if (many.has(word)) shared += 1
  return shared / few.size
}
