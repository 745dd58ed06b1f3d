import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { profileSchema, type Profile } from '../src/shared/profile.ts'

const DAY = 86_400_000
/** Vendors publish a bulletin about every quarter. */
const REVIEW_AFTER_DAYS = 90

/**
 * Lists the values of a preset's policy that a maintainer should compare with their sources again.
 *
 * @param now Unix ms
 */
export function checkPolicyAge({ id, policySources = [] }: Profile, now: number): readonly string[] {
  const daysSince = (date: string) => Math.floor((now - Date.parse(date)) / DAY)
  return policySources
    .filter(({ reviewed }) => daysSince(reviewed) > REVIEW_AFTER_DAYS)
    .map(
      ({ values, source, reviewed }) =>
        `${id}: ${values.join(', ')}: last reviewed ${reviewed}, ${String(daysSince(reviewed))} days ago, against ${source}`,
    )
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../resources/profiles')
  const presets = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => profileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  for (const warning of presets.flatMap((preset) => checkPolicyAge(preset, Date.now())))
    process.stdout.write(`::warning::${warning}\n`)
}
