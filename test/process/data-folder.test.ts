import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataFolder } from '../../src/host/data-folder.ts'
import { canRunUnprivileged, isRoot, OTHER_USER, reachableFolder, unprivileged } from '../host/other-user.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'
import { COMMAND } from './command.ts'
import { runSotto, startSotto, type Finished, type Ready } from './sotto-process.ts'
import { dataOf, errorCodeOf } from './command-json.ts'

let root: string
let folder: string
const running: ChildProcess[] = []
beforeEach(() => {
  root = reachableFolder()
  folder = join(root, 'data')
})
afterEach(async () => {
  await Promise.all(
    running.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }),
  )
  chmodSync(root, 0o700)
  rmSync(root, { recursive: true, force: true })
})

/** Every file and folder of the data folder, with its mode. */
function entries(): Record<string, number> {
  const names = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  // SQLite may remove a file between the two calls; such a file has no mode.
  const modes = names.map(
    (name) => [name, lstatSync(join(folder, name), { throwIfNoEntry: false })?.mode] as const,
  )
  return Object.fromEntries(
    modes.flatMap(([name, mode]) => (mode === undefined ? [] : [[name, mode & 0o777]])),
  )
}
const loose = (): string[] =>
  Object.entries(entries())
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([name, mode]) => `${name} ${mode.toString(8)}`)

/** Starts a command without root's rights, in the data folder of the test. */
function start(args: string[]): ChildProcess {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    ...unprivileged,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOME: root,
      TMPDIR: root,
      SOTTO_DATA_DIR: folder,
      SOTTO_PORT: '0',
      SOTTO_UI_PORT: '0',
      SOTTO_VAULT: 'file',
      SOTTO_PASSPHRASE: 'correct horse',
    },
  })
  running.push(child)
  return child
}
async function run(args: string[]): Promise<Finished> {
  const child = start(args)
  let [stdout, stderr] = ['', '']
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
async function ready(child: ChildProcess): Promise<Ready> {
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    once(child, 'exit'),
  ])) as [string]
  return dataOf(line) as Ready
}
/**
 * One or two sentences with a code, and no stack trace. With `--json` they are one line of JSON on standard output.
 *
 * @returns the sentences
 */
function expectRefusal(
  { code, stdout, stderr }: Finished,
  args: readonly string[],
  failure: string,
  path: string,
): string {
  expect(code).toBe(1)
  const json = args.includes('--json')
  expect(json ? stderr : stdout).toBe('')
  if (json) expect(errorCodeOf(stdout)).toBe(failure)
  else expect(stderr).toContain(`(${failure})`)
  const text = json ? Object.values((JSON.parse(stdout) as { error: object }).error).join(' ') : stderr
  expect(text).toContain(path)
  expect(text).not.toMatch(/^\s+at /m)
  return text
}

const LIST = ['keys', 'list']
const UMASK_0 = { NODE_OPTIONS: '--import=data:text/javascript,process.umask(0)' }

describe.skipIf(process.platform === 'win32')('the data folder of a running Sotto', () => {
  it('has no file that others can read, even with umask 000, and restricts and reports loose modes', async () => {
    const environment = { ...UMASK_0, SOTTO_LOG_LEVEL: 'debug' }
    const sotto = await startSotto(folder, environment)
    try {
      await (
        await sotto.api('chat/send', { model: 'private/sandbox-lento-8b', text: 'Hello, quietly' })
      ).text()
      const upload = new FormData()
      upload.set('model', 'whisper-1')
      upload.set('file', new File([new Uint8Array(300_000)], 'sound.wav', { type: 'audio/wav' }))
      await (
        await fetch(`${sotto.ready.proxy.baseUrl}/audio/transcriptions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${sotto.ready.proxy.key!}` },
          body: upload,
        })
      ).text()
      // Creates a file that leads a browser to the address.
      expect(await sotto.newAddress()).toContain('#code=')
      const names = Object.keys(entries())
      expect(names).toEqual(
        expect.arrayContaining([
          'owner.lock',
          'sotto.sock',
          'vault.json',
          'spool',
          'logs/sotto.log',
          'profiles/sandbox/sotto.db-wal',
          'sandbox/sandbox.sqlite',
          'sandbox/sandbox.sqlite-wal',
          expect.stringMatching(/^open-.*\.html$/),
        ]),
      )
      expect(loose()).toEqual([])
    } finally {
      await sotto.stop('SIGKILL')
    }
    expect(loose()).toEqual([])

    const before = Object.keys(entries()).filter((name) => name !== 'sotto.sock')
    for (const name of before) chmodSync(join(folder, name), lstatSync(join(folder, name)).mode | 0o066)
    const next = await startSotto(folder, environment)
    try {
      expect(loose()).toEqual([])
      expect(next.stderr()).toContain('Other users had access to the data folder. Sotto removed it from: ')
      expect(await next.call('app/status')).toMatchObject({
        notices: expect.arrayContaining([
          expect.objectContaining({ id: 'folder-restricted', lasting: false }),
        ]) as unknown,
      })
    } finally {
      expect(await next.stop('SIGTERM')).toBe(0)
    }
    // The check knows every file that Sotto writes, and leaves other programs' files unchanged.
    for (const name of Object.keys(entries())) chmodSync(join(folder, name), 0o700)
    chmodSync(folder, 0o755)
    await DataFolder.check(folder)
  })

  it('is refused below a world-writable folder before anything is written', async () => {
    mkdirSync(join(root, 'open'))
    chmodSync(join(root, 'open'), 0o777)
    folder = join(root, 'open', 'data')
    for (const args of [
      ['serve', '--no-open', '--json'],
      ['keys', 'list'],
      ['open', '--print'],
    ]) {
      expectRefusal(
        await runSotto(args, { SOTTO_DATA_DIR: folder }),
        args,
        'host/folder-writable-by-others',
        join(root, 'open'),
      )
      expect(existsSync(folder)).toBe(false)
    }
  })

  it.runIf(process.platform === 'linux')(
    'is refused if its path is too long and no private folder can hold its socket',
    async () => {
      mkdirSync(join(root, 'runtime'))
      chmodSync(join(root, 'runtime'), 0o755)
      folder = join(root, 'l'.repeat(120))
      const environment = {
        SOTTO_DATA_DIR: folder,
        SOTTO_PORT: '0',
        SOTTO_VAULT: 'memory',
        XDG_RUNTIME_DIR: join(root, 'runtime'),
        XDG_STATE_HOME: join(root, 's'.repeat(120)),
      }
      const args = ['serve', '--no-open', '--json']
      expectRefusal(await runSotto(args, environment), args, 'host/socket-path-too-long', 'XDG_RUNTIME_DIR')
    },
  )

  it.runIf(isRoot)('is refused if a file in it belongs to another user', async () => {
    await DataFolder.check(folder)
    await placeRoots(join(folder, 'sandbox'))
    chownSync(join(folder, 'sandbox', 'roots.json'), OTHER_USER, OTHER_USER)
    for (const args of [
      ['serve', '--no-open', '--json'],
      ['keys', 'list'],
    ]) {
      expectRefusal(
        await runSotto(args, { SOTTO_DATA_DIR: folder }),
        args,
        'host/folder-foreign-owner',
        `sudo chown -R 0 "${folder}"`,
      )
    }
    expect(existsSync(join(folder, 'owner.lock'))).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32' || !canRunUnprivileged())('without root privileges', () => {
  /** Makes the unprivileged user the owner of the path. */
  function give(path: string): void {
    if (isRoot) chownSync(path, OTHER_USER, OTHER_USER)
  }
  beforeEach(async () => {
    await DataFolder.check(folder)
    give(root)
    give(folder)
  })

  it('a read-only data folder is refused with an explanation, and stays empty', async () => {
    chmodSync(folder, 0o500)
    for (const args of [
      ['serve', '--no-open', '--json'],
      ['serve', '--no-open'],
      ['keys', 'list'],
      ['chat', 'hello'],
      ['open', '--print'],
    ]) {
      const finished = await run(args)
      const text = expectRefusal(finished, args, 'store/unwritable', `${folder}: EACCES`)
      expect(text).toContain('isn’t read-only')
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('a folder that can’t be created, or whose lock can’t be opened, is refused, too', async () => {
    writeFileSync(join(folder, 'owner.lock'), '')
    give(join(folder, 'owner.lock'))
    chmodSync(join(folder, 'owner.lock'), 0)
    expectRefusal(await run(LIST), LIST, 'store/unwritable', join(folder, 'owner.lock'))
    rmSync(folder, { recursive: true })
    chmodSync(root, 0o500)
    expectRefusal(await run(LIST), LIST, 'store/unwritable', `${folder}: EACCES`)
  })

  it.runIf(isRoot)('root can use a service through its socket, without owning any of its files', async () => {
    const service = start(['serve', '--no-open', '--json'])
    expect((await ready(service)).event).toBe('ready')
    const environment = { SOTTO_DATA_DIR: folder }
    expect((await runSotto(['open', '--print'], environment)).stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/#code=/,
    )
    expect((await runSotto(['keys', 'list', '--json'], environment)).code).toBe(0)
    service.kill('SIGTERM')
    await once(service, 'exit')
    expectRefusal(await runSotto(LIST, environment), LIST, 'host/folder-foreign-owner', folder)
    const owners = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].map(
      (name) => lstatSync(join(folder, name)).uid,
    )
    expect(new Set(owners)).toEqual(new Set([OTHER_USER]))
  })
})
