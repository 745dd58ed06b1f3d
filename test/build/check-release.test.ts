import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { faultOfRelease } from '../../build/check-release.ts'
import { RELEASE_WORKFLOW } from '../../src/shared/release-identity.ts'

const root = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'sotto-check-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let checkoutCount = 0
function checkout(members: object, workflow = true): string {
  const at = join(folder, String((checkoutCount += 1)))
  mkdirSync(join(at, dirname(RELEASE_WORKFLOW)), { recursive: true })
  writeFileSync(
    join(at, 'package.json'),
    JSON.stringify({
      version: '1.2.3',
      repository: { type: 'git', url: 'git+https://github.com/sotto-test/sotto.git' },
      ...members,
    }),
  )
  if (workflow) cpSync(join(root, RELEASE_WORKFLOW), join(at, RELEASE_WORKFLOW))
  return at
}
const run = { GITHUB_REPOSITORY: 'sotto-test/sotto', GITHUB_REF: 'refs/tags/v1.2.3' }

describe('the check of a release', () => {
  it('accepts the expected repository and a tag that matches the version', () => {
    expect(faultOfRelease(checkout({}), run)).toBeUndefined()
    expect(faultOfRelease(checkout({}), {})).toBeUndefined()
  })
  it.each<[string, object, object]>([
    ['names no repository and runs in none', { repository: undefined }, {}],
    [
      "names none and runs in what is no name of GitHub's",
      { repository: undefined },
      { ...run, GITHUB_REPOSITORY: 'sotto test/../sotto' },
    ],
    [
      'names one that is not on GitHub',
      { repository: { type: 'git', url: 'git+https://gitlab.com/sotto-test/sotto.git' } },
      run,
    ],
    ['runs in another', {}, { ...run, GITHUB_REPOSITORY: 'evil/sotto' }],
    ['has another version than its tag', { version: '1.2.4' }, run],
    ['is of a branch', {}, { ...run, GITHUB_REF: 'refs/heads/v1.2.3' }],
  ])('refuses a release that %s', (_where, members, of) => {
    expect(faultOfRelease(checkout(members), { ...of })).toEqual(expect.any(String))
  })
  it('accepts the repository of the workflow if the checkout names none', () => {
    expect(faultOfRelease(checkout({ repository: undefined }), run)).toBeUndefined()
  })
  it('refuses a release if the workflow file isn’t at the path that verification expects', () => {
    expect(faultOfRelease(checkout({}, false), run)).toContain(RELEASE_WORKFLOW)
  })
})

describe('the release workflow', () => {
  const { on, permissions, jobs } = z
    .object({
      on: z.unknown(),
      permissions: z.record(z.string(), z.string()),
      jobs: z.record(
        z.string(),
        z.object({
          needs: z.union([z.string(), z.array(z.string())]).optional(),
          permissions: z.record(z.string(), z.string()),
          steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
        }),
      ),
    })
    .parse(parse(readFileSync(join(root, RELEASE_WORKFLOW), 'utf8')))
  const ran = (job: string) => jobs[job]!.steps.flatMap((step) => [step.uses ?? '', step.run ?? ''])

  it('runs only on version tags, and gives each job only the permissions that it needs', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } })
    expect(permissions).toEqual({})
    expect(Object.entries(jobs).map(([name, job]) => [name, job.needs, job.permissions])).toEqual([
      ['check', undefined, { contents: 'read' }],
      ['npm', 'check', { contents: 'read' }],
      ['desktop', 'check', { contents: 'read' }],
      ['attest', ['npm', 'desktop'], { contents: 'read', 'id-token': 'write', attestations: 'write' }],
      ['publish', 'attest', { contents: 'read', 'id-token': 'write' }],
      ['page', 'publish', { contents: 'write' }],
    ])
  })
  it('checks and tests before it builds, and verifies the attestations before it publishes', () => {
    expect(ran('check')).toEqual(
      expect.arrayContaining([
        'node build/check-release.ts',
        'node build/check-trusted-root.ts',
        './.ci/run',
      ]),
    )
    for (const job of ['npm', 'desktop', 'attest']) {
      expect(ran(job).filter((line) => line.includes('npm ci'))).toEqual(['npm ci --ignore-scripts'])
      const [named, built] = ran(job).filter((line) => /name-repository|electron-vite build/.test(line))
      expect(named).toBe('node build/name-repository.ts')
      expect(built).toContain('electron-vite build')
    }
    expect(ran('npm').join('\n')).toMatch(/npm pack --ignore-scripts[^]*build\/sbom\.ts/)
    expect(ran('attest').join('\n')).toMatch(
      /attest-build-provenance[^]*verify-release "release\/\$name" --tag/,
    )
    expect(ran('publish').join('\n')).toMatch(
      /npm publish \.\/release\/\*\.tgz .*--provenance --ignore-scripts/,
    )
  })
})
