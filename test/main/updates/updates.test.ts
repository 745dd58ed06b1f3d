import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createRequire, registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyReleaseFile } from '../../../src/core/core.ts'
import type { createUpdateClient } from '../../../src/main/updates/client.ts'
import { keepUpdates } from '../../../src/main/updates/stored-updates.ts'
import { channelFile, type UpdateSource } from '../../../src/main/updates/source.ts'
import { createUpdates, type Updates, type UpdatesParts } from '../../../src/main/updates/updates.ts'
import { releaseIdentityOf } from '../../../src/shared/release-identity.ts'
import { mintSigstore, payloadOf, type MintedSigstore } from '../../verifier/sigstore/minted-release.ts'
import type * as ElectronNet from './electron-net.ts'

/** Runs the real electron-updater against a local release server, with a Sigstore minted for the test. */
const REPOSITORY = 'sotto-test/sotto'
const identity = releaseIdentityOf({
  repository: { type: 'git', url: `git+https://github.com/${REPOSITORY}.git` },
})!
const feedName = channelFile(process.platform, process.arch)
const folder = mkdtempSync(join(tmpdir(), 'sotto-updates-'))
const appImage = join(folder, 'Sotto.AppImage')

let sigstore: MintedSigstore
let electron: typeof ElectronNet
let open: typeof createUpdateClient
let server: Server
let source: UpdateSource
/** The served files by path; a text that starts with `->` redirects. */
const lies = new Map<string, string | Buffer>()
const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
const events: string[] = []

beforeAll(async () => {
  sigstore = await mintSigstore()
  server = createServer(({ url = '', headers }, answer) => {
    asked.push({ path: url, headers })
    const found = lies.get(url)
    if (found === undefined) answer.writeHead(404).end()
    else if (typeof found === 'string' && found.startsWith('->'))
      answer.writeHead(302, { location: found.slice(2) }).end()
    else answer.writeHead(200, { 'set-cookie': 'who=you; Path=/', etag: '"you"' }).end(found)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
  source = {
    announcement: (name) => new URL(`http://${host}/latest/${name}`),
    file: (version, name) => new URL(`http://${host}/v${version}/${name}`),
    hosts: [host],
    identity,
  }

  Object.assign(process.env, { APPIMAGE: appImage, XDG_CACHE_HOME: join(folder, 'cache') })
  Object.assign(process, { resourcesPath: folder })
  writeFileSync(join(folder, 'app-update.yml'), 'provider: custom\nupdaterCacheDirName: sotto-updater\n')
  const stub = pathToFileURL(join(import.meta.dirname, 'electron-net.ts')).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: stub, shortCircuit: true } : next(specifier, context),
  })
  // The same module instance that the library requires.
  electron = createRequire(import.meta.url)('electron') as typeof ElectronNet
  electron.world.userData = join(folder, 'desktop')
  mkdirSync(electron.world.userData)
  ;({ createUpdateClient: open } = await import('../../../src/main/updates/client.ts'))
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  lies.clear()
  asked.length = events.length = 0
  electron.world.quits = 0
  writeFileSync(appImage, 'what runs')
})

const sha = (algorithm: 'sha256' | 'sha512', content: string, form: 'hex' | 'base64') =>
  createHash(algorithm).update(content).digest(form)

interface Wishes {
  readonly attested?: string
  readonly tag?: string
  readonly repository?: string
  readonly feed?: string
  readonly digestOf?: string
}

/**
 * Publishes a release. `digestOf` makes the announced content differ from the file, and `attested` the attested
 * content.
 */
async function release(
  version: string,
  { attested, tag = `v${version}`, repository = REPOSITORY, feed = '', digestOf }: Wishes = {},
): Promise<string> {
  const content = `#!/bin/sh\n# ${version}\nexit 0\n`
  const name = `sotto-${version}-linux-${process.arch}.AppImage`
  const subject = `https://github.com/${repository}/.github/workflows/release.yml@refs/tags/${tag}`
  const bundle = await sigstore.release({
    subject,
    extensions: {
      5: repository,
      6: `refs/tags/${tag}`,
      9: subject,
      12: `https://github.com/${repository}`,
      14: `refs/tags/${tag}`,
    },
    payload: payloadOf({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {},
      subject: [{ name, digest: { sha256: sha('sha256', attested ?? content, 'hex') } }],
    }),
  })
  lies.set(
    `/latest/${feedName}`,
    `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha('sha512', digestOf ?? content, 'base64')}\n    size: ${String(content.length)}\n${feed}`,
  )
  lies.set(`/v${version}/${name}`, content)
  lies.set(`/v${version}/${name}.sigstore.json`, JSON.stringify(bundle))
  return name
}

async function updates(changed: Partial<UpdatesParts> = {}): Promise<Updates> {
  return createUpdates({
    version: electron.world.version,
    support: 'yes',
    hosts: source.hosts,
    open: () => Promise.resolve(open(source)),
    verify: (digest, bundle) =>
      Promise.resolve(
        verifyReleaseFile({
          bundle,
          digest,
          trustedRoot: JSON.stringify(sigstore.trustedRoot),
          policy: identity,
          now: Date.now(),
        }),
      ),
    stored: await keepUpdates(join(electron.world.userData, 'updates.json')),
    wanted: () => true,
    leave: () => Promise.resolve(void events.push('left')),
    again: () => void events.push('again'),
    ...changed,
  })
}

describe.skipIf(process.platform !== 'linux')('an update', () => {
  it('is downloaded and verified, and no request identifies its sender', async () => {
    const name = await release('1.0.0')
    const live = await updates()
    expect(await live.check()).toMatchObject({
      phase: 'ready',
      offered: '1.0.0',
      waits: false,
      failure: null,
    })
    expect(asked.map(({ path }) => path)).toEqual([
      `/latest/${feedName}`,
      `/v1.0.0/${name}`,
      `/v1.0.0/${name}.sigstore.json`,
    ])
    for (const { headers } of asked) {
      const {
        host,
        connection,
        'sec-fetch-mode': _mode,
        'accept-encoding': _encoding,
        'accept-language': language,
        ...rest
      } = headers
      expect([host, typeof connection, language === undefined || language === '*']).toEqual([
        source.hosts[0],
        'string',
        true,
      ])
      expect(rest).toEqual({ accept: '*/*', 'user-agent': 'Sotto' })
    }
    // The library never created its own rollout ID, and Sotto's seed never leaves its file.
    expect(readdirSync(electron.world.userData)).not.toContain('.updaterId')
    expect(JSON.stringify(asked)).not.toContain(
      (await keepUpdates(join(electron.world.userData, 'updates.json'))).now.seed,
    )
    expect(electron.sessions.get('electron-updater')?.options).toEqual({ cache: false })
    expect(readFileSync(appImage, 'utf8')).toBe('what runs')
  })

  it('comes from no other host, even after a redirect', async () => {
    const name = await release('1.0.1')
    lies.set(`/v1.0.1/${name}`, '->http://localhost:1/file')
    expect((await (await updates()).check()).failure?.code).toBe('update/download-failed')
    lies.set(`/latest/${feedName}`, '->https://example.com/feed')
    expect((await (await updates()).check()).failure?.code).toBe('update/unreachable')
  })

  it.each<[string, Wishes, string]>([
    ['whose bytes were altered', { attested: 'the genuine one' }, 'sigstore/subject-digest-mismatch'],
    ['of another repository', { repository: 'evil/sotto' }, 'sigstore/repository-mismatch'],
    ['that is a genuine older release under a newer name', { tag: 'v0.0.9' }, 'release/other-tag'],
  ])('%s is refused, and the running version remains', async (_what, wishes, stepCode) => {
    await release('1.1.0', wishes)
    const live = await updates()
    expect(await live.check()).toMatchObject({ phase: 'idle', failure: { code: 'update/refused', stepCode } })
    await expect(live.install()).rejects.toMatchObject({ code: 'update/not-ready' })
    expect(readFileSync(appImage, 'utf8')).toBe('what runs')
    expect(events).toEqual([])
  })

  it.each(['not JSON', '[]', '{}'])('is refused with the attestation %s', async (text) => {
    const name = await release('1.1.1')
    lies.set(`/v1.1.1/${name}.sigstore.json`, text)
    expect((await (await updates()).check()).failure?.code).toBe('update/refused')
  })
  it('is refused without an attestation', async () => {
    const name = await release('1.1.2')
    lies.delete(`/v1.1.2/${name}.sigstore.json`)
    expect((await (await updates()).check()).failure?.code).toBe('update/download-failed')
  })
  it('that was damaged in transit is downloaded again at the next check', async () => {
    await release('1.1.3', { digestOf: 'something else' })
    expect((await (await updates()).check()).failure?.code).toBe('update/download-failed')
    await release('1.1.3')
    expect((await (await updates()).check()).phase).toBe('ready')
  })

  it.each(['0.1.0', '0.0.9'])(
    'is ignored unless it is newer: for %s nothing is downloaded',
    async (version) => {
      await release(version)
      expect(await (await updates()).check()).toMatchObject({ phase: 'idle', offered: null, failure: null })
      expect(asked.map(({ path }) => path)).toEqual([`/latest/${feedName}`])
    },
  )
  it.each([
    ['nothing', ''],
    ['no release', 'version: 2.0.0\n'],
    ['no YAML', '{{{'],
    ['more than any', 'x'.repeat(70_000)],
    ['an older form', 'version: 2\nfiles: []\n'],
  ])('is refused if its feed contains %s', async (_what, feed) => {
    lies.set(`/latest/${feedName}`, feed)
    expect((await (await updates()).check()).failure?.code).toMatch(/^update\/(feed-unreadable|unreachable)$/)
    expect(asked.length).toBe(1)
  })
  it('waits for its turn in a staged rollout', async () => {
    await release('1.2.0', { feed: 'stagingPercentage: 0\n' })
    expect(await (await updates()).check()).toMatchObject({
      phase: 'idle',
      offered: '1.2.0',
      waits: true,
      failure: null,
    })
    expect(asked.length).toBe(1)
  })

  it('is not looked for if checks are off, or if the build has no address', async () => {
    await release('1.3.0')
    const off = await updates({ wanted: () => false })
    await expect(off.check()).rejects.toMatchObject({ code: 'update/off' })
    const nowhere = await updates({ support: 'no-address' })
    await expect(nowhere.check()).rejects.toMatchObject({ code: 'update/none' })
    expect([off.hosts(), nowhere.hosts(), asked]).toEqual([[], [], []])
  })

  it('is verified again before it is installed, and refused if the file on the disk was changed', async () => {
    const name = await release('1.4.0')
    const live = await updates()
    expect((await live.check()).phase).toBe('ready')
    writeFileSync(join(folder, 'cache', 'sotto-updater', 'pending', name), 'altered')
    await expect(live.install()).rejects.toMatchObject({ code: 'update/refused' })
    expect(live.view()).toMatchObject({ phase: 'idle', failure: { code: 'update/refused' } })
    expect([readFileSync(appImage, 'utf8'), events]).toEqual(['what runs', []])
  })

  // This test comes last, because the library installs only once per process.
  it('replaces the running version once everything has ended, and is announced after the next start', async () => {
    await release('1.5.0')
    const live = await updates()
    await live.check()
    const asked = live.install()
    // A second click.
    await expect(live.install()).rejects.toMatchObject({ code: 'update/not-ready' })
    expect((await asked).phase).toBe('installing')
    await expect.poll(() => electron.world.quits).toBe(1)
    expect(readFileSync(appImage, 'utf8')).toContain('# 1.5.0')
    expect(events).toEqual(['left'])
    expect((await updates()).view().failure?.code).toBe('update/not-installed')
    // Waits until the start has recorded the failed install. Only one Sotto writes this file, because two would
    // overwrite each other's changes.
    await expect
      .poll(() => readFileSync(join(electron.world.userData, 'updates.json'), 'utf8'))
      .toContain('"installing":null')
    await live.changesSeen()
    const next = await updates({ version: '1.5.0' })
    expect(next.view()).toMatchObject({ version: '1.5.0', updatedFrom: '0.1.0', failure: null })
    expect((await next.changesSeen()).updatedFrom).toBe(null)
    expect((await updates({ version: '1.5.0' })).view().updatedFrom).toBe(null)
  })
})
