import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { z } from 'zod'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')

/** The folders of `src` that can be published as packages. */
export const packageNames = ['verifier', 'ehbp'] as const
export type PackageName = (typeof packageNames)[number]

export interface PackedPackage {
  /** The compiled package, in a folder from which its entries can be imported. */
  readonly folder: string
  /** Path of the tarball. */
  readonly tarball: string
  /** Paths in the tarball, without its `package/` prefix. */
  readonly files: readonly string[]
}

const packedSchema = z.object({
  filename: z.string(),
  files: z.array(z.object({ path: z.string() })),
})
/** npm 12 returns an object by package name. Earlier versions return an array. */
const packResultSchema = z.union([
  z.tuple([packedSchema]).transform(([packed]) => packed),
  z.record(z.string(), packedSchema).transform((packed, context) => {
    const [first] = Object.values(packed)
    if (first) return first
    context.addIssue('npm pack returned no package')
    return z.NEVER
  }),
])
const manifestSchema = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string(), default: z.string() })])),
})

/**
 * Copies one package out of the tree, compiles what its entries reach to JavaScript and declarations, and packs it.
 *
 * @param parent an empty folder within the repository, so that `zod` and Node's types are found
 * @throws {Error} if the compiler or npm fails
 */
export async function packPackage(name: PackageName, parent: string): Promise<PackedPackage> {
  const source = join(ROOT, 'src', name)
  const folder = join(parent, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'README.md']) cpSync(join(source, file), join(folder, file))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(source, join(folder, 'source'), { recursive: true })
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')))
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : entry.default.replace('./dist/', 'source/').replace(/js$/, 'ts'),
  )
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings(entries)))
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: ROOT })
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: folder,
    shell: process.platform === 'win32',
  })
  const { filename, files } = packResultSchema.parse(JSON.parse(stdout))
  return { folder, tarball: join(folder, filename), files: files.map(({ path }) => path).sort() }
}

function compilerSettings(files: readonly string[]): object {
  return {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: 'source',
      outDir: 'dist',
      lib: ['ES2024', 'ESNext.Disposable', 'ESNext.Array'],
      types: ['node'],
    },
    files,
  }
}

/** The problems that publint reports for a packed package, as text. */
export async function lintPackage({ tarball }: PackedPackage): Promise<readonly string[]> {
  const bytes = readFileSync(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  })
  return messages.map((message) => formatMessage(message, pkg) ?? message.code)
}
