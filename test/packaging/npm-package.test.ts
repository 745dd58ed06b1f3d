import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readLinks } from '../docs/read-links.ts'
import { dataOf } from '../process/command-json.ts'

/**
 * The package as npm would publish it, from the last `npm run build`, installed in a folder that contains nothing
 * else of Sotto.
 */
const root = dirname(dirname(import.meta.dirname))
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sotto-npm-'))
const installed = join(folder, 'empty', 'node_modules', 'sotto')
const manifest = z
  .object({
    version: z.string(),
    engines: z.object({ node: z.string() }),
    dependencies: z.record(z.string(), z.string()),
    files: z.array(z.string()),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/** The oldest Node version that the package declares support for. */
const OLDEST = '22.22.2'
let tarball = ''
let files: string[] = []

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    maxBuffer: 1 << 24,
  })
  const packed = z
    .array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }))
    .length(1)
    .parse(asList(JSON.parse(stdout)))[0]!
  tarball = join(folder, packed.filename)
  files = packed.files.map(({ path }) => path)
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'empty', 'package.json'), '{"private":true}')
  // Earlier downloads come from npm's cache.
  await install('empty', tarball)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** npm 12 answers with an object by name, npm 11 with a list. */
function asList(answer: unknown): unknown {
  return Array.isArray(answer) ? answer : Object.values(answer as object)
}

async function install(into: string, ...what: string[]): Promise<void> {
  await run(
    'npm',
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-save', ...what],
    { cwd: join(folder, into) },
  )
}

describe('the package', () => {
  it('contains the program and its documents, and nothing else', () => {
    const allowed =
      /^(package\.json|LICENSE|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|bin\/sotto\.cjs|docs\/((decisions|languages)\/)?[\w-]+\.md|docs\/images\/chat-(light|dark)\.webp|docs\/log-schema\.json|docs\/man\/sotto\.1|out\/main\/[\w.-]+\.js|out\/renderer\/([\w-]+\.html|assets\/[\w.-]+\.(js|css|svg|woff2|bcmap|wasm|gz))|out\/(main|renderer)\/third-party-licences\.txt|resources\/(profiles\/[\w-]+\.json|trust\/[\w.-]+\.(pem|der|json|md)))$/
    expect(files.filter((file) => !allowed.test(file))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'bin/sotto.cjs',
        'docs/README.md',
        'docs/images/chat-dark.webp',
        'docs/log-schema.json',
        'docs/man/sotto.1',
        'out/main/sotto.js',
        'out/main/setup-worker.js',
        'out/main/token-worker.js',
        'out/renderer/index.html',
        'out/renderer/admin.html',
        'resources/profiles/ppq.json',
        'resources/profiles/tinfoil.json',
        'resources/trust/sigstore-trusted-root.json',
      ]),
    )
    expect(files.filter((file) => /\.map$|\.tsx?$|(^|\/)(src|test)\//.test(file))).toEqual([])
  })
  it('has documents that link to its own files', () => {
    const dangling = files
      .filter((file) => file.endsWith('.md') && !file.startsWith('resources/'))
      .flatMap((file) => readLinks(file, readFileSync(join(installed, file), 'utf8')))
      .filter((link) => !files.some((file) => file === link.file || file.startsWith(`${link.file}/`)))
    expect(dangling).toEqual([])
  })
  it('contains no path of the build machine and no source map', () => {
    for (const file of files.filter((name) => /\.(js|css|html)$/.test(name))) {
      const text = readFileSync(join(installed, file), 'utf8')
      expect(text.includes(`${root}/`), file).toBe(false)
      expect(text, file).not.toMatch(/^\/\/# sourceMappingURL=/m)
    }
  })
  it('passes publint', async () => {
    const { messages, pkg } = await publint({
      strict: true,
      pack: { tarball: Uint8Array.from(readFileSync(tarball)).buffer },
    })
    expect(
      messages.filter(({ type }) => type !== 'suggestion').map((message) => formatMessage(message, pkg)),
    ).toEqual([])
  })
  it('depends only on native packages, because all others are bundled', () => {
    const imported = files
      .filter((file) => file.startsWith('out/main/'))
      .flatMap((file) =>
        [
          ...readFileSync(join(installed, file), 'utf8').matchAll(
            /^(?:import|export)\b[^'"\n]*["']([^.'"][^'"]*)["'];?$|\bimport\("([^.'"][^"\n]*)"\)/gm,
          ),
        ].map(([, from, lazy]) => from ?? lazy ?? ''),
      )
    const packages = new Set(
      imported
        .filter((name) => !isBuiltin(name))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
    )
    // Electron comes with its own package, and the real Lightning nodes are for developers only.
    expect([...packages].sort()).toEqual(
      [...Object.keys(manifest.dependencies), 'electron', 'lightningdevkit'].sort(),
    )
    expect(Object.keys(manifest.dependencies)).toEqual(['@napi-rs/keyring'])
  })
  it('is a command, not a module that a program can import', async () => {
    const importing = run(process.execPath, ['--input-type=module', '--eval', "await import('sotto')"], {
      cwd: join(folder, 'empty'),
    })
    await expect(importing).rejects.toMatchObject({
      stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED') as unknown,
    })
  })
  it('requires the Node versions that are tested', () => {
    expect(manifest.engines.node).toBe(`^${OLDEST} || >=24.15`)
  })
})

describe.each([process.version.slice(1), OLDEST])('in an empty folder, under Node %s', (version) => {
  let node = process.execPath
  let serving: ChildProcess | undefined
  const data = join(folder, `data-${version}`)
  const command = join(folder, 'empty', 'node_modules', 'sotto', 'bin', 'sotto.cjs')
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    SOTTO_DATA_DIR: data,
    SOTTO_VAULT: 'memory',
    SOTTO_PORT: '0',
  }
  const sotto = (...args: string[]) =>
    run(node, [command, ...args], { cwd: join(folder, 'empty'), env: environment })

  beforeAll(async () => {
    if (version === OLDEST) {
      const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
      mkdirSync(join(folder, 'node'))
      writeFileSync(join(folder, 'node', 'package.json'), '{"private":true}')
      await install('node', `${name}@${OLDEST}`)
      node = join(
        folder,
        'node',
        'node_modules',
        name,
        process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
      )
    }
    expect((await run(node, ['--version'])).stdout.trim()).toBe(`v${version}`)
  })
  afterAll(() => serving?.kill('SIGKILL'))

  it('has the command, which prints its version', async () => {
    expect((await sotto('--version')).stdout.trim()).toBe(manifest.version)
    expect(
      readdirSync(join(folder, 'empty', 'node_modules', '.bin')).some((name) => /^sotto(\.cmd)?$/.test(name)),
    ).toBe(true)
  })
  it.runIf(process.platform !== 'win32')(
    'starts by its name, in every shell and with every env',
    async () => {
      const path = [dirname(node), process.env['PATH']].join(delimiter)
      const link = join(folder, 'empty', 'node_modules', '.bin', 'sotto')
      expect((await run(link, ['--version'], { env: { ...environment, PATH: path } })).stdout.trim()).toBe(
        manifest.version,
      )
      // BusyBox and the BSDs have no `env -S`, so the launcher passes the flag that keeps the inspector closed.
      expect(readFileSync(link, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
    },
  )
  it('serves the window and a private conversation, and stops on request', async () => {
    const child = spawn(node, [command, 'serve', '--json', '--no-open'], {
      cwd: join(folder, 'empty'),
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    serving = child
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const { ui, proxy } = z
      .object({ ui: z.url(), proxy: z.object({ baseUrl: z.url(), key: z.string() }) })
      .parse(dataOf(line))
    const page = await fetch(new URL('/', ui))
    expect(await page.text()).toContain('<script type="module"')

    const authorization = `Bearer ${proxy.key}`
    const { data: models } = z
      .object({ data: z.array(z.object({ id: z.string() })) })
      .parse(await (await fetch(`${proxy.baseUrl}/models`, { headers: { authorization } })).json())
    const model = models.find(({ id }) => id.startsWith('private/'))!.id
    const answer = await fetch(`${proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sotto-privacy')).toBe('sealed')
    expect(await answer.text()).toContain('a simulated model')
    expect((await sotto('chat', 'Hello again')).stdout).toContain('a simulated model')

    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
  })
  // The tests in test/cli run the self-test from the sources with the newer version.
  it.runIf(version === OLDEST)('runs the self-test to its end', async () => {
    const { stdout } = await run(node, [command, 'self-test', '--json'], {
      cwd: join(folder, 'empty'),
      env: environment,
      maxBuffer: 1 << 24,
    })
    expect(stdout).toContain('refused')
  })
})

describe('the licenses of the bundled packages', () => {
  /** The same list as in CONTRIBUTING.md. */
  const allowed = new Set([
    'MIT',
    '0BSD',
    'Apache-2.0',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'MPL-2.0',
    'OFL-1.1',
  ])
  /** Licenses of indirect dependencies that are as permissive, and approved by the OSI. */
  const besides: Readonly<Record<string, string>> = { 'lru-cache': 'BlueOak-1.0.0' }
  const sections = (part: string) =>
    readFileSync(join(installed, 'out', part, 'third-party-licences.txt'), 'utf8')
      .split(/^={80}\n(?=\S+ \S+ \(.*\)\n={80}$)/m)
      .slice(1)
      .map((section) => {
        const [heading = '', , ...text] = section.split('\n')
        const [, name = '', licence = ''] = /^(\S+) \S+ \((.*)\)$/.exec(heading) ?? []
        return { name, licence, text: text.join('\n').trim() }
      })

  it.each([
    ['main', ['fastify', 'zod', 'undici', 'rolldown'], 40],
    ['renderer', ['react', 'react-dom', 'radix-ui'], 60],
  ] as const)('are included with their texts: %s', (part, some, least) => {
    const found = sections(part)
    expect(found.length).toBeGreaterThan(least)
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...some]))
    expect(found.filter(({ name, licence }) => !allowed.has(licence) && besides[name] !== licence)).toEqual(
      [],
    )
    expect(found.filter(({ text }) => text.length < 400).map(({ name }) => name)).toEqual([])
  })

  it('include the license of pdf.js’s character maps, which are the work of others', () => {
    const { text = '' } = sections('renderer').find(({ name }) => name === 'pdfjs-dist') ?? {}
    expect(text).toContain('Apache License')
    expect(text).toContain('Adobe Systems Incorporated')
  })
})
