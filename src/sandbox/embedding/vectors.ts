/**
 * Embeds a text as a vector of length 1. Each of its words and letter trigrams has a direction, and the
 * vector is their normalized sum. Texts that share words are therefore close, whatever their order or case.
 * @param dimensions the number; fewer are the first of more, normalized again
 */
export function embed(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions)
  for (const [feature, weight] of featuresOf(text)) add(vector, hash(feature), weight)
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, (value) => value / length)
}

/** Words weigh more than their parts; what comes often weighs more, but not in proportion. */
function featuresOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (feature: string, weight: number) =>
    counts.set(feature, (counts.get(feature) ?? 0) + weight * weight)
  // A text without a letter is still a text.
  count(`text ${text.length === 0 ? '' : text.trim().slice(0, 1)}`, 0.1)
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    count(`word ${word}`, 1)
    const edged = ` ${word} `
    for (let at = 0; at + 3 <= edged.length; at += 1) count(`part ${edged.slice(at, at + 3)}`, 0.4)
  }
  return new Map([...counts].map(([feature, squares]) => [feature, Math.sqrt(squares)]))
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/** Adds the feature's own direction: xorshift from its hash, one sign for each dimension. */
function add(vector: Float64Array, seed: number, weight: number): void {
  let state = seed === 0 ? 1 : seed
  for (let at = 0; at < vector.length; at += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    vector[at] = (vector[at] ?? 0) + (state & 0x100 ? weight : -weight)
  }
}

/** The properties of an embedding model that the listing doesn't have. */
interface EmbeddingModel {
  readonly dimensions: number
  /** Fewer dimensions can be asked for. */
  readonly shortens: boolean
}

export const embeddingModels: Readonly<Record<string, EmbeddingModel>> = {
  'sandbox/eco-embedding-small': { dimensions: 512, shortens: false },
  'sandbox/eco-embedding-large': { dimensions: 1536, shortens: true },
}

/** For one input (Limits of the specification). */
export const maxTokens = 8191
