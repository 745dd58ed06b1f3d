import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseIdentityOf } from '../src/shared/release-identity.ts'

/**
 * Returns the manifest for a release of this repository. Each release states in its own package.json where
 * it was built, and recognizes its updates by that. A checkout names no repository, so that a manual build
 * accepts no update and recognizes no file as genuine, and a fork's releases are the fork's. npm requires
 * its provenance to match the same member.
 *
 * @param repository owner/name on GitHub, in the form of GITHUB_REPOSITORY
 * @returns undefined if the name isn't a valid GitHub name, or the manifest names another one
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
