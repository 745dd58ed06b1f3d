import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changeOf,
  draftOf,
  emptyDraft,
  nameFault,
  readDraft,
  type KeyDraft,
} from '../../src/renderer/features/developer/service-keys/key-draft.ts'
import { percentOf, stateOf } from '../../src/renderer/features/developer/service-keys/key-words.ts'
import { serviceKeyNameSchema, type ServiceKey } from '../../src/shared/service-key.ts'

const NOW = Date.UTC(2026, 10, 22)
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points))
const draft = (part: Partial<KeyDraft> = {}): KeyDraft => ({ ...emptyDraft, name: 'A program', ...part })

describe('the form of a key', () => {
  test('returns its terms; without a cap it has no period', () => {
    expect(
      readDraft(draft({ cap: '$ 2.50', resetPeriod: 'daily', expires: '2099-01-02T03:04' }), [], NOW),
    ).toEqual({
      terms: {
        name: 'A program',
        cap: '2.5',
        resetPeriod: 'daily',
        expiresAt: new Date(2099, 0, 2, 3, 4).getTime(),
      },
    })
    expect(readDraft(draft({ hasCap: false, cap: 'nothing', resetPeriod: 'daily' }), [], NOW)).toEqual({
      terms: { name: 'A program', cap: null, resetPeriod: null, expiresAt: null },
    })
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(26) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ name: 'Taken' }, 'name'],
    [{ name: ' Taken ' }, 'name'],
    [{ cap: '0' }, 'cap'],
    [{ cap: '0.009' }, 'cap'],
    [{ cap: '1,50' }, 'cap'],
    [{ cap: '-1' }, 'cap'],
    [{ cap: '1e3' }, 'cap'],
    [{ cap: '' }, 'cap'],
    [{ expires: '2020-01-01T00:00' }, 'expires'],
    [{ expires: 'soon' }, 'expires'],
  ] as const)('with %j has an error in its %s', (part, field) => {
    expect(Object.keys(readDraft(draft(part), ['Taken'], NOW).faults ?? {})).toEqual([field])
  })

  test('accepts the lowest cap, and a name of 25 characters', () => {
    expect(readDraft(draft({ cap: '0.01', name: 'x'.repeat(25) }), [], NOW).terms?.cap).toBe('0.01')
  })

  test('returns only terms that the contract accepts, for any input', () => {
    fc.assert(
      fc.property(anyText, fc.string({ maxLength: 20 }), fc.boolean(), (name, cap, hasCap) => {
        const { terms } = readDraft(draft({ name, cap, hasCap }), [], NOW)
        if (!terms) return
        expect(serviceKeyNameSchema.safeParse(terms.name).success).toBe(true)
        expect(nameFault(name, [])).toBeUndefined()
        expect(terms.cap === null || /^\d{1,9}(\.\d{1,6})?$/.test(terms.cap ?? '')).toBe(true)
      }),
    )
  })

  test('an edit sends only the changed terms, and an unchanged expiry keeps its seconds', () => {
    const key: ServiceKey = {
      id: 'k1',
      name: 'Build',
      cap: '5000000000000',
      resetPeriod: 'weekly',
      expiresAt: NOW + 90_061_234,
      inUse: false,
    }
    const before = draftOf(key)
    const change = (part: Partial<KeyDraft>) => {
      const after = { ...before, ...part }
      const { terms } = readDraft(after, [], NOW)
      return terms && changeOf(before, after, terms)
    }
    expect(change({})).toEqual({})
    expect(change({ name: 'Built' })).toEqual({ name: 'Built' })
    expect(change({ cap: '5.00' })).toEqual({})
    expect(change({ cap: '6' })).toEqual({ cap: '6' })
    expect(change({ hasCap: false })).toEqual({ cap: null, resetPeriod: null })
    expect(change({ resetPeriod: null })).toEqual({ resetPeriod: null })
    expect(change({ expires: '' })).toEqual({ expiresAt: null })
  })

  test('an edit of an expired key, or of one with a name that others refuse, sends only the changed terms', () => {
    const before = draftOf({
      id: 'k1',
      name: 'x'.repeat(30),
      cap: '5000000000000',
      resetPeriod: 'weekly',
      expiresAt: NOW - 1,
      inUse: false,
    })
    const after = { ...before, name: 'Build' }
    const { terms } = readDraft(after, [], NOW, before)
    expect(terms && changeOf(before, after, terms)).toEqual({ name: 'Build' })
    expect(readDraft({ ...after, expires: '2020-01-01T00:00' }, [], NOW, before).faults).toHaveProperty(
      'expires',
    )
  })
})

test('the percentage of a cap is exact to a tenth, and 100 for a cap of zero', () => {
  expect(percentOf('1927400000000', 5_000_000_000_000n)).toBe(38.5)
  expect(percentOf('9', 3n)).toBe(100)
  expect(percentOf('-5', 100n)).toBe(0)
  expect(percentOf('0', 0n)).toBe(100)
})

test('a revoked key is revoked even if it has expired, and a key without an expiry never expires', () => {
  expect(stateOf({ revokedAt: 1, expiresAt: NOW - 1 }, NOW)).toBe('revoked')
  expect(stateOf({ revokedAt: null, expiresAt: NOW }, NOW)).toBe('expired')
  expect(stateOf({ expiresAt: null }, NOW)).toBe('active')
  expect(stateOf({}, NOW)).toBe('active')
})
