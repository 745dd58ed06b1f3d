import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOfTrustedRoot } from '../../build/check-trusted-root.ts'
import { trustedRootMetaSchema } from '../../src/shared/trusted-root-age.ts'

const root = join(import.meta.dirname, '../..')
const shipped = join(root, 'resources/trust')
const meta = trustedRootMetaSchema.parse(
  JSON.parse(readFileSync(join(shipped, 'sigstore-trusted-root.meta.json'), 'utf8')),
)
const published = Date.parse(meta.published)
const DAY = 24 * 3600_000

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-trust-'))
  for (const name of ['sigstore-trusted-root.json', 'sigstore-trusted-root.meta.json'])
    cpSync(join(shipped, name), join(folder, name))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the trusted root of a release', () => {
  it('is accepted for 90 days after its publication, and refused after that', () => {
    expect(faultOfTrustedRoot(shipped, published)).toBeUndefined()
    expect(faultOfTrustedRoot(shipped, published + 90 * DAY)).toBeUndefined()
    expect(faultOfTrustedRoot(shipped, published + 90 * DAY + 1)).toContain('over 90 days ago')
  })

  it('is refused if its date is in the future or belongs to another file', () => {
    expect(faultOfTrustedRoot(shipped, published - 1)).toContain('still to come')
    writeFileSync(
      join(folder, 'sigstore-trusted-root.json'),
      `${readFileSync(join(shipped, 'sigstore-trusted-root.json'), 'utf8')}\n`,
    )
    expect(faultOfTrustedRoot(folder, published)).toContain('not the one')
    writeFileSync(
      join(folder, 'sigstore-trusted-root.meta.json'),
      JSON.stringify({ ...meta, published: 'lately' }),
    )
    expect(() => faultOfTrustedRoot(folder, published)).toThrow()
  })

  it('is checked by the release workflow before any other step', () => {
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
    const runs = [...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command)
    expect(runs.indexOf('node build/check-trusted-root.ts')).toBe(1)
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'build/check-trusted-root.ts')])
    expect([status, stderr.toString()]).toEqual(
      faultOfTrustedRoot(shipped, Date.now()) === undefined
        ? [0, '']
        : [1, expect.stringContaining('Sigstore root')],
    )
  })
})
