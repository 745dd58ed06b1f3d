import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type * as os from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { ownerFetch, serveOwnerSocket } from '../../src/host/owner-socket.ts'
import { webStreamOf } from '../../src/host/node-adapter.ts'
import { isRoot, noOtherUser, OTHER_USER } from './other-user.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'

// Simulates a container, where the user ID has no entry in the user database.
vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  userInfo: () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  },
}))

const hostOf = (asOwner: Host['asOwner']): Pick<Host, 'asOwner' | 'bodies'> => ({
  asOwner,
  bodies: new BodyBudget(),
})

const ask = (folder: string): Promise<Response> =>
  ownerFetch(folder)(new Request('http://sotto.invalid/api/x', { method: 'POST', body: 'a secret' }))
const serve = (folder: string): Promise<AsyncDisposable> =>
  serveOwnerSocket(
    folder,
    hostOf(() => Promise.resolve(Response.json('hello'))),
    { open: () => Promise.resolve(null) },
  )

describe('the location of the socket', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sotto-socket-'))
    vi.stubEnv('XDG_RUNTIME_DIR', join(root, 'runtime'))
    vi.stubEnv('XDG_STATE_HOME', join(root, 'state'))
    await mkdir(join(root, 'runtime'), { mode: 0o700 })
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(root, { recursive: true, force: true })
  })
  const long = (): string => join(root, 'l'.repeat(120))

  it('is the data folder, accessible only to its user', async () => {
    await using _socket = await serve(join(root, 'short'))
    expect(await (await ask(join(root, 'short'))).json()).toBe('hello')
    expect([
      (await stat(join(root, 'short'))).mode & 0o777,
      (await stat(join(root, 'short', 'sotto.sock'))).mode & 0o777,
    ]).toEqual([0o700, 0o600])
  })

  it.runIf(process.platform === 'linux')(
    'is XDG_RUNTIME_DIR if the path of the data folder is too long',
    async () => {
      await using _socket = await serve(long())
      expect(await readdir(join(root, 'runtime'))).toEqual([
        expect.stringMatching(/^sotto-[0-9a-f]{16}\.sock$/),
      ])
      expect(await (await ask(long())).json()).toBe('hello')
    },
  )

  it.runIf(process.platform === 'linux').each([
    ['others may enter', 0o755],
    ['others may write', 0o777],
  ])('is the user’s own state folder if XDG_RUNTIME_DIR is one that %s', async (_, mode) => {
    await chmod(join(root, 'runtime'), mode)
    await using _socket = await serve(long())
    expect(await readdir(join(root, 'runtime'))).toEqual([])
    expect((await stat(join(root, 'state', 'sotto'))).mode & 0o777).toBe(0o700)
    expect(await (await ask(long())).json()).toBe('hello')
  })

  it.runIf(process.platform === 'linux')(
    'is refused if no private folder is left, and never in a temporary folder',
    async () => {
      await chmod(join(root, 'runtime'), 0o755)
      await mkdir(join(root, 'state', 'sotto'), { recursive: true })
      await chmod(join(root, 'state', 'sotto'), 0o755)
      await expect(serve(long())).rejects.toMatchObject({ code: 'host/socket-path-too-long' })
      expect(
        (await readdir(tmpdir())).filter(
          (name) =>
            name.startsWith('sotto-') &&
            name.endsWith(createHash('sha256').update(long()).digest('hex').slice(0, 16)),
        ),
      ).toEqual([])
    },
  )

  it.runIf(process.platform === 'linux' && isRoot)('is not XDG_RUNTIME_DIR of another user', async () => {
    await chown(join(root, 'runtime'), OTHER_USER, OTHER_USER)
    await using _socket = await serve(long())
    expect(await readdir(join(root, 'runtime'))).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('before a byte is sent, the socket', () => {
  let folder: string
  let connections = 0
  const closing: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-socket-'))
    connections = 0
  })
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()))
    await rm(folder, { recursive: true, force: true })
  })
  /** Another server that would accept every request. */
  async function listen(path: string): Promise<void> {
    const server = createServer((_, response) => response.end('{}')).on(
      'connection',
      () => (connections += 1),
    )
    await new Promise<void>((listening) => server.listen(path, listening))
    closing.push(() => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(closed))
    })
  }

  it('is accepted if it’s this user’s, in a private folder', async () => {
    await listen(join(folder, 'sotto.sock'))
    expect((await ask(folder)).status).toBe(200)
    expect(connections).toBe(1)
  })

  it.each([
    ['777', 0o777],
    ['770', 0o770],
    ['755', 0o755],
    ['1777', 0o1777],
  ])('is refused in a folder with mode %s', async (_, mode) => {
    await listen(join(folder, 'sotto.sock'))
    await chmod(folder, mode)
    await expect(ask(folder)).rejects.toMatchObject({ code: 'host/folder-not-private' })
    expect(connections).toBe(0)
  })

  it('is refused below a folder that others may write', async () => {
    await mkdir(join(folder, 'data'), { mode: 0o700 })
    await listen(join(folder, 'data', 'sotto.sock'))
    await chmod(folder, 0o777)
    await expect(ask(join(folder, 'data'))).rejects.toMatchObject({ code: 'host/folder-writable-by-others' })
    expect(connections).toBe(0)
  })

  it('is refused if it is a link', async () => {
    await listen(join(folder, 'another.sock'))
    await symlink('another.sock', join(folder, 'sotto.sock'))
    await expect(ask(folder)).rejects.toMatchObject({ code: 'host/socket-unsafe' })
    expect(connections).toBe(0)
  })

  it.skipIf(noOtherUser !== null)('is refused if it is another user’s', async () => {
    await listen(join(folder, 'sotto.sock'))
    await chown(join(folder, 'sotto.sock'), OTHER_USER, OTHER_USER)
    await expect(ask(folder)).rejects.toMatchObject({ code: 'host/socket-unsafe' })
    expect(connections).toBe(0)
  })

  it('is refused if it doesn’t exist', async () => {
    await expect(ask(join(folder, 'none'))).rejects.toMatchObject({ code: 'host/already-running' })
  })
})

describe('a body of many pieces through the socket', () => {
  const PIECE = Buffer.alloc(64 * 1024, 7)
  const PIECES = 400
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-socket-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function* pieces(counter: { count: number }): AsyncGenerator<Uint8Array, void> {
    for (; counter.count < PIECES; counter.count += 1) yield await Promise.resolve(Uint8Array.from(PIECE))
  }
  const upload = (content: AsyncIterable<Uint8Array>): Request =>
    new Request('http://sotto.invalid/upload/x', {
      method: 'PUT',
      body: webStreamOf(content),
      duplex: 'half',
    })

  it('is sent no faster than it’s read: a response', async () => {
    const sent = { count: 0 }
    await using _socket = await serveOwnerSocket(
      folder,
      hostOf(() => Promise.resolve(new Response(webStreamOf(pieces(sent))))),
      { open: () => Promise.resolve(null) },
    )
    const { body } = await ownerFetch(folder)(new Request('http://sotto.invalid/media/x'))
    const reader: ReadableStreamDefaultReader<Uint8Array> = body!.getReader()
    await reader.read()
    await settled(sent)
    // Only the buffers of the socket and its two ends fill; the rest waits for the reader.
    expect(sent.count).toBeLessThan(PIECES / 4)
    let bytes = 0
    for (let next = await reader.read(); !next.done; next = await reader.read())
      bytes += next.value.byteLength
    expect([sent.count, bytes > (PIECES - 2) * PIECE.byteLength]).toEqual([PIECES, true])
  })

  it('is read no faster than it’s processed: an upload', async () => {
    let go: () => void = () => undefined
    const gone = new Promise<void>((resolve) => (go = resolve))
    const sent = { count: 0 }
    const hash = createHash('sha256')
    await using _socket = await serveOwnerSocket(
      folder,
      hostOf(async ({ body }) => {
        await gone
        const whole: AsyncIterable<Uint8Array> = body!
        for await (const piece of whole) hash.update(piece)
        return Response.json(hash.digest('hex'))
      }),
      { open: () => Promise.resolve(null) },
    )
    const answer = ownerFetch(folder)(upload(pieces(sent)))
    await settled(sent)
    expect(sent.count).toBeLessThan(PIECES / 4)
    go()
    const whole = createHash('sha256')
    for (let count = 0; count < PIECES; count += 1) whole.update(PIECE)
    expect(await (await answer).json()).toBe(whole.digest('hex'))
  })

  it('is refused midway with a response', async () => {
    await using _socket = await serveOwnerSocket(
      folder,
      hostOf(async ({ body }) => {
        for await (const _piece of body!) break
        return Response.json({ code: 'studio/upload-incomplete' }, { status: 422 })
      }),
      { open: () => Promise.resolve(null) },
    )
    const answer = await ownerFetch(folder)(upload(pieces({ count: 0 })))
    expect([answer.status, await answer.json()]).toEqual([422, { code: 'studio/upload-incomplete' }])
  })

  it('is canceled at once while its next piece is pending', async () => {
    let tell: () => void = () => undefined
    const aborted = new Promise<void>((resolve) => (tell = resolve))
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Uint8Array.of(7)),
    })
    await using _socket = await serveOwnerSocket(
      folder,
      hostOf(({ signal }) => {
        signal.addEventListener('abort', () => tell())
        return Promise.resolve(new Response(silent))
      }),
      { open: () => Promise.resolve(null) },
    )
    const { body } = await ownerFetch(folder)(new Request('http://sotto.invalid/api/x', { method: 'POST' }))
    const reader: ReadableStreamDefaultReader<Uint8Array> = body!.getReader()
    expect([...(await reader.read()).value!]).toEqual([7])
    const next = reader.read()
    // In this turn, the read starts to wait for the socket.
    await setImmediate()
    await reader.cancel()
    await aborted
    expect((await next).done).toBe(true)
  })

  /** Waits until no further piece is sent without a read. */
  async function settled(sent: { readonly count: number }): Promise<void> {
    let before = -1
    await expect
      .poll(
        () => {
          const same = sent.count === before
          before = sent.count
          return same && before > 0
        },
        { interval: 100 },
      )
      .toBe(true)
  }
})
