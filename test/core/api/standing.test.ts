import { expect, it } from 'vitest'
import { Happenings, standingOf } from '../../../src/core/api/index.ts'
import { startWorld } from '../../world.ts'

it('says how the enclave stands: not verified, verified, not verified any more, refused', async () => {
  await using world = await startWorld()
  expect(world.core.standing()).toMatchObject({ open: true, serving: true, enclave: 'not-verified', verdict: null, lowBalance: null, longRequests: 0, newReleases: 0 })
  await world.call('privacy/verify')
  expect(world.core.standing()).toMatchObject({ enclave: 'verified', verdict: { good: true }, newReleases: 0 })
  world.core.invalidateVerdict()
  expect(world.core.standing().enclave).toBe('not-verified')
  await world.core.renewVerdict()
  expect(world.core.standing().enclave).toBe('verified')
  world.sandbox.setFault('other-measurement', true)
  await world.core.renewVerdict()
  expect(world.core.standing()).toMatchObject({ enclave: 'refused', verdict: { good: false } })
})

it('asks for no proof after sleep where nobody had asked for one', async () => {
  await using world = await startWorld()
  await world.core.renewVerdict()
  expect(world.core.standing().verdict).toBeNull()
})

it('has no enclave under Revision A, and nothing while the vault is shut', async () => {
  await using world = await startWorld({ profile: (profile) => ({ ...profile, revision: 'A' }) })
  expect(world.core.standing().enclave).toBe('none')
  expect(standingOf(null, true, new Happenings(), 0)).toMatchObject({ open: false, enclave: 'not-verified', verdict: null })
})

it('counts the long requests of the window that were completed, and no others', () => {
  const happenings = new Happenings()
  const window = { kind: 'window' as const }
  happenings.noteReceipt({ caller: window, outcome: 'complete', durationMs: 10_000 })
  happenings.noteReceipt({ caller: window, outcome: 'complete', durationMs: 9_999 })
  happenings.noteReceipt({ caller: window, outcome: 'complete' })
  happenings.noteReceipt({ caller: window, outcome: 'cancelled', durationMs: 60_000 })
  happenings.noteReceipt({ caller: { kind: 'proxy', localKeyId: 'k' }, outcome: 'complete', durationMs: 60_000 })
  expect(happenings.longRequests).toBe(1)
})

it('counts a long job of the window once when it ends, and not where its request was counted', () => {
  const happenings = new Happenings()
  const job = { id: 'one', caller: { kind: 'window' as const }, at: 0, sentAt: 1000 }
  happenings.noteJob({ ...job, state: 'ready' }, 60_000)
  happenings.noteJob({ ...job, state: 'sending' }, 1000)
  happenings.noteJob({ ...job, state: 'working' }, 5000)
  expect(happenings.longRequests).toBe(0)
  happenings.noteJob({ ...job, state: 'done' }, 11_000)
  // Renamed, long after.
  happenings.noteJob({ ...job, state: 'done' }, 90_000)
  expect(happenings.longRequests).toBe(1)
  const others = [
    { ...job, id: 'short', to: 'done', endedAt: 10_999 },
    { ...job, id: 'stopped', to: 'stopped', endedAt: 60_000 },
    { ...job, id: 'of a command', caller: { kind: 'cli' as const }, to: 'done', endedAt: 60_000 },
  ] as const
  for (const { to, endedAt, ...each } of others) {
    happenings.noteJob({ ...each, state: 'sending' }, 1000)
    happenings.noteJob({ ...each, state: to }, endedAt)
  }
  expect(happenings.longRequests).toBe(1)
  happenings.noteReceipt({ id: 'r', caller: job.caller, outcome: 'complete', durationMs: 20_000 })
  happenings.noteJob({ ...job, id: 'told', state: 'sending' }, 1000)
  happenings.noteJob({ ...job, id: 'told', state: 'done', receiptId: 'r' }, 30_000)
  expect(happenings.longRequests).toBe(2)
  happenings.noteJob({ ...job, id: 'lost', state: 'working' }, 1000)
  happenings.noteJob({ ...job, id: 'lost', state: 'lost' }, 30_000)
  expect(happenings.longRequests).toBe(3)
})

it('counts a release that was never verified here, and neither the first of all nor one that comes back', () => {
  const happenings = new Happenings()
  const enclave = (digest: string) => ({ trust: 'sandbox', enclaveHost: 'router.example', release: { repository: 'a/b', tag: 'v1', digest } }) as const
  const verdict = (digest: string) => ({ ...enclave(digest), good: true, steps: [], verifiedAt: 0, validUntil: 0, evidenceDigest: '' })
  happenings.noteVerified(verdict('one'), [])
  happenings.noteVerified(verdict('one'), [enclave('one')])
  expect(happenings.newReleases).toBe(0)
  happenings.noteVerified(verdict('two'), [enclave('one')])
  happenings.noteVerified(verdict('one'), [enclave('two'), enclave('one')])
  expect(happenings.newReleases).toBe(1)
})
