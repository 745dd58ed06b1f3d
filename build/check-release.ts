import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseIdentityOf, RELEASE_WORKFLOW } from '../src/shared/release-identity.ts'
import { withRepository } from './name-repository.ts'

/**
 * The reason against a release of this folder, or undefined: it couldn't be distinguished from another
 * repository's, or its version doesn't match its tag.
 *
 * @param root the checkout
 * @param run GitHub's data of the run; empty outside of one
 */
export function faultOfRelease(
  root: string,
  { GITHUB_REPOSITORY, GITHUB_REF }: NodeJS.ProcessEnv,
): string | undefined {
  const named: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // If the run adds the repository to the release (name-repository.ts), check the release with it.
  const manifest =
    GITHUB_REPOSITORY === undefined ? named : (withRepository(named, GITHUB_REPOSITORY) ?? named)
  const identity = releaseIdentityOf(manifest)
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : ''
  if (!identity)
    return 'package.json names no "repository" on GitHub, so nobody could verify what is released'
  if (!existsSync(join(root, RELEASE_WORKFLOW)))
    return `${RELEASE_WORKFLOW}, which verify-release expects to have built a release, is missing`
  if (GITHUB_REPOSITORY !== undefined && GITHUB_REPOSITORY !== identity.repository)
    return `this is ${GITHUB_REPOSITORY}, and verify-release expects ${identity.repository}`
  if (GITHUB_REF !== undefined && GITHUB_REF !== `refs/tags/v${version}`)
    return `the ref is ${GITHUB_REF}, and the version is ${version}`
  return undefined
}

if (import.meta.main) {
  const fault = faultOfRelease(join(import.meta.dirname, '..'), process.env)
  if (fault !== undefined) process.stderr.write(`${fault}\n`)
  process.exitCode = fault === undefined ? 0 : 1
}
