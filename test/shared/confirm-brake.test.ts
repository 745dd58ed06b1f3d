import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ConfirmBrake } from '../../src/shared/confirm-brake.ts'
import { SottoError } from '../../src/shared/errors.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function braked() {
  const clock = { now: 0 }
  return { clock, brake: new ConfirmBrake(() => clock.now) }
}

/** The refusal's code and wait; null if there is none. */
function refusal(act: () => unknown): [code: string, seconds: number | undefined] | null {
  try {
    act()
    return null
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    return [thrown.code, thrown.details.retryAfterSeconds]
  }
}

it('doubles the wait with each wrong answer, from one second to 15 minutes', () => {
  const { clock, brake } = braked()
  const waits = Array.from({ length: 12 }, () => {
    const seconds = brake.noteWrong('window')
    expect(refusal(() => brake.requireNoWait('window'))).toEqual(['confirm/too-soon', seconds])
    clock.now += seconds * 1000 - 1
    expect(refusal(() => brake.requireNoWait('window'))).toEqual(['confirm/too-soon', 1])
    clock.now += 1
    expect(refusal(() => brake.requireNoWait('window'))).toBeNull()
    return seconds
  })
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

it('doesn’t extend the wait for early answers, and resets it after a correct one', () => {
  const { clock, brake } = braked()
  brake.noteWrong('window')
  for (let early = 0; early < 10; early++)
    expect(refusal(() => brake.requireNoWait('window'))).toEqual(['confirm/too-soon', 1])
  clock.now += 1000
  expect(brake.noteWrong('window')).toBe(2)
  brake.noteRight('window')
  expect(refusal(() => brake.requireNoWait('window'))).toBeNull()
  expect(brake.noteWrong('window')).toBe(1)
})

it('allows five unconfirmed questions per hour, and reports when the next is allowed', () => {
  const { clock, brake } = braked()
  for (let asked = 0; asked < 5; asked++) {
    brake.countQuestion('window')
    clock.now += MINUTE
  }
  expect(refusal(() => brake.countQuestion('window'))).toEqual(['confirm/too-many', 55 * 60])
  clock.now = HOUR - 1
  expect(refusal(() => brake.countQuestion('window'))).toEqual(['confirm/too-many', 1])
  clock.now = HOUR
  expect(refusal(() => brake.countQuestion('window'))).toBeNull()
  expect(refusal(() => brake.countQuestion('window'))).toEqual(['confirm/too-many', 60])
})

it('doesn’t count confirmed questions', () => {
  const { brake } = braked()
  for (let asked = 0; asked < 20; asked++) brake.countQuestion('window')()
  for (let asked = 0; asked < 4; asked++) brake.countQuestion('window')
  const uncount = brake.countQuestion('window')
  uncount()
  uncount()
  expect(refusal(() => brake.countQuestion('window'))).toBeNull()
  expect(refusal(() => brake.countQuestion('window'))?.[0]).toBe('confirm/too-many')
})

it('counts each caller separately, so that a window that asks and guesses doesn’t delay others', () => {
  const { brake } = braked()
  for (let asked = 0; asked < 5; asked++) {
    brake.countQuestion('window')
    brake.noteWrong('window')
  }
  expect(refusal(() => brake.countQuestion('window'))?.[0]).toBe('confirm/too-many')
  expect(refusal(() => brake.requireNoWait('window'))?.[0]).toBe('confirm/too-soon')
  expect(refusal(() => brake.countQuestion('cli'))).toBeNull()
  expect(refusal(() => brake.requireNoWait('cli'))).toBeNull()
})

it('never allows more than five unconfirmed questions in any hour', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: HOUR / 2 }), confirmed: fc.boolean() }), {
        maxLength: 80,
      }),
      (steps) => {
        const { clock, brake } = braked()
        const unconfirmed: number[] = []
        for (const { waitMs, confirmed } of steps) {
          clock.now += waitMs
          if (
            refusal(() => {
              const uncount = brake.countQuestion('window')
              if (confirmed) uncount()
            })
          )
            continue
          if (!confirmed) unconfirmed.push(clock.now)
        }
        for (const at of unconfirmed)
          expect(unconfirmed.filter((other) => other >= at && other < at + HOUR).length).toBeLessThanOrEqual(
            5,
          )
      },
    ),
  )
})
