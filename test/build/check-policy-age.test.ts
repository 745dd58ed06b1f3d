import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkPolicyAge } from '../../build/check-policy-age.ts'
import { profileSchema } from '../../src/shared/profile.ts'

const root = join(import.meta.dirname, '../..')
const preset = profileSchema.parse(
  JSON.parse(readFileSync(join(root, 'resources/profiles/ppq.json'), 'utf8')),
)
const DAY = 86_400_000
const REVIEWED = '2026-11-25'
const reviewed = Date.parse(REVIEWED)
const sources = [
  { values: ['sevSnp.products.Genoa.minimumTcb.snp'], source: 'AMD-SB-3019', reviewed: REVIEWED },
]
const aged = { ...preset, policySources: sources }

describe('the age of a preset’s policy', () => {
  it('is a warning for each value that was reviewed over 90 days ago', () => {
    expect(checkPolicyAge(aged, reviewed + 90 * DAY)).toEqual([])
    expect(checkPolicyAge(aged, reviewed + 91 * DAY)).toEqual([
      expect.stringMatching(
        /sevSnp\.products\.Genoa\.minimumTcb\.snp: last reviewed 2026-11-25, 91 days ago, against AMD-SB-3019/,
      ),
    ])
  })

  it('is nothing for a profile without sources', () => {
    const { policySources: _, ...plain } = preset
    expect(checkPolicyAge(plain, reviewed)).toEqual([])
  })

  it('is checked before a release is tested and built', () => {
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
    const runs = [...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command)
    expect(runs).toContain('node build/check-policy-age.ts')
    expect(runs.indexOf('node build/check-policy-age.ts')).toBeLessThan(runs.indexOf('./.ci/run'))
  })
})
