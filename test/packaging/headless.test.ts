import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRemoteAccess } from '../../src/host/remote-access-settings.ts'

const root = dirname(dirname(import.meta.dirname))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

describe('the container file', () => {
  const instructions = read('build/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, name = '', value = ''] = /^(\w+)\s*(.*)$/.exec(line) ?? []
      return { name, value }
    })
  const from = instructions.map(({ name }) => name).lastIndexOf('FROM')
  const final = instructions.slice(from)
  const all = (name: string, of = final): string[] =>
    of.filter((instruction) => instruction.name === name).map(({ value }) => value)
  const environment = Object.fromEntries(
    all('ENV').flatMap((line) =>
      line
        .split(' ')
        .filter(Boolean)
        .map((pair) => pair.split('=', 2)),
    ) as [string, string][],
  )

  const copied = all('COPY', instructions)
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1))

  it('uses an exact version, not a moving tag', () => {
    expect(all('ARG', instructions)).toEqual([
      expect.stringMatching(/^NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/) as unknown,
    ])
    for (const image of all('FROM', instructions)) expect(image).toMatch(/^\$\{NODE_IMAGE\}( AS build)?$/)
  })
  it('copies only what runs, and runs no install scripts', () => {
    expect(all('COPY')).toEqual([
      '--from=build /src/package.json ./',
      '--from=build /src/resources resources',
      '--from=build /src/out out',
    ])
    expect(all('RUN', instructions).filter((line) => line.includes('npm'))).toEqual([
      expect.stringContaining('npm ci --ignore-scripts') as unknown,
    ])
    expect(all('ADD', instructions)).toEqual([])
  })
  it('doesn’t run as root, and owns only its data', () => {
    expect(all('USER')).toEqual(['10402:10402'])
    expect(final.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      final.findLastIndex(({ name }) => name === 'RUN' || name === 'COPY'),
    )
    expect(all('RUN')).toEqual(['install -d -m 0700 -o 10402 -g 10402 /data'])
    expect(all('VOLUME')).toEqual([environment['SOTTO_DATA_DIR']])
  })
  it('contains no secret: the passphrase comes from a file', () => {
    expect(environment).toMatchObject({
      SOTTO_VAULT: 'file',
      SOTTO_PASSPHRASE_FILE: '/run/secrets/sotto-passphrase',
      SOTTO_CONTAINER_IMAGE: '1',
    })
    expect(Object.keys(environment)).not.toContain('SOTTO_PASSPHRASE')
  })
  it('checks /health on the port that is served', () => {
    const [check] = all('HEALTHCHECK')
    const command = JSON.parse(/CMD (\[.*\])$/.exec(check!)![1]!) as string[]
    expect(command[0]).toBe('node')
    expect(command[2]).toContain("'http://127.0.0.1:' + process.env.SOTTO_PORT + '/health'")
    expect(environment['SOTTO_PORT']).toMatch(/^\d+$/)
  })
  it('opens no address by default, and only its own flag allows one without TLS', async () => {
    expect(all('CMD')).toEqual(['[]'])
    expect(JSON.parse(all('ENTRYPOINT')[0]!)).toEqual([
      'node',
      '--disable-sigusr1',
      '/app/out/main/sotto.js',
      'serve',
      '--no-open',
    ])
    expect(await readRemoteAccess('/none', environment, {})).toEqual({ allow: { hosts: [], origins: [] } })
    expect(
      (
        await readRemoteAccess('/none', environment, {
          bind: '0.0.0.0:8480',
          allowHost: ['localhost'],
          insecurePlaintextInContainer: true,
        })
      ).remoteAddress?.tls,
    ).toBe('none-in-container')
  })
  it('is built from a list of allowed files', () => {
    const [first, ...others] = read('build/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
    expect(first).toBe('*')
    expect(others.every((line) => line.startsWith('!'))).toBe(true)
    expect(copied.length).toBeGreaterThan(0)
    for (const name of copied) expect(others).toContain(`!${name}`)
  })
  it('contains everything that the build reads: its settings, their imports, and the files that the window shows', () => {
    const needed = new Set<string>()
    const add = (file: string): void => {
      if (needed.has(file)) return
      needed.add(file)
      for (const [, path = ''] of read(file).matchAll(/from '(\.{1,2}\/[^']+)'/g))
        add(relative(root, join(root, dirname(file), path)))
    }
    add('electron.vite.config.ts')
    add('lingui.config.ts')
    add('CHANGELOG.md')
    expect([...needed]).toEqual(
      expect.arrayContaining(['build/window-plugins.ts', 'build/compiled-english.ts']),
    )
    const absent = [...needed].filter(
      (file) => !copied.some((name) => file === name || file.startsWith(`${name}/`)),
    )
    expect(absent).toEqual([])
  })
})

describe('the systemd unit', () => {
  const lines = read('build/sotto.service')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])
  const unit = (name: string): string[] => lines.filter(([key]) => key === name).map(([, value]) => value)

  it('has a separate user, and one folder that it can write', () => {
    expect(unit('DynamicUser')).toEqual(['yes'])
    expect(unit('User')).toEqual([])
    expect(unit('StateDirectory')).toEqual(['sotto'])
    expect(unit('StateDirectoryMode')).toEqual(['0700'])
    expect(unit('ProtectSystem')).toEqual(['strict'])
    expect(unit('ReadWritePaths')).toEqual([])
    expect(unit('Environment')).toContain('SOTTO_DATA_DIR=%S/sotto')
  })
  it('gets the passphrase as a credential, never as a variable', () => {
    expect(unit('LoadCredential')).toEqual(['sotto-passphrase:/etc/sotto/passphrase'])
    expect(unit('Environment')).toContain('SOTTO_PASSPHRASE_FILE=%d/sotto-passphrase')
    expect(unit('Environment').some((line) => line.startsWith('SOTTO_PASSPHRASE='))).toBe(false)
  })
  it.each([
    ['NoNewPrivileges', 'yes'],
    ['CapabilityBoundingSet', ''],
    ['ProtectHome', 'yes'],
    ['PrivateTmp', 'yes'],
    ['PrivateDevices', 'yes'],
    ['PrivateUsers', 'yes'],
    ['ProtectProc', 'invisible'],
    ['ProtectKernelTunables', 'yes'],
    ['ProtectKernelModules', 'yes'],
    ['ProtectControlGroups', 'yes'],
    ['RestrictNamespaces', 'yes'],
    ['RestrictSUIDSGID', 'yes'],
    ['LockPersonality', 'yes'],
    ['SystemCallArchitectures', 'native'],
    ['LimitCORE', '0'],
    ['UMask', '0077'],
  ])('is confined: %s=%s', (name, value) => {
    expect(unit(name)).toEqual([value])
  })
  it('has the system calls of a service, and no privileged ones', () => {
    expect(unit('SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources'])
  })
  it('starts Sotto only on loopback', () => {
    expect(unit('ExecStart')).toEqual(['node --disable-sigusr1 /opt/sotto/out/main/sotto.js serve --no-open'])
  })
  it('finds Node only where root installs it', () => {
    expect(unit('ExecSearchPath')).toEqual(['/opt/sotto/node/bin:/usr/local/bin:/usr/bin'])
  })
})

describe('docs/headless.md', () => {
  it('names every setting and flag', () => {
    const text = read('docs/headless.md')
    const sources = [
      'src/host/settings.ts',
      'src/host/passphrase.ts',
      'src/host/remote-access-settings.ts',
      'src/host/log-settings.ts',
    ]
      .map(read)
      .join('\n')
    for (const name of new Set(sources.match(/SOTTO_[A-Z_]+[A-Z]/g))) expect(text).toContain(name)
    for (const [flag] of read('src/cli/serve-command.ts').matchAll(/--[a-z-]+/g)) expect(text).toContain(flag)
  })
})
