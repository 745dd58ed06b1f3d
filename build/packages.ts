import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { lintPackage, packageNames, packPackage } from './pack-package.ts'

const ROOT = join(import.meta.dirname, '..')
/** Checks the types of a tarball as each module resolution sees them. It's downloaded, because nothing else needs it. */
const ATTW = '@arethetypeswrong/cli@0.18.5'

/**
 * Builds, packs and checks the packages of this repository, and runs their tests: `npm run packages`.
 * `--offline` skips the check of the types, which downloads a tool.
 */
async function checkPackages(): Promise<boolean> {
  for (const name of packageNames) {
    const packed = await packPackage(name, join(ROOT, 'out/packages'))
    const problems = await lintPackage(packed)
    for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`)
    process.stdout.write(`${name}: ${String(packed.files.length)} files in ${packed.tarball}\n`)
    if (problems.length > 0) return false
    const types = ['--yes', ATTW, packed.tarball, '--profile', 'esm-only']
    if (!process.argv.includes('--offline') && !succeeds('npx', types)) return false
  }
  return succeeds('vitest', ['run', 'test/verifier', 'test/ehbp'])
}

function succeeds(command: string, args: readonly string[]): boolean {
  return (
    spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' }).status ===
    0
  )
}

process.exitCode = (await checkPackages()) ? 0 : 1
