import { describe, expect, it, test } from 'vitest'
import fc from 'fast-check'
import { parseCatalogue } from '../../../src/core/tools/catalogue.ts'
import { MAX_RESULT, parseToolResult } from '../../../src/core/tools/tool-result.ts'
import { readableResult, showInvisible, withoutInvisible } from '../../../src/core/tools/visible-text.ts'

const schema = { type: 'object', properties: { text: { type: 'string', description: 'A text.' } } }
const listed = (more: object = {}) => ({ name: 'read', description: 'Reads.', inputSchema: schema, ...more })
const digestOf = (more: object): string | undefined => parseCatalogue('s', [listed(more)]).tools[0]?.digest

/** "obey" in tag characters, which no font shows. */
const TAGS = '\u{E006F}\u{E0062}\u{E0065}\u{E0079}'

describe('definitions of a server', () => {
  it('are offered with the prefix of the server', () => {
    expect(parseCatalogue('files', [listed({ name: 'read.text' })])).toMatchObject({
      tools: [
        { name: 'read.text', functionName: 'files__read_text', description: 'Reads.', parameters: schema },
      ],
      skipped: 0,
    })
  })

  it.each([
    ['no name', { name: '' }],
    ['a name with a space', { name: 'read file' }],
    ['a name with a letter that looks like another', { name: 'reаd' }],
    ['a long name', { name: 'x'.repeat(64) }],
    ['a long description', { description: 'x'.repeat(4001) }],
    ['no schema', { inputSchema: undefined }],
    ['a schema of a list', { inputSchema: { type: 'array' } }],
    ['a large schema', { inputSchema: { ...schema, title: 'x'.repeat(40_000) } }],
    [
      'a deep schema',
      { inputSchema: { type: 'object', x: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown } },
    ],
  ])('are left out if they have %s', (_, more) => {
    expect(parseCatalogue('s', [listed(more)])).toEqual({ tools: [], skipped: 1 })
  })

  it('are left out if two have the same name for the model, and after the hundredth', () => {
    expect(
      parseCatalogue('s', [listed({ name: 'a.b' }), listed({ name: 'a_b' }), listed({ name: 'a.b' })]),
    ).toEqual({
      tools: [],
      skipped: 3,
    })
    const many = Array.from({ length: 101 }, (__, index) => listed({ name: `t${String(index)}` }))
    expect(parseCatalogue('s', many)).toMatchObject({ skipped: 1 })
  })

  it('have a digest of everything that the server states, in any order of the members', () => {
    const digest = digestOf({})
    expect(digestOf({})).toBe(digest)
    expect(
      parseCatalogue('s', [Object.fromEntries(Object.entries(listed()).toReversed())]).tools[0]?.digest,
    ).toBe(digest)
    for (const change of [
      { description: 'Reads!' },
      { description: `Reads.${TAGS}` },
      { annotations: { readOnlyHint: true } },
      { inputSchema: { ...schema, required: ['text'] } },
      { title: 'Read' },
    ])
      expect(digestOf(change)).not.toBe(digest)
  })

  it('are offered without invisible characters, in every text of the schema', () => {
    const hidden = `Reads.${TAGS}\u{202E}\u{200B}\u{FEFF}`
    const [tool] = parseCatalogue('s', [
      listed({
        description: hidden,
        inputSchema: { type: 'object', properties: { [`a${TAGS}`]: { enum: [hidden] } } },
      }),
    ]).tools
    expect(tool).toMatchObject({
      description: 'Reads.',
      parameters: { properties: { a: { enum: ['Reads.'] } } },
    })
  })
})

describe('invisible characters', () => {
  test('are shown by their code in arguments, so that a person sees every character', () => {
    expect(showInvisible(`a\u{200B}b\u{E0041}\u{202E}c\n`)).toBe('a\\u{200B}b\\u{E0041}\\u{202E}c\n')
  })

  test('are removed from a result, except joiners that ordinary text has', () => {
    expect(readableResult(`می\u{200C}خواهم 👩\u{200D}💻 ❤\u{FE0F}${TAGS}\u{2066}x`)).toBe(
      'می\u{200C}خواهم 👩\u{200D}💻 ❤\u{FE0F}x',
    )
    expect(readableResult(`a\u{200C}\u{200D}\u{200C}\u{200C}b`)).toBe('a\u{200C}b')
  })

  test('never remain, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(withoutInvisible(text)).not.toMatch(/[\p{Cf}\p{Co}\p{Cs}]/u)
        expect(showInvisible(text)).not.toMatch(/[\p{Cf}\p{Co}\p{Cs}]/u)
        expect(readableResult(text)).not.toMatch(/[\u{E0000}-\u{E007F}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u)
      }),
    )
  })
})

describe('the result of a tool', () => {
  it.each([
    [
      'text',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [
      'a resource',
      { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'b' } }] },
      'file:///a\nb',
    ],
    [
      'a link',
      { content: [{ type: 'resource_link', uri: 'https://a.example', name: 'a' }] },
      'https://a.example',
    ],
    ['structured content', { structuredContent: { a: 1 } }, '{"a":1}'],
    ['audio', { content: [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }] }, '[left out: audio]'],
    [
      'an image of another type',
      { content: [{ type: 'image', data: 'AA==', mimeType: 'image/svg+xml' }] },
      '[left out: image]',
    ],
  ])('%s becomes text', (_, answer, text) => {
    expect(parseToolResult(answer)).toEqual({ text, images: [], failed: false })
  })

  it('is cut, and one that can’t be read has failed', () => {
    expect(
      parseToolResult({ content: [{ type: 'text', text: 'x'.repeat(MAX_RESULT + 1) }] }).text,
    ).toHaveLength(MAX_RESULT + '\n[cut]'.length)
    expect(parseToolResult({ content: 'text' })).toMatchObject({ failed: true })
  })
})
