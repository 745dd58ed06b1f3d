import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings, SettingError } from '../../src/host/settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-passphrase-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function fileWith(text: string, mode = 0o600): Promise<string> {
  const file = join(folder, `${mode.toString(8)}-${text.length}`)
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}

describe('the passphrase of the vault', () => {
  it('is deleted from the environment', async () => {
    const environment = { SOTTO_PASSPHRASE: 'correct horse' }
    expect((await readSettings(environment)).passphrase).toBe('correct horse')
    expect(environment).toEqual({})
  })
  it('is read from a file, without the line’s end, and the variable is deleted too', async () => {
    const environment = {
      SOTTO_PASSPHRASE_FILE: await fileWith('correct horse \n'),
      SOTTO_PASSPHRASE: 'another',
    }
    expect((await readSettings(environment)).passphrase).toBe('correct horse ')
    expect(environment).toEqual({})
  })
  it('is not replaced by another if its file does not exist or is a folder', async () => {
    for (const file of [join(folder, 'none'), folder]) {
      await expect(
        readSettings({ SOTTO_PASSPHRASE_FILE: file, SOTTO_PASSPHRASE: 'another' }),
      ).rejects.toThrow('can’t be read')
    }
  })
  it('is refused if its file is too large, also one without an end', async () => {
    await expect(readSettings({ SOTTO_PASSPHRASE_FILE: await fileWith('a'.repeat(4097)) })).rejects.toThrow(
      'too large',
    )
    if (process.platform === 'linux')
      await expect(readSettings({ SOTTO_PASSPHRASE_FILE: '/dev/zero' })).rejects.toThrow('too large')
  })
})

describe.skipIf(process.platform === 'win32')('the file of the passphrase', () => {
  it.each([0o600, 0o400, 0o700, 0o711])('is read with mode %o', async (mode) => {
    expect(
      (await readSettings({ SOTTO_PASSPHRASE_FILE: await fileWith('correct horse', mode) })).passphrase,
    ).toBe('correct horse')
  })
  it.each([0o640, 0o604, 0o660, 0o620, 0o602, 0o644, 0o666])(
    'is refused with mode %o, behind a link as well',
    async (mode) => {
      const file = await fileWith('correct horse', mode)
      const link = `${file}-link`
      await symlink(file, link)
      for (const path of [file, link]) {
        const failure = await readSettings({ SOTTO_PASSPHRASE_FILE: path }).catch((thrown: unknown) => thrown)
        expect(failure).toBeInstanceOf(SettingError)
        expect(String(failure)).toContain('Other users can read or change')
        expect(String(failure)).not.toContain('correct horse')
      }
    },
  )
  it('may have any mode in the credentials of a systemd service, but a link there does not excuse a file elsewhere', async () => {
    const credentials = await mkdtemp(join(folder, 'credentials-'))
    await writeFile(join(credentials, 'own'), 'correct horse', { mode: 0o644 })
    await symlink(await fileWith('correct horse', 0o644), join(credentials, 'link'))
    expect(
      (
        await readSettings({
          SOTTO_PASSPHRASE_FILE: join(credentials, 'own'),
          CREDENTIALS_DIRECTORY: credentials,
        })
      ).passphrase,
    ).toBe('correct horse')
    await expect(
      readSettings({ SOTTO_PASSPHRASE_FILE: join(credentials, 'link'), CREDENTIALS_DIRECTORY: credentials }),
    ).rejects.toThrow('Other users')
    // The file's folder only begins with the name of this one.
    const beginning = credentials.slice(0, -1)
    await mkdir(beginning)
    await expect(
      readSettings({ SOTTO_PASSPHRASE_FILE: join(credentials, 'own'), CREDENTIALS_DIRECTORY: beginning }),
    ).rejects.toThrow('Other users')
  })
  it.runIf(process.getuid?.() === 0)('is refused if it belongs to another user', async () => {
    const file = await fileWith('correct horse', 0o600)
    await promisify(execFile)('chown', ['12345', file])
    await expect(readSettings({ SOTTO_PASSPHRASE_FILE: file })).rejects.toThrow('Other users')
  })
  it('may be a pipe', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', ['-m', '644', pipe])
    const [settings] = await Promise.all([
      readSettings({ SOTTO_PASSPHRASE_FILE: pipe }),
      writeFile(pipe, 'correct horse\n'),
    ])
    expect(settings.passphrase).toBe('correct horse')
  })
})
