import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attestationAnswerSchema,
  type AttestationAnswer,
} from '../../../../src/core/gateway/proxy/attestation-route.ts'
import { verdictInEnglish, verdictSchema } from '../../../../src/shared/verdict.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'hello' }]
async function ask(of: World = world): Promise<AttestationAnswer> {
  const response = await fetch(`${of.baseUrl}/attestation`, {
    headers: { authorization: `Bearer ${of.key}` },
  })
  expect(response.status).toBe(200)
  return attestationAnswerSchema.parse(await response.json())
}

describe('GET /v1/attestation', () => {
  it('needs a local key', async () => {
    expect((await fetch(`${world.baseUrl}/attestation`)).status).toBe(401)
  })

  it('returns no verdict before the first one, and sends the service nothing', async () => {
    world.sandbox.clearReceived()
    expect(await ask()).toEqual({ inForce: false, verdict: null })
    expect(world.sandbox.received()).toEqual([])
  })

  it('returns the verdict that a private request relied on, with every step', async () => {
    await world.post({ model: PRIVATE_MODEL, messages })
    const current = await ask()
    expect(current).toEqual({
      inForce: true,
      verdict: verdictInEnglish(verdictSchema.parse(await world.call('privacy/current'))),
    })
    expect(current.verdict!.steps.length).toBeGreaterThan(10)
    expect(current.verdict!.freshness).toBeDefined()
  })

  it('shows that sleep ended the verdict early; the next private request verifies again', async () => {
    const { verdict } = await ask()
    world.clock.ahead = 2 * 60_000
    const current = await ask()
    expect(current).toMatchObject({
      inForce: false,
      verdict: { good: true, verifiedAt: verdict!.verifiedAt },
    })
    expect(current.verdict!.validUntil).toBeLessThan(verdict!.validUntil)
    await world.post({ model: PRIVATE_MODEL, messages })
    expect(await ask()).toMatchObject({ inForce: true })
    world.clock.ahead = 0
  })

  it('shows that a verdict has expired', async () => {
    const { verdict } = await ask()
    world.clock.ahead = verdict!.validUntil - Date.now() + 1
    expect(await ask()).toEqual({ inForce: false, verdict })
    world.clock.ahead = 0
  })

  it('shows why verification failed', async () => {
    world.core.invalidateVerdict()
    world.sandbox.setFault('other-measurement', true)
    expect((await world.post({ model: PRIVATE_MODEL, messages })).status).toBe(502)
    const { inForce, verdict } = await ask()
    expect(inForce).toBe(false)
    expect(verdict).toMatchObject({ good: false, failure: { code: expect.any(String) as unknown } })
    world.sandbox.setFault('other-measurement', false)
  })

  it('is refused if the profile has no policy', async () => {
    await using without = await startWorld({ profile: ({ policy: _, ...profile }) => profile })
    const response = await fetch(`${without.baseUrl}/attestation`, {
      headers: { authorization: `Bearer ${without.key}` },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'policy/missing' } })
  })
})
