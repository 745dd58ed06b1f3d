import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { profileSchema, type Profile } from '../src/shared/profile.ts'

const DAY = 86_400_000
/** Vendors publish a bulletin about every quarter. */
const REVIEW_AFTER_DAYS = 90
const MINIMUM_LOG_TIME_DAYS = 60

export interface PolicyAge {
  /** Values that a maintainer should compare with their sources again. */
  readonly warnings: readonly string[]
  /** Why nothing may be released with this preset. */
  readonly faults: readonly string[]
}

/**
 * Checks how old the values of a preset's policy are.
 *
 * @param now Unix ms
 */
export function checkPolicyAge({ id, policy, policySources = [] }: Profile, now: number): PolicyAge {
  const daysSince = (date: string) => Math.floor((now - Date.parse(date)) / DAY)
  const warnings = policySources
    .filter(({ reviewed }) => daysSince(reviewed) > REVIEW_AFTER_DAYS)
    .map(({ values, source, reviewed }) => `${id}: ${values.join(', ')}: last reviewed ${reviewed}, ${String(daysSince(reviewed))} days ago, against ${source}`)
  const minimum = policy?.minimumLogTime
  if (policy === undefined) return { warnings, faults: [] }
  if (minimum === undefined) return { warnings, faults: [`${id}: the policy has no minimumLogTime, so a new installation accepts evidence of any age`] }
  if (daysSince(minimum) <= MINIMUM_LOG_TIME_DAYS) return { warnings, faults: [] }
  return { warnings, faults: [`${id}: minimumLogTime ${minimum} is ${String(daysSince(minimum))} days old, more than ${String(MINIMUM_LOG_TIME_DAYS)}: set it to the log time of the newest release`] }
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../resources/profiles')
  const presets = readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => profileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  const ages = presets.map((preset) => checkPolicyAge(preset, Date.now()))
  for (const warning of ages.flatMap(({ warnings }) => warnings)) process.stdout.write(`::warning::${warning}\n`)
  const faults = ages.flatMap((age) => age.faults)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
