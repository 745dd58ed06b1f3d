import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

/** The installed command, with a stand-in for the built product, which prints how Node.js was started. */
const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const source = join(root, 'bin', 'sotto.cjs')
const folder = mkdtempSync(join(tmpdir(), 'sotto-launcher-'))
const launcher = join(folder, 'package', 'bin', 'sotto.cjs')
const link = join(folder, 'sotto')

beforeAll(() => {
  for (const name of ['bin', 'out/main']) mkdirSync(join(folder, 'package', name), { recursive: true })
  writeFileSync(join(folder, 'package', 'package.json'), '{"type":"module"}')
  writeFileSync(launcher, readFileSync(source), { mode: 0o755 })
  writeFileSync(
    join(folder, 'package', 'out', 'main', 'sotto.js'),
    `import { url } from 'node:inspector'
    process.stdout.write(JSON.stringify({ pid: process.pid, flags: process.execArgv, args: process.argv.slice(2), inspector: url() ?? null }))
    if (process.argv[2] === 'fail') process.exitCode = 3`,
  )
  // npm links the command into a folder of PATH.
  symlinkSync(launcher, link)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const seenSchema = z.object({
  pid: z.number(),
  flags: z.array(z.string()),
  args: z.array(z.string()),
  inspector: z.string().nullable(),
})
const start = (flags: readonly string[], ...args: readonly string[]) =>
  spawnSync(process.execPath, [...flags, link, ...args], { encoding: 'utf8' })

describe('the installed command', () => {
  it('starts the product with the flag that keeps the inspector closed, and with its arguments', () => {
    const { stdout, stderr, status, pid } = start(['--no-warnings'], 'chat', '--json', 'two words', '')
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const seen = seenSchema.parse(JSON.parse(stdout))
    expect(seen.flags).toEqual(['--no-warnings', '--disable-sigusr1'])
    expect(seen.args).toEqual(['chat', '--json', 'two words', ''])
    // A signal to the started process reaches the product.
    if (process.platform !== 'win32') expect(seen.pid).toBe(pid)
  })
  it('ends with the exit code of the product', () => {
    expect(start([], 'fail').status).toBe(3)
  })
  it('closes an inspector that a signal opened before the restart', () => {
    const preload = join(folder, 'open.cjs')
    writeFileSync(
      preload,
      `if (!process.execArgv.includes('--disable-sigusr1')) {
        require('node:inspector').open(0, '127.0.0.1')
        process.stderr.write('opened')
      }`,
    )
    const { stdout, stderr } = start(['--require', preload])
    expect(stderr).toContain('opened')
    expect(seenSchema.parse(JSON.parse(stdout)).inspector).toBeNull()
  })
})

describe('the versions of Node.js', () => {
  const { isSupported, SUPPORTED } = z
    .object({
      isSupported: z.custom<(version: string) => boolean>((value) => typeof value === 'function'),
      SUPPORTED: z.array(
        z.object({
          major: z.number(),
          minor: z.number(),
          patch: z.number(),
          orLater: z.boolean().default(false),
        }),
      ),
    })
    .parse(createRequire(import.meta.url)(source))

  it('are those of package.json', () => {
    const { engines } = z
      .object({ engines: z.object({ node: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    const ranges = SUPPORTED.map(({ major, minor, patch, orLater }) =>
      orLater ? `>=${major}.${minor}${patch === 0 ? '' : `.${patch}`}` : `^${major}.${minor}.${patch}`,
    )
    expect(ranges.join(' || ')).toBe(engines.node)
    for (const { major, minor, patch } of SUPPORTED)
      expect(readFileSync(source, 'utf8')).toContain(
        `${major}.${minor}${patch === 0 ? '' : `.${patch}`} or newer`,
      )
  })
  it.each(['22.22.2', '22.23.0', '24.15.0', '24.15.0-nightly20260101', '24.16.1', '25.0.0', '26.1.0'])(
    'include %s',
    (version) => expect(isSupported(version)).toBe(true),
  )
  it.each(['0.12.18', '18.20.8', '20.20.2', '22.9.9', '22.22.1', '23.11.1', '24.14.9'])(
    'exclude %s',
    (version) => expect(isSupported(version)).toBe(false),
  )

  // Debian's Node.js, in most places older than the one of the tests.
  const debian = '/usr/bin/node'
  const version = existsSync(debian)
    ? spawnSync(debian, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)
    : undefined
  it.skipIf(version === undefined || isSupported(version))(
    'are named in one sentence by an older Node.js',
    async () => {
      await expect(run(debian, [link, 'serve'])).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Sotto needs Node.js 24.15 or newer, or 22.22.2 or newer of version 22; this is ${version ?? ''}.\n`,
      })
    },
  )
  it('don’t matter for parsing the launcher: it has no syntax that is newer than Node.js 0.12', () => {
    const code = readFileSync(source, 'utf8').replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '')
    expect(code).not.toMatch(/\b(?:const|let|class|async|await|import)\b|=>|`|\?\.|\?\?|\.\.\.|node:/)
  })
})
