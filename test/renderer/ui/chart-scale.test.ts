import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridValues, hasAxisLabel } from '../../../src/renderer/ui/chart-scale.ts'

test.each([
  [1.41, [0, 0.5, 1, 1.5]],
  [3, [0, 1, 2, 3]],
  [3.1, [0, 2, 4, 6]],
  [70, [0, 25, 50, 75]],
  [0, [0, 1, 2, 3]],
  [-5, [0, 1, 2, 3]],
])('the grid of a chart up to %d has round values', (most, lines) => expect(gridValues(most)).toEqual(lines))

test('the grid begins at 0, reaches the highest value, and leaves at most two thirds of the height empty', () =>
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
      const lines = gridValues(most)
      const top = lines.at(-1) ?? 0
      expect(lines).toHaveLength(4)
      expect(lines[0]).toBe(0)
      expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-9))
      expect(top).toBeLessThan(most * 3)
    }),
  ))

test('the first column and every seventh have a label', () =>
  expect(Array.from({ length: 30 }, (_, index) => index).filter(hasAxisLabel)).toEqual([0, 7, 14, 21, 28]))
