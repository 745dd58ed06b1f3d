import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings, SettingError } from '../../src/host/settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-settings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('readSettings', () => {
  it('has defaults: a port that may move, a vault that finds its place', async () => {
    expect(await readSettings({ HOME: '/home/x' })).toMatchObject({
      port: 8402,
      portMayMove: true,
      uiPort: 0,
      vault: 'auto',
    })
  })
  it('takes what is asked for, and then means it', async () => {
    expect(
      await readSettings({
        SOTTO_DATA_DIR: folder,
        SOTTO_PORT: '9000',
        SOTTO_UI_PORT: '9001',
        SOTTO_VAULT: 'memory',
      }),
    ).toEqual({
      dataDir: folder,
      port: 9000,
      portMayMove: false,
      uiPort: 9001,
      bodyMemoryBytes: 512 * 1024 * 1024,
      vault: 'memory',
      allow: { hosts: [], origins: [] },
    })
  })
  it.each([
    { SOTTO_PORT: 'x' },
    { SOTTO_PORT: '70000' },
    { SOTTO_PORT: '-1' },
    { SOTTO_UI_PORT: '1e3' },
    { SOTTO_VAULT: 'plain' },
    { SOTTO_MAX_BODY_MEMORY: '63' },
    { SOTTO_MAX_BODY_MEMORY: '0' },
    { SOTTO_MAX_BODY_MEMORY: '512MiB' },
    { SOTTO_MAX_BODY_MEMORY: '1e3' },
    { SOTTO_MAX_BODY_MEMORY: '100000' },
  ])('refuses %j', async (environment) => {
    await expect(readSettings({ ...environment })).rejects.toThrow(SettingError)
  })
  it('reads the memory for request bodies in MiB', async () => {
    expect((await readSettings({ SOTTO_MAX_BODY_MEMORY: '64' })).bodyMemoryBytes).toBe(64 * 1024 * 1024)
    expect((await readSettings({ SOTTO_MAX_BODY_MEMORY: '99999' })).bodyMemoryBytes).toBe(
      99_999 * 1024 * 1024,
    )
  })
})
