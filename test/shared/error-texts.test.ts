import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findMessages } from '../../build/core-sentences.ts'
import { errorCodeNames, errorCodes, isErrorCode, type ErrorCode } from '../../src/shared/error-codes.ts'
import { explained, SottoError, type SottoErrorDetails } from '../../src/shared/errors.ts'
import { renderEnglish, type LocalizedText } from '../../src/shared/localized-text.ts'
import { hasToolText, toolTextOf } from '../../src/shared/tool-texts.ts'

const root = resolve(import.meta.dirname, '../..')
const codes = errorCodeNames.filter(isErrorCode)

/** Terms that only messages to a tool may contain. */
const FOR_TOOLS: Readonly<Record<string, RegExp>> = {
  'a route': /\/v1\b|\b(?:GET|POST|PUT|PATCH|DELETE) |(?:^|\s)\/[a-z]+\//,
  'a header': /\b(?:retry-after|content-type|content-encoding|authorization|bearer|x-api-key|user-agent)\b/i,
  'an environment variable': /\b[A-Z]{2,}_[A-Z_]+\b/,
  'an option': /(?:^|[\s“"])--[a-z]/,
  'a member': /"[a-z_/]+"/,
}

/** Terms that only make sense to a person who looks at the window. */
const OF_THE_WINDOW = /“|\b(?:button|screen|window|dialog|sidebar|checkbox|click|press|tap|Settings|Wallet)\b/

function toolMarks(text: string): string[] {
  return Object.entries(FOR_TOOLS)
    .filter(([, form]) => form.test(text))
    .map(([mark]) => mark)
}

function codesIn(text: string): ErrorCode[] {
  return codes.filter((code) => new RegExp(`(?<![\\w/.-])${code}(?![\\w/-])`).test(text))
}

/** The sentences with more than `most` words. */
function longer(text: string, most: number): string[] {
  return text.split(/(?<=[.!?]”?) +/).filter((sentence) => sentence.split(/\s+/).length > most)
}

function sourcesBelow(folder: string): { readonly file: string; readonly source: string }[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ file: relative(root, file).replaceAll('\\', '/'), source: readFileSync(file, 'utf8') }))
}

it.each(codes)('%s has a text for a person', (code) => {
  const { says, remedy } = errorCodes[code]
  expect([says, remedy].filter((text) => !/^\S.*\.$/.test(text))).toEqual([])
  expect([...longer(says, 20), ...longer(remedy, 20)]).toEqual([])
  expect([...toolMarks(`${says} ${remedy}`), ...codesIn(`${says} ${remedy}`)]).toEqual([])
})

it.each(codes.filter(hasToolText))('%s has a text for a tool', (code) => {
  const { says, remedy } = toolTextOf(code)
  expect([says, remedy].filter((text) => !/^\S.*\.$/.test(text))).toEqual([])
  expect([...longer(says, 25), ...longer(remedy, 25)]).toEqual([])
  expect(OF_THE_WINDOW.exec(`${says} ${remedy}`)).toBeNull()
})

/** Sources that only the window and the command line call, through the contract. */
const OF_THE_CONTRACT =
  /^src\/core\/payments\/(?:(?:accounts|history|topups|wallet)\/|(?:closing-question|low-balance|purchase-(?:ask|view)|rpc|wait-for-payment)\.ts$)/

it('what answers tools throws no code that has no text for them', () => {
  // The window and the command line read saved evidence; no answer to a tool does.
  const answering = [
    ...['proxy', 'relay', 'dialect', 'channel', 'service', 'pricing'].flatMap((folder) =>
      sourcesBelow(`src/core/gateway/${folder}`),
    ),
    ...sourcesBelow('src/core/payments').filter(({ file }) => !OF_THE_CONTRACT.test(file)),
  ].filter(({ file }) => file !== 'src/core/gateway/channel/proof.ts')
  const found = answering.flatMap(({ file, source }) =>
    [...source.matchAll(/'([a-z-]+\/[a-z-]+)'/g)].flatMap(([, code = '']) =>
      isErrorCode(code) && !hasToolText(code) ? [`${file}: ${code}`] : [],
    ),
  )
  expect(answering.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})

/**
 * Every sentence that the core attaches to an error, and its other messages. Setting errors are left out, because
 * they name the setting to the person who changed it.
 */
const sentences = ['src/core', 'src/host', 'src/shared']
  .flatMap(sourcesBelow)
  .filter(({ source }) => !source.includes('new SettingError('))
  .flatMap(({ file, source }) => findMessages(`/${file}`, source))

const anyText: fc.Arbitrary<LocalizedText> = fc.array(
  fc
    .record({
      english: fc.constantFrom(...sentences),
      word: fc.stringMatching(/^[A-Z][a-z]{1,12}$/),
      count: fc.nat(100),
    })
    .map(({ english, word, count }) => ({
      english,
      values: Object.fromEntries(
        [...english.matchAll(/\{(\w+)(, plural)?/g)].map(([, place = '', plural]) => [
          place,
          plural === undefined ? word : count,
        ]),
      ),
    })),
  { maxLength: 2 },
)

const details: fc.Arbitrary<SottoErrorDetails> = fc.record(
  {
    detail: anyText,
    toolDetail: fc.constantFrom(
      'It must be one of "a", "b".',
      'The request was POST /v1/chats.',
      'SOTTO_PORT is set to "1".',
    ),
    param: fc.stringMatching(/^zz[a-z_]{1,12}(?:\[\d\])?$/),
    retryAfterSeconds: fc.nat(3600),
    receiptId: fc.uuid(),
  },
  { requiredKeys: [] },
)

it('any error of the core has a text for each audience', () => {
  expect(sentences.length).toBeGreaterThan(200)
  fc.assert(
    fc.property(fc.constantFrom(...codes), details, (code, attached) => {
      const failure = new SottoError(code, attached)
      const person = renderEnglish(explained(failure))
      expect(person.startsWith(errorCodes[code].says)).toBe(true)
      expect(person.endsWith(errorCodes[code].remedy)).toBe(true)
      expect([...toolMarks(person), ...codesIn(person)]).toEqual([])
      if (attached.param !== undefined) {
        expect(person).not.toContain(attached.param)
        expect(failure.message).toContain(`Parameter: "${attached.param}".`)
      }
      const { says, remedy } = toolTextOf(code)
      expect(failure.message.startsWith(says)).toBe(true)
      expect(failure.message.endsWith(remedy)).toBe(true)
      expect(failure.message).toContain(attached.toolDetail ?? renderEnglish(attached.detail ?? []))
    }),
    { numRuns: 200 },
  )
})

it('no sentence of the core is for tools only', () => {
  expect(sentences.filter((english) => toolMarks(english).length > 0)).toEqual([])
})

it('what a caller chose cannot write the rest of a tool’s text', () => {
  const { message } = new SottoError('proxy/duplicate-member', { param: 'a\n\u202eb', toolDetail: 'c\u0007' })
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
