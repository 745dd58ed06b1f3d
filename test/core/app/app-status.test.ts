import { expect, it } from 'vitest'
import { Happenings, appStatusOf } from '../../../src/core/app/app-status.ts'
import { startWorld } from '../../world.ts'

it('reports the enclave as not verified, verified, not verified after an invalidation, or refused', async () => {
  await using world = await startWorld()
  expect(world.core.status()).toMatchObject({
    open: true,
    serving: true,
    enclave: 'not-verified',
    verdict: null,
    lowBalance: null,
    longDone: 0,
    longFailed: 0,
    longUnknown: 0,
    newReleases: 0,
  })
  await world.call('privacy/verify')
  expect(world.core.status()).toMatchObject({
    enclave: 'verified',
    verdict: { good: true },
    newReleases: 0,
  })
  world.core.invalidateVerdict()
  expect(world.core.status().enclave).toBe('not-verified')
  await world.core.renewVerdict()
  expect(world.core.status().enclave).toBe('verified')
  world.sandbox.setFault('other-measurement', true)
  await world.core.renewVerdict()
  expect(world.core.status()).toMatchObject({ enclave: 'refused', verdict: { good: false } })
})

it('fetches no evidence after sleep if there was no verdict before', async () => {
  await using world = await startWorld()
  await world.core.renewVerdict()
  expect(world.core.status().verdict).toBeNull()
})

it('reports no enclave under Revision A, and nothing while the vault is locked', async () => {
  await using world = await startWorld({ profile: (profile) => ({ ...profile, revision: 'A' }) })
  expect(world.core.status().enclave).toBe('none')
  expect(appStatusOf(null, true, new Happenings(), 0)).toMatchObject({
    open: false,
    enclave: 'not-verified',
    verdict: null,
  })
})

it('counts only completed long replies of the window', () => {
  const happenings = new Happenings()
  const answer = {
    caller: { kind: 'window' as const },
    path: '/v1/chat/completions',
    outcome: 'complete' as const,
    durationMs: 10_000,
  }
  happenings.noteReceipt(answer)
  happenings.noteReceipt({ ...answer, path: '/private/v1/chat/completions' })
  happenings.noteReceipt({ ...answer, durationMs: 9_999 })
  happenings.noteReceipt({ ...answer, durationMs: undefined })
  happenings.noteReceipt({ ...answer, outcome: 'cancelled' })
  happenings.noteReceipt({ ...answer, caller: { kind: 'proxy', localKeyId: 'k' } })
  // A part of a job is not counted here, because the job reports its end separately.
  happenings.noteReceipt({ ...answer, path: '/v1/audio/speech' })
  expect(happenings.longDone).toBe(2)
})

it('counts a long job of the window once when it ends, by its outcome', () => {
  const happenings = new Happenings()
  const counts = () => [happenings.longDone, happenings.longFailed, happenings.longUnknown]
  const job = { id: 'one', caller: { kind: 'window' as const }, at: 0, sentAt: 1000 }
  happenings.noteJob({ ...job, state: 'ready' }, 60_000)
  happenings.noteJob({ ...job, state: 'sending' }, 1000)
  // Each part of the job took long.
  for (const at of [12_000, 24_000]) {
    happenings.noteReceipt({
      caller: job.caller,
      path: '/v1/audio/speech',
      outcome: 'complete',
      durationMs: 11_000,
    })
    happenings.noteJob({ ...job, state: 'sending' }, at)
  }
  happenings.noteJob({ ...job, state: 'saving' }, 25_000)
  expect(counts()).toEqual([0, 0, 0])
  happenings.noteJob({ ...job, state: 'done' }, 26_000)
  // The job was renamed, long after its end.
  happenings.noteJob({ ...job, state: 'done' }, 90_000)
  expect(counts()).toEqual([1, 0, 0])
  const ends = (
    id: string,
    state: 'done' | 'failed' | 'unknown' | 'lost' | 'stopped',
    endedAt = 60_000,
    caller: { kind: 'window' | 'cli' } = job.caller,
  ) => {
    happenings.noteJob({ ...job, id, caller, state: 'sending' }, 1000)
    happenings.noteJob({ ...job, id, caller, state }, endedAt)
    return counts()
  }
  expect(ends('short', 'done', 10_999)).toEqual([1, 0, 0])
  expect(ends('stopped', 'stopped')).toEqual([1, 0, 0])
  expect(ends('of a command', 'done', 60_000, { kind: 'cli' })).toEqual([1, 0, 0])
  expect(ends('failed', 'failed')).toEqual([1, 1, 0])
  expect(ends('lost', 'lost')).toEqual([1, 2, 0])
  expect(ends('unknown', 'unknown')).toEqual([1, 2, 1])
})

it('counts a release that was never verified here, but not the first one or a returning one', () => {
  const happenings = new Happenings()
  const enclave = (digest: string) =>
    ({
      trust: 'sandbox',
      enclaveHost: 'router.example',
      release: { repository: 'a/b', tag: 'v1', digest },
    }) as const
  const verdict = (digest: string) => ({
    ...enclave(digest),
    good: true,
    steps: [],
    verifiedAt: 0,
    validUntil: 0,
    evidenceDigest: '',
  })
  happenings.noteVerified(verdict('one'), [])
  happenings.noteVerified(verdict('one'), [enclave('one')])
  expect(happenings.newReleases).toBe(0)
  happenings.noteVerified(verdict('two'), [enclave('one')])
  happenings.noteVerified(verdict('one'), [enclave('two'), enclave('one')])
  expect(happenings.newReleases).toBe(1)
})
