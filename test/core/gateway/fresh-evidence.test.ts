import { expect, it } from 'vitest'
import type { Contact } from '../../../src/shared/contact.ts'
import type { PrivacyChoices } from '../../../src/shared/contract/privacy.ts'
import type { FreshEvidenceSource } from '../../../src/shared/fresh-evidence.ts'
import type { Status } from '../../../src/shared/status.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'
import { startWorld, type World } from '../../world.ts'

const failed = (code: string): unknown =>
  expect.objectContaining({ code: 'SOTTO', data: expect.objectContaining({ code }) as unknown })

const verify = async (world: World) => (await world.call('privacy/verify')) as Verdict
const choose = (world: World, from: FreshEvidenceSource) => world.call('privacy/setFreshEvidence', { from })
const chosen = async (world: World) =>
  ((await world.call('privacy/choices')) as PrivacyChoices).freshEvidence?.chosen
const asks = async (world: World) => ((await world.call('app/status')) as Status).service.asksFreshEvidence
const documents = ({ sandbox }: World) =>
  sandbox.received().filter(({ path }) => path.startsWith('/.well-known/tinfoil-attestation'))
const enclaves = async (world: World) =>
  ((await world.call('diagnostics/contacts')) as Contact[]).filter(({ use }) => use === 'enclave')

it('the service is asked until the person chooses; asking directly names the host and needs no yes, asking for less does', async () => {
  const confirm = { yes: false, asked: [] as string[] }
  await using world = await startWorld({
    confirm: (question) => {
      confirm.asked.push(question)
      return confirm.yes
    },
  })
  expect(await chosen(world)).toBeNull()
  expect(await asks(world)).toBe(true)
  expect(await verify(world)).toMatchObject({
    good: true,
    freshness: { kind: 'nonce-bound' },
    machine: { policy: 'sandbox-genoa' },
  })
  expect(documents(world)).toHaveLength(1)
  expect(await enclaves(world)).toEqual([])

  expect(await choose(world, 'direct')).toMatchObject({ freshEvidence: { chosen: 'direct' } })
  expect(await asks(world)).toBeUndefined()
  expect(confirm.asked).toEqual([])
  expect(await enclaves(world)).toMatchObject([{ host: new URL(world.sandbox.baseUrl).host }])
  // The verdict that came before the choice isn't relied on any more.
  expect(((await world.call('privacy/current')) as Verdict).validUntil).toBeLessThanOrEqual(Date.now())

  // The demo's own server answers in the enclave's place.
  expect(await verify(world)).toMatchObject({
    good: true,
    freshness: { kind: 'nonce-bound' },
    machine: { policy: 'sandbox-genoa' },
  })
  expect(documents(world)).toHaveLength(2)

  for (const less of ['relayed', 'never'] as const)
    expect([less, await choose(world, less)]).toEqual([less, failed('confirm/refused')])
  expect(await chosen(world)).toBe('direct')
  confirm.yes = true
  await choose(world, 'never')
  const before = documents(world).length
  const verdict = await verify(world)
  expect(verdict).toMatchObject({ good: true, freshness: { kind: 'at-least-as-new-as' } })
  expect(verdict.steps.find(({ id }) => id === 'v3/document')).toMatchObject({
    outcome: 'not-checked',
    required: false,
  })
  expect(documents(world)).toHaveLength(before)
})

it('a bad document refuses everything, and an enclave that gives none is named', async () => {
  await using world = await startWorld()
  await choose(world, 'direct')
  world.sandbox.setFault('v3-machine-unknown', true)
  expect(await verify(world)).toMatchObject({
    good: false,
    failure: { step: 'v3/machine', code: 'policy/machine-not-endorsed' },
  })
  world.sandbox.setFault('v3-machine-unknown', false)
  world.sandbox.setFault('v3-unavailable', true)
  expect(await verify(world)).toMatchObject({
    good: true,
    freshness: { kind: 'at-least-as-new-as' },
    notices: [{ code: 'fresh/unreachable' }],
  })
})
