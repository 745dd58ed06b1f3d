import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { packagingOf } from '../../build/packaging.ts'
import { fillManifests } from '../../build/write-manifests.ts'

const hash = (digit: string): string => digit.repeat(64)
const files = {
  'sotto-1.2.3-mac-arm64.dmg': hash('a'),
  'sotto-1.2.3-mac-x64.dmg': hash('b'),
  'sotto-1.2.3-win-x64-setup.exe': hash('c'),
  'sotto-1.2.3-win-arm64-setup.exe': hash('d'),
  'sotto-1.2.3-linux-amd64.deb': hash('e'),
  'sotto-1.2.3-linux-arm64.deb': hash('f'),
}
const sums = Object.entries({ ...files, 'sotto-1.2.3.tgz': hash('0') })
  .map(([name, sum]) => `${sum}  ${name}\n`)
  .join('')
const release = { version: '1.2.3', repository: 'sotto-test/sotto', sums, date: '2026-12-01' }
const manifests = fillManifests(release)
const read = (path: string): string => manifests.get(path) ?? ''
const address = (name: string) => `https://github.com/sotto-test/sotto/releases/download/v1.2.3/${name}`

const folder = mkdtempSync(join(tmpdir(), 'sotto-manifests-'))
beforeAll(() => {
  for (const [path, text] of manifests) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Whether a checker is installed. A missing one skips its test. */
const hasTool = (name: string): boolean => spawnSync(name, ['--version']).error === undefined
const check = (tool: string, ...args: string[]) => spawnSync(tool, args, { cwd: folder, encoding: 'utf8' })

describe('the manifests of a release', () => {
  it('have no placeholder left, and name the files that electron-builder writes', () => {
    for (const [path, text] of manifests) expect(text, path).not.toMatch(/@\w+[@:]/)
    const root = join(import.meta.dirname, '..', '..')
    expect(packagingOf(root, {})).toMatchObject({
      appId: 'app.sotto.desktop',
      artifactName: 'sotto-${version}-${os}-${arch}.${ext}',
      nsis: { artifactName: 'sotto-${version}-win-${arch}-setup.${ext}', perMachine: false },
      linux: { executableName: 'sotto-desktop' },
    })
  })

  it('are valid YAML for winget, with both installers', () => {
    const base = 'winget/manifests/s/Sotto/Sotto/1.2.3/Sotto.Sotto'
    const form = z.looseObject({
      PackageIdentifier: z.literal('Sotto.Sotto'),
      PackageVersion: z.literal('1.2.3'),
      ManifestVersion: z.literal('1.6.0'),
    })
    expect(form.parse(parse(read(`${base}.yaml`)))).toMatchObject({ ManifestType: 'version' })
    expect(form.parse(parse(read(`${base}.locale.en-US.yaml`)))).toMatchObject({
      ManifestType: 'defaultLocale',
      License: 'MIT',
    })
    expect(form.parse(parse(read(`${base}.installer.yaml`)))).toMatchObject({
      ManifestType: 'installer',
      ReleaseDate: '2026-12-01',
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: address('sotto-1.2.3-win-x64-setup.exe'),
          InstallerSha256: hash('C'),
        },
        {
          Architecture: 'arm64',
          InstallerUrl: address('sotto-1.2.3-win-arm64-setup.exe'),
          InstallerSha256: hash('D'),
        },
      ],
    })
  })

  it('are valid YAML for Flatpak, with both processors', () => {
    const { modules } = z
      .object({ modules: z.array(z.object({ sources: z.array(z.unknown()) })).length(1) })
      .parse(parse(read('flatpak/app.sotto.desktop.yml')))
    expect(modules[0]?.sources.slice(0, 2)).toMatchObject([
      { 'only-arches': ['x86_64'], url: address('sotto-1.2.3-linux-amd64.deb'), sha256: hash('e') },
      { 'only-arches': ['aarch64'], url: address('sotto-1.2.3-linux-arm64.deb'), sha256: hash('f') },
    ])
  })
  it.skipIf(!hasTool('flatpak-builder'))('are accepted by flatpak-builder', () => {
    const shown = check('flatpak-builder', '--show-manifest', 'flatpak/app.sotto.desktop.yml')
    expect(shown).toMatchObject({ status: 0, stderr: '' })
  })

  it('name both images for Homebrew', () => {
    const cask = read('homebrew/Casks/s/sotto.rb')
    expect(cask).toContain('version "1.2.3"')
    expect(cask).toContain(`sha256 arm:   "${hash('a')}",\n         intel: "${hash('b')}"`)
    // Removing the app must not delete the credentials of an account.
    expect(cask).not.toContain('Application Support/Sotto')
  })
  it.skipIf(!hasTool('ruby'))('are valid Ruby for Homebrew', () => {
    expect(check('ruby', '-c', 'homebrew/Casks/s/sotto.rb')).toMatchObject({ status: 0, stderr: '' })
  })

  it.skipIf(process.platform === 'win32')('are valid Bash for the AUR, and equal in .SRCINFO', () => {
    const print =
      'source aur/PKGBUILD; declare -p pkgver arch depends options source_x86_64 source_aarch64 sha256sums_x86_64 sha256sums_aarch64 >/dev/null && ' +
      'for name in arch depends options provides conflicts source_x86_64 sha256sums_x86_64 source_aarch64 sha256sums_aarch64; do ' +
      'declare -n values=$name; for value in "${values[@]}"; do echo "$name = $value"; done; done'
    const { status, stdout, stderr } = check('bash', '-euc', print)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const info = read('aur/.SRCINFO')
      .split('\n')
      .map((line) => line.trim())
    for (const line of stdout.trim().split('\n')) expect(info).toContain(line)
    expect(stdout).toContain(`source_aarch64 = ${address('sotto-1.2.3-linux-arm64.deb')}`)
    expect(info).toEqual(expect.arrayContaining(['pkgver = 1.2.3', 'pkgbase = sotto-bin']))
  })
})

describe('a release without manifests', () => {
  it.each<[string, Partial<typeof release>]>([
    ['has a pre-release version', { version: '1.2.3-rc.1' }],
    ['has a version that isn’t one', { version: '1.2.3"; system("id' }],
    ['has a repository that isn’t one', { repository: 'sotto-test/sotto"' }],
    ['lacks a file', { sums: sums.replace(/.*\.dmg\n/, '') }],
    ['has a sum of another length', { sums: sums.replace('aaaa', 'aaa') }],
    ['has a file twice', { sums: sums + sums }],
    ['has a date that isn’t one', { date: 'today' }],
  ])('%s', (_, part) => {
    expect(() => fillManifests({ ...release, ...part })).toThrow()
  })
})
