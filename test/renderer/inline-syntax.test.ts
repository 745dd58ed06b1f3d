import type { Nodes } from 'hast'
import fc from 'fast-check'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified, type Processor } from 'unified'
import { describe, expect, test } from 'vitest'
import { inlineSyntax } from '../../src/renderer/features/chat/inline-syntax.ts'
import { addressLength } from '../../src/renderer/features/chat/literal-address.ts'

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(function (this: Processor) {
    const data = this.data()
    data.micromarkExtensions = [...(data.micromarkExtensions ?? []), inlineSyntax()]
  })
  .use(remarkRehype)

/** The text with short tags. */
function shown(source: string): string {
  const markup = (node: Nodes): string => {
    if (node.type === 'text') return node.value
    if (node.type !== 'root' && node.type !== 'element') return ''
    const inner = node.children.map(markup).join('')
    return node.type === 'root' || node.tagName === 'p'
      ? inner
      : `<${node.tagName}>${inner}</${node.tagName}>`
  }
  return markup(processor.runSync(processor.parse(source)))
}

/** Letters, and punctuation that opens, closes or ends, of three scripts, with ASCII punctuation among them. */
const unit = fc.constantFrom(
  ...Array.from('中文字あカ한글𠮷😀，。、！：；（）「」『』《》【】“”‘’…—～·(),.!?"\''),
)
const run = fc.array(unit, { minLength: 1, maxLength: 12 }).map((units) => units.join(''))
const letter = fc.constantFrom(...Array.from('中文字あカ한글𠮷，。（）「」“”'))
/** Text that East Asian letters or punctuation end on both sides. */
const outside = fc.tuple(letter, run, letter).map((parts) => parts.join(''))

describe('emphasis in East Asian text', () => {
  test.each([
    ['**', 'strong'],
    ['*', 'em'],
    ['~~', 'del'],
  ])('with %s is read whatever is next to it', (mark, tag) => {
    fc.assert(
      fc.property(outside, run, outside, run, outside, (before, first, between, second, after) => {
        const source = `${before}${mark}${first}${mark}${between}${mark}${second}${mark}${after}`
        expect(shown(source)).toBe(
          `${before}<${tag}>${first}</${tag}>${between}<${tag}>${second}</${tag}>${after}`,
        )
      }),
      { numRuns: 1000 },
    )
  })

  test('leaves no marks at the ends of a text either', () => {
    fc.assert(
      fc.property(run, (inside) => {
        expect(shown(`**${inside}**`)).toBe(`<strong>${inside}</strong>`)
      }),
    )
  })

  test.each([
    ['a ** b **', 'a ** b **'],
    ['中文 ** 字 **', '中文 ** 字 **'],
    ['2*3*4', '2*3*4'],
    ['a~b~c ~5 ~~d~~', 'a~b~c ~5 <del>d</del>'],
    ['snake_case_name _it_', 'snake_case_name <em>it</em>'],
    ['***both*** **~~x~~** *a*', '<em><strong>both</strong></em> <strong><del>x</del></strong> <em>a</em>'],
  ])('keeps %j as CommonMark has it, or as its writer meant it', (source, markup) =>
    expect(shown(source)).toBe(markup),
  )
})

describe('the end of an address', () => {
  const host = 'https://a.example'
  const wide = fc
    .integer({ min: 0x80, max: 0xffff })
    .map((code) => String.fromCharCode(code))
    .filter((character) => /[\p{P}\p{S}]/u.test(character))

  test('is any punctuation outside ASCII, so that the host is the one that is read', () => {
    fc.assert(
      fc.property(fc.constantFrom('', '/', '/b?c=d', ':8080/x'), wide, run, (path, mark, after) => {
        const text = `${host}${path}${mark}${after}.evil.example/`
        const length = addressLength(text)
        expect(new URL(text.slice(0, length)).hostname).toBe('a.example')
        expect(length).toBe(host.length + path.length)
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['https://a.example然后', 17],
    ['https://a.example/中文_(页)。', 24],
    ['https://a.example**然后', 17],
    ['https://例え.jp/x、', 15],
    ['https://a.example/Foo_(bar)),', 27],
    ['https://a.example/?a=1&amp;', 22],
    ['www.a.example/b_c.', 17],
    ['https://a.example@evil.example', 0],
    ['https://a.exampleа/', 0],
    ['https://。', 0],
    ['ftp://a.example', 0],
  ])('of %j is after %i characters', (text, length) => expect(addressLength(text)).toBe(length))

  test('takes the time of its length', () => {
    const start = process.cpuUsage()
    shown('https://a.example/'.repeat(400))
    shown(`[${'https://a.example。'.repeat(400)}`)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
  })
})
