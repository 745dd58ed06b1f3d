import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseAnnouncement } from '../../src/main/updates/feed.ts'

/** The steps of the workflows that hand a release out by degrees, as bash runs them. */
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'sotto-rollout-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
})
const scripts = (file: string, job: string) =>
  workflow
    .parse(parse(readFileSync(join(root, '.github/workflows', file), 'utf8')))
    .jobs[job]!.steps.flatMap(({ run }) => run ?? [])
const bash = (script: string, env: Record<string, string> = {}) =>
  spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

const announcement = `version: 1.2.3\nfiles:\n  - url: sotto-1.2.3-linux-x86_64.AppImage\n    sha512: ${'A'.repeat(86)}==\n    size: 10\n    blockMapSize: 5\npath: sotto-1.2.3-linux-x86_64.AppImage\nsha512: ${'A'.repeat(86)}==\nreleaseDate: '2026-02-01T00:00:00.000Z'\n`
const read = (name: string) => parseAnnouncement(parse(readFileSync(join(folder, name), 'utf8')))

beforeEach(() => {
  rmSync(join(folder, 'release'), { recursive: true, force: true })
  mkdirSync(join(folder, 'release'))
  for (const name of ['latest.yml', 'latest-arm64-mac.yml', 'latest-linux.yml'])
    writeFileSync(join(folder, 'release', name), announcement)
  writeFileSync(join(folder, 'release', 'sotto-1.2.3-linux-x86_64.AppImage'), 'the program')
})

describe.skipIf(process.platform === 'win32')('a release of the desktop app', () => {
  it('is offered to 10 percent of users first, and its checksums leave out the update files', () => {
    for (const script of scripts('release.yml', 'attest').filter(
      (run) => run.includes('stagingPercentage') || run.includes('sha256sum'),
    ))
      expect(bash(script)).toMatchObject({ status: 0, stderr: '' })
    for (const name of ['latest.yml', 'latest-arm64-mac.yml', 'latest-linux.yml'])
      expect(read(join('release', name))).toMatchObject({ version: '1.2.3', stagingPercentage: 10 })
    expect(readFileSync(join(folder, 'release', 'SHA256SUMS'), 'utf8')).toMatch(
      /^[0-9a-f]{64} [ *]sotto-1\.2\.3-linux-x86_64\.AppImage\n$/,
    )
  })

  describe('the rollout of a release', () => {
    const [script] = scripts('rollout.yml', 'rollout')
    beforeEach(() => {
      writeFileSync(join(folder, 'latest.yml'), `${announcement}stagingPercentage: 10\n`)
      writeFileSync(join(folder, 'gh'), '#!/bin/sh\necho "$@" >> gh-calls\n')
      chmodSync(join(folder, 'gh'), 0o755)
      writeFileSync(join(folder, 'gh-calls'), '')
    })
    const run = (tag: string, percentage: string) =>
      bash(script!, {
        TAG: tag,
        PERCENTAGE: percentage,
        GITHUB_REPOSITORY: 'sotto-test/sotto',
        PATH: `${folder}:${String(process.env['PATH'])}`,
      }).status
    it.each(['0', '50', '100'])('changes to %s percent', (percentage) => {
      expect(run('v1.2.3', percentage)).toBe(0)
      expect(read('latest.yml').stagingPercentage).toBe(Number(percentage))
      expect(readFileSync(join(folder, 'gh-calls'), 'utf8').split('\n')).toEqual([
        'release download v1.2.3 --repo sotto-test/sotto --pattern latest*.yml',
        'release upload v1.2.3 latest.yml --repo sotto-test/sotto --clobber',
        '',
      ])
    })
    it.each([
      ['v1.2.3', '101'],
      ['v1.2.3', '-1'],
      ['v1.2.3', '5/;w x'],
      ['v1.2.3', ''],
      ['main', '50'],
      ['v1.2.3 --repo evil/sotto', '50'],
    ])('refuses the tag %s with the percentage %s', (tag, percentage) => {
      expect(run(tag, percentage)).not.toBe(0)
      expect([readFileSync(join(folder, 'gh-calls'), 'utf8'), read('latest.yml').stagingPercentage]).toEqual([
        '',
        10,
      ])
    })
  })
})
