import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseChangelog } from '../../src/renderer/features/settings/parse-changelog.ts'

const text = `# Changelog

All changes. See [Keep a Changelog](https://keepachangelog.com/).

## [Unreleased]

### Added
- One thing.
- A longer thing,
  over two lines.

## [0.2.0] - 2026-02-01
### Fixed
- A \`mistake\`.
### Whatever
- Something else.

## 0.1.0
### Removed

## [0.0.9]
- Stands under no heading.
`

describe('a changelog', () => {
  it('is read by releases and kinds', () => {
    expect(parseChangelog(text)).toEqual([
      {
        version: null,
        date: null,
        groups: [{ kind: 'added', changes: ['One thing.', 'A longer thing, over two lines.'] }],
      },
      {
        version: '0.2.0',
        date: '2026-02-01',
        groups: [
          { kind: 'fixed', changes: ['A `mistake`.'] },
          { kind: 'other', changes: ['Something else.'] },
        ],
      },
    ])
  })
  it('loses its emphasis, but no asterisk of code', () => {
    const marked = '## 1.0.0\n### Added\n- *Not checked*, **two\n  lines**, 2 * 3 * 4, `a-*b*`.'
    expect(parseChangelog(marked)[0]?.groups[0]?.changes).toEqual([
      'Not checked, two lines, 2 * 3 * 4, `a-*b*`.',
    ])
  })
  it('is our own, whole', () => {
    const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
    const read = parseChangelog(changelog)
    expect(read.flatMap(({ groups }) => groups.flatMap(({ changes }) => changes)).length).toBe(
      changelog.match(/^- /gm)?.length,
    )
    expect(read.flatMap(({ groups }) => groups.map(({ kind }) => kind))).not.toContain('other')
  })
  it('shows no mark that hides or turns what follows, and nothing without an end', () => {
    const hostile = `## 1.0.0\n### Added\n- a\u202eb\u0007c\u2028d ${'x'.repeat(5000)}\n${'- more\n'.repeat(5000)}`
    const [release] = parseChangelog(hostile)
    const changes = release!.groups[0]!.changes
    expect(changes[0]!.startsWith('a b c d xxx')).toBe(true)
    expect([changes[0]!.length, changes.length]).toEqual([1000, 1000])
    expect(
      parseChangelog(
        Array.from({ length: 500 }, (_, index) => `## 1.0.${String(index)}\n### Added\n- x\n`).join(''),
      ).length,
    ).toBe(200)
  })
  it('ends at a heading that is no release', () => {
    expect(parseChangelog('## [javascript:alert(1)]\n### Added\n- x\n')).toEqual([])
    expect(parseChangelog('## 1.0.0\n### Added\n- x\n## <script>\n### Added\n- y\n').length).toBe(1)
  })
  it('keeps within its limits, whatever it is', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('## 1.2.3', '### Added', '- x', '  more', '## [Unreleased]'),
      fc.string().map((more) => `- ${more}`),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const { groups } of parseChangelog(lines.join('\n')))
          for (const { changes } of groups)
            for (const change of changes) expect(/[\p{Cc}\u202a-\u202e]/u.test(change)).toBe(false)
      }),
    )
  })
})
