import { expect, it } from 'vitest'
import {
  attestationAnswerSchema,
  type AttestationAnswer,
} from '../../../src/core/gateway/proxy/attestation-route.ts'
import type { PrivacyChoices } from '../../../src/shared/contract/privacy.ts'
import type { Proof } from '../../../src/shared/proof.ts'
import type { Profile } from '../../../src/shared/profile.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'
import { chatRequests, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'

const failed = (code: string): unknown =>
  expect.objectContaining({ code: 'SOTTO', data: expect.objectContaining({ code }) as unknown })

/** What the sandbox's enclave reports with the fault `old-tcb`. */
const provider = { bootloader: 3, tee: 0, snp: 8, microcode: 40 }
const minimum = { bootloader: 7, tee: 0, snp: 14, microcode: 72 }
const accepted = {
  code: 'policy/provider-floor-accepted',
  says: expect.stringContaining('Accepted floor below AMD-SB-3019') as unknown,
}

function withProviderFloor(profile: Profile): Profile {
  // The publisher's own rules in document v3 would refuse this machine too.
  const { sevSnp, nonceBound: _, ...policy } = profile.policy!
  return {
    ...profile,
    policy: {
      ...policy,
      sevSnp: { ...sevSnp!, products: { Genoa: { minimumTcb: minimum, providerMinimumTcb: provider } } },
    },
  }
}

async function worldWithFloor(confirm: { yes: boolean; asked: string[] }): Promise<World> {
  return startWorld({
    profile: withProviderFloor,
    confirm: (question) => {
      confirm.asked.push(question)
      return confirm.yes
    },
  })
}

const verify = async (world: World) => (await world.call('privacy/verify')) as Verdict
const choose = (world: World, accepted: boolean) => world.call('privacy/setProviderFloors', { accepted })
const choices = async (world: World) => (await world.call('privacy/choices')) as PrivacyChoices
const ask = (world: World) =>
  world.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'hello' }] })

async function attestation(world: World): Promise<AttestationAnswer> {
  const response = await fetch(`${world.baseUrl}/attestation`, {
    headers: { authorization: `Bearer ${world.key}` },
  })
  return attestationAnswerSchema.parse(await response.json())
}

it('a machine between both floors is refused until the lower floor is confirmed outside the window', async () => {
  const confirm = { yes: false, asked: [] as string[] }
  await using world = await worldWithFloor(confirm)
  expect((await choices(world)).providerFloors).toEqual({
    accepted: false,
    floors: [{ product: 'Genoa', minimum, provider }],
  })
  world.sandbox.setFault('old-tcb', true)
  const refused = await verify(world)
  expect(refused).toMatchObject({ good: false, failure: { code: 'report/tcb-below-floor' } })
  expect(refused).not.toHaveProperty('notices')

  expect(await choose(world, true)).toEqual(failed('confirm/refused'))
  expect(confirm.asked).toEqual([
    expect.stringMatching(
      /^Lower the minimum firmware for .* \(Genoa: bootloader 7 → 3, snp 14 → 8, microcode 72 → 40\)\? .*AMD-SB-3019/,
    ),
  ])
  expect((await choices(world)).providerFloors?.accepted).toBe(false)
  expect((await ask(world)).status).toBe(502)
  expect(chatRequests(world.sandbox)).toEqual([])

  confirm.yes = true
  expect(await choose(world, true)).toMatchObject({ providerFloors: { accepted: true } })
  expect((await ask(world)).status).toBe(200)
  // Accepting it again asks nothing.
  await choose(world, true)
  expect(confirm.asked).toHaveLength(2)
})

it('while the lower floor is accepted, every verdict has a notice, and the proof contains the policy in force', async () => {
  await using world = await worldWithFloor({ yes: true, asked: [] })
  await choose(world, true)
  for (const platform of ['sev-snp', 'tdx', 'nitro'] as const) {
    world.sandbox.setPlatform(platform)
    expect([platform, await verify(world)]).toMatchObject([platform, { good: true, notices: [accepted] }])
    expect(await attestation(world)).toMatchObject({ inForce: true, verdict: { notices: [accepted] } })
  }
  const proof = (await world.call('privacy/proof', {})) as Proof
  expect(proof).toMatchObject({
    policy: { sevSnp: { products: { Genoa: { minimumTcb: provider, providerFloorAccepted: true } } } },
    verdict: { notices: [accepted] },
  })
  world.sandbox.setFault('wrong-nonce', true)
  expect(await verify(world)).toMatchObject({ good: false, notices: [accepted] })
})

it('turning off the lower floor needs no confirmation, ends the verdict in force, and refuses the machine again', async () => {
  const confirm = { yes: true, asked: [] as string[] }
  await using world = await worldWithFloor(confirm)
  world.sandbox.setFault('old-tcb', true)
  await choose(world, true)
  expect((await verify(world)).good).toBe(true)
  confirm.yes = false
  expect(await choose(world, false)).toMatchObject({ providerFloors: { accepted: false } })
  expect(confirm.asked).toHaveLength(1)
  expect(((await world.call('privacy/current')) as Verdict).validUntil).toBeLessThanOrEqual(Date.now())
  expect(await attestation(world)).toMatchObject({ inForce: false })
  const refused = await verify(world)
  expect(refused).toMatchObject({ good: false, failure: { code: 'report/tcb-below-floor' } })
  expect(refused).not.toHaveProperty('notices')
})

it('accepting the lower floor ends the verdict in force, which has no notice yet', async () => {
  await using world = await worldWithFloor({ yes: true, asked: [] })
  expect(await verify(world)).not.toHaveProperty('notices')
  await choose(world, true)
  expect(((await world.call('privacy/current')) as Verdict).validUntil).toBeLessThanOrEqual(Date.now())
})

it('a policy without a lower floor refuses the choice', async () => {
  const asked: string[] = []
  await using world = await startWorld({
    confirm: (question) => {
      asked.push(question)
      return true
    },
  })
  expect(await choices(world)).not.toHaveProperty('providerFloors')
  for (const accepted of [true, false])
    expect(await choose(world, accepted)).toEqual(failed('policy/no-provider-floor'))
  expect(asked).toEqual([])
})
