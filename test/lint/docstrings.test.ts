import { join } from 'node:path'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it, test } from 'vitest'
import { docstrings } from '../../lint/docstrings.js'

const root = join(import.meta.dirname, '../..')
const linter = new Linter({ cwd: root })

/** The names that `code` exports without a docstring. */
function bare(code: string): string[] {
  const messages = linter.verify(
    code,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { sotto: { rules: { docstrings } } },
        rules: { 'sotto/docstrings': 'error' },
      },
    ],
    { filename: join(root, 'src/core/sample.ts') },
  )
  for (const { ruleId, message } of messages) if (ruleId !== 'sotto/docstrings') throw new Error(message)
  return messages.map(({ message }) => message.split(' ', 1)[0] ?? '')
}

describe('what is exported without a docstring is refused', () => {
  it.each([
    ['a function', 'export function f(): void {}'],
    ['one that is async', 'export async function f(): Promise<void> {}'],
    ['a generator', 'export function* f() { yield 1 }'],
    ['a class', 'export class f {}'],
    ['an abstract one', 'export abstract class f {}'],
    ['an arrow function', 'export const f = (n: number) => n'],
    ['one behind a type', 'export const f = ((n: number) => n) satisfies Of'],
    ['a function as a value', 'export const f = function () {}'],
    ['a class as a value', 'export const f = class {}'],
    [
      'overloads',
      'export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: unknown): void {}',
    ],
    ['one that is exported afterwards', 'function f(): void {}\nexport { f }'],
    ['and by another name', 'class f {}\nexport { f as g }'],
    ['with a comment of another kind', '// Why.\nexport function f(): void {}'],
    ['and of this kind, but for its stars', '/* Why. */\nexport function f(): void {}'],
    ['an empty one', '/** */\nexport function f(): void {}'],
    ['one that is the file’s', '/** What this file is about. */\n\nexport function f(): void {}'],
    ['one of what stands before it', '/** One. */\nexport const ONE = 1\nexport function f(): void {}'],
    ['one within it', 'export function f(): void { /** Here. */ }'],
  ])('%s', (_, code) => expect(bare(code)).toEqual(['f']))

  it('names each of them once', () => {
    expect(bare('export const a = () => 1, b = 2, c = () => 3\nexport class d {}')).toEqual(['a', 'c', 'd'])
  })
})

describe('what has one, or needs none, is let be', () => {
  it.each([
    ['one line', '/** Why. */\nexport function f(): void {}'],
    [
      'several',
      '/**\n * Why.\n * @param n Unix ms\n */\nexport async function f(n: number): Promise<void> {}',
    ],
    ['a line for a tool between', '/** Why. */\n// @ts-expect-error -- why\nexport const f = () => 1'],
    ['on the same line', '/** Why. */ export class F {}'],
    [
      'of the first of overloads',
      '/** Why. */\nexport function f(a: string): void\nexport function f(a: number): void\nexport function f(a: unknown): void {}',
    ],
    [
      'where it is declared, and exported afterwards',
      '/** Why. */\nfunction f(): void {}\nexport { f as g }',
    ],
    ['what is not exported', 'function f(): void {}\nconst g = () => 1\nclass H {}'],
    [
      'what is exported from elsewhere',
      "export { f } from './f.ts'\nexport * from './g.ts'\nfunction f(): void {}",
    ],
    [
      'values, types and what is made by a call',
      'export const N = 1\nexport type T = () => void\nexport interface I { f(): void }\nexport const g = make(() => 1)',
    ],
    [
      'methods, and functions in objects',
      '/** Why. */\nexport class F { f(): void {} }\nexport const g = { h: () => 1, i() {} }',
    ],
    ['functions in functions', '/** Why. */\nexport function f() { return function g() {} }'],
  ])('%s', (_, code) => expect(bare(code)).toEqual([]))
})

test.each([
  ['core', 'src/verifier/verdict.ts', 2],
  ['host', 'src/host/host.ts', 2],
  ['not the tests', 'test/lint/docstrings.test.ts', undefined],
])('by the configuration: %s', async (_, file, severity) => {
  const config: unknown = await new ESLint({ cwd: root }).calculateConfigForFile(join(root, file))
  expect(config).toMatchObject({
    rules:
      severity === undefined
        ? (expect.not.objectContaining({ 'sotto/docstrings': expect.anything() as unknown }) as unknown)
        : { 'sotto/docstrings': [severity] },
  })
})
