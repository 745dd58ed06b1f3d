import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import tseslint from 'typescript-eslint'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')

const read = (file: string): unknown =>
  ts.parseConfigFileTextToJson(file, readFileSync(join(root, file), 'utf8')).config

/** The rules of typescript-eslint that need types, in the sets that the project follows. */
function rulesWithTypes(): string[] {
  const { rules: known } = z
    .object({
      rules: z.record(
        z.string(),
        z.object({
          meta: z.object({ docs: z.object({ requiresTypeChecking: z.boolean().optional() }).optional() }),
        }),
      ),
    })
    .parse(tseslint.plugin)
  return tseslint.configs.strictTypeChecked
    .flatMap(({ rules }) => Object.entries(rules ?? {}))
    .filter(([, level]) => (Array.isArray(level) ? level[0] : level) === 'error')
    .map(([name]) => name.replace('@typescript-eslint/', ''))
    .filter((name) => known[name]?.meta.docs?.requiresTypeChecking === true)
}

it('oxlint checks the types, and every rule of the strict set that needs them but two', () => {
  const settings = z
    .object({
      options: z.object({ typeAware: z.literal(true), typeCheck: z.literal(true) }),
      rules: z.record(z.string(), z.union([z.literal('error'), z.tuple([z.literal('error'), z.unknown()])])),
      // No folder has rules of its own.
      overrides: z.never().optional(),
    })
    .parse(read('.oxlintrc.json'))
  expect(settings.rules).toHaveProperty(['typescript/switch-exhaustiveness-check'])
  const absent = rulesWithTypes().filter((name) => !(`typescript/${name}` in settings.rules))
  // oxlint has no rule for the first. An arrow that returns void is this project's style.
  expect(absent.toSorted()).toEqual(['no-confusing-void-expression', 'no-unsafe-class-instance-assignment'])
})

it('each file of TypeScript is in one of the programs that tsconfig.json names', () => {
  const { references } = z
    .object({ references: z.array(z.object({ path: z.string() })) })
    .parse(read('tsconfig.json'))
  const included = references.flatMap(({ path }) => {
    const parsed = ts.getParsedCommandLineOfConfigFile(
      join(root, path),
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    )
    return parsed?.fileNames ?? []
  })
  const files = ts.sys.readDirectory(
    root,
    ['.ts', '.tsx'],
    ['node_modules', 'out', 'dist', 'test-results', 'playwright-report'],
  )
  expect(files.filter((file) => !included.includes(file))).toEqual([])
})
