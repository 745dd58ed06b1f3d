import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  artifactsOf,
  fileOf,
  versionsOf,
} from '../../src/renderer/features/chat/artifacts/artifact-versions.ts'
import { artifactOf } from '../../src/renderer/features/chat/artifacts/artifact.ts'

const answer = (text: string) => ({ role: 'assistant' as const, state: 'complete' as const, text })
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

describe('a block of code', () => {
  it.each([
    ['html', '<p>x</p>', 'page'],
    ['HTML', '<p>x</p>', 'page'],
    ['svg', '<svg/>', 'drawing'],
    ['xml', ' <svg viewBox="0 0 1 1"/>', 'drawing'],
    ['csv', 'a,b', 'table'],
    ['tsv', 'a\tb', 'table'],
    ['md', '# x', 'text'],
    ['markdown', 'x', 'text'],
    ['mermaid', 'flowchart', 'diagram'],
  ])('in %s with %j is a document', (language, source, kind) => {
    expect(artifactOf(language, source)).toMatchObject({ kind, source })
  })

  it.each([
    [undefined, '<p>x</p>'],
    ['ts', 'const a = 1'],
    ['xml', '<note/>'],
    ['html', ' \n'],
    ['html', 'x'.repeat(1_000_001)],
    ['constructor', 'x'],
    ['__proto__', 'x'],
  ])('in %s isn’t one', (language, source) => {
    expect(artifactOf(language, source)).toBeUndefined()
  })

  it('has the title that it states', () => {
    expect(artifactOf('html', '<head><title lang="en">\n My  page </title>')?.title).toBe('My page')
    expect(artifactOf('svg', '<svg><title>Clock</title></svg>')?.title).toBe('Clock')
    expect(artifactOf('md', 'Text\n## Plan of the day\n')?.title).toBe('Plan of the day')
    expect(artifactOf('csv', 'a,b')?.title).toBe('')
  })
})

describe('the documents of a chat', () => {
  const messages = [
    { ...answer(block('html', '<title>Ask</title>')), role: 'user' as const },
    answer(`One:\n\n${block('html', '<title>Page</title>1')}\nand\n\n${block('csv', 'a,b')}`),
    answer(block('html', '<title>Page</title>2')),
    answer(block('html', '<title>Other</title>')),
  ]

  it('are those of its answers, in order', () => {
    expect(artifactsOf(messages).map(({ kind, title }) => [kind, title])).toEqual([
      ['page', 'Page'],
      ['table', ''],
      ['page', 'Page'],
      ['page', 'Other'],
    ])
  })

  it('are versions of one another if kind and title agree', () => {
    const artifacts = artifactsOf(messages)
    const versions = versionsOf(artifacts, artifacts[0]!)
    expect(versions.map(({ source }) => source.at(-2))).toEqual(['1', '2'])
  })
})

describe('the file of a document', () => {
  it('has its title and its ending', () => {
    expect(fileOf(artifactOf('html', '<title>My page: 2/3</title>')!)).toEqual({
      name: 'My-page-2-3.html',
      type: 'text/html',
    })
    expect(fileOf(artifactOf('tsv', 'a\tb')!).name).toBe('document.tsv')
  })

  it('never names a folder, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (title) => {
        const artifact = artifactOf('html', `<title>${title}</title>`)
        expect(artifact && fileOf(artifact).name).toMatch(/^[\p{L}\p{N}-]+\.html$/u)
      }),
    )
  })
})
