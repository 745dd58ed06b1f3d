import { execFileSync, spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dataOf } from '../process/command-json.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'

/**
 * Builds the image that the container file describes, and runs it, without a registry. Node.js and the libraries of this
 * computer replace the base image, and the build in `out` replaces the stage that builds.
 */
const root = join(import.meta.dirname, '..', '..')
const USER = 10_402
const missing =
  process.platform !== 'linux' || spawnSync('buildah', ['--version']).error !== undefined
    ? 'buildah isn’t installed'
    : process.getuid?.() !== 0
      ? 'buildah needs root to run a container without a container runtime'
      : existsSync(join(root, 'out/main/sotto.js'))
        ? null
        : 'there is no build'
if (missing !== null) console.warn(`test/packaging/container-image is skipped: ${missing}.`)

describe.runIf(missing === null)('the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-image-'))
  const context = join(folder, 'context')
  const data = join(folder, 'data')
  const passphrase = join(folder, 'sotto-passphrase')
  const stores = ['--storage-driver', 'vfs', '--root', join(folder, 'root'), '--runroot', join(folder, 'run')]
  const buildah = (...args: string[]) =>
    spawnSync('buildah', [...stores, ...args], {
      encoding: 'utf8',
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    })
  let container = ''
  const run = (...args: string[]) =>
    buildah(
      'run',
      '--volume',
      `${data}:/data`,
      '--volume',
      `${passphrase}:/run/secrets/sotto-passphrase:ro`,
      container,
      '--',
      'node',
      '/app/out/main/sotto.js',
      ...args,
    )

  beforeAll(async () => {
    writeBase(join(context, 'base'))
    cpSync(join(root, 'resources'), join(context, 'resources'), { recursive: true })
    cpSync(join(root, 'package.json'), join(context, 'package.json'))
    for (const name of ['main', 'renderer'])
      cpSync(join(root, 'out', name), join(context, 'out', name), { recursive: true })
    const file = readFileSync(join(root, 'build/Dockerfile'), 'utf8')
    const final = file.slice(file.lastIndexOf('\nFROM ${NODE_IMAGE}\n') + 1)
    writeFileSync(
      join(folder, 'Containerfile'),
      final
        .replace(/^FROM .*\n/, 'FROM scratch\nCOPY base /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n')
        .replaceAll('--from=build /src/', ''),
    )
    const built = buildah(
      'build',
      '--format',
      'docker',
      '--layers=false',
      '--file',
      join(folder, 'Containerfile'),
      '--tag',
      'sotto',
      context,
    )
    expect(built.status, built.stderr).toBe(0)
    container = buildah('from', '--pull-never', 'localhost/sotto').stdout.trim()
    await placeRoots(join(data, 'sandbox'))
    writeFileSync(passphrase, 'correct horse\n', { mode: 0o400 })
    execFileSync('chown', ['-R', `${String(USER)}:${String(USER)}`, data])
    execFileSync('chmod', ['-R', 'go=', data])
    chownSync(passphrase, USER, USER)
  })
  afterAll(() => {
    // Unmounts what a failed test may have left.
    if (container !== '') buildah('rm', container)
    rmSync(folder, { recursive: true, force: true })
  })

  it('has the user, the data folder, the health check and the start of the container file', () => {
    const inspected = z
      .object({ Docker: z.object({ config: z.record(z.string(), z.unknown()) }) })
      .parse(JSON.parse(buildah('inspect', '--type', 'image', 'localhost/sotto').stdout))
    expect(inspected.Docker.config).toMatchObject({
      User: `${String(USER)}:${String(USER)}`,
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', 'node', '-e', expect.stringContaining('/health') as unknown] },
      Entrypoint: ['node', '--disable-sigusr1', '/app/out/main/sotto.js', 'serve', '--no-open'],
    })
  })
  it('creates a key with a grant before the start', () => {
    const added = run('keys', 'add', 'editor', '--grant', 'metrics', '--yes', '--json')
    expect([added.status, added.stderr]).toEqual([0, ''])
    expect(dataOf(added.stdout)).toMatchObject({ key: { name: 'editor', limits: { grants: ['metrics'] } } })
  })
})

/** Writes the files of a base image: Node.js, a shell, `install`, and their libraries. */
function writeBase(base: string): void {
  const node = realpathSync(process.execPath)
  const programs = {
    [node]: '/usr/local/bin/node',
    '/bin/sh': '/bin/sh',
    '/usr/bin/install': '/usr/bin/install',
  }
  const libraries = execFileSync('ldd', Object.keys(programs), { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => /^\s+(?:\S+ => )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])
  for (const [from, to] of [...Object.entries(programs), ...libraries.map((path) => [path, path] as const)]) {
    mkdirSync(dirname(join(base, to)), { recursive: true })
    if (!existsSync(join(base, to))) cpSync(realpathSync(from), join(base, to))
  }
  for (const name of ['etc', 'tmp']) mkdirSync(join(base, name), { recursive: true })
  writeFileSync(join(base, 'etc', 'passwd'), 'root:x:0:0::/:/bin/sh\n')
}
