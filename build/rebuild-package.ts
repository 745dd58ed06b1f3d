import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { comparePackages } from './compare-packages.ts'

/**
 * Rebuilds the Linux package (tar.gz) from a commit in a separate folder, and compares it with a released
 * one. Exit code 0: the same files with the same bytes; 1: different; 2: the build failed.
 *
 * @param repository owner/name on GitHub that the release claims; by default that of the checkout
 */
async function rebuild(released: string, ref: string, repository: string | undefined): Promise<number> {
  const root = join(import.meta.dirname, '..')
  const scratch = mkdtempSync(join(tmpdir(), 'sotto-rebuild-'))
  const clone = join(scratch, 'sotto')
  const sh = (command: string, ...args: string[]): void =>
    void execFileSync(command, args, { cwd: clone, stdio: ['ignore', 2, 2] })
  try {
    try {
      execFileSync('git', ['clone', '--quiet', '--no-local', root, clone], { stdio: ['ignore', 2, 2] })
      sh('git', 'checkout', '--quiet', '--detach', ref)
      sh('npm', 'ci', '--ignore-scripts')
      if (repository !== undefined) sh(process.execPath, 'build/name-repository.ts', repository)
      sh('npm', 'run', '--silent', 'build')
      sh('npm', 'run', '--silent', 'package', '--', 'tar.gz')
    } catch {
      process.stderr.write('It could not be built; what failed stands above.\n')
      return 2
    }
    const archive = readdirSync(join(clone, 'dist')).find((name) => name.endsWith('.tar.gz')) ?? ''
    const differences = await comparePackages(released, join(clone, 'dist', archive))
    for (const { path, is } of differences) process.stdout.write(`${is}: ${path}\n`)
    if (differences.length === 0) process.stdout.write(`The same, byte for byte: ${released}\n`)
    return differences.length === 0 ? 0 : 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const {
  values,
  positionals: [released],
} = parseArgs({
  allowPositionals: true,
  options: { ref: { type: 'string', default: 'HEAD' }, repository: { type: 'string' } },
})
if (released === undefined) {
  process.stderr.write(
    'usage: npm run package:rebuild -- FILE.tar.gz [--ref v1.2.3] [--repository OWNER/NAME]\n',
  )
  process.exitCode = 2
} else {
  process.exitCode = await rebuild(released, values.ref, values.repository)
}
