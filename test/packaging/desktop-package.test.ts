import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPackage, extractAll, listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { Platform } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { comparePackages } from '../../build/compare-packages.ts'
import { packApp } from '../../build/package.ts'
import { packagingOf, removeEmptySigningVariables } from '../../build/packaging.ts'
import { writeFakeElectron } from './fake-electron.ts'

/**
 * Packs the built files with electron-builder and a stand-in for Electron, for Linux, because packaging for Linux
 * needs nothing else.
 */
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'sotto-desktop-'))
const unpacked = join(folder, 'first', 'linux-unpacked')
const archive = join(unpacked, 'resources', 'app.asar')
const opened = join(folder, 'opened')
let files: string[] = []

const pack = (output: string) =>
  packApp({
    root,
    output: join(folder, output),
    electron: { folder: join(folder, 'electron'), version: '45.3.4' },
    targets: ['dir'],
    platform: Platform.LINUX,
  })

beforeAll(async () => {
  await writeFakeElectron(join(folder, 'electron'))
  await pack('first')
  extractAll(archive, opened)
  files = listPackage(archive, { isPack: false })
    .map((path) => path.replace(/^[\\/]/, '').replaceAll('\\', '/'))
    .filter((path) => /\.[\w]+$|LICENSE$/.test(path))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the archive of the app', () => {
  it('contains only the code, its resources and licenses', () => {
    const allowed =
      /^(package\.json|out\/main\/[\w.-]+\.js|out\/preload\/index\.cjs|out\/renderer\/([\w-]+\.html|assets\/[\w.-]+\.(js|mjs|css|svg|woff2|bcmap|wasm|gz))|out\/(main|preload|renderer)\/third-party-licences\.txt|resources\/(profiles\/[\w-]+\.json|trust\/[\w.-]+\.(pem|der|json|md)|tray\/[\w@-]+\.png)|node_modules\/@napi-rs\/keyring[\w-]*\/(package\.json|index\.js|LICENSE[\w.-]*|keyring\.[\w-]+\.node))$/
    expect(files.filter((file) => !allowed.test(file))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'out/main/index.js',
        'out/main/setup-worker.js',
        'out/main/token-worker.js',
        'out/preload/index.cjs',
        'out/renderer/index.html',
        'resources/trust/sigstore-trusted-root.json',
        'resources/tray/verifiedTemplate.png',
      ]),
    )
    expect(files).not.toContain('out/main/sotto.js')
  })
  it('contains no source, source map, local path or secret', () => {
    expect(files.filter((file) => /\.(map|tsx?)$|(^|\/)(src|test)\//.test(file))).toEqual([])
    for (const file of files.filter(
      (name) => /\.(js|mjs|cjs|css|html|json)$/.test(name) && !name.startsWith('node_modules/'),
    )) {
      const text = readFileSync(join(opened, file), 'utf8')
      expect(text.includes(`${root}/`), file).toBe(false)
      expect(text, file).not.toMatch(/^\/\/# sourceMappingURL=/m)
      expect(text, file).not.toMatch(/-----BEGIN (?:EC |RSA )?PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}/)
      expect(text, file).not.toMatch(/nostr\+walletconnect:\/\/[0-9a-f]{64}\?/)
    }
  })
  it('contains the license of each included package', () => {
    const packages = files
      .filter((file) => /^node_modules\/.+\/package\.json$/.test(file))
      .map((file) => file.slice(0, -'/package.json'.length))
    expect(packages.length).toBeGreaterThan(0)
    for (const name of packages)
      expect(
        files.some((file) => file.startsWith(`${name}/LICENSE`)),
        name,
      ).toBe(true)
    for (const part of ['main', 'preload', 'renderer'])
      expect(files).toContain(`out/${part}/third-party-licences.txt`)
  })
  it('contains every module that its files import', () => {
    const scripts = files.filter((file) => /^out\/main\/[\w.-]+\.js$/.test(file))
    const imported = scripts.flatMap((file) =>
      [
        ...readFileSync(join(opened, file), 'utf8').matchAll(
          /^(?:import|export)\b[^'"\n]*["']([^'"]+)["'];?$|\bimport\("([^"\n]+)"\)/gm,
        ),
      ].map(([, from, lazy]) => from ?? lazy ?? ''),
    )
    for (const name of new Set(imported)) {
      if (name.startsWith('./')) expect(files, name).toContain(`out/main/${name.slice(2)}`)
      // lightningdevkit is a development dependency: it is imported only if a flag of the sandbox asks for it.
      else if (!isBuiltin(name) && name !== 'electron' && name !== 'lightningdevkit')
        expect(
          files.some((file) => file.startsWith(`node_modules/${name}/`)),
          name,
        ).toBe(true)
    }
  })
  it('has a manifest with only the necessary fields', () => {
    const manifest = z.looseObject({}).parse(JSON.parse(readFileSync(join(opened, 'package.json'), 'utf8')))
    expect(manifest).toMatchObject({ name: 'sotto', main: 'out/main/index.js' })
    expect(manifest).not.toHaveProperty('scripts')
    expect(manifest).not.toHaveProperty('devDependencies')
  })
})

describe('the package around the archive', () => {
  it('has its fuses set', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'sotto-desktop'))
    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: FuseState.DISABLE,
      [FuseV1Options.EnableCookieEncryption]: FuseState.ENABLE,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FuseState.DISABLE,
      [FuseV1Options.EnableNodeCliInspectArguments]: FuseState.DISABLE,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: FuseState.ENABLE,
      [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: FuseState.DISABLE,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: FuseState.DISABLE,
    })
  })
  it('has native code outside the archive, so that the system can load it', () => {
    expect(
      readdirSync(join(unpacked, 'resources', 'app.asar.unpacked', 'node_modules', '@napi-rs')).some((name) =>
        name.startsWith('keyring-'),
      ),
    ).toBe(true)
  })
  it('has only the Chromium locales of the window’s languages', () => {
    expect(readdirSync(join(unpacked, 'locales')).sort()).toEqual([
      'de.pak',
      'en-US.pak',
      'he.pak',
      'ja.pak',
      'ko.pak',
      'zh-TW.pak',
    ])
  })
  it('contains the licenses of Electron, Chromium and Sotto', () => {
    expect(readdirSync(unpacked)).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    )
    expect(readFileSync(join(unpacked, 'resources', 'LICENSE.sotto.txt'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    )
  })
})

describe('a second build', () => {
  it('is identical byte for byte, and differences are reported', async () => {
    await pack('second')
    const other = join(folder, 'second', 'linux-unpacked')
    expect(await comparePackages(unpacked, other)).toEqual([])

    writeFileSync(join(opened, 'out', 'main', 'index.js'), 'changed')
    await createPackage(opened, join(other, 'resources', 'app.asar'))
    writeFileSync(join(other, 'added'), '')
    rmSync(join(other, 'version'))
    const differences = await comparePackages(unpacked, other)
    expect(differences).toEqual(
      expect.arrayContaining([
        { path: 'added', is: 'only in the second' },
        { path: 'version', is: 'only in the first' },
        { path: 'resources/app.asar', is: 'different' },
        { path: 'resources/app.asar//out/main/index.js', is: 'different' },
      ]),
    )
  }, 120_000)
})

describe('the configuration', () => {
  it('builds the formats of each system', () => {
    const { mac, win, linux } = packagingOf(root)
    expect([mac?.target, win?.target, linux?.target]).toEqual([
      ['dmg', 'zip'],
      ['nsis', 'portable'],
      ['AppImage', 'deb', 'rpm', 'tar.gz'],
    ])
  })
  it('names files that exist', () => {
    const { mac, win, linux } = packagingOf(root)
    for (const place of [mac?.icon, mac?.entitlements, mac?.entitlementsInherit, win?.icon, linux?.icon])
      expect(() => readdirOrRead(join(root, place ?? 'missing'))).not.toThrow()
  })
  describe('for macOS', () => {
    const library = 'com.apple.security.cs.disable-library-validation'
    const entitlementsOf = (env: NodeJS.ProcessEnv) => {
      const { mac } = packagingOf(root, env)
      return [mac?.entitlements, mac?.entitlementsInherit].map((path) =>
        [
          ...readFileSync(join(root, path ?? 'missing'), 'utf8').matchAll(/<key>([^<]+)<\/key>\s*<true\/>/g),
        ].map(([, key]) => key),
      )
    }
    it.each([{}, { CSC_LINK: '', APPLE_TEAM_ID: '' }])(
      'signs ad hoc after setting the fuses without a certificate: %j',
      (env) => {
        const { mac, electronFuses } = packagingOf(root, env)
        expect(mac).toMatchObject({ identity: '-', hardenedRuntime: true, notarize: false })
        expect(electronFuses).toMatchObject({ resetAdHocDarwinSignature: true })
        // Without this entitlement, the hardened runtime refuses Electron's frameworks.
        for (const keys of entitlementsOf(env)) expect(keys).toContain(library)
      },
    )
    it.each([{ CSC_LINK: 'certificate.p12' }, { CSC_NAME: 'Name (TEAM)' }])(
      'signs with a certificate, and validates libraries: %j',
      (env) => {
        const { mac, electronFuses } = packagingOf(root, env)
        expect(mac).not.toHaveProperty('identity')
        expect(mac).toMatchObject({ hardenedRuntime: true, notarize: false })
        expect(packagingOf(root, { ...env, APPLE_TEAM_ID: 'TEAM' }).mac).toMatchObject({ notarize: true })
        expect(electronFuses).toMatchObject({ resetAdHocDarwinSignature: false })
        for (const keys of entitlementsOf(env)) expect(keys).not.toContain(library)
      },
    )
    it('has otherwise the same entitlements with and without a certificate', () => {
      expect(entitlementsOf({}).map((keys) => keys.filter((key) => key !== library))).toEqual(
        entitlementsOf({ CSC_LINK: 'certificate.p12' }),
      )
    })
    it('ignores the empty variables of missing secrets', () => {
      const env: NodeJS.ProcessEnv = { CSC_LINK: '', APPLE_ID: ' ', APPLE_TEAM_ID: 'TEAM', OTHER: '' }
      removeEmptySigningVariables(env)
      expect(env).toEqual({ APPLE_TEAM_ID: 'TEAM', OTHER: '' })
    })
  })
  it('configures no update address by default', () => {
    expect(packagingOf(root).publish).toBeNull()
  })
})

function readdirOrRead(path: string): void {
  try {
    readFileSync(path)
  } catch {
    readdirSync(path)
  }
}
