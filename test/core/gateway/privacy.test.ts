import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { PrivacyChoices, TrustView } from '../../../src/shared/contract/privacy.ts'
import { changesBetween } from '../../../src/shared/enclave-change.ts'
import type { Proof } from '../../../src/shared/proof.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'
import type { VerifiedEnclave } from '../../../src/shared/verified-enclave.ts'
import { chatRequests, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'

const failed = (code: string): unknown =>
  expect.objectContaining({ code: 'SOTTO', data: expect.objectContaining({ code }) as unknown })

async function worldThatAsks(confirmation: { yes: boolean; asked: string[] }): Promise<World> {
  return startWorld({
    confirm: (question) => {
      confirmation.asked.push(question)
      return confirmation.yes
    },
  })
}

const verify = async (world: World) => (await world.call('privacy/verify')) as Verdict
const history = async (world: World) => (await world.call('privacy/history')) as VerifiedEnclave[]
const ask = (world: World) =>
  world.post({ model: PRIVATE_MODEL, messages: [{ role: 'user', content: 'the-otter-sleeps' }] })

it('the change log lists every verified enclave with its evidence, and shows the changes', async () => {
  await using world = await startWorld()
  expect(await history(world)).toEqual([])
  const first = await verify(world)
  await verify(world)
  expect(await history(world)).toMatchObject([
    {
      release: first.release,
      measurement: first.measurement,
      hasProof: true,
      evidenceDigest: first.evidenceDigest,
    },
  ])

  world.sandbox.rotateKey()
  const second = await verify(world)
  expect(second.hpkePublicKey).not.toBe(first.hpkePublicKey)
  const log = await history(world)
  expect(log.map(({ hpkePublicKey }) => hpkePublicKey)).toEqual([second.hpkePublicKey, first.hpkePublicKey])

  // Refused evidence gets no entry, because an attacker could otherwise push out verified entries.
  world.sandbox.setFault('debug-guest', true)
  expect((await verify(world)).good).toBe(false)
  world.sandbox.setFault('debug-guest', false)
  expect(await history(world)).toEqual(log)

  const proof = (await world.call('privacy/proof', { enclaveId: log[1]!.id })) as Proof
  expect(createHash('sha256').update(Buffer.from(proof.evidence, 'base64')).digest('hex')).toBe(
    first.evidenceDigest,
  )
  expect(proof).toMatchObject({
    format: 'sotto-proof/v2',
    trust: { name: 'sandbox' },
    verdict: { good: true, hpkePublicKey: first.hpkePublicKey },
    policy: { enclaveHost: first.enclaveHost },
  })
  expect(await world.call('privacy/proof', { enclaveId: 'none' })).toEqual(failed('proof/missing'))
})

it('the last verdict has a proof, even if it was a refusal, with the fingerprints of the trust roots', async () => {
  await using world = await startWorld()
  expect(await world.call('privacy/proof', {})).toEqual(failed('proof/missing'))
  world.sandbox.setFault('debug-guest', true)
  const refused = await verify(world)
  const proof = (await world.call('privacy/proof', {})) as Proof
  expect(proof.verdict).toMatchObject({
    good: false,
    evidenceDigest: refused.evidenceDigest,
    failure: { code: 'report/debug-guest' },
  })
  const trust = (await world.call('privacy/trust')) as TrustView
  expect(proof.trust).toEqual({ name: 'sandbox', roots: trust.roots })
  expect(trust.roots.map(({ name }) => name)).toContain('Sigstore trusted root')
  expect(new Set(trust.roots.map(({ sha256 }) => sha256)).size).toBe(trust.roots.length)
})

it('a new release waits for consent outside the window, and nothing is sent until then', async () => {
  const confirm = { yes: false, asked: [] as string[] }
  await using world = await worldThatAsks(confirm)
  expect(await world.call('privacy/setAskBeforeNewRelease', { on: true })).toMatchObject({
    askBeforeNewRelease: true,
  })
  expect(confirm.asked).toEqual([])

  const answer = await ask(world)
  const { error } = (await answer.json()) as { error: { code: string; message: string; step: string } }
  expect([answer.status, error.code, error.step]).toEqual([
    502,
    'attestation/release-not-approved',
    'release/trusted: release/not-yet-trusted',
  ])
  expect(error.message).toMatch(/Nothing was sent.*Review and approve the release in Sotto/s)
  expect(chatRequests(world.sandbox)).toEqual([])
  expect(await history(world)).toEqual([])

  const waiting = await verify(world)
  const release = waiting.release!.digest
  expect(waiting).toMatchObject({
    good: false,
    failure: { step: 'release/trusted', code: 'release/not-yet-trusted' },
  })
  expect(await world.call('privacy/acceptRelease', { release: 'ff'.repeat(32) })).toEqual(
    failed('privacy/no-release-waiting'),
  )
  expect(await world.call('privacy/acceptRelease', { release })).toEqual(failed('confirm/refused'))
  expect((await ask(world)).status).toBe(502)

  confirm.yes = true
  expect(await world.call('privacy/acceptRelease', { release })).toMatchObject({ good: true })
  expect(confirm.asked.at(-1)).toContain(release)
  expect((await ask(world)).status).toBe(200)
  expect(chatRequests(world.sandbox)).toHaveLength(1)
  expect(await world.call('privacy/acceptRelease', { release })).toEqual(failed('privacy/no-release-waiting'))
})

it('a release accepted before the setting was turned on is trusted, and turning it off needs confirmation', async () => {
  const confirm = { yes: false, asked: [] as string[] }
  await using world = await worldThatAsks(confirm)
  await verify(world)
  await world.call('privacy/setAskBeforeNewRelease', { on: true })
  expect((await verify(world)).steps.at(-1)).toMatchObject({
    id: 'release/trusted',
    outcome: 'passed',
    required: true,
  })

  expect(await world.call('privacy/setAskBeforeNewRelease', { on: false })).toEqual(failed('confirm/refused'))
  expect(await world.call('privacy/choices')).toMatchObject({ askBeforeNewRelease: true })
  confirm.yes = true
  expect(await world.call('privacy/setAskBeforeNewRelease', { on: false })).toMatchObject({
    askBeforeNewRelease: false,
  })
  expect(confirm.asked).toHaveLength(2)
  await world.call('privacy/setAskBeforeNewRelease', { on: false })
  expect(confirm.asked).toHaveLength(2)
})

it('an older release needs its own consent, which also trusts it', async () => {
  const confirm = { yes: true, asked: [] as string[] }
  await using world = await worldThatAsks(confirm)
  await verify(world)
  await world.call('privacy/setAskBeforeNewRelease', { on: true })
  world.sandbox.setFault('older-release', true)
  const older = await verify(world)
  expect(older.failure?.code).toBe('release/older')
  expect(await world.call('privacy/acceptRelease', { release: older.release!.digest })).toMatchObject({
    good: true,
  })
  expect(confirm.asked).toEqual([expect.stringMatching(/^Trust the older release/)])
  expect((await history(world)).map(({ release }) => release?.digest)).toEqual([
    older.release!.digest,
    expect.not.stringContaining(older.release!.digest),
  ])
})

it('nothing is sent if a pin isn’t met; widening a pin needs confirmation, and narrowing it doesn’t', async () => {
  const confirm = { yes: false, asked: [] as string[] }
  await using world = await worldThatAsks(confirm)
  const current = await verify(world)
  world.sandbox.setFault('older-release', true)
  const older = await verify(world)
  confirm.yes = true
  await world.call('privacy/acceptRelease', { release: older.release!.digest })
  confirm.yes = false
  const [olderEntry, currentEntry] = await history(world)
  const asked = confirm.asked.length

  expect(await world.call('privacy/pin', { enclaveId: 'none' })).toEqual(
    failed('privacy/measurement-unknown'),
  )
  const choices = (await world.call('privacy/pin', { enclaveId: currentEntry!.id })) as PrivacyChoices
  expect(choices.pins).toEqual([
    { platform: 'sevSnp', registers: [{ name: 'MEASUREMENT', hex: current.measurement }] },
  ])
  expect(confirm.asked).toHaveLength(asked)

  // The older verdict is no longer valid, and the displayed verdict shows that.
  expect(((await world.call('privacy/current')) as Verdict).validUntil).toBeLessThanOrEqual(Date.now())
  const refused = await ask(world)
  expect([refused.status, ((await refused.json()) as { error: { step: string } }).error.step]).toEqual([
    502,
    'measurement/pinned: measurement/not-pinned',
  ])
  expect(chatRequests(world.sandbox)).toEqual([])

  expect(await world.call('privacy/pin', { enclaveId: olderEntry!.id })).toEqual(failed('confirm/refused'))
  confirm.yes = true
  expect(
    ((await world.call('privacy/pin', { enclaveId: olderEntry!.id })) as PrivacyChoices).pins,
  ).toHaveLength(2)
  expect((await ask(world)).status).toBe(200)

  confirm.yes = false
  const questions = confirm.asked.length
  const [pin] = choices.pins
  const rest = (await world.call('privacy/unpin', {
    pin: ((await world.call('privacy/choices')) as PrivacyChoices).pins[1],
  })) as PrivacyChoices
  expect(rest.pins).toEqual([pin])
  expect(confirm.asked).toHaveLength(questions)
  expect(await world.call('privacy/unpin', { pin })).toEqual(failed('confirm/refused'))
  confirm.yes = true
  expect(await world.call('privacy/unpin', { pin })).toMatchObject({ pins: [] })
  expect((await verify(world)).good).toBe(true)
})

it('a user’s pin can’t widen the policy, and a pin that the policy excludes isn’t saved', async () => {
  const confirm = { yes: true, asked: [] as string[] }
  await using preset = await startWorld({
    profile: (profile) => ({
      ...profile,
      policy: { ...profile.policy!, pinnedMeasurements: { sevSnp: ['ab'.repeat(48)] } },
    }),
  })
  expect(await verify(preset)).toMatchObject({ good: false, failure: { code: 'measurement/not-pinned' } })
  expect(confirm.asked).toEqual([])
  expect(await preset.call('privacy/choices')).toMatchObject({ pins: [] })
})

it('an attempt that began before a pin is verified with the pin', async () => {
  const reached = Promise.withResolvers<undefined>()
  const goOn = Promise.withResolvers<undefined>()
  let isPaused = false
  await using world = await startWorld({
    fetch: (fetch) => async (url, init) => {
      const answer = await fetch(url, init)
      if (isPaused && url.includes('/attestation')) {
        reached.resolve(undefined)
        await goOn.promise
      }
      return answer
    },
  })
  world.sandbox.setFault('older-release', true)
  await verify(world)
  const [older] = await history(world)
  world.sandbox.setFault('older-release', false)
  isPaused = true
  const attempt = verify(world)
  await reached.promise
  await world.call('privacy/pin', { enclaveId: older!.id })
  goOn.resolve(undefined)
  expect(await attempt).toMatchObject({ good: false, failure: { code: 'measurement/not-pinned' } })
})

it('another kind of machine has its own entry on every platform, and its measurement can be pinned', async () => {
  await using world = await startWorld()
  const platforms: string[] = []
  for (const platform of ['sev-snp', 'tdx', 'nitro'] as const) {
    world.sandbox.setPlatform(platform)
    const verdict = await verify(world)
    expect([platform, verdict.failure, verdict.good]).toEqual([platform, undefined, true])
    const [current, before] = await history(world)
    platforms.push(current!.platform!)
    expect(current!.registers).toEqual(verdict.registers)
    expect(((await world.call('privacy/proof', { enclaveId: current!.id })) as Proof).nonce).toMatch(
      /^[0-9a-f]{64}$/,
    )
    if (before)
      expect(changesBetween(before, current!)[0]).toMatchObject({
        kind: 'platform',
        before: before.platform,
        after: current!.platform,
      })
    await world.call('privacy/pin', { enclaveId: current!.id })
    expect((await verify(world)).steps.find(({ id }) => id === 'measurement/pinned')).toMatchObject({
      outcome: 'passed',
      required: true,
    })
    const { pins } = (await world.call('privacy/choices')) as PrivacyChoices
    for (const pin of pins) await world.call('privacy/unpin', { pin })
  }
  expect(platforms).toEqual(['AMD SEV-SNP, Genoa', 'Intel TDX', 'AWS Nitro'])
})

it('an image without a release waits for consent to its measurement', async () => {
  await using world = await startWorld()
  world.sandbox.setPlatform('nitro')
  await world.call('privacy/setAskBeforeNewRelease', { on: true })
  const waiting = await verify(world)
  expect(waiting).toMatchObject({ good: false, failure: { code: 'release/not-yet-trusted' } })
  expect(await world.call('privacy/acceptRelease', { release: waiting.measurement })).toMatchObject({
    good: true,
  })
  expect((await ask(world)).status).toBe(200)
})
