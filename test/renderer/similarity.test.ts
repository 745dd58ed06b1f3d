import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { nearestTo, nextTowards } from '../../src/renderer/features/data/embeddings/map-places.ts'
import { findTexts } from '../../src/renderer/features/data/embeddings/neighbours.tsx'
import {
  matrixOf,
  neighboursOf,
  planeOf,
  unitOf,
} from '../../src/renderer/features/data/embeddings/similarity.ts'

const unit = (...vectors: number[][]) => unitOf(Float32Array.from(vectors.flat()), vectors[0]?.length ?? 0)

describe('the nearest neighbors', () => {
  it('are sorted by similarity, independent of their length, without the text itself', () => {
    const { count, ...rest } = unit([1, 0], [0, 3], [5, 0.5], [-1, 0], [2, 2])
    const found = neighboursOf({ count, ...rest }, 0, 10)
    expect(found.map(({ index }) => index)).toEqual([2, 4, 1, 3])
    expect(found[0]?.similarity).toBeCloseTo(0.995, 3)
    expect(found.at(-1)?.similarity).toBeCloseTo(-1)
    expect(neighboursOf({ count, ...rest }, 0, 2)).toHaveLength(2)
  })
  it('have a similarity of zero to a vector without a direction', () => {
    expect(neighboursOf(unit([0, 0], [1, 0]), 0, 5)).toEqual([{ index: 1, similarity: 0 }])
  })
})

test('the similarity matrix is symmetric, and one on its diagonal', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.double({ min: 0.1, max: 9, noNaN: true }), fc.double({ min: -9, max: 9, noNaN: true })),
        { minLength: 1, maxLength: 8 },
      ),
      (vectors) => {
        const size = vectors.length
        const matrix = matrixOf(
          unit(...vectors.map(([x, y]) => [x, y])),
          vectors.map((_, at) => at),
        )
        for (let one = 0; one < size; one++) {
          expect(matrix[one * size + one]).toBeCloseTo(1, 4)
          for (let other = 0; other < size; other++)
            expect(matrix[one * size + other]).toBeCloseTo(matrix[other * size + one] ?? NaN, 5)
        }
      },
    ),
  )
})

describe('the plane', () => {
  it('shows the directions of the largest differences, and returns how much of them is visible', () => {
    // Along one line, seen in three dimensions.
    const along = planeOf({
      count: 5,
      dimensions: 3,
      values: Float32Array.from([-2, -1, 0, 1, 2].flatMap((at) => [at * 2, at, at * 2])),
    })
    expect(along.seen).toBeCloseTo(1, 5)
    const xs = [0, 1, 2, 3, 4].map((at) => along.points[at * 2] ?? NaN)
    expect(Math.abs(xs[0] ?? 0)).toBeCloseTo(1)
    expect(xs.map((x) => x / (xs[4] ?? 1)).map((x) => Math.round(x * 100) / 100)).toEqual([
      -1, -0.5, 0, 0.5, 1,
    ])
    for (let at = 0; at < 5; at++) expect(along.points[at * 2 + 1]).toBeCloseTo(0, 5)
  })
  it('is the same for the same vectors, and stays within its bounds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.double({ min: -5, max: 5, noNaN: true }),
            fc.double({ min: -5, max: 5, noNaN: true }),
            fc.double({ min: -5, max: 5, noNaN: true }),
          ),
          { minLength: 1, maxLength: 12 },
        ),
        (vectors) => {
          const one = planeOf(unit(...vectors.map(([x, y, z]) => [x, y, z])))
          expect(one).toEqual(planeOf(unit(...vectors.map(([x, y, z]) => [x, y, z]))))
          expect(one.points.every((value) => Math.abs(value) <= 1.0001)).toBe(true)
          expect(one.seen).toBeGreaterThanOrEqual(0)
          expect(one.seen).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

test('arrow keys go to the nearest point in their direction, and a click goes to the nearest point', () => {
  const points = Float32Array.from([0, 0, 0.5, 0.1, 0.9, 0, -0.4, 0, 0, 0.8])
  expect([
    nextTowards(points, 0, [1, 0]),
    nextTowards(points, 0, [-1, 0]),
    nextTowards(points, 0, [0, 1]),
    nextTowards(points, 0, [0, -1]),
  ]).toEqual([1, 3, 4, undefined])
  expect(nearestTo(points, { x: 100, y: 50 }, { width: 100, height: 100 })).toBe(2)
})

test('texts are found by all words, in any case', () => {
  expect(findTexts(['An otter swims', 'a beaver', 'OTTER'], 'otter')).toEqual([0, 2])
  expect(findTexts(['An otter swims', 'a beaver'], 'swims AN')).toEqual([0])
  expect(findTexts(['a'], '')).toEqual([0])
})
