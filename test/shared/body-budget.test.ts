import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  BodyBudget,
  DEFAULT_BODY_MEMORY_BYTES,
  MIN_BODY_MEMORY_BYTES,
  type CountedBody,
} from '../../src/shared/body-budget.ts'
import { SottoError } from '../../src/shared/errors.ts'

const MIB = 1024 * 1024
const TOTAL = 64 * MIB

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    if (thrown instanceof SottoError) return thrown.code
    throw thrown
  }
}

describe('the memory budget of all request bodies', () => {
  it('is 512 MiB by default', () => {
    expect(DEFAULT_BODY_MEMORY_BYTES).toBe(512 * MIB)
    const budget = new BodyBudget()
    const bodies = Array.from({ length: 8 }, () => {
      const body = budget.begin(64 * MIB, 64 * MIB)
      body.add(64 * MIB)
      return body
    })
    expect(codeOf(() => budget.begin(1, 64 * MIB))).toBe('proxy/busy')
    bodies[0]![Symbol.dispose]()
    expect(codeOf(() => budget.begin(64 * MIB, 64 * MIB))).toBeUndefined()
  })

  it('always fits one body of the largest size', () => {
    expect(MIN_BODY_MEMORY_BYTES).toBe(64 * MIB)
    const body = new BodyBudget({ bytes: 1 }).begin(64 * MIB, 64 * MIB)
    expect(codeOf(() => body.add(64 * MIB))).toBeUndefined()
  })

  it('refuses an announced body that is too large or doesn’t fit, with the time to retry', () => {
    const budget = new BodyBudget({ bytes: TOTAL })
    budget.begin(undefined, TOTAL).add(40 * MIB)
    expect(codeOf(() => budget.begin(TOTAL + 1, TOTAL))).toBe('proxy/body-too-large')
    const busy = expect.objectContaining({
      code: 'proxy/busy',
      status: 503,
      details: { retryAfterSeconds: 5 },
    }) as unknown
    expect(() => budget.begin(25 * MIB, TOTAL)).toThrow(busy)
    expect(codeOf(() => budget.begin(24 * MIB, TOTAL))).toBeUndefined()
  })

  it('counts nothing for a body that is announced and not sent', () => {
    const budget = new BodyBudget({ bytes: TOTAL })
    for (let opened = 0; opened < 100; opened++) budget.begin(TOTAL, TOTAL)
    expect(budget.heldBytes).toBe(0)
    expect(codeOf(() => budget.begin(TOTAL, TOTAL).add(TOTAL))).toBeUndefined()
  })

  it('reports each release once', () => {
    const onRelease = vi.fn()
    const budget = new BodyBudget({ bytes: TOTAL, onRelease })
    const body = budget.begin(1, TOTAL)
    body.add(1)
    body[Symbol.dispose]()
    body[Symbol.dispose]()
    expect([onRelease.mock.calls.length, budget.heldBytes]).toEqual([1, 0])
  })

  it('never exceeds its size, and is empty after all bodies are released, in any order', () => {
    const step = fc.record({
      body: fc.nat(5),
      act: fc.constantFrom('begin', 'add', 'move', 'end'),
      bytes: fc.integer({ min: 0, max: 70 * MIB }),
      announced: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new BodyBudget({ bytes: TOTAL })
        const bodies = new Map<number, { counted: CountedBody; bytes: number }>()
        const sum = (): number => [...bodies.values()].reduce((all, { bytes }) => all + bytes, 0)
        for (const { body, act, bytes, announced } of steps) {
          const open = bodies.get(body)
          if (act === 'end') {
            open?.counted[Symbol.dispose]()
            bodies.delete(body)
          } else if (act === 'begin' && !open) {
            const code = codeOf(() =>
              bodies.set(body, { counted: budget.begin(announced ? bytes : undefined, TOTAL), bytes: 0 }),
            )
            expect(code).toBe(
              !announced
                ? undefined
                : bytes > TOTAL
                  ? 'proxy/body-too-large'
                  : bytes > TOTAL - sum()
                    ? 'proxy/busy'
                    : undefined,
            )
          } else if (act === 'move' && open) {
            const moved = open.counted.move()
            open.counted[Symbol.dispose]()
            open.counted = moved
          } else if (act === 'add' && open) {
            const remaining = TOTAL - sum()
            const code = codeOf(() => open.counted.add(bytes))
            expect(code).toBe(
              open.bytes + bytes > TOTAL
                ? 'proxy/body-too-large'
                : bytes > remaining
                  ? 'proxy/busy'
                  : undefined,
            )
            if (code === undefined) open.bytes += bytes
          }
          expect(budget.heldBytes).toBe(sum())
          expect(budget.heldBytes).toBeLessThanOrEqual(TOTAL)
        }
        for (const { counted } of bodies.values()) counted[Symbol.dispose]()
        expect(budget.heldBytes).toBe(0)
      }),
    )
  })
})
