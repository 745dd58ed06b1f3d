import { expect, it } from 'vitest'
import { newsBetween } from '../../src/main/news.ts'
import type { Standing } from '../../src/shared/standing.ts'

const calm: Standing = { open: true, serving: true, enclave: 'not-verified', verdict: null, lowBalance: null, longRequests: 0, newReleases: 0 }
const verdict = (good: boolean, verifiedAt = 1) => ({ good, verifiedAt, validUntil: verifiedAt + 1 })

it.each([
  ['nothing happened', calm, {}, []],
  ['a long request is done', calm, { longRequests: 1 }, ['job-done']],
  ['the balance fell below the bound', calm, { lowBalance: 'low-1' }, ['balance-low']],
  ['it still is', { ...calm, lowBalance: 'low-1' }, {}, []],
  ['it fell anew', { ...calm, lowBalance: 'low-1' }, { lowBalance: 'low-2' }, ['balance-low']],
  ['it rose', { ...calm, lowBalance: 'low-1' }, { lowBalance: null }, []],
  ['a release was verified for the first time', calm, { newReleases: 1 }, ['release-changed']],
  ['the enclave was verified', calm, { verdict: verdict(true) }, []],
  ['it was refused', { ...calm, verdict: verdict(true) }, { verdict: verdict(false, 2) }, ['verification-failed']],
  ['it was refused the first time', calm, { verdict: verdict(false) }, ['verification-failed']],
  ['it is refused again', { ...calm, verdict: verdict(false) }, { verdict: verdict(false, 2) }, []],
  ['another core begins to count', { ...calm, longRequests: 5, newReleases: 2 }, { longRequests: 0, newReleases: 0 }, []],
] as const)('%s', (_what, before, change, news) => expect(newsBetween(before, { ...before, ...change })).toEqual(news))

it('tells what there was before anybody looked', () => {
  expect(newsBetween(null, calm)).toEqual([])
  expect(newsBetween(null, { ...calm, newReleases: 1, verdict: verdict(false) })).toEqual(['release-changed', 'verification-failed'])
})
