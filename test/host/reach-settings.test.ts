import fc from 'fast-check'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readReach, type ReachFlags } from '../../src/host/reach-settings.ts'
import { readSettings } from '../../src/host/settings.ts'
import { SettingError } from '../../src/host/setting-error.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-reach-'))
  await writeFile(join(folder, 'cert.pem'), 'CERT')
  await writeFile(join(folder, 'key.pem'), 'KEY')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const nothing = { allow: { hosts: [], origins: [] } }
const readAt = (flags: ReachFlags, environment: NodeJS.ProcessEnv = {}) => readReach(folder, environment, flags)
const IMAGE = { SOTTO_CONTAINER_IMAGE: '1' }

describe('how far Sotto reaches', () => {
  it('is this machine alone, where nothing is said', () => {
    expect(readAt({})).toEqual(nothing)
  })

  it.each([
    ['192.168.1.5:8443', '192.168.1.5', 8443],
    ['[fd00::5]:443', 'fd00::5', 443],
    ['[FD00:0:0::5]:443', 'fd00::5', 443],
  ])('is %s with a certificate of its own', (bind, host, port) => {
    expect(readAt({ bind })).toEqual({ ...nothing, reach: { host, port, tls: 'own' } })
  })

  it('takes a given certificate', () => {
    expect(readAt({ bind: '10.0.0.1:8443', tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }).reach).toEqual({ host: '10.0.0.1', port: 8443, tls: { certificate: 'CERT', key: 'KEY' } })
  })

  it.each(['127.0.0.1:8443', '127.9.9.9:1', '[::1]:8443', '[0:0:0:0:0:0:0:1]:8443', '[::ffff:127.0.0.1]:8443', '[::FFFF:7f00:1]:8443', '[::ffff:0.0.0.0]:8443', 'box.example:8443', '10.0.0.1', '10.0.0.1:0', '10.0.0.1:65536', '10.0.0.256:1', ':8443', '', '10.0.0.1:8443 ', '10.0.0.1:8443/x'])('refuses the address “%s”', (bind) => {
    expect(() => readAt({ bind })).toThrow(SettingError)
  })

  it.each(['0.0.0.0:8443', '[::]:8443', '[::0]:8443', '[0:0:0:0:0:0:0:0]:8443'])('wants names where it answers at every address: %s', (bind) => {
    expect(() => readAt({ bind })).toThrow(/--allow-host/)
    expect(readAt({ bind, allowHost: ['Box.example'] }).allow.hosts).toEqual(['box.example'])
  })

  it.each(['*', '*.example', 'box.example/', 'http://box.example', 'a b', '', 'box.example:', '-x'])('refuses the host name “%s”', (name) => {
    expect(() => readAt({ allowHost: [name] })).toThrow(SettingError)
  })

  it.each(['*', 'null', 'https://notes.example/', 'https://notes.example/x', 'HTTPS://notes.example', 'https://Notes.example', 'file://x', 'notes.example', 'https://notes.example:443', 'https://a@notes.example'])('refuses the origin “%s”', (origin) => {
    expect(() => readAt({ allowOrigin: [origin] })).toThrow(SettingError)
  })

  it('takes an origin with its port', () => {
    expect(readAt({ allowOrigin: ['https://notes.example', 'http://localhost:5173'] }).allow.origins).toEqual(['https://notes.example', 'http://localhost:5173'])
  })

  it('never takes a wildcard', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (before, after) => {
      expect(() => readAt({ allowHost: [`${before}*${after}`] })).toThrow(SettingError)
      expect(() => readAt({ allowOrigin: [`https://${before}*${after}`] })).toThrow(SettingError)
    }), { numRuns: 100 })
  })

  it('has plaintext in the container image alone, and by the flag alone', () => {
    const flags = { bind: '10.0.0.1:8402', insecurePlaintextInContainer: true }
    expect(() => readAt(flags)).toThrow(/container image alone/)
    expect(() => readAt(flags, { SOTTO_CONTAINER_IMAGE: 'yes' })).toThrow(SettingError)
    expect(readAt(flags, IMAGE).reach?.tls).toBe('none-in-container')
    expect(readAt({ bind: '10.0.0.1:8402' }, IMAGE).reach?.tls).toBe('own')
    expect(() => readAt({ ...flags, tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }, IMAGE)).toThrow(SettingError)
    expect(() => readAt({ insecurePlaintextInContainer: true }, IMAGE)).toThrow(SettingError)
  })

  it.each([{ tlsCert: 'x' }, { tlsKey: 'x' }, { tlsCert: '/none', tlsKey: '/none' }, { bind: '10.0.0.1:1', tlsCert: '/none', tlsKey: '/none' }])('refuses half a certificate, or one for nothing: %j', (flags) => {
    expect(() => readAt(flags)).toThrow(SettingError)
  })

  it('is read from the data folder where neither flag nor environment says otherwise', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sotto-reach-'))
    await writeFile(join(other, 'reach.json'), JSON.stringify({ bind: '10.0.0.9:9000', allowHost: ['file.example'], allowOrigin: ['https://file.example'] }))
    expect(readReach(other, {}, {})).toEqual({ allow: { hosts: ['file.example'], origins: ['https://file.example'] }, reach: { host: '10.0.0.9', port: 9000, tls: 'own' } })
    expect(readReach(other, { SOTTO_ALLOW_HOST: 'a.example, b.example' }, {}).allow.hosts).toEqual(['a.example', 'b.example'])
    expect(readReach(other, { SOTTO_BIND: '10.0.0.8:9000' }, { bind: '10.0.0.7:9000' }).reach?.host).toBe('10.0.0.7')
    for (const bad of ['{', '[]', '{"insecurePlaintextInContainer":true}', '{"bind":7}', '"x"']) {
      await writeFile(join(other, 'reach.json'), bad)
      expect(() => readReach(other, {}, {})).toThrow(SettingError)
    }
    await rm(other, { recursive: true })
  })
})

describe('the log', () => {
  const log = (environment: NodeJS.ProcessEnv, flags = {}) => readSettings({ SOTTO_DATA_DIR: folder, ...environment }, flags).log
  it('is silent where nothing is said', () => {
    expect(log({})).toBeUndefined()
    expect(log({ SOTTO_LOG_TO: 'stderr' })).toBeUndefined()
    expect(log({ SOTTO_LOG_LEVEL: 'info' }, { logLevel: 'silent' })).toBeUndefined()
  })
  it('is a file of the data folder, or standard error', () => {
    expect(log({ SOTTO_LOG_LEVEL: 'info' })).toEqual({ level: 'info', to: 'file' })
    expect(log({}, { logLevel: 'warn', logTo: 'stderr' })).toEqual({ level: 'warn', to: 'stderr' })
  })
  it.each([[{ logLevel: 'loud' }], [{ logLevel: 'info', logTo: '/tmp/x' }]])('refuses %j', (flags) => {
    expect(() => log({}, flags)).toThrow(SettingError)
  })
})
