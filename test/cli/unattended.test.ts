import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { missingForUnattended, withUnattendedClient } from '../../src/cli/unattended.ts'
import { acquireOwnership } from '../../src/host/owner-socket.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'
import { errorCodeOf } from '../process/command-json.ts'

let folder: string
let passphraseFile: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-unattended-'))
  passphraseFile = join(folder, 'passphrase')
  await placeRoots(join(folder, 'sandbox'))
  await writeFile(passphraseFile, 'correct horse\n', { mode: 0o600 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('keys add --yes', () => {
  /** Adds a key as `sotto keys add --yes` does. Returns the exit code, and the error that was printed. */
  async function addKey(name: string): Promise<{ code: number; grants?: unknown; error?: string | null }> {
    vi.stubEnv('SOTTO_DATA_DIR', folder)
    vi.stubEnv('SOTTO_VAULT', 'file')
    vi.stubEnv('SOTTO_PASSPHRASE_FILE', passphraseFile)
    let printed = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
    let grants: unknown
    const code = await withUnattendedClient(true, async ({ localApi }) => {
      const { key } = await localApi.create({ name, limits: { grants: ['metrics'] } })
      grants = key.limits.grants
      return 0
    })
    return code === 0 ? { code, grants } : { code, error: errorCodeOf(printed) }
  }

  it('grants without a question, and only with the passphrase of the vault', async () => {
    expect(await addKey('Monitor')).toEqual({ code: 0, grants: ['metrics'] })
    await writeFile(passphraseFile, 'wrong horse\n', { mode: 0o600 })
    expect(await addKey('Other')).toEqual({ code: 1, error: 'vault/locked' })
  })
  it('refuses while another Sotto uses the data folder, because its terminal would ask', async () => {
    const owner = acquireOwnership(await DataFolder.check(folder))
    try {
      expect(await addKey('Third')).toEqual({ code: 1, error: 'host/already-running' })
    } finally {
      owner?.release()
    }
  })
  it('refuses a passphrase file that other users can read', async () => {
    await writeFile(join(folder, 'open'), 'correct horse\n', { mode: 0o644 })
    passphraseFile = join(folder, 'open')
    await expect(addKey('Fourth')).rejects.toMatchObject({ name: 'SettingError' })
  })
  it.each([
    [{}, 'SOTTO_VAULT=file'],
    [{ SOTTO_VAULT: 'auto', SOTTO_PASSPHRASE_FILE: '/run/secrets/x' }, 'SOTTO_VAULT=file'],
    [{ SOTTO_VAULT: 'file' }, 'SOTTO_PASSPHRASE_FILE'],
    [{ SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: 'correct horse' }, 'SOTTO_PASSPHRASE_FILE'],
    [{ SOTTO_VAULT: 'file', SOTTO_PASSPHRASE_FILE: '/run/secrets/x' }, null],
  ])('needs a passphrase file: %j', (environment, missing) => {
    expect(missingForUnattended(environment)).toBe(missing)
  })
})
