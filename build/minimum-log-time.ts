import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_EVIDENCE_BYTES, verifyEvidence } from '../src/core/attestation/index.ts'
import { fetchEvidence } from '../src/core/channel/evidence.ts'
import { createOutboundFetch } from '../src/host/outbound-fetch.ts'
import { applicationRoot, builtInTrust } from '../src/host/resources.ts'
import { SottoError } from '../src/shared/errors.ts'
import type { Fetch } from '../src/shared/fetch.ts'
import { profileSchema } from '../src/shared/profile.ts'
import type { TrustSet } from '../src/shared/trust.ts'

const DAY = 86_400_000
/** How far the minimum of a release may be behind the enclave's release in service. */
const MAX_BEHIND_DAYS = 60

interface MinimumUpdate {
  /** The preset. */
  readonly file: string
  readonly trust: TrustSet
  readonly fetch: Fetch
  /** Unix ms. */
  readonly now: number
  /** Reports a minimum that is too far behind as a fault, and writes nothing. */
  readonly checkOnly: boolean
}

/**
 * Raises the minimum log time of a preset to that of the enclave's release in service. The service's evidence is verified under the preset
 * first, so that the minimum never goes down and nobody but the publisher's transparency log moves it.
 *
 * @returns why no release must be made with the preset; undefined if it's good
 */
export async function updateMinimumLogTime({ file, trust, fetch, now, checkOnly }: MinimumUpdate): Promise<string | undefined> {
  const text = readFileSync(file, 'utf8')
  const { id, baseUrl, privatePath, policy } = profileSchema.parse(JSON.parse(text))
  if (!policy) return undefined
  const { minimumLogTime } = policy
  if (minimumLogTime === undefined) return `${id}: the policy has no minimumLogTime, so a new installation accepts evidence of any age`
  let evidence: Uint8Array
  try {
    evidence = await fetchEvidence(fetch, `${baseUrl}${privatePath}/attestation`, MAX_EVIDENCE_BYTES)
  } catch (error) {
    return `${id}: ${error instanceof SottoError ? error.code : String(error)}`
  }
  const { good, failure, release } = verifyEvidence(evidence, trust, policy, now)
  if (!good || release?.loggedAt === undefined) return `${id}: the service's evidence is refused: ${failure?.code ?? 'no release'}`
  const behind = Math.floor((release.loggedAt - Date.parse(minimumLogTime)) / DAY)
  if (checkOnly) return behind <= MAX_BEHIND_DAYS ? undefined : `${id}: minimumLogTime is ${String(behind)} days behind ${release.tag}: run npm run minimum-log-time, and commit the result`
  const raised = text.replace(`"minimumLogTime": "${minimumLogTime}"`, `"minimumLogTime": "${new Date(release.loggedAt).toISOString().replace('.000Z', 'Z')}"`)
  writeFileSync(file, raised.replace(/("values": \["minimumLogTime"\].*"reviewed": )"[^"]*"/, `$1"${new Date(now).toISOString().slice(0, 10)}"`))
  return undefined
}

if (import.meta.main) {
  const outbound = createOutboundFetch()
  const fault = await updateMinimumLogTime({
    file: join(applicationRoot, 'resources/profiles/ppq.json'), trust: await builtInTrust(), fetch: outbound.fetch, now: Date.now(), checkOnly: process.argv.includes('--check'),
  })
  await outbound.close()
  if (fault !== undefined) process.stderr.write(`${fault}\n`)
  process.exitCode = fault === undefined ? 0 : 1
}
