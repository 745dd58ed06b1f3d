import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { compileMessageOrThrow, type CompiledMessage } from '@lingui/message-utils/compileMessage'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { languageTags } from '../../src/shared/window-preferences.ts'

const root = resolve(import.meta.dirname, '../..')

type Catalogue = Readonly<
  Record<string, { readonly message?: string; readonly translation?: string; readonly obsolete?: boolean }>
>

let source: Record<string, string>
let madeOf: Record<string, Readonly<Record<string, readonly string[]>>>
const catalogues = new Map<string, Catalogue>()

interface Shape {
  readonly arguments: readonly string[]
  readonly tags: readonly string[]
  readonly plurals: readonly (readonly string[])[]
}

/** Sentences in which the count is never 1: a fixed bound, or a list that is longer than its visible part. */
const NEVER_ONE: readonly RegExp[] = [
  /^First \{0\} of \{1\} characters/,
  /^At most \{0\} places/,
  /^All \{0\} routes/,
  /^Show \{0\} routes$/,
  /^there are more than \{0\} columns/,
  /^max \{0\} tokens$/,
  /^\{0\} of \{NAME_MOST\} characters/,
]

/** Values that are counts by their source, each with the noun after it: "{0} requests", if {0} is formatCount(…). */
function bareCounts(message: string, placeholders: Readonly<Record<string, readonly string[]>>): string[] {
  if (message.includes(', plural,')) return []
  return [...message.matchAll(/\{(\w+)\} (?!is\b|has\b|does\b|was\b)[a-z]+s\b/g)]
    .filter(([, name = '']) =>
      placeholders[name]?.some((expression) => /^formatCount\(|\.length$/.test(expression)),
    )
    .map(([found]) => found)
}

/** The parts of a sentence that its translation must also have. */
function shapeOf(message: string): Shape {
  const found = new Set<string>()
  const plurals: string[][] = []
  const walk = (tokens: CompiledMessage): void => {
    if (typeof tokens === 'string') return
    for (const token of tokens) {
      if (typeof token === 'string') continue
      const [name, type, format] = token
      found.add(`${name}:${type ?? ''}`)
      if (typeof format !== 'object' || format === null) continue
      if (type === 'plural' || type === 'selectordinal')
        plurals.push(Object.keys(format).filter((key) => key !== 'offset'))
      for (const branch of Object.values(format))
        if (typeof branch === 'object') walk(branch as CompiledMessage)
    }
  }
  walk(compileMessageOrThrow(message))
  return { arguments: [...found].sort(), tags: [...new Set(message.match(/<\/?\d+\/?>/g))].sort(), plurals }
}

/** The catalogs of the window, of the desktop's main process, and of the core's messages to both. */
describe.each(['src/renderer', 'src/main', 'src/shared'])('the catalog of each language, in %s', (folder) => {
  beforeAll(async () => {
    const catalogue = (await getCatalogs(getConfig({ cwd: root }))).find(({ path }) =>
      path.replaceAll('\\', '/').includes(`${folder}/languages/`),
    )
    const collected = await catalogue!.collect()
    madeOf = Object.fromEntries(
      Object.entries(collected ?? {}).map(([id, { placeholders }]) => [id, placeholders]),
    )
    source = Object.fromEntries(
      Object.entries(collected ?? {}).map(([id, { message }]) => [id, message ?? id]),
    )
    for (const tag of languageTags) catalogues.set(tag, (await catalogue!.read(tag)) ?? {})
  })

  it.each(languageTags)('has exactly the sentences of the source: %s', (tag) => {
    const ids = Object.entries(catalogues.get(tag)!)
      .filter(([, { obsolete }]) => obsolete !== true)
      .map(([id]) => id)
    expect(ids.sort(), 'Run "npm run languages".').toEqual(Object.keys(source).sort())
    expect(ids.length).toBeGreaterThan(50)
  })

  it.each(languageTags.filter((tag) => tag !== 'en'))(
    'is complete, because a language ships only with every sentence translated: %s',
    (tag) => {
      const catalogue = catalogues.get(tag)!
      const left = Object.keys(source).filter((id) => (catalogue[id]?.translation ?? '') === '')
      expect(left.map((id) => source[id])).toEqual([])
    },
  )

  it.each(languageTags.filter((tag) => tag !== 'en'))(
    'uses the same placeholders and tags as the English: %s',
    (tag) => {
      const faults: unknown[] = []
      for (const [id, { translation = '' }] of Object.entries(catalogues.get(tag)!)) {
        const english = source[id]
        if (translation === '' || english === undefined) continue
        const [theirs, ours] = [shapeOf(translation), shapeOf(english)]
        if (theirs.arguments.join() !== ours.arguments.join() || theirs.tags.join() !== ours.tags.join())
          faults.push({ english, translation })
      }
      expect(faults).toEqual([])
    },
  )

  it.each(languageTags.filter((tag) => tag !== 'en'))('has the plural forms of its language: %s', (tag) => {
    // Exact millions have a separate plural form in Spanish, French and Portuguese. A sentence may leave that
    // form to "other".
    const needed = new Intl.PluralRules(tag)
      .resolvedOptions()
      .pluralCategories.filter((category) => category !== 'many')
    const faults: unknown[] = []
    for (const { translation = '' } of Object.values(catalogues.get(tag)!)) {
      if (translation === '') continue
      for (const categories of shapeOf(translation).plurals)
        if (needed.some((category) => !categories.includes(category)))
          faults.push({ translation, categories })
    }
    expect(faults).toEqual([])
  })

  it('uses plural forms for every count', () => {
    const faults = Object.entries(source).filter(
      ([id, english]) =>
        !NEVER_ONE.some((pattern) => pattern.test(english)) &&
        bareCounts(english, madeOf[id] ?? {}).length > 0,
    )
    expect(faults.map(([, english]) => english)).toEqual([])
  })

  it('has spaces at the ends as in English, because the sentences are joined', () => {
    const faults: unknown[] = []
    for (const [tag, catalogue] of catalogues) {
      for (const [id, { translation = '' }] of Object.entries(catalogue)) {
        const english = source[id] ?? ''
        if (
          translation !== '' &&
          (/^\s/.test(english) !== /^\s/.test(translation) || /\s$/.test(english) !== /\s$/.test(translation))
        )
          faults.push([tag, translation])
      }
    }
    expect(faults).toEqual([])
  })
})
