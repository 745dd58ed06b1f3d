import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { LICENCES_FILE } from './third-party-licences.ts'

const propertyForm = z.looseObject({ name: z.string() })
const componentForm = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  properties: z.array(propertyForm).optional(),
})
const sbomForm = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(componentForm),
  dependencies: z
    .array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) }))
    .default([]),
})
export type Sbom = z.infer<typeof sbomForm>

/**
 * Heading of a package in the licenses file, which identifies the bundled packages: `name 1.2.3 (MIT)`.
 */
const HEADING = /^=+\n(\S+) (\S+) \([^\n]*\)\n=+$/gm

/** Names and versions of the packages with a license in this text. */
export function builtIn(licences: string): Set<string> {
  return new Set([...licences.matchAll(HEADING)].map(([, name, version]) => `${name ?? ''}@${version ?? ''}`))
}

/** npm's mark for a package that only devDependencies need. It's wrong for a bundled package. */
const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * Filters the SBOM (CycloneDX) of all installed packages to those in a release; the others are only for
 * development. npm calls the product by the name of its folder, and a library.
 *
 * @param product the name of the product
 */
export function shipped(sbom: unknown, shippedPackages: ReadonlySet<string>, product: string): Sbom {
  const { metadata, components, dependencies, ...rest } = sbomForm.parse(sbom)
  const shippedComponents = components
    .filter(({ name, version }) => shippedPackages.has(`${name}@${version}`))
    .map(({ properties, ...component }) => ({
      ...component,
      ...(properties && { properties: properties.filter(({ name }) => name !== DEVELOPMENT) }),
      scope: 'required',
    }))
  const refs = new Set([
    metadata.component['bom-ref'],
    ...shippedComponents.map((component) => component['bom-ref']),
  ])
  return {
    ...rest,
    metadata: { ...metadata, component: { ...metadata.component, name: product, type: 'application' } },
    components: shippedComponents,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
}

const lockForm = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string().optional(), dev: z.boolean().optional() }),
  ),
})

/** The packages that are not built in: those that are installed with Sotto, and Electron, which it is packed with. */
export function findInstalledPackages(lock: unknown): Set<string> {
  return new Set(
    Object.entries(lockForm.parse(lock).packages).flatMap(([place, { version, dev }]) => {
      const name = place.split('node_modules/').at(-1) ?? ''
      return place !== '' && version !== undefined && (dev !== true || name === 'electron')
        ? [`${name}@${version}`]
        : []
    }),
  )
}

/** Bill of materials of what `npm run build` built, as CycloneDX JSON. @param root the checkout */
export function sbomOf(root: string): Sbom {
  const licences = ['main', 'preload', 'renderer']
    .map((part) => join(root, 'out', part, LICENCES_FILE))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
  if (licences.length === 0) throw new Error('Nothing is built: run `npm run build` first.')
  const all: unknown = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const { name } = z
    .object({ name: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  return shipped(
    all,
    new Set([
      ...licences.flatMap((text) => [...builtIn(text)]),
      ...findInstalledPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))),
    ]),
    name,
  )
}

if (import.meta.main)
  process.stdout.write(`${JSON.stringify(sbomOf(join(import.meta.dirname, '..')), null, 2)}\n`)
