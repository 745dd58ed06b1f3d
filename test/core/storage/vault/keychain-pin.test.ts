import { expect, test, vi } from 'vitest'
import { systemKeychain } from '../../../../src/core/storage/vault/keychain.ts'

const constructed = vi.hoisted(() => [] as unknown[][])
vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    constructor(...parameters: unknown[]) {
      constructed.push(parameters)
    }
    getSecret = () => Promise.resolve([1, 2, 3])
    setSecret = () => Promise.resolve()
    deleteCredential = () => Promise.resolve(true)
  },
}))

test('every call is pinned to the Secret Service, since a machine’s kernel keyring would forget at reboot', async () => {
  const keychain = systemKeychain()
  await keychain.set('account', new Uint8Array([1]))
  expect(await keychain.get('account')).toEqual(new Uint8Array([1, 2, 3]))
  await keychain.delete('account')
  expect(constructed).toEqual(
    Array.from({ length: 3 }, () => ['Sotto', 'account', { linux: { store: 'secret-service' } }]),
  )
})
