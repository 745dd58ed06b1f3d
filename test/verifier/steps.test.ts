import { expect, it } from 'vitest'
import { Authenticated, fail, notChecked, passed, passUnless, Steps } from '../../src/verifier/steps.ts'
import { legible } from '../../src/verifier/text.ts'
import { renderEnglish } from '../../src/shared/localized-text.ts'

interface Start {
  readonly one: string
}

const shortly = (steps: readonly { id: string; outcome: string; required: boolean }[]) =>
  steps.map(({ id, outcome, required }) => `${id} ${outcome} ${required}`)

const list = Steps.of<Start>()
  .add({
    id: 'a',
    title: 'A',
    run: ({ one }) =>
      passUnless(one === 'one' ? undefined : 'evidence/malformed', 'one', one, { a: one.length }),
  })
  .add({
    id: 'b',
    title: 'B',
    required: false,
    run: ({ a }) => notChecked('two', `nothing to check, and ${a}`, { b: a + 1 }),
  })
  .add({ id: 'c', title: 'C', claim: true, run: ({ a, b }) => passed('three', 'three', { c: a + b }) })

it('runs each step with the values of those before it, and lists it', () => {
  const result = list.verify({ one: 'one' })
  expect(result).toMatchObject({ good: true, value: { one: 'one', a: 3, b: 4, c: 7 } })
  expect(shortly(result.steps)).toEqual(['a passed true', 'b not-checked false', 'c passed true'])
  expect(result.steps[2]).toMatchObject({ title: 'C', claim: true })
})

it('ends at the first failure', () => {
  const result = list.verify({ one: 'two' })
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

it('lists the same steps whether they are reached or not', () => {
  const ids = list.names.map(({ id }) => id)
  for (const one of ['one', 'two']) expect(list.verify({ one }).steps.map(({ id }) => id)).toEqual(ids)
  expect(shortly(list.notReached())).toEqual([
    'a not-reached true',
    'b not-reached false',
    'c not-reached true',
  ])
})

it('leaves the list and its input as they were', () => {
  const start = { one: 'one' }
  const longer = list.add({ id: 'd', title: 'D', run: ({ c }) => passed('', `${c}`) })
  expect(longer.verify(start).steps).toHaveLength(4)
  expect(list.verify(start).steps).toHaveLength(3)
  expect(start).toEqual({ one: 'one' })
})

it('includes a list with an input of its own, and only its output goes on', () => {
  const outer = Steps.of<{ readonly text: string }>()
    .include(
      list,
      ({ text }) => ({ one: text }),
      ({ c }) => ({ sum: c }),
    )
    .append(
      Steps.of<{ readonly sum: number }>().add({
        id: 'd',
        title: 'D',
        run: ({ sum }) => passed('7', `${sum}`),
      }),
    )
  expect(outer.names.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  expect(outer.verify({ text: 'one' })).toMatchObject({ good: true, value: { text: 'one', sum: 7 } })
  expect(outer.verify({ text: 'one' })).not.toHaveProperty('value.a')
  const refused = outer.verify({ text: 'two' })
  expect(refused).toMatchObject({ good: false, failure: { step: 'a' } })
  expect(refused.steps).toHaveLength(4)
})

it('keeps the facts that were noted before a failure, and none after it', () => {
  const noting = Steps.of<object>()
    .note(() => ({ belowExpectedTcb: true }))
    .add({ id: 'a', title: 'A', run: () => fail('evidence/malformed', '', '') })
    .note(() => ({ belowExpectedTcb: false }))
  expect(noting.verify({})).toMatchObject({ good: false, facts: { belowExpectedTcb: true } })
})

it.each(['in a step', 'between steps'])('counts an error %s against what was checked', (where) => {
  const broken = (): never => {
    throw new TypeError('a bug')
  }
  const first = Steps.of<object>().add({ id: 'a', title: 'A', run: () => passed('', '') })
  const last = { id: 'c', title: 'C', run: () => passed('', '') }
  const result =
    where === 'in a step'
      ? first.add({ id: 'b', title: 'B', run: broken }).add(last).verify({})
      : first
          .include(Steps.of<object>().add({ id: 'b', title: 'B', run: () => passed('', '') }), broken, broken)
          .add(last)
          .verify({})
  expect(result).toMatchObject({ good: false, failure: { step: 'b', code: 'verifier/internal' } })
  expect(shortly(result.steps)).toEqual(['a passed true', 'b failed true', 'c not-reached true'])
})

it('is never good after an error behind the last step', () => {
  const result = list
    .note(() => {
      throw new TypeError('a bug')
    })
    .verify({ one: 'one' })
  expect(result).toMatchObject({ good: false, failure: { step: '', code: 'verifier/internal' } })
})

it('has an authenticated value only after the step that verified the signature', () => {
  const signature = (valid: boolean) =>
    Steps.of<object>()
      .add({
        id: 'signature',
        title: 'Signature',
        run: () =>
          valid
            ? Authenticated.signed('', '', 7, (signed) => ({ next: signed.map((value) => value + 1) }))
            : fail('report/signature-invalid', '', ''),
      })
      .add({ id: 'other', title: 'Other', run: ({ next }) => passed('8', `${next.value}`) })
  expect(signature(true).verify({})).toMatchObject({ good: true, value: { next: { value: 8 } } })
  expect(signature(false).verify({})).toMatchObject({
    good: false,
    failure: { step: 'signature', code: 'report/signature-invalid' },
  })
})

it('shows text of an attacker without characters that steer a terminal', () => {
  const { steps } = Steps.of<object>()
    .add({
      id: 'a',
      title: 'A',
      run: () => fail('binding/host', 'x', `evil\u001b[2J\n\u202e\u2028\ud800${'y'.repeat(1000)}`),
    })
    .verify({})
  expect(renderEnglish(steps[0]?.observed ?? [])).toBe(
    `evil\ufffd[2J\ufffd\ufffd\ufffd\ufffd${'y'.repeat(500 - 12)}…`,
  )
})
