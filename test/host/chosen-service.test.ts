import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readChosenService, writeChosenService } from '../../src/host/chosen-service.ts'
import { DataFolder } from '../../src/host/data-folder.ts'
import { readSettings } from '../../src/host/settings.ts'
import { startHost, type Host } from '../../src/host/host.ts'
import { windowCaller } from '../window-caller.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-chosen-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Blocks the file to which the marker is first written, as a full disk would. */
const refuse = (): Promise<unknown> => mkdir(join(folder, 'service.json.new', 'x'), { recursive: true })
const allow = (): Promise<void> => rm(join(folder, 'service.json.new'), { recursive: true })

describe('the marker', () => {
  it('names the service that was chosen last, and leaves no other file', async () => {
    expect(await readChosenService(folder)).toBeNull()
    for (const id of ['ppq', 'sandbox']) {
      await writeChosenService(folder, id)
      expect(await readChosenService(folder)).toBe(id)
    }
    expect(await readdir(folder)).toEqual(['service.json'])
  })

  it('that can’t be written fails with its code, and is unchanged', async () => {
    await writeChosenService(folder, 'ppq')
    await refuse()
    await expect(writeChosenService(folder, 'sandbox')).rejects.toMatchObject({ code: 'store/unwritable' })
    expect(await readChosenService(folder)).toBe('ppq')
  })
})

describe('the choice of a service', () => {
  const call = async (host: Host, path: string, input?: unknown): Promise<unknown> => {
    const response = await host.api(
      new Request(`http://sotto.invalid/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ json: input }),
      }),
      windowCaller,
    )
    return ((await response.json()) as { json: unknown }).json
  }
  const service = async (host: Host): Promise<unknown> =>
    ((await call(host, 'app/status')) as { service: { profileId: string } }).service.profileId

  it('is refused if it can’t be saved, and the previous service stays until it succeeds', async () => {
    await using host = await startHost({
      settings: await readSettings({ SOTTO_DATA_DIR: folder, SOTTO_VAULT: 'memory' }),
      anyPort: true,
      folder: await DataFolder.check(folder),
      confirm: { ask: () => Promise.resolve(true), pending: () => null, answer: () => ({ accepted: false }) },
    })
    await refuse()
    expect(await call(host, 'profiles/choose', { profileId: 'ppq' })).toMatchObject({
      data: { code: 'store/unwritable' },
    })
    expect([await service(host), host.service(), await readChosenService(folder)]).toEqual([
      'sandbox',
      'sandbox',
      null,
    ])
    await allow()
    expect(await call(host, 'profiles/choose', { profileId: 'ppq' })).toMatchObject({
      service: { profileId: 'sandbox' },
    })
    // The choice is saved before it is answered.
    expect(JSON.parse(await readFile(join(folder, 'service.json'), 'utf8'))).toEqual({ profileId: 'ppq' })
    await expect.poll(() => service(host)).toBe('ppq')
  }, 60_000)

  it('uses the service that was saved last, of two that are chosen at once', async () => {
    await using host = await startHost({
      settings: await readSettings({ SOTTO_DATA_DIR: folder, SOTTO_VAULT: 'memory' }),
      anyPort: true,
      folder: await DataFolder.check(folder),
      confirm: { ask: () => Promise.resolve(true), pending: () => null, answer: () => ({ accepted: false }) },
    })
    await Promise.all(['sandbox', 'ppq'].map((profileId) => call(host, 'profiles/choose', { profileId })))
    await expect.poll(() => service(host)).toBe(await readChosenService(folder))
  }, 60_000)
})
