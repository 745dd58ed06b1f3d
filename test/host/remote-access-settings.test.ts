import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRemoteAccess, type RemoteAccessFlags } from '../../src/host/remote-access-settings.ts'
import { readSettings } from '../../src/host/settings.ts'
import { SettingError } from '../../src/host/log-settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-reach-'))
  await writeFile(join(folder, 'cert.pem'), 'CERT')
  await writeFile(join(folder, 'key.pem'), 'KEY')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const nothing = { allow: { hosts: [], origins: [] } }
const readAt = (flags: RemoteAccessFlags, environment: NodeJS.ProcessEnv = {}) =>
  readRemoteAccess(folder, environment, flags)
const IMAGE = { SOTTO_CONTAINER_IMAGE: '1' }

describe('remote access', () => {
  it('is limited to this computer by default', async () => {
    expect(await readAt({})).toEqual(nothing)
  })

  it.each([
    ['192.168.1.5:8443', '192.168.1.5', 8443],
    ['[fd00::5]:443', 'fd00::5', 443],
    ['[FD00:0:0::5]:443', 'fd00::5', 443],
  ])('listens on %s with its own certificate', async (bind, host, port) => {
    expect(await readAt({ bind })).toEqual({ ...nothing, remoteAddress: { host, port, tls: 'own' } })
  })

  it('accepts a given certificate', async () => {
    expect(
      (
        await readAt({
          bind: '10.0.0.1:8443',
          tlsCert: join(folder, 'cert.pem'),
          tlsKey: join(folder, 'key.pem'),
        })
      ).remoteAddress,
    ).toEqual({ host: '10.0.0.1', port: 8443, tls: { certificate: 'CERT', key: 'KEY' } })
  })

  it.each([
    '127.0.0.1:8443',
    '127.9.9.9:1',
    '[::1]:8443',
    '[0:0:0:0:0:0:0:1]:8443',
    '[::ffff:127.0.0.1]:8443',
    '[::FFFF:7f00:1]:8443',
    '[::ffff:0.0.0.0]:8443',
    'box.example:8443',
    '10.0.0.1',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0.256:1',
    ':8443',
    '',
    '10.0.0.1:8443 ',
    '10.0.0.1:8443/x',
  ])('refuses the address “%s”', async (bind) => {
    await expect(readAt({ bind })).rejects.toThrow(SettingError)
  })

  it.each(['0.0.0.0:8443', '[::]:8443', '[::0]:8443', '[0:0:0:0:0:0:0:0]:8443'])(
    'requires host names if it listens on every address: %s',
    async (bind) => {
      await expect(readAt({ bind })).rejects.toThrow(/--allow-host/)
      expect((await readAt({ bind, allowHost: ['Box.example'] })).allow.hosts).toEqual(['box.example'])
    },
  )

  it.each(['*', '*.example', 'box.example/', 'http://box.example', 'a b', '', 'box.example:', '-x'])(
    'refuses the host name “%s”',
    async (name) => {
      await expect(readAt({ allowHost: [name] })).rejects.toThrow(SettingError)
    },
  )

  it.each([
    '*',
    'null',
    'https://notes.example/',
    'https://notes.example/x',
    'HTTPS://notes.example',
    'https://Notes.example',
    'file://x',
    'notes.example',
    'https://notes.example:443',
    'https://a@notes.example',
  ])('refuses the origin “%s”', async (origin) => {
    await expect(readAt({ allowOrigin: [origin] })).rejects.toThrow(SettingError)
  })

  it('accepts an origin with its port', async () => {
    expect(
      (await readAt({ allowOrigin: ['https://notes.example', 'http://localhost:5173'] })).allow.origins,
    ).toEqual(['https://notes.example', 'http://localhost:5173'])
  })

  it('never accepts a wildcard', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (before, after) => {
        await expect(readAt({ allowHost: [`${before}*${after}`] })).rejects.toThrow(SettingError)
        await expect(readAt({ allowOrigin: [`https://${before}*${after}`] })).rejects.toThrow(SettingError)
      }),
      { numRuns: 100 },
    )
  })

  it('allows plaintext only in the container image, and only with the flag', async () => {
    const flags = { bind: '10.0.0.1:8402', insecurePlaintextInContainer: true }
    await expect(readAt(flags)).rejects.toThrow(/only in Sotto’s container image/)
    await expect(readAt(flags, { SOTTO_CONTAINER_IMAGE: 'yes' })).rejects.toThrow(SettingError)
    expect((await readAt(flags, IMAGE)).remoteAddress?.tls).toBe('none-in-container')
    expect((await readAt({ bind: '10.0.0.1:8402' }, IMAGE)).remoteAddress?.tls).toBe('own')
    await expect(
      readAt({ ...flags, tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }, IMAGE),
    ).rejects.toThrow(SettingError)
    await expect(readAt({ insecurePlaintextInContainer: true }, IMAGE)).rejects.toThrow(SettingError)
  })

  it.each([
    { tlsCert: 'x' },
    { tlsKey: 'x' },
    { tlsCert: '/none', tlsKey: '/none' },
    { bind: '10.0.0.1:1', tlsCert: '/none', tlsKey: '/none' },
  ])('refuses an incomplete or unused certificate: %j', async (flags) => {
    await expect(readAt(flags)).rejects.toThrow(SettingError)
  })

  it('is read from the data folder unless a flag or the environment sets it', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sotto-reach-'))
    await writeFile(
      join(other, 'reach.json'),
      JSON.stringify({
        bind: '10.0.0.9:9000',
        allowHost: ['file.example'],
        allowOrigin: ['https://file.example'],
      }),
    )
    expect(await readRemoteAccess(other, {}, {})).toEqual({
      allow: { hosts: ['file.example'], origins: ['https://file.example'] },
      remoteAddress: { host: '10.0.0.9', port: 9000, tls: 'own' },
    })
    expect(
      (await readRemoteAccess(other, { SOTTO_ALLOW_HOST: 'a.example, b.example' }, {})).allow.hosts,
    ).toEqual(['a.example', 'b.example'])
    expect(
      (await readRemoteAccess(other, { SOTTO_BIND: '10.0.0.8:9000' }, { bind: '10.0.0.7:9000' }))
        .remoteAddress?.host,
    ).toBe('10.0.0.7')
    for (const bad of ['{', '[]', '{"insecurePlaintextInContainer":true}', '{"bind":7}', '"x"']) {
      await writeFile(join(other, 'reach.json'), bad)
      await expect(readRemoteAccess(other, {}, {})).rejects.toThrow(SettingError)
    }
    await rm(other, { recursive: true })
  })

  it.skipIf(process.platform === 'win32')('refuses a link or a pipe as its settings file', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sotto-reach-'))
    const path = join(other, 'reach.json')
    await writeFile(join(other, 'elsewhere.json'), '{}')
    await symlink('elsewhere.json', path)
    await expect(readRemoteAccess(other, {}, {})).rejects.toThrow(`${path} isn’t a regular file.`)
    await rm(path)
    execFileSync('mkfifo', [path])
    await expect(readRemoteAccess(other, {}, {})).rejects.toThrow(`${path} isn’t a regular file.`)
    await rm(other, { recursive: true })
  })
})

describe('the log', () => {
  const log = async (environment: NodeJS.ProcessEnv, flags = {}) =>
    (await readSettings({ SOTTO_DATA_DIR: folder, ...environment }, flags)).log
  it('is silent by default', async () => {
    expect(await log({})).toBeUndefined()
    expect(await log({ SOTTO_LOG_TO: 'stderr' })).toBeUndefined()
    expect(await log({ SOTTO_LOG_LEVEL: 'info' }, { logLevel: 'silent' })).toBeUndefined()
  })
  it('goes to a file of the data folder, or to standard error', async () => {
    expect(await log({ SOTTO_LOG_LEVEL: 'info' })).toEqual({ level: 'info', to: 'file' })
    expect(await log({}, { logLevel: 'warn', logTo: 'stderr' })).toEqual({ level: 'warn', to: 'stderr' })
  })
  it.each([[{ logLevel: 'loud' }], [{ logLevel: 'info', logTo: '/tmp/x' }]])('refuses %j', async (flags) => {
    await expect(log({}, flags)).rejects.toThrow(SettingError)
  })
})
