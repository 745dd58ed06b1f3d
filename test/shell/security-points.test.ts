import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listOpenFindings, readFindings, reviewed } from '../../build/audit-electron.ts'

const root = dirname(dirname(import.meta.dirname))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The table of docs/security.md. */
const rows = [...read('docs/security.md').matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*)\|$/gm)].map(
  ([, number, point, where, code]) => ({
    number: Number(number),
    point: point!.trim(),
    where: where!.trim(),
    code: /^`(.*)`$/.exec(code!.trim())?.[1],
  }),
)
const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, '')
/** Without comments, which prove nothing, and without spaces. A comment begins after a space; a path pattern contains none. */
const codeOf = (path: string): string =>
  withoutSpaces(read(path).replaceAll(/(?<!\S)\/\*[^]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, ''))
const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|html)$/.test(name))
    .map((name) => join(folder, name))

describe('the points of Electron’s security guide', () => {
  it('are all in the table, in order, each with a location', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(rows.filter(({ where }) => !/^(`|nowhere in `)/.test(where))).toEqual([])
  })
  it.each(rows.filter(({ where }) => where.startsWith('`')))(
    '$number, $point: the named file contains the code',
    ({ where, code }) => {
      expect(codeOf(where.replaceAll('`', ''))).toContain(withoutSpaces(code ?? ''))
      expect(code?.length).toBeGreaterThan(8)
    },
  )
  it.each(rows.filter(({ where }) => where.startsWith('nowhere in')))(
    '$number, $point: no file contains the code',
    ({ where, code }) => {
      const folder = /`(.*)`/.exec(where)![1]!
      const sources = sourcesBelow(folder)
      expect(sources.length).toBeGreaterThan(5)
      expect(sources.filter((path) => codeOf(path).includes(withoutSpaces(code!)))).toEqual([])
    },
  )
})

describe('the audit', () => {
  const finding = (check: string, uri: string) => ({
    ruleId: check,
    locations: [{ physicalLocation: { artifactLocation: { uri } } }],
  })
  const known = Object.entries(reviewed).map(([check, { in: file }]) =>
    finding(check, file === '' ? 'file:///' : `/tmp/app/src/main/${file}`),
  )
  const reviewResults = (...results: object[]) =>
    listOpenFindings(readFindings(JSON.stringify({ runs: [{ results }] })))

  it('has no open finding if all findings were reviewed', () => {
    expect(reviewResults(...known)).toEqual([])
  })
  it('has an open finding for one that was not reviewed, is in another file, or no longer occurs', () => {
    expect(
      reviewResults(...known, finding('WEB_SECURITY_JS_CHECK', '/tmp/app/src/main/main-window.ts')),
    ).toEqual(['OPEN       WEB_SECURITY_JS_CHECK main-window.ts'])
    expect(reviewResults(...known, finding('PRELOAD_JS_CHECK', '/tmp/app/src/main/other.ts'))).toEqual([
      'OPEN       PRELOAD_JS_CHECK other.ts',
    ])
    expect(reviewResults(...known.slice(1))).toEqual([expect.stringContaining('NOT FOUND  CSP_GLOBAL_CHECK')])
  })
  it('reviewed the only file that opens windows', () => {
    const opening = sourcesBelow('src/main').filter((path) => codeOf(path).includes('newBrowserWindow('))
    expect(opening.map((path) => basename(path))).toEqual([reviewed['PRELOAD_JS_CHECK']?.in])
    expect(reviewResults(...known, finding('PRELOAD_JS_CHECK', '/tmp/app/src/main/quick-entry.ts'))).toEqual([
      'OPEN       PRELOAD_JS_CHECK quick-entry.ts',
    ])
  })
  it('gives reasons that name existing files', () => {
    for (const { since } of Object.values(reviewed))
      for (const [path] of since.matchAll(/src\/[\w/-]+\.ts/g)) expect(read(path)).not.toBe('')
  })
})
