import { formatDecimal } from '../../../ui/format/number.ts'

/** A cosine with two places, as the language writes numbers. */
export function formatSimilarity(similarity: number): string {
  const rounded = similarity.toFixed(2)
  return formatDecimal(rounded === '-0.00' ? '0.00' : rounded, 2)
}
