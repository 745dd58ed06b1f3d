import fc from 'fast-check'
import { expect, it } from 'vitest'
import { peaksOf } from '../../../src/renderer/features/studio/transcription/peaks.ts'

const tone = (seconds: number): number[] =>
  Array.from({ length: seconds * 1000 }, (_, at) => 0.5 * Math.sin(at))
const silence = (seconds: number): number[] => Array.from({ length: seconds * 1000 }, () => 0)

it('is as loud as its loudest sample, stretch by stretch, and counts pauses between sounds', () => {
  const { levels, seconds, pauses } = peaksOf(
    Float32Array.from([
      ...silence(2),
      ...tone(1),
      ...silence(2),
      ...tone(1),
      ...silence(0.5),
      ...tone(0.5),
      ...silence(3),
    ]),
    1000,
    10,
  )
  expect([...levels].map((level) => Math.round(level))).toEqual([0, 0, 1, 0, 0, 1, 1, 0, 0, 0])
  expect([seconds, pauses]).toEqual([10, 1])
})
it('of silence is flat', () =>
  expect(peaksOf(new Float32Array(1000), 1000, 4)).toEqual({
    levels: new Float32Array(4),
    seconds: 1,
    pauses: 0,
  }))
it('is a number from 0 to 1 whatever a decoder made of it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.float(), { maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      (samples, count) => {
        const { levels } = peaksOf(Float32Array.from(samples), 100, count)
        expect(levels.length).toBe(count)
        expect(levels.every((level) => level >= 0 && level <= 1)).toBe(true)
      },
    ),
  )
})
