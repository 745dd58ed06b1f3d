import type { ElementContent } from 'hast'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Answered, Asked } from '../../src/renderer/features/chat/colour-code.ts'

const answered: Answered[] = []
let listener: ((event: { readonly data: Asked }) => void) | undefined
vi.stubGlobal('addEventListener', (_: string, heard: typeof listener) => {
  listener = heard
})
vi.stubGlobal('postMessage', (message: Answered) => answered.push(message))
await import('../../src/renderer/features/chat/colour-worker.ts')

function coloured(language: string, text: string): Answered['nodes'] {
  listener?.({ data: { language, text } })
  return (answered.pop() ?? expect.fail('no answer')).nodes
}

const textOf = (nodes: readonly ElementContent[]): string =>
  nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('')

test('code comes in parts that are named', () => {
  const [keyword] = coloured('ts', 'const a = 1') ?? []
  expect(keyword).toMatchObject({
    type: 'element',
    tagName: 'span',
    properties: { className: ['hljs-keyword'] },
    children: [{ type: 'text', value: 'const' }],
  })
})

test('its text is the code, whatever the code is', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('ts', 'python', 'xml', 'json', 'bash', 'css', 'rust'),
      fc.string({ unit: 'grapheme' }),
      (language, code) => {
        expect(textOf(coloured(language, code) ?? [])).toBe(code)
      },
    ),
  )
})

test.each(['brainfuck', '', '__proto__', 'constructor'])(
  'a language that is not known (%j) is not guessed',
  (language) => {
    expect(coloured(language, 'const a = 1')).toBeUndefined()
  },
)

test.each([
  ['js', '`${'],
  ['python', 'f"{'],
  ['ruby', '"#{'],
  ['bash', '"$('],
  ['kotlin', '"${'],
])('%s that is deeper than a page can hold is left as it is', (language, opening) => {
  expect(textOf(coloured(language, opening.repeat(20)) ?? [])).toBe(opening.repeat(20))
  expect(coloured(language, opening.repeat(3_000))).toBeUndefined()
})
