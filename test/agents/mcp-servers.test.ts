import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogue } from '../../src/core/tools/catalogue.ts'
import { serverEnvironment } from '../../src/core/tools/environment.ts'
import { detectIsolation, isolateProgram } from '../../src/core/tools/isolation.ts'
import { connectServer, type ServerSession } from '../../src/core/tools/mcp-session.ts'
import { digestProgram } from '../../src/core/tools/program-digest.ts'
import { installPublished } from '../published-packages.ts'

const VERSION = '2026.8.31'
const packages = {
  '@modelcontextprotocol/server-everything': { version: VERSION },
  '@modelcontextprotocol/server-filesystem': { version: VERSION },
  '@modelcontextprotocol/server-memory': { version: VERSION },
  '@modelcontextprotocol/server-sequential-thinking': { version: VERSION },
}
const never = new AbortController().signal

/** It downloads about 40 MB: `npm run test:agents`. */
const place = process.env['SOTTO_AGENTS']
describe.skipIf(place === undefined)('published servers, without a network', () => {
  let installed = ''
  let folder = ''
  beforeAll(async () => {
    installed = join(await installPublished(packages, place ?? ''), 'node_modules', '@modelcontextprotocol')
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sotto-mcp-')))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function connect(name: string, ...args: string[]): Promise<ServerSession> {
    const ownFolder = join(folder, `${name}-own`)
    await mkdir(ownFolder, { recursive: true })
    const program = { file: process.execPath, args: [join(installed, name, 'dist', 'index.js'), ...args] }
    return connectServer(
      {
        program: isolateProgram(await detectIsolation(), program, { folder: ownFolder, hidden: [] }),
        folder: ownFolder,
        environment: serverEnvironment(process.env, ownFolder, {}),
      },
      'test',
    )
  }

  it('everything: all tools are offered, and text and images come back', async () => {
    const session = await connect('server-everything')
    try {
      const { tools, skipped } = parseCatalogue('everything', await session.listTools())
      expect(skipped).toBe(0)
      expect(tools.map(({ functionName }) => functionName)).toEqual(
        expect.arrayContaining(['everything__echo', 'everything__get-sum', 'everything__get-tiny-image']),
      )
      expect(await session.call('echo', { message: 'hello' }, never)).toMatchObject({ text: 'Echo: hello' })
      const image = await session.call('get-tiny-image', {}, never)
      expect(image.images).toMatchObject([{ type: 'image/png' }])
      expect(await session.call('echo', { message: 1 }, never)).toMatchObject({ failed: true })
    } finally {
      await session.close()
    }
  })

  it('filesystem: reads and writes in its folder, and nowhere else', async () => {
    const files = join(folder, 'files')
    await mkdir(files)
    await writeFile(join(files, 'a.txt'), 'canary')
    const session = await connect('server-filesystem', files)
    try {
      expect(await session.call('read_text_file', { path: join(files, 'a.txt') }, never)).toMatchObject({
        text: 'canary',
        failed: false,
      })
      await session.call('write_file', { path: join(files, 'b.txt'), content: 'new' }, never)
      expect(await readFile(join(files, 'b.txt'), 'utf8')).toBe('new')
      expect(await session.call('read_text_file', { path: join(folder, 'outside') }, never)).toMatchObject({
        failed: true,
      })
    } finally {
      await session.close()
    }
  })

  it.each(['server-memory', 'server-sequential-thinking'])('%s: its tools are offered', async (name) => {
    const session = await connect(name)
    try {
      const { tools, skipped } = parseCatalogue('server', await session.listTools())
      expect(tools.length).toBeGreaterThan(0)
      expect(skipped).toBe(0)
    } finally {
      await session.close()
    }
  })

  it('the digest covers a server with its dependencies', async () => {
    const main = join(installed, 'server-everything', 'dist', 'index.js')
    expect(await digestProgram(process.execPath, [main])).toMatch(/^[0-9a-f]{64}$/)
  })
})
