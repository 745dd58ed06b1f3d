import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataFolder } from '../../src/host/data-folder.ts'
import type { SottoError } from '../../src/shared/errors.ts'
import { isRoot, OTHER_USER } from './other-user.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-data-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const modeOf = (path: string): number => statSync(path).mode & 0o7777
/** Whatever the umask. */
function make(path: string, mode: number): string {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
  return path
}
function write(path: string, mode = 0o600): string {
  writeFileSync(path, '{}')
  chmodSync(path, mode)
  return path
}
async function refusal(path = folder): Promise<SottoError> {
  return DataFolder.check(path).then(
    () => {
      throw new Error('it was accepted')
    },
    (thrown: unknown) => thrown as SottoError,
  )
}

describe.skipIf(process.platform === 'win32')('the check of a data folder', () => {
  it('creates a missing one with access only for its owner, and reports nothing', async () => {
    const checked = await DataFolder.check(join(folder, 'deeper'))
    expect([checked.path, checked.restricted]).toEqual([join(folder, 'deeper'), []])
    expect([modeOf(folder), modeOf(join(folder, 'deeper'))]).toEqual([0o700, 0o700])
  })

  it('restricts loose modes, reports each once with its old mode, and preserves the owner’s bits', async () => {
    make(folder, 0o755)
    write(join(folder, 'reach.json'), 0o666)
    write(join(folder, 'service.json'), 0o440)
    make(join(folder, 'profiles', 'sandbox'), 0o750)
    write(join(folder, 'profiles', 'sandbox', 'sotto.db'), 0o644)
    make(join(folder, 'profiles'), 0o700)
    const { restricted } = await DataFolder.check(folder)
    expect(restricted.toSorted()).toEqual(
      [
        `${folder} (755)`,
        'profiles/sandbox (750)',
        'profiles/sandbox/sotto.db (644)',
        'reach.json (666)',
        'service.json (440)',
      ].toSorted(),
    )
    expect(
      ['', 'reach.json', 'service.json', 'profiles/sandbox', 'profiles/sandbox/sotto.db'].map((name) =>
        modeOf(join(folder, name)),
      ),
    ).toEqual([0o700, 0o600, 0o400, 0o700, 0o600])
    expect((await DataFolder.check(folder)).restricted).toEqual([])
  })

  it('removes the bits of others and changes no other bit, for any modes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(0o77), fc.nat(0o77), fc.nat(0o777), async (ofFolder, ofLogs, ofFile) => {
        make(folder, 0o700 | ofFolder)
        make(join(folder, 'logs'), 0o700)
        write(join(folder, 'logs', 'sotto.log'), ofFile)
        chmodSync(join(folder, 'logs'), 0o700 | ofLogs)
        const { restricted } = await DataFolder.check(folder)
        expect([folder, join(folder, 'logs'), join(folder, 'logs', 'sotto.log')].map(modeOf)).toEqual([
          0o700,
          0o700,
          ofFile & 0o700,
        ])
        expect(restricted.length).toBe([ofFolder, ofLogs, ofFile & 0o077].filter((mode) => mode !== 0).length)
        rmSync(folder, { recursive: true })
      }),
      { numRuns: 40 },
    )
  })

  it('doesn’t change files of other programs', async () => {
    make(folder, 0o700)
    write(join(folder, 'notes.txt'), 0o644)
    symlinkSync('nowhere', join(folder, 'link'))
    expect((await DataFolder.check(folder)).restricted).toEqual([])
    expect(modeOf(join(folder, 'notes.txt'))).toBe(0o644)
    // Their owner may share them on purpose.
    chmodSync(folder, 0o755)
    expect(await refusal()).toMatchObject({
      code: 'host/folder-not-private',
      message: expect.stringContaining(`chmod 700 "${folder}"`) as string,
    })
    expect(modeOf(folder)).toBe(0o755)
  })

  describe('follows its path by the rules of ssh', () => {
    it('refuses a world-writable parent before it creates anything', async () => {
      make(join(root, 'open', 'inner'), 0o755)
      chmodSync(join(root, 'open'), 0o777)
      for (const path of [join(root, 'open', 'data'), join(root, 'open', 'inner', 'data')]) {
        const refused = await refusal(path)
        expect(refused.code).toBe('host/folder-writable-by-others')
        expect(refused.message).toContain(`chmod go-w "${join(root, 'open')}"`)
        expect(existsSync(path)).toBe(false)
      }
    })

    it('accepts a sticky parent, such as /tmp', async () => {
      make(join(root, 'sticky'), 0o1777)
      expect((await DataFolder.check(join(root, 'sticky', 'data'))).restricted).toEqual([])
    })

    it.runIf(isRoot)(
      'accepts a group-writable parent only if the user is the group’s only member',
      async () => {
        make(join(root, 'group'), 0o775)
        expect((await DataFolder.check(join(root, 'group', 'data'))).restricted).toEqual([])
        chownSync(join(root, 'group'), 0, OTHER_USER)
        expect((await refusal(join(root, 'group', 'data'))).code).toBe('host/folder-writable-by-others')
      },
    )

    it('follows links that only the user can have created', async () => {
      make(join(root, 'real', 'inner'), 0o700)
      symlinkSync(join('inner', '..', '.', 'inner'), join(root, 'real', 'relative'))
      symlinkSync(join(root, 'real', 'relative'), folder)
      await DataFolder.check(folder)
      chmodSync(join(root, 'real', 'inner'), 0o755)
      expect((await DataFolder.check(folder)).restricted).toEqual([`${folder} (755)`])
      expect(modeOf(join(root, 'real', 'inner'))).toBe(0o700)
    })

    it('refuses a link in a world-writable folder, and one that leads through such a folder', async () => {
      make(join(root, 'real'), 0o700)
      make(join(root, 'open', 'inner'), 0o700)
      symlinkSync(join(root, 'real'), join(root, 'open', 'link'))
      symlinkSync(join(root, 'open', 'inner'), join(root, 'through'))
      chmodSync(join(root, 'open'), 0o777)
      for (const name of ['open/link', 'through'])
        expect((await refusal(join(root, name))).code).toBe('host/folder-writable-by-others')
    })

    it('refuses circular links and a file', async () => {
      symlinkSync(folder, folder)
      expect(await refusal()).toMatchObject({
        code: 'store/unwritable',
        message: expect.stringContaining(folder) as string,
      })
      write(join(root, 'file'))
      for (const path of [join(root, 'file'), join(root, 'file', 'data')])
        expect(await refusal(path)).toMatchObject({
          code: 'store/unwritable',
          message: expect.stringContaining(join(root, 'file')) as string,
        })
    })
  })

  describe('in place of one of Sotto’s files', () => {
    it.each(['vault.json', 'reach.json', 'profiles', 'sotto.sock', 'desktop/settings.json'])(
      'refuses a link: %s',
      async (name) => {
        make(join(folder, 'desktop'), 0o700)
        make(folder, 0o700)
        const target = write(join(root, 'target'), 0o644)
        symlinkSync(target, join(folder, name))
        expect(await refusal()).toMatchObject({
          code: 'host/folder-special-file',
          message: expect.stringContaining(join(folder, name)) as string,
        })
        expect(modeOf(target)).toBe(0o644)
      },
    )

    it('refuses a pipe without waiting for it', async () => {
      make(folder, 0o700)
      execFileSync('mkfifo', [join(folder, 'vault.json')])
      expect((await refusal()).code).toBe('host/folder-special-file')
    })

    it('ignores the folder that Chromium fills', async () => {
      make(join(folder, 'desktop', 'chromium'), 0o700)
      make(join(folder, 'desktop'), 0o700)
      make(folder, 0o700)
      symlinkSync('host-1234', join(folder, 'desktop', 'chromium', 'SingletonLock'))
      expect((await DataFolder.check(folder)).restricted).toEqual([])
    })
  })

  describe.runIf(isRoot)('owned by another user', () => {
    it.each(['data', 'data/vault.json', 'data/profiles/sandbox/sotto.db', 'data/sotto.sock', '.'])(
      'refuses %s, and explains how to change the owner',
      async (name) => {
        make(join(folder, 'profiles', 'sandbox'), 0o700)
        make(join(folder, 'profiles'), 0o700)
        make(folder, 0o700)
        for (const file of ['vault.json', 'sotto.sock', 'profiles/sandbox/sotto.db'])
          if (join('data', file) === name) write(join(folder, file))
        chownSync(join(root, name), OTHER_USER, OTHER_USER)
        const refused = await refusal()
        expect(refused.code).toBe('host/folder-foreign-owner')
        expect(refused.message).toContain(`${join(root, name)} belongs to user ID ${String(OTHER_USER)}`)
      },
    )

    it('refuses another user’s link in a sticky folder', async () => {
      make(join(root, 'real'), 0o700)
      make(join(root, 'sticky'), 0o1777)
      symlinkSync(join(root, 'real'), join(root, 'sticky', 'link'))
      execFileSync('chown', ['-h', String(OTHER_USER), join(root, 'sticky', 'link')])
      expect((await refusal(join(root, 'sticky', 'link'))).code).toBe('host/folder-foreign-owner')
    })
  })
})
