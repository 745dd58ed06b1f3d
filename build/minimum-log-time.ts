import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_EVIDENCE_BYTES, verifyEvidence } from '../src/verifier/index.ts'
import { fetchEvidence } from '../src/core/gateway/channel/evidence.ts'
import { createOutboundFetch } from '../src/host/outbound-fetch.ts'
import { applicationRoot } from '../src/host/application-root.ts'
import { builtInTrust } from '../src/host/resources.ts'
import { SottoError } from '../src/shared/errors.ts'
import type { Fetch } from '../src/shared/fetch.ts'
import { profileSchema, type Profile } from '../src/shared/profile.ts'
import type { TrustSet } from '../src/shared/trust.ts'

const DAY = 86_400_000
/** How far the minimum of a release may be behind the enclave's release in service. */
const MAX_BEHIND_DAYS = 60

interface MinimumUpdate {
  /** The presets. Those that have no service are raised with the service's that names the same repository. */
  readonly files: readonly string[]
  readonly trust: TrustSet
  readonly fetch: Fetch
  /** Unix ms. */
  readonly now: number
  /** Reports a minimum that is too far behind as a fault, and writes nothing. */
  readonly checkOnly: boolean
}

interface Preset {
  readonly file: string
  readonly text: string
  readonly profile: Profile
}

interface Release {
  readonly tag: string
  /** Unix ms. */
  readonly loggedAt: number
}

/**
 * Raises the minimum log time of presets to that of the enclave's release in service. The service's
 * evidence is verified under its preset first. Therefore the minimum never decreases, and only the
 * publisher's signed releases can change it.
 *
 * @returns the reasons against a release with the presets; empty if they are good
 */
export async function updateMinimumLogTime({
  files,
  trust,
  fetch,
  now,
  checkOnly,
}: MinimumUpdate): Promise<string[]> {
  const presets = files.map((file): Preset => {
    const text = readFileSync(file, 'utf8')
    return { file, text, profile: profileSchema.parse(JSON.parse(text)) }
  })
  const faults: string[] = []
  for (const { profile } of presets.filter(({ profile: { policy, direct } }) => policy && !direct)) {
    const release = await releaseInService(profile, { trust, fetch, now })
    if (typeof release === 'string') faults.push(`${profile.id}: ${release}`)
    else
      for (const preset of presets)
        faults.push(...raise(preset, repositoryOf(profile), release, { now, checkOnly }))
  }
  return faults
}

/** The verified release, or the reason why there is none. */
async function releaseInService(
  { baseUrl, privatePath, policy }: Profile,
  { trust, fetch, now }: Pick<MinimumUpdate, 'trust' | 'fetch' | 'now'>,
): Promise<Release | string> {
  if (policy?.minimumLogTime === undefined)
    return 'the policy has no minimumLogTime, so a new installation accepts evidence of any age'
  try {
    const evidence = await fetchEvidence(fetch, `${baseUrl}${privatePath}/attestation`, MAX_EVIDENCE_BYTES)
    const { good, failure, release } = verifyEvidence(evidence, trust, policy, now)
    if (!good || release?.loggedAt === undefined)
      return `the service's evidence is refused: ${failure?.code ?? 'no release'}`
    return { tag: release.tag, loggedAt: release.loggedAt }
  } catch (error) {
    return error instanceof SottoError ? error.code : String(error)
  }
}

function raise(
  { file, text, profile: { id, ...profile } }: Preset,
  repository: string | undefined,
  { tag, loggedAt }: Release,
  { now, checkOnly }: Pick<MinimumUpdate, 'now' | 'checkOnly'>,
): string[] {
  const minimum = profile.policy?.minimumLogTime
  if (minimum === undefined || repositoryOf(profile) !== repository) return []
  const behind = Math.floor((loggedAt - Date.parse(minimum)) / DAY)
  if (checkOnly)
    return behind <= MAX_BEHIND_DAYS
      ? []
      : [
          `${id}: minimumLogTime is ${String(behind)} days behind ${tag}: run npm run minimum-log-time, and commit the result`,
        ]
  const raised = text.replace(
    `"minimumLogTime": "${minimum}"`,
    `"minimumLogTime": "${new Date(loggedAt).toISOString().replace('.000Z', 'Z')}"`,
  )
  writeFileSync(
    file,
    raised.replace(
      /("values": \["minimumLogTime"\].*"reviewed": )"[^"]*"/,
      `$1"${new Date(now).toISOString().slice(0, 10)}"`,
    ),
  )
  return []
}

function repositoryOf({ policy }: Pick<Profile, 'policy'>): string | undefined {
  return policy?.code.repository
}

if (import.meta.main) {
  const outbound = createOutboundFetch()
  const folder = join(applicationRoot, 'resources/profiles')
  const faults = await updateMinimumLogTime({
    files: readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name)),
    trust: await builtInTrust(),
    fetch: outbound.fetch,
    now: Date.now(),
    checkOnly: process.argv.includes('--check'),
  })
  await outbound.close()
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
