import { mkdtempSync } from 'node:fs'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bootstrap } from '../../src/cli/bootstrap.ts'
import { clientOf } from '../../src/cli/client.ts'
import { confirmOwn } from '../../src/cli/unattended.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import { readSettings } from '../../src/host/settings.ts'
import { startHost } from '../../src/host/host.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'

const folder = mkdtempSync(join(tmpdir(), 'sotto-bootstrap-'))
let environment: Record<string, string>
const file = (name: string): string => join(folder, name)

beforeAll(async () => {
  await placeRoots(join(folder, 'data', 'sandbox'))
  await writeFile(file('passphrase'), 'correct horse\n', { mode: 0o600 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  environment = {
    SOTTO_DATA_DIR: file('data'),
    SOTTO_VAULT: 'file',
    SOTTO_PASSPHRASE_FILE: file('passphrase'),
    SOTTO_BOOTSTRAP_FILE: file('bootstrap.json'),
  }
})

async function apply(content: unknown, mode = 0o600): Promise<void> {
  await rm(file('bootstrap.json'), { force: true })
  await writeFile(file('bootstrap.json'), typeof content === 'string' ? content : JSON.stringify(content))
  await chmod(file('bootstrap.json'), mode)
  await bootstrap(environment)
}

/** What a Sotto on this data folder has afterwards. */
async function found() {
  const settings = await readSettings({ ...environment })
  await using host = await startHost({
    settings,
    folder: await DataFolder.check(settings.dataDir),
    confirm: confirmOwn,
    anyPort: true,
  })
  const client = clientOf(host)
  const keys = await client.localApi.keys()
  return { service: (await client.app.status()).service.kind, keys }
}

const key = (name: string, more: object = {}) => ({ name, secretFile: file(`${name}.key`), ...more })

describe('SOTTO_BOOTSTRAP_FILE', () => {
  it('creates keys with their grants and limits, each secret in a file of its own', async () => {
    const budget = { usd: '20', period: 'month' }
    const content = {
      keys: [key('editor', { grants: ['metrics'], atLeast: 'sealed', budget }), key('other')],
    }
    await apply(content)
    const { keys } = await found()
    expect(keys.find(({ name }) => name === 'editor')?.limits).toEqual({
      grants: ['metrics'],
      atLeast: 'sealed',
      budget: { picoUsd: '20000000000000', period: 'month' },
    })
    const secret = await readFile(file('editor.key'), 'utf8')
    expect(secret).toMatch(/^sk-\S{20,}\n$/)
    expect((await stat(file('editor.key'))).mode & 0o777).toBe(0o600)
    expect(environment['SOTTO_PASSPHRASE_FILE']).toBe(file('passphrase'))

    // Again, as at the next start: nothing changes.
    await apply(content)
    expect((await found()).keys.length).toBe(keys.length)
    expect(await readFile(file('editor.key'), 'utf8')).toBe(secret)
  })
  it('refuses a name that another key has, and leaves no file of a secret', async () => {
    await expect(apply({ keys: [{ ...key('editor'), secretFile: file('lost.key') }] })).rejects.toMatchObject(
      { code: 'local-key/name-taken' },
    )
    expect(await readdir(folder)).not.toContain('lost.key')
  })
  it('revokes a key whose secret can’t be saved, so that the next start can create it', async () => {
    await expect(apply({ keys: [{ ...key('third'), secretFile: file('none/third.key') }] })).rejects.toThrow(
      'secretFile can’t be written',
    )
    expect((await found()).keys.filter(({ name, revokedAt }) => name === 'third' && !revokedAt)).toEqual([])
  })
  it('chooses the service once, and never changes a choice', async () => {
    await expect(apply({ service: 'no-such-service' })).rejects.toMatchObject({ code: 'profile/unknown' })
    await apply({ service: 'tinfoil' })
    expect((await found()).service).not.toBe('sandbox')
    await apply({ service: 'sandbox' })
    expect((await found()).service).not.toBe('sandbox')
  })
})

describe('a bootstrap that changes nothing', () => {
  it.each([
    ['no JSON', '{', 'isn’t JSON'],
    ['an unknown member', { key: [] }, 'invalid member'],
    ['a misspelled limit', { keys: [key('a', { grant: ['metrics'] })] }, 'keys.0'],
    ['an unknown grant', { keys: [key('a', { grants: ['everything'] })] }, 'keys.0.grants.0'],
    [
      'a budget without an amount',
      { keys: [key('a', { budget: { usd: 'much', period: 'day' } })] },
      'budget.usd',
    ],
    ['a key without a place for its secret', { keys: [{ name: 'a' }] }, 'keys.0.secretFile'],
    ['too much', ' '.repeat(65_537), 'too large'],
  ])('is one with %s', async (_what, content, problem) => {
    await expect(apply(content)).rejects.toThrow(problem)
  })
  it.runIf(process.platform !== 'win32')('is one that other users can change', async () => {
    await expect(apply({}, 0o620)).rejects.toMatchObject({ name: 'SettingError' })
  })
  it('is one without the passphrase in a file', async () => {
    delete environment['SOTTO_PASSPHRASE_FILE']
    await expect(apply({})).rejects.toThrow('SOTTO_PASSPHRASE_FILE')
  })
  it('is none without the variable', async () => {
    await expect(bootstrap({ SOTTO_DATA_DIR: '/dev/null/none' })).resolves.toBeUndefined()
  })
})
