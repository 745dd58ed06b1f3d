import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Arch, build, DIR_TARGET, Platform, type Configuration } from 'electron-builder'
import { packagingOf, removeEmptySigningVariables } from './packaging.ts'

/** Where an Electron stands that was downloaded before, and its version, and how little of the packaging is wanted. */
export interface PackageOptions {
  readonly root: string
  readonly output?: string
  readonly electron?: { readonly folder: string; readonly version: string }
  /** Of electron-builder, such as `tar.gz`; those of the configuration where none is named. `dir` is the unpacked app. */
  readonly targets?: readonly string[]
  readonly platform?: Platform
}

/** Packs what `npm run build` built for this machine's system and processor. Returns the paths of what was made. */
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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: 'string' } },
  })
  const made = await packApp({
    root: join(import.meta.dirname, '..'),
    targets: positionals,
    ...(values.output !== undefined && { output: values.output }),
  })
  for (const path of made) process.stdout.write(`${path}\n`)
}
