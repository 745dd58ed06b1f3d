import { describe, expect, it } from 'vitest'
import { openVault } from '../../../src/core/core.ts'
import { startWorld } from '../../world.ts'

const REFUSED = { code: 'SOTTO', data: { code: 'confirm/refused' } }

/** What a hostile renderer could ask for is asked again outside the window. */
describe('is confirmed outside the window', () => {
  it('giving up a connected account, whose only key may be here', async () => {
    const asked: string[] = []
    await using world = await startWorld({
      profile: (profile) => ({ ...profile, kind: 'service' }),
      confirm: (says) => {
        asked.push(says)
        return false
      },
    })
    expect(await world.call('app/status')).toMatchObject({ account: { connected: false } })
    const first = await world.call('accounts/create') as { account: unknown }
    expect(asked).toEqual([])
    expect(await world.call('accounts/create')).toMatchObject(REFUSED)
    expect(await world.call('accounts/connect', { apiKey: 'sk-somebody-else' })).toMatchObject(REFUSED)
    expect(await world.call('accounts/disconnect')).toMatchObject(REFUSED)
    expect(asked).toHaveLength(3)
    expect(await world.call('app/status')).toMatchObject({ account: first.account })
    expect(await world.call('accounts/balance')).toMatchObject({ picoUsd: expect.stringMatching(/^\d+$/) as string })
  })

  it('a new passphrase for a vault that has one', async () => {
    await using world = await startWorld({ vault: (folder) => openVault({ mode: 'file', folder, passphrase: 'correct horse' }), confirm: () => false })
    expect(await world.call('vault/protect', { passphrase: 'something else' })).toMatchObject(REFUSED)
    await world.vault.close()
    const reopened = await openVault({ mode: 'file', folder: world.folder, passphrase: 'correct horse' })
    expect(reopened.state).toBe('open')
  })
})

describe('an account of the service', () => {
  it('whose key the service refuses is not kept', async () => {
    await using world = await startWorld({ profile: (profile) => ({ ...profile, kind: 'service' }) })
    expect(await world.call('accounts/connect', { apiKey: 'sk-not-a-key-of-this-service' })).toMatchObject({ code: 'SOTTO', data: { code: 'service/key-refused' } })
    expect(await world.call('accounts/connect', { apiKey: 'sk-bad\r\nx-evil: 1' })).toMatchObject({ code: 'SOTTO', data: { code: 'proxy/invalid-request' } })
    expect(await world.call('app/status')).toMatchObject({ account: { connected: false } })
  })

  it('is needed before anything is sent', async () => {
    await using world = await startWorld({ profile: (profile) => ({ ...profile, kind: 'service' }) })
    for (const model of ['private/sandbox-lento-8b', 'sandbox/allegro-mini']) {
      const response = await world.post({ model, messages: [{ role: 'user', content: 'x' }] })
      expect([response.status, (await response.json() as { error: { code: string } }).error.code]).toEqual([401, 'service/no-account'])
    }
  })
})

it('a service that is not offered cannot be chosen', async () => {
  await using world = await startWorld()
  expect(await world.call('profiles/choose', { profileId: 'none' })).toMatchObject({ code: 'SOTTO', data: { code: 'profile/unknown' } })
})
