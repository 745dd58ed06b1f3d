import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkPolicyAge } from '../../build/check-policy-age.ts'
import { profileSchema } from '../../src/shared/profile.ts'

const root = join(import.meta.dirname, '../..')
const preset = profileSchema.parse(JSON.parse(readFileSync(join(root, 'resources/profiles/ppq.json'), 'utf8')))
const DAY = 86_400_000
const REVIEWED = '2026-11-25'
const reviewed = Date.parse(REVIEWED)
const sources = [{ values: ['sevSnp.products.Genoa.minimumTcb.snp'], source: 'AMD-SB-3019', reviewed: REVIEWED }]
const withMinimum = (minimumLogTime: string | undefined) => {
  const { minimumLogTime: _, ...policy } = preset.policy!
  return { ...preset, policySources: sources, policy: { ...policy, ...(minimumLogTime !== undefined && { minimumLogTime }) } }
}

describe('the age of a preset’s policy', () => {
  it('is a warning for each value that was reviewed over 90 days ago', () => {
    const fresh = withMinimum(new Date(reviewed).toISOString())
    expect(checkPolicyAge(fresh, reviewed + 90 * DAY).warnings).toEqual([])
    expect(checkPolicyAge(fresh, reviewed + 91 * DAY).warnings).toEqual([expect.stringMatching(/sevSnp\.products\.Genoa\.minimumTcb\.snp: last reviewed 2026-11-25, 91 days ago, against AMD-SB-3019/)])
  })

  it('is a fault once the minimum log time is over 60 days old, or if there is none', () => {
    const logged = withMinimum('2026-11-25T00:00:00Z')
    expect(checkPolicyAge(logged, reviewed + 60 * DAY).faults).toEqual([])
    expect(checkPolicyAge(logged, reviewed + 61 * DAY).faults).toEqual([expect.stringContaining('61 days old')])
    expect(checkPolicyAge(withMinimum(undefined), reviewed).faults).toEqual([expect.stringContaining('no minimumLogTime')])
  })

  it('is nothing for a profile without a policy', () => {
    const { policy: _, policySources: __, ...plain } = preset
    expect(checkPolicyAge(plain, reviewed)).toEqual({ warnings: [], faults: [] })
  })

  it('is checked before a release is tested and built', () => {
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
    const runs = [...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command)
    expect(runs).toContain('node build/check-policy-age.ts')
    expect(runs.indexOf('node build/check-policy-age.ts')).toBeLessThan(runs.indexOf('./.ci/run'))
  })
})
