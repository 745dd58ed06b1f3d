import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Arch, build, DIR_TARGET, Platform, type Configuration } from 'electron-builder'
import { packagingOf, removeEmptySigningVariables } from './packaging.ts'

/** The location and version of a previously downloaded Electron, and options to limit the packaging. */
export interface PackageOptions {
  readonly root: string
  readonly output?: string
  readonly electron?: { readonly folder: string; readonly version: string }
  /**
   * Targets of electron-builder, such as `tar.gz`; by default those of the configuration. `dir` is the
   * unpacked app.
   */
  readonly targets?: readonly string[]
  readonly platform?: Platform
}

/**
 * Packs the output of `npm run build` for this computer's system and processor. Returns the paths of the
 * packages.
 */
export function packApp({
  root,
  output,
  electron,
  targets = [],
  platform = Platform.current(),
}: PackageOptions): Promise<string[]> {
  const configuration = packagingOf(root)
  const config: Configuration = {
    ...configuration,
    ...(output !== undefined && { directories: { ...configuration.directories, output } }),
    ...(electron && { electronDist: electron.folder, electronVersion: electron.version }),
  }
  const arch = process.arch === 'arm64' ? Arch.arm64 : Arch.x64
  return build({
    projectDir: root,
    config,
    publish: 'never',
    targets: platform.createTarget(
      targets.length === 0 ? null : targets.map((name) => (name === 'dir' ? DIR_TARGET : name)),
      arch,
    ),
  })
}

if (import.meta.main) {
  removeEmptySigningVariables(process.env)
  // electron-builder starts it for deb and rpm, and otherwise downloads fpm.
  process.env['CUSTOM_FPM_PATH'] ??= join(import.meta.dirname, 'linux', 'fpm.ts')
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: 'string' } },
  })
  const paths = await packApp({
    root: join(import.meta.dirname, '..'),
    targets: positionals,
    ...(values.output !== undefined && { output: values.output }),
  })
  for (const path of paths) process.stdout.write(`${path}\n`)
}
