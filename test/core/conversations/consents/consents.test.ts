import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createConsents, type Exposed } from '../../../../src/core/conversations/consents/index.ts'
import { CONSENT_MS, consentPurposes } from '../../../../src/shared/consent.ts'
import type { SottoError } from '../../../../src/shared/errors.ts'

const exposed: Exposed = {
  instructions: 'Be brief.',
  messages: [
    { role: 'user', text: 'between us' },
    { role: 'assistant', text: 'yes' },
  ],
}
const to = { conversationId: 'c', purpose: 'continue', exposed } as const

function world() {
  const clock = { now: 1_000_000 }
  const consents = createConsents(() => clock.now)
  const offered = (models: readonly string[] = ['open/a']) => consents.offer({ ...to, models }).consentId
  const outcome = (...[id, of]: Parameters<typeof consents.use>): string => {
    try {
      consents.use(id, of)
      return 'allowed'
    } catch (thrown) {
      return (thrown as SottoError).code
    }
  }
  return { clock, consents, offered, outcome }
}

it('allows what was shown once, and none without one', () => {
  const { offered, outcome } = world()
  const id = offered()
  expect(outcome(undefined, { ...to, model: 'open/a' })).toBe('privacy/consent-missing')
  expect(outcome('guessed', { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
  expect(outcome(id, { ...to, model: 'open/a' })).toBe('allowed')
  expect(outcome(id, { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
})

it('ends after five minutes, and with a clock that steps back', () => {
  const { clock, offered, outcome } = world()
  const [last, late, back] = [offered(), offered(), offered()]
  clock.now += CONSENT_MS - 1
  expect(outcome(last, { ...to, model: 'open/a' })).toBe('allowed')
  clock.now += 1
  expect(outcome(late, { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
  clock.now -= CONSENT_MS + 1
  expect(outcome(back, { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
})

it.each([
  ['another conversation', { conversationId: 'd' }, 'privacy/consent-mismatch'],
  ['another purpose', { purpose: 'studio' }, 'privacy/consent-mismatch'],
  ['another model', { model: 'open/b' }, 'privacy/consent-mismatch'],
  ['no model', { model: undefined }, 'privacy/consent-mismatch'],
  [
    'one message more',
    { exposed: { ...exposed, messages: [...exposed.messages, { role: 'user', text: '' }] } },
    'privacy/consent-changed',
  ],
  [
    'another word',
    { exposed: { ...exposed, messages: [{ role: 'user', text: 'between us!' }, exposed.messages[1]!] } },
    'privacy/consent-changed',
  ],
  [
    'a file more',
    {
      exposed: {
        ...exposed,
        messages: [{ ...exposed.messages[0]!, attachments: [{ id: 'f', name: 'x' }] }, exposed.messages[1]!],
      },
    },
    'privacy/consent-changed',
  ],
  ['no instructions', { exposed: { ...exposed, instructions: undefined } }, 'privacy/consent-changed'],
  ['nothing that is known', { exposed: null }, 'privacy/consent-changed'],
] as const)('is not good for %s, and not for anything afterwards', (_, other, code) => {
  const { offered, outcome } = world()
  const id = offered()
  expect(outcome(id, { ...to, model: 'open/a', ...other })).toBe(code)
  expect(outcome(id, { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
})

it('of several models allows each once', () => {
  const { offered, outcome } = world()
  const id = offered(['open/a', 'open/b'])
  expect(outcome(id, { ...to, model: 'open/b' })).toBe('allowed')
  expect(outcome(id, { ...to, model: 'open/a' })).toBe('allowed')
  expect(outcome(id, { ...to, model: 'open/b' })).toBe('privacy/consent-expired')
  const again = offered(['open/a', 'open/b'])
  expect(outcome(again, { ...to, model: 'open/a' })).toBe('allowed')
  expect(outcome(again, { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
})

it('keeps no more than sixteen', () => {
  const { offered, outcome } = world()
  const ids = Array.from({ length: 17 }, () => offered())
  expect(outcome(ids[0], { ...to, model: 'open/a' })).toBe('privacy/consent-expired')
  expect(outcome(ids[1], { ...to, model: 'open/a' })).toBe('allowed')
})

it('no order of offers, uses and time allows anything twice or late', () => {
  const model = fc.constantFrom('open/a', 'open/b', undefined)
  const purpose = fc.constantFrom(...consentPurposes)
  const step = fc.oneof(
    fc.record({
      do: fc.constant('offer' as const),
      purpose,
      models: fc.uniqueArray(fc.constantFrom('open/a', 'open/b'), { maxLength: 2 }),
    }),
    fc.record({ do: fc.constant('use' as const), which: fc.nat(5), purpose, model }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: -1000, max: CONSENT_MS }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { clock, consents, outcome } = world()
      const offers: { id: string; at: number; purpose: string; left: Set<string | undefined> }[] = []
      for (const one of steps) {
        if (one.do === 'wait') clock.now += one.ms
        else if (one.do === 'offer')
          offers.push({
            id: consents.offer({ ...to, ...one }).consentId,
            at: clock.now,
            purpose: one.purpose,
            left: new Set(one.models.length === 0 ? [undefined] : one.models),
          })
        else {
          const consent = offers[one.which]
          if (
            !consent ||
            outcome(consent.id, { ...to, purpose: one.purpose, model: one.model }) !== 'allowed'
          )
            continue
          const age = clock.now - consent.at
          expect(
            age >= 0 && age < CONSENT_MS && consent.purpose === one.purpose && consent.left.delete(one.model),
          ).toBe(true)
        }
      }
    }),
  )
})
