import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byNewFault,
  common,
  grouped,
  longestWait,
  waitOf,
  withWait,
  withWrong,
  wrongOf,
  wrongs,
} from '../../src/renderer/features/settings/route-faults.ts'
import { routeFaultSchema, type RouteFault, type SandboxRoute } from '../../src/shared/sandbox-routes.ts'

const route = (name: string, fault: RouteFault | null, group = 'Images'): SandboxRoute => ({
  name,
  group,
  description: 'x',
  fails: true,
  fault,
})
const wrong = fc.constantFrom(...wrongs.map(({ id }) => id))
const wait = fc.integer({ min: 0, max: longestWait })

describe('the fault of a route', () => {
  it('has independent errors and latencies, and is null without both', () => {
    fc.assert(
      fc.property(wrong, wait, wrong, wait, (firstWrong, firstWait, secondWrong, secondWait) => {
        const fault = withWait(
          withWrong(withWait(withWrong(null, firstWrong), firstWait), secondWrong),
          secondWait,
        )
        expect([wrongOf(fault), waitOf(fault)]).toEqual([secondWrong, secondWait])
        expect(fault === null).toBe(secondWrong === 'none' && secondWait === 0)
        expect(routeFaultSchema.nullable().parse(fault)).toEqual(fault)
      }),
    )
  })

  it('has no name if it’s unknown', () => {
    expect(wrongOf({ status: 418 })).toBeUndefined()
    expect(wrongOf({ status: 401, cut: true })).toBeUndefined()
    expect(wrongOf({ latencyMs: 5 })).toBe('none')
  })
})

describe('the faults of a group', () => {
  it('show the common values of its routes', () => {
    const routes = [route('a', { status: 401, latencyMs: 9 }), route('b', { status: 401 })]
    expect([common(routes, wrongOf), common(routes, waitOf)]).toEqual(['401', undefined])
    expect(common([route('a', null), route('b', { cut: true })], wrongOf)).toBeUndefined()
    expect(common([route('a', null)], wrongOf)).toBe('none')
  })

  it('change one value of each route, and routes with the same result are set together', () => {
    const routes = [
      route('a', { status: 401 }),
      route('b', null),
      route('c', null),
      route('d', { latencyMs: 3 }),
    ]
    expect(byNewFault(routes, (fault) => withWait(fault, 5))).toEqual([
      { names: ['a'], fault: { status: 401, latencyMs: 5 } },
      { names: ['b', 'c', 'd'], fault: { latencyMs: 5 } },
    ])
    expect(byNewFault(routes, () => null)).toEqual([{ names: ['a', 'b', 'c', 'd'], fault: null }])
  })

  it('are grouped in the order of the first routes', () => {
    const routes = [route('a', null, 'Chat'), route('b', null, 'Data'), route('c', null, 'Chat')]
    expect(
      grouped(routes).map(({ group, routes: members }) => [group, members.map(({ name }) => name)]),
    ).toEqual([
      ['Chat', ['a', 'c']],
      ['Data', ['b']],
    ])
  })
})
