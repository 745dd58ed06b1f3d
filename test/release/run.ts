import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { faultOfRelease } from '../../build/check-release.ts'
import { buildTar } from '../../build/linux/build-tar.ts'
import { releaseIdentityOf } from '../../src/shared/release-identity.ts'
import { writeFakeElectron } from '../packaging/fake-electron.ts'
import { attestRelease } from './rehearsal-provenance.ts'
import { runIn, stepOf } from './workflow-step.ts'

/**
 * `npm run release:rehearsal`: the whole release of the committed state on this computer, without the network. The steps of
 * release.yml run where they can. Stand-ins replace Electron, GitHub's attestation and its roots. Nothing is published.
 */
const root = join(import.meta.dirname, '..', '..')
const REPOSITORY = 'sotto-test/sotto'
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const { version } = z.object({ version: z.string() }).parse(readJson(join(root, 'package.json')))
const tag = `v${version}`
const run = { GITHUB_REPOSITORY: REPOSITORY, GITHUB_REF: `refs/tags/${tag}`, GITHUB_REF_NAME: tag }
const scratch = mkdtempSync(join(tmpdir(), 'sotto-rehearsal-'))
const clone = join(scratch, 'sotto')
const release = join(clone, 'release')

function require(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem)
}

function checkVersion(): string {
  require(faultOfRelease(clone, run) === undefined, faultOfRelease(clone, run) ?? '')
  require(faultOfRelease(clone, { ...run, GITHUB_REF: 'refs/tags/v0.0.0-other' }) !==
    undefined, 'another tag passed')
  return tag
}

function checkChangelog(): string {
  const sections = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1)
  const of = (name: string) => sections.find((section) => section.startsWith(`[${name}]`))
  require(/^- /m.test(of(version) ?? of('Unreleased') ?? ''), `CHANGELOG.md has no changes of ${version}`)
  return of(version) === undefined
    ? `only [Unreleased]: write the section of ${version} before the tag`
    : version
}

function build(): string {
  runIn(clone, [process.execPath, 'build/name-repository.ts'], run)
  runIn(clone, [process.execPath, 'node_modules/.bin/electron-vite', 'build', '--logLevel', 'warn'])
  return REPOSITORY
}

function packNpm(): string {
  runIn(clone, ['bash', '-e', '-c', stepOf(root, 'npm', 'npm pack')], run)
  const sbom = z
    .object({ bomFormat: z.literal('CycloneDX'), components: z.array(z.unknown()).min(1) })
    .parse(readJson(join(release, `sotto-${version}-sbom.cdx.json`)))
  return `sotto-${version}.tgz and an SBOM of ${String(sbom.components.length)} packages`
}

async function packLinux(): Promise<string> {
  if (process.platform !== 'linux') return 'skipped: these packages need Linux'
  const tools = { deb: 'dpkg-deb', rpm: 'rpmbuild' }
  const absent = Object.values(tools).filter((tool) => spawnSync(tool, ['--version']).error !== undefined)
  const targets = Object.entries(tools).flatMap(([type, tool]) => (absent.includes(tool) ? [] : [type]))
  const electron = join(scratch, 'electron')
  await writeFakeElectron(electron)
  const options = {
    root: clone,
    output: join(scratch, 'dist'),
    electron: { folder: electron, version: '45.3.4' },
    targets: [...targets, 'dir'],
  }
  const script = `import { packApp } from ${JSON.stringify(pathToFileURL(join(clone, 'build/package.ts')).href)}
await packApp(${JSON.stringify(options)})`
  runIn(clone, [process.execPath, '--input-type=module', '--eval', script], {
    CUSTOM_FPM_PATH: join(clone, 'build/linux/fpm.ts'),
  })
  for (const name of readdirSync(options.output))
    if (/\.(?:deb|rpm)$/.test(name)) cpSync(join(options.output, name), join(release, name))
  const seconds = Number(runIn(clone, ['git', 'log', '-1', '--format=%ct']).trim())
  const unpacked = readdirSync(options.output).find((name) => name.endsWith('-unpacked')) ?? ''
  buildTar(
    join(options.output, unpacked),
    join(release, `sotto-${version}-linux-${process.arch}.tar.gz`),
    seconds,
  )
  return `${[...targets, 'tar.gz'].join(', ')}, with a stand-in for Electron${absent.map((tool) => `; ${tool} isn’t installed`).join('')}`
}

function writeChecksums(): string {
  runIn(clone, ['bash', '-e', '-c', stepOf(root, 'attest', '> SHA256SUMS')], run)
  runIn(release, ['sha256sum', '--check', '--strict', '--quiet', 'SHA256SUMS'])
  return `${String(namesInSums().length)} files`
}

const namesInSums = (): string[] =>
  readFileSync(join(release, 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.slice(66))

async function verify(): Promise<string> {
  const identity = releaseIdentityOf(readJson(join(clone, 'package.json')))
  if (!identity) throw new Error('the release has no identity')
  const names = namesInSums()
  const provenance = await attestRelease({ folder: release, names, identity, tag })
  for (const name of names) {
    const content = readFileSync(join(release, name))
    const result = provenance.verify(content)
    require(result.good && result.provenance.tag === tag, `${name} isn't verified`)
    require(!provenance.verify(Buffer.concat([content, Buffer.from([0])])).good, `a changed ${name} passed`)
  }
  // The built command has the published roots, and must refuse the stand-in.
  const [first = ''] = names
  runIn(
    clone,
    [process.execPath, 'out/main/sotto.js', 'verify-release', join(release, first), '--tag', tag],
    {},
    1,
  )
  return `${String(names.length)} files under the roots of the rehearsal; refused under the published ones`
}

function publishDry(): string {
  return runIn(
    clone,
    ['bash', '-e', '-c', `${stepOf(root, 'publish', 'npm publish').trim()} --dry-run`],
    run,
  ).trim()
}

const steps = {
  version: checkVersion,
  changelog: checkChangelog,
  build,
  'npm package': packNpm,
  'Linux packages': packLinux,
  checksums: writeChecksums,
  provenance: verify,
  'npm publish, dry run': publishDry,
}
try {
  execFileSync('git', ['clone', '--quiet', '--no-local', root, clone])
  // Hard links, because some tools resolve a linked folder to its own place.
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(clone, 'node_modules')])
  for (const [name, step] of Object.entries(steps)) process.stdout.write(`${name}: ${await step()}\n`)
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
