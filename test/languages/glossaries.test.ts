import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { languageTags } from '../../src/shared/window-preferences.ts'

const root = resolve(import.meta.dirname, '../..')
const LEAST_TERMS = 60

/** Sentences of the window that are one term of the glossary. */
const TERMS = [
  'Add funds',
  'API key',
  'Balance',
  'Cancel',
  'Delete',
  'Local key',
  'Passphrase',
  'Private',
  'Receipt',
  'Refresh',
  'Regenerate',
  'Try again',
] as const

interface Row {
  readonly english: readonly string[]
  readonly terms: readonly string[]
}

/** The terms of a cell: "Cancel · Undo", "receipt, invoice", "削除／クリア". Notes in parentheses aren't part of a term. */
function termsOf(cell: string): string[] {
  return cell
    .replaceAll(/[(（][^)）]*[)）]/g, '')
    .split(/[·・/／,、，;；]/)
    .map((term) => term.trim().toLowerCase())
    .filter((term) => term !== '')
}

/** The rows of a glossary's tables: an English term, its translation, and a note. */
function rowsOf(markdown: string): Row[] {
  const lines = markdown.split('\n')
  return lines
    .filter(
      (line, index) =>
        line.startsWith('|') && !/^\|[\s:|-]+$/.test(line) && !/^\|[\s:|-]+$/.test(lines[index + 1] ?? ''),
    )
    .map((line) => line.split('|').slice(1, 3))
    .map(([english = '', terms = '']) => ({ english: termsOf(english), terms: termsOf(terms) }))
    .filter(({ english, terms }) => english.length > 0 && terms.length > 0)
}

/** What a row allows for its term: the word in the same position, or any of its words if the row has more or fewer of them. */
function wordsFor(term: string, rows: readonly Row[]): string[] {
  return rows.flatMap(({ english, terms }) => {
    const position = english.indexOf(term.toLowerCase())
    if (position < 0) return []
    return english.length === terms.length ? [terms[position] ?? ''] : terms
  })
}

test('a glossary row translates each term with the word in the same position', () => {
  const rows = rowsOf(
    '| English | Deutsch | |\n|---|---|---|\n| Remove / Delete (for good) / Cancel | Entfernen / Löschen / Abbrechen | |\n| add funds | 残高をチャージ／チャージする | note |\n| empty | | |',
  )
  expect(rows).toHaveLength(2)
  expect(wordsFor('Delete', rows)).toEqual(['löschen'])
  expect(wordsFor('Add funds', rows)).toEqual(['残高をチャージ', 'チャージする'])
  expect(wordsFor('Refresh', rows)).toEqual([])
})

test('the index of docs/languages links to the glossary of each language', () => {
  const index = readFileSync(join(root, 'docs/languages/README.md'), 'utf8')
  expect(languageTags.filter((tag) => tag !== 'en' && !index.includes(`](${tag}.md)`))).toEqual([])
})

describe.each(languageTags.filter((tag) => tag !== 'en'))('the glossary of %s', (tag) => {
  const file = join(root, 'docs/languages', `${tag}.md`)
  let rows: Row[] = []
  let translations: ReadonlyMap<string, string> = new Map()

  beforeAll(async () => {
    const window = (await getCatalogs(getConfig({ cwd: root }))).find(({ path }) =>
      path.replaceAll('\\', '/').includes('src/renderer/languages/'),
    )
    const catalogue = (await window?.read(tag)) ?? {}
    // A sentence with a context is a second meaning of its English, which the glossary doesn't list under the same term.
    translations = new Map(
      Object.values(catalogue)
        .filter(({ context }) => context === undefined)
        .map(({ message = '', translation = '' }) => [message, translation]),
    )
    rows = existsSync(file) ? rowsOf(readFileSync(file, 'utf8')) : []
  })

  it(`has at least ${String(LEAST_TERMS)} terms`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(LEAST_TERMS)
  })

  it.each(TERMS)('has the translation in the catalog: %s', (term) => {
    const translation = translations.get(term)
    expect(translation, `The window has no sentence "${term}".`).toBeDefined()
    expect(wordsFor(term, rows)).toContain(translation?.toLowerCase())
  })
})
