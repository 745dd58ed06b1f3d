import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseIdentityOf } from '../src/shared/release-identity.ts'

/**
 * The manifest as that of a release made in this repository: each release says in its own package.json where it was built, and knows its
 * successors by that. A checkout names none, so what was built by hand takes no update and calls no file genuine, and a fork's releases
 * are the fork's. npm holds its provenance to the same member.
 *
 * @param repository owner/name on GitHub, as GITHUB_REPOSITORY has it
 * @returns undefined where the name is none of GitHub's, or the manifest names another
 */
export function withRepository(manifest: unknown, repository: string): object | undefined {
  if (typeof manifest !== 'object' || manifest === null) return undefined
  if ('repository' in manifest)
    return releaseIdentityOf(manifest)?.repository === repository ? manifest : undefined
  const named = { ...manifest, repository: { type: 'git', url: `git+https://github.com/${repository}.git` } }
  return releaseIdentityOf(named)?.repository === repository ? named : undefined
}

if (import.meta.main) {
  const at = join(import.meta.dirname, '..', 'package.json')
  const named = withRepository(
    JSON.parse(readFileSync(at, 'utf8')),
    process.argv[2] ?? process.env['GITHUB_REPOSITORY'] ?? '',
  )
  if (named) writeFileSync(at, `${JSON.stringify(named, null, 2)}\n`)
  else
    process.stderr.write(
      'usage: node build/name-repository.ts [OWNER/NAME], which must be what package.json names, if it names one (default: GITHUB_REPOSITORY)\n',
    )
  process.exitCode = named ? 0 : 2
}
