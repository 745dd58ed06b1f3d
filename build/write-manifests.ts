import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { releaseIdentityOf } from '../src/shared/release-identity.ts'
import { withRepository } from './name-repository.ts'

const TEMPLATES = join(import.meta.dirname, 'manifests')

/** The templates in build/manifests, with the path of each in the repository of its package manager. */
const targets: Readonly<Record<string, (version: string) => string>> = {
  'homebrew/sotto.rb': () => 'homebrew/Casks/s/sotto.rb',
  'winget/Sotto.Sotto.yaml': (version) => `winget/manifests/s/Sotto/Sotto/${version}/Sotto.Sotto.yaml`,
  'winget/Sotto.Sotto.installer.yaml': (version) =>
    `winget/manifests/s/Sotto/Sotto/${version}/Sotto.Sotto.installer.yaml`,
  'winget/Sotto.Sotto.locale.en-US.yaml': (version) =>
    `winget/manifests/s/Sotto/Sotto/${version}/Sotto.Sotto.locale.en-US.yaml`,
  'flatpak/app.sotto.desktop.yml': () => 'flatpak/app.sotto.desktop.yml',
  'aur/PKGBUILD': () => 'aur/PKGBUILD',
  'aur/.SRCINFO': () => 'aur/.SRCINFO',
}

export interface Release {
  /** A final version. The package managers get no pre-releases. */
  readonly version: string
  /** owner/name on GitHub */
  readonly repository: string
  /** The content of the release's SHA256SUMS. */
  readonly sums: string
  /** The day of the release, as YYYY-MM-DD. */
  readonly date: string
}

const releaseSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  repository: z.string().regex(/^[\w-]+\/[\w.-]+$/),
  sums: z.string(),
  date: z.iso.date(),
})

/** @throws {Error} if a line isn't "hash, two spaces, name", or a name occurs twice */
function parseSums(sums: string): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const line of sums.split('\n').filter(Boolean)) {
    const [, hash, name] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? []
    if (hash === undefined || name === undefined || hashes.has(name))
      throw new Error(`SHA256SUMS has an invalid line: ${line}`)
    hashes.set(name, hash)
  }
  return hashes
}

/**
 * Fills in the manifests of a release for Homebrew, winget, Flatpak and the AUR.
 *
 * @returns the text of each manifest, by its path in the repository that it is submitted to
 * @throws {Error} if the release is invalid, or SHA256SUMS lacks a file that a manifest names
 */
export function fillManifests(release: Release): Map<string, string> {
  const { version, repository, sums, date } = releaseSchema.parse(release)
  const hashes = parseSums(sums)
  const fill = (template: string): string =>
    template
      .replaceAll('@version@', version)
      .replaceAll('@repository@', repository)
      .replaceAll('@date@', date)
      .replaceAll(/@(sha256|SHA256):([\w.-]+)@/g, (_, form: string, name: string) => {
        const hash = hashes.get(name)
        if (hash === undefined) throw new Error(`SHA256SUMS has no ${name}`)
        return form === 'SHA256' ? hash.toUpperCase() : hash
      })
  return new Map(
    Object.entries(targets).map(([template, target]) => [
      target(version),
      fill(readFileSync(join(TEMPLATES, template), 'utf8')),
    ]),
  )
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      sums: { type: 'string', default: 'release/SHA256SUMS' },
      repository: { type: 'string', default: process.env['GITHUB_REPOSITORY'] ?? '' },
      to: { type: 'string', default: 'dist/manifests' },
    },
  })
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  const { version } = z.object({ version: z.string() }).parse(manifest)
  const named =
    releaseIdentityOf(manifest) === undefined ? withRepository(manifest, values.repository) : manifest
  const repository = releaseIdentityOf(named)?.repository
  if (repository === undefined)
    throw new Error('Name the repository: node build/write-manifests.ts --repository OWNER/NAME')
  const date = new Date().toISOString().slice(0, 10)
  const filled = fillManifests({ version, repository, sums: readFileSync(values.sums, 'utf8'), date })
  for (const [path, text] of filled) {
    mkdirSync(dirname(join(values.to, path)), { recursive: true })
    writeFileSync(join(values.to, path), text)
    process.stdout.write(`${join(values.to, path)}\n`)
  }
}
