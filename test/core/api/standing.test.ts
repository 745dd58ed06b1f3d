import { expect, it } from 'vitest'
import { LongRequests, standingOf } from '../../../src/core/api/index.ts'
import { startWorld } from '../../world.ts'

it('says how the enclave stands: not verified, verified, not verified any more, refused', async () => {
  await using world = await startWorld()
  expect(world.core.standing()).toMatchObject({ open: true, serving: true, enclave: 'not-verified', verdict: null, lowBalance: null, longRequests: 0 })
  await world.call('privacy/verify')
  const { enclave, verdict } = world.core.standing()
  expect([enclave, verdict?.good, typeof verdict?.release]).toEqual(['verified', true, 'string'])
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
  expect(standingOf(null, true, 0, 0)).toMatchObject({ open: false, enclave: 'not-verified', verdict: null })
})

it('counts the long requests of the window that were completed, and no others', () => {
  const requests = new LongRequests()
  const window = { kind: 'window' as const }
  requests.note({ caller: window, outcome: 'complete', durationMs: 10_000 })
  requests.note({ caller: window, outcome: 'complete', durationMs: 9_999 })
  requests.note({ caller: window, outcome: 'complete' })
  requests.note({ caller: window, outcome: 'cancelled', durationMs: 60_000 })
  requests.note({ caller: { kind: 'proxy', localKeyId: 'k' }, outcome: 'complete', durationMs: 60_000 })
  expect(requests.count).toBe(1)
})
