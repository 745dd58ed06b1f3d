import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Linter, type Rule } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countSizeProblems, fileSize } from '../../lint/file-size.ts'
import { findDenied, plainComments } from '../../lint/plain-comments.ts'
import { plainNames } from '../../lint/plain-names.ts'
import { plainTitles } from '../../lint/plain-titles.ts'

const root = join(import.meta.dirname, '../..')
const linter = new Linter({ cwd: root })

function lint(rule: Rule.RuleModule, code: string, file = 'src/core/sample.ts'): string[] {
  return linter
    .verify(
      code,
      [
        {
          files: ['**/*.ts'],
          languageOptions: { parser: tseslint.parser },
          plugins: { sotto: { rules: { rule } } },
          rules: { 'sotto/rule': 'error' },
        },
      ],
      { filename: join(root, file) },
    )
    .map(({ line, message }) => `${line} ${message}`)
}

describe('a comment', () => {
  it.each([
    ['What is sent is sealed.', 1],
    ['* Reads the list.\n * What was sent stays.\n ', 1],
    ['* Ends by\n * itself, and is told so.', 2],
    ['* @param id what it was told', 1],
    ['* @returns {string} the `told` name of {@link told}', 0],
    ['https://told.example/anew', 0],
    ['TDX stands for Trust Domain Extensions.', 0],
  ])('%j has %i denied words', (text, count) => expect(findDenied(text)).toHaveLength(count))

  it('is read across lines, and once for each block', () => {
    const code =
      '// It resumes by\n// itself.\n\nconst a = 1 // anew\n/** Anew. */\nconst b = 2\n// @ts-expect-error told\n'
    expect(lint(plainComments, code)).toEqual([
      '1 “by itself” → automatically',
      '4 “anew” → again',
      '5 “Anew” → again',
    ])
  })
})

describe('the title of a test', () => {
  it.each([
    ["it('refuses a request without a key', () => {})", 0],
    ["it('is told in every room', () => {})", 2],
    ["describe.skipIf(never)('what a person is told', () => {})", 1],
    ["test.each(['told'])('%s is told', () => {})", 1],
    ['it(`${told} is told`, () => {})', 1],
    ["pattern.test('told')", 0],
    ["test('told')", 0],
  ])('%s has %i denied words', (code, count) =>
    expect(lint(plainTitles, code, 'test/sample.test.ts')).toHaveLength(count),
  )
})

describe('a name', () => {
  it.each([
    'const told = 1',
    'function letGo() {}',
    'class KeptWallet {}',
    'interface A { keyMark: string }',
    'type Door = 1',
    'const { a: bought } = x',
    'function f(handOn: 1) {}',
    'import { a } from "a"; const KEY_MARK = a',
    'function openRelay() {}',
    'enum Judgement { a }',
  ])('with a denied word is found once where it is declared: %s', (code) =>
    expect(lint(plainNames, code)).toHaveLength(1),
  )

  it.each([
    'import { told } from "a"',
    'const { told, kept = 1 } = x',
    'f({ told: 1 })',
    'const untoldable = x.told',
    'function openFile() {}',
    'const openAiModels = 1, isOpen = 2',
    'const stripTypes = 1',
  ])('passes: %s', (code) => expect(lint(plainNames, code)).toEqual([]))

  it('of a file counts too', () => {
    expect(lint(plainNames, '', 'src/core/in-turn.ts')).toHaveLength(1)
    expect(lint(plainNames, '', 'src/core/words.test.ts')).toHaveLength(1)
    expect(lint(plainNames, '', 'src/core/turn.ts')).toEqual([])
  })
})

describe('the size of a file', () => {
  it.each([
    ['short.ts', 24, 1],
    ['short.ts', 25, 0],
    ['index.ts', 1, 0],
    ['token-worker.ts', 3, 0],
    ['long.ts', 400, 0],
    ['long.ts', 401, 1],
    ['long.ts', 451, 2],
  ])('%s of %i lines has %i problems', (name, lines, count) => {
    expect(countSizeProblems(name, lines)).toBe(count)
    expect(lint(fileSize, '//\n'.repeat(lines), `src/core/${name}`)).toHaveLength(count)
  })
})

describe('eslint-suppressions.json', () => {
  const suppressions = z
    .record(z.string(), z.record(z.string(), z.object({ count: z.int().positive() })))
    .parse(JSON.parse(readFileSync(join(root, 'eslint-suppressions.json'), 'utf8')))

  it('names only files that exist', () =>
    expect(Object.keys(suppressions).filter((file) => !existsSync(join(root, file)))).toEqual([]))

  it('counts only problems of size and names', () =>
    expect(new Set(Object.values(suppressions).flatMap(Object.keys))).toEqual(
      new Set(['sotto/file-size', 'sotto/plain-names']),
    ))
})
