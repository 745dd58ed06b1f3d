import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { updateMinimumLogTime } from '../../build/minimum-log-time.ts'
import type { Fetch } from '../../src/shared/fetch.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import { builtInTrust, evidenceIsThere, realEvidence, resource } from '../verifier/evidence-folder.ts'

/** When the genuine evidence was collected, and when its release was logged. */
const NOW = Date.UTC(2026, 7, 15, 12)
const LOGGED = '2026-08-13T22:57:35Z'
const root = join(import.meta.dirname, '../..')

describe.skipIf(!evidenceIsThere)('the minimum log time of a preset', () => {
  let folder = ''
  let file = ''
  let direct = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-preset-'))
    file = join(folder, 'ppq.json')
    direct = join(folder, 'tinfoil.json')
    writeFileSync(
      direct,
      resource('profiles/tinfoil.json').replace(
        /"minimumLogTime": "[^"]*"/,
        '"minimumLogTime": "2026-05-01T00:00:00Z"',
      ),
    )
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const asked: string[] = []
  const answering =
    (body: Buffer, status = 200): Fetch =>
    (url) => {
      asked.push(url)
      return Promise.resolve(new Response(new Uint8Array(body), { status }))
    }
  const evidence = () => realEvidence('2026-08/ppq-bundle-2026-08/attestation-bundle.json')
  const keep = (minimum: string) =>
    writeFileSync(
      file,
      resource('profiles/ppq.json').replace(/"minimumLogTime": "[^"]*"/, `"minimumLogTime": "${minimum}"`),
    )
  const readProfile = () => profileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const update = (options: { fetch?: Fetch; checkOnly?: boolean; now?: number } = {}) =>
    updateMinimumLogTime({
      files: [file, direct],
      trust: builtInTrust,
      fetch: answering(evidence()),
      now: NOW,
      checkOnly: false,
      ...options,
    })

  it('is raised to the log time of the release in service, with the day of its review, and nothing else changes', async () => {
    keep('2026-05-01T00:00:00Z')
    expect(await update()).toEqual([])
    expect(asked.at(-1)).toBe('https://api.ppq.ai/private/attestation')
    const before = profileSchema.parse(JSON.parse(resource('profiles/ppq.json')))
    expect(readProfile().policy).toEqual({ ...before.policy, minimumLogTime: LOGGED })
    expect(
      readProfile().policySources?.find(({ values }) => values.includes('minimumLogTime'))?.reviewed,
    ).toBe('2026-08-15')
    expect(readFileSync(direct, 'utf8')).toContain(`"minimumLogTime": "${LOGGED}"`)
    expect(readProfile().policySources?.length).toBe(before.policySources?.length)
  })

  it('holds for a release if it is at most 60 days behind, and is not written by a check', async () => {
    keep('2026-06-15T00:00:00Z')
    const text = readFileSync(file, 'utf8')
    expect((await update({ checkOnly: true })).filter((fault) => fault.startsWith('ppq'))).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(text)
    keep('2026-06-13T00:00:00Z')
    expect(await update({ checkOnly: true })).toEqual([
      expect.stringContaining('ppq: minimumLogTime is 61 days behind v0.0.141'),
      expect.stringContaining('tinfoil: minimumLogTime is 104 days'),
    ])
  })

  it('is a fault, and stays, if the service shows an older release, bad evidence, or none', async () => {
    keep('2026-09-01T00:00:00Z')
    expect(await update()).toEqual([expect.stringContaining('release/too-old')])
    keep('2026-05-01T00:00:00Z')
    expect(await update({ now: Date.UTC(2026, 10, 12) })).toEqual([
      expect.stringContaining('certificate/expired'),
    ])
    expect(await update({ fetch: answering(Buffer.from('{}')) })).toEqual([
      expect.stringContaining('refused'),
    ])
    expect(await update({ fetch: answering(evidence(), 503) })).toEqual([
      expect.stringContaining('attestation/unreachable'),
    ])
    expect(readProfile().policy?.minimumLogTime).toBe('2026-05-01T00:00:00Z')
  })

  it('is a fault if the preset has none', async () => {
    writeFileSync(file, resource('profiles/ppq.json').replace(/ *"minimumLogTime": "[^"]*",\n/, ''))
    expect(await update({ checkOnly: true })).toEqual([expect.stringContaining('no minimumLogTime')])
  })

  it('is checked before a release is tested and built', () => {
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
    const runs = [...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command)
    expect(runs).toContain('node build/minimum-log-time.ts --check')
    expect(runs.indexOf('node build/minimum-log-time.ts --check')).toBeLessThan(runs.indexOf('./.ci/run'))
  })
})
