import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  TRUSTED_ROOT_STALE_AFTER_DAYS,
  trustedRootIsStale,
  trustedRootMetaSchema,
} from '../src/shared/trusted-root-age.ts'

/**
 * Why the Sigstore root that would ship may not, or undefined: it is older than a user should begin with, or not the one that its
 * date is stated of.
 *
 * @param folder of the trust roots
 * @param now Unix ms
 */
export function faultOfTrustedRoot(folder: string, now: number): string | undefined {
  const root = readFileSync(join(folder, 'sigstore-trusted-root.json'))
  const { published, sha256 } = trustedRootMetaSchema.parse(
    JSON.parse(readFileSync(join(folder, 'sigstore-trusted-root.meta.json'), 'utf8')),
  )
  if (createHash('sha256').update(root).digest('hex') !== sha256)
    return 'the Sigstore root is not the one that its date is stated of'
  const since = Date.parse(published)
  if (since > now) return `the Sigstore root is dated ${published}, which is still to come`
  if (trustedRootIsStale(since, now))
    return `the Sigstore root is of ${published}, over ${String(TRUSTED_ROOT_STALE_AFTER_DAYS)} days ago: renew it as resources/trust/README.md says`
  return undefined
}

if (import.meta.main) {
  const fault = faultOfTrustedRoot(join(import.meta.dirname, '../resources/trust'), Date.now())
  if (fault !== undefined) process.stderr.write(`${fault}\n`)
  process.exitCode = fault === undefined ? 0 : 1
}
