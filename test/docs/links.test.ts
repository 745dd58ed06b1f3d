import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAnchors, readLinks } from './read-links.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md', 'src/{verifier,ehbp}/*.md'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

const known = new Map<string, ReadonlySet<string>>()
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = known.get(file) ?? readAnchors(read(file))
  known.set(file, anchors)
  return anchors
}

describe('the links of the documents', () => {
  it.each(documents)('lead to files and headings that exist: %s', (file) => {
    const dangling = readLinks(file, read(file)).filter(
      (link) =>
        !existsSync(join(root, link.file)) ||
        (link.anchor !== '' && link.file.endsWith('.md') && !anchorsOf(link.file).has(link.anchor)),
    )
    expect(dangling).toEqual([])
  })
  it('lead to pictures that load fast', () => {
    const pictures = readLinks('README.md', read('README.md')).filter(({ file }) => file.endsWith('.webp'))
    expect(pictures.map(({ file }) => file)).toEqual([
      'docs/images/chat-light.webp',
      'docs/images/chat-dark.webp',
    ])
    for (const { file } of pictures) {
      const bytes = readFileSync(join(root, file))
      expect(bytes.toString('latin1', 8, 12)).toBe('WEBP')
      expect(bytes.length).toBeLessThan(250_000)
    }
  })
  it('include every page of docs from its index', () => {
    const linked = new Set(readLinks('docs/README.md', read('docs/README.md')).map(({ file }) => file))
    const pages = documents.filter((file) => /^docs\/[^/]+\.md$/.test(file) && file !== 'docs/README.md')
    expect(pages.filter((file) => !linked.has(file))).toEqual([])
  })
})

describe('reading links', () => {
  it('resolves paths from the folder of the document, and leaves out other sites', () => {
    const text = '[a](b.md#c) ![d](../e.png) [f](https://g.test/) [h](#i)\n\n<img src="j.webp">\n'
    expect(readLinks('docs/x.md', text)).toEqual([
      { file: 'docs/b.md', anchor: 'c' },
      { file: 'e.png', anchor: '' },
      { file: 'docs/x.md', anchor: 'i' },
      { file: 'docs/j.webp', anchor: '' },
    ])
  })
  it('finds no link in code, and forms anchors as GitHub does', () => {
    expect(readLinks('x.md', '`[a](b.md)`\n\n```\n[c](d.md)\n```\n')).toEqual([])
    expect(readAnchors('# The `sotto` command, and more\n## Twice\n## Twice\n')).toEqual(
      new Set(['the-sotto-command-and-more', 'twice', 'twice-1']),
    )
  })
})
