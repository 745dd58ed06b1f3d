/** Vectors of the same length, one after another, each of length 1 or 0: their product is the cosine of the angle between them. */
export interface Unit {
  readonly count: number
  readonly dimensions: number
  readonly values: Float32Array
}

/** A vector without a direction stays zero, and its similarity to every vector is 0. */
export function unitOf(values: Float32Array, dimensions: number): Unit {
  const count = dimensions === 0 ? 0 : Math.floor(values.length / dimensions)
  const unit = new Float32Array(count * dimensions)
  for (let at = 0; at < count; at++) {
    const vector = values.subarray(at * dimensions, (at + 1) * dimensions)
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    if (length > 0)
      unit.set(
        vector.map((value) => value / length),
        at * dimensions,
      )
  }
  return { count, dimensions, values: unit }
}

function similarityOf({ dimensions, values }: Unit, one: number, other: number): number {
  let sum = 0
  const [a, b] = [one * dimensions, other * dimensions]
  for (let at = 0; at < dimensions; at++) sum += (values[a + at] ?? 0) * (values[b + at] ?? 0)
  return Math.min(1, Math.max(-1, sum))
}

export interface Neighbour {
  readonly index: number
  /** The cosine: 1 for the same direction, 0 for nothing in common. */
  readonly similarity: number
}

/** The most similar first; of equal vectors, the one with the lower index first. */
export function neighboursOf(unit: Unit, index: number, most: number): Neighbour[] {
  const all = Array.from({ length: unit.count }, (_, at): Neighbour => ({
    index: at,
    similarity: similarityOf(unit, index, at),
  })).filter((each) => each.index !== index)
  return all
    .toSorted((one, other) => other.similarity - one.similarity || one.index - other.index)
    .slice(0, most)
}

/** Row by row, each vector with each. */
export function matrixOf(unit: Unit, indices: readonly number[]): Float32Array<ArrayBuffer> {
  const size = indices.length
  const matrix = new Float32Array(size * size)
  for (const [row, one] of indices.entries()) {
    for (const [column, other] of indices.entries())
      matrix[row * size + column] = similarityOf(unit, one, other)
  }
  return matrix
}

export interface Plane {
  /** x and y of each vector, between -1 and 1. */
  readonly points: Float32Array<ArrayBuffer>
  /** The fraction of the variance that the plane shows: 0 to 1. */
  readonly seen: number
}

const ROUNDS = 60
const STILL = 1e-7

/**
 * The two directions in which the vectors differ most (principal components, by power iteration). The same
 * vectors always give the same plane.
 */
export function planeOf({ count, dimensions, values }: Unit): Plane {
  const mean = new Float64Array(dimensions)
  for (let at = 0; at < values.length; at++)
    mean[at % dimensions] = (mean[at % dimensions] ?? 0) + (values[at] ?? 0) / count
  const centred = values.map((value, at) => value - (mean[at % dimensions] ?? 0))
  const whole = centred.reduce((sum, value) => sum + value * value, 0)
  const first = direction(centred, count, dimensions, [])
  const second = direction(centred, count, dimensions, [first])
  const scores = [scoresOf(centred, count, dimensions, first), scoresOf(centred, count, dimensions, second)]
  const most = Math.max(
    ...scores.map((score) => score.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0)),
    Number.EPSILON,
  )
  const points = new Float32Array(count * 2)
  for (let at = 0; at < count; at++)
    points.set(
      scores.map((score) => (score[at] ?? 0) / most),
      at * 2,
    )
  const seen = scores.reduce(
    (sum, score) => sum + score.reduce((squares, value) => squares + value * value, 0),
    0,
  )
  return { points, seen: whole === 0 ? 0 : Math.min(1, seen / whole) }
}

function direction(
  centred: Float32Array,
  count: number,
  dimensions: number,
  without: readonly Float64Array[],
): Float64Array {
  let current: Float64Array = Float64Array.from({ length: dimensions }, (_, at) => Math.sin(at + 1))
  orthogonal(current, without)
  for (let round = 0; round < ROUNDS; round++) {
    const scores = scoresOf(centred, count, dimensions, current)
    const next = new Float64Array(dimensions)
    for (let row = 0; row < count; row++) {
      const score = scores[row] ?? 0
      for (let at = 0, from = row * dimensions; at < dimensions; at++)
        next[at] = (next[at] ?? 0) + score * (centred[from + at] ?? 0)
    }
    if (!orthogonal(next, without)) return next
    const moved = next.reduce((sum, value, at) => sum + Math.abs(value - (current[at] ?? 0)), 0)
    current = next
    if (moved < STILL * dimensions) break
  }
  return current
}

/** Makes the vector orthogonal to the others, with length 1. Returns false if nothing of it remains. */
function orthogonal(vector: Float64Array, others: readonly Float64Array[]): boolean {
  for (const other of others) {
    const along = vector.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
    for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) - along * (other[at] ?? 0)
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  if (length < 1e-12) {
    vector.fill(0)
    return false
  }
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
  return true
}

function scoresOf(
  centred: Float32Array,
  count: number,
  dimensions: number,
  along: Float64Array,
): Float64Array {
  const scores = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    let sum = 0
    for (let at = 0, from = row * dimensions; at < dimensions; at++)
      sum += (centred[from + at] ?? 0) * (along[at] ?? 0)
    scores[row] = sum
  }
  return scores
}
