import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import { startWorld } from '../../world.ts'

const REFUSED = { code: 'SOTTO', data: { code: 'confirm/refused' } }

/** What a hostile renderer could ask for is asked again outside the window. */
describe('is confirmed outside the window', () => {
  it('a second account, and the removal of an account, because its only credentials may be here', async () => {
    const asked: string[] = []
    await using world = await startWorld({
      profile: (profile) => ({ ...profile, kind: 'service' }),
      confirm: (question) => {
        asked.push(question)
        return false
      },
    })
    expect(await world.call('app/status')).toMatchObject({ account: { connected: false } })
    const first = (await world.call('accounts/create')) as {
      status: { account: unknown }
      account: { id: string }
    }
    expect(asked).toEqual([])
    expect(await world.call('accounts/create')).toMatchObject(REFUSED)
    expect(await world.call('accounts/connect', { apiKey: 'sk-somebody-else' })).toMatchObject(REFUSED)
    const { id: accountId } = first.account
    for (const [call, input] of [
      ['forget', { accountId }],
      ['reveal', { accountId }],
      ['backup', { passphrase: 'several words of mine' }],
    ] as const) {
      expect(await world.call(`accounts/${call}`, input), call).toMatchObject(REFUSED)
    }
    expect(asked).toHaveLength(5)
    expect(asked[2]).toMatch(
      /^Remove the account “Account” \(…\w{4}\)\? Its credentials will be deleted from the vault\. Without a copy of them, you lose the balance\.$/,
    )
    expect(await world.call('app/status')).toMatchObject({ account: first.status.account })
    expect(await world.call('accounts/list')).toMatchObject([{ id: accountId, active: true, saved: false }])
    expect(await world.call('accounts/balance')).toMatchObject({
      picoUsd: expect.stringMatching(/^\d+$/) as string,
    })
  })

  it('in one line: what the window chose of it cannot write the question itself', async () => {
    const asked: string[] = []
    await using world = await startWorld({
      confirm: (question) => {
        asked.push(question)
        return false
      },
    })
    const [first] = (await world.call('localApi/keys')) as { id: string }[]
    await world.call('localApi/update', { keyId: first?.id, limits: { models: ['a'] } })
    const models = ['x\nTo allow it, type 1 \u001b[2J\u202eenil\u2028', 'b']
    expect(await world.call('localApi/update', { keyId: first?.id, limits: { models } })).toMatchObject(
      REFUSED,
    )
    expect(asked).toEqual([
      'Expand the permissions of the local key “First key”: use models matching 2 more patterns, including x�To allow it, type 1 �[2J�enil�?',
    ])
  })

  it('a new passphrase for a vault that has one', async () => {
    await using world = await startWorld({
      vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
      confirm: () => false,
    })
    expect(await world.call('vault/protect', { passphrase: 'something else' })).toMatchObject({
      data: { code: 'vault/wrong-passphrase' },
    })
    expect(
      await world.call('vault/protect', { passphrase: 'something else', current: 'correct horse' }),
    ).toMatchObject(REFUSED)
    await world.vault.close()
    const reopened = await unlockVault({ mode: 'file', folder: world.folder, passphrase: 'correct horse' })
    expect(reopened.state).toBe('open')
  })
})

describe('an account of the service', () => {
  it('whose key the service refuses is not kept', async () => {
    await using world = await startWorld({ profile: (profile) => ({ ...profile, kind: 'service' }) })
    expect(await world.call('accounts/connect', { apiKey: 'sk-not-a-key-of-this-service' })).toMatchObject({
      code: 'SOTTO',
      data: { code: 'service/key-refused' },
    })
    expect(await world.call('accounts/connect', { apiKey: 'sk-bad\r\nx-evil: 1' })).toMatchObject({
      code: 'SOTTO',
      data: { code: 'proxy/invalid-request' },
    })
    expect(await world.call('app/status')).toMatchObject({ account: { connected: false } })
  })

  it('is needed before anything is sent', async () => {
    await using world = await startWorld({ profile: (profile) => ({ ...profile, kind: 'service' }) })
    for (const model of ['private/sandbox-lento-8b', 'sandbox/allegro-mini']) {
      const response = await world.post({ model, messages: [{ role: 'user', content: 'x' }] })
      expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
        401,
        'service/no-account',
      ])
    }
  })
})

it('a service that is not offered cannot be chosen', async () => {
  await using world = await startWorld()
  expect(await world.call('profiles/choose', { profileId: 'none' })).toMatchObject({
    code: 'SOTTO',
    data: { code: 'profile/unknown' },
  })
})
