import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { serverEnvironment } from '../../../src/core/tools/environment.ts'
import { detectIsolation, isolateProgram, type ProgramCall } from '../../../src/core/tools/isolation.ts'
import { connectServer, type ServerSession } from '../../../src/core/tools/mcp-session.ts'
import { digestProgram, resolveCommand } from '../../../src/core/tools/program-digest.ts'

const SERVER = join(import.meta.dirname, 'stdio-server.mjs')
const never = new AbortController().signal
const failed: unknown = expect.objectContaining({ code: 'tools/server-failed' })

let root = ''
let folder = ''
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sotto-tools-')))
  folder = join(root, 'own')
  await mkdir(folder)
})
afterAll(() => rm(root, { recursive: true, force: true }))

const sessions: ServerSession[] = []
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()))
})

async function connect(
  program: ProgramCall = { file: process.execPath, args: [SERVER] },
): Promise<ServerSession> {
  const session = await connectServer(
    { program, folder, environment: serverEnvironment({ ...process.env, SECRET: 'canary' }, folder, {}) },
    'test',
  )
  sessions.push(session)
  return session
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a stdio server', () => {
  it('has its own folder and only the listed environment, and its tools answer', async () => {
    const session = await connect()
    const listed = await session.listTools()
    expect(listed).toHaveLength(12)
    expect(await session.call('echo', { message: 'hello' }, never)).toEqual({
      text: 'hello',
      images: [],
      failed: false,
    })
    expect((await session.call('folder', {}, never)).text).toBe(folder)
    const environment = JSON.parse((await session.call('environment', {}, never)).text) as object
    const allowed = new Set(['PATH', 'LANG', 'TZ', 'HOME', 'TMPDIR'])
    // macOS adds this one to every process.
    expect(Object.keys(environment).filter((name) => !allowed.has(name) && !name.startsWith('__CF'))).toEqual(
      [],
    )
    expect(environment).toMatchObject({ HOME: folder })
  })

  it('isn’t blocked by what it writes to its error output', async () => {
    const session = await connect()
    expect((await session.call('log', { length: 2 ** 22 }, never)).text).toBe('logged')
  })

  it('feeds errors and images back, and fails for a call without an answer', async () => {
    const session = await connect()
    expect(await session.call('fails', {}, never)).toMatchObject({ text: 'It failed.', failed: true })
    expect(await session.call('no-such-tool', {}, never)).toMatchObject({ failed: true })
    expect(await session.call('image', {}, never)).toMatchObject({
      text: '[image 1]',
      images: [{ type: 'image/png', data: 'iVBORw0KGgo=' }],
    })
    await expect(session.call('ends', {}, never)).rejects.toEqual(failed)
    await session.closed
    await expect(session.call('echo', {}, never)).rejects.toEqual(failed)
  })

  it('is ended by a message that is too long', async () => {
    const session = await connect()
    await expect(session.call('long', {}, never)).rejects.toEqual(failed)
    await session.closed
  })

  it('a stop ends a call that waits', async () => {
    const session = await connect()
    const stop = new AbortController()
    const call = session.call('waits', {}, stop.signal)
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'request/canceled' })
  })

  it.skipIf(process.platform === 'win32')('ends with what it started', async () => {
    const session = await connect()
    const pid = Number((await session.call('child', {}, never)).text)
    expect(isRunning(pid)).toBe(true)
    await session.close()
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('a program that is no server fails, and one that does not exist too', async () => {
    await expect(connect({ file: process.execPath, args: ['-e', ''] })).rejects.toEqual(failed)
    await expect(connect({ file: join(root, 'none'), args: [] })).rejects.toEqual(failed)
  })
})

describe('without a network', async () => {
  const kind = await detectIsolation()

  it.skipIf(kind === 'none')(`${kind}: a server reaches not even loopback`, async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.once('listening', resolve))
    const address = listener.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const program = { file: process.execPath, args: [SERVER] }
    try {
      const connected = await connect()
      expect((await connected.call('dial', { port }, never)).text).toBe('connected')
      const isolated = await connect(isolateProgram(kind, program, { folder, hidden: [] }))
      expect((await isolated.call('dial', { port }, never)).text).toBe('refused')
    } finally {
      listener.close()
    }
  })

  it('nothing that can isolate is reported as none, also if it is installed but forbidden', async () => {
    expect(await detectIsolation('linux', () => Promise.resolve(false))).toBe('none')
    expect(await detectIsolation('win32')).toBe('none')
    expect(await detectIsolation('linux', ({ file }) => Promise.resolve(file.endsWith('unshare')))).toBe(
      'unshare',
    )
    expect(await detectIsolation('darwin', () => Promise.resolve(true))).toBe('sandbox-exec')
  })
})

test.each([
  ['npx', 'tools/not-pinned'],
  ['/usr/bin/uvx', 'tools/not-pinned'],
  ['docker', 'tools/not-pinned'],
  ['sh', 'tools/not-pinned'],
  ['env', 'tools/not-pinned'],
  ['no-such-program-of-sotto', 'tools/command-unknown'],
  ['./server', 'tools/command-unknown'],
])('the command %s is refused with %s', async (command, code) => {
  await expect(resolveCommand(command, process.env['PATH'])).rejects.toMatchObject({ code })
})

test('variables that load code are not passed, whatever the settings contain', () => {
  const added = { API_KEY: 'k', LD_PRELOAD: 'x', node_options: 'x', PATH: 'x', HOME: 'x', 'A=B': 'x' }
  expect(serverEnvironment({ PATH: '/bin', SSH_AUTH_SOCK: 's' }, '/own', added, 'linux')).toEqual({
    PATH: '/bin',
    API_KEY: 'k',
    HOME: '/own',
    TMPDIR: '/own',
  })
})

test('the digest changes with any file of the package, its dependencies and the arguments', async () => {
  const modules = join(root, 'installed', 'node_modules')
  const main = join(modules, '@scope', 'server', 'index.js')
  await mkdir(join(modules, '@scope', 'server'), { recursive: true })
  await mkdir(join(modules, 'dependency'), { recursive: true })
  await writeFile(main, 'main')
  await writeFile(join(modules, 'dependency', 'index.js'), 'dependency')
  await writeFile(join(root, 'program'), 'program')
  const data = join(root, 'data')
  await mkdir(data)
  const digest = (...args: string[]) => digestProgram(join(root, 'program'), [main, ...args])
  const before = await digest(data)
  expect(before).toMatch(/^[0-9a-f]{64}$/)
  await writeFile(join(data, 'file'), 'the data of a server may change')
  expect(await digest(data)).toBe(before)
  expect(await digest()).not.toBe(before)
  await writeFile(join(modules, 'dependency', 'index.js'), 'Dependency')
  const changed = await digest(data)
  expect(changed).not.toBe(before)
  await writeFile(join(root, 'program'), 'Program')
  expect(await digest(data)).not.toBe(changed)
})
