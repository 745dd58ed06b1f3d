import { parseArgs } from 'node:util'
import { z } from 'zod'

/** A path of this computer, and the path that a package installs it at. */
export interface InstalledPath {
  readonly from: string
  readonly to: string
}

/** A package that electron-builder requests, in the arguments of fpm. */
export interface PackageRequest {
  readonly type: 'deb' | 'rpm'
  readonly output: string
  readonly name: string
  readonly version: string
  /** In the words of the format: `amd64` or `x86_64`. */
  readonly architecture: string
  readonly maintainer: string
  readonly vendor: string
  readonly url: string
  readonly license: string
  readonly summary: string
  readonly description: string
  /** A test builds faster without compression, or with less of it. */
  readonly isCompressed: boolean
  readonly depends: readonly string[]
  readonly recommends: readonly string[]
  /** Shell scripts for after the installation and after the removal. */
  readonly afterInstall: string
  readonly afterRemove: string
  readonly paths: readonly InstalledPath[]
}

/** One line, because a line break would begin another field of the package. */
const line = z.string().regex(/^[^\p{Cc}]+$/u)
const options = z.object({
  type: z.enum(['deb', 'rpm']),
  package: line,
  name: z.string().regex(/^[a-z0-9][a-z0-9.+-]+$/),
  version: z.string().regex(/^\d[\w.+~]*$/),
  architecture: z.enum(['amd64', 'arm64', 'x86_64', 'aarch64']),
  maintainer: line,
  vendor: line,
  url: z.url(),
  license: line,
  description: z.string().min(1),
  'rpm-summary': line.optional(),
  'deb-compression': line.optional(),
  'rpm-compression': line.optional(),
  depends: z.array(line).default([]),
  'deb-recommends': z.array(line).default([]),
  'after-install': line,
  'after-remove': line,
})
/** electron-builder passes Debian's names, which fpm translates for rpm. */
const RPM_ARCHITECTURES = { amd64: 'x86_64', arm64: 'aarch64', x86_64: 'x86_64', aarch64: 'aarch64' } as const
const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

/**
 * Reads the arguments that electron-builder passes to fpm.
 * @throws {TypeError} for an option that it doesn't pass today
 * @throws {z.ZodError} for a value that a package can't have
 */
export function parsePackageRequest(args: readonly string[]): PackageRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      // Always `dir`, and `linux`.
      'input-type': { ...text, short: 's' },
      'rpm-os': text,
      force: flag,
      type: { ...text, short: 't' },
      depends: { ...list, short: 'd' },
      'deb-recommends': list,
      'deb-compression': text,
      'rpm-compression': text,
      'deb-priority': text,
      architecture: text,
      'after-install': text,
      'after-remove': text,
      description: text,
      'rpm-summary': text,
      version: text,
      package: { ...text, short: 'p' },
      name: text,
      maintainer: text,
      vendor: text,
      url: text,
      license: text,
    },
  })
  const read = options.parse(values)
  const [first = '', ...others] = read.description.split('\n')
  return {
    type: read.type,
    output: read.package,
    name: read.name,
    version: read.version,
    architecture: read.type === 'rpm' ? RPM_ARCHITECTURES[read.architecture] : read.architecture,
    maintainer: read.maintainer,
    vendor: read.vendor,
    url: read.url,
    license: read.license,
    // The description of a deb begins with its summary.
    summary: read['rpm-summary'] ?? first,
    description: (read['rpm-summary'] === undefined ? others : [first, ...others])
      .map((each) => each.trim())
      .join('\n'),
    isCompressed: (read['deb-compression'] ?? read['rpm-compression']) !== 'none',
    depends: read.depends,
    recommends: read['deb-recommends'],
    afterInstall: read['after-install'],
    afterRemove: read['after-remove'],
    paths: positionals.map(pathOf),
  }
}

function pathOf(pair: string): InstalledPath {
  const [from = '', to = '', ...others] = pair.split('=')
  if (from === '' || others.length > 0 || !/^\/[^\p{Cc}"]+$/u.test(to) || to.split('/').includes('..'))
    throw new TypeError(`no path of a package: ${pair}`)
  return { from, to }
}
