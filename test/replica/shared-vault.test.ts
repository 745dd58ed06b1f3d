import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { secretOrNew } from '../../src/core/storage/vault/index.ts'
import { unlockSharedVault, rotateVaultKey } from '../../src/replica/shared-vault.ts'
import { takeVaultKey } from '../../src/replica/vault-key-source.ts'
import {
  connect,
  createMigrated,
  describeWithPostgres,
  startPostgres,
  type PostgresServer,
} from './postgres.ts'

const keyOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const secret = (text: string): Buffer => Buffer.from(text)
const anything = z.unknown()

describeWithPostgres('the shared vault', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('is one vault with one secret, although replicas start at the same moment', async () => {
    const { address } = await createMigrated(server)
    const vaults = await Promise.all(
      [1, 2, 3, 4].map(() => unlockSharedVault(connect(address, { connections: 2 }), keyOf(1))),
    )
    const secrets = await Promise.all(
      vaults.map((vault, index) => secretOrNew(vault, 'store-key', () => Buffer.alloc(32, index))),
    )
    expect(new Set(secrets.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(1)
    await vaults[0]?.set('tool', secret('one'))
    await vaults[1]?.set('tool', secret('two'))
    expect(await vaults[2]?.get('tool')).toEqual(secret('two'))
    await vaults[3]?.delete('tool')
    expect(await vaults[0]?.get('tool')).toBeNull()
  })

  it('has no secret in plain text, and refuses a row that was moved', async () => {
    const { database } = await createMigrated(server)
    const vault = await unlockSharedVault(database, keyOf(1))
    await vault.set('a', secret('canary'))
    const rows = await database.query(anything, 'SELECT secrets::text FROM secrets')
    expect(JSON.stringify(rows)).not.toContain(secret('canary').toString('hex'))
    await database.execute(`UPDATE secrets SET name = 'b'`)
    await expect(vault.get('b')).rejects.toMatchObject({ code: 'database/damaged' })
  })

  it('refuses another key, and changes nothing', async () => {
    const { database } = await createMigrated(server)
    const vault = await unlockSharedVault(database, keyOf(1))
    await vault.set('a', secret('canary'))
    await expect(unlockSharedVault(database, keyOf(2))).rejects.toMatchObject({ code: 'vault/wrong-key' })
    await expect(rotateVaultKey(database, keyOf(2), keyOf(3))).rejects.toMatchObject({
      code: 'vault/wrong-key',
    })
    expect(await vault.get('a')).toEqual(secret('canary'))
    await database.execute('DELETE FROM vault')
    await expect(unlockSharedVault(database, keyOf(1))).rejects.toMatchObject({ code: 'database/damaged' })
  })

  it('has its secrets under a new key after a rotation, and an old replica can’t write', async () => {
    const { database } = await createMigrated(server)
    const old = await unlockSharedVault(database, keyOf(1))
    await old.set('a', secret('canary'))
    expect(await rotateVaultKey(database, keyOf(1), keyOf(2))).toBe(1)
    for (const attempt of [
      () => old.get('a'),
      () => old.set('a', secret('x')),
      () => old.add('b', secret('x')),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'vault/wrong-key' })
    await expect(unlockSharedVault(database, keyOf(1))).rejects.toMatchObject({ code: 'vault/wrong-key' })
    const vault = await unlockSharedVault(database, keyOf(2))
    expect(await vault.get('a')).toEqual(secret('canary'))
    await vault.close()
    await expect(vault.get('a')).rejects.toMatchObject({ code: 'vault/locked' })
  })
})

describe('the key of the shared vault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-vault-key-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const text = Buffer.from(keyOf(5)).toString('base64')

  function file(name: string, content: string, mode = 0o600): string {
    const path = join(folder, name)
    writeFileSync(path, content)
    chmodSync(path, mode)
    return path
  }
  const hook = (name: string, script: string): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    SOTTO_OTHER: 'canary',
    SOTTO_VAULT_KEY_COMMAND: JSON.stringify([file(name, `#!/bin/sh\n${script}\n`, 0o700), 'argument']),
  })

  it('is read from a private file, and the setting is removed from the environment', async () => {
    const environment = { SOTTO_VAULT_KEY_FILE: file('key', `${text}\n`) }
    expect(await takeVaultKey(environment)).toEqual(keyOf(5))
    expect(environment).toEqual({})
    const shared = { SOTTO_VAULT_KEY_FILE: file('shared', text, 0o644) }
    await expect(takeVaultKey(shared)).rejects.toThrow('Other users can read')
  })

  it('is read from a command that runs without a shell and without Sotto’s settings', async () => {
    const script = `[ "$1" = argument ] && [ -z "$SOTTO_OTHER" ] && echo ${text}`
    expect(await takeVaultKey(hook('hook', script))).toEqual(keyOf(5))
  })

  it.each([
    ['fails', 'echo canary; exit 3'],
    ['prints no key', 'echo canary'],
    ['prints a short key', `echo ${text.slice(4)}`],
    ['prints without end', 'while :; do echo canary; done'],
    ['hangs with its output open', 'sleep 60 & sleep 60'],
  ])('is refused if the command %s, and the error has no output', async (name, script) => {
    const failure = await takeVaultKey(hook(name.replaceAll(' ', '-'), script), 2_000).catch(
      (thrown: unknown) => thrown,
    )
    expect(failure).toMatchObject({ code: 'vault/key-unavailable' })
    expect(JSON.stringify(failure) + String(failure)).not.toContain('canary')
  })

  it.each([
    {},
    { SOTTO_VAULT_KEY_FILE: '/a', SOTTO_VAULT_KEY_COMMAND: '/b' },
    { SOTTO_VAULT_KEY_COMMAND: 'relative' },
    { SOTTO_VAULT_KEY_COMMAND: '["/bin/echo", 1]' },
    { SOTTO_VAULT_KEY_COMMAND: '/missing' },
  ])('is refused with the settings %j', async (environment) => {
    await expect(takeVaultKey(environment)).rejects.toMatchObject({ code: 'vault/key-unavailable' })
  })
})
