import { expect, it } from 'vitest'
import { Checklist, runStage } from '../../src/verifier/checklist.ts'
import { legible } from '../../src/verifier/text.ts'
import { renderEnglish } from '../../src/shared/localized-text.ts'

const plan = [
  { id: 'a', title: 'A' },
  { id: 'b', title: 'B', required: false },
  { id: 'c', title: 'C' },
] as const
const shortly = (steps: readonly { id: string; outcome: string; required: boolean }[]) =>
  steps.map(({ id, outcome, required }) => `${id} ${outcome} ${required}`)

it('lists every step that was taken', () => {
  const result = runStage(plan, (checks) => {
    checks.pass('a', 'one', 'one')
    checks.notChecked('b', 'two', 'nothing to check')
    checks.record('c', undefined, 'three', 'three')
    return 7
  })
  expect(result).toMatchObject({ good: true, value: 7 })
  expect(shortly(result.steps)).toEqual(['a passed true', 'b not-checked false', 'c passed true'])
})

it('ends at the first failure', () => {
  let after = false
  const result = runStage(plan, (checks) => {
    checks.record('a', 'evidence/malformed', 'one', 'two')
    after = true
  })
  expect(after).toBe(false)
  expect(result).toMatchObject({ good: false, failure: { step: 'a', code: 'evidence/malformed' } })
  expect(result.steps[0]).toEqual({
    id: 'a',
    title: 'A',
    outcome: 'failed',
    required: true,
    expected: legible('one'),
    observed: legible('two'),
    code: 'evidence/malformed',
  })
  expect(shortly(result.steps.slice(1))).toEqual(['b not-reached false', 'c not-reached true'])
})

it('takes over the steps of a stage that kept its own list, up to its failure', () => {
  const steps = [
    {
      id: 'a',
      title: 'X',
      required: true,
      outcome: 'passed',
      expected: legible('1'),
      observed: legible('1'),
    },
    {
      id: 'b',
      title: 'X',
      required: true,
      outcome: 'failed',
      expected: legible('2'),
      observed: legible('3'),
      code: 'sigstore/bundle-malformed',
    },
    { id: 'c', title: 'X', required: true, outcome: 'not-reached', expected: [], observed: [] },
  ] as const
  const result = runStage(plan, (checks) => checks.adopt(steps))
  expect(result).toMatchObject({ good: false, failure: { step: 'b', code: 'sigstore/bundle-malformed' } })
  expect(shortly(result.steps)).toEqual(['a passed true', 'b failed false', 'c not-reached true'])
})

it('counts a fault of its own against what it was checking', () => {
  const broken = runStage(plan, (checks) => {
    checks.pass('a', '', '')
    throw new TypeError('a bug')
  })
  expect(broken).toMatchObject({ good: false, failure: { step: 'b', code: 'verifier/internal' } })
  expect(shortly(broken.steps)).toEqual(['a passed true', 'b failed false', 'c not-reached true'])
})

it('refuses steps out of order or left out: a check that is forgotten is noticed', () => {
  const unfinished = runStage(plan, (checks) => checks.pass('a', '', ''))
  expect(unfinished).toMatchObject({ good: false, failure: { step: 'b', code: 'verifier/internal' } })
  const skipped = runStage(plan, (checks) => checks.pass('b', '', ''))
  expect(skipped).toMatchObject({ good: false, failure: { step: 'a', code: 'verifier/internal' } })
  expect(() => new Checklist<string>(plan).pass('d', '', '')).toThrow('out of order')
})

it('shows what an attacker wrote so that it steers nothing', () => {
  const { steps } = runStage(plan, (checks) =>
    checks.fail('a', 'binding/host', 'x', `evil\u001b[2J\n\u202e\u2028\ud800${'y'.repeat(1000)}`),
  )
  expect(renderEnglish(steps[0]?.observed ?? [])).toBe(
    `evil\ufffd[2J\ufffd\ufffd\ufffd\ufffd${'y'.repeat(500 - 12)}…`,
  )
})
