import { chmod, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compiledCodeFolder } from '../../src/cli/compile-cache.ts'

let build: string
let folder: string
beforeEach(async () => {
  build = await mkdtemp(join(tmpdir(), 'sotto-build-'))
  folder = join(build, 'compile-cache')
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(build, { recursive: true, force: true })
})

describe.skipIf(process.platform === 'win32')('compiledCodeFolder', () => {
  it('returns a folder that only its owner can enter, and returns the same one again', async () => {
    expect(compiledCodeFolder(build)).toBe(folder)
    expect((await lstat(folder)).mode & 0o777).toBe(0o700)
    expect(compiledCodeFolder(build)).toBe(folder)
  })

  it.each([0o702, 0o720, 0o755, 0o777])('refuses a folder with mode %o', async (mode) => {
    await mkdir(folder)
    await chmod(folder, mode)
    expect(compiledCodeFolder(build)).toBeUndefined()
  })

  it('refuses a link and a file', async () => {
    const elsewhere = join(build, 'elsewhere')
    await mkdir(elsewhere, { mode: 0o700 })
    await symlink(elsewhere, folder)
    expect(compiledCodeFolder(build)).toBeUndefined()
    await rm(folder)
    await writeFile(folder, '', { mode: 0o600 })
    expect(compiledCodeFolder(build)).toBeUndefined()
  })

  it('returns nothing, and creates nothing, for a user who doesn’t own the build', async () => {
    const { uid } = await lstat(build)
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1)
    expect(compiledCodeFolder(build)).toBeUndefined()
    await expect(lstat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('returns nothing without a build', () => {
    expect(compiledCodeFolder(join(build, 'absent'))).toBeUndefined()
  })
})

it('compiledCodeFolder returns nothing on a system without user IDs', () => {
  const { getuid } = process
  Object.defineProperty(process, 'getuid', { value: undefined, configurable: true })
  try {
    expect(compiledCodeFolder(build)).toBeUndefined()
  } finally {
    Object.defineProperty(process, 'getuid', { value: getuid, configurable: true })
  }
})
