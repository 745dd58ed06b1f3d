import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAdminSettings } from '../../../src/replica/team/admin-settings.ts'

let folder: string
let complete: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-admin-'))
  const file = join(folder, 'secret')
  await writeFile(file, 'the secret\n', { mode: 0o600 })
  complete = {
    SOTTO_ADMIN_URL: 'https://sotto.example/',
    SOTTO_OIDC_ISSUER: 'https://id.example/team',
    SOTTO_OIDC_CLIENT_ID: 'sotto',
    SOTTO_OIDC_CLIENT_SECRET_FILE: file,
  }
})
afterAll(() => rm(folder, { recursive: true }))

it('reads all settings, and nothing without them', async () => {
  expect(await readAdminSettings({})).toBeNull()
  expect(await readAdminSettings(complete)).toEqual({
    origin: 'https://sotto.example',
    bind: { host: '127.0.0.1', port: 8404 },
    oidc: { issuer: new URL('https://id.example/team'), clientId: 'sotto', clientSecret: 'the secret' },
  })
  const loopback = { ...complete, SOTTO_ADMIN_URL: 'http://127.0.0.1:9000', SOTTO_ADMIN_BIND: '[::1]:9000' }
  expect(await readAdminSettings(loopback)).toMatchObject({
    origin: 'http://127.0.0.1:9000',
    bind: { host: '::1', port: 9000 },
  })
})

it('requires all of them if one is set', async () => {
  for (const name of Object.keys(complete))
    await expect(readAdminSettings({ ...complete, [name]: '' })).rejects.toThrow(name)
  await expect(readAdminSettings({ SOTTO_ADMIN_BIND: '127.0.0.1:1' })).rejects.toThrow('SOTTO_ADMIN_URL')
})

it.each([
  ['SOTTO_ADMIN_URL', 'http://sotto.example'],
  ['SOTTO_ADMIN_URL', 'https://sotto.example/admin'],
  ['SOTTO_ADMIN_URL', 'https://ann@sotto.example'],
  ['SOTTO_ADMIN_URL', 'sotto.example'],
  ['SOTTO_OIDC_ISSUER', 'http://id.example'],
  ['SOTTO_OIDC_ISSUER', 'http://127.0.0.1.example'],
  ['SOTTO_OIDC_ISSUER', 'https://id.example/?a=b'],
  ['SOTTO_ADMIN_BIND', 'sotto.example:80'],
  ['SOTTO_ADMIN_BIND', '127.0.0.1'],
  ['SOTTO_ADMIN_BIND', '127.0.0.1:65536'],
])('refuses %s=%s', (name, value) =>
  expect(readAdminSettings({ ...complete, [name]: value })).rejects.toThrow(name),
)

it.skipIf(process.platform === 'win32')('refuses a secret that others can read', async () => {
  const file = join(folder, 'open')
  await writeFile(file, 'the secret')
  await chmod(file, 0o644)
  await expect(readAdminSettings({ ...complete, SOTTO_OIDC_CLIENT_SECRET_FILE: file })).rejects.toThrow(
    'SOTTO_OIDC_CLIENT_SECRET_FILE',
  )
})
