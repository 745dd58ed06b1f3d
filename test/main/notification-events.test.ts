import { expect, it } from 'vitest'
import { notificationEventsBetween } from '../../src/main/notification-events.ts'
import type { AppStatus } from '../../src/shared/app-status.ts'

const calm: AppStatus = {
  open: true,
  canLock: true,
  serving: true,
  enclave: 'not-verified',
  verdict: null,
  lowBalance: null,
  longDone: 0,
  longFailed: 0,
  longUnknown: 0,
  newReleases: 0,
}
const verdict = (good: boolean, verifiedAt = 1) => ({ good, verifiedAt, validUntil: verifiedAt + 1 })

it.each([
  ['nothing happened', calm, {}, []],
  ['something long is done', calm, { longDone: 1 }, ['job-done']],
  ['something long has failed', { ...calm, longDone: 1 }, { longFailed: 1 }, ['job-failed']],
  ['of something long the end is unknown', calm, { longUnknown: 1 }, ['job-unknown']],
  ['the balance fell below the bound', calm, { lowBalance: 'low-1' }, ['balance-low']],
  ['it still is', { ...calm, lowBalance: 'low-1' }, {}, []],
  ['it fell anew', { ...calm, lowBalance: 'low-1' }, { lowBalance: 'low-2' }, ['balance-low']],
  ['it rose', { ...calm, lowBalance: 'low-1' }, { lowBalance: null }, []],
  ['a release was verified for the first time', calm, { newReleases: 1 }, ['release-changed']],
  ['the enclave was verified', calm, { verdict: verdict(true) }, []],
  [
    'it was refused',
    { ...calm, verdict: verdict(true) },
    { verdict: verdict(false, 2) },
    ['verification-failed'],
  ],
  ['it was refused the first time', calm, { verdict: verdict(false) }, ['verification-failed']],
  ['it is refused again', { ...calm, verdict: verdict(false) }, { verdict: verdict(false, 2) }, []],
  [
    'another core begins to count',
    { ...calm, longDone: 5, longFailed: 1, newReleases: 2 },
    { longDone: 0, longFailed: 0, newReleases: 0 },
    [],
  ],
] as const)('%s', (_what, before, change, expected) =>
  expect(notificationEventsBetween(before, { ...before, ...change })).toEqual(expected),
)

it('tells what there was before anybody looked', () => {
  expect(notificationEventsBetween(null, calm)).toEqual([])
  expect(notificationEventsBetween(null, { ...calm, newReleases: 1, verdict: verdict(false) })).toEqual([
    'release-changed',
    'verification-failed',
  ])
})
